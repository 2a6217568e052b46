"""Exported games: other solvers take them, and they say what the rules say."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import sys
from functools import cache
from hashlib import sha256
from itertools import pairwise

import cvc5
import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from playproof.errors import BadInput
from playproof.files import write_whole
from playproof.models.algebra import all_of, int_variable, total
from playproof.models.games import game_ids, load_game
from playproof.models.play import Play, replay
from playproof.models.setting import parameters_of, readings_of, settle
from playproof.models.shape import lay_out
from playproof.models.system import Kind, Step, general
from playproof.proofs.encoding import encode
from playproof.proofs.export.horn import horn
from playproof.proofs.export.moxi import moxi
from playproof.proofs.export.smt2 import smt2
from playproof.proofs.export.symbols import RESERVED, Writer, plain_names
from playproof.proofs.export.system import exportable, exported
from playproof.proofs.export.vmt import vmt
from playproof.proofs.manifest import load_manifest
from playproof.proofs.sexpr import read, write
from playproof.reports.cli import app
from playproof.reports.exporting import export

from .colour_collector_plays import SMALL as SMALL_COLLECTOR
from .colour_collector_plays import legal_plays
from .exported import SIMPLE, NotMoxi, check_moxi, read_vmt, symbols_of, vmt_of_moxi
from .lucky_dip import LUCKY_DIP, Draw
from .small_systems import WAYS
from .test_diamond_riches import GAME as RICHES
from .test_diamond_riches import setting, to_bonus

GAMES = {game.id: game for game in (LUCKY_DIP, WAYS, *map(load_game, game_ids()))}
LANGUAGES = {"vmt": vmt, "moxi": moxi, "smt2": smt2}


@cache
def system_of(name):
    return exported(encode(GAMES[name]))


@cache
def text_of(name, language):
    return LANGUAGES[language](system_of(name))


each_game = pytest.mark.parametrize("name", GAMES)
each_file = pytest.mark.parametrize(
    ("name", "language"),
    [
        (name, to)
        for name in GAMES
        for to in LANGUAGES
        if (name, to) != ("diamond-riches", "smt2")
    ],
)


# ---- Names ----------------------------------------------------------------------------------


@given(st.lists(st.text("ab_.-!@ é|9", max_size=6), unique=True))
def test_no_two_names_become_one(names):
    plain = plain_names(names)

    assert list(plain) == names
    assert len(set(plain.values())) == len(names)
    assert all(SIMPLE.fullmatch(name) for name in plain.values())


@pytest.mark.parametrize("word", ["let", "and", "Int", "_", ".sv0", "@x", "!", "5"])
def test_no_name_is_reserved(word):
    plain = plain_names([word])[word]

    assert plain not in RESERVED
    assert SIMPLE.fullmatch(plain)


@pytest.mark.slow
@each_file
def test_every_symbol_of_a_file_is_plain(name, language):
    symbols = list(symbols_of(text_of(name, language)))

    assert len(symbols) > 10
    assert [one for one in symbols if not SIMPLE.fullmatch(one) or one in RESERVED] == []


@each_game
def test_files_are_ascii_and_say_what_is_what(name):
    text = text_of(name, "vmt")
    game = GAMES[name]

    assert text.isascii()
    for claim in exportable(game):
        assert re.search(rf"^; \d+ {claim.id}\b", text, re.MULTILINE)
    for rule in game.rules:
        assert re.search(rf"^; ---- Rule \d+, {rule.id}: ", text, re.MULTILINE)


def test_a_name_that_is_not_known_is_no_silent_mistake():
    with pytest.raises(KeyError):
        Writer({}).text(int_variable("x"))


def test_sums_are_of_two_parts_where_that_is_asked_for():
    x, y = int_variable("x"), int_variable("y")
    names = {"x": "a", "y": "b"}

    assert Writer(names, binary=True).text(total((x, y, 3))) == "(+ (+ a b) 3)"
    assert Writer(names).text(all_of(total((x, y, 3)) == 7)) == "(= (+ a b 3) 7)"


# ---- What the files hold --------------------------------------------------------------------


@each_game
def test_vmt_numbers_and_names_every_claim(name):
    game = GAMES[name]
    found = read_vmt(text_of(name, "vmt"))
    claims = [c for c in exportable(game) if c.kind is not Kind.LEMMA]
    lemmas = [c for c in exportable(game) if c.kind is Kind.LEMMA]
    names = [f"property_{c.id}" for c in claims] + [f"lemma_{c.id}" for c in lemmas]

    assert list(found.properties.items()) == list(
        enumerate(one.replace("-", "_") for one in names)
    )


@each_game
def test_vmt_has_a_variable_for_the_rule_and_what_is_rigid_stays(name):
    game, found = GAMES[name], read_vmt(text_of(name, "vmt"))
    encoding = encode(game)

    assert found.inputs[0] == "rule"
    assert len(found.inputs) == 1 + len(encoding.reveals)
    for variable in encoding.rigid:
        frozen = plain_names([variable.name])[variable.name]
        assert f"(= {found.following[frozen]} {frozen})" in found.definitions[found.trans]


def complaints(text):
    """Yield what z3 and cvc5 have against a text, without asking them anything."""
    quiet = text.replace("(check-sat)", "")
    try:
        z3.parse_smt2_string(quiet, ctx=z3.Context())
    except z3.Z3Exception as error:
        yield f"z3: {error}"
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("incremental", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, quiet, "text")
    try:
        while not (command := parser.nextCommand()).isNull():
            said = str(command.invoke(solver, parser.getSymbolManager()))
            if "error" in said:
                yield f"cvc5: {said}"
    except RuntimeError as error:
        yield f"cvc5: {error}"


@each_file
def test_z3_and_cvc5_find_every_term_well_sorted(name, language):
    text = text_of(name, language)
    if language == "moxi":
        found = vmt_of_moxi(text)
    if language == "vmt":
        found = read_vmt(text)
    if language != "smt2":
        text = found.smt2(found.init, found.trans, *found.properties.values())

    assert list(complaints(text)) == []


def test_a_term_of_the_wrong_sort_is_seen():
    text = text_of("lucky-dip", "smt2").replace("(not s_over)", "(not s_draws_left)")

    assert [one[:4] for one in complaints(text)] == ["z3: ", "cvc5"]


@each_game
def test_moxi_is_well_formed_to_the_letter_and_asks_for_every_claim(name):
    queries = check_moxi(text_of(name, "moxi"))

    assert list(queries) == list(read_vmt(text_of(name, "vmt")).properties.values())


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("(+ s_jar r_draw_coins')", "(+ s_jar r_draw_coins' 0)"),
        ("(not s_over)", "(not s_paid)"),
        (":init (and ", ":init (and s_over' "),
        ("(s_over Bool)", "(s_over Int)"),
        ("(s_paid Int)", "(s_paid Int) (s_paid Int)"),
        ("QF_NIA", "QF_LIA"),
        ("QF_NIA", "ALL"),
        ("  :query (property_in_range (", "  :query (property_stars_carry ("),
        ("check-system game_lucky_dip", "check-system game_unlucky_dip"),
    ],
)
def test_what_moxi_does_not_allow_is_seen(right, wrong):
    text = text_of("lucky-dip", "moxi")
    assert right in text

    with pytest.raises(NotMoxi):
        check_moxi(text.replace(right, wrong, 1))


@pytest.mark.parametrize("name", ["lucky-dip", "ways"])
def test_moxi_and_vmt_say_the_same(name):
    one, other = read_vmt(text_of(name, "vmt")), vmt_of_moxi(text_of(name, "moxi"))
    context = z3.Context()
    pairs = [
        (one.init, other.init),
        (one.trans, other.trans),
        *zip(one.properties.values(), other.properties.values(), strict=True),
    ]

    assert one.sorts == other.sorts
    for here, there in pairs:
        (first,) = z3.parse_smt2_string(one.smt2(here), ctx=context)
        (second,) = z3.parse_smt2_string(other.smt2(there), ctx=context)
        solver = z3.Solver(ctx=context)
        solver.add(first != second)
        assert solver.check() == z3.unsat, here


@pytest.mark.slow
def test_files_are_the_same_from_run_to_run():
    code = (
        "from hashlib import sha256\n"
        "from playproof.reports.exporting import export\n"
        "for to in ('vmt', 'moxi', 'smt2'):\n"
        "    made = export('colour-collector', to, edition=None, readings=[],"
        " properties=[], leave_out=False)\n"
        "    print(*(sha256(text.encode()).hexdigest() for text in made.files.values()))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )

    assert ran.stdout.split() == [
        sha256(text_of("colour-collector", to).encode()).hexdigest() for to in LANGUAGES
    ]


# ---- A step of the file is a step of the rules ----------------------------------------------


def names_in(text):
    """Return the file's name for each of ours, as its comments give them."""
    told = r"^; ([\w.-]+): [^\n]*\n(?:;   [^\n]*\n)*\(declare-(?:fun|const) (\w+) "
    return dict(re.findall(told, text, re.MULTILINE))


