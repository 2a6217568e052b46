"""The viewer: a Play as a page, step by step, and what a log shows beside what it should."""

import gzip
import html
import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from playproof.__main__ import main
from playproof.errors import BadInput
from playproof.models import drawing
from playproof.models.drawing import Board, Boxes, Cards, Drawing, Fact, Panel, Square, Wheel
from playproof.models.editions import load_edition
from playproof.models.games import load_game
from playproof.models.play import Play
from playproof.models.setting import settle
from playproof.models.system import Nothing, Step
from playproof.oracles import script as scripts
from playproof.reports.view import film_of_play, film_of_script, page
from playproof.reports.view.film import Frame, places_of
from playproof.reports.view.opening import film_of_file
from playproof.reports.view.pieces import panel_html, pieces_html, text
from tests.lucky_dip import LUCKY_DIP, Draw

HERE = Path(__file__).parent
SUITES = {path.stem: path for path in sorted(HERE.glob("suites/*/*.json"))}
SURPLUS_LOST = HERE / "builds/surplus-lost.jsonl"
SOME = ("pot-doubled", "prize-booster", "multi-fill", "upgraded-multiplier")
ALL = [pytest.param(name, marks=[] if name in SOME else [pytest.mark.slow]) for name in SUITES]


@cache
def film_of(name):
    script = scripts.load(SUITES[name])
    return film_of_script(script, load_edition(load_game(script.game)))


@cache
def surplus_lost():
    return film_of_file(str(SURPLUS_LOST))


def dip(*draws):
    p, _, _ = settle(LUCKY_DIP.setting, {"jar": 4, "amount": 500}, {"coin-surplus": "dropped"})
    steps = [Step("draw", Draw(*draw)) for draw in draws]
    return Play(p, (*steps, Step("finish", Nothing())))


DIP = dip((3, 1), (1, 2), (0, 0))


class Words(HTMLParser):
    """The tags of a page, and the text that is read in each element with an id."""

    def __init__(self, source):
        super().__init__()
        self.tags, self.attributes, self.read = [], [], []
        self.feed(source)
        self.text = " ".join(" ".join(self.read).split())

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.read.append(data)


def articles(source):
    """Return what each step's part of a page reads, by id."""
    parts = re.findall(r'<article id="([^"]*)"(.*?)</article>', source, re.DOTALL)
    return {id_: Words(f"<article {rest}").text for id_, rest in parts}


def write(path, *events):
    path.write_text("".join(json.dumps(one) + "\n" for one in events))
    return str(path)


def log():
    return [json.loads(line) for line in SURPLUS_LOST.read_text().splitlines()]


@pytest.mark.parametrize("name", ALL)
def test_a_script_is_shown_step_by_step_in_one_small_file(name):
    script = scripts.load(SUITES[name])
    source = page(film_of(name))
    shown = articles(source)
    assert list(shown) == [f"step-{n}" for n in range(len(script.steps) + 1)]
    for move, words in zip(script.steps, list(shown.values())[1:], strict=True):
        assert move.rule in words
        assert "Why: " in words
    assert source.count("Why: the clauses") == len({move.rule for move in script.steps})
    assert len(source.encode()) < 300_000
    assert not re.search(r"""(src|href)=["']?(https?:|//)|url\(["']?http|@import""", source)


def test_the_same_play_is_the_same_bytes():
    again = film_of.__wrapped__("pot-doubled")
    assert page(again) == page(film_of("pot-doubled"))


def test_the_last_step_of_a_script_pays_its_prize():
    *_, last = articles(page(film_of("pot-doubled"))).values()
    assert "Prize Amount paid £150" in last


def test_every_id_of_a_page_is_there_once_and_every_link_leads_to_one():
    source = page(film_of("upgraded-multiplier"))
    attributes = Words(source).attributes
    ids = [value for name, value in attributes if name == "id"]
    assert len(ids) == len(set(ids))
    linked = {v[1:] for name, v in attributes if name == "href"} | set(
        re.findall(r"url\(#([^)]*)\)", source)
    )
    assert linked <= set(ids)


def test_what_stays_as_it_was_is_written_once_and_referred_to():
    source = page(film_of("pot-doubled"))
    assert source.count('">as at step 0</a>') > 3
    assert 'Prize Table, level 0 of 3: <a href="#step-' in source


