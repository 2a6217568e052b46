"""A run of ``playproof enumerate``: reduced copies, by the rules and by the encoding."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.text import Text

from ..errors import BadInput, unknown
from ..models.games import game_ids
from ..models.setting import readings_of
from ..models.system import Kind, Step
from ..proofs import pinned
from ..proofs.agreement import Agreement, agree
from ..proofs.copies import Copy
from ..proofs.copyfile import load_copies
from ..proofs.enumeration import enumerate_copy
from . import json_out
from .faults import Exit
from .request import game_of
from .tables import paragraphs
from .words import some

__all__ = ["Examined", "Result", "enumerate_all"]

FORMAT = "playproof-enumeration/1"


@dataclass(frozen=True)
class Asked:
    """One copy to go through: of which game, from which file (None: the game's own)."""

    reference: str
    path: Path | None
    copy: str


@dataclass(frozen=True)
class Examined:
    """What came of one copy, as plain data.

    ``agrees`` is None where the symbolic side could not say; ``surprises`` is where the figures
    differ from those pinned, ``disagreements`` where the two sides differ.
    """

    facts: dict[str, Any]
    agrees: bool | None
    disagreements: tuple[str, ...]
    surprises: tuple[str, ...]
    to_pin: str
    seconds: float


@dataclass(frozen=True)
class Result:
    """What a run came to, ready to be shown. ``seconds`` is what it took."""

    examined: tuple[Examined, ...]
    seconds: float

    @property
    def exit_code(self) -> Exit:
        """The exit code: that two sides disagree is our own fault."""
        if any(one.agrees is False for one in self.examined):
            return Exit.OURS
        if any(one.surprises for one in self.examined):
            return Exit.WRONG
        return Exit.OPEN if any(one.agrees is None for one in self.examined) else Exit.FINE

    def text(self) -> RenderableType:
        """Return each copy with its figures, and whether the two sides agree."""
        parts: list[RenderableType] = []
        for one in self.examined:
            parts.append(Text(f"{one.facts['game']} {one.facts['copy']}", style="bold"))
            parts += [*paragraphs(_lines(one)), Text()]
        return Group(*parts, Text(self._summary()))

    def json(self) -> str:
        """Return the same, with every depth, property and prize, as JSON text."""
        return json_out.text(
            {
                "format": FORMAT,
                "copies": [
                    {
                        **one.facts,
                        "agrees": one.agrees,
                        "disagreements": list(one.disagreements),
                        "not_as_pinned": list(one.surprises),
                    }
                    for one in self.examined
                ],
                "exit_code": int(self.exit_code),
                "times": {
                    "total": round(self.seconds, 3),
                    "copies": {
                        f"{one.facts['game']}/{one.facts['copy']}": round(one.seconds, 3)
                        for one in self.examined
                    },
                },
            }
        )

    def _summary(self) -> str:
        points = sum(sum(one.facts["points"]) for one in self.examined)
        number = len(self.examined)
        copies = some(number, "copy", "copies")
        apart = sum(one.agrees is False for one in self.examined)
        open_ = sum(one.agrees is None for one in self.examined)
        odd = sum(bool(one.surprises) for one in self.examined)
        said = "rules and encoding agree on all" if not apart else f"they disagree on {apart}"
        said += f"; {open_} not compared in full" if open_ else ""
        unpinned = sum(bool(one.to_pin) for one in self.examined)
        said += f"; {odd} not as pinned" if odd else "; all as pinned"
        said += f", but {unpinned} not pinned at all" if unpinned else ""
        return f"{copies}, {points} points: {said}.\n{self.seconds:.1f} s in all."


def enumerate_all(
    references: Sequence[str],
    path: Path | None,
    only: Collection[str],
    jobs: int,
    console: Console,
) -> Result:
    """Go through copies of the games, ``jobs`` at a time, and compare the two sides.

    Every copy, unless ``only`` names some. Raises BadInput for a game or a file of copies that
    is not as it should be, and for a name that no copy has.
    """
    began = time.perf_counter()
    if path is not None and len(references) != 1:
        raise BadInput(f"{path}: a file of copies is of one game; name that game alone")
    every = [
        Asked(reference, path, copy.name)
        for reference in references or game_ids()
        for copy in load_copies(game_of(reference), path)
    ]
    names = [one.copy for one in every]
    for name in only:
        if name not in names:
            raise unknown("copy", name, names)
    asked = [one for one in every if not only or one.copy in only]
    examined: list[Examined] = []
    with console.status(f"0 of {len(asked)} reduced copies") as status:
        for one in _all(asked, jobs):
            examined.append(one)
            status.update(f"{len(examined)} of {len(asked)} reduced copies")
    return Result(tuple(examined), time.perf_counter() - began)


def _all(asked: Sequence[Asked], jobs: int) -> Iterator[Examined]:
    if min(jobs, len(asked)) <= 1:
        yield from map(examine, asked)
        return
    done = 0
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(asked)), context, _as_told) as pool:
        try:
            for one in pool.map(examine, asked):
                done += 1
                yield one
            return
        except BrokenProcessPool:  # one was killed, for want of memory perhaps: go on alone
            pass
        except BaseException:  # Ctrl-C, or bad input in one copy: the others are not waited for
            pool.shutdown(wait=False, cancel_futures=True)
            for child in multiprocessing.active_children():
                child.terminate()
            raise
    yield from map(examine, asked[done:])


