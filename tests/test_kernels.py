"""Kernels: they do what the concrete rules do, and find what the plain judge finds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playproof.models.algebra import int_variable, where
from playproof.models.editions import Edition
from playproof.models.setting import allowed, readings_of, settle
from playproof.models.shape import Variable
from playproof.oracles.bulk import judge_files
from playproof.oracles.event import flat
from playproof.oracles.finding import Finding
from playproof.oracles.judge import Judge
from playproof.oracles.kernels import build, ready
from playproof.oracles.kernels.bounds import TooLarge, bounds_of
from playproof.oracles.kernels.layout import layout_of
from playproof.oracles.kernels.records import Record
from playproof.oracles.kernels.source import Source
from playproof.oracles.log import read_log
from playproof.oracles.sources import find_sources

from .played import DIP, log, played
from .test_bulk import TOGETHER, a_play, cut_small, made_up

PLAYED = {"collector": "bonus-game"}


def edition(name: str) -> Edition:
    return a_play(PLAYED.get(name, name))[0]


# Steps


def value(variable: Variable, most: int) -> st.SearchStrategy[Any]:
    """Draw a value that a record can have: small, about its limits, or any."""
    if variable.sort == "Bool":
        return st.booleans()
    low = -most - 1 if variable.low is None else variable.low
    high = most if variable.high is None else min(variable.high, most)
    about = {low, low + 1, 0, 1, high - 1, high}
    return st.one_of(
        st.integers(max(low, min(0, high)), max(low, min(8, high))),
        st.sampled_from(sorted(n for n in about if low <= n <= high)),
        st.integers(low, high),
    )


def values(
    draw: st.DrawFn, variables: Sequence[Variable], record: Record, base: Sequence[Any] | None
) -> list[Any]:
    """Draw values of a record: all of them, or a few that are not as they were."""
    places = range(len(variables))
    fields = [value(v, f.most) for v, f in zip(variables, record.fields, strict=True)]
    if base is None:
        return [draw(one) for one in fields]
    found = list(base)
    if found:
        for place in draw(st.lists(st.sampled_from(places), max_size=3, unique=True)):
            found[place] = draw(fields[place])
    return found


def ways(of: Edition) -> list[dict[str, str]]:
    """Return readings: all first choices, and those with one other choice that go together."""
    known = readings_of(of.game.setting)
    first = {name: shape.choices[0] for name, shape in known.items()}
    others = [
        first | {name: choice} for name, shape in known.items() for choice in shape.choices[1:]
    ]
    return [one for one in [first, *others] if allowed(of.game.setting, one)]


class Steps:
    """Holds compiled steps of an edition against its rules, by what is drawn."""

    def __init__(self, name: str, step: Any = None) -> None:
        self.edition, self.source, module = plain(name)
        self.step = step or module.step
        self.ways = ways(self.edition)
        self.played: dict[str, list[tuple[list[Any], Any]]] = {}
        self.taken: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        _, steps = a_play(PLAYED.get(name, name))
        game = self.edition.game
        p, _, _ = settle(game.setting, self.edition.parameters, self.ways[0])
        point = game.start(p)
        rules = {rule.id: rule for rule in game.rules}
        for one in steps:
            state = list(game.state_shape().scalars(point.s).values())
            self.played.setdefault(one.rule, []).append((state, one.reveal))
            point = game.after(p, point, rules[one.rule], one.reveal)

    def hold(self, number: int, draw: st.DrawFn) -> None:
        """Draw a step of a rule, under any reading, and hold it against the rule."""
        game, source, shape = self.edition.game, self.source, self.edition.game.state_shape()
        rule, readings = game.rules[number], draw(st.sampled_from(self.ways))
        p, _, _ = settle(game.setting, self.edition.parameters, readings)
        of_rule = game.reveal_shape(rule)
        shown = [v for v in of_rule.variables if not v.choice]
        choices = [v for v in of_rule.variables if v.choice]
        base: list[Any] | None = None
        like: list[Any] = [None, None]
        if rule.id in self.played and draw(st.integers(0, 4)):
            base, reveal = draw(st.sampled_from(self.played[rule.id]))
            named = of_rule.scalars(reveal)
            like = [[named[v.name] for v in some] for some in (shown, choices)]
        state = values(draw, shape.variables, source.state, base)
        revealed = values(draw, shown, source.reveals[number], like[0])
        chosen = values(draw, choices, source.choices[number], like[1])
        told = dict(
            zip([v.name for v in (*shown, *choices)], [*revealed, *chosen], strict=True)
        )
        right = self.right(p, rule, state, of_rule.of(told))
        data = np.frombuffer(source.state.pack(state), np.uint8).copy()
        with np.errstate(over="ignore"):
            fired = self.step(
                number,
                data,
                np.frombuffer(source.reveals[number].pack(revealed) + b"\0", np.uint8),
                np.frombuffer(source.choices[number].pack(chosen) + b"\0", np.uint8),
                np.array(source.taken(readings) or [0], np.int64),
            )
        assert bool(fired) == (right is not None), (rule.id, readings, state, told)
        assert list(source.state.unpack(data.tobytes())) == (right or state)
        (self.refused if right is None else self.taken)[rule.id] += 1

    def right(self, p: Any, rule: Any, state: list[Any], reveal: Any) -> list[Any] | None:
        """Return what the rule itself makes of a state; None where it may not fire."""
        game = self.edition.game
        shape, of_rule = game.state_shape(), game.reveal_shape(rule)
        s = shape.of(dict(zip((v.name for v in shape.variables), state, strict=True)))
        if of_rule.within_limits(reveal) is not True or rule.guard(p, s, reveal) is not True:
            return None
        found = list(shape.scalars(rule.effect(p, s, reveal)).values())
        try:
            self.source.state.pack(found)
        except ValueError:
            return None
        return found

    def all(self, examples: int) -> None:
        """Hold so many steps of each rule against it, the same ones each time."""

        @settings(max_examples=examples, deadline=None, derandomize=True, database=None)
        @given(st.data())
        def held(number: int, data: st.DataObject) -> None:
            self.hold(number, data.draw)

        for number in range(len(self.edition.game.rules)):
            held(number)


MADE: dict[str, tuple[Edition, Source, Any]] = {}


def plain(name: str) -> tuple[Edition, Source, Any]:
    if name not in MADE:
        of = edition(name)
        source = Source(of)
        MADE[name] = of, source, build.plain(source)
    return MADE[name]


@pytest.mark.parametrize(
    ("name", "examples"),
    [
        ("dip", 60),
        pytest.param("collector", 25, marks=pytest.mark.slow),
        pytest.param("riches", 10, marks=pytest.mark.slow),
    ],
)
def test_a_step_is_that_of_the_rule_under_every_reading(name: str, examples: int) -> None:
    steps = Steps(name)
    steps.all(examples)
    assert set(steps.played) <= set(steps.taken)  # so that no rule is held by refusals alone
    assert set(steps.refused) == {rule.id for rule in steps.edition.game.rules}


@pytest.mark.slow
def test_a_step_that_is_compiled_is_that_of_the_rule(at_once: None) -> None:
    """Compiled by numba, where numbers have 64 bits and not as many as they need."""
    from numba import njit

    _, source, _ = plain("dip")
    step = build.compiled(source).__dict__["step"]
    steps = Steps("dip", njit(lambda number, S, R, C, P: step(number, S, R, C, P)))
    steps.all(300)
    assert set(steps.taken) == {rule.id for rule in steps.edition.game.rules}


@given(st.integers(-(2**63) + 1, 2**63 - 1), st.lists(st.integers(-40_000, 40_000), max_size=6))
@settings(max_examples=50, deadline=None)
def test_the_number_of_a_beginning_is_what_python_makes_of_it(
    before: int, of: list[int]
) -> None:
    words = plain("dip")[2]
    with np.errstate(over="ignore"):
        inner = words.tuple_begun()
        for one in of:
            inner = words.tuple_with(inner, words.small(np.int64(one)))
        inner = words.tuple_ended(inner, len(of))
        outer = words.tuple_with(words.tuple_begun(), words.large(np.int64(before)))
        outer = words.tuple_with(words.tuple_with(outer, 3), inner)
        found = words.tuple_ended(outer, 3)
    assert int(found.astype(np.int64)) == hash((before, 3, tuple(of)))


def test_nothing_overflows_unseen() -> None:
    n, m = int_variable("n"), int_variable("m")
    near = (-(2**31), 2**31 - 1)
    assert bounds_of(n * m, {"n": near, "m": near}) == (-(2**31) * (2**31 - 1), 2**62)
    with pytest.raises(TooLarge, match="may come to between"):
        bounds_of(where(n < m, n * m * m, 0), {"n": near, "m": near})


def test_a_changed_kernel_is_told_from_the_rules() -> None:
    _, source, _ = plain("dip")
    text = build.text_of(source).replace("< v", "<= v").replace("(0 < ", "(1 < ")
    assert text != build.text_of(source)
    module = ModuleType("changed")
    module.__dict__["compiled"] = lambda function: function
    exec(text, module.__dict__)
    with pytest.raises(AssertionError):
        Steps("dip", module.__dict__["step"]).all(60)


# Whole logs


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Return a cache that all processes of a run share: kernels are compiled once."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "kernels"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_small(monkeypatch)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch, kept: Path) -> None:
    """Have kernels for the shortest of logs."""
    pytest.importorskip("numba")
    monkeypatch.setenv("PLAYPROOF_CACHE", str(kept))
    monkeypatch.setattr(ready, "_WORTH", 0)


def by_line(path: Path, of: Edition = DIP) -> tuple[list[Finding], Judge]:
    judge = Judge(of)
    found: list[Finding] = []
    for finding in judge.judge(read_log(find_sources([str(path)]), found.append)):
        found.append(finding)
    return found, judge


def in_bulk(path: Path, jobs: int, of: Edition = DIP) -> tuple[list[Finding], Judge]:
    judge = Judge(of)
    return list(judge_files(judge, find_sources([str(path)]), jobs=jobs)), judge


def same(path: Path, of: Edition = DIP) -> list[Finding]:
    """Judge a log in every way; return what is found, which is the same in all."""
    expected, judge = by_line(path, of)
    for jobs in (1, 2):
        found, other = in_bulk(path, jobs, of)
        assert found == expected
        assert other.summary == judge.summary
        assert other.purse.left == judge.purse.left
    return expected


def written(path: Path, events: Any) -> Path:
    path.write_bytes(b"".join(msgspec.json.encode(event) + b"\n" for event in events))
    return path


@pytest.mark.slow
@pytest.mark.parametrize("what", [what for what in TOGETHER if "solver" not in what])
def test_plays_together_are_judged_as_by_the_plain_judge(
    what: str,
    in_pieces: None,
    at_once: None,
    tmp_path: Path,
) -> None:
    same(written(tmp_path / "log.jsonl", TOGETHER[what][0]))


@pytest.mark.slow
@given(st.integers(0, 2**32), st.integers(20, 60), st.sampled_from([0.0, 0.01, 0.1]))
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_log_is_judged_as_by_the_plain_judge(
    in_pieces: None,
    at_once: None,
    tmp_path: Path,
    seed: int,
    plays: int,
    faults: float,
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(made_up(random.Random(seed), plays, faults)) + b"\n")
    same(path)


def test_without_numba_a_long_log_says_that_it_takes_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ready, "_WORTH", 0)
    monkeypatch.setattr(build, "have_numba", lambda: False)
    heard: list[str] = []
    path = written(tmp_path / "log.jsonl", TOGETHER["numbers are used again"][0][:10])
    sources = find_sources([str(path)])
    assert not list(judge_files(Judge(DIP), sources, slow=heard.append))
    assert len(heard) == 1
    assert "numba is not installed" in heard[0]


@pytest.mark.slow
def test_for_lines_nothing_is_compiled_that_judges_whole_plays(
    at_once: None, tmp_path: Path
) -> None:
    path = written(tmp_path / "log.jsonl", TOGETHER["numbers are used again"][0][:10])
    rules = ready.fast_rules(Judge(DIP), find_sources([str(path)]), pytest.fail)
    assert rules is not None
    module = rules.module.__dict__
    assert module["judge_events"].signatures
    assert not module["judge_plays"].signatures


# Files of whole Plays


def rows_of(of: Edition, steps: Any) -> tuple[Any, dict[str, Any]]:
    """Return the layout of an edition's files, and the row of a sound Play."""
    layout = layout_of(of)
    events = [event for event, _ in log(of, steps)]

    def packed(record: Record, said: Any) -> bytes:
        named = dict(flat(said or {}))
        return record.pack([named[field.name] for field in record.fields])

    def parts(won: Any) -> bytes:
        return layout.parts.pack([won.get(field.name, 0) for field in layout.parts.fields])

    start, *rest = events
    assert start.outcome is not None
    states = [packed(layout.state, event.shows) for event in events]
    return layout, {
        "amount": start.outcome["amount"],
        "parts": parts(start.outcome["parts"]),
        "row": 0,
        "events": bytes(layout.rules.index(event.event) for event in rest),
        "reveals": b"".join(packed(layout.reveals[e.event], e.reveal) for e in rest),
        "shows": b"".join(states),
        "final": states[-1],
        "paid": rest[-1].paid,
        "won": parts(rest[-1].won),
        "screens": None,
    }


