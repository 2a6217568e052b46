"""The symbolic side of a reduced copy, against what its enumeration found.

    closed     init(x) ⇒ x ∈ L0;   x ∈ Ld ∧ trans(x, r, x') ⇒ x' ∈ L0 ∪ … ∪ Ld+1
    reached    (x, r, x') ∈ Ed ⇒ rule.R(x, r, x')      Ed has a step to each point of Ld+1
    claims     x ∈ L0 ∪ … ∪ Ln ⇒ φ(x)                  φ: what was proved of points

Ld are the points the enumeration found to be new at depth d. A solver is asked for values that
break each; if there are none, the encoding has exactly the same new points at every depth, as
induction on d shows. Sets of points are written as decision diagrams: a choice of the first
variable's value, then of the second's, with equal ends shared.

Bryant: Graph-based algorithms for Boolean function manipulation, 1986 (here over many values).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from ..models.algebra import Bool, Value, all_of, any_of, equal, negate
from ..models.system import Kind, Property, Rule
from . import smtlib, solvers
from .bmc import Unrolling
from .budget import Budget
from .encoding import NEXT, encode
from .endings import ending
from .engines import Inquiry
from .enumeration import Enumeration, Key
from .events import silent
from .findings import Finding, Prize, judge, longest_play, prizes
from .prover import prove
from .verdict import Outcome, Verdict
from .workbench import Workbench

__all__ = ["Agreement", "Compared", "Layer", "PrizeCompared", "agree", "among"]


@dataclass(frozen=True)
class Layer:
    """One depth: new states and points, and whether the symbolic side has the same points.

    ``agrees`` is None where a solver ran out of steps; ``remark`` says what differs.
    """

    depth: int
    states: int
    points: int
    agrees: bool | None
    remark: str = ""


@dataclass(frozen=True)
class Compared:
    """One property on both sides; ``agrees`` is None where one of them does not know."""

    claim: Property
    finding: Finding
    verdict: Verdict
    agrees: bool | None
    remark: str = ""


@dataclass(frozen=True)
class PrizeCompared:
    """A prize, and whether a shortest Play to it is as long on the symbolic side."""

    prize: Prize
    agrees: bool | None
    remark: str = ""


@dataclass(frozen=True)
class Agreement:
    """Both sides of one copy. ``claims`` says whether every point keeps what was proved."""

    found: Enumeration
    layers: tuple[Layer, ...]
    properties: tuple[Compared, ...]
    prizes: tuple[PrizeCompared, ...]
    claims: bool | None

    @property
    def agrees(self) -> bool | None:
        """Whether all agrees; None where something could not be compared, and all else does."""
        answers = [layer.agrees for layer in self.layers]
        answers += [one.agrees for one in self.properties]
        answers += [one.agrees for one in self.prizes]
        answers.append(self.claims)
        if False in answers:
            return False
        return None if None in answers else True


def agree(
    found: Enumeration, budget: Budget | None = None, only: Collection[str] | None = None
) -> Agreement:
    """Ask the symbolic side what an enumeration answered, and compare.

    All properties, unless ``only`` names some; every depth, every prize.
    """
    side = _Side(found, budget or Budget())
    layers = tuple(side.layers())
    claims = [c for c in found.game.properties if only is None or c.id in only]
    compared = tuple(side.property(claim) for claim in claims)
    return Agreement(found, layers, compared, tuple(side.prizes()), side.claims(compared))


def among(terms: Sequence[Value], rows: Iterable[Sequence[Value]]) -> Bool:
    """Return whether terms have the values of one of the rows, as a decision diagram."""

    @cache
    def diagram(place: int, left: frozenset[tuple[Value, ...]]) -> Bool:
        if place == len(terms):
            return True
        by_value: dict[Value, set[tuple[Value, ...]]] = {}
        for row in left:
            by_value.setdefault(row[0], set()).add(row[1:])
        return any_of(
            all_of(equal(terms[place], value), diagram(place + 1, frozenset(rest)))
            for value, rest in sorted(by_value.items())
        )

    known = frozenset(tuple(row) for row in rows)
    return diagram(0, known) if known else False


class _Side:
    """The encoding of a copy, and the questions to a solver about it."""

    def __init__(self, found: Enumeration, budget: Budget) -> None:
        self.found = found
        self.budget = budget
        game, copy = found.game, found.copy
        self.encoding = encode(game, copy.parameters, copy.readings)
        self.bench = Workbench(self.encoding)
        self.here = [variable.term() for variable in self.encoding.state]
        self.then = [variable.term(NEXT) for variable in self.encoding.state]

    @cached_property
    def system(self) -> str:
        return self.encoding.system() + smtlib.declare(self.encoding.over_step)

    def none(self, *conditions: str) -> bool | None:
        """Return whether no values meet all conditions; None where the solver gave up."""
        text = self.system + "".join(f"(assert {one})\n" for one in conditions)
        result = solvers.run("z3", f"{text}(check-sat)\n", steps=self.budget.induction)
        return {"unsat": True, "sat": False}.get(result.answer)

    # ---- Depths ------------------------------------------------------------------------------

    def layers(self) -> Iterator[Layer]:
        """Compare every depth; ask of all at once first, as they mostly agree."""
        found = self.found
        beyond, missing = self._apart()
        same = self.none(_any_of([*beyond, *missing]))
        for depth, new in enumerate(found.layers):
            agrees, remark = same, ""
            if not same:
                agrees = self.none(_any_of([beyond[depth], missing[depth]]))
            if agrees is False:
                too_far = self.none(beyond[depth]) is False
                remark = f"the encoding {'leads' if too_far else 'does not lead'} to points "
                remark += (
                    "that the rules do not lead to" if too_far else "that the rules lead to"
                )
            states = found.state_layers[depth] if depth < len(found.state_layers) else ()
            yield Layer(depth, len(states), len(new), agrees, remark)

    def _apart(self) -> tuple[list[str], list[str]]:
        """Return, by depth, that the encoding leads further, and that it leads less far."""
        found = self.found
        seen: list[Key] = []
        beyond, missing = [], []
        for depth, new in enumerate(found.layers):
            seen += new
            last = found.exhausted and depth == len(found.layers) - 1
            closed = [self._start()] if depth == 0 else [self._leads_to(depth - 1, seen)]
            closed += [self._leads_to(depth, seen)] if last else []
            beyond.append(_any_of(closed))
            missing.append(self._reached(new) if depth else "false")
        return beyond, missing

    def _leads_to(self, depth: int, seen: Sequence[Key]) -> str:
        """Return that the encoding leads from a depth to points not seen by the next."""
        here = smtlib.text(among(self.here, self.found.layers[depth]))
        over = smtlib.apply("trans", [v.name for v in self.encoding.over_step])
        return f"(and {here} {over} {smtlib.text(negate(among(self.then, seen)))})"

    def _start(self) -> str:
        """Return that the starts of the encoding are not those found."""
        init = smtlib.apply("init", [v.name for v in self.encoding.state])
        return f"(xor {init} {smtlib.text(among(self.here, self.found.layers[0]))})"

    def _reached(self, new: Sequence[Key]) -> str:
        """Return that a step by which a point was first found is none of the encoding's."""
        return _any_of([self._not_taken(rule, new) for rule in self.found.game.rules])

    def _not_taken(self, rule: Rule, new: Sequence[Key]) -> str:
        """Return that one of these steps by a rule is none in the encoding."""
        shape = self.found.game.reveal_shape(rule)
        came = [(key, *self.found.came[key]) for key in new]
        rows = [
            (*before, *shape.scalars(step.reveal).values(), *after)
            for after, before, step in came
            if step.rule == rule.id
        ]
        reveal = shape.scalars(self.encoding.reveal(rule)).values()
        taken = smtlib.text(among([*self.here, *reveal, *self.then], rows))
        step = smtlib.apply(f"rule.{rule.id}", [v.name for v in self.encoding.over_step])
        return f"(and {taken} (not {step}))"

    # ---- Properties --------------------------------------------------------------------------

    def property(self, claim: Property) -> Compared:
        finding = judge(self.found, claim)
        if claim.id == "terminates":
            longest = longest_play(self.found)
            verdict, agrees = ending(self.encoding, finding, longest, self.budget)
            return Compared(claim, finding, verdict, agrees, verdict.remark)
        try:
            return _compared(claim, finding, self.verdict(claim))
        except RuntimeError as error:  # a Play of the solver's is none by the rules
            none = Verdict(self.found.game.id, claim.id, Outcome.UNDECIDED, "none", 0)
            return Compared(claim, finding, none, False, str(error))

    def verdict(self, claim: Property) -> Verdict:
        """Return the verdict by the game's own lemmas, if they will do, or by the states found.

        Induction with either comes first: a claim that only the limits of a copy keep is soon
        proved with the states, and long looked for without. What keeps Plays from getting stuck
        is mostly such a limit, of which no lemma knows: nothing else is tried there.
        """
        game, budget = self.found.game, self.budget
        if claim.kind is not Kind.GENERAL:
            for bench in (self.bench, self.helped):
                own = bench.encoding.game.property(claim.id)
                inquiry = Inquiry(bench, own, budget, silent)
                proof = inquiry.induction(bench.encoding, 1, [])
                if proof and (found := inquiry.proved(bench.encoding, proof)).certificate:
                    return found
        if claim.id != "never-stuck":
            verdict = prove(game, claim, budget=budget, bench=self.bench)
            if verdict.outcome in (Outcome.PROVED, Outcome.REFUTED):
                return verdict
        return prove(self.helped.encoding.game, claim.id, budget=budget, bench=self.helped)

    @cached_property
    def helped(self) -> Workbench:
        """The copy with one lemma more: a state is one of those found.

        The lemmas of a game know nothing of the limits of a copy. This one, and all that
        leans on it, is proved like any other. It says more of states than they all do: what is
        claimed of the game as a whole needs no other.
        """
        game, copy = self.found.game, self.found.copy
        shape = game.state_shape()

        def holds(p: Any, s: Any, t: Any) -> Bool:
            return among(tuple(shape.scalars(s).values()), self.found.states)

        found = Property(
            "states-found", Kind.LEMMA, (), "The state is one of those found.", holds
        )
        claims = [
            replace(one, using=(*(() if one.kind is Kind.GENERAL else one.using), found.id))
            for one in game.properties
        ]
        wider = replace(game, properties=(*claims, found))
        return Workbench(encode(wider, copy.parameters, copy.readings), self.bench.answers)

    def claims(self, compared: Iterable[Compared]) -> bool | None:
        """Return whether every point found keeps all that was proved of points, and every φ."""
        proved = [one for one in compared if one.verdict.outcome is Outcome.PROVED]
        of_points = (Kind.INVARIANT, Kind.LEMMA)
        holds = all_of(
            self.encoding.holds(one.claim) for one in proved if one.claim.kind in of_points
        )
        found = smtlib.text(among(self.here, self.found.points))
        phis = [smtlib.text(holds)]
        for one in proved:
            made = one.verdict.certificate
            if made is not None and made.conjuncts is None:
                phis.append(made.phi)
        return self.none(found, f"(not (and true {' '.join(phis)}))")

    # ---- Prizes ------------------------------------------------------------------------------

    def prizes(self) -> Iterator[PrizeCompared]:
        """Compare, for each prize, the length of a shortest Play to it."""
        listed = prizes(self.found)
        rules = self.found.game.rules
        unrolled = Unrolling(self.encoding, self.budget.bmc)
        early: list[bool | None] = []
        there: dict[Prize, bool | None] = {}
        for depth in range(len(self.found.layers)):
            if depth:
                unrolled.grow(rules)
            later = [prize for prize in listed if len(prize.steps) > depth]
            others = negate(any_of(self._won(p, depth) for p in listed if p not in later))
            ended = self.found.game.goal.ended(self.encoding.p, self._state(depth))
            question = smtlib.text(all_of(ended, others))
            early.append(_answer(unrolled.ask(question, ()).answer, wanted="unsat"))
            for prize in listed:
                if len(prize.steps) == depth:
                    question = smtlib.text(self._won(prize, depth))
                    there[prize] = _answer(unrolled.ask(question, ()).answer, wanted="sat")
        for prize in listed:
            yield _of_prize(prize, there[prize], early[: len(prize.steps)])

    def _state(self, depth: int) -> Any:
        return self.encoding.point(f"@{depth}").s

    def _won(self, prize: Prize, depth: int) -> Bool:
        """Return whether a Play that has ended at a depth won a prize."""
        goal, p, s = self.found.game.goal, self.encoding.p, self._state(depth)
        won = dict(prize.parts)
        return all_of(
            goal.ended(p, s),
            goal.paid(p, s) == prize.paid,
            (amount == won.get(part, 0) for part, amount in goal.parts(p, s).items()),
        )


