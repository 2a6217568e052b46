"""Writing files whole or not at all."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import BadInput

__all__ = ["output_folder", "undisturbed", "write_whole"]


def output_folder(path: Path) -> Path:
    """Return a folder to write to, made if need be; BadInput if it cannot be written to."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / f".playproof.{os.getpid()}"
        try:
            probe.touch()
        finally:
            probe.unlink(missing_ok=True)
    except (FileExistsError, NotADirectoryError):
        file = next(one for one in (path, *path.parents) if one.exists())
        which = "it is" if file == path else f"{file} is"
        raise BadInput(
            f"{path}: cannot be written to: {which} a file; a folder to write to was expected"
        ) from None
    except OSError as error:
        raise BadInput(f"{path}: cannot be written to: {error.strerror}") from None
    return path


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold Ctrl-C and SIGTERM back while files that belong together are written."""
    held = {signal.SIGINT, signal.SIGTERM}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, held)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file aside, then put it in place; text as UTF-8 with plain line ends.

    What stands there and is no file, a pipe or a device, is written to as it is. Raises
    BadInput if it cannot be written.
    """
    data = content.encode() if isinstance(content, str) else content
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(data)
        aside.replace(path)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        if path.parent.is_dir():
            aside.unlink(missing_ok=True)
