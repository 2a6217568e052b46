"""What the checks of a folder prove by rules, judged from their text alone.

A check proves something only if it is built from the system and the claims as they stand in
their files. Each of its definitions has to stand there word for word; each assertion is either

    range.N                       what binds the rigid constants
    (not reading.I.C)             a reading that the manifest leaves out
    (claim.L s.a …)               a conjunct of φ, of the current point
    guard.R                       that rule R fires

or the one goal, the negation of what is to be shown:

    (not (claim.L start.a …))     a conjunct of φ holds at the start:      ranges only assumed
    (not (claim.L next.R.a …))    it holds after rule R:                   φ and guard.R assumed
    (not (claim.P.R next.R.a …))  step property P holds where R fires:     φ and guard.R assumed
    (or (not …) … false)          several of these at once

All is proved when each conjunct of φ holds at the start and after every rule, each stated
invariant is a conjunct, and each stated step property holds for every rule. A claim that is a
conjunction may be shown part by part (``claim.L.1``, ``claim.L.2``, …).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..errors import BadInput
from .commands import Assert, Check, Declare, Define, Said
from .graph import same_conjuncts
from .sexpr import Atom, List, SExpr, write
from .transitions import NEXT, Transitions

__all__ = ["Asked", "Stated", "judge", "none_of"]


@dataclass(frozen=True)
class Stated:
    """What is to be shown: conjuncts of φ, and step properties, by id; what is left out."""

    conjuncts: tuple[str, ...]
    steps: tuple[str, ...]
    invariants: tuple[str, ...]
    excluded: tuple[Mapping[str, str], ...]


@dataclass(frozen=True)
class Asked:
    """A check with what it proves, in words; its answer has to be ``unsat``."""

    name: str
    text: str
    place: str


@dataclass(frozen=True)
class _Goal:
    """One claim at one place: the start (rule is None), or after a rule; "" for anywhere."""

    claim: str
    rule: str | None


@dataclass
class _Assumed:
    """What a check assumes beyond ranges: claims of the current point, and a rule's guard."""

    claims: list[str] = field(default_factory=list)
    guards: list[str] = field(default_factory=list)


def judge(
    system: Transitions,
    claims: Mapping[str, Define],
    stated: Stated,
    checks: Sequence[Check],
) -> tuple[Asked, ...]:
    """Return the checks by name, once they prove what is stated, if all are ``unsat``.

    Raises BadInput for a check that is not built from system and claims, or that proves
    nothing stated; for what no check proves; for a claim that speaks of what it may not.
    """
    return _Judge(system, claims, stated).judge(checks)


