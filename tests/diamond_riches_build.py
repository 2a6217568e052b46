"""The sample build of Diamond Riches as a process, and what it is asked and has to answer."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

from playproof.models.diamond_riches_properties import DIAMOND_RICHES
from playproof.models.editions import default_readings, load_edition
from playproof.models.setting import settle

from .node import NODE

__all__ = [
    "BUILD",
    "EDITION",
    "Asked",
    "Build",
    "difference",
    "random_edition",
    "random_play",
    "running",
    "scripted",
]

BUILD = Path(__file__).parent / "builds" / "diamond-riches.mjs"
MOST_STEPS = 90
TILES = 20

EDITION = load_edition(DIAMOND_RICHES)
GAME = EDITION.game
READINGS = default_readings(GAME.setting)
P: Any = GAME.setting
IN_MAIN = ("spin", "open-bonus-game", "open-prize-game", "prize-spin", "finish")
SLOTS = (*(f"active-{n}" for n in range(1, 5)), *(f"pick-{n}" for n in range(1, 6)))
LABELS: dict[str, tuple[str, ...]] = {
    "ladders": P.colours,
    "ladders_paid": P.colours,
    "diamonds": P.colours,
    "multi_fill": P.segments,
    "bonus_meters": P.bonus_games,
    "bonus_owed": P.bonus_games,
}
SHOWN = (
    "spins_left", "extra_spins", "ladders", "level", "multiplier_upgraded", "multi_fill",
    "bonus_meters", "bonus_owed", "prize_meter", "playing", "picks_left", "icons",
    "prize_spins", "prize_pot", "prize_won", "ladders_paid", "paid",
)  # fmt: skip
"""Every field that the build shows: all that a player sees."""


@dataclass(frozen=True)
class Asked:
    """A request, and what its answer has to show; None where it has to be refused."""

    request: Mapping[str, Any]
    shows: Mapping[str, Any] | None


class Build:
    """A build that is driven by JSON Lines."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a request."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer


@contextmanager
def running(*options: str) -> Iterator[Build]:
    """Run the build, with these options, for as long as it is needed."""
    assert NODE
    with subprocess.Popen(
        [NODE, str(BUILD), *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield Build(process)


def difference(build: Build, asked: Iterable[Asked]) -> str | None:
    """Return where the build's answers first differ from what they have to be, or None."""
    for one in asked:
        request = one.request
        where = f"{request['play']}, step {request.get('step', 0)}, {request['do']}"
        where += f" {request['event']}" if "event" in request else ""
        answer = build.answer(request)
        if one.shows is None:
            if "error" not in answer:
                return f"{where}: not refused"
            continue
        if "error" in answer:
            return f"{where}: {answer['error']}"
        for field, value in one.shows.items():
            if answer["shows"][field] != value:
                return f"{where}: {field} is {answer['shows'][field]}, not {value}"
        if request.get("event") == "finish" and answer["paid"] != one.shows["paid"]:
            return f"{where}: {answer['paid']} paid, not {one.shows['paid']}"
    return None


def start(
    play: str,
    outcome: Mapping[str, Any],
    shows: Mapping[str, Any],
    parameters: Mapping[str, Any] = EDITION.parameters,
) -> Asked:
    """Return how a Play begins under an edition of these values."""
    edition = {"name": EDITION.name, "hash": EDITION.hash, "parameters": parameters}
    request = {"do": "start", "play": play, "game": GAME.id, "edition": edition}
    return Asked(request | {"readings": READINGS, "outcome": outcome}, shows)


def scripted(play: str, script: Mapping[str, Any]) -> list[Asked]:
    """Return what a script asks of a build; the tiles are taken in order."""
    asked = [start(play, script["prize"], seen(script["start"]))]
    for number, step in enumerate(script["steps"], start=1):
        picks = [earlier["rule"] for earlier in script["steps"][:number]].count("pick")
        choice = {"tile": (picks - 1) % TILES + 1} if step["rule"] == "pick" else {}
        request = {"do": "step", "play": play, "step": number, "event": step["rule"]}
        asked.append(
            Asked(request | {"reveal": step["reveal"], "choice": choice}, seen(step["shows"]))
        )
    return asked


def random_edition(rng: Random) -> dict[str, Any]:
    """Return some values for what the Procedures leave open."""
    wheel = [[rng.choice((0, 0, 1, 2, 3)) for _ in P.colours] for _ in P.segments]
    for row in wheel:
        row[rng.randrange(len(row))] = rng.randint(1, 3)
    return {
        "start_amounts": (
            *(rng.randint(1, most) for most in (599, 1199, 2999, 14999, 149999)),
            10**8,
        ),
        "extra_spin_box": tuple(rng.sample(range(1, 14), len(P.colours))),
        "diamond_wheel": tuple(map(tuple, wheel)),
        "bonus_wheel": tuple(
            tuple(rng.randint(0, 1) for _ in range(4)) for _ in P.bonus_segments
        ),
        "multi_fill_adds": rng.randint(1, 3),
        "prize_wheel": tuple(rng.randint(1, 99999) for _ in P.prize_segments),
    }


def random_play(seed: int, parameters: Mapping[str, Any] = EDITION.parameters) -> list[Asked]:
    """Return a Play that the model allows, with steps it does not, and interruptions."""
    rng, play = Random(seed), f"P-{seed}"
    p, _, fits_together = settle(GAME.setting, parameters, READINGS)
    assert fits_together is True
    first = point = GAME.start(p)
    asked: list[Asked] = []
    tiles, wanted = list(range(1, TILES + 1)), 1
    for number in range(1, MOST_STEPS):
        rule, reveal = next(
            (rule, reveal)
            for rule in cycle(likely(rng, point.s))
            for reveal in (revealed(rng, rule, wanted, tiles[0], wild=0),)
            if legal(p, point, rule, reveal)
        )
        for other in (rng.choice((rule, rng.choice(GAME.rules))), GAME.rule("spin")):
            wild = revealed(rng, other, wanted, rng.choice((0, *tiles)), wild=1)
            if not legal(p, point, other, wild):
                asked.append(step(play, number, other, wild, None))
        if rule.id == "open-bonus-game":
            rng.shuffle(tiles := list(range(1, TILES + 1)))
            wanted = rng.choice((*range(1, 11), rng.randint(11, P.last_icon)))
        elif rule.id == "pick":
            tiles.remove(reveal.tile)
        point = GAME.after(p, point, rule, reveal)
        asked.append(step(play, number, rule, reveal, named(point.s)))
        if rng.random() < 0.4 and rule.id != "finish":
            resumed = {"do": "resume", "play": play, "step": number}
            asked.append(Asked(resumed, seen(named(point.s))))
        if rule.id == "finish":
            break
    outcome = {"amount": point.s.paid}
    return [start(play, outcome, seen(named(first.s)), parameters), *asked]


def likely(rng: Random, s: Any) -> list[Any]:
    """Return the rules worth trying, in any order; which one may come, the model says."""
    if s.picks_left:
        return [GAME.rule("pick")]
    rules = [rule for rule in GAME.rules if (rule.id in IN_MAIN) != bool(s.playing)]
    return rng.sample(rules, len(rules))


def legal(p: Any, point: Any, rule: Any, reveal: Any) -> bool:
    """Return whether the model allows a step."""
    within_limits = GAME.reveal_shape(rule).within_limits(reveal) is True
    return within_limits and rule.guard(p, point.s, reveal) is True


def revealed(rng: Random, rule: Any, wanted: int, tile: int, wild: int) -> Any:
    """Return some reveal of a rule; where ``wild`` is 1 it may be out of range by one.

    ``wanted`` is the icon that a Bonus Game shows most often.
    """

    def upto(last: int) -> int:
        return rng.randint(-wild, last + wild)

    if rule.id == "spin":
        values: dict[str, Any] = {
            "segment": upto(len(P.segments) - 1),
            "multiplier": rng.choice((upto(5), 1, 5)),
            "bonus_segment": upto(len(P.bonus_segments) - 1),
        }
    elif rule.id == "open-bonus-game":
        active = rng.choice((0, 2, 4))
        values = {"icons": tuple(upto(P.last_icon) if n < active else 0 for n in range(4))}
    elif rule.id == "pick":
        values = {"icon": rng.choice((wanted, upto(P.last_icon))), "tile": tile}
    elif rule.id == "multi-fill":
        values = {"segment": upto(len(P.segments) - 1)}
    elif rule.id == "mystery-fill":
        values = {"diamonds": tuple(rng.choice((0, 1, 2, 4)) for _ in P.colours)}
    elif rule.id == "prize-spin":
        multiplier, extra_spin = upto(10), rng.random() < 0.6
        segment = upto(len(P.prize_segments) - 1)
        values = {"segment": segment, "multiplier": multiplier, "extra_spin": extra_spin}
    else:
        values = {}
    return rule.reveal(**values)


def step(
    play: str, number: int, rule: Any, reveal: Any, shows: Mapping[str, Any] | None
) -> Asked:
    values = named(reveal, LABELS | {"icons": SLOTS[:4]})
    choice = {"tile": values.pop("tile")} if rule.id == "pick" else {}
    request = {"do": "step", "play": play, "step": number, "event": rule.id}
    return Asked(
        request | {"reveal": values, "choice": choice},
        None if shows is None else seen(shows),
    )


def named(value: Any, labels: Mapping[str, tuple[str, ...]] | None = None) -> dict[str, Any]:
    """Return a state or a reveal by the names of its fields and labels."""
    labels = LABELS | {"icons": SLOTS} if labels is None else labels
    found = {field.name: getattr(value, field.name) for field in fields(value)}
    return {
        name: dict(zip(labels[name], given, strict=True)) if name in labels else given
        for name, given in found.items()
    }


def seen(shows: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a player sees of a state."""
    return {field: shows[field] for field in SHOWN}
