"""Many proofs at once, what is written of them, and what was expected."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from playproof.errors import BadInput
from playproof.proofs import campaign, filing, manifest, solvers
from playproof.proofs.campaign import Task
from playproof.proofs.prover import prove
from playproof.proofs.verdict import Outcome

from .left_over import all_gone
from .lucky_dip import LUCKY_DIP
from .small_systems import WAYS

ROOT = Path(__file__).parents[1]
DIP = "tests.lucky_dip:LUCKY_DIP"
NAMES = ("in-range", "stars-carry", "never-full", "no-coin-lost")


@pytest.fixture(scope="module")
def heard():
    return []


@pytest.fixture(scope="module")
def verdicts(heard):
    tasks = [Task(DIP, name) for name in NAMES]
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT)  # workers import the game by its module's name
        return campaign.run(tasks, jobs=2, listener=heard.append)


def test_verdicts_come_in_the_order_asked(verdicts):
    assert tuple(v.property for v in verdicts) == NAMES
    assert [v.outcome.value for v in verdicts] == ["proved", "proved", "refuted", "depends"]


def test_every_property_is_started_and_finished_once(verdicts, heard):
    for kind in ("started", "finished"):
        assert sorted(e.property for e in heard if e.kind == kind) == sorted(NAMES)
    rechecked = [(e.property, e.detail) for e in heard if e.kind == "rechecked"]
    assert ("in-range", "cvc5") in rechecked


def test_a_verdict_says_where_its_time_went(verdicts):
    for verdict in verdicts:
        assert [who for who, _ in verdict.spent] == ["ours", "z3", "cvc5"]
        assert sum(seconds for _, seconds in verdict.spent) == pytest.approx(verdict.seconds)


def test_an_error_of_ours_in_a_worker_is_not_swallowed():
    with pytest.raises(campaign.WorkerError, match="no-such-property"):
        campaign.run([Task(DIP, "no-such-property")])


def test_a_game_of_ones_own_that_fails_in_a_worker_is_bad_input(tmp_path, monkeypatch):
    (tmp_path / "own_that_fails.py").write_text(
        "from dataclasses import replace\n"
        "from tests.lucky_dip import LUCKY_DIP\n"
        "def observe(p, before, step, after):\n"
        "    if isinstance(after.jar, int):\n"
        "        return 1 // 0\n"
        "    return LUCKY_DIP.observe(p, before, step, after)\n"
        "GAME = replace(LUCKY_DIP, observe=observe)\n"
    )
    monkeypatch.syspath_prepend(ROOT)
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(BadInput, match=r"own file fails: .*own_that_fails.py:5: ZeroDivision"):
        campaign.run([Task("own_that_fails:GAME", "never-full")])


def test_what_takes_long_begins_first(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    tasks = [Task(DIP, "in-range"), Task(DIP, "stars-carry", weight=1)]
    heard = []
    verdicts = campaign.run(tasks, listener=heard.append)
    assert [v.property for v in verdicts] == ["in-range", "stars-carry"]
    begun = [event.property for event in heard if event.kind == "started"]
    assert begun == ["stars-carry", "in-range"]


def test_ctrl_c_ends_a_campaign_and_leaves_no_worker():
    code = (
        "from playproof.proofs.campaign import Task, run\n"
        "if __name__ == '__main__':\n"
        "    tasks = [Task('tests.lucky_dip:LUCKY_DIP', 'in-range')] * 5000\n"
        "    say = lambda e: print(e.kind, flush=True)\n"
        "    try:\n"
        "        run(tasks, jobs=2, listener=say)\n"
        "    except KeyboardInterrupt:\n"
        "        print('interrupted', flush=True)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment,
        start_new_session=True,
    ) as process:
        assert process.stdout.readline().strip() == "started"
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        group = process.pid

    assert out.splitlines()[-1] == "interrupted"
    assert all_gone(group)


def test_every_filed_check_is_unsat_for_both_solvers(verdicts, tmp_path):
    folder = filing.file_certificate(verdicts[1], tmp_path)

    facts = json.loads((folder / "manifest.json").read_text())
    assert facts["conjuncts"] == ["stars-carry", "in-range"]
    checks = [facts["system"], facts["claims"], *facts["checks"]]
    for check in checks:
        assert sha256((folder / check["file"]).read_bytes()).hexdigest() == check["sha256"]
    system = (folder / facts["system"]["file"]).read_text()
    claims = (folder / facts["claims"]["file"]).read_text()
    asked = 0
    for check in facts["checks"]:
        for text in (folder / check["file"]).read_text().split("(reset)\n"):
            asked += 1
            for solver in solvers.NAMES:
                assert solvers.run(solver, text).answer == "unsat"
            for definition in text.split("(define-fun ")[1:]:
                body = definition.split("\n(assert")[0].strip()
                assert body in (claims if body.startswith("claim.") else system)
    assert asked == len(facts["answers"]) == len(verdicts[1].certificate.obligations)


def test_the_same_verdict_is_filed_as_the_same_bytes(verdicts, tmp_path):
    again = prove(LUCKY_DIP, "stars-carry")
    for verdict, out in ((verdicts[1], tmp_path / "one"), (again, tmp_path / "two")):
        filing.file_certificate(verdict, out)
        filing.file_certificate(verdict, out)

    one, two = _bytes(tmp_path / "one"), _bytes(tmp_path / "two")
    assert one == two
    assert not [name for name in one if "/." in f"/{name}"]


def _bytes(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "times.json"
    }


def test_a_refutation_has_no_certificate_to_file(verdicts, tmp_path):
    assert filing.file_certificate(verdicts[2], tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_named(verdicts, tmp_path):
    (tmp_path / "lucky-dip").write_text("in the way")

    with pytest.raises(BadInput, match="lucky-dip"):
        filing.file_certificate(verdicts[0], tmp_path)


def test_an_interrupted_filing_leaves_what_was_there(verdicts, tmp_path, monkeypatch):
    filing.file_certificate(verdicts[0], tmp_path)
    before = _bytes(tmp_path)

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(filing, "_manifest", interrupt)
    with pytest.raises(KeyboardInterrupt):
        filing.file_certificate(verdicts[0], tmp_path)

    assert _bytes(tmp_path) == before


def test_a_verdict_travels_between_processes(verdicts):
    for verdict in verdicts:
        assert pickle.loads(pickle.dumps(verdict)) == verdict


def _manifest(tmp_path, text):
    path = tmp_path / "ways.toml"
    path.write_text(text)
    return path


def _all_proved(**changed):
    lines = []
    for claim in manifest.claims_of(WAYS):
        verdict = changed.get(claim.id.replace("-", "_"), 'verdict = "proved"')
        lines.append(f"[{claim.id}]\n{verdict}\n")
    return "\n".join(lines)


def test_lemmas_are_not_in_a_manifest(tmp_path):
    expected = manifest.load_manifest(WAYS, _manifest(tmp_path, _all_proved()))

    assert "wrong-lemma" not in expected
    assert set(expected) == {claim.id for claim in manifest.claims_of(WAYS)}


def test_without_a_manifest_everything_is_to_be_proved():
    expected = manifest.load_manifest(LUCKY_DIP)

    assert {one.outcome for one in expected.values()} == {Outcome.PROVED}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ('verdict = "prooved"', "unknown verdict 'prooved'; did you mean proved"),
        ('verdict = "depends"', "fails-under belongs to the verdict depends"),
        ('verdict = "depends"\nfails-under = [{ roundin = "up" }]', "did you mean rounding"),
        ('verdict = "depends"\nfails-under = [{ rounding = "upp" }]', "did you mean up"),
        ('verdict = "depends"\nfails-under = 3', "fails-under"),
        ('outcome = "proved"', "outcome"),
        ("", "'verdict' is missing"),
    ],
)
def test_a_wrong_entry_is_named_with_its_file(tmp_path, wrong, message):
    path = _manifest(tmp_path, _all_proved(within_room=wrong))

    with pytest.raises(BadInput, match=message) as raised:
        manifest.load_manifest(WAYS, path)

    assert str(path) in str(raised.value)


def test_a_manifest_is_checked_both_ways(tmp_path):
    with pytest.raises(BadInput, match="ends-once"):
        manifest.load_manifest(
            WAYS, _manifest(tmp_path, _all_proved().replace("[ends-once]", "[ends-twice]"))
        )
    short = _all_proved().split("\n[ends-once]")[0]
    with pytest.raises(BadInput, match="'ends-once' is missing"):
        manifest.load_manifest(WAYS, _manifest(tmp_path, short))


UP_AND_KEPT = ((("rounding", "up"), ("surplus", "kept")),)


@pytest.mark.parametrize(
    ("readings", "outcome", "cubes"),
    [
        ({}, Outcome.DEPENDS, UP_AND_KEPT),
        ({"order": "fixed"}, Outcome.DEPENDS, UP_AND_KEPT),
        ({"rounding": "up"}, Outcome.DEPENDS, ((("surplus", "kept"),),)),
        ({"rounding": "down"}, Outcome.PROVED, ()),
        ({"rounding": "never"}, Outcome.PROVED, ()),
        ({"rounding": "up", "surplus": "kept"}, Outcome.REFUTED, ()),
    ],
)
def test_fixed_readings_settle_what_is_expected(readings, outcome, cubes):
    expected = manifest.Expected(Outcome.DEPENDS, UP_AND_KEPT)

    left = manifest.expected_under(WAYS, expected, readings)

    assert (left.outcome, left.fails_under) == (outcome, cubes)
    verdict = prove(WAYS, "within-room", readings=readings)
    assert manifest.surprise(verdict, left) == ""


def test_a_constraint_between_readings_settles_too():
    expected = manifest.Expected(Outcome.DEPENDS, ((("surplus", "dropped"),),))

    left = manifest.expected_under(WAYS, expected, {"rounding": "never"})

    assert left == manifest.Expected(Outcome.REFUTED)


def test_a_surprise_says_what_differs(verdicts):
    proved = manifest.Expected(Outcome.PROVED)
    other = manifest.Expected(Outcome.DEPENDS, ((("coin-surplus", "impossible"),),))

    assert manifest.surprise(verdicts[0], proved) == ""
    assert manifest.surprise(verdicts[2], proved) == "refuted, where proved was expected"
    assert manifest.surprise(verdicts[3], other) == (
        "fails under coin-surplus = dropped, where coin-surplus = impossible was expected"
    )
