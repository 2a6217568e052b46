"""What a report of one game is made from, all of it read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ...errors import BadInput
from ...models.editions import Edition, default_readings, has_edition, load_edition
from ...models.registers import Clause, Register, has_register, load_register
from ...models.system import Game, Property
from ...models.uses import Asked, asked_for
from ...proofs.encoding import Encoding, encode
from ..request import game_of
from .checked import check
from .mutants import Mutants, read_mutants
from .plays import Player
from .scripts import Scripts, read_scripts
from .stored import Results, VerdictData

__all__ = ["Source", "source_of"]


@dataclass(frozen=True)
class Source:
    """A game, its edition if it has one, what was found of it, and the scripts for it.

    ``reference`` is what the game is called on the command line. ``default`` is whether the
    edition is the one that comes with the game.
    """

    reference: str
    game: Game
    edition: Edition | None
    register: Register
    results: Results
    scripts: Scripts | None
    player: Player
    mutants: Mutants | None = None
    default: bool = True

    @property
    def audited(self) -> bool:
        """Whether there is a prize table to audit."""
        return self.edition is not None and bool(self.edition.prizes)

    @cached_property
    def encoding(self) -> Encoding:
        """The game as formulas, nothing of it fixed."""
        return encode(self.game)

    @cached_property
    def asked(self) -> Asked:
        """What rules and claims ask of the setting."""
        return asked_for(self.game)

    @cached_property
    def clauses(self) -> Mapping[str, Clause]:
        """The clauses of the register, by id."""
        return {clause.id: clause for clause in self.register.clauses}

    @cached_property
    def claims(self) -> Mapping[str, Property]:
        """The game's own claims, lemmas too, by id."""
        return {claim.id: claim for claim in self.game.properties}

    @cached_property
    def of_every_play(self) -> tuple[VerdictData, ...]:
        """The verdicts on what is claimed of every Play."""
        return tuple(one for one in self.results.verdicts if one.claim in self.claims)

    @cached_property
    def of_prizes(self) -> tuple[VerdictData, ...]:
        """The verdicts on prizes that are claimed to be within reach."""
        return tuple(one for one in self.results.verdicts if one.claim not in self.claims)


def source_of(
    reference: str,
    found: Mapping[str, Results],
    edition: Path | None = None,
    scripts: Path | None = None,
    mutants: Path | None = None,
) -> Source:
    """Return all that a game's report is made from.

    Raises BadInput where there are no results of the game, where they are about another game
    or edition than there is here, and for scripts that the rules do not allow.
    """
    game = game_of(reference)
    if game.id not in found:
        path = next(iter(found.values())).path
        raise BadInput(
            f"{path}: has results of {', '.join(found)}, none of {game.id}: "
            f"playproof prove {reference} --out DIR makes them"
        )
    results = found[game.id]
    loaded = _edition(game, edition, results)
    usual = None
    if loaded is not None:
        readings = default_readings(loaded.game.setting, results.readings)
        usual = (loaded.name, loaded.parameters, readings)
    player = Player(game, results.path, usual)
    proved = loaded.game if loaded is not None and results.edition else game
    check(results, proved, loaded, player)
    register = load_register(game.id) if has_register(game.id) else Register(game.id, "", ())
    made = read_scripts(scripts, loaded) if scripts and loaded else None
    changed = read_mutants(mutants, loaded) if mutants and loaded else None
    return Source(
        reference, proved, loaded, register, results, made, player, changed, edition is None
    )


def _edition(game: Game, path: Path | None, results: Results) -> Edition | None:
    """Return the edition of a report; BadInput if it is not the one that was fixed."""
    fixed = results.edition
    if path is None and not has_edition(game):
        if fixed:
            raise BadInput(
                f"{results.path}: was proved under edition {fixed['name']!r}: give its file "
                "with --edition"
            )
        return None
    loaded = load_edition(game, path)
    if fixed and fixed.get("sha256") != loaded.hash:
        raise BadInput(
            f"{loaded.path}: is not the edition {fixed.get('name')!r} under which "
            f"{results.path} was proved: its SHA-256 is {loaded.hash}, where "
            f"{fixed.get('sha256')} was expected"
        )
    return loaded