@pytest.mark.parametrize("name", SOME)
def test_what_is_written_once_gives_back_every_panel(name):
    film, source = film_of(name), page(film_of(name))
    of_step = re.findall(r'<article id="([^"]*)">(.*?)</article>', source, re.S)
    shown: dict[str, dict[str, list[str]]] = {}
    parts = 0
    for (id_, words), frame in zip(of_step, film.frames, strict=True):
        panels = shown[id_] = {}
        for kind, at, inside in re.findall(_PANEL, words):
            title, _, rest = inside.removeprefix("<h3>").partition(
                ": " if kind == " same" else "</h3>"
            )
            before = shown[_AS_AT.search(rest)[1]][title] if kind else []
            pieces = re.split(r'(?=<div class="(?:fact|boxes|cards|lines)[ "])', rest)[1:]
            pieces = [_CHIPS.sub("", one) for one in pieces]
            places = at.split() if at else map(str, range(len(pieces)))
            panels[title] = list(before) or pieces
            for place, piece in zip(places, pieces, strict=True):
                panels[title][int(place)] = piece
            parts += bool(at)
        wanted = {
            text(panel.title): [_plain(one) for one in pieces_html(panel)]
            for panel in frame.state
        }
        assert {t: [*map(_plain, of)] for t, of in panels.items()} == wanted
    assert parts


@pytest.mark.parametrize("name", SOME)
def test_whatever_a_step_changes_is_marked_in_it_though_it_was_so_before(name):
    film = film_of(name)
    start, first = film.frames[:2]
    back = replace(start, number=len(film.frames), changes=first.changes)
    film = replace(film, frames=(*film.frames[:2], back))
    of_step = re.findall(r'<article id="([^"]*)">(.*?)</article>', page(film), re.S)
    again = 0
    for (_, words), frame in zip(of_step, film.frames, strict=True):
        changed = {one.name for one in frame.changes}
        pieces = [piece for panel in frame.state for piece in panel.pieces]
        new = [piece for piece in pieces if changed.intersection(piece.of)]
        assert len(re.findall(r'<div class="[a-z]+ new"', words)) == len(new)
        again += len(new)
    assert again


_PANEL = re.compile(
    r'<(?:section|p) class="panel( same| part)?"(?: data-at="([^"]+)")?>'
    r'(.*?)(?=<p class="panel|<section class="panel|</div>\n<div class="told)',
    re.S,
)
_AS_AT = re.compile(r'<a href="#([^"]*)">as at step')
_CHIPS = re.compile(r'<span class="chip">[^<]*</span>')


def _plain(piece):
    """Return a piece of a panel without what marks it as new, and what may follow it."""
    piece = re.sub(r'^(<div class="[a-z]*) new"', r'\1"', piece)
    return re.sub(r'(</div>)*(<p class="same">.*)?(</section>)?\s*$', "", piece, flags=re.S)


def test_a_script_without_a_layout_is_drawn_with_one():
    script = scripts.load(SUITES["pot-doubled"])
    assert script.layout is None
    first = film_of("pot-doubled").frames[1]
    board, wheel = first.screen[0].pieces
    assert len(board.squares) == 25
    assert len(wheel.sections) == 6


def test_what_is_drawn_as_collected_is_what_the_step_reveals():
    film, script = film_of("pot-doubled"), scripts.load(SUITES["pot-doubled"])
    for frame, move in zip(film.frames[1:], script.steps, strict=True):
        if move.rule == "spin":
            lit = [one.sign for one in frame.screen[0].pieces[0].squares if one.lit]
            assert lit.count("B") == move.reveal["bonus_symbols"]
            assert lit.count("P") == move.reveal["prize_symbols"]
            for row, number in move.reveal["symbols"].items():
                assert lit.count(int(row)) == number


def test_every_state_and_screen_of_both_games_is_drawn_by_the_game():
    kinds = set()
    for name in SOME:
        for frame in film_of(name).frames:
            for panel in (*frame.state, *frame.screen):
                kinds |= {type(piece) for piece in panel.pieces}
    assert kinds == {Fact, Boxes, Board, Cards, Wheel}


