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

from ...models.algebra import Bool, negate, variables_of
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
from .making import Mutant, Mutants
from .search import differs

__all__ = ["Equal", "Equals", "asked_without_limits"]

_STEPS = Steps(20_000_000, 4_000_000)


@dataclass(frozen=True)
class Equal:
    """A mutant that is claimed to be equal, with the claims (ids) that this takes."""

    mutant: Mutant
    using: tuple[str, ...]


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

    def ask(self, mutant: Mutant) -> Equal | None:
        """Return that a mutant is equal; None where it may not be."""
        self._asking.needed.clear()
        if self._asking.possible(differs(self.mutants, mutant)):
            return None
        return Equal(mutant, tuple(sorted(self._asking.needed)))


def asked_without_limits(encoding: Encoding) -> Encoding:
    """Return an encoding in which a reveal may be anything: its limits are the guard's."""
    free = (dataclasses.replace(v, low=None, high=None) for v in encoding.reveals)
    return dataclasses.replace(encoding, reveals=tuple(free))


def prove_equal(
    mutants: Mutants, learnt: Learnt, equal: Sequence[Equal], name: str, answers: Answers
) -> Verdict:
    """Return the verdict on mutants of one rule: proved if every one is equal.

    ``name`` is what the proof is called; ``answers`` are shared with other proofs.
    """
    ground = mutants.ground
    rule = ground.game.rule(equal[0].mutant.rule)
    ask = _asking_rule(rule)
    claims = [_claim(mutants, one, ask) for one in equal]
    lemmas = learnt.closed(sorted({used for one in equal for used in one.using}))
    game = _with(ground.game, ask, (*lemmas, *claims))
    bench = Workbench(encode(game, ground.edition.parameters, ground.readings), answers)
    made, ours = attempt_all(bench, bench.encoding, claims, _STEPS)
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


def _claim(mutants: Mutants, equal: Equal, ask: Rule) -> Property:
    apart = differs(mutants, equal.mutant)
    ground, mutant = mutants.ground, equal.mutant
    own = f"r.{ground.game.rule(mutant.rule).reveal.__name__.lower()}."
    asked = f"r.{ask.reveal.__name__.lower()}."
    names = [name for name in variables_of(apart) if name.startswith(own)]

    def holds(p: Any, before: Point[Any, Any], step: Step, after: Any) -> Bool:
        if step.rule != ask.id:
            return True
        values: Mapping[str, Any] = _values(ground, p, before, step)
        renamed = {name: values[asked + name.removeprefix(own)] for name in names}
        return negate(cast("Bool", Evaluation({**values, **renamed}).of(apart)))

    says = f"Nothing tells it apart that {mutant.says}"
    return Property(
        f"equal-{mutant.digest[:12]}", Kind.STEP, mutant.clauses, says, holds, equal.using
    )


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


def _with(game: Game, ask: Rule, more: Sequence[Property]) -> Game:
    def observe(p: Any, before: Point[Any, Any], step: Step, after: Any) -> Any:
        return before.t if step.rule == ask.id else game.observe(p, before, step, after)

    return dataclasses.replace(
        game,
        rules=(*game.rules, ask),
        properties=(*game.properties, *more),
        observe=observe,
    )