def rigid_values(game, p):
    values = {}
    for name, shape in parameters_of(game.setting).items():
        scalars, axes = lay_out(f"p.{name}", shape, game.setting)
        flat = [getattr(p, name)]
        for _ in axes:
            flat = [part for whole in flat for part in whole]
        values |= {v.name: value for v, value in zip(scalars, flat, strict=True)}
    return values | {f"p.{n}": getattr(p, n.replace("-", "_")).index for n in readings_of(p)}


def point_values(game, point):
    state, tally = game.state_shape(), game.tally_shape()
    values = {f"s.{name}": value for name, value in state.scalars(point.s).items()}
    return values | {f"t.{name}": value for name, value in tally.scalars(point.t).items()}


class Stepper:
    """The transition of an exported file, asked of one step after another."""

    def __init__(self, game, text):
        self.game, self.found, self.names = game, read_vmt(text), names_in(text)
        self.context = z3.Context()
        asked = self.found.smt2(self.found.init, self.found.trans)
        self.init, self.trans = z3.parse_smt2_string(asked, ctx=self.context)

    def constant(self, name):
        of = {"Int": z3.IntSort, "Bool": z3.BoolSort}[self.found.sorts[name]]
        return z3.Const(name, of(self.context))

    def at(self, values, following=False):
        """Return, term by term, that our variables have these values, or will have them."""
        named = {self.names.get(name, name): value for name, value in values.items()}
        then = self.found.following
        return [self.constant(then[n] if following else n) == v for n, v in named.items()]

    def holds(self, *assertions):
        solver = z3.Solver(ctx=self.context)
        solver.add(*assertions)
        return solver.check() == z3.sat

    def check(self, play):
        """Check that a Play's steps, and no others, are what the file has for its reveals."""
        game = self.game
        rigid = self.at(rigid_values(game, play.setting))
        points = list(replay(game, play))
        assert self.holds(self.init, *rigid, *self.at(point_values(game, points[0])))
        for step, (before, after) in zip(play.steps, pairwise(points), strict=True):
            rule = game.rule(step.rule)
            prefix = f"r.{rule.reveal.__name__.lower()}."
            shown = game.reveal_shape(rule).scalars(step.reveal)
            known = [
                self.trans,
                *rigid,
                *self.at({"rule": game.rules.index(rule)}),
                *self.at(point_values(game, before)),
                *self.at({prefix + name: value for name, value in shown.items()}),
            ]
            then = self.at(point_values(game, after), following=True)
            assert self.holds(*known, *then), f"{step} is no step of the file"
            assert not self.holds(*known, z3.Not(z3.And(then))), f"{step} may end elsewhere"


