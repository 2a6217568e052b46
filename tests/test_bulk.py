"""Logs judged by several processes: the findings are those of one, byte for byte."""

from __future__ import annotations

import copy
import gzip
import random
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playproof.models.editions import Edition
from playproof.models.system import Step
from playproof.oracles import readers, session, settled, sift, workers
from playproof.oracles.adapters import load_adapter
from playproof.oracles.bulk import judge_files
from playproof.oracles.digests import Digests
from playproof.oracles.event import Event
from playproof.oracles.finding import Finding
from playproof.oracles.judge import Judge
from playproof.oracles.log import read_log
from playproof.oracles.purse import OF_A_LOG
from playproof.oracles.readers import read_shards
from playproof.oracles.sift import Sifter
from playproof.oracles.sources import find_sources
from playproof.oracles.typed import Typed

from .played import DIP, dip, log, played

PLAYS = [dip((3, 1), (2, 3), (1, 0)), dip((0, 0), (5, 2), (1, 3)), dip((1, 1), (1, 1), (4, 0))]


def line_by_line(paths: Sequence[Path], steps: int = OF_A_LOG) -> tuple[list[Finding], Judge]:
    """Judge a log as it is read, without sifting anything."""
    judge = Judge(DIP)
    judge.purse.left = steps
    found: list[Finding] = []
    events = read_log(find_sources([str(path) for path in paths]), found.append)
    for finding in judge.judge(events):  # what reading tells of comes in between
        found.append(finding)
    return found, judge


def in_bulk(
    paths: Sequence[Path], jobs: int, steps: int = OF_A_LOG
) -> tuple[list[Finding], Judge]:
    judge = Judge(DIP)
    judge.purse.left = steps
    return list(
        judge_files(judge, find_sources([str(path) for path in paths]), jobs=jobs)
    ), judge


def wrong_somehow(event: dict[str, Any], rng: random.Random) -> Any:
    """Return an event with something wrong, or something odd, or several, or none at all."""
    match rng.randrange(14):
        case 0:
            event["shows"]["jar"] = rng.randrange(9)
        case 1:
            event["reveal"] = {"coins": rng.randrange(9), "stars": rng.randrange(9)}
        case 2:
            event.pop("reveal", None)
        case 3:
            event.pop("shows")
        case 4:
            event["shows"]["glow"] = rng.randrange(2)
        case 5:
            event["step"] += rng.choice([-1, 1])
        case 6:
            event["paid"] = rng.choice([0, 500, 700])
        case 7:
            event["host"] = "a"
        case 8:
            return [event, copy.deepcopy(event)]
        case 9:
            return []
        case 10:
            return [event, event | {"event": "resume"}]
        case 11:
            event["readings"] = {"coin-surplus": "impossible"}
        case 12:
            event["game"] = "another"
        case 13:
            return [event, "{", " ", '{"play": 7}']
    return [event]


def made_up(rng: random.Random, plays: int, faults: float) -> list[bytes]:
    """Return the lines of a log: some Plays interleaved, some numbers used again."""
    open_: list[list[Any]] = []
    lines: list[bytes] = []
    waiting = [f"P-{rng.randrange(plays * 3)}" for _ in range(plays)]
    while open_ or waiting:
        if waiting and (not open_ or rng.random() < 0.2):
            events = msgspec.to_builtins(
                [e for e, _ in log(DIP, rng.choice(PLAYS), waiting.pop())]
            )
            open_.append(
                [
                    each
                    for event in events
                    for each in (
                        wrong_somehow(event, rng) if rng.random() < faults else [event]
                    )
                ]
            )
        if not open_:
            continue
        events = rng.choice(open_)
        if events:
            one = events.pop(0)
            lines.append(one.encode() if isinstance(one, str) else msgspec.json.encode(one))
        else:
            open_.remove(events)
    return lines


def files(folder: Path, lines: Sequence[bytes], number: int) -> Iterator[Path]:
    """Write a log as so many files, every other one packed."""
    share = len(lines) // number + 1
    for place in range(number):
        data = b"\n".join(lines[place * share : (place + 1) * share]) + b"\n"
        path = folder / f"log-{place}.jsonl"
        path.write_bytes(gzip.compress(data) if place % 2 else data)
        yield path


