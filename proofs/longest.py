"""The largest number of steps that Plays of a game with limits can take, between two figures.

    at most    inequalities between how often rules are taken, added up: one invariant, of the
               state and of what a bystander counts, that is proved like any other
    at least   a Play, made so that what the inequalities leave of steps falls as slowly as may
               be, replayed by the rules

All is said of the values and readings of one encoding, where every source is limited.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..models.algebra import Bool, all_of, implies, negate, total, where
from ..models.editions import default_readings
from ..models.limits import LIMITED, limit_reading, unlimited
from ..models.play import replay
from ..models.setting import parameters_of
from ..models.system import Game, Kind, Property
from . import smtlib, solvers
from .bmc import setting_of
from .cases import same
from .combine import in_whole_numbers
from .deadline import NEVER, Deadline
from .encoding import Encoding, encode
from .features import Feature, Sum, finer, scalars_of
from .inequalities import Inequality, Search, weighed
from .long_plays import long_play
from .samples import Sample
from .solvers import Steps
from .verdict import Longest

__all__ = ["Allowed", "StepsWithinLimits", "allowed_steps", "at_most"]

# Steps of z3 for one question about a sum; where they do not do, another sum is tried.
_BUDGET = 1_000_000


@dataclass(frozen=True)
class Allowed:
    """How many steps there can be at most, and why.

    ``one_at_most`` names vectors of the state, flags of which one at most is set. ``left``
    falls by ``each`` at least in every step, and is never below 0. ``scarce`` is the part of
    it that no step seen raises.
    """

    steps: int
    inequalities: tuple[Inequality, ...]
    one_at_most: tuple[str, ...]
    left: Sum
    each: int
    scarce: Sum


def allowed_steps(
    game: Game, encoding: Encoding, among: Sequence[Feature], sums: Sequence[Sum], given: Bool,
    steps: Steps, deadline: Deadline = NEVER,
) -> Allowed | None:  # fmt: skip
    """Return how many steps inequalities allow; None if those that are found allow any number.

    ``encoding`` is of ``game`` with limits, ``given`` holds in it. ``among`` and ``sums`` are
    what counters are made of. Raises OutOfTime.
    """
    alone = tuple(_one_at_most(encoding, given, steps))
    known = all_of(given, _alone(encoding.game, encoding.point().s, alone))
    budget = dataclasses.replace(steps, z3=min(steps.z3, _BUDGET))
    search = Search(encoding, finer(game, among), sums, known, budget, deadline)
    if search.first() is None:
        return None
    search.closer()
    rules = [rule.id for rule in game.rules]
    found = weighed(search.found, dict.fromkeys(rules, 1), deadline)
    assert found is not None, "what limits the steps still does"
    most, weights = found
    used = [(one, n) for one, n in zip(search.found, weights, strict=True) if n]
    each, left = in_whole_numbers([one.value for one, _ in used], [n for _, n in used])
    scarce = Sum(tuple((f, n) for f, n in left.terms if _only_falls(f, n, search.samples)))
    return Allowed(math.floor(most), tuple(one for one, _ in used), alone, left, each, scarce)


def _only_falls(feature: Feature, times: int, samples: Sequence[Sample]) -> bool:
    changes = [times * step.change.get(feature, 0) for step in samples]
    return any(changes) and max(changes) <= 0


def at_most(
    game: Game,
    allowed: Allowed,
    steps: int,
    under: Callable[[Any], Bool],
    using: tuple[str, ...],
) -> Property:
    """Return the claim that no Play takes more steps, of a game that counts rules taken."""
    rules = [rule.id for rule in game.rules]

    def holds(p: Any, s: Any, t: Any) -> Bool:
        scalars = scalars_of(game, p, s)
        taken = dict(zip(rules, t.taken, strict=True))
        said = all_of(
            (one.holds(scalars, taken) for one in allowed.inequalities),
            (n >= 0 for n in t.taken),
            _alone(game, s, allowed.one_at_most),
            total(t.taken) <= steps,
        )
        return implies(under(p), said)

    says = f"No Play within the limits assumed takes more than {steps} steps."
    return Property(f"at-most-{steps}-steps", Kind.INVARIANT, (), says, holds, using)


@dataclass(frozen=True)
class StepsWithinLimits:
    """The question how many steps Plays take under given values, usual readings and limits.

    ``game`` is the game itself, ``counted`` the same with limits, that counts rules taken;
    ``using`` are claims that hold in it. Readings that are not given are taken as usual.
    """

    game: Game
    counted: Game
    values: Mapping[str, Any]
    readings: Mapping[str, str]
    using: tuple[str, ...]
    steps: Steps
    deadline: Deadline = NEVER

    def find(
        self, among: Sequence[Feature], sums: Sequence[Sum]
    ) -> tuple[Longest, Property | None] | None:
        """Return what is found, and the claim that has to be proved for it; None if nothing.

        Raises OutOfTime.
        """
        usual = {**default_readings(self.game.setting), **self.readings}
        under = {**usual, **{limit_reading(one.id): LIMITED for one in self.game.limits}}
        figures = tuple(limit.most for limit in self.game.limits)
        encoding = encode(self.counted, {**self.values, "limit": figures}, under)
        setting = _some(encoding)
        if setting is None:
            return None
        known = [self.counted.property(id_) for id_ in self.using]
        given = all_of(encoding.holds(claim) for claim in known)
        allowed = allowed_steps(
            self.game, encoding, among, sums, given, self.steps, self.deadline
        )
        if allowed is None:
            return None
        whole = {name: getattr(setting, name) for name in parameters_of(self.counted.setting)}
        settled = encode(self.counted, whole, under)
        play = long_play(
            settled, allowed.left, allowed.each, allowed.scarce, self.steps, self.deadline
        )
        list(replay(self.counted, play))  # the rules say whether it is one
        limits = tuple((limit.id, limit.most) for limit in self.game.limits)
        longest = Longest(
            limits, tuple(sorted(usual.items())), allowed.steps,
            tuple(map(str, allowed.inequalities)), unlimited(self.game, play),
        )  # fmt: skip

        def taken(p: Any) -> Bool:
            values = {**self.values, "limit": figures}
            return all_of(
                (same(getattr(p, name), value) for name, value in values.items()),
                (
                    getattr(p, name.replace("-", "_")).is_(choice)
                    for name, choice in under.items()
                ),
            )

        return longest, at_most(self.counted, allowed, allowed.steps, taken, self.using)


def _some(encoding: Encoding) -> Any:
    """Return a setting that an encoding allows; None if there is none."""
    asked = all_of(encoding.constraint, encoding.rigid_values())
    text = f"{smtlib.declare(encoding.rigid)}(assert {smtlib.text(asked)})\n(check-sat)\n"
    found = solvers.run("z3", text, [variable.name for variable in encoding.rigid])
    return setting_of(encoding, found.values) if found.answer == "sat" else None


def _alone(game: Game, s: Any, fields: Sequence[str]) -> Bool:
    return all_of(
        total([where(flag, 1, 0) for flag in getattr(s, name)]) <= 1 for name in fields
    )


def _one_at_most(encoding: Encoding, given: Bool, steps: Steps) -> Iterator[str]:
    """Yield the vectors of flags of which no rule sets a second one."""
    game, p, here = encoding.game, encoding.p, encoding.point().s
    first = game.initial(p)
    for name in _flags(encoding):
        if _alone(game, first, [name]) is not True:
            continue
        before = all_of(encoding.constraint, encoding.rigid_values(), given)
        before = all_of(before, _alone(game, here, [name]))
        if all(
            _never(
                encoding,
                all_of(before, f.guard, negate(_alone(game, f.after.s, [name]))),
                steps,
            )
            for f in encoding.rules
        ):
            yield name


def _flags(encoding: Encoding) -> list[str]:
    names: dict[str, int] = {}
    for variable in encoding.state:
        if variable.sort == "Bool" and variable.name.startswith("s."):
            field = variable.name.split(".")[1]
            names[field] = names.get(field, 0) + 1
    return [name for name, number in names.items() if number > 1]


def _never(encoding: Encoding, asked: Bool, steps: Steps) -> bool:
    constants = (*encoding.rigid, *encoding.state, *encoding.reveals)
    text = f"{smtlib.declare(constants)}(assert {smtlib.text(asked)})\n(check-sat)\n"
    return solvers.run("z3", text, steps=steps).answer == "unsat"
