"""How quickly logs are judged, and in how much memory; figures are printed, not asserted."""

from __future__ import annotations

import os
import random
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from playproof.oracles.bulk import judge_files
from playproof.oracles.event import Event, Where
from playproof.oracles.judge import Judge
from playproof.oracles.kernels import ready
from playproof.oracles.session import Session
from playproof.oracles.sources import Source, find_sources
from playproof.oracles.typed import Typed

from .measuring import record
from .played import DIP, dip, log, played

NAMES = ["prize-game", "bonus-game", "riches"]


def lines(name: str, count: int) -> Iterator[bytes]:
    """Yield the lines of a log of so many Plays, some of them interleaved."""
    edition, steps = played(name)
    mark = "play-number-mark"
    encoded = [msgspec.json.encode(event) for event, _ in log(edition, steps, play=mark)]
    rng = random.Random(1)
    for number in range(0, count, 2):
        pair = [[*encoded], [*encoded]]
        while pair[0] or pair[1]:
            which = rng.randrange(2) if pair[0] and pair[1] else int(not pair[0])
            yield pair[which].pop(0).replace(mark.encode(), f"P-{number + which}".encode())


def events(name: str, count: int) -> Iterator[tuple[Event, Where]]:
    decode = msgspec.json.Decoder(Event).decode
    for number, line in enumerate(lines(name, count), start=1):
        yield decode(line), Where("log.jsonl", number)


def test_only_open_plays_and_the_last_that_ended_are_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("playproof.oracles.session._MOST_ENDED", 5)
    session = Session(Judge(DIP))
    for number in range(20):
        for event in log(DIP, dip((3, 1), (2, 3), (1, 0)), play=str(number)):
            assert not list(session.see(*event))
    assert not session._open
    assert [*session._ended] == ["15", "16", "17", "18", "19"]
    assert len(session._seen) == 20


