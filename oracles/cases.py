"""Scripts made ready to be driven: each step as a build is asked for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import BadInput
from ..models.shape import Variable
from . import script as scripts
from .event import Where, flat
from .script import Script
from .suite import INDEX, REFUSALS, load
from .ways import choices

__all__ = ["Ask", "Case", "load_cases"]

Shown = Mapping[str, Any]

_RULE = '"rule": '  # stands on a line of its own in each step


class Ask(NamedTuple):
    """A step to ask a build for: what is revealed, chosen and, where it is set, on screen."""

    event: str
    reveal: dict[str, Any]
    choice: dict[str, Any]
    screen: Shown | None = None

    @property
    def scalars(self) -> dict[str, Any]:
        """What is revealed and chosen, by scalar."""
        return dict(flat(self.reveal)) | dict(flat(self.choice))


@dataclass(frozen=True)
class Case:
    """A script and the file it is from; ``seed`` is its place in the suite."""

    path: Path
    script: Script
    seed: int = 0

    @property
    def name(self) -> str:
        """What people call it: its file's name without the ending."""
        return self.path.stem

    @cached_property
    def screen(self) -> Shown | None:
        """What the screen shows before the first step, if the script says so."""
        found: Shown | None = getattr(self.script, "screen", None)
        return found

    @cached_property
    def outcome(self) -> dict[str, Any]:
        """The predetermined outcome, as a build is told it."""
        row = self.script.target.row
        told = {"amount": self.script.prize.amount, "parts": dict(self.script.prize.parts)}
        return told if row is None else told | {"row": row}

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """The rule of each step."""
        return tuple(move.rule for move in self.script.steps)

    @cached_property
    def _places(self) -> tuple[Where, ...]:
        """The place of each step in the script's file, the start first."""
        try:
            before = self.path.read_text(encoding="utf-8").split(_RULE)[:-1]
        except OSError:
            before = []
        at = list(accumulate((text.count("\n") for text in before), initial=1))
        known = len(before) == len(self.rules)  # else nothing is said about lines
        return tuple(Where(str(self.path), n) for n in (at if known else [0]))

    def where(self, step: int) -> Where:
        """Return the place of a step in the script's file."""
        return self._places[step] if step < len(self._places) else Where(str(self.path))

    def asks(self, variables: Mapping[str, Sequence[Variable]], way: str) -> tuple[Ask, ...]:
        """Return the script's steps, with choices made in a way."""
        chosen = choices(variables, self.rules, way, self.seed)
        return tuple(
            Ask(move.rule, move.reveal, choice, getattr(move, "screen", None))
            for move, choice in zip(self.script.steps, chosen, strict=True)
        )


def load_cases(folder: Path) -> tuple[Case, ...]:
    """Return the scripts of a suite in its order, or else those in a folder by their names.

    Raises BadInput for a folder that cannot be read or has no script, and for a file in it that
    is none, or not the one that the suite lists.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder}: no folder; playproof suite GAME --out {folder} makes one")
    if (folder / INDEX).is_file():
        found = [(folder / name, one) for name, one in load(folder).scripts.items()]
    else:
        paths = [path for path in sorted(folder.glob("*.json")) if path.name != REFUSALS]
        found = [(path, scripts.load(path)) for path in paths]
    if not found:
        raise BadInput(
            f"{folder}: no script in it; playproof suite GAME --out {folder} does it"
        )
    return tuple(Case(path, one, number) for number, (path, one) in enumerate(found))
