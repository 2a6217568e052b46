"""The command line: what it prints, what it says of bad input, and its exit codes."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import z3
from typer.testing import CliRunner

from playproof.proofs.deadline import NEVER
from playproof.reports.cli import app
from playproof.reports.faults import told

from .left_over import all_gone
from .lucky_dip import LUCKY_DIP

ROOT = Path(__file__).parents[1]
DIP = "tests.lucky_dip:LUCKY_DIP"
EDITION = """\
game = "lucky-dip"
name = "test"
[parameters.jar]
value = 4
source = "assumed"
[parameters.amount]
value = 200
source = "assumed"
"""


def run(*arguments):
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "120"})


def started(*arguments, **more):
    """Start the command in a process of its own, as a shell would."""
    return subprocess.Popen(
        [sys.executable, "-m", "playproof", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
        **more,
    )


@pytest.fixture
def edition(tmp_path):
    path = tmp_path / "dip.toml"
    path.write_text(EDITION)
    return path


# ---- What it shows --------------------------------------------------------------------------


def test_help_names_every_command():
    shown = run("--help")

    assert shown.exit_code == 0
    for command in ("games", "prove", "script", "export", "explain"):
        assert re.search(rf"^  {command} ", shown.output, re.MULTILINE)


def test_help_imports_no_solver():
    code = (
        "import sys\nfrom typer.testing import CliRunner\n"
        "from playproof.reports.cli import app\n"
        "assert CliRunner().invoke(app, ['prove', '--help']).exit_code == 0\n"
        "raise SystemExit(bool({'z3', 'cvc5', 'networkx'} & set(sys.modules)))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    "arguments", [["games"], ["explain", "colour-collector", "CC-21"]], ids=lambda a: a[0]
)
def test_looking_things_up_imports_no_solver(arguments):
    code = (
        "import sys\nfrom typer.testing import CliRunner\n"
        "from playproof.reports.cli import app\n"
        f"assert CliRunner().invoke(app, {arguments}).exit_code == 0\n"
        "raise SystemExit(bool({'z3', 'cvc5', 'networkx'} & set(sys.modules)))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_version():
    assert run("--version").output == "playproof 0.1.0\n"


def test_games():
    shown = run("games")

    assert shown.exit_code == 0
    collector, riches = shown.output.split("diamond-riches\n")
    assert collector.startswith("colour-collector\n")
    assert re.search(r"^  prizes +99$", collector, re.MULTILINE)
    assert re.search(r"^  prizes +none$", riches, re.MULTILINE)


def test_the_readings_of_both_games_are_counted():
    shown = run("games").output

    assert "3,072 ways" in shown
    assert "9,216 ways" in shown


def test_a_verdict_table_and_a_play(tmp_path):
    shown = run("prove", DIP, "--property", "in-range", "--property", "never-full")

    assert shown.exit_code == 1
    assert re.search(r"in-range +proved +1-induction .*k = 1: z3, cvc5", shown.output)
    assert re.search(r"never-full +refuted \(unexpected\) +BMC, 1 step .*Play", shown.output)
    assert "jar: 0 → 1" in shown.output
    assert "this step breaks it" in shown.output


def test_a_verdict_that_depends_names_the_reading():
    shown = run("prove", DIP, "--property", "no-coin-lost").output

    assert "fails under coin-surplus = dropped" in shown


def test_a_reading_settles_what_depends_on_it():
    assert (
        run(
            "prove",
            DIP,
            "--property",
            "no-coin-lost",
            "--reading",
            "coin-surplus=impossible",
        ).exit_code
        == 0
    )


def test_an_edition_fixes_parameters(edition):
    shown = run(
        "prove",
        DIP,
        "--property",
        "never-full",
        "--edition",
        str(edition),
        "--format",
        "json",
    )
    data = json.loads(shown.stdout)

    (verdict,) = data["verdicts"]
    assert data["editions"]["lucky-dip"]["name"] == "test"
    assert verdict["plays"][0]["parameters"] == {"jar": 4, "amount": 200}
    assert shown.exit_code == data["exit_code"] == 1


def test_json_is_the_same_but_for_its_times(tmp_path):
    def facts(out):
        run("prove", DIP, "--jobs", "2", "--out", str(out))
        data = json.loads((out / "verdicts.json").read_text("utf-8"))
        assert set(data["times"]["verdicts"]) == {f"lucky-dip/{c.id}" for c in CLAIMS}
        del data["times"]
        return json.dumps(data)

    assert facts(tmp_path / "a") == facts(tmp_path / "b")


CLAIMS = LUCKY_DIP.properties


def test_an_output_folder_holds_verdicts_and_certificates(tmp_path):
    out = tmp_path / "new" / "out"

    run("prove", DIP, "--property", "in-range", "--out", str(out))

    assert {path.name for path in out.iterdir()} == {
        "lucky-dip",
        "verdicts.json",
        "verdicts.sarif",
        "verdicts.txt",
        "verdicts.xml",
    }
    assert (out / "lucky-dip" / "in-range" / "manifest.json").is_file()
    assert "in-range" in (out / "verdicts.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("id_", "words"),
    [
        ("draw", ["rule draw", "A draw finds coins and stars.", "coins (coins found)"]),
        (
            "stars-carry",
            ["property stars-carry", "proved with  in-range", "expected     proved"],
        ),
        ("jar", ["parameter jar", "1 to 9", "used by rules       draw, finish"]),
        ("coin_surplus", ["reading coin-surplus", "dropped (default)", "used by rules"]),
        ("stars", ["figure stars", "value"]),
        ("pays-something", ["promise pays-something", "scripts are obliged to keep it"]),
    ],
)
def test_explain(id_, words):
    shown = run("explain", DIP, id_)

    assert shown.exit_code == 0
    for one in words:
        assert one in shown.output


def test_explain_a_clause():
    shown = run("explain", "colour-collector", "CC-21").output

    assert "clause CC-21" in shown
    assert "overflow-carries" in shown


def test_what_a_script_shows_and_reveals_is_explained():
    phase = run("explain", "colour-collector", "phase").output
    symbols = run("explain", "colour-collector", "symbols.1").output
    picked = run("explain", "colour-collector", "picked_odd").output
    paid = run("explain", "colour-collector", "paid").output

    assert phase.startswith("shown phase\n")
    assert "3 the end" in phase
    assert "revealed by spin: symbols" in symbols
    assert "for each of rows: 1, 2, 3, 4, 5, 6, 7" in symbols
    assert "decided by  the player" in picked
    assert "in files  pence" in paid


def test_a_prize_that_can_be_won_is_named_where_it_is_explained():
    shown = run("explain", "colour-collector", "row-14-reachable").output

    assert shown.startswith("property row-14-reachable\n")
    assert "£15 (£5 + £10 Prize Game)" in " ".join(shown.split())


def test_ids_are_listed_by_sort():
    shown = run("explain", DIP)

    assert shown.exit_code == 0
    for sort in ("rules", "properties", "promises", "readings", "parameters", "figures"):
        assert re.search(rf"^  {sort} +\w", shown.output, re.MULTILINE)
    (listed,) = re.findall(r"^  properties +(.*)$", shown.output, re.MULTILINE)
    for id_ in listed.split(", "):
        assert run("explain", DIP, id_).exit_code == 0


def test_what_is_reachable_is_so_under_one_edition():
    shown = run("prove", "colour-collector", "--property", "row-01-reachable")

    assert shown.exit_code == 0
    assert re.search(r"row-01-reachable +proved +synthesis .*Play, replayed", shown.output)
    assert "reachable is so under edition 'default' and the first choice of every reading" in (
        " ".join(shown.output.split())
    )


def test_what_is_reachable_is_so_under_the_readings_taken():
    shown = run(
        *("prove", "colour-collector", "--property", "row-01-reachable"),
        *("--reading", "valuation=at-fill"),
    )

    assert (
        "under edition 'default', valuation = at-fill and the first choice that goes with it"
        in " ".join(shown.output.split())
    )


def test_a_script_is_told_step_by_step(edition):
    shown = run("script", DIP, "--prize", "£8 (jar)", "--edition", str(edition))

    assert shown.exit_code == 0
    assert re.search(r"£8 \(£8 jar\) +1 script +\d", shown.output)
    assert "paid: £0 → £8" in shown.output


def test_scripts_that_differ():
    shown = run("script", "colour-collector", "--prize", "£15", "--count", "3")

    assert shown.exit_code == 0
    plays = shown.output.split("A Play of")[1:]
    assert len(set(plays)) == 3


def test_an_unreachable_prize_is_proved_so(edition):
    shown = run("script", DIP, "--prize", "£3", "--edition", str(edition))

    assert shown.exit_code == 1
    assert "No Play of any length pays £3: proved by 1-induction, checked by z3, cvc5." in (
        shown.output
    )


# ---- Bad input ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["prove", "colour-colector"],
            "unknown game 'colour-colector'; did you mean colour-coll",
        ),
        (
            ["prove", DIP, "--property", "x"],
            "unknown property of lucky-dip 'x'; there are: in-",
        ),
        (["prove", DIP, "--reading", "x"], "reading 'x': write it as ID=CHOICE"),
        (
            ["prove", DIP, "--reading", "coin-surplus=kept"],
            "unknown choice of reading coin-surplus 'kept'; there are: dropped, impossible",
        ),
        (
            ["prove", DIP, "--edition", "/nowhere.toml"],
            "/nowhere.toml: cannot be read: No such",
        ),
        (
            ["prove", DIP, "--out", "/dev/null/out"],
            "/dev/null/out: cannot be written to: /dev/null is a file",
        ),
        (
            ["explain", DIP, "in-rang"],
            "unknown id in lucky-dip 'in-rang'; did you mean in-range?",
        ),
        (
            ["script", "colour-collector", "--prize", "lots"],
            "prize 'lots': an amount was expec",
        ),
        (
            [
                *("script", "diamond-riches", "--prize", "£4"),
                *("--reading", "prize-game-repeat=each-time"),
                *("--reading", "prize-meter-after=stays-full"),
            ],
            "diamond-riches: prize-game-repeat=each-time, prize-meter-after=stays-full cannot ",
        ),
        (
            [
                *("prove", "diamond-riches"),
                *("--reading", "prize-game-repeat=each-time"),
                *("--reading", "prize-meter-after=stays-full"),
            ],
            "diamond-riches: prize-game-repeat=each-time, prize-meter-after=stays-full cannot ",
        ),
    ],
)
def test_bad_input_is_one_message(arguments, message):
    shown = run(*arguments)

    assert shown.exit_code == 2
    assert shown.stdout == ""
    assert shown.stderr.startswith(f"playproof: {message}")
    assert shown.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["proof"],
        ["prove", "--jobs", "0"],
        ["prove", "--timeout", "-1"],
        ["prove", "--format", "xml"],
        ["prove", "--out", ""],
        ["explain"],
    ],
)
def test_bad_usage(arguments):
    shown = run(*arguments)

    assert shown.exit_code == 2
    assert "Error" in shown.stderr


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="has no such file")
def test_an_edition_is_read_once_so_that_it_may_be_a_pipe():
    edition = (ROOT / "models" / "editions" / "colour-collector.toml").read_bytes()
    process = subprocess.run(
        [
            *(sys.executable, "-m", "playproof", "prove", "--property", "row-01-reachable"),
            *("--jobs", "1", "--edition", "/dev/stdin"),
        ],
        input=edition,
        capture_output=True,
        cwd=ROOT,
        check=False,
        timeout=60,
    )

    assert process.returncode == 0
    assert process.stderr == b""


def test_a_file_where_a_certificate_should_go_stays(tmp_path):
    mine = tmp_path / "lucky-dip" / "in-range"
    mine.parent.mkdir()
    mine.write_text("mine")

    shown = run("prove", DIP, "--property", "in-range", "--out", str(tmp_path))

    assert shown.exit_code == 2
    assert shown.stderr == f"playproof: {mine}: cannot be written: Not a directory\n"
    assert mine.read_text() == "mine"
    assert [path.name for path in mine.parent.iterdir() if path.name[0] == "."] == []


# ---- Trouble --------------------------------------------------------------------------------


def test_a_timeout_is_undecided_and_never_a_pass():
    shown = run("prove", DIP, "--property", "in-range", "--timeout", "0.001")

    assert shown.exit_code == 3
    assert re.search(r"in-range +undecided", shown.output)


def test_a_missing_solver_is_undecided_and_named(tmp_path):
    (tmp_path / "cvc5.py").write_text("raise ImportError('not here')\n")
    path = os.pathsep.join([str(tmp_path), str(ROOT)])

    process = started(
        "prove", DIP, "--property", "in-range", env=os.environ | {"PYTHONPATH": path}
    )
    shown, errors = process.communicate(timeout=60)

    assert process.returncode == 3
    assert "undecided" in shown
    assert "cvc5 is not installed" in " ".join(shown.split())
    assert "Traceback" not in errors


def test_a_missing_solver_is_named_where_a_prize_stays_undecided(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['cvc5'] = None\n")
    path = f"{tmp_path}{os.pathsep}{ROOT}"

    made = started(
        "script", "colour-collector", "--prize", "£3", env={**os.environ, "PYTHONPATH": path}
    )
    shown, _ = made.communicate(timeout=60)

    assert made.returncode == 3
    assert "cvc5 is not installed" in " ".join(shown.split())


def test_nothing_works_without_z3_and_that_is_said(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['z3'] = None\n")
    path = f"{tmp_path}{os.pathsep}{ROOT}"

    made = started("prove", DIP, env={**os.environ, "PYTHONPATH": path})
    _, errors = made.communicate(timeout=60)

    assert made.returncode == 2
    assert errors == "playproof: the solver z3 is not installed: pip install z3-solver\n"


def test_a_script_that_cannot_be_made_leaves_no_folder(tmp_path):
    (tmp_path / "dip.toml").write_text(EDITION.replace("value = 4", "value = 4.5"))
    out = tmp_path / "scripts"

    made = run("script", DIP, "--prize", "£2", "--edition", str(tmp_path / "dip.toml"),
               "--out", str(out))  # fmt: skip

    assert made.exit_code == 2
    assert not out.exists()


def test_ctrl_c_in_a_question_to_z3_is_no_answer():
    """z3 would answer ``unknown``, and the search would go on with the next path."""
    x, y, z = z3.Ints("x y z")
    solver = z3.Solver()
    solver.add(x**3 + y**3 + z**3 == 114, x > 1, y > 1)
    solver.set("rlimit", 3_000_000)
    threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()

    with pytest.raises(KeyboardInterrupt):
        NEVER.check(solver)


@pytest.mark.slow
def test_ctrl_c_while_an_object_is_let_go_of_is_not_lost():
    """Python cannot raise it there, and would go on."""

    class LetGoOf:
        def __del__(self):
            signal.raise_signal(signal.SIGINT)

    def command():
        LetGoOf()
        time.sleep(5)

    with pytest.raises(SystemExit) as ended, told():
        command()

    assert ended.value.code == 130


def test_ctrl_c_while_the_command_is_loaded_ends_it_in_order(tmp_path):
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt\n")
    path = os.pathsep.join([str(tmp_path), str(ROOT)])

    process = started("games", env=os.environ | {"PYTHONPATH": path})
    shown, errors = process.communicate(timeout=60)

    assert process.returncode == 130
    assert shown == ""
    assert errors == "playproof: interrupted; nothing was left half-written\n"


def test_what_is_half_made_at_ctrl_c_does_not_complain():
    """z3 takes 10 ms to make a context, and one that is not finished cannot be deleted."""
    code = (
        "import z3\n"
        "from playproof.reports.faults import told\n"
        "def interrupted(*_): raise KeyboardInterrupt\n"
        "z3.z3.Z3_mk_context_rc = interrupted\n"
        "with told():\n"
        "    z3.Context()\n"
    )

    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert ended.returncode == 130
    assert ended.stderr == "playproof: interrupted; nothing was left half-written\n"


@pytest.mark.parametrize("delay", [0.0, 0.3, 0.8])
def test_ctrl_c_leaves_nothing_half_written(tmp_path, delay):
    out = tmp_path / "out"

    process = started("prove", "colour-collector", "--out", str(out), "--jobs", "1")
    while not out.is_dir():
        time.sleep(0.01)
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGINT)
    shown, errors = process.communicate(timeout=30)

    assert process.returncode == 130
    assert shown == ""
    assert errors == "playproof: interrupted; nothing was left half-written\n"
    assert list(out.iterdir()) == []


def test_a_run_that_is_terminated_stops_its_workers(tmp_path):
    out = tmp_path / "out"

    process = started("prove", "diamond-riches", "--out", str(out), "--jobs", "2")
    while not out.is_dir():
        time.sleep(0.01)
    time.sleep(2)
    process.terminate()
    process.communicate(timeout=30)

    assert process.returncode == 143
    assert all_gone(process.pid, seconds=10)


@pytest.mark.parametrize(
    "arguments", [("explain", DIP, "draw"), ("prove", DIP, "--property", "in-range")]
)
def test_a_reader_that_goes_away_is_no_trouble(arguments):
    process = started(*arguments)
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()

    assert process.wait(timeout=30) == 141
    assert errors == ""


@pytest.mark.parametrize("columns", ["", "wide", "0", "-1", "5"])
def test_a_width_that_makes_no_sense_is_no_trouble(columns):
    shown = CliRunner().invoke(app, ["games"], env={"COLUMNS": columns})

    assert shown.exit_code == 0
    assert "title       Colour Collector" in shown.output


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_an_output_that_lacks_letters_gets_the_others(encoding):
    process = started(
        *("explain", "colour-collector", "CC-01"),
        env=os.environ | {"PYTHONIOENCODING": encoding},
        encoding=encoding,
    )
    shown, errors = process.communicate(timeout=30)

    assert process.returncode == 0
    assert "A Play costs" in shown
    assert errors == ""


@pytest.mark.slow
def test_json_is_utf8_on_any_output():
    process = subprocess.run(
        [
            *(sys.executable, "-m", "playproof", "prove", "colour-collector", "--jobs", "1"),
            *("--property", "row-01-reachable", "--format", "json"),
        ],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        cwd=ROOT,
        check=True,
        timeout=60,
    )

    (verdict,) = json.loads(process.stdout.decode("utf-8"))["verdicts"]
    assert "£5" in verdict["says"]
    assert verdict["does_not_cover"].startswith("other editions")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="has no full device")
def test_a_full_disk_is_named():
    with open("/dev/full", "w") as full:
        process = subprocess.run(
            [sys.executable, "-m", "playproof", "games"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            check=False,
            timeout=30,
        )

    assert process.returncode == 2
    assert process.stderr == (
        "playproof: standard output: cannot be written: No space left on device\n"
    )


def test_an_output_that_is_closed_is_no_trouble():
    command = f"{sys.executable} -m playproof games >&-"
    process = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, cwd=ROOT, check=False, timeout=30
    )

    assert (process.returncode, process.stderr) == (0, "")


def test_of_very_many_names_some_are_shown():
    shown = run("explain", "colour-collector", "zzz")

    assert shown.exit_code == 2
    assert re.search(r"and \d+ more; explain without an id lists all\n$", shown.stderr)
    assert len(shown.stderr) < 500

    shown = run("prove", "colour-collector", "--property", "zzz")

    assert shown.stderr.endswith(" more; explain GAME lists all\n")


def test_a_fault_of_a_game_of_ones_own_is_named_with_its_line(tmp_path, monkeypatch):
    (tmp_path / "faulty_game.py").write_text(
        "from dataclasses import replace\n"
        "from tests.lucky_dip import LUCKY_DIP\n"
        "def initial(p):\n"
        "    return p.no_such_parameter\n"
        "GAME = replace(LUCKY_DIP, initial=initial)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)

    shown = run("prove", "faulty_game:GAME", "--property", "in-range")

    assert shown.exit_code == 2
    assert "faulty_game.py:4: AttributeError: " in shown.stderr
    assert "no_such_parameter" in shown.stderr
    assert "Traceback" not in shown.stderr


def test_our_own_fault_is_called_so(monkeypatch):
    monkeypatch.setattr("playproof.models.games.game_ids", None)

    shown = run("games")

    assert shown.exit_code == 4
    assert "our own fault" in shown.stderr
