"""Files that are not on this machine: anything that fsspec has a name for, like ``s3://``."""

from __future__ import annotations

import glob
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from ..errors import BadInput

__all__ = ["is_here", "is_remote", "parquet_file", "reached", "remote", "remote_matching"]


def is_remote(name: str) -> bool:
    """Return whether a name is a URL, not a path."""
    return "://" in name


def is_here(path: Path) -> bool:
    """Return whether a path is one of this machine, and no other file system's."""
    return type(path) is type(Path())


def remote(url: str) -> Path:
    """Return what acts as a path to a file elsewhere.

    Raises BadInput where packages are missing or nothing knows of such a place.
    """
    try:
        from upath import UPath
    except ImportError:
        raise BadInput(
            f"{url}: files elsewhere take universal_pathlib, which is not installed: "
            "pip install 'playproof[cluster]'"
        ) from None
    with reached(url):
        return cast(Path, UPath(url))


def remote_matching(url: str) -> list[Path]:
    """Return the files whose URL fits a pattern, in order. Raises BadInput as ``remote``."""
    start, _, pattern = url.partition("://")
    folders = pattern.split("/")
    plain = next(n for n, folder in enumerate(folders) if glob.has_magic(folder))
    base = remote(f"{start}://{'/'.join(folders[:plain])}")
    with reached(url):
        return sorted(base.glob("/".join(folders[plain:])), key=lambda path: path.parts)


@contextmanager
def reached(url: str) -> Iterator[None]:
    """Turn whatever a file system fails with into BadInput that names the place."""
    try:
        yield
    except BadInput:
        raise
    except Exception as error:  # of whatever package serves it
        said = str(error).partition("\n")[0] or type(error).__name__
        raise BadInput(f"{url}: cannot be reached: {said}") from None


def parquet_file(path: Path) -> Any:
    """Return a Parquet file, here or elsewhere, opened by pyarrow. Raises what pyarrow does."""
    import pyarrow.parquet

    if isinstance(path, Path):
        return pyarrow.parquet.ParquetFile(path, memory_map=True, pre_buffer=False)
    return pyarrow.parquet.ParquetFile(path.open("rb"), pre_buffer=True)