def cut_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have shards and limits so small that a short log goes beyond them."""
    monkeypatch.setattr(readers, "_SHARD", 5000)
    monkeypatch.setattr(readers, "_PIECE", 1000)
    monkeypatch.setattr(session, "_MOST_ENDED", 3)
    monkeypatch.setattr(workers, "_FEW", 1)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_small(monkeypatch)
    monkeypatch.setattr(sift, "_MANY", 1)


@pytest.mark.slow
@given(
    st.integers(0, 2**32),
    st.integers(1, 30),
    st.sampled_from([0.0, 0.02, 0.3]),
    st.integers(1, 3),
)
@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_findings_do_not_depend_on_how_many_processes_there_are(
    small: None, tmp_path: Path, seed: int, plays: int, faults: float, number: int
) -> None:
    rng = random.Random(seed)
    paths = list(files(tmp_path, made_up(rng, plays, faults), number))
    expected, judge = line_by_line(paths)
    for jobs in (1, 2, 3):
        found, other = in_bulk(paths, jobs)
        assert found == expected
        assert other.summary == judge.summary


# What Plays have to do with one another


def sound(*names: str, play: int = 0) -> list[dict[str, Any]]:
    """Return the events of sound Plays, one after the other."""
    return [
        msgspec.to_builtins(event) for name in names for event, _ in log(DIP, PLAYS[play], name)
    ]


def many(first: str = "N", number: int = 30) -> list[dict[str, Any]]:
    """Return so many sound Plays that they take several shards."""
    return sound(*(f"{first}-{one}" for one in range(number)))


def shown(events: list[dict[str, Any]], step: int, **more: Any) -> list[dict[str, Any]]:
    """Return events of which one shows something else, or more."""
    return [e | {"shows": e["shows"] | more} if e["step"] == step else e for e in events]


def unrevealed(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return events that do not say what was revealed, nor show all that came of it."""
    return [
        {n: v for n, v in e.items() if n != "reveal"} | {"shows": {"jar": e["shows"]["jar"]}}
        for e in events
    ]


