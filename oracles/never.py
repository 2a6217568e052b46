"""What no Play comes to, proved: certificates for the goals that a suite cannot reach.

A goal that is out of reach becomes a claim about steps, proved by induction with what is
claimed of the game, and checked by a second solver like every other proof (``proofs.prover``).
All goals of one kind share one certificate, which states each of them.

That a rule does not come right after another is claimed of what the second asks of the state
alone (``asks_of_state``): the first never leads to such a state. Where only what is revealed
excludes the pair, every reveal in the game that the proof is about also holds one reveal of
each kind to come: whatever it is, the second rule does not fire on it (``looking_ahead``).

That a rule does not come again, or in no Play that wins nothing, speaks of the past: the game
is given marks, set when rules are taken (``oracles.marked``).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ..models.algebra import Bool, all_of, bool_variable, negate
from ..models.system import Game, Kind, Property, Reveal, Step
from ..proofs.budget import Budget
from ..proofs.encoding import NEXT, encode
from ..proofs.evaluate import Evaluation, values_at
from ..proofs.prover import prove
from ..proofs.solvers import Steps
from ..proofs.verdict import Verdict
from ..proofs.workbench import Answers, Workbench
from .asks import asks_of_state
from .goals import Again, Goal, Losing, Moment, Passage
from .ground import Ground
from .learnt import Learnt
from .marked import Marked, mark, since

__all__ = ["Claimed", "Never", "broken_by", "looking_ahead"]

_BUDGET = Budget(Steps(20_000_000, 4_000_000), Steps(20_000_000, 4_000_000), Steps(1, 1),
                 depth=0, k_most=1, spacer=1)  # fmt: skip


@dataclass(frozen=True)
class Claimed:
    """Goals of one kind that are claimed to be out of reach, and the verdict on the claim."""

    goals: tuple[Goal, ...]
    says: str
    verdict: Verdict


class Never:
    """Proves that goals of one ground are out of reach; proofs share what they can."""

    def __init__(self, ground: Ground, learnt: Learnt) -> None:
        self.ground, self.learnt = ground, learnt
        self.answers: Answers = {}

    def moments(self, kind: str, goals: Sequence[Moment], using: Sequence[str]) -> Claimed:
        """Return the verdict on the claim that none of the goals ever comes about.

        ``using`` are invariants and lemmas (ids) that the proof may need, here as below.
        """
        met: dict[str, list[Bool]] = {}
        for goal in goals:
            for rule, condition in goal.cases:
                met.setdefault(rule, []).append(condition)
        encoding = self.ground.encoding

        def holds(p: Any, before: Any, step: Step, after: Any) -> Bool:
            work = Evaluation(values_at(encoding, p, before, step, after))
            return _none(work.of(condition) for condition in met.get(step.rule, ()))

        return self._claimed(kind, goals, holds, using)

    def pairs(self, goals: Sequence[Passage], using: Sequence[str]) -> Claimed:
        """Return the verdict on the claim that no pair comes about, for the state's sake."""
        game, after_ = self.ground.game, _seconds(goals)

        def holds(p: Any, before: Any, step: Step, after: Any) -> Bool:
            return _none(
                asks_of_state(game, p, after.s, then) for then in after_.get(step.rule, ())
            )

        return self._claimed("pair", goals, holds, using)

    def pairs_ahead(self, goals: Sequence[Passage], using: Sequence[str]) -> Claimed:
        """Return the verdict on the claim that no pair comes about, whatever is revealed."""
        game, after_ = self.ground.game, _seconds(goals)

        def holds(p: Any, before: Any, step: Step, after: Any) -> Bool:
            return _none(
                _comes(game, p, after.s, then, step.reveal)
                for then in after_.get(step.rule, ())
            )

        return self._claimed("pair-ahead", goals, holds, using, looking_ahead(game))

    def past(
        self,
        kind: str,
        goals: Sequence[Again | Losing],
        marked: Marked,
        using: Sequence[str],
    ) -> Claimed:
        """Return the verdict on the claim that none of the goals comes about.

        Plays that do not keep the game's promises are left aside where goals speak of losing.
        """
        conditions = [broken_by(self.ground, goal) for goal in goals]

        def holds(p: Any, before: Any, step: Step, after: Any) -> Bool:
            work = Evaluation(values_at(marked.encoding, p, before, step, after))
            return _none(work.of(one[step.rule]) for one in conditions if step.rule in one)

        return self._claimed(kind, goals, holds, using, marked.game, marked.lemmas)

    def _claimed(
        self,
        kind: str,
        goals: Sequence[Goal],
        holds: Callable[[Any, Any, Step, Any], Bool],
        using: Sequence[str],
        game: Game | None = None,
        lemmas: Callable[[Sequence[str]], tuple[Property, ...]] | None = None,
    ) -> Claimed:
        says = "In no Play: " + "; ".join(goal.says for goal in goals) + "."
        claim = Property(f"never-{kind}", Kind.STEP, (), says, holds, tuple(sorted(using)))
        of = game or self.ground.game
        learnt = (lemmas or self.learnt.closed)(claim.using)
        of = dataclasses.replace(of, properties=(*of.properties, *learnt, claim))
        fixed = self.ground.edition.parameters, self.ground.readings
        bench = Workbench(encode(of, *fixed), self.answers)
        verdict = prove(
            of, claim, parameters=fixed[0], readings=fixed[1], budget=_BUDGET, bench=bench
        )
        return Claimed(tuple(goals), says, verdict)


