"""State diagrams: which rule may follow which, as SVG.

Rules that come before and after the very same rules share a box: that leaves out nothing, and a
game with many like rules stays readable. Where graphviz is installed its ``dot`` says where
things go; otherwise they stand in layers of one, in playing order as far as there is one.
Either way the drawing is ours, and the same graph is the same picture.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator, Mapping
from html import escape
from itertools import pairwise
from typing import Any

import networkx as nx

from ..models.editions import Edition, default_readings
from ..models.setting import settle
from ..models.system import Game, Rule
from ..proofs.paths import END, START, rule_graph
from . import arranging
from .arranging import LINE, PAD, Box, Layout, Point

__all__ = ["Box", "boxes_of", "diagram", "has_dot", "rules_of"]


def rules_of(edition: Edition, readings: Mapping[str, str] | None = None) -> nx.DiGraph[str]:
    """Return the graph of which rule may follow which; only what is impossible is left out."""
    setting = edition.game.setting
    p, _, _ = settle(setting, edition.parameters, default_readings(setting, readings))
    return rule_graph(edition.game, p)


def boxes_of(game: Game, graph: nx.DiGraph[str]) -> nx.DiGraph[Box]:
    """Return the graph of boxes: an arrow stands for one between each two of their rules."""
    alike: dict[Any, list[str]] = {}
    for rule in graph:
        key = (
            rule
            if rule in (START, END)
            else (frozenset(graph.pred[rule]), frozenset(graph[rule]))
        )
        alike.setdefault((key, _phases(game, rule)), []).append(rule)
    box = {rule: Box(tuple(rules), key[1]) for key, rules in alike.items() for rule in rules}
    boxes: nx.DiGraph[Box] = nx.DiGraph()
    boxes.add_nodes_from(dict.fromkeys(box.values()))
    boxes.add_edges_from((box[one], box[other]) for one, other in graph.edges)
    return boxes


def _phases(game: Game, id_: str) -> str:
    """Return in which phases a rule may be taken and to which it leads; "" if not known."""
    phases = game.drawing.phases if game.drawing else None
    if phases is None or id_ in (START, END):
        return ""
    rule = game.rule(id_)
    leads = dict(_led(game, rule, phases.field, len(phases.names)))
    if not leads:
        return ""
    before = ", ".join(phases.names[n] for n in leads)
    after = ", ".join(dict.fromkeys(phases.names[n] for n in leads.values() if n is not None))
    return before if before == after or not after else f"{before} → {after}"


def _led(game: Game, rule: Rule, field: str, phases: int) -> Iterator[tuple[int, int | None]]:
    """Yield each phase in which a rule may fire, with the one it leads to; None for several."""
    setting, _, _ = settle(game.setting)
    reveal = game.reveal_shape(rule).terms("@r")
    for phase in range(phases):
        state = _in_phase(game, field, phase)
        if rule.guard(setting, state, reveal) is not False:
            after = getattr(rule.effect(setting, state, reveal), field)
            yield phase, after if isinstance(after, int) else None


def _in_phase(game: Game, field: str, phase: int) -> Any:
    return game.state_shape().build(lambda v: phase if v.name == field else v.term())


def has_dot() -> bool:
    """Return whether graphviz's ``dot`` is installed."""
    return shutil.which("dot") is not None


def diagram(
    game: Game,
    graph: nx.DiGraph[str],
    *,
    seen: Collection[tuple[str, str]] | None = None,
    by_dot: bool | None = None,
) -> str:
    """Return the state diagram of a game as SVG, from the graph of its rules.

    ``seen`` are pairs of rules of which one follows the other in a Play: an arrow for none of
    them is dashed. ``by_dot`` says whether graphviz lays it out; None: where it is installed.
    Without it the same game is the same bytes everywhere.
    """
    boxes = boxes_of(game, graph)
    laid = arranging.by_dot(boxes) if (has_dot() if by_dot is None else by_dot) else None
    return _drawn(game, boxes, laid or arranging.in_layers(boxes), seen)


# The drawing.

_STYLE = (
    ".rules text{font:13px system-ui,sans-serif;text-anchor:middle;fill:#1c2530}"
    ".rules .rule{fill:#fff;stroke:#234f8a;stroke-width:1.5}.rules .rule.end{fill:#e9f0fa}"
    ".rules text.phase{font-size:11px;fill:#56606e}.rules .tip{fill:#56606e}"
    ".rules .way{fill:none;stroke:#56606e;stroke-width:1.3}"
    ".rules .unseen .way{stroke-dasharray:4 4}.rules .unseen .tip{fill:none;stroke:#56606e}"
)


