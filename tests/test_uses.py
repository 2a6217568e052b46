"""What asks for a figure, a parameter or a reading is found by running the rules."""

from playproof.models.uses import Uses, uses_of

from .lucky_dip import LUCKY_DIP


def test_a_parameter():
    assert uses_of(LUCKY_DIP, "jar") == Uses(
        start=False,
        rules=("draw", "finish"),
        properties=("in-range", "never-full"),
        promises=(),
    )


def test_a_reading_that_only_makes_reveals_illegal():
    assert uses_of(LUCKY_DIP, "coin_surplus").rules == ("draw",)


def test_a_figure_that_is_asked_for_at_the_start_only():
    assert uses_of(LUCKY_DIP, "draws") == Uses(start=True, rules=(), properties=(), promises=())
