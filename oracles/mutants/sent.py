"""Work that writes files, done where the folder they belong into is not.

It writes into a folder of its own there, and the files come back with what it came to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from ...files import write_whole
from ...proofs.budget import Budget
from ...proofs.campaign import Memory, Work
from ...proofs.events import Event, Listener

__all__ = ["Brought", "Sent", "unpacking"]


class Writing(Work, Protocol):
    """Work that can be told into what folder it writes."""

    def into(self, out: Path) -> Work: ...


@dataclass(frozen=True)
class Brought:
    """What work came to, and the files it wrote, by their place in the folder."""

    result: object
    files: Mapping[str, bytes]


@dataclass(frozen=True)
class Sent:
    """Work to be done elsewhere, as work that comes to what it brings back."""

    work: Writing

    @property
    def game(self) -> str:
        return self.work.game

    @property
    def weight(self) -> int:
        return self.work.weight

    @property
    def property(self) -> str:
        return self.work.property

    def decide(self, budget: Budget, tell: Listener, memory: Memory) -> object:
        """Decide it in a folder that is gone afterwards."""
        said: list[Event] = []
        with TemporaryDirectory() as name:
            folder = Path(name)
            self.work.into(folder).decide(budget, said.append, memory)
            files = {
                str(path.relative_to(folder)): path.read_bytes()
                for path in sorted(folder.rglob("*"))
                if path.is_file()
            }
        brought = Brought(said[-1].result(), files)
        tell(replace(said[-1], sanity=brought))
        return brought


def unpacking(out: Path, listener: Listener) -> Listener:
    """Return a listener that writes what is brought into a folder as it comes, then tells."""

    def hear(event: Event) -> None:
        brought = event.sanity
        if isinstance(brought, Brought):
            for name, data in brought.files.items():
                write_whole(out / name, data)
            event = replace(event, sanity=brought.result)
        listener(event)

    return hear
