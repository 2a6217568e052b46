"""Small changes to source code, of the ordinary kinds, in Python and in JavaScript.

Python is changed in its syntax tree, JavaScript token by token: strings, comments and templates
are left alone. The kinds are those of mutation tools for any program: an operator exchanged, a
number one more, a condition negated, a statement left out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Changed", "of_javascript", "of_python"]


@dataclass(frozen=True)
class Changed:
    """Source with one change: in which line, what was there and is there now, and the whole."""

    line: int
    was: str
    now: str
    source: str


_OTHERS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


def of_python(source: str, within: Sequence[str]) -> Iterator[Changed]:
    """Yield source with each change of its top-level parts of these names."""
    tree = ast.parse(source)
    for top in tree.body:
        if _name(top) in within:
            for node in ast.walk(top):
                for field, other in _instead(node):
                    kept, was = getattr(node, field), _said(node)
                    setattr(node, field, other)
                    yield Changed(node.lineno, was, _said(node), ast.unparse(tree))
                    setattr(node, field, kept)


def _name(top: ast.stmt) -> str:
    if isinstance(top, ast.Assign) and isinstance(top.targets[0], ast.Name):
        return top.targets[0].id
    return getattr(top, "name", "")


def _said(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:70]


def _instead(node: Any) -> Iterator[tuple[str, Any]]:
    """Yield fields of a node with what they may be instead."""
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp) and type(node.op) in _OTHERS:
        yield "op", _OTHERS[type(node.op)]()
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _OTHERS:
        yield "ops", [_OTHERS[type(node.ops[0])](), *node.ops[1:]]
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield "value", node.value + 1
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield "value", not node.value
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        yield "test", ast.UnaryOp(ast.Not(), node.test)
    for field in ("body", "orelse"):
        body = getattr(node, field, None)
        for place, one in enumerate(body if isinstance(body, list) else ()):
            if isinstance(one, ast.Assign | ast.AugAssign | ast.Expr) and not _text(one):
                nothing = ast.copy_location(ast.Pass(), one)
                yield field, [*body[:place], nothing, *body[place + 1 :]]


def _text(one: ast.stmt) -> bool:
    return isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)


_TOKEN = re.compile(
    r"""(?P<left>//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)
    |(?P<word>[A-Za-z_$][\w$]*)|(?P<number>\d[\d_]*)
    |(?P<sign>===|!==|=>|\.\.\.|<=|>=|&&|\|\||\?\?|\+=|-=|\+\+|--|[-+*/%<>!=?:;,.(){}\[\]])
    """,
    re.VERBOSE | re.DOTALL,
)
_SIGNS = {
    "===": "!==",
    "!==": "===",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "&&": "||",
    "||": "&&",
    "+": "-",
    "-": "+",
    "*": "+",
    "%": "*",
    "+=": "-=",
    "-=": "+=",
    "!": "",
}
_WORDS = {"true": "false", "false": "true", "min": "max", "max": "min", "some": "every"}


def of_javascript(source: str, first: str) -> Iterator[Changed]:
    """Yield source with each change from a piece of text on, imports and strings left alone."""
    for token in _TOKEN.finditer(source, source.index(first)):
        text = token.group()
        if token["number"]:
            other = str(int(text.replace("_", "")) + 1)
        else:
            known = _WORDS if token["word"] else _SIGNS if token["sign"] else {}
            if text not in known:
                continue
            other = known[text]
        start, end = token.span()
        line = source.count("\n", 0, start) + 1
        about = source.splitlines()[line - 1].strip()[:70]
        changed = source[:start] + other + source[end:]
        now = changed.splitlines()[line - 1].strip()[:70]
        yield Changed(line, about, now, changed)
