"""Where logs come from: files, folders, patterns, here or elsewhere, or standard input."""

from __future__ import annotations

import glob
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import BadInput
from .remote import is_remote, reached, remote, remote_matching

__all__ = ["PARQUET", "Source", "find_sources", "is_zstd", "needs"]

PARQUET = b"PAR1"
"""What a Parquet file begins with."""

_ZSTD = b"\x28\xb5\x2f\xfd"
_SUFFIXES = (".jsonl", ".ndjson", ".json", ".log", ".gz", ".zst", ".zstd", ".parquet")
_EXTRA = {"zstandard": "packed with zstd", "pyarrow": "Parquet"}


@dataclass(frozen=True)
class Source:
    """One file to read, or standard input; ``size`` is in bytes, 0 where nobody knows."""

    name: str
    path: Path | None
    size: int


def find_sources(paths: Sequence[str]) -> tuple[Source, ...]:
    """Return the files that paths name: files, folders, patterns, or ``-`` for standard input.

    A folder stands for the logs in it, at any depth, in order of their names. Raises BadInput
    for a path that leads to nothing or cannot be read, and for a kind of file that takes a
    package which is not installed.
    """
    found: dict[Path | None, Source] = {}
    for path in paths:
        for source in _named(path):
            found.setdefault(source.path and source.path.resolve(), source)
    for source in found.values():
        _check(source)
    return tuple(found.values())


def _named(path: str) -> list[Source]:
    if path == "-":
        return [Source("-", None, 0)]
    if not path:
        raise BadInput("a log was expected, not nothing")
    if is_remote(path):
        return _elsewhere(path)
    there = Path(path)
    if there.is_dir():
        return [_source(each) for each in _logs_in(there)]
    if not there.exists() and glob.has_magic(path):
        matching = [Path(name) for name in sorted(glob.glob(path, recursive=True))]
        if not matching:
            raise BadInput(f"{path}: no file is called like this")
        return [_source(each) for each in matching if not each.is_dir()]
    return [_source(there)]


def _elsewhere(url: str) -> list[Source]:
    """Return the logs that a URL names: a file, a folder or a pattern."""
    if glob.has_magic(url):
        found = [each for each in remote_matching(url) if not each.is_dir()]
        if not found:
            raise BadInput(f"{url}: no file is called like this")
        return [_source(each) for each in found]
    there = remote(url)
    with reached(url):
        if there.is_dir():
            return [_source(each) for each in _logs_in(there)]
        if not there.exists():
            raise BadInput(f"{url}: there is no such file")
        return [_source(there)]


def _logs_in(folder: Path) -> list[Path]:
    inside = [
        each
        for each in sorted(folder.rglob("*"), key=lambda path: path.parts)
        if _is_log(each, folder)
    ]
    if not inside:
        raise BadInput(f"{folder}: no log in this folder: {', '.join(_SUFFIXES)}")
    return inside


def _is_log(path: Path, folder: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return path.suffix.lower() in _SUFFIXES and path.is_file() and not hidden


def _source(path: Path) -> Source:
    try:
        return Source(str(path), path, path.stat().st_size)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None


def _check(source: Source) -> None:
    """Raise BadInput for a file that cannot be opened, or that takes what is not installed."""
    if source.path is None or not source.path.is_file():
        return  # a pipe cannot be read twice
    try:
        with source.path.open("rb") as file:
            first = file.read(4)
    except OSError as error:
        raise BadInput(f"{source.name}: cannot be read: {error.strerror}") from None
    if is_zstd(first):
        needs("zstandard", source.name)
    elif first.startswith(PARQUET):
        needs("pyarrow", source.name)


def is_zstd(first: bytes) -> bool:
    """Return whether data begins as zstd does, or with what zstd may be preceded by."""
    return first.startswith(_ZSTD) or (first[1:4] == b"\x2a\x4d\x18" and first[0] >> 4 == 5)


def needs(package: str, name: str) -> None:
    """Raise BadInput where a file takes a package that is not installed."""
    if importlib.util.find_spec(package) is None:
        raise BadInput(
            f"{name} is {_EXTRA[package]}, which takes the package {package}: "
            f"pip install {package}"
        )
