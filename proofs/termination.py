"""``terminates``: why Plays end, how they go on for ever, and what limits make them end.

The game is taken with a limit on each source of length, each of which may bind or not
(``models.limits``). For every set of sources without a limit, the smallest first:

    a loop               is a Play that goes on for ever by these sources;
    a ranking function   proves that Plays end while all other sources are limited.

A loop is generalised to the readings that matter to it, and the search goes on under the
others, until a ranking function covers them or none are left. So each source is shown to be
one, alone, under exactly the readings under which it is; a set of sources that a loop covers
already is not looked at again. The game itself has no limits: it ends except where a loop goes
on.

Ranking functions and closed sets are proved as step properties and invariants of the game with
limits, for every value of the limits, parameters and readings: one certificate states them all.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import networkx as nx

from ..errors import BadInput
from ..models.algebra import Bool, Value, all_of, equal, implies, negate
from ..models.editions import default_readings, has_edition, load_edition
from ..models.limits import (
    LIMITED,
    UNLIMITED,
    WITHIN_LIMITS,
    limit_reading,
    limited,
    unlimited,
)
from ..models.play import Play, replay
from ..models.setting import parameters_of, readings_of, settle
from ..models.system import Game, Kind, Property, Step
from ..models.taken import counted
from . import confirm, depends, induction, smtlib, solvers
from .bmc import setting_of
from .budget import Budget
from .closed import Region, closed, find_region, goes_on
from .deadline import Deadline, OutOfTime
from .encoding import Encoding, encode
from .engines import Inquiry
from .events import Listener
from .features import Feature, Sum, features
from .lasso import Loop, Loops
from .longest import StepsWithinLimits
from .paths import rule_graph
from .ranking import Ranker, Ranking, falls
from .samples import Sample
from .verdict import Cube, Endless, Longest, Outcome, Ranked, Termination, Verdict
from .workbench import Workbench

__all__ = ["decide_terminates"]

# How often one sequence of rules is tried: what grows in it may differ, and the readings.
_TRIES = 12
# Along so many sequences of rules a loop by new sources is looked for before all else.
_FIRST = 20
# So many sums are tried to see that rules cannot be taken again and again.
_BRIEF = 20


def decide_terminates(
    bench: Workbench, claim: Property, budget: Budget, listener: Listener
) -> Verdict:
    """Prove that every Play ends, or show how one does not and what limits make it end."""
    return _Inquiry(bench, claim, budget, listener).run()


@dataclass(frozen=True)
class _Case:
    """Which sources have no limit, and the readings that are not covered by a loop."""

    sources: tuple[str, ...]
    taken: Mapping[str, str]
    apart_from: tuple[Cube, ...]


@dataclass(frozen=True)
class _Found:
    endless: Endless
    cube: Cube
    claim: Property | None


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
        self.values = plain.parameters or _usual_values(self.game)
        self.under_limits = {**self.values, "limit": self.most}
        self.found: list[_Found] = []
        self.rankings: list[tuple[Ranked, Property]] = []
        self.longest: Longest | None = None
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
        cubes = [_of_the_game(found.cube) for found in self.found]
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
        return replace(
            self._verdict(outcome, method, self._shortest()),
            certificate=made,
            answers=answers,
            fails_under=implicants,
        )

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

    def _covered(self, one: _Found) -> bool:
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
            case = _Case(sources, taken, tuple(found.cube for found in self.found))
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
        key = repr((encoding.parameters, _other(encoding.readings), encoding.excluded))
        steps = self.steps(self.budget.induction)
        ranker = Ranker(encoding, self._features, holds, steps, self._seen.get(key, {}))
        if UNLIMITED not in _limits(encoding.readings).values():
            self._seen[key] = ranker.seen
        return ranker

    def _ranked(self, case: _Case, ranker: Ranker) -> tuple[str, ...]:
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

    def _usual(self, case: _Case) -> Encoding:
        """Return the encoding in which to rank: usual values and default readings if may be."""
        usual = {**default_readings(self.limited.setting), **case.taken}
        encoding = encode(self.limited, self.values, usual).without(case.apart_from)
        if depends.impossible(encoding, self.budget.induction):
            encoding = encode(self.limited, self.values, case.taken).without(case.apart_from)
        return encoding

    def _for_loops(self, case: _Case) -> Encoding:
        """Return the encoding in which to look for loops: usual values and any readings."""
        return encode(self.limited, self.under_limits, case.taken).without(case.apart_from)

    def _prove(self, case: _Case, ranking: Ranking) -> bool:
        """Return whether a ranking function is proved for all values and all other readings."""

        def under(p: Any) -> Bool:
            return all_of(
                _taken(p, _limits(case.taken)),
                (negate(_taken(p, dict(cube))) for cube in case.apart_from),
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
        self.rankings.append((Ranked(case.sources, shown, _ruled_out(case)), claim))
        return True

    # A loop that goes on by some sources.

    def _loops(
        self, case: _Case, ranker: Ranker, among: Sequence[str], words: int | None = None
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
        ends = _Ends(ranker)
        for word in itertools.islice(search.words(among, needed, ends), words):
            self._in_time()
            for _ in range(_TRIES):  # under the readings that are left, again and again
                loop = search.find(word, encoding)
                if loop is None:
                    break
                found = self._endless(case, loop)
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

    @cached_property
    def _users(self) -> dict[str, list[str]]:
        """By source, the rules that use it; those that only start it afresh are none."""
        encoding = encode(self.limited)
        at = {variable.name: number for number, variable in enumerate(encoding.state)}
        return {
            limit.id: [
                formula.rule.id
                for formula in encoding.rules
                if not _idle(formula.updates[at[f"s.used.{limit.id}"]], f"s.used.{limit.id}")
            ]
            for limit in self.game.limits
        }

    @cached_property
    def _graph(self) -> nx.DiGraph[str]:
        """The rule graph under usual values, or some, and the default readings: a guide."""
        usual = default_readings(self.limited.setting) | dict(self.encoding.readings)
        encoding = encode(self.limited, self.under_limits, usual)
        text = smtlib.declare(encoding.rigid) + f"(assert {smtlib.text(encoding.constraint)})"
        found = solvers.run("z3", f"{text}\n(check-sat)\n", [v.name for v in encoding.rigid])
        return rule_graph(self.limited, setting_of(encoding, found.values))

    def _endless(self, case: _Case, loop: Loop) -> _Found | None:
        """Return a loop with the readings that matter; None if it does not go on for ever."""
        play, start = loop.play, loop.start
        around = play.steps[start:]
        points = list(replay(self.limited, play))
        if any(self.game.goal.ended(play.setting, point.s) for point in points):
            return None
        shape = self.game.state_shape()
        before, after = (shape.scalars(points[at].s) for at in (start, len(play.steps)))
        growing = tuple(name for name in before if before[name] != after[name])
        region: Region | None = None
        chosen: Mapping[str, Any] = {}
        if growing:
            for chosen in ({}, self._values_of(play)):
                region = self._region(play, chosen, points[start].s, growing, around)
                if region is not None:
                    break
            else:
                return None
        fixed = {**self.encoding.readings, **_limits(case.taken, UNLIMITED)}
        rest = encode(self.limited, self.encoding.parameters, fixed).without(case.apart_from)

        def kept(p: Any) -> Bool:
            return negate(self._goes_on(p, play, start, region, rest.point().s))

        matter = depends.generalise_by(
            rest, kept, play.setting, self.steps(self.budget.induction),
            rest.state if region else (),
        )  # fmt: skip
        cube = tuple(sorted({**dict(matter), **_limits(fixed)}.items()))
        claim = None
        if region is not None:
            claim = self._closed(region, around, _of_the_game(cube), chosen)
        plain = self._as_usual(case, unlimited(self.game, play), _of_the_game(cube))
        list(replay(self.game, plain))
        told = Endless(
            case.sources, _of_the_game(cube), plain, start, growing,
            region.words() if region else (),
        )  # fmt: skip
        return _Found(told, cube, claim)

    def _as_usual(self, case: _Case, play: Play, cube: Cube) -> Play:
        """Return a Play under default readings, where it is one under all that matter not."""
        usual = {**default_readings(self.game.setting), **dict(cube), **self.encoding.readings}
        values = {
            name: getattr(play.setting, name) for name in parameters_of(self.game.setting)
        }
        known = {**usual, **case.taken}
        if any(all(known[name] == choice for name, choice in o) for o in case.apart_from):
            return play  # another loop goes on there: this one need not
        setting, _, fits = settle(self.game.setting, values, usual)
        return replace(play, setting=setting) if fits is True else play

    def _values_of(self, play: Play) -> dict[str, Any]:
        return {
            name: getattr(play.setting, name)
            for name in parameters_of(self.game.setting)
            if name not in self.encoding.parameters
        }

    def _region(
        self, play: Play, chosen: Mapping[str, Any], start: Any, growing: Sequence[str],
        around: Sequence[Step],
    ) -> Region | None:  # fmt: skip
        """Return a closed set under the readings of a Play; ``chosen`` values are as in it."""
        readings = {
            name: getattr(play.setting, name.replace("-", "_")).name
            for name in readings_of(self.game.setting)
        }
        encoding = encode(self.game, {**self.encoding.parameters, **chosen}, readings)
        steps = self.steps(self.budget.induction)
        return find_region(encoding, start, growing, around, steps)

    def _goes_on(self, p: Any, play: Play, start: int, region: Region | None, x: Any) -> Bool:
        """Return that a Play goes on for ever: from ``x`` on too, any state of the region."""
        legal, before = goes_on(self.limited, p, self.limited.initial(p), play.steps[:start])
        around = play.steps[start:]
        again, after = goes_on(self.limited, p, before, around)
        scalars = self.game.state_shape().scalars
        was, now = scalars(before), scalars(after)
        if region is None:
            return all_of(legal, again, (equal(was[name], now[name]) for name in was))
        return all_of(legal, again, region.holds(was), closed(self.game, region, around, p, x))

    def _closed(
        self, region: Region, around: Sequence[Step], cube: Cube,
        chosen: Mapping[str, Any],
    ) -> Property:  # fmt: skip
        """Return the claim that a region is closed, under some readings and values."""

        def holds(p: Any, s: Any, t: Any) -> Bool:
            same = all_of(_same(getattr(p, name), value) for name, value in chosen.items())
            under = all_of(_taken(p, dict(cube)), same)
            return implies(under, closed(self.game, region, around, p, s))

        number = 1 + sum(found.claim is not None for found in self.found)
        says = f"From {' and '.join(region.words())} the same steps lead back there."
        return Property(f"goes-on-{number}", Kind.INVARIANT, (), says, holds)


class _Ends:
    """Whether Plays of some rules alone end; then those of fewer do, and else of no more."""

    def __init__(self, ranker: Ranker) -> None:
        self._ranker = ranker
        self._known: dict[bool, list[frozenset[str]]] = {True: [], False: []}

    def __call__(self, rules: Sequence[str]) -> bool:
        asked = frozenset(rules)
        if any(asked <= more for more in self._known[True]):
            return True
        if any(fewer <= asked for fewer in self._known[False]):
            return False
        ends = not self._ranker.rank(sorted(asked), _BRIEF).left
        self._known[ends].append(asked)
        return ends


def _usual_values(game: Game) -> Mapping[str, Any]:
    """Return the values of the game's own edition; none where it has none that fits."""
    if not has_edition(game):
        return {}
    try:
        values: Mapping[str, Any] = load_edition(game).parameters
        return values
    except BadInput:  # a copy of the game, of another size
        return {}