PAIRS = ("EF",)
LATE = {"play": "N-29", "step": 4, "event": "resume", "shows": {"jar": 0}}
TOGETHER = {
    "a Play shows more, as others that began alike do not": (
        [
            {**sound("A")[0], "outcome": {"amount": 700}},
            *shown(sound("A"), 1, glow=1)[1:],
            *many(),
            *sound("B", play=1),
            *many("M"),
        ],
        "leak",
    ),
    "a Play shows more than others did before": (
        [
            *many(),
            {**sound("A")[0], "outcome": {"amount": 700}},
            *shown(sound("A"), 1, glow=1)[1:],
        ],
        "Play N-0 does not",
    ),
    "so it is with one that comes later": (
        [
            *many(),
            {**sound("A", play=1)[0], "outcome": {"amount": 700}},
            *shown(sound("A", play=1), 1, glow=1)[1:],
            *sound("B", play=1),
        ],
        "leak",
    ),
    "a Play begins as the one before ended": (
        [
            *many(number=27),
            *sound("B", play=1),
            *shown(sound("A"), 0, meter=1),
            *many("M"),
        ],
        "kept from the end of the Play before",
    ),
    "something comes after the end of a Play, in another shard": (
        [*many(), *sound("A"), *sound("B"), LATE | {"step": 5}, LATE, LATE | {"event": "draw"}],
        "goes on after step 5",
    ),
    "a step of a Play has another's number": (
        [*many(), *({**e, "step": min(e["step"], 3)} for e in sound("A")), *many("M")],
        "step 3 comes again",
    ),
    "a key that nobody knows comes up": (
        [*many(), *({**e, "host": "a"} for e in sound("A")), *many("M")],
        "unknown key 'host'",
    ),
    "numbers are used again": ([*many(), *many(), *sound("N-3")], "a second Play"),
    "a Play is open for long": (
        [*sound("A")[:2], *many(), *sound("A")[2:], *sound("B")[:3]],
        "no finish",
    ),
    "more Plays are open than are held": (
        [*sound("A")[:2], *sound("B")[:2], *sound("C")[:2], *sound("D")[:2]]
        + [e for two in PAIRS for both in zip(*map(sound, two), strict=True) for e in both]
        + [*sound("A")[2:], *sound("B")[2:], *sound("C")[2:], *sound("D")[2:]],
        "no finish",
    ),
    "a solver is at work": (unrevealed(many(number=8)), ""),
    "a solver is at work on one Play": ([*many(), *unrevealed(sound("A")), *many("M")], ""),
}


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    "what",
    [
        pytest.param(what, marks=[pytest.mark.slow] if "solver" in what else [])
        for what in TOGETHER
    ],
)
def test_what_plays_have_to_do_with_one_another_is_seen_across_shards(
    what: str, jobs: int, small: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "more Plays are open" in what:
        monkeypatch.setattr(session, "_MOST_OPEN", 4)
    events, says = TOGETHER[what]
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(event) + b"\n" for event in events))
    expected, judge = line_by_line([path])
    found, other = in_bulk([path], jobs)

    assert found == expected
    assert other.summary == judge.summary
    assert other.purse.left == judge.purse.left
    assert any(says in f"{one.code} {one.message} {one.nearest}" for one in found) or not says


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.0, 0.6])
def test_where_a_solver_has_taken_its_steps_does_not_depend_on_the_processes(
    share: float, small: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "_SHARD", 2000)
    monkeypatch.setattr(session, "OF_A_PLAY", 10_000)
    monkeypatch.setattr(settled, "OF_A_PLAY", 10_000)
    path = tmp_path / "log.jsonl"
    lines = [msgspec.json.encode(event) + b"\n" for event in unrevealed(many(number=8))]
    path.write_bytes(b"".join(lines))
    found, judge = line_by_line([path])
    assert not found
    steps = int((OF_A_LOG - judge.purse.left) * share)
    expected, judge = line_by_line([path], steps)
    assert expected
    assert judge.purse.left == 0
    for jobs in (1, 2):
        found, other = in_bulk([path], jobs, steps)
        assert found == expected
        assert other.summary == judge.summary


def test_where_hardly_a_play_is_in_order_shards_are_passed_over(
    small: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sift, "_ENOUGH", 2)
    wrong = [{**event, "shows": event["shows"] | {"jar": 9}} for event in many()]
    path = tmp_path / "log.jsonl"
    events = [*many("A"), *wrong, *many("Z")]
    path.write_bytes(b"".join(msgspec.json.encode(event) + b"\n" for event in events))
    sifter = Sifter(Judge(DIP))
    shards = [part for part in read_shards(*find_sources([str(path)])) if hasattr(part, "rows")]
    unsifted = [sifter.sift(shard, 0).unsifted for shard in shards]

    assert not unsifted[0]
    assert unsifted.count(True) >= sift._BARREN
    assert in_bulk([path], 1)[0] == line_by_line([path])[0]


