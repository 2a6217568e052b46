"""The shards of a print run on disk: each a whole Parquet file, written aside and renamed.

A folder beside the run's file holds them, with a manifest of what run they belong to and of the
hash of each. What is interrupted goes on from there: a shard is made again if it is missing or
is not, byte for byte, what the manifest says.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from ...errors import BadInput
from ...files import undisturbed, write_whole
from .joined import join
from .tally import Tally

__all__ = ["Done", "Shard", "Shards", "as_parquet", "no_room"]

_FORMAT = "playproof-print-run"
_VERSION = 1


class Done(msgspec.Struct, frozen=True):
    """A shard that is done: the SHA-256 of its two files, and the counts over its Plays."""

    plays: str
    numbers: str
    tally: Tally


@dataclass(frozen=True)
class Shard:
    """A shard as it is written: a Parquet file, the numbers of its Plays, counts over them."""

    plays: bytes
    numbers: bytes
    tally: Tally


def as_parquet(table: Any) -> bytes:
    """Return a pyarrow table as a Parquet file of one row group."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = pa.BufferOutputStream()
    pq.write_table(
        table,
        out,
        row_group_size=max(1, table.num_rows),
        compression="zstd",
        use_dictionary=["amount", "parts", "row", "events", "paid", "won"],
        write_statistics=False,
    )
    return bytes(out.getvalue())


class _Manifest(msgspec.Struct, frozen=True):
    format: str
    version: int
    run: str
    shards: dict[str, Done]


class Shards:
    """The shards of the run that ends in one file; ``run`` tells it from any other run."""

    def __init__(self, out: Path, run: str) -> None:
        self.out, self._run = out, run
        self.folder = out.with_name(f"{out.name}.parts")
        self._done: dict[int, Done] = {}

    def begin(self) -> None:
        """Make the folder, or find what is in it. Raises BadInput for that of another run."""
        manifest = self.folder / "manifest.json"
        if not manifest.exists():
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise BadInput(f"{self.folder}: cannot be made: {error.strerror}") from None
            self._write()
            return
        try:
            found = msgspec.json.decode(manifest.read_bytes(), type=_Manifest)
        except (OSError, msgspec.DecodeError) as error:
            raise BadInput(
                f"{manifest}: cannot be read: {error}; remove {self.folder} to begin anew"
            ) from None
        if (found.format, found.version, found.run) != (_FORMAT, _VERSION, self._run):
            raise BadInput(
                f"{self.folder} holds parts of another run (other Plays, seed, edition, table "
                "or version): go on with that one, choose another --out, or remove the folder"
            )
        self._done = {int(number): done for number, done in found.shards.items()}

    def done(self, number: int) -> Done | None:
        """Return what is known of a shard; None if it has to be made."""
        done = self._done.get(number)
        if done is None:
            return None
        wanted = {self.file(number): done.plays, self.numbers_file(number): done.numbers}
        return done if all(_hash(path) == hash_ for path, hash_ in wanted.items()) else None

    def note(self, number: int, done: Done) -> None:
        """Note that a shard is done."""
        self._done[number] = done
        self._write()

    def file(self, number: int) -> Path:
        """Return the file of a shard's Plays."""
        return self.folder / f"{number:06}.parquet"

    def numbers_file(self, number: int) -> Path:
        """Return the file of the numbers that stand for what its Plays reveal."""
        return self.folder / f"{number:06}.numbers"

    def put(self, number: int, shard: Shard) -> Done:
        """Write a shard; return what to note. Raises BadInput if it cannot be written."""
        for path, data in (
            (self.file(number), shard.plays),
            (self.numbers_file(number), shard.numbers),
        ):
            aside = path.with_name(f".{path.name}.{os.getpid()}")
            try:
                aside.write_bytes(data)
                aside.replace(path)
            except OSError as error:
                raise no_room(path, error) from None
            finally:
                aside.unlink(missing_ok=True)
        plays, numbers = map(hashlib.sha256, (shard.plays, shard.numbers))
        return Done(plays.hexdigest(), numbers.hexdigest(), shard.tally)

    def numbers(self, count: int) -> list[Any]:
        """Return the numbers of so many shards."""
        return [np.fromfile(self.numbers_file(number), "<i8") for number in range(count)]

    def finish(self, count: int) -> None:
        """Join so many shards into the run's file, and remove them. Raises BadInput."""
        aside = self.out.with_name(f".{self.out.name}.{os.getpid()}")
        try:
            with aside.open("wb") as file:
                join([self.file(number) for number in range(count)], file)
            with undisturbed():
                aside.replace(self.out)
                shutil.rmtree(self.folder, ignore_errors=True)
        except OSError as error:
            raise no_room(self.out, error) from None
        finally:
            aside.unlink(missing_ok=True)

    def _write(self) -> None:
        shards = {str(number): done for number, done in sorted(self._done.items())}
        manifest = _Manifest(_FORMAT, _VERSION, self._run, shards)
        write_whole(self.folder / "manifest.json", msgspec.json.encode(manifest))


def no_room(path: Path, error: OSError) -> BadInput:
    """Return the error for a file that cannot be written: the disk may be full."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    more = ": make room, and give the same command again to go on" if full else ""
    return BadInput(f"{path}: cannot be written: {error.strerror or error}{more}")


def _hash(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
