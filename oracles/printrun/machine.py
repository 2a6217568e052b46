"""A game's rules, and the walk over its Plays, as machine code: handed to LLVM as they are.

numba takes minutes to find out about thousands of lines of Python what terms say by themselves:
each is a number or a yes or no, and nothing branches. Written for LLVM as they are, the rules
of a game and the walk (``translated``) take a second. Division is Python's, which rounds down.

What is made stays in memory for as long as the process lives.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from ...models.algebra import Bool, Term, Value
from .rules import Formula, Rules, Stored
from .translated import Translator
from .walk import deal_of

__all__ = ["deal_by_machine"]

_INT, _BOOL, _BYTE = ir.IntType(64), ir.IntType(1), ir.IntType(8)
_NUMBERS = _INT.as_pointer()
_NO, _YES = ir.Constant(_BOOL, 0), ir.Constant(_BOOL, 1)

# The rows that functions of the walk are given, by what their arguments are called.
_ROWS = {
    **dict.fromkeys(("m", "targets", "ends"), _INT),
    **dict.fromkeys(("events", "reveals", "finals", "parts", "data"), _BYTE),
}

_ENGINES: list[Any] = []  # machine code is gone with what made it

Place = tuple[Any, int, bool]
"""A pointer to numbers, the index of one, and whether it is a yes or no."""


def deal_by_machine(
    rules: Rules, at: Mapping[str, int], size: Mapping[str, int], choices: bool
) -> Callable[..., None]:
    """Return what ``walk.deal_of`` does, for rows of numpy's: 64-bit numbers, or bytes."""
    module = ir.Module("walk")
    _take(module, rules)
    _of_each(module, rules, "may", [formula.asked for formula in rules.formulas])
    _of_state(module, rules, "ended", rules.ended)
    _of_state(module, rules, "kept", rules.kept)
    _won(module, rules)
    walk = Translator(module, _ROWS)
    for name, by_rule, rows in (
        ("take", True, 2), ("may", True, 1), ("ended", False, 1), ("kept", False, 1),
        ("won", False, 2),
    ):  # fmt: skip
        walk.known(name, _placed(module, name, by_rule, rows))
    names = dict.fromkeys(("take", "may", "ended", "kept", "won"), len)  # never called

    def put(function: Any) -> Any:
        walk.put(function)
        return function

    deal_of(names, at, size, choices, put)
    address = _compiled(module)("walk.deal")
    pointers = [ctypes.c_void_p, ctypes.c_int64, *[ctypes.c_void_p] * 6]
    call = ctypes.CFUNCTYPE(ctypes.c_int64, *pointers)(address)

    def deal(memory: Any, count: int, *rows: Any) -> None:
        call(memory.ctypes.data, count, *(row.ctypes.data for row in rows))

    return deal