def test_parquet_zstd_and_adapters_are_judged_alike(small: None, tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    pytest.importorskip("pyarrow")
    from playproof.oracles.parquet import log_to_parquet

    events = [*many(), *shown(sound("A"), 2, jar=1), *many("M")]
    data = b"".join(msgspec.json.encode(event) + b"\n" for event in events)
    paths = [tmp_path / name for name in ("log.jsonl", "log.zst", "log.parquet")]
    paths[0].write_bytes(data)
    paths[1].write_bytes(zstandard.ZstdCompressor().compress(data))
    log_to_parquet((msgspec.convert(event, Event) for event in events), paths[2])
    adapter = load_adapter("tests.test_bulk:as_it_is", DIP)
    for path, by in [*((path, None) for path in paths), (paths[0], adapter)]:
        sources = find_sources([str(path)])
        told = [list(judge_files(Judge(DIP), sources, by, jobs=jobs)) for jobs in (1, 2)]
        assert told[0] == told[1]
        assert [(one.where.line, one.field) for one in told[0]] == [(153, "jar")]


def as_it_is(record: Any) -> list[Any]:
    """Adapt nothing."""
    return [record]


# Events that say all there is to say


def a_play(name: str) -> tuple[Edition, tuple[Step, ...]]:
    return (DIP, PLAYS[0]) if name == "dip" else played(name)


def simple_ones(name: str) -> tuple[Typed, list[bytes]]:
    """Return what decodes simple events of a game, and those of a Play after its start."""
    edition, steps = a_play(name)
    texts = [msgspec.json.encode(event) for event, _ in log(edition, steps)]
    return Typed(Judge(edition).expected), texts[1:]


def taken(typed: Typed, texts: Sequence[bytes]) -> int:
    """Return how many events can be taken one after another from the start."""
    state = typed.first
    for number, text in enumerate(texts):
        event = typed.event(text)
        if event is None or typed.step(state, event) is None:
            return number
        state = event.shows
    return len(texts)


def changes(value: Any) -> Iterator[Any]:
    """Yield JSON with one value in it changed: by one, or to one of another kind."""
    if isinstance(value, dict):
        for name, inside in value.items():
            for new in changes(inside):
                yield value | {name: new}
            yield {label: one for label, one in value.items() if label != name}
        yield value | {"more": 1}
    elif isinstance(value, bool):
        yield from (not value, int(value))
    elif isinstance(value, int):
        yield from (value + 1, value - 1, float(value), str(value))


@pytest.mark.parametrize("name", ["dip", "prize-game", "bonus-game", "riches"])
def test_all_of_a_play_may_be_simple(name: str) -> None:
    typed, texts = simple_ones(name)
    assert taken(typed, texts) == len(texts)


SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in ("prize-game", "bonus-game")]


@pytest.mark.parametrize("name", ["dip", *SLOW])
def test_a_simple_event_is_taken_only_if_the_rules_give_all_of_it(name: str) -> None:
    typed, texts = simple_ones(name)
    edition, _ = a_play(name)
    expected = Judge(edition).expected
    state = expected.start
    for number, text in enumerate(texts):
        event = msgspec.json.decode(text)
        for changed in [*changes(event["shows"])]:
            other = [*texts[:number], msgspec.json.encode(event | {"shows": changed})]
            assert taken(typed, other) == number
        move = expected.moves[event["event"]]
        for changed in changes(event.get("reveal", {})):
            values = move.read(changed, event.get("choice"))
            right = values is not None and move.step(state, values) == move.step(
                state, move.read(event.get("reveal"), event.get("choice")) or ()
            )
            other = [*texts[:number], msgspec.json.encode(event | {"reveal": changed})]
            assert (taken(typed, other) > number) is right
        values = move.read(event.get("reveal"), event.get("choice"))
        assert values is not None
        state = move.step(state, values) or state


def test_a_key_that_stands_twice_is_left_to_others() -> None:
    typed, (first, *_) = simple_ones("dip")
    assert typed.event(first) is not None
    assert typed.event(first.replace(b'"jar":3', b'"jar":7,"jar":3')) is None
    assert typed.event(first.replace(b'"step":1', b'"step":1,"step":1')) is None
    assert typed.event(first.replace(b'"P-1"', b'"P:1"')) is not None


# Very many Plays


@given(st.lists(st.integers(0, 2**64 - 1), max_size=50), st.integers(0, 2**64 - 1))
def test_numbers_are_known_again(numbers: list[int], other: int) -> None:
    digests = Digests()
    for number in numbers:
        digests.add(number)
    assert all(number in digests for number in numbers)
    assert (other in digests) == ((other or 1) in {number or 1 for number in numbers})
    assert len(digests) == len({number or 1 for number in numbers})


def test_a_number_takes_few_bytes() -> None:
    digests, rng = Digests(), random.Random(1)
    tracemalloc.start()
    for _ in range(20_000):
        digests.add(rng.getrandbits(64))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(digests) == 20_000
    assert held < 30 * 20_000
