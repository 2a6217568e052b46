"""Work on a Dask cluster of separate processes, some of which are killed in the middle."""

from __future__ import annotations

import gc
import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest

from playproof.errors import BadInput
from playproof.models.editions import load_edition
from playproof.models.games import load_game
from playproof.oracles import elsewhere, readers
from playproof.oracles.bulk import judge_files
from playproof.oracles.judge import Judge
from playproof.oracles.printrun import run as print_run
from playproof.oracles.sources import find_sources
from playproof.proofs import campaign, cluster
from playproof.proofs.campaign import Task, WorkerError

from . import cluster_work, test_print_run
from .cluster_work import DIP, Ending, ends_the_worker, squared
from .test_bulk import made_up

ROOT = Path(__file__).parents[1]
NAMES = ("in-range", "stars-carry", "never-full", "no-coin-lost")

needs_cluster = pytest.mark.skipif(
    not __import__("importlib.util").util.find_spec("distributed"),
    reason="work on a cluster takes the extra `cluster`",
)
pytestmark = [pytest.mark.slow, needs_cluster]


@dataclass(frozen=True)
class Running:
    """A scheduler's address, and the processes behind it."""

    address: str
    processes: list[subprocess.Popen[bytes]]


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cluster")
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path}
    environment |= {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "2"}
    started = []

    def start(*arguments):
        command = [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]]
        started.append(
            subprocess.Popen(
                command,
                env=environment,
                cwd=folder,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        )

    known = folder / "scheduler.json"
    told = ("--scheduler-file", str(known))
    start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", *told)
    for _ in range(2):
        start("dask_worker", "--nthreads", "1", "--no-dashboard", *told)
    for _ in range(600):
        if known.exists() and known.stat().st_size:
            break
        time.sleep(0.1)
    yield Running(json.loads(known.read_text())["address"], started)
    for process in started:  # each with all that it started
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture(scope="module")
def here():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT)
        return campaign.run([Task(DIP, name) for name in NAMES])


def facts(verdict):
    """Return all that is the same from run to run."""
    answers = tuple(replace(answer, seconds=0.0) for answer in verdict.answers)
    return replace(verdict, answers=answers, seconds=0.0, spent=())


def test_a_cluster_decides_what_processes_here_decide(running, here):
    heard = []
    tasks = [Task(DIP, name) for name in NAMES]
    there = cluster.run(tasks, scheduler=running.address, listener=heard.append)
    assert list(map(facts, there)) == list(map(facts, here))
    assert sorted(event.property for event in heard) == sorted(NAMES)


def test_what_a_lost_worker_was_at_is_done_by_another(running, here, tmp_path):
    tasks = [Ending(DIP, NAMES[0], notes=tmp_path), *(Task(DIP, n) for n in NAMES[1:])]
    there = cluster.run(tasks, scheduler=running.address)
    assert len(list(tmp_path.iterdir())) == 1, "one worker was killed"
    assert list(map(facts, there)) == list(map(facts, here))


def test_what_no_worker_outlives_is_undecided(running, here, tmp_path):
    tasks = [Ending(DIP, NAMES[0], notes=tmp_path, times=9), *(Task(DIP, n) for n in NAMES[1:])]
    lost, *decided = cluster.run(tasks, scheduler=running.address)
    assert lost.outcome.value == "undecided"
    assert "no worker outlived it, of 3" in lost.remark
    assert list(map(facts, decided)) == list(map(facts, here[1:])), "no worker's other work"


def test_more_can_be_begun_when_something_has_ended(running, here):
    def then(number, verdict):
        return [Task(DIP, NAMES[1])] if number == 0 else []

    both = cluster.run([Task(DIP, NAMES[0])], scheduler=running.address, then=then)
    assert list(map(facts, both)) == list(map(facts, here[:2]))


def test_results_come_in_the_order_of_what_was_given(running):
    with cluster.Cluster(running.address) as workers:
        came = workers.in_order(squared, ((n,) for n in range(20)), squared)
        assert list(came) == [n**2 for n in range(20)]


def test_a_file_that_a_worker_cannot_read_is_no_scheduler_that_went_away(running):
    with cluster.Cluster(running.address) as workers:
        future = workers.begin(Path.read_bytes, Path("no-such-file"))
        with pytest.raises(WorkerError, match="FileNotFoundError"):
            workers.result(future)


def test_a_scheduler_that_goes_away_is_named():
    distributed = pytest.importorskip("distributed")

    class Gone:
        status = "lost"

        def result(self):
            raise OSError("the connection is closed")

    workers = object.__new__(cluster.Cluster)
    workers.address, workers._distributed = "tcp://gone:8786", distributed
    with pytest.raises(BadInput, match="tcp://gone:8786: it went away"):
        workers.result(Gone())


def test_a_fault_of_ours_in_a_worker_is_not_swallowed(running):
    with pytest.raises(WorkerError, match=r"no-such-property(?s:.*)KeyError"):
        cluster.run([Task(DIP, "no-such-property")], scheduler=running.address)


