"""Plain functions over whole numbers as machine code: Python's own text handed to LLVM.

numba takes half a minute for the walk, most of it to find out that everything is a number. Here
that is given: an argument is a number or a row of them, and all that functions do is count,
compare, loop, call one another, and read and write rows. What they mean is what they mean to
Python, as long as no number takes more than 64 bits; whatever else a function does is refused.

    numbers   constants, names, + - * // % >> &, unary -, max()
    tests     comparisons, also in a chain; and, or, not; a number is a yes unless it is 0
    lines     assignment, if, while, for over range(), break, continue, return, pass
    rows      a[n] read and written
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from llvmlite import ir

__all__ = ["NotPlain", "Translator"]

INT, BOOL, BYTE = ir.IntType(64), ir.IntType(1), ir.IntType(8)
_COMPARED = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


class NotPlain(TypeError):
    """A line that is none of those there is machine code for."""


class Translator:
    """Puts functions into a module of LLVM, one after the other; later ones call earlier ones.

    ``rows`` are the types of arguments that are rows, by name; all others are numbers.
    """

    def __init__(self, module: ir.Module, rows: Mapping[str, ir.Type]) -> None:
        self._module, self._rows = module, rows
        self._known: dict[str, Any] = {}

    def known(self, name: str, function: Any) -> None:
        """Let functions call one that is in the module already."""
        self._known[name] = function

    def put(self, function: Callable[..., Any]) -> None:
        """Translate a function. What it closes over is a number, or a function put in before.

        Raises NotPlain for a line that cannot be.
        """
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
        assert isinstance(tree, ast.FunctionDef)
        names = [argument.arg for argument in tree.args.args]
        kinds = [self._rows[n].as_pointer() if n in self._rows else INT for n in names]
        made = ir.Function(self._module, ir.FunctionType(INT, kinds), f"walk.{tree.name}")
        closed = inspect.getclosurevars(function)
        constants = {
            name: int(value)
            for name, value in {**closed.globals, **closed.nonlocals}.items()
            if isinstance(value, int)
        }
        _Function(made, names, constants, self._known).all(tree.body)
        self._known[tree.name] = made


class _Function:
    """Translates the lines of one function. Each name has a place on the stack."""

    def __init__(
        self,
        made: Any,
        names: Sequence[str],
        constants: Mapping[str, int],
        known: Mapping[str, Any],
    ) -> None:
        self._made, self._constants, self._known = made, constants, known
        self._entry = ir.IRBuilder(made.append_basic_block("entry"))
        self._build = ir.IRBuilder(made.append_basic_block("body"))
        self._rows: dict[str, Any] = {}
        self._places: dict[str, Any] = {}
        self._loops: list[tuple[Any, Any]] = []
        for name, value in zip(names, made.args, strict=True):
            if isinstance(value.type, ir.PointerType):
                self._rows[name] = value
            else:
                self._build.store(value, self._place(name))

    def all(self, lines: Sequence[ast.stmt]) -> None:
        """Translate the whole body; without a return it comes to 0."""
        first = self._build.block
        self._lines(lines)
        if not self._build.block.is_terminated:
            self._build.ret(INT(0))
        self._entry.branch(first)

    def _lines(self, lines: Sequence[ast.stmt]) -> None:
        for line in lines:
            if self._build.block.is_terminated:
                return
            self._line(line)

    def _place(self, name: str) -> Any:
        if name not in self._places:
            self._places[name] = self._entry.alloca(INT, name=name)
        return self._places[name]

    def _line(self, line: ast.stmt) -> None:
        match line:
            case ast.Expr(ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(ast.Call() as call):
                self._number(call)
            case ast.Assign(targets, value):
                self._assign(targets, value)
            case ast.AugAssign(target, op, value):
                changed = self._binary(op, self._number(target), self._number(value))
                self._store(target, changed)
            case ast.If(test, body, orelse):
                self._if(test, body, orelse)
            case ast.While(test, body, []):
                self._loop(lambda: self._test(test), body, lambda: None)
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), bounds), body, []):
                self._for(name, bounds, body)
            case ast.Break():
                self._build.branch(self._loops[-1][1])
            case ast.Continue():
                self._build.branch(self._loops[-1][0])
            case ast.Return(value):
                self._build.ret(INT(0) if value is None else self._number(value))
            case _:
                raise NotPlain(f"no machine code for: {ast.unparse(line)}")

    def _assign(self, targets: Sequence[ast.expr], value: ast.expr) -> None:
        match targets, value:
            case [ast.Tuple(names)], ast.Tuple(values):
                found = [self._number(one) for one in values]
                for name, one in zip(names, found, strict=True):
                    self._store(name, one)
            case _:
                one = self._number(value)
                for name in targets:
                    self._store(name, one)

    def _store(self, target: ast.expr, value: Any) -> None:
        match target:
            case ast.Name(name):
                self._build.store(value, self._place(name))
            case ast.Subscript(ast.Name(row), at):
                place = self._build.gep(self._rows[row], [self._number(at)])
                kind = place.type.pointee
                self._build.store(
                    value if kind == INT else self._build.trunc(value, kind), place
                )
            case _:
                raise NotPlain(f"nothing can be put into {ast.unparse(target)}")

    def _if(self, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]) -> None:
        then, other, after = (self._made.append_basic_block() for _ in range(3))
        self._build.cbranch(self._test(test), then, other)
        for block, lines in ((then, body), (other, orelse)):
            self._build.position_at_end(block)
            self._lines(lines)
            if not self._build.block.is_terminated:
                self._build.branch(after)
        self._build.position_at_end(after)

    def _loop(
        self, test: Callable[[], Any], body: Sequence[ast.stmt], onward: Callable[[], None]
    ) -> None:
        head, inside, next_, after = (self._made.append_basic_block() for _ in range(4))
        self._build.branch(head)
        self._build.position_at_end(head)
        self._build.cbranch(test(), inside, after)
        self._build.position_at_end(inside)
        self._loops.append((next_, after))
        self._lines(body)
        self._loops.pop()
        if not self._build.block.is_terminated:
            self._build.branch(next_)
        self._build.position_at_end(next_)
        onward()
        self._build.branch(head)
        self._build.position_at_end(after)

    def _for(self, name: str, bounds: Sequence[ast.expr], body: Sequence[ast.stmt]) -> None:
        found = [self._number(one) for one in bounds]
        first, end = (INT(0), found[0]) if len(found) == 1 else (found[0], found[1])
        step = 1
        if len(bounds) == 3:
            step = ast.literal_eval(bounds[2])
        counter = self._entry.alloca(INT)
        self._build.store(first, counter)

        def test() -> Any:
            value = self._build.load(counter)
            inside = self._build.icmp_signed("<" if step > 0 else ">", value, end)
            # After the loop the name has the last value that was inside.
            before = self._build.load(self._place(name))
            self._build.store(self._build.select(inside, value, before), self._place(name))
            return inside

        def onward() -> None:
            self._build.store(self._build.add(self._build.load(counter), INT(step)), counter)

        self._loop(test, body, onward)

    # What lines are made of.

    def _number(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=bool() | int() as value):
                return INT(int(value))
            case ast.Name(name) if name in self._places:
                return self._build.load(self._places[name])
            case ast.Name(name) if name in self._constants:
                return INT(self._constants[name])
            case ast.Subscript(ast.Name(row), at):
                place = self._build.gep(self._rows[row], [self._number(at)])
                value = self._build.load(place)
                return value if value.type == INT else self._build.zext(value, INT)
            case ast.UnaryOp(ast.USub(), operand):
                return self._build.neg(self._number(operand))
            case ast.BinOp(left, op, right):
                return self._binary(op, self._number(left), self._number(right))
            case ast.IfExp(test, body, orelse):
                return self._chosen(test, body, orelse)
            case ast.Call(ast.Name("max"), [one, other]):
                left, right = self._number(one), self._number(other)
                greater = self._build.icmp_signed(">", left, right)
                return self._build.select(greater, left, right)
            case ast.Call(ast.Name(name), given) if name in self._known:
                return self._call(self._known[name], given)
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(ast.Not()):
                return self._build.zext(self._test(node), INT)
        raise NotPlain(f"no machine code for: {ast.unparse(node)}")

    def _chosen(self, test: ast.expr, body: ast.expr, orelse: ast.expr) -> Any:
        """Write one of two numbers; the other is not worked out."""
        place = self._entry.alloca(INT)
        then, other, after = (self._made.append_basic_block() for _ in range(3))
        self._build.cbranch(self._test(test), then, other)
        for block, value in ((then, body), (other, orelse)):
            self._build.position_at_end(block)
            self._build.store(self._number(value), place)
            self._build.branch(after)
        self._build.position_at_end(after)
        return self._build.load(place)

    def _call(self, function: Any, given: Sequence[ast.expr]) -> Any:
        values = [
            self._rows[one.id]
            if isinstance(one, ast.Name) and one.id in self._rows
            else self._number(one)
            for one in given
        ]
        found = self._build.call(function, values)
        return self._build.zext(found, INT) if found.type == BOOL else found

    def _binary(self, op: ast.operator, left: Any, right: Any) -> Any:
        build = self._build
        match op:
            case ast.Add():
                return build.add(left, right)
            case ast.Sub():
                return build.sub(left, right)
            case ast.Mult():
                return build.mul(left, right)
            case ast.RShift():
                return build.ashr(left, right)
            case ast.BitAnd():
                return build.and_(left, right)
            case ast.FloorDiv() | ast.Mod():
                whole, rest = build.sdiv(left, right), build.srem(left, right)
                below = build.icmp_signed("<", rest, INT(0))  # what divides is positive
                if isinstance(op, ast.Mod):
                    return build.select(below, build.add(rest, right), rest)
                return build.select(below, build.sub(whole, INT(1)), whole)
        raise NotPlain(f"no machine code for {type(op).__name__}")

    def _test(self, node: ast.expr) -> Any:
        build = self._build
        match node:
            case ast.Compare(left, ops, others):
                value, result = self._number(left), None
                for op, other in zip(ops, others, strict=True):
                    then = self._number(other)
                    holds = build.icmp_signed(_COMPARED[type(op)], value, then)
                    result = holds if result is None else build.and_(result, holds)
                    value = then
                return result
            case ast.UnaryOp(ast.Not(), operand):
                return build.not_(self._test(operand))
            case ast.BoolOp(op, values):
                return self._junction(isinstance(op, ast.And), values)
        return build.icmp_signed("!=", self._number(node), INT(0))

    def _junction(self, all_: bool, values: Sequence[ast.expr]) -> Any:
        """Write ``and`` or ``or``: what need not be asked any more is not."""
        place, after = self._entry.alloca(BOOL), self._made.append_basic_block()
        for number, value in enumerate(values, start=1):
            self._build.store(self._test(value), place)
            if number == len(values):
                self._build.branch(after)
                break
            on = self._made.append_basic_block()
            known = self._build.load(place)
            self._build.cbranch(known, *((on, after) if all_ else (after, on)))
            self._build.position_at_end(on)
        self._build.position_at_end(after)
        return self._build.load(place)