def test_a_game_without_a_drawing_is_drawn_field_by_field():
    film = film_of_play(LUCKY_DIP, DIP, "Lucky Dip")
    state = film.frames[1].state
    assert Boxes("draws left", 2, 3, ("draws_left",)) in state[0].pieces
    assert Fact("coins in the jar", "3", ("jar",)) in state[0].pieces
    assert "Prize Amount paid £10" in articles(page(film))["step-4"]


def test_a_third_game_is_drawn_by_what_its_own_file_says():
    def state(p, s):
        yield Panel("The jar", (Boxes("coins", s.jar, p.jar, ("jar",), "£5", "red"),))

    drawn = replace(LUCKY_DIP, drawing=Drawing(state, lambda p, s, screen: ()))
    source = page(film_of_play(drawn, DIP, "Lucky Dip"))
    assert "coins: 4 of 4, full" in source
    assert "draws left" not in articles(source)["step-0"]


def test_the_page_of_a_very_long_play_stays_small():
    edition = load_edition(load_game("colour-collector"))
    play, _ = scripts.played(scripts.load(SUITES["pot-doubled"]), edition)
    at = next(n for n, step in enumerate(play.steps) if step.rule == "prize-spin")
    steps = (*play.steps[:at], *[play.steps[at]] * 120, *play.steps[at:])
    film = film_of_play(edition.game, replace(play, steps=steps), "long")
    assert not any(frame.screen for frame in film.frames)
    assert len(page(film)) < 300_000


def test_a_play_that_breaks_a_property_says_where():
    film = film_of_play(LUCKY_DIP, DIP, "never-full", broken_after=2, breaks="The jar is full.")
    assert [frame.number for frame in film.frames if frame.wrong] == [2]
    assert "The jar is full." in articles(page(film))["step-2"]
    assert "The jar is full." not in articles(page(film))["step-1"]


def test_a_log_opens_with_the_play_in_which_something_is_wrong():
    film = surplus_lost()
    wrong = [frame for frame in film.frames if frame.findings]
    assert [frame.number for frame in wrong] == [2]
    assert "bonus_box is shown as 0; the rules give 3" in wrong[0].findings[0]
    (difference,) = wrong[0].differences
    assert (difference.name, difference.shown, difference.expected) == ("bonus_box", "0", "3")
    source = page(film)
    assert 'Wrong at <a href="#step-2">step 2: spin</a></strong>, and at 7 further' in source
    words = articles(source)["step-2"]
    assert "The build showed" in words
    assert "not as the rules give it" in words
    assert "CC-21" in words


def test_a_log_that_is_right_has_nothing_marked(tmp_path):
    right = log()
    for event in right[2:]:
        event["shows"].pop("bonus_box", None)
    film = film_of_file(write(tmp_path / "right.jsonl", *right))
    assert film.wrong == 0
    assert "The build showed" not in page(film)


def test_a_play_is_picked_by_its_number_among_others(tmp_path):
    other = [event | {"play": "P-2"} for event in log()]
    for event in other[2:]:
        event["shows"].pop("bonus_box", None)
    mixed = [event for pair in zip(other, log(), strict=True) for event in pair]
    path = write(tmp_path / "two.jsonl", *mixed)
    assert film_of_file(path).title == "Colour Collector: Play P-0007"
    packed = tmp_path / "two.jsonl.gz"
    packed.write_bytes(gzip.compress(Path(path).read_bytes()))
    other = film_of_file(str(packed), play="P-2")
    assert other.title == "Colour Collector: Play P-2"
    assert other.wrong == 0
    with pytest.raises(BadInput, match="no Play of this log has the number 'P-3'"):
        film_of_file(path, play="P-3")


def test_a_play_number_that_comes_twice_is_the_one_with_the_finding(tmp_path):
    film = film_of_file(write(tmp_path / "twice.jsonl", *log()[:2], *log()))
    assert [frame.number for frame in film.frames if frame.findings] == [0, 2]
    assert "a second Play has this Play Number" in film.frames[0].findings[0]
    assert "1 further Play of this log has the same Play Number." in film.findings


def test_an_interrupted_play_has_two_frames_of_one_step(tmp_path):
    events = log()
    resume = {"play": "P-0007", "step": 1, "event": "resume", "shows": {"spins_left": 6}}
    source = page(
        film_of_file(write(tmp_path / "resumed.jsonl", *events[:2], resume, *events[2:]))
    )
    assert "spins_left is shown as 6; the rules give 5" in articles(source)["step-1-2"]


