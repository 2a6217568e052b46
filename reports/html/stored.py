"""The results that ``prove --out`` wrote, read back before anything is said of them.

Nothing in a report is taken on trust from a file that somebody may have changed: each proof's
files must have the hashes that its manifest says, and the verdicts must say what the manifests
do. ``against`` holds them against the game as it is here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import msgspec

from ...errors import BadInput
from ...proofs.folder import Folder, folders
from ...proofs.proof_format import Manifest
from ..json_out import FORMAT

__all__ = [
    "Beside",
    "Condition",
    "Kept",
    "PlayData",
    "PropertySanity",
    "Results",
    "SanityData",
    "VerdictData",
    "WayOn",
    "read_results",
]

_VERDICTS = "verdicts.json"
_MOST = 400_000_000

Word = Literal["proved", "refuted", "depends", "bounded", "undecided"]
Value = bool | int


class Moment(msgspec.Struct, frozen=True):
    """One step of a Play: the rule and what was revealed, but what is 0 or no."""

    rule: str
    reveal: dict[str, Value]


class PlayData(msgspec.Struct, frozen=True):
    """A Play as the file has it."""

    parameters: dict[str, Any]
    readings: dict[str, str]
    steps: list[Moment]
    broken_after_step: int | None = None


class Beside(PlayData, frozen=True):
    """What a Play is compared with, and what is refused at its end."""

    refused: dict[str, Value] | None = None


class WayOn(msgspec.Struct, frozen=True):
    """A reveal of which one is legal in every state until the end."""

    id: str
    rules: list[str]
    says: str
    reveal: dict[str, Value] | None = None


class CertificateData(msgspec.Struct, frozen=True):
    """k, and the answer of every solver to every check."""

    k: int
    obligations: dict[str, dict[str, str]]


class Endless(msgspec.Struct, frozen=True):
    """A way to go on for ever."""

    sources: list[str]
    under: dict[str, str]
    loop_after_step: int
    growing: list[str]
    closed_set: list[str]
    play: PlayData


class Component(msgspec.Struct, frozen=True):
    """A component of a ranking function, and the rules in which it falls."""

    value: str
    falls_in: list[str]


class Ranking(msgspec.Struct, frozen=True):
    """A ranking function, where all sources but those unlimited have a limit."""

    unlimited: list[str]
    apart_from: list[dict[str, str]]
    components: list[Component]


class Longest(msgspec.Struct, frozen=True):
    """How many steps a Play takes at most within limits."""

    at_least: int
    at_most: int | None
    limits: dict[str, int]
    under: dict[str, str]
    why_no_more: list[str]


class TerminationData(msgspec.Struct, frozen=True):
    """Why Plays end, or how they do not."""

    endless: list[Endless]
    ranking: list[Ranking]
    limits: dict[str, str]
    largest_number_of_steps: Longest | None = None


class VerdictData(msgspec.Struct, frozen=True):
    """The answer for one property."""

    game: str
    claim: str = msgspec.field(name="property")
    says: str
    clauses: list[str]
    verdict: Word
    expected: Word
    as_expected: bool
    method: str
    depth: int
    fails_under: list[dict[str, str]]
    certificate: CertificateData | None
    plays: list[PlayData]
    beside: list[Beside]
    ways_on: list[WayOn]
    termination: TerminationData | None
    assumptions: list[str]
    remark: str
    does_not_cover: str

    @property
    def solvers(self) -> tuple[str, ...]:
        """The solvers that agreed to every check of the certificate."""
        if self.certificate is None or not self.certificate.obligations:
            return ()
        each = [
            {solver for solver, answer in answers.items() if answer == "unsat"}
            for answers in self.certificate.obligations.values()
        ]
        asked = next(iter(self.certificate.obligations.values()))
        return tuple(solver for solver in asked if all(solver in one for one in each))


class Condition(msgspec.Struct, frozen=True):
    """Whether something comes about, and in which of the Plays, after which step."""

    found: str
    play: int | None
    step: int | None
    when: str = ""


class NeedsData(msgspec.Struct, frozen=True):
    """What a proof needed, from unsatisfiable cores."""

    clauses: list[str]
    rules: dict[str, list[str]]
    claims: list[str]
    budget_exhausted: list[str]


class PropertySanity(msgspec.Struct, frozen=True):
    """What a proof of one property is worth."""

    falsifiable: str
    trivial: str
    antecedents: list[Condition]
    needs: NeedsData | None


class Kept(msgspec.Struct, frozen=True):
    """A promise: theorem or obligation, and what keeps it."""

    says: str
    clauses: list[str]
    standing: str
    broken_by_play: int | None
    kept_by_targets: list[str]
    checked_on_scripts_of: list[str]
    solvers: list[str]
    certificate: str | None


class SanityData(msgspec.Struct, frozen=True):
    """What the verdicts of a game are worth."""

    faults: list[str]
    starts: str | None
    rules: dict[str, Condition]
    properties: dict[str, PropertySanity]
    general: dict[str, str]
    promises: dict[str, Kept]
    clauses_no_proof_needs: dict[str, list[str]]
    witnesses: dict[str, PlayData]
    plays: list[PlayData]


class Times(msgspec.Struct, frozen=True):
    """All that differs from run to run: seconds, and when and where it was."""

    total: float
    verdicts: dict[str, dict[str, float]]
    date: str = ""
    machine: str = ""


class _Stored(msgspec.Struct, frozen=True):
    format: str
    versions: dict[str, str]
    editions: dict[str, dict[str, str]]
    readings: dict[str, dict[str, str]]
    limits: dict[str, list[str]]
    verdicts: list[VerdictData]
    sanity: dict[str, SanityData]
    times: Times


class _Format(msgspec.Struct, frozen=True):
    format: str


@dataclass(frozen=True)
class Results:
    """What a run found of one game. ``sha256`` is that of the file of all its verdicts.

    ``edition`` is the name and hash of the edition that was fixed, if one was, ``readings``
    what was taken. ``folders`` are the proofs by property, every file as its manifest says.
    """

    path: Path
    sha256: str
    game: str
    versions: Mapping[str, str]
    edition: Mapping[str, str]
    readings: Mapping[str, str]
    limits: tuple[str, ...]
    verdicts: tuple[VerdictData, ...]
    sanity: SanityData
    times: Times
    folders: Mapping[str, Folder]

    def manifest(self, property_: str) -> Manifest | None:
        """Return what the certificate of a property states; None where it has none."""
        folder = self.folders.get(property_)
        return folder.manifest if folder else None


def read_results(path: Path) -> dict[str, Results]:
    """Return the results in a folder that ``prove --out`` wrote, by game.

    Raises BadInput for a folder of another format, for files that are missing or changed, and
    where verdicts and certificates do not say the same.
    """
    file = path / _VERDICTS
    data = _bytes(file)
    stored = _decoded(file, data)
    proofs: dict[str, dict[str, Folder]] = {}
    if any(one.certificate for one in stored.verdicts):
        for folder in folders(path):
            of_game = proofs.setdefault(folder.manifest.game, {})
            of_game[folder.manifest.property] = folder
    found = {}
    for game in dict.fromkeys(one.game for one in stored.verdicts):
        if game not in stored.sanity:
            raise BadInput(f"{file}: 'sanity' says nothing of {game}; prove it again")
        found[game] = Results(
            path=path,
            sha256=sha256(data).hexdigest(),
            game=game,
            versions=stored.versions,
            edition=stored.editions.get(game, {}),
            readings=stored.readings.get(game, {}),
            limits=tuple(stored.limits.get(game, ())),
            verdicts=tuple(one for one in stored.verdicts if one.game == game),
            sanity=stored.sanity[game],
            times=stored.times,
            folders=proofs.get(game, {}),
        )
        _agree(file, found[game])
    if not found:
        raise BadInput(f"{file}: holds no verdict; prove a game first")
    return found


def _bytes(file: Path) -> bytes:
    try:
        if file.stat().st_size > _MOST:
            raise BadInput(
                f"{file}: has more than {_MOST:,} bytes: no run ever wrote such a file"
            )
        return file.read_bytes()
    except FileNotFoundError:
        raise BadInput(
            f"{file}: is missing; a folder was expected that 'playproof prove --out' wrote"
        ) from None
    except OSError as error:
        raise BadInput(f"{file}: cannot be read: {error.strerror}") from None


def _decoded(file: Path, data: bytes) -> _Stored:
    try:
        format_ = msgspec.json.decode(data, type=_Format).format
        if format_ != FORMAT:
            raise BadInput(
                f"{file}: is of format {format_!r}, where {FORMAT!r} was expected: report it "
                "with the version of Playproof that wrote it, or prove again"
            )
        return msgspec.json.decode(data, type=_Stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"{file}: is not what 'playproof prove --out' writes: {error}") from None


def _agree(file: Path, results: Results) -> None:
    """Raise BadInput where a verdict says anything else than its certificate."""
    for one in results.verdicts:
        manifest = results.manifest(one.claim)
        place = f"{file}: {one.game} {one.claim}"
        if one.certificate is None:
            if one.verdict == "proved" and not one.plays:
                raise BadInput(
                    f"{place}: is proved, it says, but has neither certificate nor Play"
                )
            continue
        if manifest is None:
            raise BadInput(
                f"{place}: has a certificate, it says, but there is none in {results.path}"
            )
        said = (one.verdict, one.says, one.clauses, one.certificate.k)
        stated = (manifest.outcome, manifest.says, manifest.clauses, manifest.k)
        names = ("verdict", "says", "clauses", "k")
        for name, ours, theirs in zip(names, said, stated, strict=True):
            if ours != theirs:
                raise BadInput(
                    f"{place}: {name} is {ours!r}, where its certificate says {theirs!r}: one "
                    "of the two was changed; prove it again"
                )
        answers = {
            check: {solver.partition(" ")[0]: answer for solver, answer in given.items()}
            for check, given in manifest.answers.items()
        }
        if one.certificate.obligations != answers:
            raise BadInput(
                f"{place}: the answers of solvers are not those of its certificate: one of the "
                "two was changed; prove it again"
            )