class _Judge:
    def __init__(
        self, system: Transitions, claims: Mapping[str, Define], stated: Stated
    ) -> None:
        self.system = system
        self.claims = claims
        self.stated = stated
        self.shown: set[_Goal] = set()
        self.conjuncts = {f"claim.{one}": one for one in stated.conjuncts}
        self.steps = {
            f"claim.{one}.{rule}": (one, rule) for one in stated.steps for rule in system.rules
        }
        self.parts: dict[str, str] = {}
        self.left_out = {none_of(cube) for cube in stated.excluded}

    def judge(self, checks: Sequence[Check]) -> tuple[Asked, ...]:
        self._know_claims()
        asked = tuple(self._check(check) for check in checks)
        missing = list(self._missing())
        if missing:
            raise BadInput(f"no check shows {'; nor '.join(missing)}")
        return asked

    def _know_claims(self) -> None:
        """Refuse claims that nothing states, and those that say more than a claim may."""
        both = self.conjuncts.keys() & self.steps.keys()
        if both:
            raise BadInput(f"{min(both)} is a conjunct of φ and a step property's at once")
        if len(self.steps) < len(set(self.stated.steps)) * len(self.system.rules):
            raise BadInput(
                "two step properties, each with a rule, have one name for their claims"
            )
        for name, claim in self.claims.items():
            whole, _, number = name.rpartition(".")
            if name not in self.conjuncts and name not in self.steps:
                if whole not in self.claims or not number.isdecimal():
                    raise BadInput(f"{name} is defined, but the manifest does not speak of it")
                self.parts[name] = whole
            of_step = name in self.steps or self.parts.get(name) in self.steps
            self.system.allows_claim(claim, NEXT if of_step else "")
        for name in (*self.conjuncts, *self.steps):
            if name not in self.claims:
                raise BadInput(f"{name} is not defined, but the manifest speaks of it")
        for id_ in self.stated.invariants:
            if id_ not in self.stated.conjuncts:
                raise BadInput(f"{id_} is stated, but is no conjunct of φ")
        for whole in sorted(set(self.parts.values())):
            parts = list(self._parts_of(whole))
            if len(parts) != list(self.parts.values()).count(whole) or not same_conjuncts(
                self.claims[whole].body, [self.claims[part].body for part in parts]
            ):
                raise BadInput(f"the parts of {whole} are not the conjuncts it is made of")

    def _parts_of(self, whole: str) -> Iterator[str]:
        number = 1
        while (name := f"{whole}.{number}") in self.parts:
            yield name
            number += 1

    def _check(self, check: Check) -> Asked:
        first, last = check.commands[0].command, check.commands[-1].command
        if first.text != "(set-logic ALL)" or last.text != "(check-sat)":
            raise BadInput(f"{check.place}: a check goes from set-logic ALL to check-sat")
        seen: set[str] = set()
        assumed, goals = _Assumed(), list[_Goal]()
        for said in check.commands[1:-1]:
            match said.command:
                case Declare(_, name) | Define(_, name) if name in seen:
                    raise BadInput(f"{said.place}: {name} is there twice")
                case Declare(_, name, sort):
                    self.system.is_constant(name, sort, said)
                    seen.add(name)
                case Define(_, name, _, _, _, names):
                    self._stands_elsewhere(said, name)
                    _are_known(names, seen, said)
                    seen.add(name)
                case Assert(_, term, text, names):
                    _are_known(names, seen, said)
                    found = self._assume(term, text, assumed)
                    if found is None and goals:
                        raise BadInput(f"{said.place}: a second goal; a check has one")
                    goals += found if found is not None else self._goals(term, said.place)
                case _:
                    raise BadInput(f"{said.place}: {said.command.text} has no place in a check")
        if not goals:
            raise BadInput(f"{check.place}: this check has no goal: nothing follows from it")
        return Asked(self._prove(goals, assumed, check.place), check.text, check.place)

    def _stands_elsewhere(self, said: Said, name: str) -> None:
        original = self.system.definitions.get(name) or self.claims.get(name)
        if original is None:
            raise BadInput(f"{said.place}: {name} is defined neither in system nor in claims")
        if original.text != said.command.text:
            raise BadInput(f"{said.place}: {name} is not what system and claims say it is")

    def _assume(self, term: SExpr, text: str, assumed: _Assumed) -> list[_Goal] | None:
        """Note what an assertion assumes; return no goals, or None where it is none."""
        if text in self.system.ranges or text in self.left_out:
            return []
        if text in self.system.guards:
            assumed.guards.append(self.system.guards[text])
            return []
        name, arguments = _application(term)
        if name in self.conjuncts and arguments == self._parameters(name):
            assumed.claims.append(name)
            return []
        return None

    def _parameters(self, name: str) -> list[str]:
        return [parameter for parameter, _ in self.claims[name].parameters]

    def _goals(self, term: SExpr, place: str) -> list[_Goal]:
        match term:
            case List((Atom("or"), *cases, Atom("false"))):
                negated = cases
            case _:
                negated = [term]
        return [self._goal(one, place) for one in negated]

    def _goal(self, term: SExpr, place: str) -> _Goal:
        match term:
            case List((Atom("not"), applied)):
                name, arguments = _application(applied)
                if name in self.claims:
                    for goal in self._places(name):
                        prefix = "start." if goal.rule is None else f"next.{goal.rule}."
                        wanted = [
                            prefix + one.removesuffix(NEXT) for one in self._parameters(name)
                        ]
                        if arguments == wanted:
                            return goal if wanted else _Goal(name, self._rule_of(name) or "")
        said = write(term)
        raise BadInput(
            f"{place}: {said[:100]} is no assumption that a proof may make, and no goal"
        )

    def _places(self, name: str) -> Iterator[_Goal]:
        rule = self._rule_of(name)
        if rule is not None:
            yield _Goal(name, rule)
        else:
            yield _Goal(name, None)
            yield from (_Goal(name, one) for one in self.system.rules)

    def _rule_of(self, name: str) -> str | None:
        """Return the rule that a step property's claim (or a part of it) speaks of."""
        found = self.steps.get(self.parts.get(name, name))
        return found[1] if found else None

    def _prove(self, goals: Sequence[_Goal], assumed: _Assumed, place: str) -> str:
        """Note what a check proves; return its name."""
        guards = set(assumed.guards)
        for goal in goals:
            free = not assumed.claims and not guards
            if goal.rule is None and not free:
                raise BadInput(f"{place}: a check of the start assumes more than ranges")
            if goal.rule == "":  # it speaks of nothing that changes
                places = {one for one in self._places(goal.claim) if one.rule or free}
                self.shown |= {one for one in places if guards <= {one.rule}}
            elif guards <= {goal.rule}:
                self.shown.add(goal)
            else:
                raise BadInput(f"{place}: it assumes that another rule fires than it is about")
        return self._named(goals)

    def _named(self, goals: Sequence[_Goal]) -> str:
        claim = goals[0].claim
        whole = self.parts.get(claim, claim)
        about = self.steps[whole][0] if whole in self.steps else self.conjuncts[whole]
        part = "property" if whole in self.steps else "step" if goals[0].rule else "base"
        rules = ", ".join(dict.fromkeys(goal.rule for goal in goals if goal.rule))
        if claim in self.parts:
            rules += f", conjunct {claim.rpartition('.')[2]}"
        return f"{part} {about}" + (f" ({rules})" if rules else "")

    def _missing(self) -> Iterator[str]:
        for name, id_ in self.conjuncts.items():
            if not self._is_shown(name, None):
                yield f"that {id_} holds at the start"
            for rule in self.system.rules:
                if not self._is_shown(name, rule):
                    yield f"that {id_} holds after {rule}"
        for name, (id_, rule) in self.steps.items():
            if not self._is_shown(name, rule):
                yield f"that {id_} holds where {rule} fires"

    def _is_shown(self, name: str, rule: str | None) -> bool:
        if _Goal(name, rule) in self.shown:
            return True
        parts = list(self._parts_of(name))
        return bool(parts) and all(_Goal(part, rule) in self.shown for part in parts)


def _are_known(names: frozenset[str], seen: set[str], said: Said) -> None:
    if not names <= seen:
        unknown = min(names - seen)
        raise BadInput(f"{said.place}: {unknown} is neither declared nor defined before")


def _application(term: SExpr) -> tuple[str, list[str]]:
    """Return what is applied to which names; no name where it is something else."""
    match term:
        case Atom(name):
            return name, []
        case List((Atom(name), *arguments)):
            if all(isinstance(one, Atom) for one in arguments):
                return name, [one.text for one in arguments if isinstance(one, Atom)]
    return "", []


def none_of(cube: Mapping[str, str]) -> str:
    """Return, as text, that some readings are not all taken as a cube says."""
    taken = [f"reading.{reading}.{choice}" for reading, choice in sorted(cube.items())]
    return f"(not (and {' '.join(taken)}))" if len(taken) > 1 else f"(not {taken[0]})"
