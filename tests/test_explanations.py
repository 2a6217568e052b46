"""What the judge says of a wrong value: what it breaks, and what nearly fits."""

from __future__ import annotations

from typing import Any

import pytest

from playproof.models.algebra import int_variable, minimum, where
from playproof.models.system import Step
from playproof.oracles.finding import Finding
from playproof.oracles.otherwise import variants
from playproof.proofs.encoding import encode

from . import colour_collector_plays as cc
from .lucky_dip import LUCKY_DIP
from .played import DIP, changed, dip, judged, log, played, put


def wrong(steps: tuple[Step, ...], step: int, field: str, value: Any) -> Finding:
    """Return the finding of one field of Lucky Dip that is shown wrong."""
    events = changed(log(DIP, steps), step, shows=put(field, value))
    return next(one for one in judged(DIP, events) if one.code == "shows")


# Blame


def test_a_wrong_value_breaks_the_property_that_it_contradicts() -> None:
    found = wrong(dip((3, 1), (2, 3), (1, 0)), 2, "meter", 1)
    assert (found.properties, found.clauses) == (("stars-carry",), ("LD-3",))


def test_a_step_property_is_judged_with_the_step() -> None:
    found = wrong(dip((3, 1), (2, 0), (1, 0)), 2, "draws_left", 2)
    assert found.properties == ("draws-count-down",)
    assert found.clauses == ("LD-1",)


def test_a_property_that_fails_anyway_is_not_blamed_on_a_value() -> None:
    full = dip((5, 0), (5, 0), (0, 0))  # never-full and no-coin-lost are false of this Play
    found = wrong(full, 2, "level", 1)
    assert not {"never-full", "no-coin-lost"} & set(found.properties)


def test_where_no_property_speaks_of_it_the_rule_is_named_with_its_clauses() -> None:
    found = wrong(dip((3, 1), (2, 0), (1, 0)), 4, "paid", 1234)
    assert (found.rule, found.properties, found.clauses) == ("finish", (), ("LD-5",))


def test_clauses_of_the_rule_itself_come_before_those_of_a_broad_property() -> None:
    edition, steps = played("prize-game")
    events = changed(log(edition, steps), 2, shows=put("rows.1", 7))
    first = judged(edition, events)[0]
    assert {"own-row-only", "row-pays-once"} <= set(first.properties)
    assert "CC-18" in edition.game.property("row-pays-once").clauses
    assert "CC-18" not in first.clauses  # of a spin that is not said
    assert {"CC-13", "CC-14"} <= set(first.clauses) <= set(edition.game.rule("spin").clauses)


def test_at_the_start_a_lemma_stands_for_what_it_helps_to_prove() -> None:
    edition, steps = played("prize-game")
    first = judged(edition, changed(log(edition, steps), 0, shows=put("bonus_box", 1)))[0]
    assert (first.rule, first.properties) == ("", ("bonus-symbols-balance",))
    assert {"CC-15", "CC-20", "CC-21"} <= set(first.clauses)


# The nearest explanation


