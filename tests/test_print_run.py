"""Print runs: the winners that the audit solved for, Plays that differ, the same for a seed."""

from __future__ import annotations

import dataclasses
import errno
import json
import os
import pickle
import signal
import time
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from playproof.errors import BadInput
from playproof.models.algebra import Bool, Int, all_of, negate, where
from playproof.models.editions import Edition, default_readings, load_edition
from playproof.models.games import load_game
from playproof.models.play import Play, replay
from playproof.models.shape import count, flag
from playproof.models.system import Reveal, rule
from playproof.oracles.bulk import judge_files
from playproof.oracles.expected import Expected
from playproof.oracles.judge import Judge
from playproof.oracles.kernels.layout import Layout
from playproof.oracles.printrun import run as run_module
from playproof.oracles.printrun import shards as shards_module
from playproof.oracles.printrun.dealer import Dealer
from playproof.oracles.printrun.joined import join
from playproof.oracles.printrun.pool import LOSING, Pool, pool_of
from playproof.oracles.printrun.run import Made, Telling, make
from playproof.oracles.printrun.tally import unlike_all_others
from playproof.oracles.printrun.winners import Winners, shared_out, winners_of
from playproof.oracles.sources import find_sources
from playproof.oracles.targets import parse_target
from playproof.proofs.cluster import Cluster, Lost
from playproof.reports.cli import app

from .lucky_dip import LUCKY_DIP

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

HERE = Path(__file__).parent
# A losing Play would break the promise that every Play wins.
DIP = dataclasses.replace(LUCKY_DIP, promises=())
TABLE = "prize,winners,tickets\n£5,300,1000\n£10,100,1000\n£20,1,1000\n"


@cache
def dip() -> Edition:
    return load_edition(DIP, HERE / "lucky_dip.toml")


def table(folder: Path, text: str = TABLE) -> Path:
    path = folder / "table.csv"
    path.write_text(text, "utf-8")
    return path


@pytest.fixture(autouse=True)
def pools_are_made_once(monkeypatch):
    """Let runs of the same Plays share what they are walked from: it takes half a second."""

    def once(*given: Any, **more: Any) -> Pool:
        key = repr((given[1:], more["seed"]))
        if key not in POOLS:
            POOLS[key] = pool_of(*given, **more)
        return POOLS[key]

    monkeypatch.setattr(run_module, "pool_of", once)


POOLS: dict[str, Pool] = {}


def run(
    folder: Path,
    plays: int = 300,
    *,
    seed: int = 1,
    jobs: int = 1,
    rows: int = 100,
    name: str = "run.parquet",
    cluster: Any = None,
    telling: Telling | None = None,
) -> tuple[Path, Made]:
    """Make a small run of Lucky Dip."""
    winners = winners_of(dip(), plays, table(folder))
    out = folder / name
    readings = default_readings(dip().game.setting)
    how: dict[str, Any] = {"jobs": jobs, "cluster": cluster, "telling": telling}
    made = make(dip(), readings, winners, out, seed=seed, rows=rows, **how)
    return out, made


# How many win what.


def test_remainders_are_shared_out_largest_first_and_all_adds_up():
    assert shared_out([1, 1, 1], 2) == (1, 1, 0)
    assert shared_out([500, 300, 200], 7) == (4, 2, 1)
    assert sum(shared_out([7, 11, 13, 1], 1000)) == 1000


def test_a_run_of_as_many_plays_as_the_audits_pool_has_its_winners(tmp_path):
    winners = winners_of(dip(), 1000, table(tmp_path))
    assert winners.winners == winners.audited == (300, 100, 1)
    assert winners.losing == 599
    assert not winners.empty


def test_rows_that_a_small_run_leaves_empty_are_listed(tmp_path):
    winners = winners_of(dip(), 10, table(tmp_path))
    assert winners.winners == (3, 1, 0)
    assert [str(target) for target in winners.empty] == ["£20"]


@pytest.mark.slow
def test_colour_collectors_winners_are_those_that_the_audit_solves_for():
    edition = load_edition(load_game("colour-collector"))
    winners = winners_of(edition, 6_500_000)
    assert winners.pool == 6_500_000
    assert sum(winners.winners) == 2_346_571
    assert winners.winners[-1] == winners.audited[-1] == 1
    paid = sum(t.amount * n for t, n in zip(winners.targets, winners.winners, strict=True))
    assert 73.495 <= 100 * paid / (500 * 6_500_000) <= 73.505


