"""``playproof recheck``: exit codes, without the models, and with every solver there is."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from playproof.proofs import asking, filing, programs, solvers
from playproof.proofs.proof_objects import holes
from playproof.proofs.prover import prove
from playproof.proofs.solvers import Result, Steps

from . import proof_folders as given
from .left_over import all_gone
from .lucky_dip import LUCKY_DIP

ROOT = Path(__file__).parents[1]
DIP = "lucky-dip"
MAIN = "from playproof.reports.cli import main; main()"
LOADED = "from playproof.reports.cli import main; print(1, flush=True); main()"
"""Says when the command is loaded: Ctrl-C before that is another matter."""
NO_MODELS = f"import sys; sys.modules['playproof.models'] = None; {MAIN}"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return given.write(tmp_path_factory.mktemp("written"))


def recheck(*arguments, code=MAIN, cwd=ROOT, **environment):
    return subprocess.run(
        [sys.executable, "-c", code, "recheck", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, "COLUMNS": "120", **environment},
        timeout=240,
        check=False,
    )


def test_proofs_are_confirmed_where_models_cannot_be_imported(written):
    ran = recheck(written, code=NO_MODELS)

    assert ran.returncode == 0, ran.stderr
    assert f"{len(given.PROVED) + 1} confirmed." in ran.stdout
    words = " ".join(ran.stdout.split())
    assert "Stars seen are full meters and what the meter holds." in words
    assert "except under coin-surplus = dropped" in words
    for name in solvers.NAMES:
        assert f"{name} {solvers.version(name)}" in words
    for property_ in given.PROVED:
        fingerprint = given.manifest(written / DIP / property_)["fingerprint"]
        assert fingerprint[:16] in ran.stdout


@pytest.mark.slow
def test_a_proof_filed_under_another_name_is_said_to_state_what_it_states(tmp_path):
    found = prove(LUCKY_DIP, "in-range")
    filing.file_certificate(
        replace(found, property="never-full"), tmp_path, "It is never full."
    )

    ran = recheck(tmp_path)

    assert "states in-range" in ran.stdout
    words = " ".join(ran.stdout.split())
    assert "in-range: Every counter is in its range." in words
    assert "never-full is proved (It is never full.) is not checked here" in words
    told = recheck(tmp_path, "--format", "json")
    assert [one["states_property"] for one in json.loads(told.stdout)["proofs"]] == [False]
    against = recheck(tmp_path, "--against", given.REFERENCE)
    assert against.returncode == 1
    assert "never-full says: The jar is never full" in " ".join(against.stdout.split())


def test_proofs_are_confirmed_where_there_are_no_models(written, tmp_path):
    """Not even a worker has them: the package is installed without its models."""
    package = tmp_path / "playproof"
    shutil.copytree(
        ROOT / ".src" / "playproof", package, ignore=shutil.ignore_patterns("models")
    )
    code = f"import playproof; assert playproof.__file__.startswith({str(tmp_path)!r}); {MAIN}"

    ran = recheck(written / DIP / "in-range", code=code, cwd=tmp_path, PYTHONPATH=str(tmp_path))

    assert not (package / "models").exists()
    assert ran.returncode == 0, ran.stderr
    assert "1 confirmed." in ran.stdout


def test_comparing_with_a_game_needs_the_models(written):
    ran = recheck(written, "--against", given.REFERENCE, code=NO_MODELS)

    assert ran.returncode == 2
    assert "--against needs the models, and they cannot be imported here" in ran.stderr


@pytest.mark.slow
def test_json_says_the_same_and_keeps_times_apart(written):
    ran = recheck(written / DIP, "--format", "json", "--against", given.REFERENCE)
    facts = json.loads(ran.stdout)

    assert ran.returncode == 0, ran.stderr
    assert [one["property"] for one in facts["proofs"]] == sorted(given.PROVED)
    for one, times in zip(facts["proofs"], facts["times"]["proofs"], strict=True):
        assert one["verdict"] == "confirmed"
        assert one["start"] == {"z3": "sat", "cvc5": "sat"}
        for check in one["checks"]:
            assert {a["answer"] for a in check["answers"].values()} >= {"unsat"}
            assert set(times["checks"][check["check"]]) >= set(solvers.NAMES)
    again = json.loads(recheck(written / DIP, "--format", "json", "--jobs", 1).stdout)
    assert again.pop("times") != facts.pop("times")
    assert again == facts


def test_a_proof_that_is_wrong_ends_in_one(written, tmp_path):
    out = given.copy(written, tmp_path)
    given.change(out / DIP / "no-coin-lost", fails_under=[{"coin-surplus": "impossible"}])

    ran = recheck(out / DIP / "no-coin-lost")

    assert ran.returncode == 1
    assert "refused" in ran.stdout
    assert "fails-under is what is left out does not hold" in " ".join(ran.stdout.split())


@pytest.mark.slow
def test_another_statement_than_the_games_ends_in_one(written, tmp_path):
    out = given.copy(written, tmp_path)
    given.change(out / DIP / "in-range", says="Nothing is in its range.")

    alone = recheck(out / DIP / "in-range")
    ran = recheck(out / DIP / "in-range", "--against", given.REFERENCE)

    assert alone.returncode == 0
    assert ran.returncode == 1
    assert "refused: in-range says: Every counter is in its range." in ran.stdout


def test_a_changed_folder_ends_in_two_with_one_message(written, tmp_path):
    out = given.copy(written, tmp_path)
    given.flip(given.file_of(out / DIP / "in-range", "step"))

    ran = recheck(out)

    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith("playproof: this proof is refused:\n")
    assert "Traceback" not in ran.stderr


def test_a_game_that_no_proof_is_about_ends_in_two(written):
    ran = recheck(written / "ways", "--against", given.REFERENCE)

    assert ran.returncode == 2
    assert "no proof here is about lucky-dip; there are: ways" in ran.stderr


def program(folder, name, lines):
    """Write a program that stands for a solver."""
    path = folder / name
    path.write_text(
        f"#!/bin/sh\nif [ $1 = --version ]; then echo Yices 2.6.4; exit; fi\n{lines}\n"
    )
    path.chmod(0o755)
    return path


def with_programs(folder):
    return {"PATH": f"{folder}:{os.environ['PATH']}"}


def test_programs_on_the_path_are_asked_as_well(written, tmp_path):
    program(tmp_path, "yices-smt2", "grep -q claim $1 && echo unsat || echo sat")
    program(tmp_path, "bitwuzla", "echo unsat")

    ran = recheck(written / DIP / "in-range", "--format", "json", **with_programs(tmp_path))

    facts = json.loads(ran.stdout)
    (one,) = facts["proofs"]
    assert ran.returncode == 0, ran.stderr
    assert facts["solvers"]["yices"] == "2.6.4"
    for check in one["checks"]:
        assert check["answers"]["bitwuzla"] == {
            "answer": "not asked",
            "reason": "bitwuzla knows no whole numbers",
        }
    assert one["start"] == {"z3": "sat", "cvc5": "sat", "yices": "sat", "bitwuzla": "not asked"}
    assert {check["answers"]["yices"]["answer"] for check in one["checks"]} == {"unsat"}


def test_a_solver_that_disagrees_is_believed_where_it_says_no(written, tmp_path):
    program(tmp_path, "yices-smt2", "echo sat")

    ran = recheck(written / DIP / "in-range", **with_programs(tmp_path))

    assert ran.returncode == 1
    assert "does not hold, by yices, but others say it does" in " ".join(ran.stdout.split())


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        ("echo unsat", ("unsat", "")),
        ("echo sat", ("sat", "")),
        ("echo unknown", ("unknown", "")),
        ("echo unsat; exit 3", ("unknown", "yices-smt2 failed: unsat")),
        ("kill -SEGV $$", ("unknown", "yices-smt2 crashed (signal 11)")),
        ("echo '(error \"no such logic\")'", ("unknown", 'yices-smt2 failed: (error "no such')),
        ("exit 0", ("unknown", "yices-smt2 failed: exit code 0")),
        ("exec sleep 30", ("unknown", "out of time")),
    ],
)
def test_what_a_program_says_is_never_taken_for_more(tmp_path, monkeypatch, lines, answer):
    program(tmp_path, "yices-smt2", lines)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    said, reason = programs.ask("yices", "(check-sat)\n", 2.0 if "sleep" in lines else 60.0)

    assert said == answer[0]
    assert reason.startswith(answer[1])


def test_bitwuzla_is_asked_where_there_are_no_whole_numbers(tmp_path, monkeypatch):
    program(tmp_path, "bitwuzla", "echo unsat")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    text = "(declare-const Integral Bool)\n(assert false)\n(check-sat)\n"

    assert programs.ask("bitwuzla", text) == ("unsat", "")
    assert programs.ask("bitwuzla", "(declare-const a Int)\n")[0] == "not asked"


def test_a_solver_that_gives_up_leaves_a_proof_undecided(written, tmp_path):
    hidden = f"from playproof.proofs import solvers; solvers.EVERY = ('yices', 'z3'); {MAIN}"
    program(tmp_path, "yices-smt2", "echo unknown")

    ran = recheck(written / DIP / "in-range", code=hidden, **with_programs(tmp_path))

    assert ran.returncode == 3
    assert "undecided: base in-range: yices answers unknown" in " ".join(ran.stdout.split())


def test_seconds_can_only_leave_a_proof_undecided(written):
    ran = recheck(written / DIP / "in-range", "--timeout", "0.001")

    assert ran.returncode in (0, 3)
    assert ("undecided" in ran.stdout) is (ran.returncode == 3)
    assert "refused" not in ran.stdout


def test_without_a_solver_nothing_is_confirmed(written):
    nobody = f"from playproof.proofs import solvers; solvers.EVERY = ('yices',); {MAIN}"

    ran = recheck(written, code=nobody, PATH="/nowhere")

    assert ran.returncode == 2
    assert "no solver is installed: one of yices is needed" in ran.stderr


def crash_at_b(solver: str, text: str, steps: Steps) -> Result:
    """Stand for a solver that takes its process with it."""
    if text == "b":
        os.kill(os.getpid(), signal.SIGSEGV)
    return Result(solver, "unsat")


def test_a_solver_that_crashes_costs_one_answer(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)  # workers import this module by its name
    heard = []

    answers = asking.ask_all(
        [("z3", text) for text in "abcd"], Steps(), jobs=2, asker=crash_at_b, heard=heard.append
    )

    assert {text: one.answer for (_, text), one in answers.items()} == {
        "a": "unsat",
        "b": "unknown",
        "c": "unsat",
        "d": "unsat",
    }
    assert answers["z3", "b"].reason == "z3 crashed"
    assert len(heard) == 4


@pytest.mark.slow
def test_proofs_that_cvc5_writes_are_stored_and_their_holes_counted(written, tmp_path):
    ran = recheck(written / DIP / "stars-carry", "--proofs", tmp_path / "one")
    recheck(written / DIP / "stars-carry", "--proofs", tmp_path / "two", "--jobs", 1)

    entries = json.loads((tmp_path / "one" / "index.json").read_text())
    assert ran.returncode == 0, ran.stderr
    assert [one["check"] for one in entries] == list(
        dict.fromkeys(one["check"] for one in entries)
    )
    for one in entries:
        proof = gzip.decompress((tmp_path / "one" / one["file"]).read_bytes()).decode()
        assert proof.count("(step") > 0
        assert holes(proof) == one["holes"] == 0
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert "6 proofs by cvc5 stored, 0 of them with holes (0 holes in all)" in " ".join(
        ran.stdout.split()
    )


def test_holes_are_counted():
    proof = "(step @p1 :rule trust :args (x))\n(step @p2 :rule theory_trust_x :args (y))\n"

    assert holes(proof) == 2
    assert holes("(step t1 (cl) :rule hole)") == 1
    assert holes("(step @p1 :rule refl :args (trust))") == 0


def test_proofs_are_not_stored_among_what_they_prove(written):
    ran = recheck(written, "--proofs", written / "proofs")

    assert ran.returncode == 2
    assert "stored elsewhere" in ran.stderr
    shutil.rmtree(written / "proofs", ignore_errors=True)


def test_ctrl_c_ends_a_recheck_and_leaves_no_worker(written):
    with subprocess.Popen(
        [sys.executable, "-c", LOADED, "recheck", str(written)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
    ) as process:
        process.stdout.readline()
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        shown, said = process.communicate(timeout=60)

    done = "confirmed" in shown  # all was said before; Python may be on its way out
    assert process.returncode in ((0, -signal.SIGINT) if done else (130,)), said
    assert all_gone(process.pid)