def _compiled(module: ir.Module) -> Callable[[str], int]:
    """Return the addresses of a module's functions, compiled."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine(opt=2)
    parsed = llvm.parse_assembly(str(module))
    parsed.verify()
    tuning = llvm.create_pipeline_tuning_options(speed_level=2)
    passes = llvm.create_pass_builder(target, tuning)
    passes.getModulePassManager().run(parsed, passes)
    engine = llvm.create_mcjit_compiler(parsed, target)
    engine.finalize_object()
    _ENGINES.append(engine)
    return lambda name: int(engine.get_function_address(name))


def _placed(module: ir.Module, name: str, by_rule: bool, rows: int) -> Any:
    """Return a function that takes a memory and places in it, in the place of pointers."""
    numbers = [_INT] if by_rule else []
    kind = ir.FunctionType(_BOOL, [*numbers, _NUMBERS, *[_INT] * rows])
    function = ir.Function(module, kind, f"walk.{name}")
    builder = ir.IRBuilder(function.append_basic_block())
    *rule, memory = function.args[: len(numbers) + 1]
    places = [builder.gep(memory, [at]) for at in function.args[len(numbers) + 1 :]]
    builder.ret(builder.call(module.get_global(name), [*rule, *places]))
    return function


class _Code:
    """Writes what terms are worth where a builder stands; what was written once stays known."""

    def __init__(self, builder: ir.IRBuilder, places: Mapping[str, Place]) -> None:
        self.builder, self._places = builder, places
        self._known: dict[int, Any] = {}

    def of(self, value: Value) -> Any:
        """Return a value: 64 bits for a number, one for a yes or no."""
        waiting: list[object] = [value]
        while waiting:
            term = waiting[-1]
            if not isinstance(term, Term) or id(term) in self._known:
                waiting.pop()
                continue
            parts = [a for a in term.args if isinstance(a, Term) and id(a) not in self._known]
            if parts:
                waiting += parts
                continue
            waiting.pop()
            self._known[id(term)] = self._written(term)
        return self._value(value)

    def store(self, pointer: Any, values: Sequence[tuple[int, Value]]) -> None:
        """Store values by index, once all of them are worked out."""
        found = [(index, self.of(value)) for index, value in values]
        for index, value in found:
            wide = self.builder.zext(value, _INT) if value.type == _BOOL else value
            self.builder.store(wide, _at(self.builder, pointer, index))

    def _value(self, value: Any) -> Any:
        if isinstance(value, Term):
            return self._known[id(value)]
        return ir.Constant(_BOOL if isinstance(value, bool) else _INT, int(value))

    def _written(self, term: Term) -> Any:
        build = self.builder
        if term.op == "var":
            pointer, index, yes_or_no = self._places[str(term.args[0])]
            loaded = build.load(_at(build, pointer, index))
            return build.icmp_signed("!=", loaded, _INT(0)) if yes_or_no else loaded
        parts = [self._value(part) for part in term.args]
        match term.op:
            case "ite":
                return build.select(*parts)
            case "not":
                return build.not_(*parts)
            case "<" | "<=":
                return build.icmp_signed(term.op, *parts)
            case "=":
                return build.icmp_signed("==", *parts)
            case "div" | "mod":
                return self._divided(term.op, *parts)
            case "-":
                return build.sub(*parts)
            case "*":
                return build.mul(*parts)
        return reduce({"+": build.add, "and": build.and_, "or": build.or_}[term.op], parts)

    def _divided(self, op: str, value: Any, by: Any) -> Any:
        build = self.builder
        whole, left = build.sdiv(value, by), build.srem(value, by)
        below = build.icmp_signed("<", left, _INT(0))
        if op == "mod":
            return build.select(below, build.add(left, by), left)
        return build.select(below, build.sub(whole, _INT(1)), whole)


def _at(builder: ir.IRBuilder, pointer: Any, index: int) -> Any:
    return builder.gep(pointer, [_INT(index)])


def _function(module: ir.Module, name: str, arguments: Sequence[Any]) -> Any:
    """Return a new function, which says yes or no, with a builder in it."""
    function = ir.Function(module, ir.FunctionType(_BOOL, arguments), name)
    return function, ir.IRBuilder(function.append_basic_block())


def _switched(
    builder: ir.IRBuilder, rule: Any, count: int, write: Callable[[int], Any]
) -> None:
    """Return what ``write`` writes for a rule, by its number; no for any other number."""
    function = builder.function
    no = function.append_basic_block("no")
    choice = builder.switch(rule, no)
    for number in range(count):
        block = function.append_basic_block(f"rule{number}")
        choice.add_case(_INT(number), block)
        builder.position_at_end(block)
        builder.ret(write(number))
    builder.position_at_end(no)
    builder.ret(_NO)


def _take(module: ir.Module, rules: Rules) -> None:
    function, builder = _function(module, "take", [_INT, _NUMBERS, _NUMBERS])
    rule, state, reveal = function.args
    off = function.append_basic_block("off")

    def one(number: int) -> Any:
        formula: Formula = rules.formulas[number]
        places = _places(state, rules.state) | _places(reveal, formula.revealed)
        code = _Code(builder, places)
        for condition in formula.guard:
            on = function.append_basic_block("on")
            builder.cbranch(code.of(condition), on, off)
            builder.position_at_end(on)
        code.store(state, formula.updates)
        return _YES

    _switched(builder, rule, len(rules.formulas), one)
    builder.position_at_end(off)
    builder.ret(_NO)


def _of_each(module: ir.Module, rules: Rules, name: str, values: Sequence[Bool]) -> None:
    function, builder = _function(module, name, [_INT, _NUMBERS])
    rule, state = function.args
    places = _places(state, rules.state)
    _switched(builder, rule, len(values), lambda n: _Code(builder, places).of(values[n]))


def _of_state(module: ir.Module, rules: Rules, name: str, value: Bool) -> None:
    function, builder = _function(module, name, [_NUMBERS])
    builder.ret(_Code(builder, _places(function.args[0], rules.state)).of(value))


def _won(module: ir.Module, rules: Rules) -> None:
    function, builder = _function(module, "won", [_NUMBERS, _NUMBERS])
    state, won = function.args
    _Code(builder, _places(state, rules.state)).store(won, list(enumerate(rules.won)))
    builder.ret(_YES)


def _places(pointer: Any, stored: Sequence[Stored]) -> dict[str, Place]:
    return {name: (pointer, index, yes_or_no) for index, (name, yes_or_no) in enumerate(stored)}