@pytest.mark.parametrize(
    ("game", "plays", "text", "said"),
    [
        ("diamond-riches", 100, None, "has no prize table"),
        ("colour-collector", 98, None, "at least as many Plays"),
        ("colour-collector", 100, "prize,winners,tickets\n£11,1,100\n", "is none of the prize"),
        ("diamond-riches", 100, "prize,odds\n£4,5\n", "no winner counts agree"),
    ],
)
def test_what_is_impossible_is_said_with_why(tmp_path, game, plays, text, said):
    path = table(tmp_path, text) if text else None
    with pytest.raises(BadInput, match=said):
        winners_of(load_edition(load_game(game)), plays, path)


# What is made.


def plays_of(path: Path) -> list[tuple[int, Play]]:
    """Return what each Play of a file pays, and the Play."""
    file = pq.ParquetFile(path)
    layout = Layout.read(file.schema_arrow.metadata)
    assert layout is not None
    expected = Expected(dip(), layout.readings)
    found = []
    for row in file.read().to_pylist():
        steps, at = [], 0
        for event in row["events"]:
            rule = layout.rules[event]
            record = layout.reveals[rule]
            values = record.unpack(row["reveals"], at)
            at += record.size
            steps.append(expected.step_of((expected.moves[rule], values)))
        assert at == len(row["reveals"])
        found.append((row["paid"], Play(expected.p, tuple(steps))))
    return found


def test_every_play_is_legal_ends_and_pays_what_was_predetermined(tmp_path):
    out, made = run(tmp_path)
    paid = Counter()
    for amount, play in plays_of(out):
        *_, end = replay(dip().game, play)
        assert end.s.over
        assert end.s.paid == amount
        paid[amount] += 1
    assert paid == {0: 180, 500: 90, 1000: 30}
    assert made.tally.targets == {"0": 180, "1": 90, "2": 30}
    assert made.tally.paid == 90 * 500 + 30 * 1000


def test_plays_are_shuffled_and_most_differ(tmp_path):
    out, made = run(tmp_path)
    found = plays_of(out)
    differ = Counter(str(play.steps) for _, play in found)
    once = sum(count == 1 for count in differ.values())
    assert made.distinct == once > 200
    first = [amount for amount, _ in found[:150]]
    assert 70 < first.count(0) < 110


def test_the_same_seed_makes_the_same_bytes_whatever_the_number_of_processes(tmp_path):
    one, _ = run(tmp_path, name="one.parquet")
    two, _ = run(tmp_path, name="two.parquet", jobs=2)
    other, _ = run(tmp_path, name="other.parquet", seed=2)
    assert one.read_bytes() == two.read_bytes()
    assert one.read_bytes() != other.read_bytes()


def test_losing_plays_that_would_break_a_promise_are_refused(tmp_path):
    edition = load_edition(LUCKY_DIP, HERE / "lucky_dip.toml")
    readings = default_readings(edition.game.setting)
    with pytest.raises(BadInput, match="pays-something"):
        pool_of(edition, readings, [LOSING], [1])


@dataclass(frozen=True)
class Picked(Reveal):
    """What one draw finds; the player says whether it is a careful one."""

    careful: Bool = flag("whether the player draws with care", choice=True)
    coins: Int = count("coins found", 0, 5)
    stars: Int = count("stars found", 0, 3)


@rule(reveal=Picked, clauses=("LD-1",), when=lambda p, s, r: s.draws_left > 0)
def draw(p: Any, s: Any, r: Picked) -> Any:
    """A careless draw drops one of three stars."""
    dropped = where(all_of(r.stars == 3, negate(r.careful)), 1, 0)
    return DIP.rule("draw").effect(p, s, dataclasses.replace(r, stars=r.stars - dropped))


def test_plays_that_would_depend_on_what_the_player_chooses_are_not_dealt():
    edition = load_edition(DIP.with_rule(draw), HERE / "lucky_dip.toml")
    readings = default_readings(edition.game.setting)
    pool = pool_of(edition, readings, [LOSING], [200])
    assert pool.choices
    dealt, _ = Dealer(pool, 1).shard([0] * 200, 1, 0)
    assert not (dealt.reveals.reshape(-1, 2)[:, 1] == 3).any()
    unchecked, _ = Dealer(dataclasses.replace(pool, choices=False), 1).shard([0] * 200, 1, 0)
    assert (unchecked.reveals.reshape(-1, 2)[:, 1] == 3).any()


# What is interrupted, and what is wrong.