def _as_told() -> None:
    """Let Ctrl-C end a worker without a word: whoever started it says what there is to say."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def examine(asked: Asked) -> Examined:
    """Go through one copy and compare the two sides."""
    began = time.perf_counter()
    game = game_of(asked.reference)
    copy = next(one for one in load_copies(game, asked.path) if one.name == asked.copy)
    agreement = agree(enumerate_copy(game, copy))
    given = pinned.figures(agreement.found)
    surprises = () if copy.pinned is None else tuple(pinned.differences(copy.pinned, given))
    return Examined(
        _facts(agreement, given),
        agreement.agrees,
        tuple(_apart(agreement, False)),
        surprises,
        pinned.toml(copy.name, given) if copy.pinned is None else "",
        time.perf_counter() - began,
    )


def _facts(agreement: Agreement, given: dict[str, Any]) -> dict[str, Any]:
    found = agreement.found
    return {
        "game": found.game.id,
        "copy": found.copy.name,
        "about": found.copy.about,
        "readings": dict(found.copy.readings),
        "other_readings": _not_default(found.copy, found.game.setting),
        "exhausted": found.exhausted,
        **{"longest": None, **given},
        "steps": len(found.steps),
        "open": list(_apart(agreement, None)),
        "properties": [
            {
                "property": one.claim.id,
                "kind": one.claim.kind.value,
                "rules": "holds" if one.finding.holds else "broken",
                "encoding": one.verdict.outcome.value,
                "method": one.verdict.method,
                "broken_after": None if one.finding.holds else one.finding.depth,
                "play": _names(one.finding.steps),
                "agrees": one.agrees,
                "remark": one.remark or one.finding.remark,
            }
            for one in agreement.properties
        ],
        "depths": [
            {"depth": one.depth, "points": one.points, "agrees": one.agrees}
            for one in agreement.layers
        ],
        "shortest_plays": [
            {
                "prize": one.prize.name,
                "steps": len(one.prize.steps),
                "play": _names(one.prize.steps),
                "agrees": one.agrees,
            }
            for one in agreement.prizes
        ],
        "proved_of_all_points": agreement.claims,
    }


def _names(steps: Sequence[Step]) -> list[str]:
    return [step.rule for step in steps]


def _not_default(copy: Copy, setting: Any) -> dict[str, str]:
    ways = readings_of(setting)
    return {n: chosen for n, chosen in copy.readings.items() if chosen != ways[n].choices[0]}


def _apart(agreement: Agreement, answer: bool | None) -> Iterator[str]:
    """Yield in words what the two sides do not agree on, or what is not known (None)."""
    for layer in agreement.layers:
        if layer.agrees is answer:
            yield f"depth {layer.depth}: {layer.remark or 'a solver ran out of steps'}"
    for one in agreement.properties:
        if one.agrees is answer:
            yield f"{one.claim.id}: {one.remark}"
    for prize in agreement.prizes:
        if prize.agrees is answer:
            yield f"{prize.prize.name}: {prize.remark or 'a solver ran out of steps'}"
    if agreement.claims is answer:
        yield (
            "a point does not keep what was proved of all"
            if answer is False
            else ("a solver ran out of steps on whether all points keep what was proved")
        )


def _lines(one: Examined) -> Iterator[str]:
    facts = one.facts
    yield f"  {facts['about']}"
    if facts["other_readings"]:
        taken = ", ".join(f"{name} = {way}" for name, way in facts["other_readings"].items())
        yield f"  readings    {taken}"
    end = "to the end" if facts["exhausted"] else f"to depth {len(facts['points']) - 1}"
    for what, told in (("states", "to the end"), ("points", end)):
        new = " ".join(map(str, facts[what]))
        yield f"  {what}      {sum(facts[what])} {told}; new at each depth: {new}"
    longest = facts["longest"]
    told = "a Play can go on for ever" if longest is None else some(longest, "step")
    yield f"  longest     {told}"
    yield from _of_properties(facts)
    prizes = ", ".join(f"{prize} in {steps}" for prize, steps in facts["prizes"].items())
    yield f"  prizes      by the fewest steps: {prizes or 'none'}"
    agreed = {True: "agrees on all of it", None: "agrees as far as it can say"}
    yield f"  encoding    {agreed.get(one.agrees, 'DISAGREES')}"
    for said in one.disagreements:
        yield f"    {said}"
    for said in facts["open"]:
        yield f"    not known: {said}"
    for said in one.surprises:
        yield f"  not as pinned: {said}"
    if one.to_pin:
        yield "  not pinned; to pin it, write"
        yield from (f"    {line}" for line in one.to_pin.splitlines())


def _of_properties(facts: dict[str, Any]) -> Iterator[str]:
    claims = [one for one in facts["properties"] if one["kind"] != Kind.LEMMA.value]
    lemmas = [one for one in facts["properties"] if one["kind"] == Kind.LEMMA.value]
    broken = [one for one in facts["properties"] if one["rules"] == "broken"]
    held = sum(one["rules"] == "holds" for one in claims)
    kept = sum(one["rules"] == "holds" for one in lemmas)
    of_lemmas = f", and {kept} of {some(len(lemmas), 'lemma')}" if lemmas else ""
    yield f"  properties  {held} of {len(claims)} hold{of_lemmas}"
    for one in broken:
        why = f": {one['remark']}" if one["remark"] else ""
        after = some(one["broken_after"], "step")
        yield f"    {one['property']} is broken after {after}{why}"