def test_a_log_that_breaks_off_is_shown_as_far_as_it_goes(tmp_path):
    text_ = SURPLUS_LOST.read_text()
    path = tmp_path / "cut.jsonl"
    path.write_text(text_[: len(text_) // 2])
    film = film_of_file(str(path))
    assert any("no finish" in one for one in film.frames[-1].findings)
    assert "1 line of this log cannot be read, the first of them" in film.findings[0]


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&\x00‮"


def test_no_text_of_a_log_becomes_part_of_the_page(tmp_path):
    events = log()
    for event in events:
        event["play"] = HOSTILE
        event["shows"] = (event.get("shows") or {}) | {HOSTILE: HOSTILE, "spins_left": HOSTILE}
    events[0]["outcome"] = {"amount": HOSTILE, HOSTILE: HOSTILE}
    events[1]["reveal"][HOSTILE] = HOSTILE
    events[3]["event"] = HOSTILE
    events[-1] |= {"paid": HOSTILE, "won": {HOSTILE: HOSTILE}}
    source = page(film_of_file(write(tmp_path / "bad.jsonl", *events)))
    clean = page(surplus_lost())
    assert "alert(1)" in html.unescape(source)
    tags = set(Words(source).tags)
    assert tags <= set(Words(clean).tags) | {"p"}
    assert "img" not in tags
    assert source.count("<script") == 1
    assert not any(name.startswith("on") for name, _ in Words(source).attributes)
    assert "\x00" not in source
    assert "‮" not in source


def test_a_log_that_is_far_too_large_makes_a_page_of_bounded_size(tmp_path):
    events = log()
    flood = {f"x{n}": n + 1 for n in range(2_000)}
    events[1]["reveal"] |= flood
    events[1]["shows"] |= flood
    events[2]["event"] = "x" * 1_000_000
    source = page(film_of_file(write(tmp_path / "flood.jsonl", *events)))
    assert len(source) < 600_000
    events = log()
    late = [events[1] | {"step": n} for n in range(2, 1200)]
    film = film_of_file(write(tmp_path / "long.jsonl", *events[:2], *late))
    assert len(film.frames) == 1000
    assert "Only the first 1000 of 1200 events are shown." in film.findings


def test_the_policy_of_a_page_lets_only_its_own_script_run():
    import base64
    import hashlib

    source = page(film_of("pot-doubled"))
    script = re.search(r"<script>(.*?)</script>", source, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = html.unescape(re.search(r'Policy" content="([^"]*)"', source)[1])
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy


@pytest.mark.parametrize(
    ("values", "drawn"),
    [
        ({"rows": {"1": 10**12}}, "1000000000000/6"),
        pytest.param({"level": 7}, "level", marks=pytest.mark.slow),
        pytest.param({"bonus_box": -3}, "bonus_box", marks=pytest.mark.slow),
    ],
)
def test_values_that_no_play_can_show_are_drawn_or_told_all_the_same(tmp_path, values, drawn):
    events = log()
    events[1]["shows"] |= values
    film = film_of_file(write(tmp_path / "odd.jsonl", *events))
    source = page(film)
    assert film.frames[1].differences
    assert drawn in source
    assert len(source) < 300_000


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["missing.jsonl"], "cannot be read: No such file"),
        (["."], "a folder; a script or a log was expected"),
        (["picture.png"], "neither a script nor a log"),
        (["empty.jsonl"], "does not say which game it is of"),
        (["cut.json"], "not a script of version 1 or 2: Input data was truncated"),
        (["newer.json"], "not a script of version 1 or 2: Invalid enum value 9"),
        (["other.json"], "a script of edition 'default' (ffffffffffff…), not of 'default'"),
        (["broken.json"], "step 1"),
        (["dip.jsonl"], "of game 'lucky-dip', which does not come with Playproof"),
        (["evil.jsonl"], "of game 'os:system', which does not come with Playproof"),
        (["log.jsonl", "--game", "diamond-riches"], "a log of 'colour-collector', judged by"),
        (["script.json", "--game", "diamond-riches"], "a script of 'colour-collector', not of"),
        (["script.json", "--play", "1"], "--play, --reading and --adapter are for logs"),
        (["suite.json"], "the index of a suite; name one of the scripts beside it"),
        (["log.jsonl", "--reading", "valuation=x"], "unknown choice of reading valuation"),
        (["read.json"], "colour-collector has no reading valuation = 'never'"),
        (["notes.md"], "notes.md:1: not JSON"),
        (["notes.md"], "3 lines of the file cannot be read, and 2 can: a script or a log was"),
        (["/dev/null"], "a file was expected, which can be read twice"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(tmp_path, monkeypatch, capsys, options, said):
    monkeypatch.chdir(tmp_path)
    whole = SUITES["pot-doubled"].read_text()
    script = json.loads(whole)
    Path("picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    Path("empty.jsonl").write_text("")
    Path("script.json").write_text(whole)
    Path("cut.json").write_text(whole[:-200])
    Path("newer.json").write_text(whole.replace('"version": 1', '"version": 9', 1))
    Path("other.json").write_text(whole.replace(script["edition"]["hash"], "f" * 64))
    broken = script | {"steps": [script["steps"][0] | {"rule": "win"}, *script["steps"][1:]]}
    Path("broken.json").write_text(json.dumps(broken))
    odd = script | {"readings": script["readings"] | {"valuation": "never"}}
    Path("read.json").write_text(json.dumps(odd))
    Path("suite.json").write_text('{"format": "playproof-suite", "version": 1}')
    write(Path("log.jsonl"), *log())
    write(Path("dip.jsonl"), {"play": "1", "step": 0, "event": "start", "game": "lucky-dip"})
    write(Path("evil.jsonl"), {"play": "1", "step": 0, "event": "start", "game": "os:system"})
    lines = Path("log.jsonl").read_text().splitlines()
    Path("notes.md").write_text("\n".join(["# A log", "It begins like this:", *lines[:2], "…"]))
    monkeypatch.setattr("sys.argv", ["playproof", "view", *options, "-o", "out.html"])
    with pytest.raises(SystemExit) as ended:
        main()
    printed = capsys.readouterr()
    assert ended.value.code == 2
    assert said in " ".join(printed.err.split())
    assert "Traceback" not in printed.err
    assert not Path("out.html").exists()


def test_the_command_writes_the_page(tmp_path, monkeypatch, capsys):
    out = tmp_path / "new" / "play.html"
    monkeypatch.setattr("sys.argv", ["playproof", "view", str(SURPLUS_LOST), "-o", str(out)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    assert "Play P-0007: 9 steps, wrong at 8 steps" in capsys.readouterr().out
    assert out.read_text() == page(surplus_lost())


def test_the_start_is_no_step(tmp_path, monkeypatch, capsys):
    lines = SURPLUS_LOST.read_text().splitlines()
    cut_off = tmp_path / "log.jsonl"
    cut_off.write_text("\n".join(lines[1:]) + "\n")
    out = tmp_path / "play.html"
    options = ["--game", "diamond-riches", "-o", str(out)]
    monkeypatch.setattr("sys.argv", ["playproof", "view", str(cut_off), *options])
    with pytest.raises(SystemExit):
        main()
    assert "Play P-0007: 9 steps, wrong at 5 steps" in capsys.readouterr().out

    frames = (Frame(0, "start", broken="x"), Frame(1, "spin", broken="x"), Frame(2, "end"))
    assert places_of(frames) == "the start and 1 step"
    assert places_of(frames[:1]) == "the start"
    assert places_of(frames[2:]) == ""


def test_colours_and_shapes_are_the_ones_that_are_drawn():
    style = (HERE.parent / "reports/view/page.css").read_text()
    for colour in drawing.COLOURS:
        assert f".{colour} {{ --c: var(--{colour});" in style
        assert f"--{colour}: #" in style


def test_a_piece_says_in_words_what_it_shows_by_colour_or_place():
    wheel = Wheel("Wheel", (Square("x1"), Square(dots=("red",), says="1 red")), 1)
    assert "Wheel: 1 red" in Words(panel_html(Panel("A", (wheel,)))).text
    board = Board("Grid", (Square(3, "blue", "2", lit=True, says="row 3's shape"),), 1)
    words = Words(panel_html(Panel("A", (board,)))).text
    assert "row 3's shape, colour 2, marked" in words


def test_what_is_not_seen_is_made_visible():
    assert text("a\x1b[2J‮") == "a\\x1b[2J\\u202e"
