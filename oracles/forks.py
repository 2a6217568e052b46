"""What no script of a suite reveals: values at a limit, and a Play that comes to each.

A script holds one value of what is revealed where others are legal: at the least and the
greatest a Play parts from it. Whether it may is for the rules to say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput
from ..models.shape import Variable
from .cases import Ask, Case
from .event import Shown, flat, nested
from .expected import Expected
from .moves import State, reader

__all__ = ["Fork", "Forks"]

_PLACES = 60  # steps of scripts that are looked at for a place where a value is legal


@dataclass(frozen=True)
class Fork:
    """A script up to a step that is changed in one value; the changed step is the last."""

    case: Case
    asks: tuple[Ask, ...]
    says: str


class Forks:
    """What the scripts of a suite leave out; equal suites, equal ones."""

    def __init__(self, expected: Expected, cases: Sequence[Case]) -> None:
        self._expected = expected
        self._cases = cases
        self._variables = {id_: move.variables for id_, move in expected.moves.items()}
        self._known: Mapping[str, Sequence[Variable]] = defaultdict(tuple, self._variables)

    def forks(self, among: Collection[Case]) -> Iterator[Fork]:
        """Yield for each value at a limit that no script reveals a Play that comes to it.

        Plays part from scripts ``among`` those there are.
        """
        walks: dict[int, tuple[tuple[Ask, ...], list[State]]] = {}
        revealed = self._revealed()
        for rule, variables in self._variables.items():
            for variable in variables:
                known = revealed.get((rule, variable.name), ())
                for value in () if variable.choice else _limits(variable):
                    if value not in known:
                        yield from self._fork(among, rule, variable.name, value, walks)

    def _fork(
        self,
        among: Collection[Case],
        rule: str,
        name: str,
        value: Any,
        walks: dict[int, tuple[tuple[Ask, ...], list[State]]],
    ) -> Iterator[Fork]:
        places = (
            (case, at) for case in among for at, found in enumerate(case.rules) if found == rule
        )
        for (case, at), _ in zip(places, range(_PLACES), strict=False):
            if case.seed not in walks:
                asks = case.asks(self._variables, "least")
                walks[case.seed] = asks, self._walk(asks)
            asks, states = walks[case.seed]
            scalars = asks[at].scalars | {name: value}
            if self._after(states[at], rule, scalars) is not None:
                reveal = dict(flat(asks[at].reveal)) | {name: value}
                changed = Ask(rule, nested(reveal), asks[at].choice)
                says = f"{case.name} with {name} = {value} at step {at + 1}"
                yield Fork(case, (*asks[:at], changed), says)
                return

    def _walk(self, asks: Sequence[Ask]) -> list[State]:
        """Return the state before each step, and the last one, as far as the rules allow."""
        states = [self._expected.start]
        for one in asks:
            move = self._expected.moves.get(one.event)
            values = None if move is None else move.read(one.reveal, one.choice)
            after = None if move is None or values is None else move.step(states[-1], values)
            if after is None:
                break
            states.append(after)
        return states

    def check(self) -> None:
        """Raise BadInput for a script that the rules do not bear out."""
        for case in self._cases:
            shown = [case.script.start, *(move.shows for move in case.script.steps)]
            states = self._walk(case.asks(self._known, "least"))
            if len(states) == len(shown) and all(map(self._expected.is_all, shown, states)):
                continue
            self._check_steps(case)
            for step, wanted in enumerate(shown):
                if step == len(states):
                    why = "may not come there"
                elif not self._expected.is_all(wanted, states[step]):
                    why = "is followed by another state"
                else:
                    continue
                what = f"{case.rules[step - 1]} of step {step}" if step else "the start"
                raise BadInput(
                    f"{case.where(step)}: by the rules, {what} {why}: a build cannot be judged "
                    "by this script; make it anew"
                )

    def _check_steps(self, case: Case) -> None:
        """Raise BadInput for a step of no rule, or one that reveals something else."""
        for step, move in enumerate(case.script.steps, start=1):
            variables = self._variables.get(move.rule)
            if variables is None:
                raise BadInput(
                    f"{case.where(step)}: step {step}: no rule {move.rule!r}; there are: "
                    f"{', '.join(self._variables)}"
                )
            wanted = {one.name for one in variables if not one.choice}
            given = {name for name, _ in flat(move.reveal)}
            if wanted != given:
                raise BadInput(
                    f"{case.where(step)}: step {step}: {move.rule} reveals "
                    f"{', '.join(sorted(wanted)) or 'nothing'}, not "
                    f"{', '.join(sorted(given)) or 'nothing'}"
                )

    def _revealed(self) -> Mapping[tuple[str, str], Collection[Any]]:
        """Return the values that scripts reveal, by rule and scalar."""
        reveals: dict[str, list[Shown]] = {}
        for script in {id(case.script): case.script for case in self._cases}.values():
            for move in script.steps:
                reveals.setdefault(move.rule, []).append(move.reveal)
        seen: dict[tuple[str, str], set[Any]] = {}
        for rule, found in reveals.items():
            names = [one.name for one in self._variables[rule] if not one.choice]
            read = reader(names)
            given = [values for values in map(read, found) if values is not None]
            for name, values in zip(names, zip(*given, strict=True), strict=True):
                seen[rule, name] = set(values)
        return seen

    def _after(self, state: State, rule: str, scalars: Mapping[str, Any]) -> State | None:
        """Return the state after a step; None if the rules do not allow it."""
        move = self._expected.moves[rule]
        return move.step(state, tuple([scalars[one.name] for one in move.variables]))


def _limits(variable: Variable) -> tuple[Any, ...]:
    if variable.sort == "Bool":
        return False, True
    return tuple(dict.fromkeys(v for v in (variable.low, variable.high) if v is not None))