@cache
def stepper(game):
    return Stepper(game, vmt(exported(encode(game), ["meters-in-range"])))


@settings(max_examples=4, deadline=None)
@given(play=legal_plays(most_steps=12))
def test_a_play_of_colour_collector_is_a_run_of_its_file(play):
    stepper(SMALL_COLLECTOR).check(play)


def test_a_play_of_diamond_riches_is_a_run_of_its_file():
    play = Play(setting(), tuple(to_bonus(3)))

    stepper(RICHES).check(play)


def test_a_play_of_other_rules_is_no_run_of_the_file():
    text = vmt(exported(encode(LUCKY_DIP))).replace("(+ s_jar r_draw_coins)", "s_jar")
    p = settle(LUCKY_DIP.setting, {"jar": 3, "amount": 100}, {"coin-surplus": "dropped"})[0]
    turn = Play(p, (Step("draw", Draw(coins=2, stars=0)),))

    Stepper(LUCKY_DIP, vmt(exported(encode(LUCKY_DIP)))).check(turn)
    with pytest.raises(AssertionError, match="no step of the file"):
        Stepper(LUCKY_DIP, text).check(turn)


# ---- The same verdicts ----------------------------------------------------------------------


def answers_of(text, solver):
    """Return what a solver answers to each question of an SMT-LIB file, by its name."""
    printed = ask(text, solver)
    names = re.findall(r'^\(echo "(.*)"\)$', text, re.MULTILINE)
    given = [line for line in printed if line in ("sat", "unsat", "unknown")]
    return dict(zip(names, given, strict=True))


