"""What the engines share while they work on the properties of one game.

The pieces of its text are made once, and a check that was answered is not asked again: two
properties proved with the same lemma share its checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from . import solvers
from .encoding import Encoding
from .slices import Slices
from .solvers import Result, Steps
from .verdict import Answer, Obligation

__all__ = ["Workbench"]


class Workbench:
    """An encoding, its text, and the answers there are. One for each game and setting."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.slices = Slices(encoding)
        self._answers: dict[tuple[str, str], Result] = {}

    @cached_property
    def system(self) -> str:
        """The whole system as one text."""
        return self.encoding.system()

    @cached_property
    def pieces(self) -> str:
        """The whole system as one text of small definitions."""
        return self.slices.system()

    def check(
        self, obligations: Sequence[Obligation], solver: str, steps: Steps
    ) -> tuple[Answer, ...]:
        """Ask a solver each obligation from its text, up to the first that is not ``unsat``.

        An answer that was had before takes no time.
        """
        answers: list[Answer] = []
        for obligation in obligations:
            key = (solver, obligation.text)
            known = self._answers.get(key)
            result = known or solvers.run(solver, obligation.text, steps=steps)
            if result.answer != "unknown":
                self._answers[key] = result
            seconds = 0.0 if known else result.seconds
            answers.append(
                Answer(obligation.name, solver, result.answer, seconds, result.reason)
            )
            if result.answer != "unsat":
                break
        return tuple(answers)
