"""Having kernels compiled, or found on disk, before anything is judged by them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .events import Columns, read_only

if TYPE_CHECKING:
    from .events import Rules

__all__ = ["warm_up"]


def warm_up(rules: Rules, lines: bool = True, plays: bool = True) -> None:
    """Call what judges lines, or whole Plays, with nothing to judge."""
    words, none = rules.words, np.zeros(0, np.int64)
    keys, values = np.zeros(2, np.int64), np.full(2, -1, np.int64)
    words.place_in(keys, values, 0)
    words.note(keys, values, none, 0, none, 0, 1)
    places, numbers = np.zeros(2, np.uint64), np.zeros(0, np.uint64)
    words.any_in(places, numbers)
    words.put_in(places, numbers)
    if lines:
        _lines(rules)
    if plays:
        _plays(rules)


def _lines(rules: Rules) -> None:
    bytes_, none = np.zeros(1, np.uint8), np.zeros(0, np.int64)
    judged = rules.judge(
        Columns(
            0, bytes_[:0], none.astype(np.int32), none, none, none, none, bytes_, bytes_,
            bytes_, bytes_, none,
        )
    )  # fmt: skip
    judged.counted(none, np.zeros(0, bool))
    words, data, texts = rules.words, read_only(bytes_[:0]), read_only(bytes_)
    pairs, sixes = none.reshape(0, 2), none.reshape(0, 6)
    words.read_lines(
        data, np.zeros(1, np.int64), none.reshape(0, 5), texts, 0, bytes_, pairs, none, sixes,
        pairs,
    )  # fmt: skip
    keys, values = np.zeros(2, np.int64), np.full(2, -1, np.int64)
    words.number_plays(
        data, none, sixes, keys, values, none.astype(np.int32), np.zeros(0, np.uint64)
    )
    words.alike_before(data, none.reshape(0, 4), pairs)


def _plays(rules: Rules) -> None:
    bytes_, whole = np.zeros(0, np.uint8), np.zeros(0, np.int64)
    nothing, none = read_only(bytes_), read_only(whole)
    parts, ends = read_only(whole.astype("<i4")), read_only(np.zeros(1, np.int64))
    right = np.zeros(0, bool)
    rules.endings_by(
        lambda known, slots, count: rules.module.judge_plays(
            nothing, ends, nothing, ends, nothing, none, read_only(rules.least_at), nothing,
            none, nothing, rules.start, rules.readings, none, none, parts, parts, known, slots,
            whole, whole, bytes_, right, count,
        )
    )  # fmt: skip
    rules.module.count_plays(nothing, ends, right, rules.no_steps())
    rules.words.text_numbers(nothing, np.zeros(1, np.int64))
