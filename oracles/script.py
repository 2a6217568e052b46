"""Scripts: one predetermined Play as a file, and the check that the rules agree with it.

A script says what is revealed at every step and what a build has to show after it. It leaves
out what the player chooses, for a Play must not depend on it: it is replayed with the least
and with the greatest of every choice, and the states must be the same.

What stands in its file is in ``script_file``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from ..models.algebra import Value
from ..models.editions import Edition
from ..models.play import IllegalStep, Play, replay
from ..models.screen import START
from ..models.setting import readings_of, settle
from ..models.shape import Shape, Variable
from ..models.system import Game, Point, Step
from .screens import Screens, Stepped
from .script_file import (
    BrokenScript,
    Covers,
    Made,
    Move,
    Prize,
    Script,
    Shown,
    aim_of,
    decode,
    encode,
    file_name,
    load,
    target_of,
    write,
)
from .targets import Target

__all__ = [
    "BrokenScript",
    "Made",
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

Replaying = Callable[[Game, Play], Iterable[Point[Any, Any]]]


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
        target=aim_of(target),
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
    target = target_of(script.target)
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
