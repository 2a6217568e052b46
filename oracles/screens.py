"""Screens as files have them: read, made for a Play, and compared with what they have to show.

What a screen is, and what it answers to, is a matter of each game's views. Two things are asked
of every screen: that its step *collects what it shows*, and *keeps what it leaves*. Fields that
a screen leaves out are unknown, and whatever depends on them is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..models.play import Play
from ..models.screen import START, Screen, Seeded, View
from ..models.shape import Shape, Variable, shape_of
from ..models.system import Game, Nothing
from .event import flat, nested

__all__ = ["COLLECTS", "KEEPS", "Flaw", "Screens"]

COLLECTS = "collects-what-it-shows"
KEEPS = "keeps-what-it-leaves"

Shown = dict[str, Any]


@dataclass(frozen=True)
class Flaw:
    """What is wrong with a screen: the field, its value and the right one, in words, and why.

    ``claim`` is what is broken, ``collects-what-it-shows`` or ``keeps-what-it-leaves``, or ""
    for a screen that could not be shown at all.
    """

    claim: str
    field: str
    shown: Any
    expected: Any
    says: str
    clauses: tuple[str, ...] = ()


class Screens:
    """The screens of a game under a setting with every value known."""

    def __init__(self, game: Game, p: Any) -> None:
        self.game = game
        self.p = p
        self._shapes = {view.id: shape_of(view.screen, p) for view in game.views}
        self._reveals = {rule.id: shape_of(rule.reveal, p) for rule in game.rules}

    def shape(self, view: View) -> Shape[Any]:
        """Return the layout of a view's screens."""
        return self._shapes[view.id]

    def of_play(self, play: Play, states: Sequence[Any], seed: int) -> list[Shown | None]:
        """Return a screen for the start of a Play and for each of its steps that has one.

        ``states`` are those of the Play, the start included. The last screen is made first:
        what a step leaves on the screen is what a later one needs there.
        """
        taste = Seeded(f"{self.game.id}, layout {seed}")
        made: list[Shown | None] = []
        following: dict[str, Any] = {}
        steps = [(START, Nothing()), *((step.rule, step.reveal) for step in play.steps)]
        states = [states[0], *states]  # the one before each
        for (rule, reveal), s in zip(
            reversed(steps), reversed(states[: len(steps)]), strict=True
        ):
            view = self.game.view(rule)
            if view is None:
                made.append(None)
                continue
            screen = view.screen.made(
                rule, self.p, s, reveal, following.pop(view.id, None), taste
            )
            if view.screen.continues(rule, self.p, s) is True:
                following[view.id] = screen
            made.append(nested(self.shape(view).scalars(screen)))
        return made[::-1]

    def judged(
        self,
        rule: str,
        s: Any,
        reveal: Mapping[str, Any] | None,
        shown: Shown | None,
        seen: dict[str, Any],
    ) -> list[Flaw]:
        """Return what is wrong with the screen of a step, and note it as the last one seen.

        ``s`` is the state before the step, ``reveal`` what it reveals by scalar, as far as
        that is known. ``seen`` holds the last screen of each view of this Play, {} at first.
        """
        view = self.game.view(rule)
        if view is None:
            return [] if shown is None else [_no_screen(rule)]
        earlier = seen.pop(view.id, None)
        if shown is None:
            return []
        values, flaws = self._read(view, shown)
        screen = self.shape(view).build(lambda one: values.get(one.name, one.term()))
        seen[view.id] = screen
        if view.screen.continues(rule, self.p, s) is not True:
            earlier = None
        flaws += self._needed(rule, s, screen)
        flaws += self._kept(view, rule, s, screen, earlier)
        flaws += self._collected(view, rule, s, screen, reveal or {})
        return flaws

    def _read(self, view: View, shown: Shown) -> tuple[dict[str, Any], list[Flaw]]:
        """Return the values of a screen that are of the right type and within their limits."""
        variables = {one.name: one for one in self.shape(view).variables}
        values: dict[str, Any] = {}
        flaws: list[Flaw] = []
        for name, value in flat(shown):
            variable = variables.get(name)
            if variable is None:
                flaws.append(Flaw("", name, value, None, f"{view.id} has no such field"))
            elif wrong := _misfit(variable, value):
                flaws.append(Flaw("", name, value, None, wrong))
            else:
                values[name] = value
        return values, flaws

    def _needed(self, rule: str, s: Any, screen: Screen) -> Iterator[Flaw]:
        for need in screen.needs(rule, self.p, s):
            if need.holds is False:
                yield Flaw("", need.field, None, None, need.says, need.clauses)

    def _kept(
        self, view: View, rule: str, s: Any, screen: Screen, earlier: Screen | None
    ) -> Iterator[Flaw]:
        if not view.binds:
            return
        shape = self.shape(view)
        right = shape.scalars(screen.kept(rule, self.p, s, earlier))
        for name, value in shape.scalars(screen).items():
            if _differ(value, right[name]):
                says = f"it was left at {right[name]}, and has to stay so"
                yield Flaw(KEEPS, name, value, right[name], says, view.keeps)

    def _collected(
        self, view: View, rule: str, s: Any, screen: Screen, reveal: Mapping[str, Any]
    ) -> Iterator[Flaw]:
        if rule == START:
            return
        shape = self._reveals[rule]
        counted = shape.scalars(screen.counted(rule, self.p, s))
        for variable in shape.variables:
            name = variable.name
            if variable.choice or name not in reveal:
                continue
            if _differ(counted[name], reveal[name]):
                says = f"the screen shows {counted[name]}, the step reveals {reveal[name]}"
                yield Flaw(COLLECTS, name, counted[name], reveal[name], says, view.collects)


def _no_screen(rule: str) -> Flaw:
    return Flaw("", "", None, None, f"a step {rule} has no screen of its own")


def _misfit(variable: Variable, value: Any) -> str:
    """Return in words what a value should have been; "" for one that will do."""
    if type(value) is not (int if variable.sort == "Int" else bool):
        return f"a {'whole number' if variable.sort == 'Int' else 'yes or no'} was expected"
    if variable.holds(value) is not True:
        high = "" if variable.high is None else f" to {variable.high}"
        return f"{variable.low}{high} was expected: {variable.meaning}"
    return ""


def _differ(value: Any, other: Any) -> bool:
    """Return whether two values are known, and not the same."""
    known = isinstance(value, int) and isinstance(other, int)
    return known and value != other