class Stop(Exception):
    """Somebody pulls the plug."""


def stopped_after(shards: int) -> Telling:
    def heard(done: int, count: int) -> None:
        if done == shards:
            raise Stop

    return Telling(shards=heard)


def test_an_interrupted_run_goes_on_and_comes_to_the_same_bytes(tmp_path):
    whole, _ = run(tmp_path, name="whole.parquet")
    with pytest.raises(Stop):
        run(tmp_path, telling=stopped_after(2))
    assert not (tmp_path / "run.parquet").exists()
    out, made = run(tmp_path)
    assert made.kept == 2
    assert out.read_bytes() == whole.read_bytes()
    assert made.tally.plays == 300
    assert not (tmp_path / "run.parquet.parts").exists()


def test_a_shard_that_is_not_what_was_written_is_made_again(tmp_path):
    whole, _ = run(tmp_path, name="whole.parquet")
    with pytest.raises(Stop):
        run(tmp_path, telling=stopped_after(2))
    shard = tmp_path / "run.parquet.parts" / "000000.parquet"
    data = bytearray(shard.read_bytes())
    data[len(data) // 2] ^= 1
    shard.write_bytes(data)
    out, made = run(tmp_path)
    assert made.kept == 1
    assert out.read_bytes() == whole.read_bytes()


def test_a_process_that_is_killed_loses_nothing(tmp_path, monkeypatch):
    whole, _ = run(tmp_path, name="whole.parquet")
    there, work = run_module._Work.__call__, tmp_path / "killed"

    def killed_once(self: Any, number: int) -> Any:
        if number == 1 and not work.exists():
            work.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return there(self, number)

    monkeypatch.setattr(run_module._Work, "__call__", killed_once)
    lost: list[None] = []
    out, _ = run(tmp_path, jobs=2, telling=Telling(lost=lambda: lost.append(None)))
    assert work.exists()
    assert len(lost) == 1
    assert out.read_bytes() == whole.read_bytes()


class Workers(Cluster):
    """A cluster without one: work goes there as bytes, and is done when it is asked for."""

    threads = 2

    def __init__(self, killed: int = -1) -> None:
        self.killed, self.begun = killed, 0

    def begin(self, work: Any, *given: Any) -> Any:
        self.begun += 1
        return Task(pickle.dumps((work, given)), self.begun == self.killed)

    def result(self, task: Any) -> Any:
        if task.killed:
            raise Lost("no worker outlived it")
        work, given = pickle.loads(task.sent)
        return pickle.loads(pickle.dumps(work(*given)))


@dataclass(frozen=True)
class Task:
    sent: bytes
    killed: bool

    def release(self) -> None:
        """Let go of what came of it."""


def test_a_cluster_makes_the_same_bytes_and_lost_work_is_done_here(tmp_path):
    whole, _ = run(tmp_path, name="whole.parquet")
    lost: list[None] = []
    telling = Telling(lost=lambda: lost.append(None))
    cluster: Any = Workers(killed=2)
    out, _ = run(tmp_path, cluster=cluster, telling=telling)
    assert cluster.begun == 3
    assert len(lost) == 1
    assert out.read_bytes() == whole.read_bytes()


def test_parts_of_another_run_are_not_gone_on_from(tmp_path):
    with pytest.raises(Stop):
        run(tmp_path, telling=stopped_after(1))
    with pytest.raises(BadInput, match="parts of another run"):
        run(tmp_path, seed=2)


def test_a_full_disk_leaves_nothing_that_looks_whole(tmp_path, monkeypatch):
    def full(shards: object, out: object) -> None:
        out.write(b"PAR1 and some more")  # type: ignore[attr-defined]
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(shards_module, "join", full)
        with pytest.raises(BadInput, match="No space left on device: make room"):
            run(tmp_path)
    assert not list(tmp_path.glob("*.parquet"))
    assert not list(tmp_path.glob(".run*"))
    _, made = run(tmp_path)
    assert made.kept == 3


# Parts of it.


def test_joined_files_hold_the_rows_of_all_and_are_read_by_others(tmp_path):
    files, whole = [], []
    for number in range(20):
        rows = pa.table({"n": [number, 2**40], "data": [b"x" * 400, None], "t": ["a", "b"]})
        files.append(tmp_path / f"{number}.parquet")
        pq.write_table(rows, files[-1], write_statistics=number % 2 == 0)
        whole.append(rows)
    with (tmp_path / "all.parquet").open("wb") as out:
        join(files, out)
    read = pq.ParquetFile(tmp_path / "all.parquet")
    assert read.num_row_groups == 20
    assert read.read().equals(pa.concat_tables(whole))
    (tmp_path / "no.parquet").write_bytes(b"no such file at all")
    with (tmp_path / "all.parquet").open("wb") as out, pytest.raises(ValueError, match="no P"):
        join([tmp_path / "no.parquet"], out)


def test_only_numbers_that_come_once_are_unlike_all_others():
    assert unlike_all_others([[5, 1, 5], [2, 5, 3]]) == 3


PRIZES = {"colour-collector": "£6 (£6)", "diamond-riches": "£12 (£4 red + £8 blue)"}


@pytest.mark.slow
@pytest.mark.parametrize("game", ["colour-collector", "diamond-riches"])
def test_runs_of_the_games_pass_the_judge_layouts_and_all(game, tmp_path):
    edition = load_edition(load_game(game))
    target = parse_target(PRIZES[game], edition)
    winners = Winners(30, (target,), (10,), (10,), 30, 500)
    readings = default_readings(edition.game.setting)
    out = tmp_path / "run.parquet"
    made = make(edition, readings, winners, out, seed=3, layouts=True, rows=20)
    assert made.distinct == 30
    judge = Judge(edition)
    assert list(judge_files(judge, find_sources([str(out)]))) == []
    assert judge.summary.plays == judge.summary.finished == 30


@pytest.mark.slow
@pytest.mark.parametrize("game", ["colour-collector", "diamond-riches"])
def test_machine_code_deals_the_plays_that_plain_python_deals(game):
    pytest.importorskip("llvmlite")
    edition = load_edition(load_game(game))
    readings = default_readings(edition.game.setting)
    winning = parse_target(PRIZES[game], edition)
    pool = run_module.pool_of(edition, readings, [LOSING, winning], [20, 10], seed=3)
    plain, machine = Dealer(pool, 1), Dealer(pool, 1_000_000)
    targets = [0, 1] * 10
    one, changed = plain.shard(targets, 7, 0)
    two, changed_too = machine.shard(targets, 7, 0)
    assert changed == changed_too
    for name in one.__dataclass_fields__:
        assert bytes(getattr(one, name)) == bytes(getattr(two, name)), name


def test_the_command_tells_rows_odds_payout_lengths_and_rules(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_dip.py").write_text(
        "import dataclasses\n"
        "from tests.lucky_dip import LUCKY_DIP\n"
        "DIP = dataclasses.replace(LUCKY_DIP, promises=())\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    said = [
        "print-run", "own_dip:DIP", "--plays", "100", "--seed", "1",
        "--edition", str(HERE / "lucky_dip.toml"), "--table", str(table(tmp_path)),
        "--out", "run.parquet", "--jobs", "1",
    ]  # fmt: skip
    shown = CliRunner().invoke(app, said)
    assert shown.exit_code == 0, shown.output
    assert "100 Plays: 40 win (1 in 2.50 overall), £250 is paid" in " ".join(
        shown.output.split()
    )
    assert "1 row left empty: 03 £20." in shown.output
    told = CliRunner().invoke(app, [*said, "--format", "json"])
    facts = json.loads(told.output)
    assert [row["plays"] for row in facts["rows"]] == [30, 10, 0]
    assert facts["events"] == {"draw": 300, "finish": 100}
    assert sum(facts["lengths"].values()) == 100


@pytest.mark.bench
def test_bench_plays_dealt_and_written(tmp_path):
    edition = load_edition(load_game("colour-collector"))
    readings = default_readings(edition.game.setting)
    began = time.process_time(), time.perf_counter()
    winners = winners_of(edition, 500_000)
    out = tmp_path / "run.parquet"
    marks: list[float] = []
    telling = Telling(shards=lambda done, count: marks.append(time.process_time()))
    made = make(edition, readings, winners, out, telling=telling)
    before, dealing = marks[0] - began[0], marks[-1] - marks[0]
    said = [
        f"{before:.1f} s of CPU until the first Play is dealt",
        f"{2 * dealing:.1f} s of CPU for each million Plays, written",
        f"{out.stat().st_size / winners.plays:.0f} bytes a Play on disk",
        f"{100 * made.distinct / winners.plays:.2f} % differ from every other",
        f"{time.perf_counter() - began[1]:.1f} s in all",
    ]
    print(*("", *said), sep="\n  ")  # noqa: T201
