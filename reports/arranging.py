"""Where the boxes and arrows of a state diagram go: by graphviz, or in layers of one."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

import networkx as nx

__all__ = ["LINE", "PAD", "Box", "Layout", "Point", "by_dot", "in_layers"]

Point = tuple[float, float]
LINE, PAD = 18, 12
"""Height of a line of text in a box, and what is left free around it, in pixels."""

_LETTER, _GAP = 7.3, 34
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
        return round(longest * _LETTER) + 2 * PAD, len(self.lines) * LINE + PAD


@dataclass(frozen=True)
class Layout:
    """Where boxes have their centres, and the Bézier points of each arrow (1, and 3 a bend)."""

    size: Point
    places: Mapping[Box, Point]
    routes: Mapping[tuple[Box, Box], tuple[Point, ...]]


def in_layers(boxes: nx.DiGraph[Box]) -> Layout:
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
    return Layout((0.0, max(tall - _GAP, 0)), places, routes)


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


def by_dot(boxes: nx.DiGraph[Box]) -> Layout | None:
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
    return Layout(size, places, routes) if len(places) == len(names) else None
