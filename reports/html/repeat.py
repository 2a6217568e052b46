"""How to repeat what a report says, command by command."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from .source import Source

__all__ = ["Command", "commands"]


@dataclass(frozen=True)
class Command:
    """A command, and what it does."""

    line: str
    does: str


def commands(source: Source) -> Iterator[Command]:
    """Yield the commands that make a report's facts anew, in order."""
    game, edition = source.reference, source.edition
    own = ["--edition", edition.path.name] if edition and not source.default else []
    taken = [f"--reading={id_}={way}" for id_, way in source.results.readings.items()]
    fixed = own if source.results.edition else []

    def command(does: str, *words: str) -> Command:
        return Command(shlex.join(words), does)

    yield command("Installs Playproof, in a clone of its repository", "pip", "install", ".")
    yield command(
        "Decides every property and writes each certificate",
        *("playproof", "prove", game, *fixed, *taken, "--out", "out/proofs"),
    )
    yield command(
        "Checks the certificates again, from their files alone and against the game",
        *("playproof", "recheck", "out/proofs", "--against", game),
    )
    if edition and (edition.prizes or edition.game.reachable):
        yield command(
            "Makes a script for each prize",
            *("playproof", "script", game, *own, *taken, "--prize", "all"),
            *("--out", "out/scripts"),
        )
    if edition and edition.prizes and ":" not in game:
        yield command("Audits the prize table", "playproof", "audit", game, *own)
    if edition:
        yield command(
            "Changes the rules in every small way"
            if source.mutants
            else "Not part of this report: changes the rules in every small way, to show what "
            "each property catches; then add --mutants out/mutants to what follows",
            *("playproof", "mutate", game, *own, *taken, "--out", "out/mutants"),
        )
    scripts = ["--scripts", "out/scripts"] if source.scripts else []
    scripts += ["--mutants", "out/mutants"] if source.mutants else []
    yield command(
        "Writes this report: from the same results, the same bytes",
        *("playproof", "report", game, *own, "--from", "out/proofs", *scripts),
        *("--out", "out/report"),
    )