@pytest.mark.parametrize(
    ("draws", "step", "field", "value", "words", "fault"),
    [
        ([(3, 1), (2, 0), (1, 0)], 2, "jar", 3, "had left it as it was", "award-missing"),
        ([(3, 1), (2, 1), (1, 0)], 2, "meter", 1, "had kept what it had before", "carry-over"),
        ([(2, 0), (1, 0), (0, 0)], 2, "jar", 4, "had taken effect twice", "award-twice"),
        ([(3, 1), (0, 2), (0, 0)], 2, "meter", 0, "the surplus had been dropped", "overflow"),
        ([(3, 1), (0, 2), (0, 0)], 2, "meter", 3, "if nothing had been taken off at 2", "cap"),
        ([(3, 1), (0, 2), (0, 0)], 2, "meter", 2, "if it had stayed full, at 2", "cap"),
        ([(5, 0), (3, 0), (0, 0)], 2, "jar", 8, "if it had not been held down to 6", "cap"),
        ([(2, 0), (2, 0), (0, 0)], 2, "jar", 5, "one more than is right", "off-by-one"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_explained(
    draws: list[tuple[int, int]], step: int, field: str, value: int, words: str, fault: str
) -> None:
    found = wrong(dip(*draws), step, field, value)
    assert found.nearest
    assert words in found.nearest
    assert found.fault == (fault or found.fault)


@pytest.mark.parametrize(
    ("paid", "words", "fault"),
    [
        (200000, "a hundred times what is right", "rounding"),
        (20, "a hundredth of what is right", "rounding"),
        (2000 % 256, "right in 8 bits", "overflow-int"),
        (1000, "right if level = 1 had held", ""),
        (4000, "twice what is right", "multiplier"),
    ],
)
def test_so_is_a_wrong_payment(paid: int, words: str, fault: str) -> None:
    events = changed(log(DIP, dip((3, 1), (2, 3), (1, 0))), 4, paid=paid)
    first = next(one for one in judged(DIP, events) if one.code == "paid")
    assert (first.nearest, first.fault) == (words, fault or None)


def test_a_value_of_another_reading_is_said_to_be_one() -> None:
    steps = [cc.spin(bonus=6, row_1=6), *cc.bonus_game((cc.SUPER, 1)), *[cc.spin()] * 5]
    paid = {
        choice: cc.after(*steps, cc.FINISH, p=cc.setting(valuation=choice)).paid
        for choice in ("at-end", "at-fill")
    }
    assert paid == {"at-end": 800, "at-fill": 500}
    events = log(cc.EDITION, [*steps, cc.FINISH])
    events = changed(events, len(steps) + 1, shows=put("paid", 500), paid=500, won=None)
    first = judged(cc.EDITION, events)[0]
    assert first.nearest == "right under the reading valuation = at-fill"


def test_labels_in_the_wrong_order_are_recognised() -> None:
    edition, steps = played("bonus-game")
    number = next(n for n, one in enumerate(steps, 1) if one.rule == "open-bonus-game")
    events = log(edition, steps)
    shown = (events[number][0].shows or {})["shown_numbers"]
    turned = dict(zip(shown, reversed(shown.values()), strict=True))
    first = judged(edition, changed(events, number, shows=put("shown_numbers", turned)))[0]
    assert first.nearest == "right with its labels the other way round"
    assert first.fault == "display"


def test_a_prize_shown_before_it_is_won_is_a_leak() -> None:
    edition, steps = played("prize-game")
    first = judged(
        edition, changed(log(edition, steps), 2, shows=put("prize_game_prize", 1000))
    )[0]
    assert (first.nearest, first.fault) == ("what the Play is to win, before it is won", "leak")


def test_what_is_kept_from_the_play_before_is_recognised() -> None:
    won = dip((3, 1), (2, 3), (1, 0))
    events = [
        *log(DIP, won, play="A"),
        *changed(log(DIP, won, play="B"), 0, shows=put("level", 2)),
    ]
    first = judged(DIP, events)[0]
    assert (first.play, first.step, first.fault) == ("B", 0, "carry-over")
    assert first.nearest == "right if it were kept from the end of the Play before"


def test_what_nothing_explains_is_left_unexplained() -> None:
    found = wrong(dip((3, 1), (2, 0), (1, 0)), 2, "jar", 777)
    assert (found.nearest, found.fault) == (None, None)


def test_only_so_many_are_explained_but_all_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playproof.oracles.explain._MOST_ALIKE", 2)
    events = [
        one
        for number in range(4)
        for one in changed(
            log(DIP, dip((3, 1), (2, 0), (1, 0)), play=str(number)), 2, shows=put("meter", 0)
        )
    ]  # fmt: skip
    found = judged(DIP, events)
    assert [bool(one.nearest) for one in found] == [True, True, False, False]
    assert {one.rule for one in found} == {"draw"}


# Parts of a rule put differently


def variants_of(update: Any, **values: int) -> dict[str, Any]:
    encoding = encode(LUCKY_DIP)
    named = {f"s.{name}": value for name, value in values.items()}
    return {one.words: one.value for one in variants(update, named, encoding)}


def test_each_part_that_matters_is_put_differently() -> None:
    jar, level = int_variable("s.jar"), int_variable("s.level")
    assert variants_of(jar + level, jar=3, level=2) == {
        "jar had been left out": 2,
        "jar had been counted twice": 8,
        "level had been left out": 3,
        "level had been counted twice": 7,
    }
    assert variants_of(minimum(jar, 6), jar=8) == {"it had not been held down to 6": 8}
    assert variants_of(where(jar > 5, level, 0), jar=5, level=2) == {
        "jar > 5 had held": 2,
        "jar > 5 had held where both sides are equal": 2,
    }


def test_what_does_not_matter_is_left_alone() -> None:
    jar, level = int_variable("s.jar"), int_variable("s.level")
    update = where(jar > 5, level + 1, jar)
    assert all("level" not in words for words in variants_of(update, jar=1, level=2))


def test_a_constant_has_no_variants() -> None:
    assert variants_of(7) == {}
