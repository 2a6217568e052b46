"""Scripts: one predetermined Play as a file, and the check that the rules agree with it.

A script says what is revealed at every step and what a build has to show after it. It leaves
out what the player chooses, for a Play must not depend on it: it is replayed with the least
and with the greatest of every choice, and the states must be the same.

The format is JSON; ``version`` changes whenever a reader of the older format could go wrong.
Version 2 is that of scripts with a layout: the screen of the start and of each step that has
one. Money is in pence. Equal scripts are equal byte for byte.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast

import msgspec

from ..errors import BadInput
from ..files import write_whole
from ..models.algebra import Value
from ..models.editions import Edition
from ..models.money import pounds
from ..models.play import IllegalStep, Play, replay
from ..models.screen import START
from ..models.setting import readings_of, settle
from ..models.shape import Shape, Variable
from ..models.system import Game, Point, Step
from .screens import Screens, Stepped
from .targets import Component, Target

__all__ = [
    "BrokenScript",
    "Script",
    "check",
    "decode",
    "encode",
    "file_name",
    "load",
    "make",
    "played",
    "write",
]

VERSIONS = (1, 2)
Shown = dict[str, Any]
Replaying = Callable[[Game, Play], Iterable[Point[Any, Any]]]


class BrokenScript(BadInput):
    """A script that the rules, the edition or its own target contradict."""


class Made(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The edition a script was made for; ``hash`` is the SHA-256 of its file."""

    name: str
    hash: str


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a target: its name, if it has to have one, and its amount (pence)."""

    name: str | None
    amount: int | None


class Aim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A target: in words, its amount (pence), its parts, its row of the prize table."""

    text: str
    amount: int
    breakdown: list[Part] | None
    row: int | None


class Prize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the Play wins (pence): in all, and each part that won something."""

    amount: int
    parts: dict[str, int]


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One step: the rule, what is revealed, what is shown after it, and how it looks."""

    rule: str
    reveal: Shown
    shows: Shown
    screen: Shown | None = None


class Covers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a script exercises: rules by how often, fields each rule changed, parts won."""

    rules: dict[str, int]
    changes: dict[str, list[str]]
    parts: list[str]


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One predetermined Play; with a layout, ``layout`` is the seed that it was made from."""

    format: Literal["playproof-script"]
    version: Literal[1, 2]
    money: Literal["pence"]
    game: str
    edition: Made
    readings: dict[str, str]
    target: Aim
    number: int
    seed: int
    prize: Prize
    choices: list[str]
    promises: dict[str, bool]
    covers: Covers
    start: Shown
    steps: list[Move]
    layout: int | None = None
    screen: Shown | None = None


def make(
    edition: Edition,
    target: Target,
    play: Play,
    *,
    number: int = 1,
    seed: int = 0,
    replaying: Replaying = replay,
) -> Script:
    """Return the script of a Play that wins a target.

    ``number`` counts the scripts of one target from 1; ``replaying`` may be ``Replays``, for
    Plays that begin alike. Raises BrokenScript if the Play,
    replayed by the concrete rules, is illegal, wins anything else, or depends on the player's
    choices.
    """
    game, p = edition.game, play.setting
    points = _replayed(game, play, replaying)
    end = points[-1]
    if game.goal.ended(p, end.s) is not True or target.won(game, p, end.s) is not True:
        raise BrokenScript(f"this Play of {game.id} does not win {target} and nothing else")
    parts = _won(game, p, end.s)
    script = Script(
        format="playproof-script",
        version=1,
        money="pence",
        game=game.id,
        edition=Made(edition.name, edition.hash),
        readings={
            name: getattr(p, name.replace("-", "_")).name for name in readings_of(game.setting)
        },
        target=_aim(target),
        number=number,
        seed=seed,
        prize=Prize(cast("int", game.goal.paid(p, end.s)), parts),
        choices=_choices(game),
        promises={one.id: bool(one.kept(p, end.s, end.t)) for one in game.promises},
        covers=_covers(game, play, points, parts),
        start=_shown(game.state_shape(), points[0].s),
        steps=[
            Move(step.rule, _revealed(game, step), _shown(game.state_shape(), point.s))
            for step, point in zip(play.steps, points[1:], strict=True)
        ],
    )
    check(script, edition, replaying)
    return script


