"""What the engines share while they work on the properties of one game.

The pieces of its text are made once, and a check that was answered is not asked again: two
properties proved with the same lemma share its checks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from hashlib import sha256

from . import solvers
from .encoding import Encoding
from .slices import Slices
from .solvers import Result, Steps
from .verdict import Answer, Obligation

__all__ = ["Answers", "Workbench"]

# By solver, SHA-256 of the text, and, where the solver gave up, the steps it was allowed.
Answers = dict[tuple[str, str, Steps | None], Result]

QUICK = Steps(z3=3_000_000, cvc5=200_000)


class Workbench:
    """An encoding, its text, and the answers there are. One for each game and setting."""

    def __init__(self, encoding: Encoding, answers: Answers | None = None) -> None:
        """Set up for one encoding; ``answers`` may be shared, also with other encodings."""
        self.encoding = encoding
        self.slices = Slices(encoding)
        self._parts: dict[str, Callable[[], tuple[Obligation, ...]]] = {}
        self.answers: Answers = {} if answers is None else answers

    @cached_property
    def system(self) -> str:
        """The whole system as one text."""
        return self.encoding.system()

    @cached_property
    def pieces(self) -> str:
        """The whole system as one text of small definitions."""
        return self.slices.system()

    def offer(
        self, obligation: Obligation, parts: Callable[[], tuple[Obligation, ...]]
    ) -> Obligation:
        """Note how a check can be taken apart, should a solver find it hard; return it."""
        self._parts.setdefault(obligation.text, parts)
        return obligation

    def check(
        self, obligations: Sequence[Obligation], solver: str, steps: Steps
    ) -> tuple[tuple[Obligation, ...], tuple[Answer, ...]]:
        """Ask a solver each obligation from its text, up to the first that is not ``unsat``.

        One that is not answered within ``QUICK`` steps is taken apart, where it has parts: they
        replace it in what is returned. An answer that was had before takes no time.
        """
        asked: list[Obligation] = []
        answers: list[Answer] = []
        waiting = list(obligations)
        while waiting:
            one = waiting.pop(0)
            divide = self._parts.get(one.text)
            answer = self._answer(one, solver, _least(QUICK, steps) if divide else steps)
            if answer.answer == "unknown" and divide:
                if parts := divide():
                    waiting = [*parts, *waiting]
                    continue
                answer = self._answer(one, solver, steps)
            asked.append(one)
            answers.append(answer)
            if answer.answer != "unsat":
                asked += waiting
                break
        return tuple(asked), tuple(answers)

    def remember(self, kind: str, text: str, steps: Steps, ask: Callable[[], Result]) -> Result:
        """Return what was found out of a text, of a kind of its own; ask only once."""
        key = (kind, sha256(text.encode()).hexdigest(), steps)
        if key not in self.answers:
            self.answers[key] = ask()
        return self.answers[key]

    def _answer(self, obligation: Obligation, solver: str, steps: Steps) -> Answer:
        digest = sha256(obligation.text.encode()).hexdigest()
        decided, gave_up = (solver, digest, None), (solver, digest, steps)
        known = self.answers.get(decided) or self.answers.get(gave_up)
        result = known or solvers.run(solver, obligation.text, steps=steps)
        if result.answer != "unknown":
            self.answers[decided] = result
        elif steps.seconds is None:  # so many steps will not do next time either
            self.answers[gave_up] = result
        seconds = 0.0 if known else result.seconds
        return Answer(obligation.name, solver, result.answer, seconds, result.reason)


def _least(quick: Steps, steps: Steps) -> Steps:
    z3, cvc5 = min(quick.z3, steps.z3), min(quick.cvc5, steps.cvc5)
    return Steps(z3, cvc5, steps.seconds)
