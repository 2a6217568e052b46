"""The transition system that a proof is about, as its file of definitions says it.

    (set-info :rigid "p.jar …")   the constants that no step changes
    (set-info :state "s.a …")     those of the state
    (set-info :reveals "r.b …")   those revealed at a step
    range.N                       binds the rigid constants
    reading.I.C                   whether reading I is taken as C
    start.X                       what X is at the start, of the rigid constants
    guard.R, next.R.X             when rule R fires, and what X is after it

It starts wherever ``start.*`` says, under any rigid constants within all ``range.*``, and goes
on by any rule whose guard holds. Each ``start.*`` and ``next.*`` has to be there, and each
definition may speak only of what is meant here: then it is a transition system, whatever its
text says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..errors import BadInput
from .commands import Command, Declare, Define, Said

__all__ = ["NEXT", "Transitions", "read_transitions"]

NEXT = "!"
"""What the name of a variable of the state after a step ends with."""

_ROLES = ("rigid", "state", "reveals")


@dataclass(frozen=True)
class Transitions:
    """A system by its definitions. ``sorts`` are those of all constants.

    ``guards`` gives the rule of each guard; ``ranges`` are the names that bind rigid constants.
    """

    rigid: tuple[str, ...]
    state: tuple[str, ...]
    reveals: tuple[str, ...]
    sorts: Mapping[str, str]
    definitions: Mapping[str, Define]

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """The rules by id, in the order of the text."""
        return tuple(self.guards.values())

    @cached_property
    def ranges(self) -> frozenset[str]:
        """The names of what binds the rigid constants."""
        return frozenset(name for name in self.definitions if name.startswith("range."))

    @cached_property
    def guards(self) -> dict[str, str]:
        """The rule of each guard, by the guard's name."""
        guards = (name for name in self.definitions if name.startswith("guard."))
        return {name: name.removeprefix("guard.") for name in guards}

    def is_constant(self, name: str, sort: str, said: Said) -> None:
        """Raise BadInput unless a constant of this sort is the system's."""
        if name not in self.sorts:
            raise BadInput(f"{said.place}: {name} is no constant of the system")
        if self.sorts[name] != sort:
            raise BadInput(f"{said.place}: {name} is of sort {self.sorts[name]}, not {sort}")

    def allows_claim(self, claim: Define, suffix: str) -> None:
        """Raise BadInput unless a claim speaks of one point (with a suffix: of one step).

        Of a point, the state is its parameters. Of a step, they are the state after it (names
        with the suffix), and it may speak of the state before it and of what was revealed.
        """
        known = {name + suffix: self.sorts[name] for name in self.state}
        if claim.sort != "Bool":
            raise BadInput(f"{claim.name} is of sort {claim.sort}: a claim is Bool")
        names = [name for name, _ in claim.parameters]
        if len(set(names)) < len(names):
            raise BadInput(f"{claim.name} has a parameter twice")
        for name, sort in claim.parameters:
            if known.get(name) != sort:
                raise BadInput(f"{claim.name}: no variable of the state is {name} of {sort}")
        may = {*self.rigid, *(self.sorts if suffix else ())}
        self._speaks_of(claim, may)

    def _speaks_of(self, definition: Define, may: set[str]) -> None:
        if beyond := definition.names - may:
            raise BadInput(f"{definition.name} may not speak of {min(beyond)}")

    def check(self) -> None:
        """Raise BadInput unless this is a transition system, as the module says."""
        start = [f"start.{name}" for name in self.state]
        after = [f"next.{rule}.{name}" for rule in self.rules for name in self.state]
        for name in (*start, *after):
            if name not in self.definitions:
                raise BadInput(f"{name} is not defined")
        if "" in self.rules:
            raise BadInput("a rule has no name: guard.RULE was expected")
        values = {
            full: self.sorts[name]
            for full, name in zip(
                (*start, *after), self.state * (1 + len(self.rules)), strict=True
            )
        }
        rigid, all_ = set(self.rigid), set(self.sorts)
        for name, definition in self.definitions.items():
            kind = name.partition(".")[0]
            if name not in values and kind not in ("range", "reading", "guard"):
                raise BadInput(f"{name} is no definition that a system has")
            if definition.parameters:
                raise BadInput(f"{name} has parameters: only claims have")
            if definition.sort != values.get(name, "Bool"):
                raise BadInput(f"{name} may not be of sort {definition.sort}")
            self._speaks_of(definition, all_ if kind in ("guard", "next") else rigid)


def read_transitions(commands: Sequence[Said]) -> Transitions:
    """Return the system of a file's commands; BadInput for what is none, with its line."""
    roles: dict[str, tuple[str, ...]] = {}
    sorts: dict[str, str] = {}
    definitions: dict[str, Define] = {}
    for said in commands:
        match said.command:
            case Declare(_, name, sort):
                if name in sorts:
                    raise BadInput(f"{said.place}: {name} is declared twice")
                if name.endswith(NEXT):
                    raise BadInput(f"{said.place}: {name}: {NEXT} marks what is after a step")
                sorts[name] = sort
            case Define() as definition:
                if definition.name in definitions or definition.name in sorts:
                    raise BadInput(f"{said.place}: {definition.name} is defined twice")
                definitions[definition.name] = definition
            case Command(text):
                _note_role(text, roles, said.place)
    place = commands[0].place if commands else "the system"
    listed = [name for role in _ROLES for name in roles.get(role, ())]
    if sorted(listed) != sorted(sorts):
        raise BadInput(f"{place}: each constant has to be rigid, of the state, or revealed")
    system = Transitions(
        roles.get("rigid", ()), roles.get("state", ()), roles.get("reveals", ()),
        sorts, definitions,
    )  # fmt: skip
    try:
        system.check()
    except BadInput as error:
        raise BadInput(f"{place.rpartition(':')[0]}: {error}") from None
    return system


def _note_role(text: str, roles: dict[str, tuple[str, ...]], place: str) -> None:
    for role in _ROLES:
        opening = f'(set-info :{role} "'
        if text.startswith(opening) and role not in roles:
            roles[role] = tuple(text.removeprefix(opening).removesuffix('")').split())
            return
    if text != "(set-logic ALL)":
        raise BadInput(f"{place}: {text[:60]} has no place in a system")