def _any_of(conditions: Iterable[str]) -> str:
    """Return, as text, that one of the conditions holds."""
    return f"(or false {' '.join(conditions)})"


def _answer(answer: str, wanted: str) -> bool | None:
    return None if answer == "unknown" else answer == wanted


def _of_prize(prize: Prize, there: bool | None, early: Sequence[bool | None]) -> PrizeCompared:
    if there is False:
        return PrizeCompared(prize, False, f"no Play of {len(prize.steps)} steps on that side")
    if False in early:
        depth = list(early).index(False)
        return PrizeCompared(prize, False, f"a prize is won there after {depth} steps already")
    return PrizeCompared(prize, None if there is None or None in early else True)


def _compared(claim: Property, finding: Finding, verdict: Verdict) -> Compared:
    """Compare a verdict with a finding: outcome, and the length of a shortest Play."""
    if verdict.outcome is Outcome.PROVED:
        said = "" if finding.holds else "proved, but the rules break it"
        return Compared(claim, finding, verdict, finding.holds, said)
    if verdict.outcome is not Outcome.REFUTED:
        said = f"{verdict.outcome.value} there: {verdict.remark}"
        return Compared(claim, finding, verdict, None, said)
    length = len(verdict.plays[0][0].steps)
    if finding.holds:
        longer = finding.depth is not None and length > finding.depth
        said = f"refuted there by a Play of {length} steps"
        return Compared(claim, finding, verdict, None if longer else False, said)
    shortest = claim.kind is Kind.GENERAL or length == finding.depth
    said = "" if shortest else f"broken after {finding.depth} steps, there after {length}"
    return Compared(claim, finding, verdict, shortest, said)
