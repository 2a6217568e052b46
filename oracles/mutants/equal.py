"""Mutants that change nothing a player can see: found by one question, kept with a certificate.

A mutant is equal where no state that the claims allow, and nothing that may be revealed in it,
legal or not, makes it do other than the rule:

    claims(x)  ⇒  ¬ differs(x, r)          for every x, and every r without limits

Both start alike; if they were alike so far they are after the next step, whatever it is: what
is shown never differs (the invariant of both side by side is that their states are equal). The
claims are invariants of the game, proved of the unchanged rules in the same certificate.

For the certificate the game is given one rule more, which asks whatever may be revealed and
changes nothing; that it never asks what tells a mutant apart is a claim of each such step. So
the proof is one like every other, and ``recheck`` takes it as it is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ...models.algebra import Bool, Value, all_of, any_of, negate, variables_of
from ...models.algebra import equal as same_value
from ...models.system import Game, Kind, Point, Property, Reveal, Rule, Step
from ...proofs.confirm import confirm, confirmed, objection
from ...proofs.encoding import Encoding, encode
from ...proofs.evaluate import Evaluation, values_at
from ...proofs.induction import attempt_all
from ...proofs.solvers import Steps
from ...proofs.verdict import Outcome, Verdict
from ...proofs.workbench import Answers, Workbench
from ..ground import Ground
from ..learnt import Learnt
from ..onestep import Asking
from .columns import Columns
from .making import Mutant, Mutants
from .narrow import narrowed
from .search import differs

__all__ = ["Equal", "Equals", "asked_without_limits"]

_STEPS = Steps(20_000_000, 4_000_000)
_TOGETHER = 40  # mutants in one question
_NARROW = 5  # parts, each in the next, of which one may be all that is to be proved equal
_LONGER = 20_000_000  # steps of z3 for one mutant that takes more than others


@dataclass(frozen=True)
class Equal:
    """A mutant that is claimed to be equal, with the claims (ids) that this takes.

    ``apart`` is, for each rule that it changes, what would have to be so for it to differ.
    """

    mutant: Mutant
    using: tuple[str, ...]
    apart: tuple[Bool, ...]


class Equals:
    """Asks whether mutants are equal. Close it when done, or use ``with``."""

    def __init__(self, mutants: Mutants, learnt: Learnt) -> None:
        self.mutants, self.learnt = mutants, learnt
        ground = mutants.ground
        claims = (*ground.claims, *learnt.claims)
        self._asking = Asking(asked_without_limits(ground.encoding), claims)

    def __enter__(self) -> Equals:
        return self

    def __exit__(self, *error: object) -> None:
        self._asking.__exit__()

    def among(self, mutants: Sequence[Mutant]) -> list[Equal]:
        """Return those of some mutants that are equal; the others may not be.

        They are asked about together: what tells one of them apart is tried on all others.
        """
        left = list(mutants)
        equal: list[Equal] = []
        waiting = [left[n : n + _TOGETHER] for n in range(0, len(left), _TOGETHER)]
        apart: set[str] = set()
        while waiting:
            some = [one for one in waiting.pop() if one.digest not in apart]
            if not some:
                continue
            parts = (part for one in some for part in one.parts)
            condition = any_of(differs(self.mutants, part) for part in parts)
            example = self._asking.example(condition, noting=False)
            if example == {} and len(some) == 1:
                example = self._asked_longer(condition)
            if example is None:
                equal += [self._narrowed(one) for one in some]
            elif told := self._told(example, mutants):
                apart |= told
                waiting.append(some)
            elif len(some) > 1:
                half = len(some) // 2
                waiting += [some[:half], some[half:]]
        return equal

    def _narrowed(self, mutant: Mutant) -> Equal:
        """Return what is equal with little to prove: that a small part of it makes no odds."""
        self._asking.needed.clear()
        apart = tuple(self._narrow(part) for part in mutant.parts)
        return Equal(mutant, tuple(sorted(self._asking.needed)), apart)

    def _narrow(self, part: Mutant) -> Bool:
        whole = differs(self.mutants, part)
        rule = self.mutants.rules[part.rule]
        if part.guard is None:
            pairs = narrowed((rule.updates[n], value) for n, value in part.updates.items())
            for old, new in pairs[:_NARROW]:
                apart = all_of(rule.guard, negate(same_value(old, new)))
                if self._asking.example(apart) is None:
                    return apart
        if self._asking.example(whole) is not None:
            self._asked_longer(whole)
        return whole

    def _asked_longer(self, condition: Bool) -> Mapping[str, Value] | None:
        self._asking.allow(_LONGER)
        try:
            return self._asking.example(condition)
        finally:
            self._asking.allow()

    def _told(self, example: Mapping[str, Value], left: Sequence[Mutant]) -> set[str]:
        """Return the mutants (digests) that a step tells apart; none where there is no step."""
        if not example:
            return set()
        columns = Columns({name: [value] for name, value in example.items()}, 1)
        found = set()
        for one in left:
            if any(self._unlike(columns, part) for part in one.parts):
                found.add(one.digest)
        return found

    def _unlike(self, columns: Columns, part: Mutant) -> bool:
        rule = self.mutants.rules[part.rule]
        if part.guard is not None:
            return bool(columns.differ(rule.guard, part.guard))
        if not columns.of(rule.guard, keep=True)[0]:
            return False
        pairs = ((rule.updates[name], value) for name, value in part.updates.items())
        return any(columns.differ(old, new) for old, new in pairs)


def asked_without_limits(encoding: Encoding) -> Encoding:
    """Return an encoding in which a reveal may be anything: its limits are the guard's."""
    free = (dataclasses.replace(v, low=None, high=None) for v in encoding.reveals)
    return dataclasses.replace(encoding, reveals=tuple(free))


