"""Lines read by the one of their pattern before: they come to what they come to alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playproof.errors import BadInput
from playproof.oracles.kernels import lines, tables
from playproof.oracles.kernels.values import FLAG, LAST, NUMBER, PAID, PLAY, STEP, WON
from playproof.oracles.shards import LONGEST, Stretch
from playproof.oracles.stretches import stretches

from . import test_kernels

WIDTH = 4  # of a record: two bytes of ``n``, one of ``m``, and a flag

SPIN = [
    (b'{"play":"', PLAY, 0, 0), (b'","step":', STEP, 0, 0),
    (b',"event":"spin","reveal":{"n":', NUMBER, 0, 2), (b',"m":', NUMBER, 2, 1),
    (b',"ok":', FLAG, 3, 0), (b"}}", LAST, 0, 0),
]  # fmt: skip
FINISH = [
    (b'{"play":"', PLAY, 0, 0), (b'","step":', STEP, 0, 0),
    (b',"event":"finish","paid":', PAID, 0, 0), (b',"won":', WON, 0, 0), (b"}", LAST, 0, 0),
]  # fmt: skip


class Plain:
    """What is compiled, as plain Python, which moreover refuses to read past the end."""

    read_lines = staticmethod(lines.read_lines)
    alike_before = staticmethod(lines.alike_before)


def load8(data: Any, at: int) -> Any:
    assert 0 <= at <= len(data) - 8
    return np.uint64(int.from_bytes(data[at : at + 8].tobytes(), "little"))


def first_byte(number: Any) -> int:
    return ((int(number) & -int(number)).bit_length() - 1) // 8


kept = test_kernels.kept  # the cache that tests share
COMPILED: list[ModuleType] = []


@pytest.fixture(params=["plain", pytest.param("compiled", marks=pytest.mark.slow)])
def words(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, kept: Path
) -> Iterator[Any]:
    """Yield what reads lines: as plain Python, and as numba compiles it."""
    if request.param == "plain":
        monkeypatch.setattr(lines, "load8", load8)
        monkeypatch.setattr(lines, "first_byte", first_byte)
        yield Plain
        return
    pytest.importorskip("numba")
    from playproof.oracles.kernels import build

    if not COMPILED:
        COMPILED.append(build.tables(kept / "kernels"))
    yield COMPILED[0]
    build.keep(COMPILED[0])


def read(words: Any, data: bytes, patterns: Sequence[Any] = (SPIN, FINISH)) -> list[Any]:
    """Return of each line its text, and its pattern with all that was read by that."""
    pieces, texts, firsts = [], b"", [0]
    for pattern in patterns:
        for text, kind, place, size in pattern:
            pieces.append((len(texts), len(text), kind, place, size))
            texts += text
        firsts.append(len(pieces))
    most = data.count(b"\n") + 1
    records = np.zeros(most * WIDTH, np.uint8)
    ends, places = np.zeros((most, 2), np.int64), np.zeros((most, 6), np.int64)
    numbers, pattern = np.zeros((most, 2), np.int64), np.full(most, -1, np.int64)
    count = words.read_lines(
        np.frombuffer(data, np.uint8), np.array(firsts, np.int64), np.array(pieces, np.int64),
        np.frombuffer(texts + b"\0", np.uint8), WIDTH, records, ends, pattern, places, numbers,
    )  # fmt: skip
    found: list[Any] = []
    for line in range(count):
        text = data[slice(*ends[line].tolist())]
        if pattern[line] < 0:
            found.append((text, None))
            continue
        at = places[line].tolist()
        own = [data[slice(*at[2 * n : 2 * n + 2])] for n in (0, 2)]
        record = records[line * WIDTH : (line + 1) * WIDTH].tobytes()
        found.append((text, int(pattern[line]), own, record, *numbers[line].tolist()))
    return found


def as_json(text: bytes) -> Any:
    """Return what a line that fits a pattern says, by a reader of JSON.

    What is won is taken as it stands there: whoever compares it reads it then.
    """
    won = text[text.index(b'"won":') + 6 : -1] if b'"won":' in text else b""
    said = json.loads(text.replace(won, b"{}") if won else text)
    shown = said.get("reveal", {"n": 0, "m": 0, "ok": False})
    record = shown["n"].to_bytes(2, "little", signed=True)
    record += shown["m"].to_bytes(1, "little", signed=True) + bytes([shown["ok"]])
    kind = ("spin", "finish").index(said["event"])
    return text, kind, [said["play"].encode(), won], record, said["step"], said.get("paid", 0)


def held(words: Any, texts: Sequence[bytes]) -> int:
    """Hold lines one after the other against each alone; return how many fit a pattern."""
    texts = [text.replace(b"\n", b"") for text in texts]
    data = b"\n".join(texts)
    together = read(words, data)
    if not texts[-1]:
        texts.pop()  # what follows the last end is no line
    assert together == [
        one for text in texts for one in (read(words, text) if text else [(b"", None)])
    ]
    fit = [one for one in together if one[1] is not None]
    assert fit == [as_json(one[0]) for one in fit]
    return len(fit)


# Values of other lengths, values that fail


usual = st.sampled_from(["0", "1", "7", "10", "99", "100", "127", "-1", "-128", "32767"])
odd = st.sampled_from(
    ["128", "-129", "32768", "-32769", str(2**63), str(2**64), "9" * 15, "9" * 16, "-0", "007",
     "", "-", "1.0", "1e2", "null", "true", '"1"', "+1", " 1", "1 ", "{}"]
)  # fmt: skip
names = st.sampled_from(["P-1", "P-2", "P-10", "Q", "x" * 20, "x" * 1000])
odd_names = st.sampled_from(["", "x" * 1001, "\\u0050", 'P\\"1', "\x7f", "\t", "ü", "P\\n"])
prizes = st.sampled_from(
    ["{}", '{"a":1}', '{"a":12}', '{"a":{"b":1},"c":2}', '{"a}":1}', '{"a":1,"a":1}']
)
odd_prizes = st.sampled_from(['{"a":{}', "[]", "null", '{"\\u0061":1}', '{"ü":1}', "{", "}"])
flags = st.sampled_from(["true", "false"])
odd_flags = st.sampled_from(["True", "tru", "truee", "falsy", "1", "fals", "null", ""])


@st.composite
def spins(draw: st.DrawFn) -> bytes:
    """Draw a line: mostly as it should be, with one thing about it that is not."""
    wrong = draw(st.integers(0, 20))
    finish = draw(st.integers(0, 3)) == 0
    play = draw(odd_names if wrong == 1 else names)
    step = draw(odd if wrong == 2 else usual)
    text = '{"play":"' + play + '","step":' + step
    if finish:
        text += ',"event":"finish","paid":' + draw(odd if wrong == 3 else usual)
        text += ',"won":' + draw(odd_prizes if wrong == 4 else prizes) + "}"
    else:
        text += ',"event":"spin","reveal":{"n":' + draw(odd if wrong == 5 else usual)
        text += ',"m":' + draw(odd if wrong == 6 else usual.filter(lambda n: len(n) < 5))
        text += ',"ok":' + draw(odd_flags if wrong == 7 else flags) + "}}"
    if wrong == 8:  # a key that is there twice
        text = text.replace(',"event"', ',"step":1,"event"')
    data = text.encode()
    if wrong == 9:
        return data[: draw(st.integers(0, len(data)))]
    if wrong == 10:
        at = draw(st.integers(0, len(data) - 1))
        return data[:at] + bytes([draw(st.integers(0, 255))]) + data[at + 1 :]
    if wrong == 11:
        at = draw(st.integers(0, len(data)))
        return data[:at] + draw(st.binary(min_size=1, max_size=9)) + data[at:]
    return data


@given(st.lists(spins(), min_size=1, max_size=12))
@settings(
    max_examples=120, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip
def test_a_line_read_by_the_one_before_is_as_read_alone(words: Any, texts: list[bytes]) -> None:
    held(words, texts)


ONE = b'{"play":"P-1","step":9,"event":"spin","reveal":{"n":-7,"m":12,"ok":false}}'
LONGER = b'{"play":"P-22","step":10,"event":"spin","reveal":{"n":3000,"m":1,"ok":true}}'
PAYS = b'{"play":"P-1","step":10,"event":"finish","paid":500,"won":{"a":{"b":5}}}'


@pytest.mark.parametrize("text", [ONE, LONGER, PAYS])
def test_data_may_be_cut_at_every_byte(words: Any, text: bytes) -> None:
    for before in (ONE, LONGER, PAYS):
        for at in range(len(text) + 1):
            assert held(words, [before, text[:at]]) == (2 if at == len(text) else 1)
            assert held(words, [before, text[:at], before, text]) == 3 + (at == len(text))


@pytest.mark.parametrize("text", [ONE, LONGER])
def test_no_byte_of_a_line_may_be_another_unseen(words: Any, text: bytes) -> None:
    for at in range(len(text)):
        for other in b'0"}\\- \x00\xc3':
            held(words, [ONE, text[:at] + bytes([other]) + text[at + 1 :], ONE])


def test_numbers_keep_to_their_size(words: Any) -> None:
    def fits(n: int, of: bytes) -> bool:
        text = ONE.replace(b'"n":-7' if of == b"n" else b'"m":12', b'"%s":%d' % (of, n))
        return held(words, [ONE, text, ONE]) == 3

    for of, most in ((b"n", 1 << 15), (b"m", 1 << 7)):
        assert fits(most - 1, of)
        assert fits(-most, of)
        for beyond in (most, -most - 1, 10**15, 2**63 - 1, 2**63, 2**64, 2**64 + 1, 10**30):
            assert not fits(beyond, of)


# Payments that are alike


def places_of(*pairs: tuple[bytes, bytes]) -> tuple[Any, Any]:
    """Return data with pairs of texts in it, and where those are."""
    data, places = b"", []
    for pair in pairs:
        row: list[int] = []
        for text in pair:
            row += [len(data), len(data) + len(text)]
            data += text
        places.append(row)
    return np.frombuffer(data + b"\0", np.uint8), np.array(places, np.int64)


def alike(words: Any, pairs: Sequence[tuple[bytes, bytes]], numbers: Any) -> list[int]:
    data, places = places_of(*pairs)
    with np.errstate(over="ignore"):
        found: list[int] = words.alike_before(
            data, places, np.array(numbers, np.int64)
        ).tolist()
    return found


def mixed(state: int, word: int) -> int:
    state = (state ^ word) * 0x9E3779B97F4A7C15 % 2**64
    return state ^ state >> 32


def colliding(one: bytes, first: bytes) -> bytes:
    """Return 16 bytes, the first 8 being given, that have the same hash as 16 others."""
    begun = mixed(16, int.from_bytes(one[:8], "little"))
    other = mixed(16, int.from_bytes(first, "little"))
    word = int.from_bytes(one[8:], "little") ^ begun ^ other
    return first + word.to_bytes(8, "little")


def test_payments_alike_are_found_by_all_that_they_are(words: Any) -> None:
    a, b = b'{"amount":5}', b'{"amount":6}'
    pairs = [(a, b), (a, a), (a, b), (b, a), (b"", a + b), (a + b, b""), (a, b)]
    assert alike(words, pairs, [[5, 0]] * 7) == [0, 1, 0, 3, 4, 5, 0]
    assert alike(words, [(a, b)] * 4, [[5, 0], [5, 1], [6, 0], [5, 1]]) == [0, 1, 2, 1]


def test_payments_with_one_hash_are_not_taken_for_each_other(words: Any) -> None:
    pair = (b"{}", b"{}")
    # the hash of two numbers is 31 times the first and the second
    assert alike(words, [pair] * 4, [[1, 62], [2, 31], [2, 31], [1, 62]]) == [0, 1, 2, 0]
    text = b'{"amount": 1000}'
    other = colliding(text, b'{"amoum"')
    assert other != text
    with np.errstate(over="ignore"):
        hashes = [
            tables.text_number(np.frombuffer(one, np.uint8), 0, 16) for one in (text, other)
        ]
    assert hashes[0] == hashes[1]
    for put in (lambda one: (one, b"{}"), lambda one: (b"{}", one)):
        pairs = [put(text), put(other), put(text), put(other)]
        assert alike(words, pairs, [[5, 0]] * 4) == [0, 1, 0, 3]


# Stretches of a file


def cut(path: Path, size: int) -> list[Any]:
    heard: list[int] = []
    with path.open("rb") as file:
        found = list(stretches("log", path, file, heard.append, size))
    assert sum(heard) == (path.stat().st_size if found else 0)
    return found


@given(
    st.lists(st.binary(max_size=30).map(lambda one: one.replace(b"\n", b"")), max_size=12),
    st.booleans(),
    st.booleans(),
    st.integers(1, 60),
)
@settings(
    max_examples=60, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip
def test_stretches_are_the_lines_of_a_file(
    tmp_path: Path, texts: list[bytes], ended: bool, bom: bool, size: int
) -> None:
    path = tmp_path / "log"
    body = b"\n".join(texts) + (b"\n" if ended and texts else b"")
    path.write_bytes(b"\xef\xbb\xbf" * bom + body)
    taken = body[3:] if not bom and body.startswith(b"\xef\xbb\xbf") else body
    found = cut(path, size)
    assert b"".join(one.lines.data for one in found) == taken
    line = 1
    for one in found:
        assert one.first == line
        line += one.lines.data.count(b"\n")
        assert one is found[-1] or one.lines.data.endswith(b"\n")


def test_a_line_that_is_too_long_is_told_and_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"{}\n" + b"x" * (LONGEST + 1) + b"\n[]\n")
    first, told, last = cut(path, 64)
    assert (first.lines.data, last.lines.data, last.first) == (b"{}\n", b"[]\n", 3)
    assert told.where.line == 2


@pytest.mark.parametrize("left", [0, 5, 11])
def test_a_file_that_shrinks_while_it_is_judged_is_bad_input(tmp_path: Path, left: int) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"{}\n" * 4)
    (stretch,) = cut(path, 100)
    assert len(list(stretch.rows())) == 4
    with path.open("r+b") as file:
        file.truncate(left)
    with pytest.raises(BadInput, match="log has become shorter while it was judged"):
        list(stretch.rows())


def test_a_file_that_is_gone_is_bad_input(tmp_path: Path) -> None:
    stretch = Stretch("log", 1, tmp_path / "log", 0, 3)
    with pytest.raises(BadInput, match="log: cannot be read: No such file"):
        list(stretch.rows())
