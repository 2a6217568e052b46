"""The rules of an edition as the source of kernels: straight-line functions over records.

Every rule becomes one function from the record of a state and of what is revealed to the next
state, in place; so do how a Play stands and whether it keeps what is promised. Readings are
arguments, so that one source does for every way to take them. Nothing overflows: numbers are
read from records, what is worked out from them is bounded (``bounds``), and what would not fit
into the record again is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...models.algebra import Value, all_of, variables_of
from ...models.editions import Edition
from ...models.setting import readings_of
from ...models.shape import Variable
from ...proofs.encoding import Encoding, RuleFormula, encode
from ...proofs.smtlib import is_variable
from ..event import FINISH
from ..moves import least
from ..straight import written
from .bounds import Bounds, bounds_of
from .records import Field, Record, record_of

__all__ = ["NoKernel", "Source"]

_MONEY = "pence"


class NoKernel(ValueError):
    """There is no kernel for these rules: why."""


@dataclass(frozen=True)
class Source:
    """What kernels are made of: the rules of an edition, whichever way readings are taken."""

    edition: Edition

    @cached_property
    def encoding(self) -> Encoding:
        """The rules as terms, the readings left open."""
        return encode(self.edition.game, self.edition.parameters)

    @cached_property
    def readings(self) -> tuple[str, ...]:
        """The readings, in the order in which kernels take them."""
        return tuple(readings_of(self.edition.game.setting))

    def taken(self, readings: Mapping[str, str]) -> list[int]:
        """Return readings as numbers, as kernels take them."""
        known = readings_of(self.edition.game.setting)
        return [list(known[name].choices).index(readings[name]) for name in self.readings]

    @cached_property
    def state(self) -> Record:
        """The record of a state."""
        return record_of(self.edition.game.state_shape().variables)

    @cached_property
    def parts(self) -> Record:
        """The record of the parts of a prize, in pence."""
        here = self.encoding.point()
        names = tuple(self.edition.game.goal.parts(self.encoding.p, here.s))
        return record_of([Variable(name, "Int", "", unit=_MONEY) for name in names])

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """The rules by the number that kernels know them by."""
        return tuple(formula.rule.id for formula in self.encoding.rules)

    def variables(self, rule: str, *, choice: bool) -> list[Variable]:
        """Return what a rule reveals, or what the player chooses in it."""
        shape = self.edition.game.reveal_shape(self.edition.game.rule(rule))
        return [v for v in shape.variables if v.choice == choice]

    @cached_property
    def reveals(self) -> tuple[Record, ...]:
        """The records of what is revealed, by rule."""
        return tuple(record_of(self.variables(rule, choice=False)) for rule in self.rules)

    @cached_property
    def choices(self) -> tuple[Record, ...]:
        """The records of what is chosen, by rule."""
        return tuple(record_of(self.variables(rule, choice=True)) for rule in self.rules)

    def any_choice(self, rule: str) -> bytes:
        """Return the record of the least choices, which stands for those left out."""
        record = record_of(self.variables(rule, choice=True))
        return record.pack([least(v) for v in self.variables(rule, choice=True)])

    def text(self) -> str:
        """Return the source; NoKernel where the rules have none.

        It is a module of functions that are each marked by a line ``@compiled``.
        """
        if FINISH not in self.rules:
            raise NoKernel("no rule of it is finish")
        try:
            return "\n\n".join(self._functions()) + "\n"
        except ValueError as error:
            raise NoKernel(str(error)) from None

    def _functions(self) -> Iterator[str]:
        yield "\n".join(
            [
                f"STATE = {self.state.size}",
                f"PARTS = {len(self.parts.fields)}",
                f"FINISH = {self.rules.index(FINISH)}",
                f"RULES = {len(self.rules)}",
                f"REVEALS = {_tuple(record.size for record in self.reveals)}",
                f"CHOICES = {_tuple(record.size for record in self.choices)}",
            ]
        )
        for number, formula in enumerate(self.encoding.rules):
            yield self._step(number, formula)
            yield self._beginning(number)
        yield _chosen("step", "S, R, C, P", len(self.rules))
        yield _chosen("beginning", "before, R, C", len(self.rules))
        yield self._ending()
        yield self._kept()

    # The state and what a step reveals

    def _places(self, number: int | None) -> dict[str, str]:
        """Return the expression of every unknown of a rule, or of a state alone."""
        places = {f"s.{f.name}": _load("S", f) for f in self.state.fields}
        places |= {f"p.{name}": f"P[{n}]" for n, name in enumerate(self.readings)}
        if number is not None:
            for array, record in (("R", self.reveals[number]), ("C", self.choices[number])):
                of = {f.name: _load(array, f) for f in record.fields}
                places |= {self._named(number, name): one for name, one in of.items()}
        return places

    def _bounds(self, number: int | None) -> dict[str, Bounds]:
        bounds = {f"s.{f.name}": _limits(f) for f in self.state.fields}
        for name, shape in readings_of(self.edition.game.setting).items():
            bounds[f"p.{name}"] = (0, len(shape.choices) - 1)
        if number is not None:
            for record in (self.reveals[number], self.choices[number]):
                bounds |= {self._named(number, f.name): _limits(f) for f in record.fields}
        return bounds

    def _named(self, number: int, name: str) -> str:
        rule = self.encoding.rules[number].rule
        for v, own in zip(
            self.encoding.reveal_variables(rule),
            self.edition.game.reveal_shape(rule).variables,
            strict=True,
        ):
            if own.name == name:
                return v.name
        raise KeyError(name)

    def _step(self, number: int, formula: RuleFormula) -> str:
        names = [f"s.{field.name}" for field in self.state.fields]
        touched = [
            (field, new)
            for field, name, new in zip(self.state.fields, names, formula.updates, strict=False)
            if not is_variable(new, name)
        ]
        updates = [new for _, new in touched]
        places, bounds = self._places(number), self._bounds(number)
        used = [*updates, formula.guard]
        self._check(used, places)
        for one in used:
            bounds_of(one, bounds)
        flags = [
            f"{array}[{f.offset}]"
            for array, record in (("R", self.reveals[number]), ("C", self.choices[number]))
            for f in record.fields
            if f.sort == "Bool"
        ]
        lines = [f"if ({' | '.join(flags)}) > 1: return False"] if flags else []
        own, results = written(places, updates, formula.guard, flat=True)
        lines += own
        lines += [f"n{place} = {result}" for place, result in enumerate(results)]
        lines += _fitting("n", [f for f, _ in touched], updates, bounds, "False")
        for place, (field, _) in enumerate(touched):
            lines += _store("S", field, f"n{place}")
        return _function(f"step_{number}", "S, R, C, P", [*lines, "return True"])

    def _beginning(self, number: int) -> str:
        """Write what takes the number of a beginning to that with one step more.

        It is what Python's ``hash((before, number, values))`` is.
        """
        rule = self.encoding.rules[number].rule
        reveals = {f.name: ("R", f) for f in self.reveals[number].fields}
        choices = {f.name: ("C", f) for f in self.choices[number].fields}
        lines = ["inner = tuple_begun()"]
        variables = self.edition.game.reveal_shape(rule).variables
        for v in variables:
            array, field = (choices if v.choice else reveals)[v.name]
            lines.append(f"inner = tuple_with(inner, small({_load(array, field, raw=True)}))")
        lines += [
            f"inner = tuple_ended(inner, {len(variables)})",
            "outer = tuple_with(tuple_begun(), large(before))",
            f"outer = tuple_with(outer, {number})",
            "return tuple_ended(tuple_with(outer, inner), 3)",
        ]
        return _function(f"beginning_{number}", "before, R, C", lines)

    def _ending(self) -> str:
        here = self.encoding.point()
        goal, p = self.edition.game.goal, self.encoding.p
        parts = [*goal.parts(p, here.s).values()]
        values: list[Value] = [goal.ended(p, here.s), goal.paid(p, here.s), *parts]
        places, bounds = self._places(None), self._bounds(None)
        self._check(values, places)
        lines, (ended, paid, *won) = written(places, values, flat=True)
        lines.append(f"if not {ended}: return -1")
        lines.append(f"paid = {paid}")
        if bounds_of(values[1], bounds)[0] < 0:
            lines.append("if paid < 0: return -1")
        for place, one in enumerate(won):
            lines.append(f"w{place} = {one}")
        lines += _fitting("w", self.parts.fields, parts, bounds, "-1")
        lines += [f"W[{place}] = w{place}" for place in range(len(parts))]
        return _function("ending", "S, P, W", [*lines, "return paid"])

    def _kept(self) -> str:
        here, game = self.encoding.point(), self.edition.game
        kept = all_of(one.kept(self.encoding.p, here.s, here.t) for one in game.promises)
        places = self._places(None)
        if not variables_of(kept) <= places.keys():
            return _function("kept", "S, P", ["return False"])  # it takes the whole Play
        bounds_of(kept, self._bounds(None))
        lines, (result,) = written(places, [kept], flat=True)
        return _function("kept", "S, P", [*lines, f"return {result}"])

    def _check(self, values: Sequence[Value], places: Mapping[str, str]) -> None:
        if unknown := sorted(variables_of(*values) - places.keys()):
            raise NoKernel(f"{', '.join(unknown)} is given by no record")


def _limits(field: Field) -> Bounds:
    return (0, 1) if field.sort == "Bool" else (-field.most - 1, field.most)


def _fitting(
    letter: str,
    fields: Sequence[Field],
    values: Sequence[Value],
    known: Mapping[str, Bounds],
    off: str,
) -> Iterator[str]:
    """Yield the line that refuses what does not fit its record, where that may be."""
    conditions = []
    for place, (field, value) in enumerate(zip(fields, values, strict=True)):
        low, high = bounds_of(value, known)
        least_, most = _limits(field)
        if low < least_ or high > most:
            conditions.append(f"({letter}{place} < {least_}) | ({letter}{place} > {most})")
    if conditions:
        yield f"if {' | '.join(conditions)}: return {off}"


def _load(array: str, field: Field, raw: bool = False) -> str:
    """Return the expression of a number in a record of signed bytes."""
    if field.sort == "Bool" and not raw:
        return f"({array}[{field.offset}] != 0)"
    return f"load{field.size}({array}, {field.offset})"


def _store(array: str, field: Field, value: str) -> list[str]:
    if field.sort == "Bool":
        return [f"{array}[{field.offset}] = {value}"]
    return [f"store{field.size}({array}, {field.offset}, {value})"]


def _function(name: str, parameters: str, lines: Sequence[str]) -> str:
    body = "\n    ".join(lines)
    return f"@compiled\ndef {name}({parameters}):\n    {body}\n"


def _chosen(name: str, parameters: str, number: int) -> str:
    """Return the function that chooses among those of each rule."""
    lines = [f"if rule == {n}: return {name}_{n}({parameters})" for n in range(number - 1)]
    lines.append(f"return {name}_{number - 1}({parameters})")
    return _function(name, f"rule, {parameters}", lines)


def _tuple(numbers: Iterable[int]) -> str:
    return repr(tuple(numbers))
