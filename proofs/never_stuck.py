"""``never-stuck``: each unfinished reachable state has a legal reveal, and here it is.

What is proved is that one of a short list of ways on is legal, which needs no quantifier:

    φ(x) ∧ ¬ ended(x)  ⇒  some rule fires on w1(p, s) ∨ … ∨ some rule fires on wn(p, s)

The list begins with the witnesses of the game, reveals made from the state, and with the
plainest reveal of each kind that has none: every value the least it may be. The rest is found.
A state that φ allows and in which no way listed is legal is a counterexample: a reveal that is
legal in it goes onto the list, made as plain as the state allows. Where there is none the state
is stuck, and BMC says whether a Play comes to one: a Play to an unfinished state in which no
way listed is legal either gives one more to list or, once a solver has ruled out every reveal
of every rule there, is the refutation.

Solar-Lezama, Tancau, Bodik, Seshia, Saraswat: Combinatorial sketching for finite programs,
ASPLOS 2006 (counterexample-guided inductive synthesis).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from ..models.algebra import Bool, Value, all_of, any_of, implies, negate
from ..models.play import Play
from ..models.shape import Variable
from ..models.system import Game, Kind, Point, Property, Rule, Step, Witness
from . import bmc, depends, induction, smtlib, solvers
from .budget import Budget
from .encoding import Encoding, encode
from .engines import Inquiry, Open, Proof, Refuted, told
from .events import Listener
from .shorten import shorten
from .verdict import Cube, Outcome, Verdict, WayOn
from .watched import LOOK, looked_at, watched
from .workbench import Workbench

__all__ = ["decide_never_stuck", "some_way_on"]

SEARCH = 8_000_000
"""Steps of z3 to look for stuck Plays of one length; near the start it takes far fewer."""

MOST = 40
"""Ways on to list before giving up: a game that needs more wants witnesses of its own."""


def decide_never_stuck(
    bench: Workbench, claim: Property, budget: Budget, listener: Listener
) -> Verdict:
    """Prove that no Play gets stuck, and by which ways on, or show a Play that does."""
    return _Inquiry(bench, claim, budget, listener).run()


def some_way_on(game: Game, claim: Property, ways: Sequence[Witness]) -> Property:
    """Return the claim that one of these ways is legal, as a step property of a look."""

    def holds(p: Any, before: Point[Any, Any], step: Step, after: Point[Any, Any]) -> Bool:
        if step.rule != LOOK:
            return True
        legal = (_fires(game, p, before.s, way) for way in ways)
        return implies(negate(game.goal.ended(p, before.s)), any_of(legal))

    return dataclasses.replace(claim, kind=Kind.STEP, holds=holds)


def _rules_of(game: Game, way: Witness) -> tuple[Rule, ...]:
    return tuple(rule for rule in game.rules if rule.reveal is way.reveal)


def _fires(game: Game, p: Any, s: Any, way: Witness) -> Bool:
    rules = _rules_of(game, way)
    within = game.reveal_shape(rules[0]).within_limits
    return any_of(
        all_of(within(reveal), any_of(rule.guard(p, s, reveal) for rule in rules))
        for reveal in way.make(p, s)
    )


def _least(variable: Variable) -> Value:
    return (variable.low or 0) if variable.sort == "Int" else False


class _GaveUp(Exception):
    """A solver did not say whether a reveal may come; why is in its text."""


class _Inquiry(Inquiry):
    """The search for ways on, around the proof that there are enough of them."""

    def __init__(
        self, bench: Workbench, claim: Property, budget: Budget, listener: Listener
    ) -> None:
        super().__init__(bench, claim, budget, listener)
        self.plain = bench.encoding
        self.game = bench.encoding.game
        self.ways: list[Witness] = []
        self.found: dict[str, Any] = {}
        self.list_ways([*self.plain_ways(), *self.game.witnesses])

    def list_ways(self, more: Sequence[Witness]) -> None:
        """Add ways on to the list, and state the claim anew."""
        self.ways += more
        self.claim = some_way_on(self.game, self.claim, self.ways)
        game = watched(self.game, self.claim)
        encoding = encode(game, self.plain.parameters, self.plain.readings)
        self.bench = Workbench(encoding, self.bench.answers)
        self.encoding = encoding

    def plain_ways(self) -> Iterator[Witness]:
        """Yield the plainest reveal of each kind of which the game has no witness."""
        here = self.plain.point()
        known = {way.reveal for way in self.game.witnesses}
        for kind in self.game.reveal_kinds():
            rule = next(rule for rule in self.game.rules if rule.reveal is kind)
            plain = self.fixed(rule, self.game.reveal_shape(rule).build(_least))
            if (
                kind not in known
                and _fires(self.game, self.plain.p, here.s, plain) is not False
            ):
                yield plain

    def fixed(self, rule: Rule, reveal: Any) -> Witness:
        """Return a reveal as a way on that is always the same."""
        number = 1 + sum(way.reveal is rule.reveal for way in self.ways)
        id_ = f"{rule.reveal.__name__.lower()}-{number}"
        self.found[id_] = reveal
        return Witness(id_, rule.reveal, "always the same", lambda p, s: (reveal,))

    def run(self) -> Verdict:
        verdict = super().run()
        plays = [looked_at(self.game, play).play for play, _ in verdict.plays]
        stuck = "z3 and cvc5 agree that no reveal is legal after the Play shown"
        begun = "a Play that has begun has not ended yet" if verdict.certificate else ""
        if verdict.certificate and not self.begins():
            said = "not counted as proved: no Play is known that has not ended before it begins"
            return dataclasses.replace(
                verdict, outcome=Outcome.UNDECIDED, certificate=None, remark=said
            )
        return dataclasses.replace(
            told(verdict, plays),
            ways_on=tuple(map(self.described, self.ways)) if verdict.certificate else (),
            remark="; ".join(filter(None, [verdict.remark, stuck if plays else begun])),
        )

    def begins(self) -> bool:
        """Return whether some Play has not ended at its start, so that a way on is needed."""
        p = self.plain.p
        on = all_of(
            self.plain.constraint, negate(self.game.goal.ended(p, self.game.start(p).s))
        )
        text = f"{smtlib.declare(self.plain.rigid)}(assert {smtlib.text(on)})\n"
        return self.ask(text).answer == "sat"

    def described(self, way: Witness) -> WayOn:
        """Return a way on as it is told."""
        rules = tuple(rule.id for rule in _rules_of(self.game, way))
        return WayOn(way.id, rules, way.says, self.found.get(way.id))

    def decide(
        self, encoding: Encoding, clear: int, plays: Sequence[Play]
    ) -> Proof | Refuted | Open:
        reasons: list[str] = []
        proof = self.induction(encoding, 1, reasons)
        if not proof and self.complete(encoding.excluded, reasons):
            proof = self.induction(self.encoding.without(encoding.excluded), 1, reasons)
        if proof:
            return proof
        self.say("engine", "BMC")
        searched = self.search(self.encoding.without(encoding.excluded), clear)
        if searched.play:
            return Refuted(searched.play)
        if searched.reason:
            reasons.append(f"BMC at {searched.clear + 1} steps: {searched.reason}")
        return Open(searched.clear, not searched.reason, tuple(reasons))

    def complete(self, excluded: Sequence[Cube], reasons: list[str]) -> bool:
        """List ways on until one is legal in every state of φ; False where that fails."""
        self.say("engine", "ways on")
        while len(self.ways) <= MOST:
            encoding = self.encoding.without(excluded)
            result = self.ask_for_a_state_without(encoding)
            if result.answer == "unsat":
                return True
            if result.answer != "sat":
                reasons.append(f"no state without a way on: {result.reason}")
                return False
            p = bmc.setting_of(encoding, result.values)
            s = self.state_of(result.values)
            try:
                way = self.way_on(p, s)
            except _GaveUp as gave_up:
                reasons.append(str(gave_up))
                return False
            if way is None:
                reasons.append("φ allows a state without a legal reveal")
                return False
            self.list_ways([way])
        reasons.append(f"{MOST} ways on are not enough")
        return False

    def state_of(self, values: solvers.Values) -> Any:
        """Return the state that values describe."""

        def value(variable: Variable) -> Value:
            given = values[f"s.{variable.name}"]
            return bool(given) if variable.sort == "Bool" else given

        return self.game.state_shape().build(value)

    def ask_for_a_state_without(self, encoding: Encoding) -> solvers.Result:
        """Ask for values of a state of φ in which the Play is on and no way listed is legal."""
        look = encoding.game.rule(LOOK)
        question = all_of(
            encoding.constraint,
            encoding.rigid_values(),
            induction.strengthening(encoding, self.claim),
            negate(encoding.holds_over(self.claim, look)),
        )
        known = (*encoding.rigid, *encoding.state)
        text = f"{smtlib.declare(known)}(assert {smtlib.text(question)})\n"
        return self.ask(text, [variable.name for variable in known])

    def ask(self, text: str, wanted: Sequence[str] = (), solver: str = "z3") -> solvers.Result:
        steps = self.steps(self.budget.induction)
        result = solvers.run(solver, f"(set-logic ALL)\n{text}(check-sat)\n", wanted, steps)
        self.spent[solver] += result.seconds
        return result

    def way_on(self, p: Any, s: Any) -> Witness | None:
        """Return a way on from a state with all values known, as plain as it can be.

        None where there is none: z3 and cvc5 agree on it of every rule. Raises _GaveUp.
        """
        for rule in self.game.rules:
            variables = self.plain.reveal_variables(rule)
            may = smtlib.declare(variables) + f"(assert {smtlib.text(self.may(rule, p, s))})\n"
            for solver in ("z3", "cvc5"):
                result = self.ask(may, solver=solver)
                if result.answer == "sat" and solver == "z3":
                    return self.listed(rule, self.plainest(may, variables))
                if result.answer != "unsat":
                    said = f"{solver} answers {result.answer}"
                    raise _GaveUp(f"whether {rule.id} may come: {said} {result.reason}".strip())
        return None

    def plainest(self, may: str, variables: Sequence[Variable]) -> solvers.Values:
        """Return values that a text allows, each the least where those before it let it be."""
        for variable in variables:
            least = smtlib.text(_least(variable))
            plainer = f"{may}(assert (= {variable.name} {least}))\n"
            if self.ask(plainer).answer == "sat":
                may = plainer
        return self.ask(may, [variable.name for variable in variables]).values

    def listed(self, rule: Rule, values: solvers.Values) -> Witness:
        """Return values of a rule's reveal as a way on that is always the same."""
        return self.fixed(rule, bmc.reveal_of(self.plain, rule, values))

    def may(self, rule: Rule, p: Any, s: Any) -> Bool:
        """Return that a rule fires on a reveal that is not known."""
        reveal = self.plain.reveal(rule)
        within = self.game.reveal_shape(rule).within_limits(reveal)
        return all_of(within, rule.guard(p, s, reveal))

    def search(self, encoding: Encoding, first: int) -> bmc.Found:
        """Look for a Play that gets stuck; what it meets on the way goes onto the list."""
        while len(self.ways) <= MOST:
            z3 = min(SEARCH, self.budget.bmc.z3)
            steps = self.steps(dataclasses.replace(self.budget.bmc, z3=z3))
            found = bmc.search(encoding, self.claim, self.budget.depth, steps, first=first)
            self.spent["z3"] += found.seconds
            if found.play is None:
                return found
            looked = looked_at(self.game, found.play)
            try:
                way = self.way_on(looked.play.setting, looked.state)
            except _GaveUp as gave_up:
                return bmc.Found(None, found.clear, str(gave_up))
            if way is None:
                return found
            first = found.clear + 1
            self.list_ways([way])
            encoding = self.encoding.without(encoding.excluded)
        return bmc.Found(None, first - 1, f"{MOST} ways on are not enough")

    def is_stuck(self, play: Play) -> bool:
        """Return whether a Play of the watched game ends with a look at a stuck state."""
        looked = looked_at(self.game, play)
        try:
            return self.way_on(looked.play.setting, looked.state) is None
        except _GaveUp:
            return False

    def readings_of(self, encoding: Encoding, play: Play) -> Cube:
        def goes_on(p: Any) -> Bool:
            return any_of(self.ways_out(p, play))

        reveals = self.plain.reveals
        steps = self.steps(self.budget.induction)
        return depends.generalise_by(encoding, goes_on, play.setting, steps, reveals)

    def ways_out(self, p: Any, play: Play) -> Iterator[Bool]:
        """Yield, as terms, what would keep a Play from getting stuck under another setting."""
        point = self.game.start(p)
        for step in looked_at(self.game, play).play.steps:
            rule = self.game.rule(step.rule)
            yield negate(rule.guard(p, point.s, step.reveal))
            point = self.game.after(p, point, rule, step.reveal)
        yield self.game.goal.ended(p, point.s)
        for rule in self.game.rules:
            yield self.may(rule, p, point.s)

    def shown(self, play: Play) -> tuple[Play, int]:
        return shorten(self.encoding.game, self.claim, play, self.is_stuck)
