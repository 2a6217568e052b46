"""State diagrams: which rule may follow which, as SVG.

Rules that come before and after the very same rules share a box: that leaves out nothing, and a
game with many like rules stays readable. Where graphviz is installed its ``dot`` says where
things go; otherwise they stand in layers of one, in playing order as far as there is one.
Either way the drawing is ours, and the same graph is the same picture.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any

import networkx as nx

from ..models.editions import Edition, default_readings
from ..models.setting import settle
from ..models.system import Game, Rule
from ..proofs.paths import END, START, rule_graph

__all__ = ["Box", "boxes_of", "diagram", "has_dot", "rules_of"]

Point = tuple[float, float]
_LETTER, _LINE, _PAD, _GAP = 7.3, 18, 12, 34
_SECONDS = 20


@dataclass(frozen=True)
class Box:
    """Rules (or the start, or the end) with all neighbours in common, and where they act."""

    rules: tuple[str, ...]
    phases: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """What stands in the box."""
        return (*self.rules, self.phases) if self.phases else self.rules

    @property
    def size(self) -> Point:
        """Width and height, in pixels."""
        longest = max(map(len, self.lines))
        return round(longest * _LETTER) + 2 * _PAD, len(self.lines) * _LINE + _PAD


@dataclass(frozen=True)
class _Layout:
    """Where boxes have their centres, and the Bézier points of each arrow (1, and 3 a bend)."""

    size: Point
    places: Mapping[Box, Point]
    routes: Mapping[tuple[Box, Box], tuple[Point, ...]]


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
    laid = _by_dot(boxes) if (has_dot() if by_dot is None else by_dot) else None
    return _drawn(game, boxes, laid or _in_layers(boxes), seen)


# Layouts.


def _in_layers(boxes: nx.DiGraph[Box]) -> _Layout:
    """Stand boxes one under the other: ways on at the left, ways back at the right."""
    parts = nx.condensation(boxes)
    place = {box: number for number, box in enumerate(boxes)}
    order = [
        box
        for part in nx.lexicographical_topological_sort(
            parts, key=lambda one: min(place[box] for box in parts.nodes[one]["members"])
        )
        for box in sorted(parts.nodes[part]["members"], key=place.__getitem__)
    ]
    layer = {box: number for number, box in enumerate(order)}
    tall, places = 0.0, {}
    for box in order:
        places[box] = 0.0, tall + box.size[1] / 2
        tall += box.size[1] + _GAP
    routes = {(a, b): _route(places, a, b, layer[b] - layer[a]) for a, b in boxes.edges}
    return _Layout((0.0, max(tall - _GAP, 0)), places, routes)


def _route(places: Mapping[Box, Point], one: Box, other: Box, down: int) -> tuple[Point, ...]:
    """Return an arrow between two boxes, the other so many layers further down."""
    y, to_y = places[one][1], places[other][1]
    if down == 1:
        start, end = y + one.size[1] / 2, to_y - other.size[1] / 2
        return (0, start), (0, start), (0, end), (0, end)
    side = -1 if down > 1 else 1
    start, end = side * one.size[0] / 2, side * other.size[0] / 2
    if not down:
        return (start, y - 7), (start + 34, y - 22), (start + 34, y + 22), (start, y + 7)
    out = side * (max(abs(start), abs(end)) + 26 * abs(down))
    leaves, comes = y + down, to_y - down  # arrows of one box stay apart
    return (start, leaves), (out, leaves), (out, comes), (end, comes)


def _by_dot(boxes: nx.DiGraph[Box]) -> _Layout | None:
    """Ask graphviz; None where it does not answer as it should."""
    names = {box: f"n{number}" for number, box in enumerate(boxes)}
    lines = [
        "digraph { node [shape=box, fixedsize=true]; edge [arrowhead=none];",
        "ranksep=0.6; nodesep=0.5;",
    ]
    for box, name in names.items():
        wide, tall = box.size
        lines.append(f"{name} [width={wide / 72:.3f}, height={tall / 72:.3f}];")
    lines += [f"{names[one]} -> {names[other]};" for one, other in boxes.edges]
    try:
        done = subprocess.run(
            ["dot", "-Tplain"],
            input="\n".join([*lines, "}"]),
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    by_name = {name: box for box, name in names.items()}
    size: Point = (0, 0)
    places: dict[Box, Point] = {}
    routes: dict[tuple[Box, Box], tuple[Point, ...]] = {}
    for line in done.stdout.splitlines():
        kind, *words = line.split()
        if kind == "graph":
            size = float(words[1]) * 72, float(words[2]) * 72
        elif kind == "node":
            places[by_name[words[0]]] = float(words[1]) * 72, size[1] - float(words[2]) * 72
        elif kind == "edge":
            numbers = [float(one) * 72 for one in words[3 : 3 + 2 * int(words[2])]]
            points = tuple(
                (x, size[1] - y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)
            )
            routes[by_name[words[0]], by_name[words[1]]] = points
    return _Layout(size, places, routes) if len(places) == len(names) else None


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
    laid: _Layout,
    seen: Collection[tuple[str, str]] | None,
) -> str:
    unseen = {
        way: None
        for way in boxes.edges
        if seen is not None and not _between(*way).intersection(seen)
    }
    corners = [point for route in laid.routes.values() for point in route]
    corners += [(0.0, 0.0), laid.size]
    left, top = (min(one[axis] for one in corners) - _PAD for axis in (0, 1))
    wide, tall = (
        max(one[axis] for one in corners) + _PAD - low for axis, low in ((0, left), (1, top))
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
    top = y - (len(box.lines) - 1) * _LINE / 2 + 4.5
    for number, line in enumerate(box.lines):
        kind = ' class="phase"' if number >= len(box.rules) else ""
        shown.append(
            f'<text{kind} x="{_n(x)}" y="{_n(top + number * _LINE)}">{escape(line)}</text>'
        )
    return "".join(shown)


def _n(number: float) -> str:
    """Write a coordinate shortly.

    >>> _n(12.0), _n(0.25), _n(-0.01)
    ('12', '0.2', '0')
    """
    shown = f"{number:.1f}".removesuffix(".0")
    return "0" if shown == "-0" else shown