def write_plays(path: Path, of: Edition, steps: Any, change: Any, **columns: bool) -> Path:
    """Write a file of 300 Plays in three row groups; ``change`` changes the rows of some."""
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    layout, row = rows_of(of, steps)
    schema = layout.schema(**columns)
    rows = [
        {"play": n if columns.get("numbers", True) else f"P-{n}", **row} for n in range(300)
    ]
    for number, changes in change.items():
        rows[number] |= changes(rows[number]) if callable(changes) else changes
    data = {name: [one[name] for one in rows] for name in schema.names}
    pq.write_table(pa.table(data, schema=schema), path, row_group_size=100)
    return path


def with_byte(column: str, at: int, add: int) -> Any:
    """Return a change of one byte of a column."""

    def change(row: dict[str, Any]) -> dict[str, Any]:
        data = bytearray(row[column])
        data[at] = (data[at] + add) % 256
        return {column: bytes(data)}

    return change


FAULTS: dict[str, tuple[dict[str, bool], dict[int, Any], list[str]]] = {
    "nothing": ({}, {}, []),
    "nothing, all being shown": ({"shows": True, "numbers": False}, {}, []),
    "three Plays pay too much, or show something else": (
        {},
        {7: {"paid": 9_00}, 120: {"amount": 9_00}, 250: with_byte("final", 0, 1)},
        ["7", "120", "250"],
    ),
    "a state on the way is another": (
        {"shows": True},
        {150: with_byte("shows", 130, 1)},
        ["150"],
    ),
    "what is revealed may not come": ({}, {3: with_byte("reveals", 0, 90)}, ["3"]),
    "a Play Number comes again": ({}, {290: {"play": 3}, 50: {"play": 51}}, ["3", "51"]),
    "a record is cut off": ({}, {99: lambda row: {"reveals": row["reveals"][:-1]}}, [""]),
    "a Play has no finish": (
        {},
        {42: lambda row: {"events": row["events"][:-1]}},
        ["42"],
    ),
    "the parts that are won are others": ({}, {5: with_byte("won", 0, 1)}, ["5"]),
    "the row is none of the table": ({}, {6: {"row": 999}}, ["6"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", FAULTS)
def test_files_of_whole_plays_are_judged_as_by_the_plain_judge(
    what: str, at_once: None, tmp_path: Path
) -> None:
    columns, change, plays = FAULTS[what]
    of, steps = played("prize-game")
    path = write_plays(tmp_path / "run.parquet", of, steps, change, **columns)
    found = same(path, of)
    assert {one.play for one in found} == set(plays)
    assert all(one.where.line == int(one.play) + 1 for one in found if what.startswith("three"))


# What is kept on disk


TWICE = """import numpy as np


@compiled
def twice(number):
    return 2 * number
"""


@pytest.mark.slow
def test_what_is_kept_is_used_again_unless_anything_is_wrong_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")

    def used_again() -> bool:
        module = build.module_of(TWICE, tmp_path)
        assert module.twice(21) == 42
        build.keep(module)
        return bool(sum(module.twice.stats.cache_hits.values()))

    assert not used_again()
    assert used_again()
    (folder,) = tmp_path.iterdir()
    (code,) = folder.rglob("*.nbc")
    code.write_bytes(code.read_bytes()[:-1] + b"?")
    assert not used_again()
    (folder / "hashes.json").write_text("{}")
    assert not used_again()
    (folder / "kernels.py").write_text(TWICE.replace("2 *", "3 *"))
    assert not used_again()
    assert used_again()
    monkeypatch.setattr(build, "_VERSION", 0)
    assert not used_again()
    assert len(list(tmp_path.iterdir())) == 2