@pytest.mark.parametrize("kept", [False, True])
def test_what_compiling_takes_is_given_back_before_a_log_is_judged(
    kept: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A copy of the process compiles, where kernels are not kept yet; then they are loaded."""
    made = tmp_path / "made"
    made.touch()

    def rules_of(*_: object, **__: object) -> None:
        with made.open("a") as file:
            file.write(f"{os.getpid()}\n")

    monkeypatch.setenv("PLAYPROOF_CACHE", str(tmp_path))
    monkeypatch.setattr(ready, "rules_of", rules_of)
    monkeypatch.setattr(ready, "missing", lambda: "")
    monkeypatch.setattr("playproof.oracles.kernels.build.known", lambda source: kept)
    log_ = Source("log.jsonl", tmp_path / "log.jsonl", 1 << 30)
    ready.fast_rules(Judge(DIP), [log_], pytest.fail)
    *others, last = made.read_text().split()
    assert int(last) == os.getpid()
    assert len(others) == (not kept)
    assert str(os.getpid()) not in others


@pytest.mark.bench
@pytest.mark.parametrize("name", NAMES)
def test_plays_a_second(name: str) -> None:
    count = 1000
    data = list(lines(name, count))
    size = sum(map(len, data))
    decode = msgspec.json.Decoder(Event).decode
    judge = Judge(played(name)[0])
    where = Where("log.jsonl", 1)
    best = {"read": 1e9, "read and judged": 1e9}
    for _ in range(5):
        began = time.process_time()
        for line in data:
            decode(line)
        best["read"] = min(best["read"], time.process_time() - began)
        began = time.process_time()
        assert not list(judge.judge((decode(line), where) for line in data))
        best["read and judged"] = min(best["read and judged"], time.process_time() - began)
    print(f"\n{name}: {len(data) // count} events and {size // count} bytes a Play")  # noqa: T201
    for what, seconds in best.items():
        print(f"  {what}: {count / seconds:,.0f} Plays a second of one process")  # noqa: T201
    ratio = best["read and judged"] / best["read"]
    print(f"  judging takes {ratio:.1f} times as long as reading alone")  # noqa: T201


@pytest.mark.bench
@pytest.mark.parametrize("jobs", [1, 2])
def test_plays_a_second_of_a_file(jobs: int, tmp_path: Path) -> None:
    """Wall time is of use on an idle machine only, so the processors' time is told as well."""
    count = 20_000
    path = tmp_path / "log.jsonl"
    with path.open("wb") as file:
        for line in lines("prize-game", count):
            file.write(line + b"\n")
    judge = Judge(played("prize-game")[0])
    before, began = _processor_seconds(), time.perf_counter()
    assert not list(judge_files(judge, find_sources([str(path)]), jobs=jobs))
    wall, used = time.perf_counter() - began, _processor_seconds() - before
    assert judge.summary.finished == count
    print(f"\n{jobs} at work: {count / wall:,.0f} Plays a second,")  # noqa: T201
    print(f"  {used / count * 1e6:.0f} µs of a processor for each Play")  # noqa: T201


@pytest.mark.bench
def test_memory() -> None:
    judge = Judge(played("prize-game")[0])
    list(judge.judge(events("prize-game", 100)))
    before = _peak()
    count = 20_000
    assert not list(judge.judge(events("prize-game", count)))
    size = count * sum(map(len, lines("prize-game", 2))) // 2
    print(f"\n{size / 1e6:,.0f} MB judged: {_peak() - before:.0f} MB more than at first")  # noqa: T201
    print(f"{_peak():.0f} MB in all, this test's own included")  # noqa: T201


@pytest.mark.bench
@pytest.mark.table
def test_judging_beside_typed_decoding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge a file in one process, and decode the same lines into structs made for them."""
    pytest.importorskip("numba")
    count = 10_000
    data = list(lines("prize-game", count))
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(data) + b"\n")
    judge = Judge(played("prize-game")[0])
    decode = Typed(judge.expected)._decode
    began = time.process_time()
    for line in data:
        decode(line)
    decoding = time.process_time() - began
    ready.rules_of(judge)  # kept from here on
    began = time.process_time()
    assert not list(judge_files(judge, find_sources([str(path)]), jobs=1))
    judging = time.process_time() - began
    record(
        "judging / typed decoding of JSON Lines",
        judging / decoding,
        plays=count,
        judging_us=round(judging / count * 1e6, 1),
        decoding_us=round(decoding / count * 1e6, 1),
    )


@pytest.mark.bench
@pytest.mark.table
def test_compiled_steps_beside_plain_ones() -> None:
    numba = pytest.importorskip("numba")
    edition, _ = played("prize-game")
    judge = Judge(edition)
    rules = ready.rules_of(judge)
    step = rules.module.step
    state = rules.start.copy()
    revealed = np.array([1, 0] + [0] * 60, np.uint8)

    @numba.njit
    def many(state, start, revealed, readings, times):
        done = 0
        for _ in range(times):
            state[:] = start
            done += step(0, state, revealed, revealed, readings)
        return done

    many(state, rules.start, revealed, rules.readings, 1)
    times = 1_000_000
    began = time.process_time()
    assert many(state, rules.start, revealed, rules.readings, times) == times
    compiled = (time.process_time() - began) / times
    move, before = judge.expected.moves["spin"], judge.expected.start
    values = (1,) + (0,) * 8
    began = time.process_time()
    for _ in range(10_000):
        assert move.step(before, values) is not None
    plain = (time.process_time() - began) / 10_000
    record(
        "a plain step / a compiled one",
        plain / compiled,
        plain_ns=round(plain * 1e9),
        compiled_ns=round(compiled * 1e9),
    )


def _processor_seconds() -> float:
    """Return what this process and those that it has ended took."""
    ours, theirs = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return ours.ru_utime + ours.ru_stime + theirs.ru_utime + theirs.ru_stime


def _peak() -> float:
    scale = 1024 if sys.platform != "darwin" else 1024**2
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / scale
