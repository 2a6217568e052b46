"""The plot of an audit: how many winners each row may have, as SVG.

The same audit gives the same bytes: no date, no random ids, and text that stays text.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from ...proofs.audit.audit import Audit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot"]

_INK, _SOFT, _DARK, _MARK = "#1d2733", "#a9bccd", "#1f5f8b", "#a3420b"
_FIXED: dict[Any, Any] = {
    "svg.hashsalt": "playproof",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.edgecolor": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
}
# A row is shown by a line of its own up to so many.
_MOST = 400


def plot(found: Audit) -> str:
    """Return the plot of a table that its figures leave possible; "" where there is no such."""
    if not found.counts or not found.own or len(found.counts) > _MOST:
        return ""
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.use("svg")
    with matplotlib.rc_context(_FIXED):
        figure = Figure(figsize=(7.6, 4.8))
        figure.subplots_adjust(left=0.13, right=0.99, top=0.98, bottom=0.1, hspace=0.12)
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
        _winners(above, found)
        _slack(below, found)
        made = io.StringIO()
        figure.savefig(made, format="svg", metadata={"Date": None, "Creator": None})
    text = made.getvalue()
    return text[text.index("<svg") :].rstrip() + "\n"


def _winners(axes: Axes, found: Audit) -> None:
    """Draw, row by row, the least number of winners that gives every figure."""
    numbers = [row.number for row in found.table.rows]
    axes.vlines(numbers, 0.5, [max(count, 0.5) for count in found.counts], color=_SOFT)
    axes.plot(numbers, found.counts, ".", color=_DARK, markersize=5)
    axes.set_yscale("log")
    axes.set_ylim(bottom=0.5)
    _plain(axes.yaxis)
    axes.set_ylabel(f"winners in {found.pools[0]:,} Plays")


def _slack(axes: Axes, found: Audit) -> None:
    """Draw how many winners the rounding of printed odds leaves open: alone, and in all."""
    numbers = [row.number for row in found.table.rows]
    alone = [high - low for low, high in found.own]
    axes.bar(numbers, [max(n, 0.5) for n in alone], color=_SOFT, label="by its own odds")
    if found.ranges:
        together = [high - low for low, high in found.ranges]
        label = "with both headlines"
        axes.bar(numbers, [max(n, 0.5) for n in together], color=_DARK, width=0.4, label=label)
    axes.set_yscale("log")
    axes.set_ylim(bottom=0.5)
    _plain(axes.yaxis)
    if found.binding is not None:
        n = found.binding.number
        axes.annotate(
            f"row {n} binds",
            (n, alone[numbers.index(n)]),
            xytext=(12, -4),
            textcoords="offset points",
            color=_MARK,
        )
    axes.set_xlim(0, max(numbers) + 1)
    axes.set_ylabel("winners left open")
    axes.set_xlabel("row of the prize table")
    axes.legend(frameon=False, loc="upper right")


def _plain(axis: Any) -> None:
    """Write numbers out, with separators."""
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