def _drawn(
    game: Game,
    boxes: nx.DiGraph[Box],
    laid: Layout,
    seen: Collection[tuple[str, str]] | None,
) -> str:
    unseen = {
        way: None
        for way in boxes.edges
        if seen is not None and not _between(*way).intersection(seen)
    }
    corners = [point for route in laid.routes.values() for point in route]
    corners += [(0.0, 0.0), laid.size]
    left, top = (min(one[axis] for one in corners) - PAD for axis in (0, 1))
    wide, tall = (
        max(one[axis] for one in corners) + PAD - low for axis, low in ((0, left), (1, top))
    )
    ways = [
        f"{_named(one)} → {', '.join(map(_named, boxes[one]))}" for one in boxes if boxes[one]
    ]
    ways += [f"in no Play here: {_named(one)} → {_named(other)}" for one, other in unseen]
    id_ = f"rules-{escape(game.id)}"
    title = f"{game.title}: which rule may follow which"
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_n(left)} {_n(top)} {_n(wide)} '
            f'{_n(tall)}" width="{_n(wide)}" height="{_n(tall)}" role="img" '
            f'class="rules" aria-labelledby="{id_}-title {id_}-desc">',
            f'<title id="{id_}-title">{escape(title)}</title>',
            f'<desc id="{id_}-desc">{escape("; ".join(ways))}</desc>',
            f"<style>{_STYLE}</style>",
            *(
                _arrow(one, other, laid.routes[one, other], unseen=(one, other) in unseen)
                for one, other in boxes.edges
            ),
            *(_box(box, laid.places[box]) for box in boxes),
            "</svg>\n",
        )
    )


def _named(box: Box) -> str:
    return ", ".join(box.rules)


def _between(one: Box, other: Box) -> set[tuple[str, str]]:
    return {(a, b) for a in one.rules for b in other.rules}


def _arrow(one: Box, other: Box, route: tuple[Point, ...], *, unseen: bool) -> str:
    """Return an arrow, with its tip where it ends."""
    first, *bends = route
    path = f"M{_n(first[0])} {_n(first[1])}C" + " ".join(f"{_n(x)} {_n(y)}" for x, y in bends)
    (end_x, end_y) = route[-1]
    before = next((a for a, b in reversed([*pairwise(route)]) if a != route[-1]), first)
    along = (end_x - before[0], end_y - before[1])
    length = (along[0] ** 2 + along[1] ** 2) ** 0.5 or 1
    x, y = along[0] / length, along[1] / length
    tip = " ".join(
        f"{_n(end_x - back * x + side * y)},{_n(end_y - back * y - side * x)}"
        for back, side in ((0, 0), (8, 4), (8, -4))
    )
    between = escape(f"{_named(one)} → {_named(other)}")
    drawn = ' class="unseen"' if unseen else ""
    return (
        f'<g data-way="{between}"{drawn}><path class="way" d="{path}"/>'
        f'<polygon class="tip" points="{tip}"/></g>'
    )


def _box(box: Box, place: Point) -> str:
    (x, y), (wide, tall) = place, box.size
    ends = " end" if box.rules[0] in (START, END) else ""
    round_ = tall / 2 if ends else 8
    shown = [
        f'<rect class="rule{ends}" x="{_n(x - wide / 2)}" y="{_n(y - tall / 2)}" '
        f'width="{_n(wide)}" height="{_n(tall)}" rx="{_n(round_)}"/>'
    ]
    top = y - (len(box.lines) - 1) * LINE / 2 + 4.5
    for number, line in enumerate(box.lines):
        kind = ' class="phase"' if number >= len(box.rules) else ""
        shown.append(
            f'<text{kind} x="{_n(x)}" y="{_n(top + number * LINE)}">{escape(line)}</text>'
        )
    return "".join(shown)


def _n(number: float) -> str:
    """Write a coordinate shortly.

    >>> _n(12.0), _n(0.25), _n(-0.01)
    ('12', '0.2', '0')
    """
    shown = f"{number:.1f}".removesuffix(".0")
    return "0" if shown == "-0" else shown
