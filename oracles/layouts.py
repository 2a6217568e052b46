"""Layouts: the screens of a script, made to fit it.

A script says how much of what is revealed; a layout says where on the screen that is seen, step
by step: which symbol wears which colour in which square, which section a wheel stops at. Many
layouts fit one script; the seed says which. Each is read back before it is handed out: every
screen has to count for exactly what its step reveals, and to leave what has to stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

import msgspec

from ..errors import BadInput
from ..models.editions import Edition
from ..models.screen import START
from ..models.setting import settle
from ..models.shape import Shape
from . import script as scripts
from .event import Shown
from .moves import reader
from .screens import Flaw, Screens, Stepped, Values
from .script import BrokenScript, Script

__all__ = ["Layouts", "lay_out"]


def lay_out(edition: Edition, script: Script, seed: int = 0) -> Script:
    """Return a script with a screen for its start and for each step that has one.

    The same seed gives the same layout, whatever layout there was before. Raises BadInput for
    a game that has no screens, BrokenScript for a script that the rules contradict.
    """
    scripts.check(script, edition)
    return Layouts(edition).of(script, seed)


class Layouts:
    """Makes layouts of many scripts of an edition, which have to be checked already.

    Raises BadInput for a game that has no screens.
    """

    def __init__(self, edition: Edition) -> None:
        self.game = game = edition.game
        if not game.views:
            raise BadInput(f"{game.id} says nothing of its screens: it has no views")
        self.edition = edition
        self._state = reader([one.name for one in game.state_shape().variables])
        self._reveals = {rule.id: _revealed(game.reveal_shape(rule)) for rule in game.rules}
        self._screens: dict[tuple[str, ...], Screens] = {}

    def of(self, script: Script, seed: int = 0) -> Script:
        """Return a script with a layout in the place of any it had.

        Raises BrokenScript for a layout that does not show what the script says, which would
        be our own fault.
        """
        taste = f"{seed} of {script.target.text}, {script.number}"
        first, *rest = self._screens_of(script).made(self._steps(script), taste)
        moves = zip(script.steps, rest, strict=True)
        laid = msgspec.structs.replace(
            script,
            version=2,
            layout=seed,
            screen=first,
            steps=[msgspec.structs.replace(move, screen=screen) for move, screen in moves],
        )
        for number, flaw in self.flaws(laid):
            raise BrokenScript(f"the screen made for step {number}: {flaw}")
        return laid

    def flaws(self, script: Script) -> Iterator[tuple[int, Flaw]]:
        """Yield what is wrong with the screens of a script, with the step, 0 for the start.

        There is nothing wrong if each screen counts for exactly what its step reveals, and
        keeps what was left.
        """
        shown = [script.screen, *(move.screen for move in script.steps)]
        judged = self._screens_of(script).read_back(self._steps(script), shown)
        for number, flaws in enumerate(judged):
            yield from ((number, flaw) for flaw in flaws)

    def _steps(self, script: Script) -> list[Stepped]:
        """Return each step, the start first, with the state before it as the script has it."""
        states = [self._state(one) for one in (script.start, *(m.shows for m in script.steps))]
        if None in states:
            raise BrokenScript("a state of the script has other fields than the game's")
        before = cast("list[Values]", states)
        steps: list[Stepped] = [(START, before[0], ())]
        for move, state in zip(script.steps, before, strict=False):
            steps.append((move.rule, state, self._reveals[move.rule](move.reveal)))
        return steps

    def _screens_of(self, script: Script) -> Screens:
        key = tuple(script.readings.values())
        if key not in self._screens:
            p, _, _ = settle(self.game.setting, self.edition.parameters, script.readings)
            self._screens[key] = Screens(self.game, p)
        return self._screens[key]


def _revealed(shape: Shape[Any]) -> Callable[[Shown], Values]:
    """Return a function that reads a reveal; what the player chooses is the least it may be."""
    given = reader([one.name for one in shape.variables if not one.choice])

    def read(shown: Shown) -> Values:
        values = iter(given(shown) or ())
        return tuple([one.low or 0 if one.choice else next(values) for one in shape.variables])

    return read
