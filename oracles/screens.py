"""Screens as files have them: read, made for a Play, and compared with what they have to show.

What a screen is, and what it answers to, is a matter of each game's views. Two things are asked
of every screen: that its step *collects what it shows*, and *keeps what it leaves*. Fields that
a screen leaves out are unknown, and whatever depends on them is not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..models.algebra import Bool, all_of, equal, implies
from ..models.screen import START, Screen, Seeded, View
from ..models.shape import Shape, Variable, shape_of
from ..models.system import Game, Nothing
from .event import flat, nested
from .moves import reader
from .straight import straight

__all__ = ["COLLECTS", "KEEPS", "Flaw", "Screens", "Seen", "Stepped"]

COLLECTS = "collects-what-it-shows"
KEEPS = "keeps-what-it-leaves"

Shown = dict[str, Any]
Values = tuple[Any, ...]
Stepped = tuple[str, Values, Values]
"""A step: its rule (START for the start of a Play), the state before it, what it reveals."""

Seen = dict[str, Values]
"""The last screen of each view in a Play: its values in order, None where unknown."""

_OFTEN = 16  # as many screens of a step are judged one by one before they are judged quickly


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

    def __str__(self) -> str:
        """Return the flaw in words: what is wrong, and which claim that breaks."""
        where = f"{self.field}: " if self.field else ""
        return f"{where}{self.says}" + (f" ({self.claim})" if self.claim else "")


class Screens:
    """The screens of a game under a setting with every value known."""

    def __init__(self, game: Game, p: Any) -> None:
        self.game = game
        self.p = p
        self._state = game.state_shape()
        self._shapes = {view.id: shape_of(view.screen, p) for view in game.views}
        self._reveals = {rule.id: shape_of(rule.reveal, p) for rule in game.rules}
        self._reveals[START] = shape_of(Nothing, p)
        self._times: dict[tuple[str, bool], int] = {}
        self._quick: dict[tuple[str, bool], Callable[..., Any]] = {}

    def made(self, steps: Sequence[Stepped], seed: str) -> list[Shown | None]:
        """Return a screen for each step of a Play that has one, as files have it.

        The last screen is made first: what a step leaves on the screen is what a later one
        needs there.
        """
        taste = Seeded(f"{self.game.id}, layout {seed}")
        made: list[Shown | None] = []
        following: dict[str, Any] = {}
        for rule, state, revealed in reversed(steps):
            view = self.game.view(rule)
            if view is None:
                made.append(None)
                continue
            s, reveal = _of(self._state, state), _of(self._reveals[rule], revealed)
            next_ = following.pop(view.id, None)
            screen = view.screen.made(rule, self.p, s, reveal, next_, taste)
            if view.screen.continues(rule, self.p, s) is True:
                following[view.id] = screen
            made.append(nested(self._shapes[view.id].scalars(screen)))
        return made[::-1]

    def picture(self, rule: str, shown: Shown | None) -> Sequence[str]:
        """Return lines that picture the whole screen of a step, none where it has none."""
        view = self.game.view(rule)
        if view is None or shown is None:
            return ()
        values, _ = self._read(view, shown)
        screen: Screen = _of(self._shapes[view.id], values)
        return () if None in values else screen.picture(self.p)

    def read_back(
        self, steps: Sequence[Stepped], shown: Sequence[Shown | None]
    ) -> Iterator[list[Flaw]]:
        """Yield what is wrong with the screen of each step of a Play.

        Here a screen that is missing is wrong too, and so is one that leaves anything out.
        """
        seen: Seen = {}
        for (rule, state, revealed), screen in zip(steps, shown, strict=True):
            flaws = self.judged(rule, state, revealed, screen, seen)
            view = self.game.view(rule)
            if view is not None and None in seen.get(view.id, (None,)):
                flaws.append(Flaw("", "", None, None, f"the screen {view.id} is not all there"))
            yield flaws

    def judged(
        self, rule: str, state: Values, reveal: Values, shown: Shown | None, seen: Seen
    ) -> list[Flaw]:
        """Return what is wrong with the screen of a step, and note it as the last one seen.

        ``rule`` is the step's, or START; ``state`` is the state before it, ``reveal`` what it
        reveals, by scalar in the order of their layouts, each None where it is not known.
        ``seen`` is {} as a Play starts. A step without a screen may have had any.
        """
        view = self.game.view(rule)
        if view is None:
            says = f"a step {rule} has no screen of its own"
            return [] if shown is None else [Flaw("", "", None, None, says)]
        earlier = seen.pop(view.id, None)
        if shown is None:
            return []
        quick = self._often(view, rule, earlier is not None)
        if quick and (values := quick(shown, state, earlier, reveal)):
            seen[view.id] = values
            return []
        seen[view.id], flaws = self._read(view, shown)
        return [*flaws, *self._flaws(view, rule, state, reveal, seen[view.id], earlier)]

    def _read(self, view: View, shown: Shown) -> tuple[Values, list[Flaw]]:
        """Return the values of a screen that are of the right type and within their limits."""
        variables = self._shapes[view.id].variables
        given = dict(flat(shown))
        flaws: list[Flaw] = []
        values: list[Any] = []
        for variable in variables:
            value = given.pop(variable.name, None)
            if value is not None and (wrong := _misfit(variable, value)):
                flaws.append(Flaw("", variable.name, value, None, wrong))
                value = None
            values.append(value)
        for name, value in given.items():
            flaws.append(Flaw("", name, value, None, f"{view.id} has no such field"))
        return tuple(values), flaws

    def _flaws(
        self,
        view: View,
        rule: str,
        state: Values,
        reveal: Values,
        values: Values,
        earlier: Values | None,
    ) -> Iterator[Flaw]:
        shape, p = self._shapes[view.id], self.p
        s, screen = _filled(self._state, state), _filled(shape, values)
        for need in screen.needs(rule, p, s):
            if need.holds is False:
                yield Flaw("", need.field, None, None, need.says, need.clauses)
        before = None
        if earlier is not None and view.screen.continues(rule, p, s) is True:
            before = _filled(shape, earlier)
        if view.binds:
            right = shape.scalars(screen.kept(rule, p, s, before))
            for name, value in shape.scalars(screen).items():
                if _differ(value, right[name]):
                    says = f"{value} is shown, where {right[name]} has to stay"
                    yield Flaw(KEEPS, name, value, right[name], says, view.keeps)
        reveals = self._reveals[rule]
        counted = reveals.scalars(screen.counted(rule, p, s))
        told = reveals.scalars(screen.told(p, _filled(reveals, reveal)))
        for variable in reveals.variables:
            count, revealed = counted[variable.name], told[variable.name]
            if not variable.choice and _differ(count, revealed):
                says = f"the screen shows {count}, the step reveals {revealed}"
                yield Flaw(COLLECTS, variable.name, count, revealed, says, view.collects)

    def _often(
        self, view: View, rule: str, follows: bool
    ) -> Callable[..., Values | None] | None:
        """Return a quick judge of screens of a step that comes often, None for any other.

        From a screen as files have it, the state, the earlier screen and the reveal it makes
        the values of the screen, or None where anything is wrong or is not known.
        """
        key = rule, follows
        self._times[key] = self._times.get(key, 0) + 1
        if self._times[key] > _OFTEN and key not in self._quick:
            self._quick[key] = self._judge_of(view, rule, follows)
        return self._quick.get(key)

    def _judge_of(self, view: View, rule: str, follows: bool) -> Callable[..., Values | None]:
        variables = self._shapes[view.id].variables
        read = reader([one.name for one in variables])
        types = tuple(int if one.sort == "Int" else bool for one in variables)
        right = self._compiled(view, rule, follows)

        def judge(
            shown: Shown, state: Values, earlier: Values | None, reveal: Values
        ) -> Values | None:
            try:
                values = read(shown)
            except (KeyError, TypeError):
                return None
            if values is None or tuple(map(type, values)) != types:
                return None
            if None in state or None in reveal or (earlier and None in earlier):
                return None
            return values if right(values, state, earlier, reveal)[0] else None

        return judge

    def _compiled(self, view: View, rule: str, follows: bool) -> Callable[..., Any]:
        """Return whether a screen is right, of the values of all that it depends on."""
        shape, p = self._shapes[view.id], self.p
        layouts = [(shape, "@now"), (self._state, "@s"), (shape, "@was")]
        layouts.append((self._reveals[rule], "@r"))
        screen, s, earlier, reveal = (layout.terms(mark) for layout, mark in layouts)
        right: list[Bool] = [shape.within_limits(screen)]
        right += [need.holds for need in screen.needs(rule, p, s)]
        right.append(_same(shape, screen, screen.kept(rule, p, s, None)))
        if follows:
            kept = _same(shape, screen, screen.kept(rule, p, s, earlier))
            right.append(implies(view.screen.continues(rule, p, s), kept))
        counted = screen.counted(rule, p, s)
        right.append(_same(self._reveals[rule], screen.told(p, reveal), counted))
        names = [[one.name + mark for one in layout.variables] for layout, mark in layouts]
        return straight(names, [all_of(right)])


def _of(shape: Shape[Any], values: Values) -> Any:
    """Return what these values, all known, are of."""
    following = iter(values)
    return shape.build(lambda _: next(following))


def _filled(shape: Shape[Any], values: Values) -> Any:
    """Return what these values are of, with an unknown for each that is None."""
    named = {one.name: value for one, value in zip(shape.variables, values, strict=True)}
    return shape.build(lambda one: one.term() if named[one.name] is None else named[one.name])


def _same(shape: Shape[Any], one: Any, other: Any) -> Bool:
    """Return whether two are the same, the player's choices apart."""
    ours, theirs = shape.scalars(one), shape.scalars(other)
    return all_of(equal(ours[v.name], theirs[v.name]) for v in shape.variables if not v.choice)


def _misfit(variable: Variable, value: Any) -> str:
    """Return in words what a value should have been; "" for one that will do."""
    if type(value) is not (int if variable.sort == "Int" else bool):
        return f"a {'whole number' if variable.sort == 'Int' else 'yes or no'} was expected"
    if variable.holds(value) is not True:
        least = f"at least {variable.low}"
        limit = least if variable.high is None else f"{variable.low} to {variable.high}"
        return f"{limit} was expected: {variable.meaning}"
    return ""


def _differ(value: Any, other: Any) -> bool:
    """Return whether two values are known, and not the same."""
    known = isinstance(value, int) and isinstance(other, int)
    return known and value != other