def ask(text, solver):
    if solver == "z3":
        context = z3.Context()  # kept while it is used
        return z3.Z3_eval_smtlib2_string(context.ref(), text).splitlines()
    engine = cvc5.Solver(cvc5.TermManager())
    engine.setOption("incremental", "true")
    engine.setOption("decision", "internal")
    parser = cvc5.InputParser(engine)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "text")
    printed = []
    while not (command := parser.nextCommand()).isNull():
        printed += str(command.invoke(engine, parser.getSymbolManager())).splitlines()
    return printed


def kept(answers, claim):
    """Return whether all questions of a claim, by their names, were answered ``unsat``."""
    own = [answer for name, answer in answers.items() if name.split()[0] == claim]
    assert own
    return set(own) == {"unsat"}


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_the_questions_of_a_file_prove_what_is_proved(solver):
    answers = answers_of(text_of("lucky-dip", "smt2"), solver)

    assert kept(answers, "in-range")
    assert kept(answers, "stars-carry")
    assert not kept(answers, "never-full")
    assert not kept(answers, "no-coin-lost")


def test_the_questions_of_colour_collector_prove_all_that_is_proved():
    answers = answers_of(text_of("colour-collector", "smt2"), "z3")

    for claim in exportable(GAMES["colour-collector"]):
        assert kept(answers, claim.id) is (claim.id != "boosters-any-order")


@pytest.mark.parametrize(
    ("name", "claim", "solver"),
    [
        ("colour-collector", "boosters-any-order", "z3"),
        ("diamond-riches", "prize-game-once", "z3"),
        ("colour-collector", "single-prize", "cvc5"),
        ("diamond-riches", "prize-game-keeps-main", "cvc5"),
    ],
)
def test_what_depends_on_readings_is_proved_except_under_them(name, claim, solver):
    game = GAMES[name]
    cubes = load_manifest(game)[claim].fails_under
    whole = exported(encode(game), [claim])
    spared = exported(encode(game), [claim], {claim: cubes})

    assert kept(answers_of(smt2(spared), solver), claim)
    assert kept(answers_of(smt2(whole), solver), claim) is (not cubes)


def spacer(text):
    solver = z3.SolverFor("HORN", ctx=z3.Context())
    solver.set("rlimit", 50_000_000)
    solver.from_string(text)
    return str(solver.check())