def _none(conditions: Iterable[object]) -> Bool:
    return all_of(negate(cast("Bool", one)) for one in conditions)


def _seconds(goals: Sequence[Passage]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for goal in goals:
        found.setdefault(goal.first, []).append(goal.then)
    return found


def broken_by(ground: Ground, goal: Again | Losing) -> dict[str, Bool]:
    """Return the steps that bring a goal about, in a game with a mark for its rule.

    They are conditions by rule, over an encoding's unknowns.
    """
    if isinstance(goal, Again):
        return {goal.rule: bool_variable(f"t.{since(goal.rule)}")}
    game, p, end = ground.game, ground.p, ground.encoding.point(NEXT)
    lost = all_of(
        bool_variable(f"t.{mark(goal.rule)}{NEXT}"),
        game.goal.ended(p, end.s),
        game.goal.paid(p, end.s) == 0,
        (one.kept(p, end.s, end.t) for one in game.promises),
    )
    return dict.fromkeys(ground.last, lost)


def _comes(game: Game, p: Any, s: Any, rule: str, reveal: Any) -> Bool:
    """Return whether a rule fires on the reveal to come that another reveal holds."""
    then = game.rule(rule)
    kind = then.reveal
    to_come = kind(**{f.name: getattr(reveal, _name(kind, f.name)) for f in _fields(kind)})
    within = game.reveal_shape(then).within_limits(to_come)
    return all_of(negate(game.goal.ended(p, s)), within, then.guard(p, s, to_come))


def looking_ahead(game: Game) -> Game:
    """Return the game in which every reveal also holds one of each kind that may come next."""
    kinds = game.reveal_kinds()
    more: list[tuple[str, Any, Any]] = [
        (_name(kind, field.name), Any, dataclasses.field(metadata=field.metadata))
        for kind in kinds
        for field in _fields(kind)
    ]
    wider: Mapping[type[Reveal], type[Reveal]] = {
        kind: dataclasses.make_dataclass(kind.__name__, more, bases=(kind,), frozen=True)
        for kind in kinds
    }
    rules = tuple(dataclasses.replace(r, reveal=wider[r.reveal]) for r in game.rules)
    return dataclasses.replace(game, rules=rules)


def _fields(kind: Any) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(kind)


def _name(kind: type[Reveal], field: str) -> str:
    return f"then_{kind.__name__.lower()}_{field}"
