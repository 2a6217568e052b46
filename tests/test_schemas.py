"""The published schemas say what the formats are: they take what is right, and nothing else."""

import copy
import json
from functools import cache
from pathlib import Path

import pytest
from msgspec import to_builtins
from typer.testing import CliRunner

from playproof.models.editions import load_edition
from playproof.models.games import game_ids, load_game
from playproof.oracles import script as scripts
from playproof.oracles import suite
from playproof.oracles.event import Where
from playproof.oracles.examples import example, log_of, losing_script
from playproof.oracles.judge import Judge
from playproof.oracles.layouts import lay_out
from playproof.oracles.log import read_log
from playproof.oracles.schema import FORMATS, schema
from playproof.oracles.sources import find_sources
from playproof.reports import schemas
from playproof.reports.cli import app

jsonschema = pytest.importorskip("jsonschema", reason="schemas are tested with jsonschema")

GAMES = game_ids()


@cache
def edition(game):
    return load_edition(load_game(game))


@cache
def script(game):
    return losing_script(edition(game))


@cache
def examples(name, game):
    return json.dumps(example(name, edition(game), script(game)))


@pytest.fixture(autouse=True)
def one_script(monkeypatch):
    """Have the command make the script of a game once only."""
    monkeypatch.setattr(schemas, "losing_script", lambda loaded: script(loaded.game.id))


def accepts(made, value):
    return jsonschema.Draft202012Validator(made).is_valid(value)


def run(*arguments):
    return CliRunner().invoke(app, arguments)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", FORMATS)
def test_the_example_of_each_format_is_what_its_schema_says(name, game):
    of_game = schema(name, edition(game).game)
    made = json.loads(examples(name, game))

    assert made
    for published in [of_game] + ([schema(name)] if name != "state" else []):
        validator = jsonschema.Draft202012Validator(published)
        for one in made:
            validator.validate(one)


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "state"])
def test_each_schema_is_one(name):
    jsonschema.Draft202012Validator.check_schema(schema(name))


def test_each_schema_has_a_name_with_its_version():
    game = edition("colour-collector").game
    named = {name: schema(name, game)["$id"] for name in FORMATS}
    assert named["script"] == "urn:playproof:script:2:colour-collector"
    assert named["state"] == "urn:playproof:state:1:colour-collector"
    assert len(set(named.values())) == len(FORMATS)
    assert schema("log")["$id"] == "urn:playproof:log:1"


def altered(value, path, to):
    value = copy.deepcopy(value)
    at = value
    for key in path[:-1]:
        at = at[key]
    if to is KeyError:
        del at[path[-1]]
    else:
        at[path[-1]] = to
    return value


@pytest.mark.parametrize(
    ("name", "line", "path", "to"),
    [
        ("script", 0, ["version"], 7),
        ("script", 0, ["steps", 0, "rule"], "jump"),
        ("script", 0, ["steps", 0, "reveal", "bonus_symbols"], -1),
        ("script", 0, ["steps", 0, "reveal", "bonus_symbols"], KeyError),
        ("script", 0, ["steps", 0, "shows", "rows", "8"], 0),
        ("script", 0, ["start", "level"], 4),
        ("script", 0, ["extra"], 1),
        ("log", 0, ["format"], "log"),
        ("log", 0, ["outcome"], KeyError),
        ("log", 0, ["step"], 1),
        ("log", 0, ["shows", "level"], "0"),
        ("log", 1, ["event"], "jump"),
        ("log", 1, ["reveal", "symbols", "1"], True),
        ("log", 1, ["shows", "no_field"], 0),
        ("log", -1, ["paid"], 0.5),
        ("log", -1, ["paid"], KeyError),
        ("state", 0, ["rows"], [0] * 7),
        ("state", 0, ["by_super"], 0),
        ("state", 0, ["level"], KeyError),
        ("suite", 0, ["goals", 0, "verdict"], "reached"),
        ("suite", 0, ["scripts", 0, "sha256"], KeyError),
        ("drive", 0, ["outcome"], KeyError),
        ("drive", 2, ["reveal", "prize_symbols"], None),
        ("drive", 3, ["event"], "jump"),
        ("findings", 0, ["findings", 0, "severity"], "bad"),
        ("findings", 0, ["exit_code"], "1"),
        ("drive-findings", 0, ["plays"], "1"),
        ("drive-findings", 0, ["checks"], KeyError),
        ("drive-findings", 0, ["findings", 0, "where", "line"], None),
        ("gate", 0, ["stages", 0, "verdict"], "fine"),
        ("gate", 0, ["stages", 3, "result", "plays"], "1"),
        ("gate", 0, ["times"], KeyError),
    ],
)
def test_what_is_wrong_is_not_what_the_schema_says(name, line, path, to):
    of_game = schema(name, edition("colour-collector").game)
    right = json.loads(examples(name, "colour-collector"))[line]

    assert accepts(of_game, right)
    assert not accepts(of_game, altered(right, path, to))