def test_a_game_that_the_workers_do_not_have_is_named(running):
    with pytest.raises(BadInput, match="nobody_has_this"):
        cluster.run([Task("nobody_has_this:GAME", "p")], scheduler=running.address)


def test_a_worker_with_another_playproof_is_refused(running, monkeypatch):
    monkeypatch.setattr(cluster, "identity", lambda: "Playproof 0.0.1")
    with pytest.raises(BadInput, match=r"a worker has Playproof .*, and here is Playproof 0"):
        cluster.run([Task(DIP, NAMES[0])], scheduler=running.address)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nowhere", "", "tcp://x:y:z"])
def test_an_address_where_nobody_answers_is_named(address, monkeypatch):
    monkeypatch.setattr(cluster, "_SECONDS", 2)
    with pytest.raises(BadInput, match="no Dask scheduler answers there"):
        cluster.Cluster(address)
    made = pytest.importorskip("distributed").Client
    left = [one for one in gc.get_objects() if isinstance(one, made) and one.status != "closed"]
    assert left == [], "one closes itself while another is made, and both wait for ever"


def test_prove_works_on_a_cluster(running, tmp_path):
    command = [
        *(sys.executable, "-m", "playproof", "prove", DIP),
        *("--scheduler", running.address, "--format", "json", "--out", str(tmp_path / "out")),
    ]
    ended = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=600
    )
    said = json.loads(ended.stdout)
    outcomes = {one["property"]: one["verdict"] for one in said["verdicts"]}
    assert outcomes["in-range"] == "proved"
    assert outcomes["never-full"] == "refuted"
    assert (tmp_path / "out" / "verdicts.json").exists()


def test_mutate_works_on_a_cluster_and_the_proofs_come_back(running, tmp_path):
    def mutate(out, *more):
        command = [
            *(sys.executable, "-m", "playproof", "mutate", DIP),
            *("--edition", "tests/lucky_dip.toml", "--out", str(out), *more),
        ]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=600)
        return {
            str(path.relative_to(out)): _without_times(path)
            for path in sorted(out.rglob("*"))
            if path.is_file() and path.name != "times.json"
        }

    here = mutate(tmp_path / "here")
    there = mutate(tmp_path / "there", "--scheduler", running.address)
    assert any(name.startswith("proofs/") for name in here)
    assert there == here


def _without_times(path):
    if path.suffix != ".json":
        return path.read_bytes()
    return {
        key: value for key, value in json.loads(path.read_bytes()).items() if key != "times"
    }


def test_judge_finds_the_same_on_a_cluster(running, tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"\n".join(made_up(random.Random(3), 9000, 0.001)) + b"\n")
    assert log.stat().st_size > 2 * readers._SHARD, "several shards"

    def judge(*more):
        command = [
            *(sys.executable, "-m", "playproof", "judge", DIP, str(log)),
            *("--edition", "tests/lucky_dip.toml", "--format", "json", *more),
        ]
        return subprocess.run(command, cwd=ROOT, check=False, capture_output=True, timeout=600)

    here, there = judge("--jobs", "1"), judge("--scheduler", running.address)
    assert here.returncode == 1
    assert json.loads(here.stdout)["findings"]
    assert (there.returncode, there.stdout, there.stderr) == (1, here.stdout, b"")


def test_a_shard_that_no_worker_outlives_is_judged_here(running, tmp_path, monkeypatch):
    monkeypatch.setattr(elsewhere, "_sift", ends_the_worker)
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"\n".join(made_up(random.Random(4), 60, 0.01)) + b"\n")
    edition = load_edition(
        load_game("tests.lucky_dip:LUCKY_DIP"), ROOT / "tests/lucky_dip.toml"
    )
    sources, lost = find_sources([str(log)]), []

    def judged(cluster=None):
        found = judge_files(
            Judge(edition), sources, lost=lambda: lost.append(1), cluster=cluster
        )
        return [finding.text() for finding in found]

    there = judged((cluster.Cluster(running.address), elsewhere.Asked(DIP)))
    assert lost
    assert there == judged()
    assert there


def test_a_print_run_is_the_same_bytes_though_a_worker_is_killed(
    running, tmp_path, monkeypatch
):
    note, lost = tmp_path / "killed", []
    monkeypatch.setattr(
        print_run, "_made_elsewhere", partial(cluster_work.made_after_an_end, note)
    )
    telling = print_run.Telling(lost=lambda: lost.append(None))
    here, _ = test_print_run.run(tmp_path, name="here.parquet")
    with cluster.Cluster(running.address) as workers:
        there, _ = test_print_run.run(tmp_path, cluster=workers, telling=telling)
    assert note.exists(), "a worker was killed"
    assert lost == [], "another made what it was at"
    assert there.read_bytes() == here.read_bytes()
