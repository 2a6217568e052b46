"""Records of another form become events; an adapter that fails is told with both lines."""

import json
import re

import pytest

from playproof.errors import BadInput
from playproof.models.editions import load_edition
from playproof.models.games import load_game
from playproof.oracles.adapters import load_adapter
from playproof.oracles.examples import log_of
from playproof.oracles.judge import Judge
from playproof.oracles.log import read_log
from playproof.oracles.script import make
from playproof.oracles.sources import find_sources
from playproof.oracles.synthesis import Synthesis
from playproof.oracles.targets import parse_target

from . import adapters_for_tests
from .logs import lines, read, told
from .lucky_dip import LUCKY_DIP

COLLECTOR = load_edition(load_game("colour-collector"))
HERE = "tests.adapters_for_tests"
ROUNDS = [{"round": 1, "steps": [5, 6]}, {"round": 2, "steps": []}]


@pytest.fixture
def log(tmp_path):
    """A file in which to put records."""
    return tmp_path / "records.jsonl"


def adapted(path, data, adapter):
    path.write_bytes(data if isinstance(data, bytes) else lines(data))
    return read(path, adapter=load_adapter(adapter, COLLECTOR))


# ---- Adapters of one's own -------------------------------------------------------------------


def test_a_function_turns_each_record_into_events(log):
    read_, found = adapted(log, ROUNDS, f"{HERE}:rounds")

    assert [(event.play, event.step, line) for event, line in read_] == [
        *(("R1", step, 1) for step in range(3)),
        ("R2", 0, 2),
    ]
    assert read_[1][0].shows == {"n": 5, "1": "label"}
    assert not found


def test_a_list_of_records_on_one_line_will_do(log):
    assert len(adapted(log, json.dumps(ROUNDS).encode(), f"{HERE}:rounds")[0]) == 4


def test_a_class_remembers_within_a_file_and_says_what_comes_last(log, tmp_path):
    records = [{"round": 7, "what": "start"}, {"what": "spin"}]
    adapted(log, records, f"{HERE}:Lines")
    (tmp_path / "second.jsonl").write_bytes(lines([{"what": "spin"}]))
    read_, found = read(tmp_path, adapter=load_adapter(f"{HERE}:Lines", COLLECTOR))

    assert [(event.play, event.step, event.event) for event, _ in read_] == [
        ("R7", 0, "start"),
        ("R7", 1, "spin"),
        ("R7", 2, "finish"),
        ("none", 1, "spin"),
        ("none", 2, "finish"),
    ]
    assert not found


@pytest.mark.parametrize(
    ("name", "record", "said"),
    [
        ("rounds", {"round": 1}, r"failed at .*adapters_for_tests\.py:8: KeyError: 'steps'"),
        ("deep", {"round": 1}, r"failed at .*adapters_for_tests\.py:34: KeyError: 'steps'"),
        ("rounds", 7, r"failed at .*adapters_for_tests\.py:6: TypeError: 'int' object"),
        ("nothing", {}, "returned NoneType: a list of events was expected"),
        ("one", {}, "returned dict: a list of events was expected"),
        ("no_json", {}, "made an event that JSON cannot hold"),
        ("ends", {}, r"failed at .*adapters_for_tests\.py:\d+: SystemExit: 0"),
    ],
)
def test_an_adapter_that_fails_is_told_with_the_record_and_its_own_line(
    name, record, said, log
):
    read_, found = adapted(log, [record, record], f"{HERE}:{name}")

    assert [(one.code, one.where.line) for one in found] == [("adapter", 1), ("adapter", 2)]
    assert re.search(said, found[0].message)
    assert len(read_) == (2 if name == "rounds" and record != 7 else 0)


def test_records_after_one_that_fails_are_adapted(log):
    read_, found = adapted(log, [ROUNDS[0], {"round": 3}, ROUNDS[1]], f"{HERE}:rounds")

    assert {event.play for event, _ in read_} == {"R1", "R2", "R3"}
    assert [one.where.line for one in found] == [2]


def test_records_that_are_no_json_are_told(log):
    read_, found = adapted(log, b"{\n" + lines(ROUNDS), f"{HERE}:rounds")

    assert len(read_) == 4
    assert told(found) == [("unreadable", 1, "not JSON: it breaks off")]


