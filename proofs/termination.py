"""``terminates``: why Plays end, how they go on for ever, and what limits make them end.

The game is taken with a limit on each source of length, each of which may bind or not
(``models.limits``). For every set of sources without a limit, the smallest first:

    a loop               is a Play that goes on for ever by these sources;
    a ranking function   proves that Plays end while all other sources are limited.

A loop is generalised to the readings that matter to it, and the search goes on under the
others, until a ranking function covers them or none are left. So each source is shown to be
one, alone, under exactly the readings under which it is; a set of sources that a loop covers
already is not looked at again. The game itself has no limits: it ends except where a loop goes
on. How many steps Plays then take at most, for the figures of the limits, is ``longest``'s.

Ranking functions and closed sets are proved as step properties and invariants of the game with
limits, for every value of the limits, parameters and readings: one certificate states them all.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import networkx as nx

from ..models.algebra import Bool, all_of, negate
from ..models.editions import default_readings
from ..models.limits import (
    LIMITED,
    UNLIMITED,
    WITHIN_LIMITS,
    limit_reading,
    limited,
)
from ..models.system import Property
from ..models.taken import counted
from . import confirm, depends, induction, smtlib, solvers
from .bmc import setting_of
from .budget import Budget
from .cases import (
    Case,
    limits_taken,
    of_the_game,
    others_taken,
    ruled_out,
    taken,
    users_of,
    usual_values,
)
from .deadline import Deadline, OutOfTime
from .encoding import Encoding, encode
from .endless import Continuing, Found
from .engines import Inquiry
from .events import Listener
from .features import Feature, Sum, features
from .idling import idle_step_found
from .lasso import Loops
from .longest import StepsWithinLimits
from .paths import rule_graph
from .ranking import Ends, Ranker, Ranking, falls
from .samples import Sample
from .verdict import Cube, Longest, Outcome, Ranked, Termination, Verdict
from .workbench import Workbench

__all__ = ["decide_terminates"]

# How often one sequence of rules is tried: what grows in it may differ, and the readings.
_TRIES = 12
# Along so many sequences of rules a loop by new sources is looked for before all else.
_FIRST = 20


def decide_terminates(
    bench: Workbench, claim: Property, budget: Budget, listener: Listener
) -> Verdict:
    """Prove that every Play ends, or show how one does not and what limits make it end."""
    return _Inquiry(bench, claim, budget, listener).run()


class _Inquiry(Inquiry):
    def __init__(
        self, bench: Workbench, claim: Property, budget: Budget, listener: Listener
    ) -> None:
        super().__init__(bench, claim, budget, listener)
        self.game = bench.encoding.game
        self.most = tuple(limit.most for limit in self.game.limits)
        self.sources = tuple(limit.id for limit in self.game.limits)
        self.limited = limited(self.game, claim.using)
        self.using = (*claim.using, WITHIN_LIMITS)
        self.given = [self.limited.property(id_) for id_ in self.using]
        plain = bench.encoding
        self.counted = counted(self.limited)
        self.apart = Workbench(
            encode(self.counted, plain.parameters, plain.readings), bench.answers
        )
        self.values = plain.parameters or usual_values(self.game)
        self.under_limits = {**self.values, "limit": self.most}
        self.found: list[Found] = []
        self.rankings: list[tuple[Ranked, Property]] = []
        self.longest: Longest | None = None
        self._continuing = Continuing(
            self.game, self.limited, plain, self.steps(budget.induction)
        )
        self.reasons: list[str] = []
        self._held: dict[str, tuple[str, ...]] = {}
        self._sums: tuple[Sum, ...] = ()
        self._seen: dict[str, Mapping[str, Sequence[Sample]]] = {}

    def run(self) -> Verdict:
        """Decide each set of sources without a limit, then what follows for the game."""
        try:
            for size in range(len(self.sources) + 1):
                for sources in itertools.combinations(self.sources, size):
                    self._decide(sources)
        except OutOfTime:
            self.reasons.append("out of time")
        cubes = [of_the_game(found.cube) for found in self.found]
        if self.reasons:
            verdict = self._verdict(Outcome.UNDECIDED, "loops, ranking functions", 0)
            return self._told(replace(verdict, remark="; ".join(self.reasons)))
        implicants = (
            depends.primes(self.encoding, cubes, self.budget.induction) if cubes else ()
        )
        outcome = Outcome.DEPENDS if implicants else Outcome.PROVED
        if implicants == ((),):
            outcome, implicants = Outcome.REFUTED, ()
        return self._told(self._concluded(outcome, implicants))

    def _concluded(self, outcome: Outcome, implicants: tuple[Cube, ...]) -> Verdict:
        """Return the verdict, once both solvers have checked all that was proved."""
        claims = [claim for _, claim in self.rankings]
        claims += [one.claim for one in self.found if one.claim and not self._covered(one)]
        if self.rankings and not self.rankings[0][0].unlimited:
            claims += self._at_most()
        if not claims:  # the Plays that go on are replayed: there is nothing more to check
            return self._verdict(outcome, "loop", self._shortest())
        steps = self.steps(self.budget.induction)
        encoding = self.apart.encoding.without(implicants)
        made, answers = induction.attempt_all(self.apart, encoding, claims, steps)
        self.spend(answers)
        made, answers, later = confirm.confirm(
            self.apart, made, answers, steps, self.steps(self.budget.recheck)
        )
        self.spend(later)
        method = "loop, ranking function" if self.found else "ranking function"
        if not confirm.confirmed(made, answers):
            verdict = self._verdict(Outcome.UNDECIDED, method, self._shortest())
            return replace(verdict, answers=answers, remark=confirm.objection(answers))
        self.say("rechecked", "cvc5")
        verdict = replace(
            self._verdict(outcome, method, self._shortest()),
            certificate=made,
            answers=answers,
            fails_under=implicants,
        )
        return self._counting(verdict) if self.rankings else verdict

    def _counting(self, verdict: Verdict) -> Verdict:
        """Return a verdict with why its ranking functions count, or what it is if none does."""
        encoding, steps = self.apart.encoding, self.steps(self.budget.induction)
        given = all_of(encoding.holds(claim) for claim in self.given)
        idle = idle_step_found(encoding, self.rankings[0][1], given, steps)
        if idle is not None:
            said = f"a step of {idle} that changed nothing would be found out"
            return replace(verdict, remark=said)
        said = "not counted as proved: steps that change nothing are not found out"
        outcome = verdict.outcome
        outcome = Outcome.UNDECIDED if outcome is Outcome.PROVED else outcome
        return replace(verdict, outcome=outcome, certificate=None, remark=said)

    def _at_most(self) -> list[Property]:
        """Find the largest number of steps within limits; return the claim of it, if proved."""
        self.say("engine", "largest number of steps")
        deadline = Deadline.after(self._seconds_left())
        search = StepsWithinLimits(
            self.game, self.counted, self.values, self.encoding.readings, self.using,
            self.steps(self.budget.induction), deadline,
        )  # fmt: skip
        try:
            found = search.find(self._features, self._sums)
        except OutOfTime:
            return []
        if found is None:
            return []
        self.longest, claim = found
        if claim is None:
            return []
        encoding, steps = self.apart.encoding, self.steps(self.budget.induction)
        _, answers = induction.attempt(self.apart, encoding, claim, steps)
        self.spend(answers)
        if confirm.agreed(answers):
            return [claim]
        self.longest = replace(self.longest, at_most=None, inequalities=())
        return []

    def _seconds_left(self) -> float | None:
        seconds = self.budget.seconds
        return None if seconds is None else self.began + seconds - time.perf_counter()

    def _shortest(self) -> int:
        """Return how many steps the shortest Play shown has; 1, as of an induction, if none."""
        return min((len(found.endless.play.steps) for found in self.found), default=1)

    def _told(self, verdict: Verdict) -> Verdict:
        told = Termination(
            tuple(found.endless for found in self.found if not self._covered(found)),
            tuple(ranked for ranked, _ in self.rankings),
            self.longest,
        )
        return replace(self._timed(verdict), termination=told)

    def _covered(self, one: Found) -> bool:
        """Return whether another loop goes on wherever this one does."""
        return any(set(other.cube) < set(one.cube) for other in self.found)

    def _timed(self, verdict: Verdict) -> Verdict:
        now = self._verdict(verdict.outcome, verdict.method, verdict.depth)
        return replace(verdict, seconds=now.seconds, spent=now.spent)

    # One set of sources without a limit.

    def _decide(self, sources: tuple[str, ...]) -> None:
        taken = dict(self.encoding.readings) | {
            limit_reading(one): UNLIMITED if one in sources else LIMITED for one in self.sources
        }
        first = bool(sources)
        while True:
            self._in_time()
            case = Case(sources, taken, tuple(found.cube for found in self.found))
            rest = encode(self.limited, self.encoding.parameters, taken)
            if depends.impossible(rest.without(case.apart_from), self.budget.induction):
                return
            ranker = self._ranker(self._usual(case))
            if first:
                first = False
                if self._loops(case, ranker, [*ranker.rules], _FIRST):
                    continue
            left = self._ranked(case, ranker)
            if not left:
                return
            if self._loops(case, ranker, left):
                continue
            if self._ranked(
                case, self._ranker(rest.without(case.apart_from))
            ):  # rules are left
                which = f"without a limit on {', '.join(sources)}" if sources else "limited"
                self.reasons.append(
                    f"{which}: no ranking function is proved, and no loop found"
                )
            return

    def _in_time(self) -> None:
        """Raise OutOfTime where no seconds are left."""
        left = self.budget.seconds
        if left is not None and time.perf_counter() - self.began >= left:
            raise OutOfTime

    def _ranker(self, encoding: Encoding) -> Ranker:
        """Return what ranks in an encoding, with the steps seen while all was limited."""
        holds = all_of(encoding.holds(claim) for claim in self.given)
        key = repr((encoding.parameters, others_taken(encoding.readings), encoding.excluded))
        steps = self.steps(self.budget.induction)
        deadline = Deadline.after(self._seconds_left())
        ranker = Ranker(
            encoding, self._features, holds, steps, self._seen.get(key, {}), deadline
        )
        if UNLIMITED not in limits_taken(encoding.readings).values():
            self._seen[key] = ranker.seen
        return ranker

    def _ranked(self, case: Case, ranker: Ranker) -> tuple[str, ...]:
        """Prove a ranking function; return the rules left without, all if it is not proved."""
        self.say("engine", "ranking function")
        ranking = ranker.rank()
        if not ranking.left and self._prove(case, ranking):
            if not case.sources:  # what only these limits end, a loop without them takes
                self._held = {one: ranking.falling_by(one) for one in self.sources}
                self._sums = tuple(one.value for one in ranking.components)
            return ()
        return ranking.left or tuple(ranker.rules)

    @cached_property
    def _features(self) -> tuple[Feature, ...]:
        return features(encode(self.limited))

    def _usual(self, case: Case) -> Encoding:
        """Return the encoding in which to rank: usual values and default readings if may be."""
        usual = {**default_readings(self.limited.setting), **case.taken}
        encoding = encode(self.limited, self.values, usual).without(case.apart_from)
        if depends.impossible(encoding, self.budget.induction):
            encoding = encode(self.limited, self.values, case.taken).without(case.apart_from)
        return encoding

    def _for_loops(self, case: Case) -> Encoding:
        """Return the encoding in which to look for loops: usual values and any readings."""
        return encode(self.limited, self.under_limits, case.taken).without(case.apart_from)

    def _prove(self, case: Case, ranking: Ranking) -> bool:
        """Return whether a ranking function is proved for all values and all other readings."""

        def under(p: Any) -> Bool:
            return all_of(
                taken(p, limits_taken(case.taken)),
                (negate(taken(p, dict(cube))) for cube in case.apart_from),
            )

        without = f" without a limit on {', '.join(case.sources)}" if case.sources else ""
        id_ = "-".join(["ends", *(f"without-{one}" for one in case.sources)])
        says = f"In every step of the limited game{without} its ranking function falls."
        claim = falls(self.limited, id_, says, ranking, under, self.using)
        _, answers = induction.attempt(
            self.apart, self.apart.encoding, claim, self.steps(self.budget.induction)
        )
        self.spend(answers)
        if not confirm.agreed(answers):
            return False
        shown = tuple((str(one.value), one.rules) for one in ranking.components)
        self.rankings.append((Ranked(case.sources, shown, ruled_out(case)), claim))
        return True

    # A loop that goes on by some sources.

    def _loops(
        self, case: Case, ranker: Ranker, among: Sequence[str], words: int | None = None
    ) -> bool:
        """Return whether loops of some rules were found, along so many words at most."""
        self.say("engine", "loops")
        everything = [rule.id for rule in self.game.rules]
        counts = {
            f"s.used.{limit.id}": everything if limit.id in case.sources else limit.renewed
            for limit in self.game.limits
        }
        encoding = self._for_loops(case)
        steps = self.steps(self.budget.induction)
        search = Loops(encoding, self._graph, counts, self.given, steps)
        before = len(self.found)
        needed: list[Sequence[str]] = [self._users[source] for source in case.sources]
        needed += [self._held[one] for one in case.sources if one in self._held]
        ends = Ends(ranker)
        for word in itertools.islice(search.words(among, needed, ends), words):
            self._in_time()
            for _ in range(_TRIES):  # under the readings that are left, again and again
                loop = search.find(word, encoding)
                if loop is None:
                    break
                found = self._continuing.endless(case, loop, 1 + self._claimed())
                if found is not None:
                    self.found.append(found)
                    case = replace(case, apart_from=(*case.apart_from, found.cube))
                    encoding = self._for_loops(case)
                elif loop.growing:
                    search.rule_out(loop)
                else:
                    break
            if len(self.found) > before:
                return True
        return False

    def _claimed(self) -> int:
        return sum(found.claim is not None for found in self.found)

    @cached_property
    def _users(self) -> dict[str, list[str]]:
        return users_of(self.game, self.limited)

    @cached_property
    def _graph(self) -> nx.DiGraph[str]:
        """The rule graph under usual values, or some, and the default readings: a guide."""
        usual = default_readings(self.limited.setting) | dict(self.encoding.readings)
        encoding = encode(self.limited, self.under_limits, usual)
        text = smtlib.declare(encoding.rigid) + f"(assert {smtlib.text(encoding.constraint)})"
        found = solvers.run("z3", f"{text}\n(check-sat)\n", [v.name for v in encoding.rigid])
        return rule_graph(self.limited, setting_of(encoding, found.values))
