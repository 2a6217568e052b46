"""Values of the sorts of VMT-LIB, from the text that a solver gives."""

from __future__ import annotations

from fractions import Fraction

from ..sexpr import Atom, List, SExpr, read

__all__ = ["shown", "value"]


def value(text: str) -> bool | int | Fraction | str:
    """Return a value; bit-vectors as whole numbers from 0; as it is what is no such value.

    >>> [value(text) for text in ("true", "(- 3)", "(/ 1.0 4.0)", "#xff", "2.0")]
    [True, -3, Fraction(1, 4), 255, Fraction(2, 1)]
    """
    (found,) = read(text, "a value")
    known = _value(found)
    return text if known is None else known


def shown(text: str) -> str:
    """Return a value as people write it, a bit-vector with its digits.

    >>> [shown(text) for text in ("(- 3)", "(/ 1.0 4.0)", "#x0a")]
    ['-3', '1/4', '10 (#x0a)']
    """
    known = value(text)
    if isinstance(known, bool):
        return "true" if known else "false"
    return f"{known} ({text})" if text.startswith("#") else str(known)


def _value(found: SExpr) -> bool | int | Fraction | None:
    if isinstance(found, Atom):
        text = found.text
        if text in ("true", "false"):
            return text == "true"
        if text.startswith("#"):
            return int(text[2:], 16 if text[1] == "x" else 2)
        try:
            return Fraction(text) if "." in text else int(text)
        except ValueError:
            return None
    return _applied(found)


def _applied(found: List) -> int | Fraction | None:
    parts = [_value(part) for part in found.items[1:]]
    if found.head == "-" and len(parts) == 1 and parts[0] is not None:
        return -parts[0]
    if found.head == "/" and len(parts) == 2 and parts[0] is not None and parts[1]:
        return Fraction(parts[0]) / Fraction(parts[1])
    return None
