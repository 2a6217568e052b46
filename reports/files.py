"""Writing files whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from ..models.errors import BadInput

__all__ = ["output_folder", "write_whole"]


def output_folder(path: Path) -> Path:
    """Return a folder to write to, made if need be; BadInput if it cannot be written to."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / f".playproof.{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise BadInput(f"{path}: cannot be written to: {error.strerror}") from None
    return path


def write_whole(path: Path, text: str) -> None:
    """Write a text aside, then put it in place; BadInput if it cannot be written."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        aside.write_text(text, encoding="utf-8", newline="\n")
        aside.replace(path)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        aside.unlink(missing_ok=True)
