"""Ending whatever a process has started, also what went its own way with ``setsid``.

A process hands its environment on to those that it starts, and they to theirs. So all of them
carry the mark that the first one was given, and are found by it where there is ``/proc`` (on
Linux). One that starts with an environment of its own is not found.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
from collections.abc import Iterator
from pathlib import Path

__all__ = ["end_all", "marked"]

_NAME = "PLAYPROOF_BUILD"
_PROC = Path("/proc")
_ROUNDS = 10  # those that were found may have started others meanwhile


def marked() -> tuple[bytes, dict[str, str]]:
    """Return a mark that nobody else has, and our environment with it."""
    value = secrets.token_hex(16)
    return f"{_NAME}={value}".encode(), os.environ | {_NAME: value}


def end_all(mark: bytes) -> None:
    """Kill every process that carries a mark, as far as they can be found."""
    for _ in range(_ROUNDS):
        found = list(_carrying(mark))
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return


def _carrying(mark: bytes) -> Iterator[int]:
    if not _PROC.is_dir():
        return
    for entry in os.scandir(_PROC):
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):  # gone, or somebody else's
                if mark in Path(entry.path, "environ").read_bytes().split(b"\0"):
                    yield int(entry.name)
