"""Layouts of the Plays of a run: what the screen looks like at the start and at each event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from ...errors import BadInput
from ...models.editions import Edition
from ...models.screen import START
from ..expected import Expected
from ..kernels.layout import Layout
from ..moves import least
from ..screens import Screens, Stepped
from .dealer import Dealt

__all__ = ["Scenes"]


class Scenes:
    """Makes layouts; each is read back, and shows exactly what is revealed.

    Raises BadInput for a game that has no screens.
    """

    def __init__(self, edition: Edition, readings: Mapping[str, str], seed: int) -> None:
        if not edition.game.views:
            raise BadInput(f"{edition.game.id} says nothing of its screens: it has no views")
        self._expected = Expected(edition, readings)
        self._screens = Screens(edition.game, self._expected.p)
        self._seed = seed

    def of(self, layout: Layout, dealt: Dealt, first: int) -> list[str]:
        """Return the screens of each Play as JSON; ``first`` is the number of the first one."""
        found = []
        events, reveals = dealt.events.tobytes(), dealt.reveals.tobytes()
        event = reveal = 0
        for number, (end, until) in enumerate(
            zip(dealt.event_ends, dealt.reveal_ends, strict=True), start=first
        ):
            steps = self._steps(layout, events[event:end], reveals[reveal:until])
            event, reveal = end, until
            screens = self._screens.made(steps, f"{self._seed} of Play {number}")
            for flaws in self._screens.read_back(steps, screens):
                for flaw in flaws:
                    raise RuntimeError(f"the layout made for Play {number}: {flaw}")
            found.append(msgspec.json.encode(screens).decode())
        return found

    def _steps(self, layout: Layout, events: bytes, reveals: bytes) -> list[Stepped]:
        expected = self._expected
        state: Any = expected.start
        steps: list[Stepped] = [(START, state, ())]
        at = 0
        for rule in events:
            move = expected.moves[layout.rules[rule]]
            record = layout.reveals[move.id]
            given = iter(record.unpack(reveals, at))
            at += record.size
            values = tuple(least(v) if v.choice else next(given) for v in move.variables)
            steps.append((move.id, state, values))
            state = move.step(state, values)
        return steps
