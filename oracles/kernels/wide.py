"""Many bytes of an array at once, wherever they begin: words for what numba compiles."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

__all__ = ["first_byte", "load8"]

_I64 = ir.IntType(64)


def _load8(context: Any, data: Any, at: Any) -> Any:
    """Return eight bytes of an array of bytes as an unsigned number; nothing is checked."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        first = builder.gep(array.data, [arguments[1]])
        return builder.load(builder.bitcast(first, _I64.as_pointer()), align=1)

    return types.uint64(data, types.int64), code


def _first_byte(context: Any, number: Any) -> Any:
    """Return the place of the first byte of a number, as it is in memory, that is not 0."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.lshr(zeros, ir.Constant(_I64, 3))

    return types.int64(types.uint64), code


# Called, not written as decorators, which have no types where numba is not installed.
load8: Any = intrinsic(_load8)
first_byte: Any = intrinsic(_first_byte)