def check(script: Script, edition: Edition, replaying: Replaying = replay) -> None:
    """Replay a script by the concrete rules, with several choices of the player.

    Raises BrokenScript, which names the step, where the rules do not allow it, where a state
    is not the one the script shows, where the Play wins anything but the target, or where a
    screen does not show what is revealed.
    """
    game = edition.game
    target = _target(script.target)
    least: Play | None = None
    for most in (False, True):
        play = _play(script, edition, most)
        if play == least:  # nothing is chosen in it
            break
        least, points, p = play, _replayed(game, play, replaying), play.setting
        shown = [script.start, *(move.shows for move in script.steps)]
        for number, (point, wanted) in enumerate(zip(points, shown, strict=True)):
            _agree(number, _shown(game.state_shape(), point.s), wanted)
        end = points[-1]
        if game.goal.ended(p, end.s) is not True or target.won(game, p, end.s) is not True:
            raise BrokenScript(f"the Play does not win {target} and nothing else")
        won = _won(game, p, end.s)
        _same("prize's parts", script.prize.parts, won)
        _same("prize", script.prize.amount, game.goal.paid(p, end.s))
        kept = {one.id: bool(one.kept(p, end.s, end.t)) for one in game.promises}
        _same("promises", script.promises, kept)
    _check_screens(script, game, play, points)


def played(
    script: Script, edition: Edition, most: bool = False, replaying: Replaying = replay
) -> tuple[Play, Sequence[Point[Any, Any]]]:
    """Return the Play of a script, with the least or the greatest of every choice, replayed.

    Raises BrokenScript where it is of another game or edition, or the rules do not allow it.
    """
    play = _play(script, edition, most)
    return play, _replayed(edition.game, play, replaying)


def _play(script: Script, edition: Edition, most: bool) -> Play:
    game = edition.game
    _same("game", script.game, game.id)
    _same("edition's hash", script.edition.hash, edition.hash)
    p, open_, fits = settle(game.setting, edition.parameters, script.readings)
    if open_ or fits is not True:
        raise BrokenScript("the script leaves readings open, or they do not fit together")
    moves = enumerate(script.steps, start=1)
    return Play(p, tuple(_step(game, number, move, most) for number, move in moves))


def _check_screens(
    script: Script, game: Game, play: Play, points: Sequence[Point[Any, Any]]
) -> None:
    """Compare every screen with what is revealed and with what has to stay on it."""
    shown = [script.screen, *(move.screen for move in script.steps)]
    laid_out = script.layout is not None
    if (script.version == 2) != laid_out or (any(shown) and not laid_out):
        raise BrokenScript("a script has screens and the seed of its layout, or version 1")
    if not laid_out:
        return
    shape = game.state_shape()
    states = [tuple(shape.scalars(point.s).values()) for point in points]
    steps: list[Stepped] = [(START, states[0], ())]
    for step, state in zip(play.steps, states, strict=False):
        reveal = game.reveal_shape(game.rule(step.rule)).scalars(step.reveal)
        steps.append((step.rule, state, tuple(reveal.values())))
    for number, flaws in enumerate(Screens(game, play.setting).read_back(steps, shown)):
        for flaw in flaws:
            at = f"the screen of step {number}" if number else "the screen at the start"
            raise BrokenScript(f"{at}: {flaw}")


def encode(script: Script) -> bytes:
    """Return a script as JSON, indented, with a line end."""
    return msgspec.json.format(msgspec.json.encode(script), indent=1) + b"\n"


def decode(data: bytes, name: str = "script") -> Script:
    """Return the script that JSON holds; BadInput says what is wrong with it, and where."""
    try:
        return msgspec.json.decode(data, type=Script)
    except msgspec.DecodeError as error:
        known = " or ".join(map(str, VERSIONS))
        raise BadInput(f"{name}: not a script of version {known}: {error}") from None


