"""A report as PDF, by WeasyPrint, which is an extra."""

from __future__ import annotations

from ...errors import BadInput

__all__ = ["pdf"]


def pdf(html: str) -> bytes:
    """Return a page, made for paper, as PDF. Nothing is fetched.

    Raises BadInput where WeasyPrint, or a library that it needs, is not there.
    """
    try:
        from weasyprint import HTML
        from weasyprint.text.fonts import FontConfiguration
        from weasyprint.urls import URLFetcher
    except ImportError:
        raise BadInput(
            "PDF is made by WeasyPrint, which is not installed: pip install '.[pdf]'; the "
            "HTML is written"
        ) from None
    except OSError as error:
        raise BadInput(
            f"WeasyPrint lacks a library of the system ({error}); the HTML is written"
        ) from None
    inside_alone = URLFetcher(allowed_protocols=["data"])
    document = HTML(string=html, url_fetcher=inside_alone).render(
        font_config=FontConfiguration()
    )
    made = document.write_pdf(pdf_identifier=b"playproof")
    assert isinstance(made, bytes), "no target was given"
    return made