def test_an_adapter_that_cannot_be_made_is_told_for_each_file(log):
    read_, found = adapted(log, ROUNDS, f"{HERE}:Unmade")

    assert read_ == []
    assert re.search(r"adapters_for_tests\.py:\d+: OSError: no database", found[0].message)


def test_events_of_adapters_are_checked_like_any_other(log, monkeypatch):
    monkeypatch.setattr(
        adapters_for_tests, "nothing", lambda record: [{"play": 7}], raising=True
    )
    read_, found = adapted(log, [{}], f"{HERE}:nothing")

    assert read_ == []
    assert told(found) == [("format", 1, "play: text was expected, not a whole number")]


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("boook", "write it as module:function, or book"),
        ("tests.adapters_for_tests:", "write it as module:function"),
        (f"{HERE}:rouds", "has no 'rouds'"),
        ("tests.no_such:rounds", "no module 'tests.no_such'"),
        (f"{HERE}:SOMETHING", "a function was expected, not int"),
        ("book:none.toml", "none.toml: cannot be read"),
    ],
)
def test_an_adapter_there_is_not_is_bad_input(reference, said):
    with pytest.raises(BadInput, match=re.escape(said)):
        load_adapter(reference, COLLECTOR)


def test_an_adapter_is_looked_for_where_we_are(tmp_path, monkeypatch):
    (tmp_path / "our_records.py").write_text("def adapt(record):\n    return [record]\n")
    monkeypatch.chdir(tmp_path)

    assert list(load_adapter("our_records:adapt", COLLECTOR).begin()(1)) == [1]


# ---- Books -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def events():
    """A Play that wins £15 with the Prize Game, as a log."""
    target = parse_target("£15 (£5 + £10 Prize Game)", COLLECTOR)
    found = Synthesis(COLLECTOR, {}).find(target)
    return list(log_of(make(COLLECTOR, target, found.plays[0]), "1"))


def camel(name):
    first, *more = re.split("[-_]", name)
    return first + "".join(part.capitalize() for part in more)


def book_of(events, name=camel):
    """Return a log as a book in the manner of those who write such."""
    start, *steps_ = events

    def keys(shown):
        return {name(key): list(v.values()) if isinstance(v, dict) else v
                for key, v in (shown or {}).items()}  # fmt: skip

    told_ = [{"index": 0, "type": "start"} | keys(start.shows)]
    for event in steps_:
        more = {"amount": 300} if event.event == "finish" else {}
        type_ = "finalWin" if event.event == "finish" else name(event.event)
        told_.append({"index": event.step, "type": type_} | keys(event.reveal) | more)
        told_[-1] |= {k: v for k, v in keys(event.shows).items() if k not in told_[-1]}
    return {
        "id": 1,
        "payoutMultiplier": 300,
        "events": told_,
        "criteria": "basegame",
        "baseGameWins": 3.0,
    }


def judged(path, adapter="book"):
    found = []
    log = read_log(find_sources([str(path)]), found.append, load_adapter(adapter, COLLECTOR))
    found += Judge(COLLECTOR).judge(log)
    return found


def test_a_book_is_the_play_that_it_tells(log, events):
    read_, found = adapted(log, [book_of(events)], "book")

    assert not found
    assert [(e.play, e.step, e.event, e.reveal or None) for e, _ in read_] == [
        (e.play, e.step, e.event, e.reveal) for e in events
    ]
    assert read_[0][0].outcome == {"amount": 1500}
    assert read_[-1][0].paid == 1500
    assert read_[3][0].shows == {
        name: value for name, value in events[3].shows.items() if name not in events[3].reveal
    }
    assert judged(log) == []


def test_what_is_wrong_with_a_book_is_found(log, events):
    book = book_of(events)
    book["payoutMultiplier"] = 310
    book["events"][3]["spinsLeft"] = 6
    log.write_bytes(lines([book]))

    codes = {(one.code, one.where.line, one.step, one.field) for one in judged(log)}
    assert ("shows", 1, 3, "spins_left") in codes
    assert any(code == "outcome" for code, *_ in codes)