def _limits(taken: Mapping[str, str], choice: str = "") -> dict[str, str]:
    """Return what is taken of whether limits bind, or those of one choice."""
    return {
        name: one
        for name, one in taken.items()
        if name.startswith(limit_reading("")) and (not choice or one == choice)
    }


def _other(readings: Mapping[str, str]) -> dict[str, str]:
    """Return what is taken of the readings of the game itself."""
    limits = _limits(readings)
    return {name: one for name, one in readings.items() if name not in limits}


def _idle(update: Value, name: str) -> bool:
    return update == 0 if isinstance(update, int) else smtlib.is_variable(update, name)


def _of_the_game(cube: Cube) -> Cube:
    limits = _limits(dict(cube))
    return tuple(one for one in cube if one[0] not in limits)


def _ruled_out(case: _Case) -> tuple[Cube, ...]:
    """Return the readings under which a loop goes on by these sources, or by some of them."""
    covering = [
        cube for cube in case.apart_from if not any(set(o) < set(cube) for o in case.apart_from)
    ]
    return tuple(
        _of_the_game(cube)
        for cube in covering
        if all(case.taken[name] == choice for name, choice in _limits(dict(cube)).items())
    )


def _taken(p: Any, readings: Mapping[str, str]) -> Bool:
    return all_of(
        getattr(p, name.replace("-", "_")).is_(choice) for name, choice in readings.items()
    )


def _same(one: Any, other: Any) -> Bool:
    if isinstance(one, tuple):
        return all_of(_same(a, b) for a, b in zip(one, other, strict=True))
    return equal(one, other)
