"""Straight-line functions as machine code: their lines translated to LLVM one by one.

numba compiles any Python, and takes a minute for the rules of a game. What ``source`` writes is
so plain, numbers and no branch but to return, that it can be translated as it stands; the loops
that numba compiles call it as if it were their own.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

__all__ = ["words"]

_I1, _I8, _I64 = ir.IntType(1), ir.IntType(8), ir.IntType(64)
_BYTES, _NUMBERS = ("S", "R", "C"), ("P", "W")

# Those of CPython's tuples and numbers: see ``prelude``.
_PRIME_1 = 11400714785074694791
_PRIME_2 = 14029467366897019727
_PRIME_5 = 2870177450012600261
_MODULUS = (1 << 61) - 1

_COMPARED = {ast.Eq: "==", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def words(text: str, names: Mapping[str, bool]) -> dict[str, Any]:
    """Return functions of a source by name, to be called by what numba compiles.

    ``names`` says of each whether it returns yes or no, instead of a number.
    """
    functions = [one for one in ast.parse(text).body if isinstance(one, ast.FunctionDef)]
    return {name: _word(functions, name, yes_or_no) for name, yes_or_no in names.items()}


def _word(functions: Sequence[ast.FunctionDef], name: str, yes_or_no: bool) -> Any:
    own = next(one for one in functions if one.name == name)
    parameters = [argument.arg for argument in own.args.args]
    result = types.boolean if yes_or_no else types.int64

    def made(typing_context: Any, *given: Any) -> Any:
        wanted = [
            one if _is_array(p) else types.int64
            for p, one in zip(parameters, given, strict=True)
        ]

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            passed = []
            for parameter, kind, value in zip(
                parameters, signature.args, arguments, strict=True
            ):
                if _is_array(parameter):
                    array = context.make_array(kind)(context, builder, value)
                    passed.append(builder.bitcast(array.data, _type_of(parameter)))
                else:
                    passed.append(value)
            found = builder.call(_function(builder.module, functions, name), passed)
            return builder.trunc(found, _I1) if yes_or_no else found

        return result(*wanted), code

    arguments = ", ".join(parameters)
    namespace: dict[str, Any] = {"made": made}
    exec(
        f"def {name}(context, {arguments}):\n    return made(context, {arguments})",
        namespace,
    )
    return intrinsic(namespace[name])


def _is_array(parameter: str) -> bool:
    return parameter in _BYTES or parameter in _NUMBERS


def _type_of(parameter: str) -> Any:
    if parameter in _BYTES:
        return _I8.as_pointer()
    return _I64.as_pointer() if parameter in _NUMBERS else _I64


def _function(module: Any, functions: Sequence[ast.FunctionDef], name: str) -> Any:
    """Return a function in a module, which is put there, and all it calls, if need be."""
    inside = f"playproof.{name}"
    if inside in module.globals:
        return module.globals[inside]
    node = next(one for one in functions if one.name == name)
    parameters = [argument.arg for argument in node.args.args]
    made = ir.Function(module, ir.FunctionType(_I64, [_type_of(p) for p in parameters]), inside)
    made.linkage = "internal"
    builder = ir.IRBuilder(made.append_basic_block("entry"))
    known = dict(zip(parameters, made.args, strict=True))
    _Lines(module, functions, builder, known).all(node.body)
    return made


class _Lines:
    """Translates the lines of one function."""

    def __init__(
        self,
        module: Any,
        functions: Sequence[ast.FunctionDef],
        builder: Any,
        known: dict[str, Any],
    ) -> None:
        self._module = module
        self._functions = functions
        self._builder = builder
        self._known = known

    def all(self, lines: Sequence[ast.stmt]) -> None:
        for line in lines:
            self._line(line)

    def _line(self, line: ast.stmt) -> None:
        builder = self._builder
        match line:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._known[name] = self._of(value)
            case ast.Assign(targets=[ast.Subscript(ast.Name(id=name), at)], value=value):
                found = self._of(value)
                kind = _I8 if name in _BYTES else _I64
                builder.store(self._wide(found, kind), self._place(name, self._of(at)), align=1)
            case ast.If(test=test, body=[ast.Return() as leaves], orelse=[]):
                with builder.if_then(self._of(test), likely=False):
                    self._line(leaves)
            case ast.Return(value=value) if value is not None:
                builder.ret(self._wide(self._of(value), _I64))
            case ast.Expr(ast.Call(ast.Name(id=name), [ast.Name(id=array), at, value])):
                bits = ir.IntType(8 * int(name.removeprefix("store")))
                place = builder.bitcast(self._place(array, self._of(at)), bits.as_pointer())
                builder.store(builder.trunc(self._of(value), bits), place, align=1)
            case _:
                raise TypeError(f"not a straight line: {ast.unparse(line)}")

    def _of(self, node: ast.expr) -> Any:
        builder = self._builder
        match node:
            case ast.Constant(value=bool() as value):
                return ir.Constant(_I1, int(value))
            case ast.Constant(value=int() as value):
                return ir.Constant(_I64, value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
                return ir.Constant(_I64, -value)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return builder.not_(self._of(operand))
            case ast.Name(id=name):
                return self._known[name]
            case ast.Subscript(ast.Name(id=name), at):
                found = builder.load(self._place(name, self._of(at)), align=1)
                return builder.zext(found, _I64) if name in _BYTES else found
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                one, other = self._of(left), self._of(right)
                if isinstance(op, ast.NotEq):
                    return builder.icmp_signed("!=", one, other)
                return builder.icmp_signed(_COMPARED[type(op)], one, other)
            case ast.BinOp(left=left, op=op, right=right):
                return self._worked_out(op, self._of(left), self._of(right))
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return self._called(name, arguments)
        raise TypeError(f"not in a straight line: {ast.unparse(node)}")

    def _worked_out(self, op: ast.operator, one: Any, other: Any) -> Any:
        builder = self._builder
        match op:
            case ast.Add():
                return builder.add(one, other)
            case ast.Sub():
                return builder.sub(one, other)
            case ast.Mult():
                return builder.mul(one, other)
            case ast.BitAnd():
                return builder.and_(one, other)
            case ast.BitOr():
                return builder.or_(one, other)
            case ast.FloorDiv() | ast.Mod():  # by what is positive
                rest = builder.srem(one, other)
                below = builder.icmp_signed("<", rest, ir.Constant(_I64, 0))
                if isinstance(op, ast.Mod):
                    return builder.select(below, builder.add(rest, other), rest)
                return builder.sub(builder.sdiv(one, other), builder.zext(below, _I64))
        raise TypeError(f"not in a straight line: {op}")

    def _called(self, name: str, arguments: Sequence[ast.expr]) -> Any:
        builder = self._builder
        if name.startswith("load"):
            assert isinstance(arguments[0], ast.Name)
            bits = ir.IntType(8 * int(name.removeprefix("load")))
            place = self._place(arguments[0].id, self._of(arguments[1]))
            found = builder.load(builder.bitcast(place, bits.as_pointer()), align=1)
            return builder.sext(found, _I64)
        given = [self._of(one) for one in arguments]
        match name:
            case "pick":
                return builder.select(*given)
            case "small":
                return self._small(given[0])
            case "large":
                return self._large(given[0])
            case "tuple_begun":
                return ir.Constant(_I64, _PRIME_5)
            case "tuple_with":
                more = builder.mul(given[1], ir.Constant(_I64, _PRIME_2))
                more = builder.add(given[0], more)
                left = builder.shl(more, ir.Constant(_I64, 31))
                right = builder.lshr(more, ir.Constant(_I64, 33))
                return builder.mul(builder.or_(left, right), ir.Constant(_I64, _PRIME_1))
            case "tuple_ended":
                length = builder.xor(given[1], ir.Constant(_I64, _PRIME_5 ^ 3527539))
                ended = builder.add(given[0], length)
                never = builder.icmp_signed("==", ended, ir.Constant(_I64, -1))
                return builder.select(never, ir.Constant(_I64, 1546275796), ended)
        return builder.call(_function(self._module, self._functions, name), given)

    def _small(self, number: Any) -> Any:
        minus = self._builder.icmp_signed("==", number, ir.Constant(_I64, -1))
        return self._builder.select(minus, ir.Constant(_I64, -2), number)

    def _large(self, number: Any) -> Any:
        builder, zero = self._builder, ir.Constant(_I64, 0)
        below = builder.icmp_signed("<", number, zero)
        size = builder.select(below, builder.sub(zero, number), number)
        left = builder.urem(size, ir.Constant(_I64, _MODULUS))
        return self._small(builder.select(below, builder.sub(zero, left), left))

    def _place(self, array: str, at: Any) -> Any:
        return self._builder.gep(self._known[array], [at])

    def _wide(self, value: Any, kind: Any) -> Any:
        """Return a yes or no as a number; a number as it is."""
        return self._builder.zext(value, kind) if value.type == _I1 else value
