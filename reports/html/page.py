"""A report as one HTML page: no network, no script, every text escaped."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from ..numbers import some
from .contents import Report

__all__ = ["page"]

Link = Callable[[str], str]
"""Where a Play, by its id, is to be stepped through; "" for nowhere."""


def _nowhere(play: str) -> str:
    return ""


def page(
    report: Report, *, paper: bool = False, diagram: str = "", link: Link = _nowhere
) -> str:
    """Return a report as HTML.

    For ``paper`` nothing is folded, and Plays that merely show that something comes about are
    left out. ``diagram`` is the SVG of the game's phases and rules; ``link`` gives the address
    of the page on which a Play is stepped through.
    """
    template = _environment().get_template("report.html")
    return template.render(r=report, paper=paper, diagram=Markup(diagram), link=link)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(__package__),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    style = (files(__package__) / "templates" / "report.css").read_text()
    environment.globals |= {"style": Markup(style)}
    environment.filters |= {"anchor": _anchor, "some": some, "breakable": _breakable}
    return environment


def _breakable(name: str) -> Markup:
    """Return the name of a file as HTML, which may go on in the next line after each _."""
    return Markup("_<wbr>").join(name.split("_"))


def _anchor(name: str) -> str:
    """Return a name as an id that addresses may use."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", name)
