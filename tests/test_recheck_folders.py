"""Proof folders as files: what is missing, foreign, elsewhere, huge or broken is refused."""

from __future__ import annotations

import json

import pytest

from playproof.errors import BadInput
from playproof.proofs import filing
from playproof.proofs.folder import folders
from playproof.proofs.proof_format import sealed
from playproof.proofs.recheck import read_proofs

from . import proof_folders as given

DIP = "lucky-dip"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return given.write(tmp_path_factory.mktemp("written"))


@pytest.fixture
def out(written, tmp_path):
    return given.copy(written, tmp_path)


def refusal(path):
    with pytest.raises(BadInput) as raised:
        read_proofs(path)
    return str(raised.value)


def test_folders_are_found_from_wherever_one_starts(written):
    everything = {folder.name for folder in folders(written)}

    assert everything == {
        *(f"lucky-dip {name}" for name in given.PROVED),
        "ways c-is-not-seven",
    }
    assert {folder.name for folder in folders(written / DIP)} == everything - {
        "ways c-is-not-seven"
    }


def test_a_folder_without_a_proof_is_named(tmp_path):
    assert "no proof is here: manifest.json was expected" in refusal(tmp_path)
    assert "a folder was expected" in refusal(tmp_path / "nothing")


def test_an_empty_file_is_refused_even_with_its_hash(out):
    path = given.file_of(out / DIP / "stars-carry", "step")
    path.write_text("")
    assert "step.smt2: was changed" in refusal(out)

    given.repair(out)
    assert "step.smt2: is empty" in refusal(out)


@pytest.mark.parametrize("kind", ["system", "claims", "step"])
def test_a_truncated_file_is_refused_even_with_its_hash(out, kind):
    path = given.file_of(out / DIP / "stars-carry", kind)
    text = path.read_text()
    path.write_text(text[: len(text) // 2 - len(text) // 2 % 7])
    assert "was changed" in refusal(out)

    given.repair(out)
    assert "is never closed" in refusal(out) or "is not defined" in refusal(out)


def test_a_truncated_manifest_is_refused(out):
    path = out / DIP / "stars-carry" / "manifest.json"
    path.write_bytes(path.read_bytes()[:-40])

    assert f"{path}: is not JSON" in refusal(out)


@pytest.mark.parametrize("text", ["[]", "{}", '"x"', "", "null"])
def test_a_manifest_that_is_none_is_refused(out, text):
    path = out / DIP / "stars-carry" / "manifest.json"
    path.write_text(text)

    assert str(path) in refusal(out)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("k", "one", "$.k"),
        ("checks", {"a": 1}, "$.checks"),
        ("checks", [{"file": 1, "sha256": ""}], "$.checks[0].file"),
        ("answers", {"a": "unsat"}, "$.answers"),
        ("extra", 1, "extra"),
        ("fixed", {"figures": 3}, "$.fixed"),
    ],
)
def test_a_field_of_another_shape_is_named(out, field, value, message):
    path = out / DIP / "stars-carry" / "manifest.json"
    facts = json.loads(path.read_text()) | {field: value}
    del facts["seal"]
    path.write_text(json.dumps(sealed(facts)))

    said = refusal(out)

    assert str(path) in said
    assert message in said


@pytest.mark.parametrize("opening", ['{"format": 2, "fixed": ', "["])
def test_a_manifest_nested_deeper_than_can_be_read_is_refused(out, opening):
    path = out / DIP / "stars-carry" / "manifest.json"
    path.write_text(opening + "[" * 100_000)

    assert f"{path}: is nested deeper than any manifest" in refusal(out)


def test_verdicts_nested_deeper_than_can_be_read_are_refused(out):
    (out / "verdicts.json").write_text("[" * 100_000)

    assert "verdicts.json: is not what" in refusal(out)


def test_the_proof_of_a_vmt_file_is_said_to_be_none_of_a_game(out):
    path = out / DIP / "stars-carry" / "manifest.json"
    path.write_text('{"format": "playproof-vmt/1"}')

    assert f"{path}: is of a VMT-LIB file: 'prove --vmt' checked it" in refusal(out)


def test_a_missing_field_is_named(out):
    path = out / DIP / "stars-carry" / "manifest.json"
    facts = json.loads(path.read_text())
    del facts["seal"], facts["fingerprint"]
    path.write_text(json.dumps(sealed(facts)))

    assert "missing required field `fingerprint`" in refusal(out)


@pytest.mark.parametrize("version", [1, 99, "two"])
def test_another_format_is_named(out, version):
    given.change(out / DIP / "stars-carry", format=version)

    said = refusal(out)

    assert f"is of format {version!r}, where 2 was expected" in said
    assert "prove again" in said


def test_a_file_of_a_hundred_megabytes_is_refused_without_being_read(out):
    path = given.file_of(out / DIP / "stars-carry", "step")
    with path.open("r+b") as file:
        file.truncate(100_000_000)
    assert "step.smt2: was changed" in refusal(out)
    given.repair(out)
    assert "step.smt2: has more than 64,000,000 bytes" in refusal(out)