def prove_equal(
    mutants: Mutants, learnt: Learnt, equal: Sequence[Equal], name: str, answers: Answers
) -> Verdict:
    """Return the verdict on mutants: proved if every one is equal.

    ``name`` is what the proof is called; ``answers`` are shared with other proofs.
    """
    ground = mutants.ground
    # Of every rule, so that whatever the proof is about, it is about one and the same game.
    asks = {rule.id: _asking_rule(rule) for rule in ground.game.rules}
    using = sorted({used for one in equal for used in one.using})
    claim = _claim(mutants, equal, asks, name, using)
    game = _with(ground.game, tuple(asks.values()), (*learnt.closed(using), claim))
    bench = Workbench(encode(game, ground.edition.parameters, ground.readings), answers)
    made, ours = attempt_all(bench, bench.encoding, (claim,), _STEPS)
    open_ = Verdict(ground.game.id, name, Outcome.UNDECIDED, "induction", 1)
    if any(answer.answer != "unsat" for answer in ours):
        return dataclasses.replace(open_, remark=objection(ours))
    made, both, _ = confirm(bench, made, ours, _STEPS, _STEPS)
    if not confirmed(made, both):
        return dataclasses.replace(open_, remark=objection(both))
    return dataclasses.replace(open_, outcome=Outcome.PROVED, certificate=made, answers=both)


def _asking_rule(rule: Rule) -> Rule:
    """Return the rule that asks whatever a rule may reveal, and changes nothing."""
    fields = [
        (field.name, Any, dataclasses.field(metadata={"shape": _free(field.metadata["shape"])}))
        for field in dataclasses.fields(cast("Any", rule.reveal))
    ]
    name = f"Asked{rule.reveal.__name__}"
    reveal = dataclasses.make_dataclass(name, fields, bases=(Reveal,), frozen=True)
    says = f"Whatever may be revealed is asked of {rule.id}; nothing changes."
    return Rule(f"ask-{rule.id}", reveal, (), says, lambda p, s, r: True, lambda p, s, r: s)


def _free(shape: Any) -> Any:
    return dataclasses.replace(shape, low=None, high=None)


def _claim(
    mutants: Mutants,
    equal: Sequence[Equal],
    asks: Mapping[str, Rule],
    name: str,
    using: Sequence[str],
) -> Property:
    """Return that nothing tells mutants apart: one claim of all of them.

    They share most of their terms, so that together they take little more than one does. Of
    each it is said of the least part that it takes: what holds this part is as it was.
    """
    ground, those = mutants.ground, [one.mutant for one in equal]
    apart: dict[str, list[Bool]] = {}
    for part, one in (
        (p, a) for e in equal for p, a in zip(e.mutant.parts, e.apart, strict=True)
    ):
        apart.setdefault(asks[part.rule].id, []).append(one)
    own = {
        ask.id: f"r.{ground.game.rule(rule).reveal.__name__.lower()}."
        for rule, ask in asks.items()
    }

    def holds(p: Any, before: Point[Any, Any], step: Step, after: Any) -> Bool:
        if step.rule not in apart:
            return True
        values: Mapping[str, Any] = _values(ground, p, before, step)
        asked = f"r.{type(step.reveal).__name__.lower()}."
        names = [n for n in variables_of(*apart[step.rule]) if n.startswith(own[step.rule])]
        renamed = {n: values[asked + n.removeprefix(own[step.rule])] for n in names}
        known = Evaluation({**values, **renamed})
        return all_of(negate(cast("Bool", known.of(one))) for one in apart[step.rule])

    says = f"Nothing tells apart: {', '.join(mutant.id for mutant in those)}."
    clauses = tuple(dict.fromkeys(c for mutant in those for c in mutant.clauses))
    return Property(name, Kind.STEP, clauses, says, holds, tuple(using))


def _values(ground: Ground, p: Any, before: Point[Any, Any], step: Step) -> dict[str, Any]:
    values: dict[str, Any] = values_at(ground.encoding, p, before)
    prefix = f"r.{type(step.reveal).__name__.lower()}."
    for field in dataclasses.fields(step.reveal):
        for label, value in _scalars(
            field.name, getattr(step.reveal, field.name), ground, field
        ):
            values[prefix + label] = value
    return values


def _scalars(name: str, value: Any, ground: Ground, field: Any) -> list[tuple[str, Any]]:
    axes = [getattr(ground.game.setting, axis) for axis in field.metadata["shape"].over]
    found = [(name, value)]
    for labels in axes:
        found = [
            (f"{before}.{label}", part)
            for before, whole in found
            for label, part in zip(labels, whole, strict=True)
        ]
    return found


def _with(game: Game, asks: Sequence[Rule], more: Sequence[Property]) -> Game:
    asking = {ask.id for ask in asks}

    def observe(p: Any, before: Point[Any, Any], step: Step, after: Any) -> Any:
        return before.t if step.rule in asking else game.observe(p, before, step, after)

    return dataclasses.replace(
        game,
        rules=(*game.rules, *asks),
        properties=(*game.properties, *more),
        observe=observe,
    )
