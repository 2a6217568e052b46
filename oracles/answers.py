"""What a build sent back: one JSON object for a request, or what is wrong with it.

Whatever a build sends is untrusted: it is read within a limit, and a sample of it is shown with
everything that a terminal might act on made visible.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

__all__ = ["MOST", "Ill", "Trouble", "answer_in", "excerpt", "plain_copy"]

MOST = 1 << 20
"""Bytes of one answer at most: past these a build floods."""

Ill = Literal["hang", "died", "rubbish", "twice", "flood"]

_SHOWN = 160


class Trouble(Exception):
    """A build that did not answer a request with one JSON object; ``code`` says which way."""

    def __init__(self, code: Ill, message: str) -> None:
        super().__init__(message)
        self.code: Ill = code


def answer_in(data: bytes) -> dict[str, Any]:
    """Return the object in an answer. Raises Trouble: rubbish, or twice where two came.

    >>> answer_in(b'{"play": "P"}')
    {'play': 'P'}
    """
    try:
        answer = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        first, _, rest = data.strip().partition(b"\n")
        if rest.strip() and _is_object(first):
            raise Trouble("twice", f"it answered once more: {excerpt(rest)}") from None
        raise Trouble("rubbish", f"its answer is not JSON ({error}): {excerpt(data)}") from None
    except RecursionError:
        raise Trouble("rubbish", f"its answer is nested too deeply: {excerpt(data)}") from None
    if not isinstance(answer, dict):
        raise Trouble("rubbish", f"its answer is no JSON object: {excerpt(data)}")
    return answer


def plain_copy(value: object) -> bytes:
    """Return a value as JSON. Raises Trouble (rubbish) for what JSON has no words for."""
    try:
        return msgspec.json.encode(value)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise Trouble("rubbish", f"its answer cannot be written as JSON: {error}") from None


def excerpt(data: bytes) -> str:
    r"""Return the beginning of what was sent, as printable text in quotes.

    >>> excerpt(b"\x1b[31mred")
    "'\\x1b[31mred'"
    """
    text = repr(data[:_SHOWN].decode("utf-8", "backslashreplace"))
    return text if len(data) <= _SHOWN else f"{text} and {len(data) - _SHOWN} bytes more"


def _is_object(data: bytes) -> bool:
    try:
        return isinstance(msgspec.json.decode(data), dict)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
