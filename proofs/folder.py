"""A proof folder as files: its manifest, and everything in it by hash, before it is read.

A manifest says what is stated and lists every file with its SHA-256; ``seal`` is the hash of
the manifest itself. What somebody changed is refused here, and so is a file that is missing,
that nothing speaks of, or that lies elsewhere. Nothing here knows of games: a folder is checked
where there are none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path

import msgspec

from ..errors import BadInput
from .proof_format import FORMAT, MANIFEST, File, Manifest, sealed

__all__ = ["Folder", "folders"]

# A manifest is some kilobytes, and the checks of one property are a megabyte at most.
_MOST = 64_000_000
_MOST_OF_MANIFEST = 4_000_000

_SYSTEM = re.compile(r"\.\./system-[0-9a-f]{8}\.smt2")
_CLAIMS = re.compile(r"claims\.smt2")
_CHECKS = re.compile(r"(base|step|property)\.smt2|\.\./lemmas/[\w.-]+-[0-9a-f]{8}\.smt2")


@dataclass(frozen=True)
class Folder:
    """The folder of one property, every file as its manifest says."""

    path: Path
    manifest: Manifest

    @property
    def name(self) -> str:
        """The game and the property."""
        return f"{self.manifest.game} {self.manifest.property}"

    def text(self, file: File) -> str:
        """Return what a file says; BadInput if it is no text or changed meanwhile."""
        path = self.path / file.file
        try:
            data = path.read_bytes()
            if sha256(data).hexdigest() == file.sha256:
                return data.decode()
        except OSError as error:
            raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
        except UnicodeDecodeError as error:
            raise BadInput(f"{path}: is not UTF-8 text ({error.reason})") from None
        raise BadInput(f"{path}: changed while it was read")


def folders(path: Path) -> tuple[Folder, ...]:
    """Return every property's folder that there is in a folder that ``prove --out`` wrote.

    It may be the whole, one game's or one property's. Raises BadInput, naming every one, for
    files that are changed, missing, foreign or elsewhere, and where there is no proof at all.
    """
    if not path.is_dir():
        raise BadInput(f"{path}: a folder was expected that 'playproof prove --out' wrote")
    found: list[Folder] = []
    wrong: list[str] = []
    if _is_property(path):
        places: list[Path] = [path]
    else:
        games = [path] if _is_game(path) else [one for one in _inside(path) if _is_game(one)]
        wrong += [_link(game) for game in games if game != path and game.is_symlink()]
        places = [one for game in games for one in _inside(game) if one.name != "lemmas"]
    for place in places:
        try:
            found.append(_folder(place))
        except BadInput as error:
            wrong.append(str(error))
    if not wrong:
        wrong += _foreign(path, found)
        wrong += _dropped(path, found)
    if wrong:
        raise BadInput("\n  ".join(["this proof is refused:", *wrong]))
    if not found:
        raise BadInput(
            f"{path}: no proof is here: {MANIFEST} was expected in it, in PROPERTY/ or in "
            "GAME/PROPERTY/, as 'playproof prove --out' writes them"
        )
    return tuple(found)


def _inside(path: Path) -> list[Path]:
    return sorted(one for one in path.iterdir() if one.is_dir() and one.name[0] != ".")


def _is_property(path: Path) -> bool:
    return (path / MANIFEST).exists()


def _is_game(path: Path) -> bool:
    return (path / "lemmas").is_dir() or any(map(_is_property, _inside(path)))


def _folder(path: Path) -> Folder:
    """Return a property's folder once each of its files is what its manifest says."""
    if path.is_symlink():
        raise BadInput(_link(path))
    manifest = _manifest(path / MANIFEST)
    listed = [(_SYSTEM, manifest.system), (_CLAIMS, manifest.claims)]
    listed += [(_CHECKS, file) for file in manifest.checks]
    wrong: list[str] = []
    for form, file in listed:
        if not form.fullmatch(file.file):
            wrong.append(f"{path / MANIFEST}: {file.file!r} is no name of a file of a proof")
        elif problem := _changed(path / file.file, file.sha256):
            wrong.append(problem)
    names = [file.file for _, file in listed]
    if len(set(names)) < len(names):
        wrong.append(f"{path / MANIFEST}: a file is listed twice")
    known = {MANIFEST, "times.json", *names}
    wrong += [
        f"{one}: is no part of the proof: its {MANIFEST} does not list it"
        for one in sorted(path.iterdir())
        if one.name not in known
    ]
    place = path.resolve()
    if (place.parent.name, place.name) != (manifest.game, manifest.property):
        about = f"{manifest.game} {manifest.property}"
        wrong.append(f"{path}: is about {about}, says its {MANIFEST}: it lies elsewhere")
    if wrong:
        raise BadInput("\n  ".join(wrong))
    return Folder(path, manifest)


