"""The table of expected verdicts, as Markdown: ``python -m playproof.reports.markdown``.

The README's table is made here, from the manifests.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from ..models.games import game_ids, load_game
from ..models.system import Game
from ..proofs.manifest import claims_of, load_manifest
from .words import implicant

__all__ = ["verdict_tables"]


def verdict_tables() -> str:
    """Return a table for each game: property, expected verdict, what it says."""
    return "\n".join(line for id_ in game_ids() for line in _table(load_game(id_)))


def _table(game: Game) -> Iterator[str]:
    expected = load_manifest(game)
    yield f"**{game.title}**"
    yield ""
    yield "| property | verdict | says |"
    yield "|---|---|---|"
    claims = [(claim.id, claim.says) for claim in claims_of(game)]
    for id_, says in [*claims, *((kind.id, kind.says) for kind in game.reachable)]:
        one = expected[id_]
        verdict = one.outcome.value
        if one.fails_under:
            cubes = " or ".join(f"`{implicant(cube)}`" for cube in one.fails_under)
            verdict += f": fails under {cubes}"
        yield f"| `{id_}` | {verdict} | {says} |"
    yield ""


if __name__ == "__main__":
    sys.stdout.write(verdict_tables() + "\n")
