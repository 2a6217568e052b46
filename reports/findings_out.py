"""Where findings go: to a file in the form asked for, and as text, or to standard output."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from ..files import write_whole
from .options import HowFindings
from .show import write, write_json

__all__ = ["Written", "is_text", "put"]


class Written(Protocol):
    """What findings are written from: a log that was judged, a build that was driven."""

    def text(self) -> str:
        """Return findings and summary for people."""

    def json(self) -> str:
        """Return them as JSON."""

    def junit(self) -> str:
        """Return them as JUnit XML."""

    def sarif(self) -> str:
        """Return them as SARIF 2.1.0."""

    def summary(self) -> str:
        """Return what was found in a few lines."""


def is_text(how: HowFindings, out: Path | None) -> bool:
    """Return whether findings are told as text while they are found."""
    return out is not None or how is HowFindings.TEXT


def put(found: Written, how: HowFindings, out: Path | None) -> None:
    """Write findings; where they were told as text already, only what they came to.

    Raises BadInput where a file cannot be written.
    """
    written = {
        HowFindings.TEXT: found.text,
        HowFindings.JSON: found.json,
        HowFindings.JUNIT: found.junit,
        HowFindings.SARIF: found.sarif,
    }[how]
    if out is not None:
        write_whole(out, written())
    if is_text(how, out):
        write(found.summary())
    else:
        write_json(written())