def _manifest(path: Path) -> Manifest:
    try:
        return _manifest_in(path, _bytes(path))
    except RecursionError:
        raise BadInput(f"{path}: is nested deeper than any manifest of a proof") from None


def _manifest_in(path: Path, data: bytes) -> Manifest:
    try:
        facts = msgspec.json.decode(data)
    except msgspec.DecodeError as error:
        raise BadInput(f"{path}: is not JSON ({error}); is it cut short?") from None
    if not isinstance(facts, dict) or "format" not in facts:
        raise BadInput(f"{path}: is no manifest of a proof: 'format' is missing")
    if str(facts["format"]).startswith("playproof-vmt/"):
        raise BadInput(
            f"{path}: is of a VMT-LIB file: 'prove --vmt' checked it, and any solver can check "
            f"its .smt2 files again; recheck takes format {FORMAT}, of games"
        )
    if facts["format"] != FORMAT:
        raise BadInput(
            f"{path}: is of format {facts['format']!r}, where {FORMAT} was expected: check it "
            "with the version of Playproof that wrote it, or prove again"
        )
    seal = facts.pop("seal", None)
    if sealed(facts)["seal"] != seal:
        raise BadInput(f"{path}: was changed: its seal is not its hash")
    try:
        return msgspec.convert({**facts, "seal": seal}, Manifest)
    except msgspec.ValidationError as error:
        raise BadInput(f"{path}: {error}") from None


def _bytes(path: Path) -> bytes:
    if path.is_symlink():
        raise BadInput(_link(path))
    if not path.is_file():
        raise BadInput(f"{path}: is missing")
    size = path.stat().st_size
    if size > _MOST_OF_MANIFEST:
        raise BadInput(f"{path}: has {size:,} bytes: no manifest has more than a few thousand")
    return path.read_bytes()


def _changed(path: Path, expected: str) -> str:
    """Return what is wrong with a file; "" if it is the one whose hash is given."""
    if path.is_symlink() or path.parent.is_symlink():
        return _link(path)
    if not path.is_file():
        return f"{path}: is missing"
    try:
        with path.open("rb") as data:
            found = file_digest(data, "sha256").hexdigest()
    except OSError as error:
        return f"{path}: cannot be read: {error.strerror}"
    if found != expected:
        return f"{path}: was changed: its SHA-256 is {found}, where {expected} was expected"
    if path.stat().st_size > _MOST:
        return f"{path}: has more than {_MOST:,} bytes: no such proof was ever written"
    return ""


def _link(path: Path) -> str:
    return f"{path}: is a link: the files of a proof lie in its folder"


def _foreign(path: Path, found: Sequence[Folder]) -> Iterator[str]:
    """Yield the shared files of a game that no manifest speaks of."""
    if _is_property(path):
        return
    listed = {
        (folder.path / file.file).resolve()
        for folder in found
        for file in (folder.manifest.system, *folder.manifest.checks)
    }
    for game in sorted({folder.path.parent for folder in found}):
        shared = [one for one in game.iterdir() if not one.is_dir()]
        lemmas = game / "lemmas"
        shared += lemmas.iterdir() if lemmas.is_dir() else []
        for one in sorted(shared):
            if one.resolve() not in listed:
                yield f"{one}: is no part of a proof: no {MANIFEST} lists it"


def _dropped(path: Path, found: Sequence[Folder]) -> Iterator[str]:
    """Yield the proofs that the verdicts of a whole run speak of, and that are not there."""
    verdicts = path / "verdicts.json"
    if not verdicts.is_file():
        return
    try:
        said = json.loads(verdicts.read_bytes())["verdicts"]
        proved = {(one["game"], one["property"]) for one in said if one["certificate"]}
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        yield f"{verdicts}: is not what 'playproof prove --out' writes"
        return
    there = {(folder.manifest.game, folder.manifest.property) for folder in found}
    for game, property_ in sorted(proved - there):
        yield f"{path / game / property_}: is missing: {verdicts.name} says it is proved"