@pytest.mark.parametrize(
    ("claim", "answer"),
    [
        ("in-range", "sat"),
        ("stars-carry", "sat"),
        ("never-full", "unsat"),
        ("no-coin-lost", "unsat"),
        ("draws-count-down", "sat"),
    ],
)
def test_horn_clauses_can_be_satisfied_where_the_claim_holds(claim, answer):
    system = system_of("lucky-dip")
    (one,) = (one for one in system.statements if one.claim.id == claim)

    assert spacer(horn(system, one)) == answer


def test_horn_clauses_leave_out_readings_under_which_a_claim_fails():
    system = exported(
        encode(LUCKY_DIP), ["no-coin-lost"], {"no-coin-lost": [(("coin-surplus", "dropped"),)]}
    )
    (one,) = (one for one in system.statements if one.claim.id == "no-coin-lost")

    assert spacer(horn(system, one)) == "sat"


def solution_of(text):
    """Return Horn clauses with what they are solved by: the claims about states they hold.

    Each clause is turned into a question whether it can fail, which is to be ``unsat``.
    """
    commands = [one for one in read(text, "horn") if one.head != "check-sat"]
    (declared,) = (one for one in commands if one.head == "declare-fun")
    clauses = [one.items[1] for one in commands if one.head == "assert"]
    variables = clauses[0].items[1]
    phi = []
    for clause in clauses:
        _, (over, rule) = clause.items[0], clause.items[1:]
        body, head = rule.items[1:]
        if write(head) == "false" and over == variables:
            phi.append(write(body.items[-1]))
    listed, claims = write(variables), " ".join(f"(not {one})" for one in phi)
    defined = f"(define-fun {declared.items[1].text} {listed} Bool (and true {claims}))"
    lines = ["(set-logic ALL)", defined]
    for clause in clauses:
        over, rule = clause.items[1:]
        lines += ["(push 1)"]
        lines += [f"(declare-const {v.items[0].text} {v.items[1].text})" for v in over.items]
        lines += [f"(assert (not {write(rule)}))", "(check-sat)", "(pop 1)"]
    return "\n".join(lines), len(clauses)


@pytest.mark.parametrize(
    ("name", "claim", "solver"),
    [
        ("colour-collector", "single-prize", "z3"),
        ("colour-collector", "single-prize", "cvc5"),
        ("diamond-riches", "one-unlock-per-spin", "z3"),
    ],
)
def test_horn_clauses_of_real_games_are_solved_by_the_claims_in_them(name, claim, solver):
    system = exported(encode(GAMES[name]), [claim])
    (one,) = (one for one in system.statements if one.claim.id == claim)
    text, count = solution_of(horn(system, one))

    assert ask(text, solver) == ["unsat"] * count


# ---- The command ----------------------------------------------------------------------------

DIP = f"{LUCKY_DIP.initial.__module__}:LUCKY_DIP"


def run(*arguments):
    return CliRunner().invoke(app, ["export", *arguments], env={"COLUMNS": "120"})


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_goes_to_standard_output_or_where_it_is_told_to(language, tmp_path):
    text = text_of("lucky-dip", language)
    told = run(DIP, "--to", language, "--out", str(tmp_path / "new" / "a.txt"))
    inside = run(DIP, "--to", language, "--out", str(tmp_path))

    assert run(DIP, "--to", language).output == text
    assert run(DIP, "--to", language, "--out", "-").output == text
    assert told.output == f"{tmp_path / 'new' / 'a.txt'}: 5 properties and 0 lemmas.\n"
    assert (tmp_path / "new" / "a.txt").read_text() == text
    assert inside.exit_code == 0
    assert (tmp_path / f"lucky-dip.{language}").read_text() == text


def test_horn_clauses_come_in_a_file_for_each_property(tmp_path):
    made = run(DIP, "--to", "horn", "--out", str(tmp_path))
    alone = run(DIP, "--to", "horn", "--property", "stars-carry")
    nowhere = run(DIP, "--to", "horn")

    assert made.output == f"5 files written to {tmp_path}: 5 claims.\n"
    assert (tmp_path / "stars-carry.smt2").read_text() == alone.output
    assert nowhere.exit_code == 2
    assert "say with --out in which folder" in nowhere.output


