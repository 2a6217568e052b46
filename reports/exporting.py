"""A run of ``playproof export``: a game written for other solvers, whole and at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import BadInput
from ..files import output_folder, write_whole
from ..models.system import Game
from ..proofs import depends
from ..proofs.budget import Budget
from ..proofs.encoding import encode
from ..proofs.export.horn import horn
from ..proofs.export.moxi import moxi
from ..proofs.export.smt2 import smt2
from ..proofs.export.system import Exported, exported
from ..proofs.export.vmt import vmt
from ..proofs.manifest import expected_under, load_manifest
from ..proofs.verdict import Cube
from .request import Request, choose, clash
from .words import some

__all__ = ["Result", "export"]

_WHOLE: Mapping[str, tuple[str, Callable[[Exported], str]]] = {
    "vmt": ("vmt", vmt),
    "moxi": ("moxi", moxi),
    "smt2": ("smt2", smt2),
}


@dataclass(frozen=True)
class Result:
    """The files of an export, by name; one that stands alone may go to standard output."""

    files: Mapping[str, str]
    alone: bool
    claimed: str

    def write(self, out: Path) -> str:
        """Write the files to a folder, or the one file under the name given; say what was.

        Raises BadInput where they cannot be written.
        """
        if self.alone and not out.is_dir():
            ((_, text),) = self.files.items()
            write_whole(out, text)
            return f"{out}: {self.claimed}."
        folder = output_folder(out)
        for name, text in self.files.items():
            write_whole(folder / name, text)
        return f"{some(len(self.files), 'file')} written to {out}: {self.claimed}."


def export(
    reference: str,
    language: str,
    *,
    edition: Path | None,
    readings: Sequence[str],
    properties: Sequence[str],
    leave_out: bool,
) -> Result:
    """Write a game in one of the languages: ``vmt``, ``moxi``, ``smt2``, ``horn``.

    ``leave_out`` claims a property that depends on readings for all but those under which its
    manifest expects it to fail. Raises BadInput for names that nothing bears, readings that
    contradict one another, and properties that cannot be exported.
    """
    request = _request(reference, edition, readings, properties)
    game = request.game
    encoding = encode(game, request.parameters, request.readings)
    if depends.impossible(encoding, Budget().induction):
        raise clash(game, request.readings)
    left_out = _failing(request) if leave_out else {}
    system = exported(encoding, properties, left_out)
    if language == "horn":
        wanted = [
            one
            for one in system.statements
            if (one.claim.id in properties if properties else one.role == "property")
        ]
        files = {f"{one.claim.id}.smt2": horn(system, one) for one in wanted}
        return Result(files, len(files) == 1, some(len(files), "claim", "claims"))
    ending, write = _WHOLE[language]
    return Result({f"{game.id}.{ending}": write(system)}, True, _claimed(system))


def _request(
    reference: str, edition: Path | None, readings: Sequence[str], properties: Sequence[str]
) -> Request:
    found = choose([reference], properties, readings, edition)
    prizes = [id_ for request in found for id_ in request.reachable if id_ in properties]
    if prizes:
        raise BadInput(
            f"{reference}: {', '.join(prizes)} cannot be exported: that a prize can be won is "
            "shown by a Play; ask for properties that speak of every Play"
        )
    return found[0]


def _failing(request: Request) -> dict[str, tuple[Cube, ...]]:
    """Return by property under which readings it is expected to fail, where not under all."""
    game: Game = request.game
    expected = {
        id_: expected_under(game, one, request.readings)
        for id_, one in load_manifest(game).items()
    }
    return {id_: one.fails_under for id_, one in expected.items() if one.fails_under}


def _claimed(system: Exported) -> str:
    lemmas = sum(one.role == "lemma" for one in system.statements)
    claims = some(len(system.statements) - lemmas, "property", "properties")
    return f"{claims} and {some(lemmas, 'lemma', 'lemmas')}"