def test_a_manifest_of_a_hundred_megabytes_is_refused_without_being_read(out):
    with (out / DIP / "stars-carry" / "manifest.json").open("r+b") as file:
        file.truncate(100_000_000)

    assert "has 100,000,000 bytes: no manifest has" in refusal(out)


def test_bytes_that_are_no_text_are_refused(out):
    path = given.file_of(out / DIP / "stars-carry", "step")
    path.write_bytes(b"\xff\xfe" + path.read_bytes())
    facts = given.manifest(out / DIP / "stars-carry")
    sums = {"step.smt2": __import__("hashlib").sha256(path.read_bytes()).hexdigest()}
    facts["checks"] = [
        one | {"sha256": sums.get(one["file"], one["sha256"])} for one in facts["checks"]
    ]
    del facts["seal"]
    (out / DIP / "stars-carry" / "manifest.json").write_text(json.dumps(sealed(facts)))

    assert "step.smt2: is not UTF-8 text" in refusal(out)


@pytest.mark.parametrize(
    "name",
    [
        "../../../etc/passwd",
        "/etc/passwd",
        "../lemmas/../../x-00000000.smt2",
        "step.smt2/../base.smt2",
        "..\\step.smt2",
        "",
    ],
)
def test_a_name_that_leads_elsewhere_is_refused_before_it_is_opened(out, name):
    facts = given.manifest(out / DIP / "stars-carry")
    facts["checks"][0]["file"] = name
    del facts["seal"]
    (out / DIP / "stars-carry" / "manifest.json").write_text(json.dumps(sealed(facts)))

    assert f"{name!r} is no name of a file of a proof" in refusal(out)


@pytest.mark.parametrize("kind", ["step", "system", "lemma"])
def test_a_link_is_refused(out, tmp_path, kind):
    path = given.file_of(out / DIP / "stars-carry", kind)
    elsewhere = tmp_path / "elsewhere.smt2"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)

    assert f"{path.name}: is a link" in refusal(out)


def test_a_linked_folder_is_refused(out, tmp_path):
    for folder in (out / DIP / "lemmas", out / DIP / "stars-carry", out / DIP):
        elsewhere = tmp_path / f"elsewhere-{folder.name}"
        folder.rename(elsewhere)
        folder.symlink_to(elsewhere)
        assert "is a link" in refusal(out)
        folder.unlink()
        elsewhere.rename(folder)


@pytest.mark.parametrize("kind", ["system", "claims", "base", "step", "lemma"])
def test_a_missing_file_is_named(out, kind):
    path = given.file_of(out / DIP / "stars-carry", kind)
    path.unlink()

    assert f"{path.name}: is missing" in refusal(out)


@pytest.mark.parametrize(
    "name",
    [
        "lucky-dip/stars-carry/more.smt2",
        "lucky-dip/lemmas/more-step-00000000.smt2",
        "lucky-dip/system-00000000.smt2",
        "lucky-dip/notes.txt",
    ],
)
def test_a_file_that_no_manifest_lists_is_refused(out, name):
    (out / name).write_text("(check-sat)\n")

    assert f"{out / name}: is no part of" in refusal(out)


def test_a_missing_manifest_is_named(out):
    (out / DIP / "stars-carry" / "manifest.json").unlink()

    assert "stars-carry/manifest.json: is missing" in refusal(out)


def test_times_may_be_missing(out):
    (out / DIP / "stars-carry" / "times.json").unlink()

    assert len(read_proofs(out)) == len(given.PROVED) + 1


def test_a_proof_that_the_verdicts_speak_of_has_to_be_there(out):
    verdicts = [
        {"game": DIP, "property": name, "certificate": {"k": 1}}
        for name in (*given.PROVED, "lost")
    ]
    (out / "verdicts.json").write_text(json.dumps({"verdicts": verdicts}))
    assert "lost: is missing: verdicts.json says it is proved" in refusal(out)

    (out / "verdicts.json").write_text("{}")
    assert "verdicts.json: is not what" in refusal(out)


def test_every_broken_proof_is_named_at_once(out):
    for name in ("in-range", "stars-carry"):
        given.flip(given.file_of(out / DIP / name, "step"))

    said = refusal(out)

    assert "in-range/step.smt2: was changed" in said
    assert "stars-carry/step.smt2: was changed" in said


def test_what_is_proved_no_more_leaves_no_proof_behind(out):
    from playproof.proofs.prover import prove

    from .lucky_dip import LUCKY_DIP

    folder = out / DIP / "never-full"
    (out / DIP / "stars-carry").rename(folder)

    assert filing.file_certificate(prove(LUCKY_DIP, "never-full"), out) is None
    assert not folder.exists()


def test_shared_files_go_with_the_last_proof_that_lists_them(out):
    stale = out / DIP / "lemmas" / "in-range-step-00000000.smt2"
    stale.write_text("(check-sat)\n")
    kept = given.file_of(out / DIP / "stars-carry", "lemma")

    filing.tidy(out / DIP)

    assert not stale.exists()
    assert kept.exists()
    assert len(read_proofs(out)) == len(given.PROVED) + 1