def load(path: Path) -> Script:
    """Return the script in a file; BadInput if it cannot be read or is none."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    return decode(data, str(path))


def write(script: Script, folder: Path) -> Path:
    """Write a script into a folder, whole or not at all, and return the file.

    Raises BadInput if it cannot be written, BrokenScript for one that breaks a promise.
    """
    for promise, kept in script.promises.items():
        if not kept:
            raise BrokenScript(
                f"{script.target.text}: the Play found breaks the promise {promise} of "
                f"{script.game}, so no script of it is written"
            )
    path = folder / file_name(_target(script.target), script.number)
    write_whole(path, encode(script))
    return path


def file_name(target: Target, number: int = 1) -> str:
    """Return the name of a script's file.

    >>> file_name(Target(1500, (Component(None, 500), Component("Prize Game", 1000)), 14))
    'row-14_15.00_5+10pg.json'
    >>> file_name(Target(0), number=2)
    '0.00_2.json'
    """
    pieces = [f"row-{target.row:02}"] if target.row else []
    pieces.append(f"{target.amount // 100}.{target.amount % 100:02}")
    if target.breakdown is not None:
        pieces.append("+".join(map(_short, target.breakdown)))
    if number > 1:
        pieces.append(str(number))
    return "_".join(pieces) + ".json"


def _short(part: Component) -> str:
    amount = "" if part.amount is None else pounds(part.amount).strip("£").replace(",", "")
    words = re.findall(r"[A-Za-z0-9-]+", part.name or "")
    name = words[0] if len(words) == 1 else "".join(word[0] for word in words)
    return amount + name.lower()


def _aim(target: Target) -> Aim:
    parts = target.breakdown
    listed = None if parts is None else [Part(part.name, part.amount) for part in parts]
    return Aim(str(target), target.amount, listed, target.row)


def _target(aim: Aim) -> Target:
    parts = aim.breakdown
    listed = None if parts is None else tuple(Component(one.name, one.amount) for one in parts)
    return Target(aim.amount, listed, aim.row)


def _choices(game: Game) -> list[str]:
    fields = {
        f"{rule.id}.{variable.name}"
        for rule in game.rules
        for variable in game.reveal_shape(rule).variables
        if variable.choice
    }
    return sorted(fields)


def _won(game: Game, p: Any, s: Any) -> dict[str, int]:
    parts = game.goal.parts(p, s)
    return {name: cast("int", amount) for name, amount in parts.items() if amount}


def _replayed(game: Game, play: Play, replaying: Replaying) -> Sequence[Point[Any, Any]]:
    try:
        return list(replaying(game, play))
    except IllegalStep as error:
        raise BrokenScript(f"the rules do not allow this Play: {error}") from None


def _shown(shape: Shape[Any], state: Any) -> Shown:
    """Return a state by field, vectors by label."""
    return _nested(shape.scalars(state))


def _nested(scalars: Mapping[str, Value]) -> Shown:
    nested: Shown = {}
    for name, value in scalars.items():
        *above, last = name.split(".")
        at = nested
        for label in above:
            at = at.setdefault(label, {})
        at[last] = value
    return nested


def _flat(nested: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in nested.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def _revealed(game: Game, step: Step) -> Shown:
    shape = game.reveal_shape(game.rule(step.rule))
    chosen = {variable.name for variable in shape.variables if variable.choice}
    scalars = shape.scalars(step.reveal)
    return _nested({name: value for name, value in scalars.items() if name not in chosen})


def _step(game: Game, number: int, move: Move, most: bool) -> Step:
    """Return a step of a script, with the least or the greatest of every choice."""
    try:
        shape = game.reveal_shape(game.rule(move.rule))
    except KeyError:
        raise BrokenScript(f"step {number}: {game.id} has no rule {move.rule!r}") from None
    given = dict(_flat(move.reveal))
    for variable in shape.variables:
        if variable.choice:
            given[variable.name] = _choice(variable, most)
    names = {variable.name: variable.sort for variable in shape.variables}
    if given.keys() != names.keys():
        odd = ", ".join(sorted(given.keys() ^ names.keys()))
        raise BrokenScript(f"step {number}: {move.rule} does not reveal this: {odd}")
    for name, value in given.items():
        if type(value) is not (int if names[name] == "Int" else bool):
            raise BrokenScript(f"step {number}: {name} is {value!r}, which is no {names[name]}")
    return Step(move.rule, shape.of(given))


def _choice(variable: Variable, most: bool) -> Value:
    if variable.sort == "Bool":
        return most
    low = variable.low or 0
    return (low + 1 if variable.high is None else variable.high) if most else low


def _covers(
    game: Game, play: Play, points: Sequence[Point[Any, Any]], parts: Mapping[str, int]
) -> Covers:
    changes: dict[str, set[str]] = {}
    for step, before, after in zip(play.steps, points, points[1:], strict=False):
        then = _shown(game.state_shape(), after.s)
        now = _shown(game.state_shape(), before.s)
        changed = {field for field, value in then.items() if now[field] != value}
        changes.setdefault(step.rule, set()).update(changed)
    rules = dict(sorted(Counter(step.rule for step in play.steps).items()))
    listed = {rule: sorted(fields) for rule, fields in sorted(changes.items())}
    return Covers(rules, listed, sorted(parts))


def _same(what: str, said: object, is_: object) -> None:
    if said != is_:
        raise BrokenScript(f"the script's {what} is {said!r}, but it should be {is_!r}")


def _agree(number: int, shown: Shown, wanted: Shown) -> None:
    if shown == wanted:
        return
    is_, said = dict(_flat(shown)), dict(_flat(wanted))
    for name in sorted(is_.keys() | said.keys()):
        if name not in said or name not in is_ or is_[name] != said[name]:
            raise BrokenScript(
                f"after step {number}: the script shows {name} = {said.get(name)!r}, "
                f"the rules give {is_.get(name)!r}"
            )