def test_a_property_comes_with_what_it_is_proved_with():
    found = read_vmt(run(DIP, "--to", "vmt", "--property", "stars-carry").output)

    assert list(found.properties.values()) == ["property_in_range", "property_stars_carry"]


def test_what_is_fixed_is_folded_in(tmp_path):
    edition = tmp_path / "dip.toml"
    edition.write_text(
        'game = "lucky-dip"\nname = "test"\n'
        '[parameters.jar]\nvalue = 4\nsource = "assumed"\n'
        '[parameters.amount]\nvalue = 200\nsource = "assumed"\n'
    )
    fixed = ["--edition", str(edition), "--reading", "coin-surplus=dropped"]
    made = run(DIP, "--to", "vmt", *fixed)

    assert not [name for name in read_vmt(made.output).sorts if name.startswith("p_")]
    assert "; The reading coin-surplus is taken as dropped." in made.output
    assert "; Fixed by an edition: jar, amount." in made.output


@pytest.mark.slow
def test_what_a_property_depends_on_can_be_left_out():
    asked = ["diamond-riches", "--to", "vmt", "--property", "prize-game-once"]
    whole, spared = (run(*asked, *more).output for more in ([], ["--except"]))
    claim = "property_prize_game_once"

    assert "p_prize_game_repeat" not in read_vmt(whole).definitions[claim]
    assert (
        f"(define-fun {claim} () Bool (or (= p_prize_game_repeat 1) "
        in (read_vmt(spared).definitions[claim])
    )
    assert "prize-game-once is not claimed where prize-game-repeat = each-time." in spared


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["lucky-dop", "--to", "vmt"], "unknown game 'lucky-dop'"),
        ([DIP, "--to", "vtm"], "'vtm' is not one of 'vmt', 'moxi', 'smt2', 'horn'"),
        ([DIP], "Missing option '--to'"),
        ([DIP, "--to", "vmt", "--property", "in-rnge"], "did you mean in-range?"),
        ([DIP, "--to", "vmt", "--reading", "coin-surplus"], "write it as ID=CHOICE"),
        ([DIP, "--to", "vmt", "--out", ""], "not nothing"),
        ([DIP, "--to", "vmt", "--out", "/proc/a/b"], "/proc/a/b: cannot be written: "),
        ([DIP, "--to", "vmt", "--out", "/dev/full"], "/dev/full: cannot be written: No space"),
        ([DIP, "--to", "horn", "--out", "/dev/null"], "/dev/null: cannot be written to: "),
        (
            ["colour-collector", "--to", "vmt", "--property", "row-14-reachable"],
            "row-14-reachable cannot be exported",
        ),
    ],
)
def test_what_is_wrong_is_said(arguments, said):
    told = run(*arguments)

    assert told.exit_code == 2
    assert said in told.output
    assert "Traceback" not in told.output


def test_a_claim_about_the_whole_system_is_not_exported():
    whole = general("choice-free", ("LD-1",), "No choice decides the prize.")
    game = dataclasses.replace(LUCKY_DIP, properties=(*LUCKY_DIP.properties, whole))

    assert "; Not here, as they speak of no single state or step: choice-free." in vmt(
        exported(encode(game))
    )
    with pytest.raises(BadInput, match="choice-free speaks of the system as a whole"):
        exported(encode(game), ["choice-free"])


def test_readings_that_contradict_one_another_are_no_system():
    with pytest.raises(BadInput, match="cannot be taken together"):
        export(
            f"{WAYS.initial.__module__}:WAYS",
            "vmt",
            edition=None,
            readings=["rounding=never", "surplus=kept"],
            properties=[],
            leave_out=False,
        )


def test_a_device_is_written_to_and_stays(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True) as reader:
        write_whole(pipe, "text")
        assert reader.communicate(timeout=20)[0] == "text"

    assert pipe.is_fifo()
