"""What no Play comes to, proved: certificates for the goals that a suite cannot reach.

A goal that is out of reach becomes a claim about steps, proved by induction with what is
claimed of the game, and checked by a second solver like every other proof (``proofs.prover``).
All goals of one kind share one certificate, which states each of them.

That a pair of rules cannot occur speaks of what may be revealed next. So in the game that the
proof is about every reveal holds, beside its own, one reveal of each kind to come: whatever it
is, the second rule does not fire on it (``game looking ahead``). All else is as in the game.

That a rule does not come again, or in no Play that wins nothing, speaks of the past: the game
is given a mark, set when the rule is taken (``oracles.marked``).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..models.algebra import Bool, all_of, bool_variable, negate
from ..models.play import Play
from ..models.system import Game, Kind, Property, Reveal, Step
from ..proofs.budget import Budget
from ..proofs.encoding import NEXT, encode
from ..proofs.evaluate import Evaluation, values_at
from ..proofs.prover import prove
from ..proofs.solvers import Steps
from ..proofs.verdict import Verdict
from ..proofs.workbench import Answers, Workbench
from .goals import Again, Goal, Losing, Moment, Passage
from .ground import Ground
from .learnt import Learnt
from .marked import MARK, SINCE, Marked

__all__ = ["Claimed", "Never", "looking_ahead"]

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

    def prove(
        self, kind: str, goals: Sequence[Moment | Passage], using: tuple[str, ...]
    ) -> Claimed:
        """Return the verdict on the claim that none of the goals ever comes about.

        ``using`` are invariants and lemmas (ids) that the proof may need.
        """
        ground = self.ground
        says = "In no Play: " + "; ".join(goal.says for goal in goals) + "."
        claim = Property(f"never-{kind}", Kind.STEP, (), says, self._none_of(goals), using)
        game = ground.game
        if any(isinstance(goal, Passage) for goal in goals):
            game = looking_ahead(game)
        return Claimed(tuple(goals), says, self._decide(game, claim))

    def once(self, goal: Again, plays: Sequence[Play]) -> Claimed | None:
        """Return the verdict on the claim that a rule does not come again, if it may hold."""
        says = f"In no Play does {goal.rule} come again after other rules."
        again = {goal.rule: bool_variable(f"t.{SINCE}")}
        with Marked(self.ground, self.learnt, goal.rule, plays) as at:
            return self._proved(goal, at, again, says)

    def wins(self, goal: Losing, plays: Sequence[Play]) -> Claimed | None:
        """Return the verdict on the claim that each Play with a rule in it wins something.

        Plays that do not keep the game's promises are left aside. None: no proof seen.
        """
        ground = self.ground
        end = ground.encoding.point(NEXT)
        lost = all_of(
            bool_variable(f"t.{MARK}{NEXT}"),
            ground.game.goal.ended(ground.p, end.s),
            ground.game.goal.paid(ground.p, end.s) == 0,
            (one.kept(ground.p, end.s, end.t) for one in ground.game.promises),
        )
        says = f"No Play with {goal.rule} in it keeps the promises and wins nothing."
        with Marked(ground, self.learnt, goal.rule, plays) as at:
            return self._proved(goal, at, dict.fromkeys(ground.last, lost), says)

    def _proved(
        self, goal: Again | Losing, at: Marked, broken: Mapping[str, Bool], says: str
    ) -> Claimed | None:
        needed = at.needed_for(broken)
        if needed is None:
            return None

        def holds(p: Any, before: Any, step: Step, after: Any) -> Bool:
            if step.rule not in broken:
                return True
            values = values_at(at.encoding, p, before, step, after)
            return negate(Evaluation(values).of(broken[step.rule]))  # type: ignore[arg-type]

        name = "never-" + goal.id.replace(":", "-")
        claim = Property(name, Kind.STEP, (), says, holds, (at.lemma.id, *needed))
        return Claimed((goal,), says, self._decide(at.game, claim))

    def _decide(self, game: Game, claim: Property) -> Verdict:
        named = {name for one in (*game.properties, claim) for name in one.using}
        learnt = self.learnt.closed(sorted(named))
        game = dataclasses.replace(game, properties=(*game.properties, *learnt, claim))
        fixed = self.ground.edition.parameters, self.ground.readings
        bench = Workbench(encode(game, *fixed), self.answers)
        return prove(
            game, claim, parameters=fixed[0], readings=fixed[1], budget=_BUDGET, bench=bench
        )

    def _none_of(self, goals: Sequence[Moment | Passage]) -> Any:
        ground, game = self.ground, self.ground.game
        moments: dict[str, list[Bool]] = {}
        pairs: dict[str, list[str]] = {}
        for goal in goals:
            if isinstance(goal, Passage):
                pairs.setdefault(goal.first, []).append(goal.then)
            else:
                for rule, condition in goal.cases:
                    moments.setdefault(rule, []).append(condition)

        def holds(p: Any, before: Any, step: Step, after: Any) -> Bool:
            values = values_at(ground.encoding, p, before, step, after)
            work = Evaluation(values)
            met = [work.of(condition) for condition in moments.get(step.rule, ())]
            coming = [
                _comes(game, p, after.s, then, step.reveal) for then in pairs.get(step.rule, ())
            ]
            return all_of(negate(one) for one in [*met, *coming])  # type: ignore[arg-type]

        return holds


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
