"""The proof report says what was found, of this game and no other, and lets nothing slip in."""

from __future__ import annotations

import gzip
import hashlib
import itertools
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from playproof.errors import BadInput
from playproof.models.editions import load_edition
from playproof.models.games import load_game
from playproof.proofs.audit.audit import audit
from playproof.reports.cli import app
from playproof.reports.html import pdf as pdf_module
from playproof.reports.html import writing
from playproof.reports.html.plot import plot
from playproof.reports.html.scripts import read_scripts
from playproof.reports.html.writing import Asked, write_reports
from playproof.reports.proving import prove_all
from playproof.reports.request import choose

from .marked_up_dip import BAD
from .test_audit import SMALL, document, read_document

DIP = "tests.lucky_dip:LUCKY_DIP"
MARKED_UP = "tests.marked_up_dip:MARKED_UP"
EDITION = Path(__file__).with_name("lucky_dip.toml")


def proved(folder: Path, reference: str, *properties: str) -> Path:
    """Prove a game and return the folder of its results."""
    requests = choose([reference], properties, [], None)
    prove_all(requests, 1, None, Console(quiet=True)).write(folder)
    return folder


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the results of Lucky Dip."""
    return proved(tmp_path_factory.mktemp("results"), DIP)


@pytest.fixture(scope="module")
def reported(results: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the report of Lucky Dip under its edition."""
    out = tmp_path_factory.mktemp("report")
    write_reports([DIP], results, out, Asked(edition=EDITION))
    return out


@pytest.fixture
def copied(results: Path, tmp_path: Path) -> Path:
    """Return a copy of the results, to tamper with."""
    return Path(shutil.copytree(results, tmp_path / "results"))