def test_events_of_a_book_that_are_missing_or_out_of_order_are_found(log, events):
    book = book_of(events)
    del book["events"][2]
    log.write_bytes(lines([book]))

    assert "order" in {one.code for one in judged(log)}


NAMES = """\
[events]
wheel = "spin"
setWin = ""
[fields]
left = "spins_left"
anticipation = ""
"""


def test_other_names_are_given_in_a_file(log, events, tmp_path):
    book = json.loads(json.dumps(book_of(events)).replace('"spin"', '"wheel"'))
    for event in book["events"]:
        event |= {"left": event.pop("spinsLeft"), "anticipation": [0, 0]}
    book["events"].insert(3, {"index": 3, "type": "setWin", "amount": 0})
    for index, event in enumerate(book["events"]):
        event["index"] = index
    log.write_bytes(lines([book]))
    (tmp_path / "names.toml").write_text(NAMES)

    assert judged(log, f"book:{tmp_path / 'names.toml'}") == []
    without = [one.message for one in judged(log)]
    assert any("'wheel'" in message for message in without)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[events]\nwheel = "spinn"', "line 2: unknown rule of colour-collector 'spinn'"),
        ('[fields]\nleft = "spin_left"', "did you mean spins_left"),
        ("[field]\n", "unknown table 'field'; did you mean fields?"),
        ("[events]\nwheel = 7", "expected text, got a whole number"),
    ],
)
def test_names_that_the_game_does_not_have_are_bad_input(text, said, tmp_path):
    (tmp_path / "names.toml").write_text(text)
    with pytest.raises(BadInput, match=re.escape(said)):
        load_adapter(f"book:{tmp_path / 'names.toml'}", COLLECTOR)


@pytest.mark.parametrize(
    ("book", "said"),
    [
        ([], "a book is an object, not []"),
        ({"id": 1, "events": []}, "payoutMultiplier is missing"),
        ({"id": 1, "events": {}, "payoutMultiplier": 0}, "events: a list was expected, not {}"),
        ({"id": None, "events": [], "payoutMultiplier": 0}, "id: a number was expected"),
        (
            {"id": 1, "events": [], "payoutMultiplier": 1.5},
            "a whole number was expected, not 1.5",
        ),
        ({"id": 1, "events": [7], "payoutMultiplier": 0}, "an object with a type, not 7"),
        (
            {"id": 1, "events": [{"type": "spin", "index": "1"}], "payoutMultiplier": 0},
            "index: a whole number was expected, not '1'",
        ),
    ],
)
def test_what_is_no_book_is_told(book, said, log):
    _, found = adapted(log, json.dumps([book]).encode(), "book")

    assert [one.code for one in found] == ["adapter"]
    assert said in found[0].message


def test_a_multiplier_that_is_no_whole_pence_is_told(log):
    odd = load_adapter("book", COLLECTOR).begin()
    object.__setattr__(odd, "price", 499)
    with pytest.raises(BadInput, match="7 hundredths of 499 pence are no whole pence"):
        list(odd({"id": 1, "events": [], "payoutMultiplier": 7}))


def test_a_game_without_a_price_has_no_books(tmp_path):
    path = tmp_path / "dip.toml"
    source = 'source = "a test"\n'
    path.write_text(
        f'game = "lucky-dip"\nname = "t"\n[parameters.jar]\nvalue = 4\n{source}'
        f"[parameters.amount]\nvalue = 200\n{source}"
    )
    with pytest.raises(BadInput, match="lucky-dip has no figure 'price'"):
        load_adapter("book", load_edition(LUCKY_DIP, path))


def test_why_records_are_refused_is_said_once_and_at_the_end_how_often(log):
    records = [{"steps": []}, *[{"round": n} for n in range(5)], {"steps": [0]}]
    read_, found = adapted(log, records, f"{HERE}:deep")

    assert len(read_) == 1
    assert [(one.code, one.where.line) for one in found] == [("adapter", 2), ("adapter", 7)]
    assert "KeyError: 'steps'" in found[0].message
    assert found[1].message == f"so it was with 4 further records: {found[0].message}"
