"""Variants of a script's steps: what a build must refuse, and what no script has asked it for.

A script says only what may come. That nothing else may come shows when it is asked for: another
rule than the one that is due, or a reveal that is not legal now. And a script holds one value
of what is revealed where others are legal: at the least and the greatest a Play parts from it.
Whether a variant is legal is for the rules to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..errors import BadInput
from ..models.shape import Variable
from .cases import Ask, Case
from .event import flat, nested
from .expected import Expected
from .moves import State
from .ways import choices

__all__ = ["Fork", "Probe", "Variants"]

_POOL = 12  # reveals of a rule, from the scripts, that are tried out of turn
_LOOKS = 8  # illegal steps that are thought of, for one that is tried
_PLACES = 60  # steps of scripts that are looked at for a place where a value is legal

Scalars = Mapping[str, Any]
Option = tuple[str, str, str]
"""The rule that is due; a rule to try instead, or what to change in the reveal, and how."""


@dataclass(frozen=True)
class Probe:
    """A step that the rules do not allow here; ``says`` in words what is wrong with it."""

    rule: str
    reveal: Mapping[str, Any]
    choice: Mapping[str, Any]
    says: str


@dataclass(frozen=True)
class Fork:
    """A script up to a step that is changed in one value; the changed step is the last."""

    case: Case
    asks: tuple[Ask, ...]
    says: str


class _Variant(NamedTuple):
    """A step that may be tried: its rule, what it reveals and chooses, and the choice apart."""

    rule: str
    scalars: Mapping[str, Any]
    choice: Mapping[str, Any]


class Variants:
    """The variants of a suite's scripts, least tried ones first; equal suites, equal ones."""

    def __init__(self, expected: Expected, cases: Sequence[Case]) -> None:
        self._expected = expected
        self._cases = cases
        self._variables = {id_: move.variables for id_, move in expected.moves.items()}
        self._revealed = {
            id_: tuple(one for one in variables if not one.choice)
            for id_, variables in self._variables.items()
        }
        self._seen: dict[tuple[str, str], set[Any]] = {}
        self._pool: dict[str, list[dict[str, Any]]] = {id_: [] for id_ in expected.moves}
        for case in cases:
            for move in case.script.steps:
                self._note(move.rule, dict(flat(move.reveal)))
        self._known_options: dict[str, list[Option]] = {}
        self._limited = {
            id_: [(v.name, v.low, v.high) for v in revealed if v.sort == "Int"]
            for id_, revealed in self._revealed.items()
        }
        self._looked_at: Counter[Option] = Counter()
        self._tried: Counter[tuple[Option, bool]] = Counter()

    def _note(self, rule: str, scalars: dict[str, Any]) -> None:
        for name, value in scalars.items():
            self._seen.setdefault((rule, name), set()).add(value)
        pool = self._pool[rule]
        if len(pool) < _POOL and scalars not in pool:
            pool.append(scalars)

    def _after(self, state: State, rule: str, scalars: Scalars) -> State | None:
        """Return the state after a step; None if the rules do not allow it."""
        move = self._expected.moves[rule]
        return move.step(state, tuple(scalars[one.name] for one in move.variables))

    # What has to be refused

    def probe(self, state: State, due: Ask) -> Probe | None:
        """Return a step that may not come in a state, where ``due`` may; None for none.

        Of some that were looked at least often, the one that was tried least often; rather one
        that could come in another state than one that never can.
        """
        options = sorted(self._options(due.event), key=self._looked_at.__getitem__)[:_LOOKS]
        best: tuple[tuple[int, bool], Option, _Variant] | None = None
        for option in options:
            self._looked_at[option] += 1
            other = self._illegal(state, due, option)
            if other is not None:
                never = not self._within_limits(other)
                key = self._tried[option, never], never
                if best is None or key < best[0]:
                    best = key, option, other
        if best is None:
            return None
        (_, never), option, other = best
        self._tried[option, never] += 1
        return _probe(due, option, other)

    def instead(self, state: State, due: Ask) -> Iterator[Probe]:
        """Yield a step of each other rule, where ``due`` may come and they may not."""
        for rule, pool in self._pool.items():
            option = due.event, rule, ""
            if rule != due.event and pool and (other := self._illegal(state, due, option)):
                yield _probe(due, option, other)

    def _options(self, due: str) -> Sequence[Option]:
        if due not in self._known_options:
            others = [(due, rule, "") for rule, pool in self._pool.items() if pool]
            changes = [
                (due, variable.name, change)
                for variable in self._revealed[due]
                for change in _changed(variable, 0)
            ]
            self._known_options[due] = [*others, *changes]
        return self._known_options[due]

    def _illegal(self, state: State, due: Ask, option: Option) -> _Variant | None:
        """Return a variant of a step, None if that may come."""
        _, name, change = option
        if change:
            value = _changed(self._variable(due.event, name), due.scalars[name])[change]
            other = _Variant(due.event, due.scalars | {name: value}, due.choice)
        elif name == due.event:
            reveal = self._from_pool(option)
            other = _Variant(name, due.scalars | reveal, due.choice)
        else:
            (choice,) = choices(self._variables, (name,), "least")
            other = _Variant(name, self._from_pool(option) | dict(flat(choice)), choice)
        return other if self._after(state, other.rule, other.scalars) is None else None

    def _from_pool(self, option: Option) -> dict[str, Any]:
        pool = self._pool[option[1]]
        return pool[self._looked_at[option] % len(pool)]

    def _variable(self, rule: str, name: str) -> Variable:
        return next(one for one in self._variables[rule] if one.name == name)

    def _within_limits(self, other: _Variant) -> bool:
        return all(
            (low is None or other.scalars[name] >= low)
            and (high is None or other.scalars[name] <= high)
            for name, low, high in self._limited[other.rule]
        )

    # What no script asks for

    def forks(self, among: Collection[Case]) -> Iterator[Fork]:
        """Yield for each value at a limit that no script reveals a Play that comes to it.

        Plays part from scripts ``among`` those there are.
        """
        walks: dict[int, tuple[tuple[Ask, ...], list[State]]] = {}
        for rule, variables in self._revealed.items():
            for variable in variables:
                for value in _limits(variable):
                    if value not in self._seen.get((rule, variable.name), set()):
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
            if self._after(states[at], rule, asks[at].scalars | {name: value}) is not None:
                reveal = dict(flat(asks[at].reveal)) | {name: value}
                changed = Ask(rule, nested(reveal), asks[at].choice)
                says = f"{case.name} with {name} = {value} at step {at + 1}"
                yield Fork(case, (*asks[:at], changed), says)
                return

    def _walk(self, asks: Sequence[Ask]) -> list[State]:
        """Return the state before each step, and the last one, as far as the rules allow."""
        states = [self._expected.start]
        for one in asks:
            after = self._after(states[-1], one.event, one.scalars)
            if after is None:
                break
            states.append(after)
        return states

    def check(self) -> None:
        """Raise BadInput for a script that the rules do not bear out."""
        for case in self._cases:
            states = self._walk(case.asks(self._variables, "least"))
            shown = [case.script.start, *(move.shows for move in case.script.steps)]
            for step, wanted in enumerate(shown):
                if step == len(states):
                    why = "may not come there"
                elif self._expected.shown(states[step]) != wanted:
                    why = "is followed by another state"
                else:
                    continue
                what = f"{case.rules[step - 1]} of step {step}" if step else "the start"
                raise BadInput(
                    f"{case.where(step)}: by the rules, {what} {why}: a build cannot be judged "
                    "by this script; make it anew"
                )


def _probe(due: Ask, option: Option, other: _Variant) -> Probe:
    """Return a variant as it is tried, and said."""
    chosen = dict(flat(other.choice))
    reveal = {name: value for name, value in other.scalars.items() if name not in chosen}
    _, name, change = option
    if change:
        says = f"with {name} = {reveal[name]}"
    elif other.rule == due.event:
        says = "with " + ", ".join(f"{key} = {value}" for key, value in reveal.items())
    else:
        says = f"where {due.event} is due"
    return Probe(other.rule, nested(reveal), other.choice, says)


def _changed(variable: Variable, value: Any) -> dict[str, Any]:
    """Return other values for one that is revealed, by what they are."""
    if variable.sort == "Bool":
        return {"other": not value}
    found = {"less": value - 1, "more": value + 1}
    if variable.low is not None:
        found |= {"least": variable.low, "too little": variable.low - 1}
    if variable.high is not None:
        found |= {"most": variable.high, "too much": variable.high + 1}
    return found


def _limits(variable: Variable) -> tuple[Any, ...]:
    if variable.sort == "Bool":
        return False, True
    return tuple(dict.fromkeys(v for v in (variable.low, variable.high) if v is not None))