class Outline(HTMLParser):
    """A page as its elements, the headings in order and every id and address."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, *tags: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.elements if tag in tags]

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())


def outline(folder: Path, game: str = "lucky-dip") -> Outline:
    return Outline((folder / f"{game}.html").read_text("utf-8"))


def test_every_property_is_there_with_its_verdict_formula_and_what_it_rests_on(
    reported: Path,
) -> None:
    words = outline(reported).words

    for id_ in ("in-range", "stars-carry", "never-full", "no-coin-lost", "draws-count-down"):
        assert id_ in words
    assert (
        "2 are proved, 1 depends on how an unclear clause is read and 2 do not hold" in words
        or ("proved" in words)
    )
    assert "seen.stars = 2 * seen.full_meters + meter" in words
    assert "Stars seen are full meters and what the meter holds." in words
    assert "each answered unsat by z3 and cvc5" in words
    assert "coin-surplus = dropped" in words
    assert "this step breaks it" in words


def test_what_is_left_open_and_what_is_not_covered_is_said(reported: Path) -> None:
    words = outline(reported).words

    assert "coins beyond the jar are not counted" in words
    assert "at least £0.01" in words or "at least £1" in words
    assert "assumed" in words
    assert "pays-something obligation on scripts" in words
    assert "Mutants: none were given to this report" in words
    assert "section 11 says how to add them" in words
    assert "Scripts: none were given" in words
    assert "claims compliance with no standard" in words
    assert "LD-1" in words


def test_the_commands_that_repeat_it_name_the_game_and_its_edition(reported: Path) -> None:
    words = outline(reported).words

    assert f"playproof prove {DIP} --out out/proofs" in words
    assert f"playproof recheck out/proofs --against {DIP}" in words
    assert f"playproof report {DIP} --edition lucky_dip.toml --from out/proofs" in words


def test_the_page_needs_nothing_but_itself_and_runs_nothing(reported: Path) -> None:
    page = outline(reported)

    assert not page.all("script", "link", "iframe", "object", "embed", "form")
    outside = [
        address
        for one in page.all("a", "img")
        for address in (one.get("href"), one.get("src"))
        if address and not address.startswith(("#", "data:image/svg+xml;base64,", "plays/"))
    ]
    assert outside == []
    style = (reported / "lucky-dip.html").read_text("utf-8").partition("</style>")[0]
    assert "url(" not in style
    assert "@import" not in style


def test_every_link_leads_somewhere_and_every_id_is_one_places(reported: Path) -> None:
    page = outline(reported)
    ids = Counter(one["id"] for _, one in page.elements if one.get("id"))

    assert [id_ for id_, times in ids.items() if times > 1] == []
    inside = [str(one["href"])[1:] for one in page.all("a") if str(one["href"])[0] == "#"]
    assert inside
    assert [id_ for id_ in inside if id_ not in ids] == []
    plays = [one["href"] for one in page.all("a") if str(one["href"]).startswith("plays/")]
    assert plays
    assert all((reported / str(play)).is_file() for play in plays)
    named = [one["aria-labelledby"] for _, one in page.elements if one.get("aria-labelledby")]
    assert [id_ for name in named for id_ in str(name).split() if id_ not in ids] == []


def test_the_page_can_be_heard_as_well_as_seen(reported: Path) -> None:
    page = outline(reported)
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]

    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    assert all(one.get("scope") in ("col", "row") for one in page.all("th"))
    assert all(one.get("alt") for one in page.all("img"))
    assert page.all("html") == [{"lang": "en-GB"}]
    assert len(page.all("main")) == len(page.all("nav")) == len(page.all("header")) == 1
    assert page.all("a")[0] == {"class": "skip", "href": "#main"}
    assert all(
        one.get("role") == "region" and one.get("aria-label")
        for _, one in page.elements
        if "tabindex" in one
    )


def test_no_text_of_a_game_becomes_part_of_the_page(tmp_path: Path) -> None:
    folder = proved(tmp_path / "results", MARKED_UP, "in-range", "never-full")

    write_reports([MARKED_UP], folder, tmp_path / "out", Asked())

    for path in (tmp_path / "out").rglob("*.html"):
        text = path.read_text("utf-8")
        page = Outline(text)
        assert BAD in "".join(page.text), path
        assert not page.all("img"), path
        assert "alert" not in "".join(re.findall(r"<script.*?</script>", text, re.DOTALL))
        assert not any("onerror" in one for _, one in page.elements), path


def test_the_same_results_give_the_same_bytes(
    results: Path, reported: Path, tmp_path: Path
) -> None:
    write_reports([DIP], results, tmp_path, Asked(edition=EDITION))

    files = sorted(one.relative_to(tmp_path) for one in tmp_path.rglob("*.html"))
    assert files
    for name in files:
        assert (tmp_path / name).read_bytes() == (reported / name).read_bytes()


def test_times_machine_and_date_stand_in_one_place(
    copied: Path, reported: Path, tmp_path: Path
) -> None:
    verdicts = copied / "verdicts.json"
    data = json.loads(verdicts.read_text())
    data["times"] = {
        "total": 77.7,
        "date": "some day",
        "machine": "some machine",
        "verdicts": {
            name: {"seconds": 5.55, "ours": 5.55} for name in data["times"]["verdicts"]
        },
    }
    verdicts.write_text(json.dumps(data))

    write_reports([DIP], copied, tmp_path, Asked(edition=EDITION))

    one, other = (
        (folder / "lucky-dip.html")
        .read_text("utf-8")
        .partition('<section aria-labelledby="times">')
        for folder in (reported, tmp_path)
    )
    assert one[0] == other[0]
    assert one[2].partition("</section>")[2] == other[2].partition("</section>")[2]
    assert "some machine" in other[2]
    assert "5.55" in other[2]


def edited(folder: Path, change: str) -> Path:
    """Change the verdicts in a folder by a statement about ``d``."""
    verdicts = folder / "verdicts.json"
    d = json.loads(verdicts.read_text())
    exec(change, {"d": d, "v": {one["property"]: one for one in d["verdicts"]}})
    verdicts.write_text(json.dumps(d))
    return folder


CHANGES = {
    "d['format'] = 'playproof-verdicts/9'": "of format 'playproof-verdicts/9', where 'playp",
    "d.pop('sanity')": "missing required field `sanity`",
    "d['verdicts'][0]['verdict'] = 'fine'": "Invalid enum value 'fine'",
    "v['never-full']['verdict'] = 'proved'": "is proved, it says, but nothing there shows it",
    "v['never-full']['plays'].clear()": "is refuted, it says, but nothing there shows it",
    "v['never-full'].update(verdict='proved', plays=[])": "neither certificate nor Play",
    "v['never-full']['as_expected'] = True": "proved is expected, so refuted is not as",
    "v['never-full']['expected'] = 'refuted'": "proved is expected, so refuted is not",
    "v['in-range']['says'] = 'All is well.'": "'All is well.', where its certificate says",
    "v['in-range']['clauses'] = []": "clauses is [], where its certificate says ['LD-1']",
    "v['in-range']['certificate']['k'] = 2": "k is 2, where its certificate says 1",
    "next(iter(v['in-range']['certificate']['obligations'].values()))['cvc5'] = 'sat'": (
        "the answers of solvers are not those of its certificate"
    ),
    "v['never-full']['says'] = 'Full.'": "never-full: it says: The jar is never full",
    "v['never-full']['property'] = 'never-empty'": "never-empty: is no property of it",
    "v['never-full']['plays'][0]['broken_after_step'] = 0": "not break it after the step",
    "v['never-full']['plays'][0]['steps'][0].update(rule='finish', reveal={})": "finish may",
    "v['never-full']['plays'][0]['steps'][0]['reveal'] = {'bones': 1}": "not reveal bones",
    "v['never-full']['plays'][0]['steps'][0]['reveal'] = {'coins': True}": "which is no Int",
    "v['never-full']['plays'][0]['parameters'].pop('jar')": "do not allow this Play",
    "v['never-full']['plays'][0]['readings'] = {}": "its parameters and readings do not fit",
    "d['sanity']['lucky-dip']['plays'][0]['steps'][0]['reveal'] = {'coins': 9}": "draw may not",
    "d['sanity'].clear()": "'sanity' says nothing of lucky-dip; prove it again",
    "d['verdicts'].clear()": "holds no verdict",
    "d['editions']['lucky-dip'] = {'name': 'b', 'sha256': '0'}": "give its file with --edition",
}


@pytest.mark.parametrize("change", CHANGES)
def test_results_that_were_changed_are_refused(
    copied: Path, tmp_path: Path, change: str
) -> None:
    edited(copied, change)

    with pytest.raises(BadInput) as told:
        write_reports([DIP], copied, tmp_path / "out", Asked())

    assert CHANGES[change] in str(told.value)
    assert not list(tmp_path.glob("out/*.html"))


def test_files_of_a_proof_that_are_missing_or_changed_are_refused(
    copied: Path, tmp_path: Path
) -> None:
    claims = copied / "lucky-dip" / "in-range" / "claims.smt2"
    claims.write_text(claims.read_text() + "; more\n")
    with pytest.raises(BadInput, match=r"claims\.smt2: was changed: its SHA-256 is"):
        write_reports([DIP], copied, tmp_path / "out", Asked())

    claims.unlink()
    with pytest.raises(BadInput, match=r"claims\.smt2: is missing"):
        write_reports([DIP], copied, tmp_path / "out", Asked())

    shutil.rmtree(claims.parent)
    with pytest.raises(
        BadInput, match=r"in-range: is missing: verdicts\.json says it is proved"
    ):
        write_reports([DIP], copied, tmp_path / "out", Asked())


def test_results_of_another_game_or_edition_are_refused(copied: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="has results of lucky-dip, none of colour-collector"):
        write_reports(["colour-collector"], copied, tmp_path, Asked())

    edited(copied, "d['editions']['lucky-dip'] = {'name': 'big', 'sha256': '00'}")
    with pytest.raises(BadInput, match="is not the edition 'big' under which"):
        write_reports([DIP], copied, tmp_path, Asked(edition=EDITION))


def test_results_of_an_earlier_state_of_the_game_are_refused(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from . import lucky_dip as game

    other = game.LUCKY_DIP.copy(stars=3)
    monkeypatch.setattr(game, "LUCKY_DIP", other)

    with pytest.raises(BadInput, match=r"not about lucky-dip as it is here; prove it again:"):
        write_reports([DIP], results, tmp_path, Asked())


def test_a_folder_without_results_is_told_in_a_sentence(tmp_path: Path) -> None:
    arguments = ["report", DIP, "--from", str(tmp_path), "--out", str(tmp_path / "out")]

    ended = run(arguments)

    assert ended.exit_code == 2
    said = ended.stderr
    assert "verdicts.json: is missing; a folder was expected that 'playproof prove" in said
    assert said.count("\n") == 1


def run(arguments: list[str]) -> Any:
    """Run a command."""
    return CliRunner().invoke(app, arguments)


def test_the_command_ends_as_the_verdicts_do(results: Path, tmp_path: Path) -> None:
    """Lucky Dip has no manifest, so a claim that fails was not expected to."""
    ended = run(["report", DIP, "--from", str(results), "--out", str(tmp_path)])

    assert ended.exit_code == 1
    assert "lucky-dip.html" in "".join(ended.stdout.split())
    assert "properties that every Play must have" in " ".join(ended.stdout.split())


def test_without_results_the_game_is_proved_first(tmp_path: Path) -> None:
    assert (
        run(["report", DIP, "--out", str(tmp_path), "--jobs", "1", "--no-plays"]).exit_code == 1
    )

    assert (tmp_path / "proofs" / "verdicts.json").is_file()
    assert (tmp_path / "lucky-dip.html").is_file()
    assert not (tmp_path / "plays").exists()


def test_where_no_pdf_can_be_made_the_page_is_still_written(
    results: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(writing, "find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "weasyprint", None)

    ended = run(["report", DIP, "--from", str(results), "--out", str(tmp_path), "--pdf"])

    assert ended.exit_code == 2
    assert "WeasyPrint, which is not installed: pip install '.[pdf]'" in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert (tmp_path / "lucky-dip.html").is_file()
    assert not (tmp_path / "lucky-dip.pdf").exists()


@pytest.mark.slow
def test_a_pdf_is_the_same_bytes_for_the_same_page(reported: Path) -> None:
    pytest.importorskip("weasyprint", reason="the extra pdf is not installed")
    page = "<!DOCTYPE html><html lang='en'><title>A page</title><p>Words.</p></html>"

    made = pdf_module.pdf(page)

    assert made[:5] == b"%PDF-"
    assert made == pdf_module.pdf(page)


def test_scripts_stand_beside_the_prizes_they_win(results: Path, tmp_path: Path) -> None:
    folder = str(tmp_path / "s")
    made_by = ["script", DIP, "--prize", "£5", "--edition", str(EDITION), "--out", folder]
    assert run(made_by).exit_code == 0
    (made,) = (tmp_path / "s").glob("*.json")

    asked = Asked(edition=EDITION, scripts=tmp_path / "s")
    write_reports([DIP], results, tmp_path / "out", asked)
    words = outline(tmp_path / "out").words
    assert made.name in words

    broken = json.loads(made.read_text())
    broken["steps"][0]["shows"]["jar"] = 3 - broken["steps"][0]["shows"]["jar"]
    made.write_text(json.dumps(broken))
    with pytest.raises(
        BadInput, match=re.escape(f"{made}: after step 1: the script shows jar")
    ):
        write_reports([DIP], results, tmp_path / "out", asked)

    made.unlink()
    with pytest.raises(BadInput, match="holds no script of lucky-dip"):
        write_reports([DIP], results, tmp_path / "out", asked)


LINE = {"mutants": 3, "killed": 2, "by_suite": 0, "by_property": 2, "beyond": 0, "equal": 1,
        "undecided": 0}  # fmt: skip
KILLED = {"rule": "draw", "operator": "dropped", "clauses": ["LD-3"], "outcome": "killed",
          "play": 0, "step": 1}  # fmt: skip
MUTANTS: dict[str, Any] = {
    "format": "playproof-mutants",
    "version": 1,
    "game": "lucky-dip",
    "edition": {"name": "small", "hash": hashlib.sha256(EDITION.read_bytes()).hexdigest()},
    "readings": {"coin-surplus": "dropped"},
    "checked": [],
    "score": 100.0,
    "total": LINE,
    "operators": {"dropped": LINE},
    "clauses": {"LD-3": LINE},
    "properties": {"stars-carry": 1, "draws-count-down": 1},
    "faults": {},
    "holes": {"properties": [], "clauses": []},
    "mutants": [
        KILLED | {"id": "a", "says": "draw: <b>meter</b> is dropped.", "how": "shows",
                  "refuted": ["stars-carry"]},
        KILLED | {"id": "b", "says": "draw: 0 is 9.", "how": "accepts",
                  "accepts": {"rule": "draw", "reveal": {"coins": 9, "stars": 0}},
                  "refuted": ["draws-count-down"]},
        {"id": "c", "rule": "draw", "operator": "constant", "clauses": ["LD-3"],
         "says": "draw: 1 is 1.", "outcome": "equal", "proof": "p"},
    ],
    "plays": {"0": [{"rule": "draw", "reveal": {"coins": 1, "stars": 1}}]},
    "times": {"seconds": 1.0},
}  # fmt: skip


def test_a_broken_rule_stands_beside_the_property_that_catches_it(
    results: Path, tmp_path: Path
) -> None:
    file = tmp_path / "mutants.json"
    file.write_text(json.dumps(MUTANTS))

    asked = Asked(edition=EDITION, mutants=tmp_path)
    write_reports([DIP], results, tmp_path / "out", asked)

    words = outline(tmp_path / "out").words
    assert (
        "1 mutant seen to break it, such as “draw: <b>meter</b> is dropped”, as Play 0 of "
        "mutants shows: step 1 leads to something else" in words
    )
    assert "shows: in place of step 1 it takes draw with coins 9, which may not come" in words
    assert "no mutant is seen to break it" in words
    assert "not asked: the rules break it as they are" in words
    assert "2 told apart, 1 equal" in words
    assert "no mutants were given" not in words.lower()
    assert "Not part of this report" not in words


def test_mutants_may_be_packed(results: Path, tmp_path: Path) -> None:
    for name, data in {
        "plain/mutants.json": json.dumps(MUTANTS).encode(),
        "packed/lucky-dip/mutants.json.gz": gzip.compress(json.dumps(MUTANTS).encode()),
    }.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True)
        file.write_bytes(data)
    pages = []

    for kind in ("plain", "packed"):
        asked = Asked(edition=EDITION, mutants=tmp_path / kind)
        write_reports([DIP], results, tmp_path / "out" / kind, asked)
        pages.append((tmp_path / "out" / kind / "lucky-dip.html").read_text("utf-8"))

    assert pages[0] == pages[1]
    assert "step 1 leads to something else" in pages[1]


@pytest.mark.parametrize(
    "data",
    [b"{", gzip.compress(b"{}", mtime=0)[:-9], b"\x1f\x8b\x08" + b"\xff" * 20],
    ids=["not packed", "cut off", "damaged"],
)
def test_packed_mutants_that_cannot_be_read_are_bad_input(
    results: Path, tmp_path: Path, data: bytes
) -> None:
    (tmp_path / "mutants.json.gz").write_bytes(data)

    with pytest.raises(BadInput, match=r"mutants\.json\.gz: is not what 'playproof mutate"):
        write_reports(
            [DIP], results, tmp_path / "out", Asked(edition=EDITION, mutants=tmp_path)
        )


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            {"version": 2},
            "its format is ('playproof-mutants', 2), where ('playproof-mutants', 1)",
        ),
        ({"game": "other"}, "its game is 'other', where 'lucky-dip' was expected"),
        ({"edition": {"name": "x", "hash": "0"}}, "its edition is '0', where '"),
        ({"plays": {}}, "a: there is no Play 0, which shows it"),
        (
            {"mutants": MUTANTS["mutants"][:2]},
            "its number of mutants is 3, where 2 was expected",
        ),
        ({"total": LINE | {"killed": 3}}, "its number killed is 3, where 2 was expected"),
        ({"total": 3}, "is not what 'playproof mutate --out' writes"),
        (
            {"plays": {"0": [{"rule": "draw", "reveal": {"coins": 9}}]}},
            "draw may not come here",
        ),
    ],
)
def test_mutants_of_something_else_are_refused(
    results: Path, tmp_path: Path, change: dict[str, object], why: str
) -> None:
    (tmp_path / "mutants.json").write_text(json.dumps(MUTANTS | change))

    with pytest.raises(BadInput, match=re.escape(why)):
        write_reports(
            [DIP], results, tmp_path / "out", Asked(edition=EDITION, mutants=tmp_path)
        )


def test_the_plot_of_an_audit_is_the_same_bytes_and_says_which_row_binds() -> None:
    found = audit(read_document(document(), "document"))

    drawn = plot(found)

    assert drawn.startswith("<svg")
    assert drawn == plot(found)
    assert f"row {found.binding.number} binds" in drawn if found.binding else SMALL
    assert not re.search(r"\d{4}-\d\d-\d\d", drawn)


def test_there_is_no_plot_where_no_winners_fit() -> None:
    assert plot(audit(read_document(document(odds="9.99"), "document"))) == ""


ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "reports" / "examples").glob("*.html"))


def without_what_differs(page: bytes) -> bytes:
    """Return a page without its last section and the versions of tools."""
    page = re.sub(rb'(?s)<section aria-labelledby="times">.*?</section>', b"", page)
    return re.sub(rb"<dt>Tools</dt><dd>.*?</dd>", b"", page)


@pytest.mark.whole
def test_the_examples_are_the_reports_of_what_the_first_command_wrote(tmp_path: Path) -> None:
    out = ROOT / "out"

    asked = Asked(
        scripts=out / "scripts", mutants=ROOT / "reports/examples/mutants", plays=False
    )
    write_reports([], out / "proofs", tmp_path, asked)

    assert {one.name for one in EXAMPLES} == {one.name for one in tmp_path.glob("*.html")}
    for one in EXAMPLES:
        made = (tmp_path / one.name).read_bytes()
        assert without_what_differs(one.read_bytes()) == without_what_differs(made), (
            f"{one.name} is not what is reported now; make it anew: playproof report --from "
            "out/proofs --scripts out/scripts --mutants reports/examples/mutants --no-plays "
            "--out reports/examples"
        )


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_a_whole_page_that_is_small(example: Path) -> None:
    page = Outline(example.read_text("utf-8"))
    ids = Counter(one["id"] for _, one in page.elements if one.get("id"))

    assert example.stat().st_size < 1_000_000
    assert max(ids.values()) == 1
    inside = [str(one["href"])[1:] for one in page.all("a") if str(one["href"])[0] == "#"]
    assert [id_ for id_ in inside if id_ not in ids] == []
    assert not page.all("script", "link", "iframe")


KILLED_FROM_OUTSIDE = """
import multiprocessing, os, signal, time
from playproof.reports.faults import end_with_parent

def work():
    end_with_parent()
    print(os.getpid(), flush=True)
    time.sleep(60)

worker = multiprocessing.get_context("fork").Process(target=work)
worker.start()
time.sleep(1)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_workers_end_with_a_command_that_is_killed() -> None:
    # its output is at its end once nobody is left who could write there
    ended = subprocess.run(
        [sys.executable, "-c", KILLED_FROM_OUTSIDE], capture_output=True, timeout=30
    )
    assert ended.returncode == -9
    assert ended.stdout.strip().isdigit()


@pytest.mark.parametrize("how", ["folder", "link"])
def test_what_is_named_like_a_script_and_cannot_be_read_is_bad_input(
    tmp_path: Path, how: str
) -> None:
    path = tmp_path / "row-01.json"
    if how == "folder":
        path.mkdir()
    else:
        path.symlink_to("nowhere")

    with pytest.raises(BadInput, match=r"row-01\.json: cannot be read"):
        read_scripts(tmp_path, load_edition(load_game("colour-collector")))