@pytest.mark.parametrize("game", GAMES)
def test_screens_are_as_the_schema_says_and_as_the_judge_expects(game):
    laid_out = lay_out(edition(game), script(game), 3)
    events = list(log_of(laid_out, "P-1"))
    assert sum(event.screen is not None for event in events) > 1
    assert accepts(schema("script", edition(game).game), to_builtins(laid_out))
    of_game = schema("log", edition(game).game)
    for event in map(to_builtins, events):
        assert accepts(of_game, event)
        if screen := event.get("screen"):
            assert not accepts(of_game, event | {"screen": screen | {"no_field": 0}})

    lines = ((event, Where("log", line)) for line, event in enumerate(events, start=1))
    assert list(Judge(edition(game)).judge(lines)) == []


def keys(made):
    """Yield every key that a schema describes, with what it says."""
    yield from made.get("properties", {}).items()
    for part in (*made.get("$defs", {}).values(), *made.get("allOf", [])):
        yield from keys(part)


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "state"])
def test_every_key_is_described(name):
    described = dict(keys(schema(name)))

    assert described
    bare = {"step", "event"} if name in ("log", "drive") else set()  # conditions on events
    for key, value in described.items():
        assert value.get("description") or "const" in value or key in bare, key


def test_a_field_is_described_as_the_game_describes_it():
    level = schema("state", edition("colour-collector").game)["properties"]["level"]

    assert level == {
        "type": "integer",
        "minimum": 0,
        "maximum": 3,
        "description": "the level of the Prize Table",
    }


def test_what_lists_of_an_edition_size_is_as_long_as_there(tmp_path):
    text = edition("colour-collector").path.read_text("utf-8")
    start = text.index("value", text.index("[parameters.prize_amounts]"))
    end = text.index("]", start) + 1
    text = text[:start] + "value = [500, 1000]" + text[end:]
    path = tmp_path / "small.toml"
    path.write_text(text[: text.index("[prizes]")], "utf-8")
    ran = run("schema", "log", "colour-collector", "--edition", str(path))

    assert ran.exit_code == 0, ran.output
    of = [one["then"]["properties"] for one in json.loads(ran.output)["allOf"]
          if one["if"]["properties"]["event"]["const"] == "prize-spin"]  # fmt: skip
    assert list(of[0]["reveal"]["properties"]["amounts"]["properties"]) == ["1", "2"]


@pytest.mark.parametrize("game", GAMES)
def test_examples_are_what_the_commands_take(game, tmp_path):
    ran = run("schema", "log", game, "--example")
    (tmp_path / "log.jsonl").write_text(ran.output, "utf-8")
    log = read_log(find_sources([str(tmp_path / "log.jsonl")]), pytest.fail)
    assert list(Judge(edition(game)).judge(log)) == []

    ran = run("schema", "script", game, "--example")
    scripts.check(scripts.decode(ran.output.encode()), edition(game))
    scripts.write(scripts.decode(ran.output.encode()), tmp_path)

    ran = run("schema", "suite", game, "--example")
    (tmp_path / "suite.json").write_text(ran.output, "utf-8")
    assert len(suite.load(tmp_path).scripts) == 1


def test_what_a_gate_writes_is_what_the_schemas_say(tmp_path, monkeypatch):
    """So is what its parts write, which is what ``drive`` and ``judge`` print."""
    tests = Path(__file__).parent
    monkeypatch.syspath_prepend(str(tests.parent))
    config = tmp_path / "playproof.toml"
    config.write_text(
        'game = "colour-collector"\nprove = false\n'
        f'suite = "{tests / "suites" / "colour-collector"}"\n'
        f'logs = ["{tests / "builds" / "surplus-lost.jsonl"}"]\n'
        '[build]\ncallable = "tests.builds.colour_collector:answer"\ntimeout = 5.0\n',
        "utf-8",
    )
    assert run("gate", "--config", str(config)).exit_code == 1
    made = json.loads((tmp_path / "out" / "gate" / "gate.json").read_text("utf-8"))
    parts = {one["stage"]: one.get("result") for one in made["stages"]}

    for name, value in (
        ("gate", made),
        ("drive-findings", parts["drive"]),
        ("findings", parts["logs"]),
    ):
        jsonschema.Draft202012Validator(schema(name)).validate(value)
    assert made["findings"]
    assert parts["drive"]["plays"] > 7
    assert not accepts(schema("gate"), altered(made, ["stages", 4, "result", "read"], "one"))


def test_schemas_of_the_command_are_json_and_the_same_each_time():
    first, second = run("schema", "drive"), run("schema", "drive")

    assert first.exit_code == 0
    assert first.output == second.output
    assert json.loads(first.output) == schema("drive")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["logs"], "unknown format 'logs'; did you mean log?"),
        (["state"], "a state is of one game: playproof schema state GAME"),
        (["log", "colour-colector"], "did you mean colour-collector"),
        (["logs", "--example"], "unknown format 'logs'"),
        (["log", "tests.lucky_dip:LUCKY_DIP", "--example"], "has no default edition"),
    ],
)
def test_what_there_is_no_schema_of_is_said(arguments, said):
    ran = run("schema", *arguments)

    assert ran.exit_code == 2
    assert said in ran.output
