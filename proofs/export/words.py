"""What an exported file says of itself, in comments: what is what, by our names.

Comments are ASCII, whatever the game's own words are: not every parser takes more.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from ... import __version__
from ...models.shape import Variable
from ...models.system import Kind
from .system import Exported, Statement, exportable

__all__ = ["about", "claim", "comment", "heading", "title"]

_ASCII = str.maketrans({"£": "GBP ", "×": "x", "→": "->", "–": "-", "—": "-", "’": "'"})


def comment(text: str, indent: str = "") -> Iterator[str]:
    """Yield a text as lines of comment."""
    plain = " ".join(text.translate(_ASCII).encode("ascii", "replace").decode().split())
    yield from textwrap.wrap(plain, 92, initial_indent="; ", subsequent_indent=f"; {indent}")


def title(text: str) -> Iterator[str]:
    """Yield a heading inside a file."""
    yield ""
    yield from comment(f"---- {text}", "     ")


def heading(system: Exported, language: str) -> Iterator[str]:
    """Yield what the whole file is, what was fixed for it, and what is not in it."""
    game, encoding = system.game, system.encoding
    yield from comment(f"{game.title} ({game.id}) in {language}, by Playproof {__version__}.")
    yield from comment(
        "Names are made of our own, which stand in the comments: whatever is no letter or digit"
        " is written _. Money is in pence."
    )
    for name, choice in encoding.readings.items():
        yield from comment(f"The reading {name} is taken as {choice}.")
    if encoding.parameters:
        yield from comment(f"Fixed by an edition: {', '.join(encoding.parameters)}.")
    for one in system.statements:
        for cube in one.left_out:
            taken = " and ".join(f"{name} = {choice}" for name, choice in cube)
            yield from comment(f"{one.claim.id} is not claimed where {taken}.")
    claimed = {claim.id for claim in exportable(game)}
    others = [one.id for one in game.properties if one.id not in claimed]
    if others:
        yield from comment(
            f"Not here, as they speak of no single state or step: {', '.join(others)}."
        )


def about(system: Exported, variable: Variable) -> Iterator[str]:
    """Yield what a variable is: our name, what it counts, what its numbers mean."""
    said = f"{variable.name}: {variable.meaning}"
    if variable.unit:
        said += f", in {variable.unit}"
    if variable.choice:
        said += " (the player decides)"
    ways = system.choices(variable)
    if ways:
        said += ": " + ", ".join(f"{number} {way}" for number, way in enumerate(ways))
    if variable == system.inputs[0]:
        said += ": " + ", ".join(f"{case.number} {case.id}" for case in system.cases)
    yield from comment(said, "  ")


def claim(one: Statement) -> Iterator[str]:
    """Yield what is claimed: the number, the id, the clauses, and the claim in words."""
    said = f"{one.number} {one.claim.id}"
    if one.claim.clauses:
        said += f" ({', '.join(one.claim.clauses)})"
    if one.role == "lemma":
        said += ", a lemma, there to prove others with"
    elif one.claim.kind is Kind.STEP:
        said += ", of steps"
    yield from comment(f"{said}: {one.claim.says}", "  ")
