"""What share of files is decided within 15 s each on 2 cores; ``pytest -m bench -s`` prints it.

The set of the tests is small. Put other files, benchmarks say, into a folder and name it in
``PLAYPROOF_VMT_FILES``: after a line for each file comes a table by family (what is before the
first ``_`` of a name). A first line ``; expect safe`` or ``unsafe`` says what is right.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pytest

from playproof.proofs.vmt.deciding import decide
from playproof.proofs.vmt.reader import read_vmt
from playproof.proofs.vmt.system import build

OWN = Path(__file__).parent / "vmt"
SECONDS = 15.0


def known(path: Path, text: str) -> str:
    """Return what is known of a file: by its folder, or by its first line."""
    first = text.partition("\n")[0]
    if first.startswith("; expect "):
        return first.removeprefix("; expect ").strip()
    return path.parent.name if path.is_relative_to(OWN) else ""


@dataclass(frozen=True)
class Tried:
    """A file: its family, what is known of it, what was answered, in how many seconds."""

    name: str
    family: str
    known: str
    outcomes: frozenset[str]
    seconds: float

    @property
    def wrong(self) -> bool:
        answers = self.outcomes - {"undecided"}
        return self.known in ("safe", "unsafe") and bool(answers - {self.known})

    @property
    def decided(self) -> bool:
        return "undecided" not in self.outcomes and not self.wrong


def tried(path: Path, given: bool) -> Tried:
    text = path.read_text("utf-8")
    system = build(read_vmt(text, path.name))
    began = time.perf_counter()
    outcomes = {one.outcome for one in decide(system.file, text, system, SECONDS, jobs=2)}
    taken = time.perf_counter() - began
    family = path.stem.partition("_")[0] if given else path.parent.name
    return Tried(path.stem, family, known(path, text), frozenset(outcomes), taken)


def table(files: Sequence[Tried]) -> Iterator[str]:
    """Yield a row for each family, and one for all."""
    yield f"{'family':12} files decided undecided wrong   share  mean s  most s"
    ordered = sorted(files, key=lambda one: one.family)
    families = [(name, list(some)) for name, some in groupby(ordered, lambda one: one.family)]
    for name, some in [*families, ("all", ordered)]:
        decided, wrong = sum(one.decided for one in some), sum(one.wrong for one in some)
        times = [one.seconds for one in some]
        yield (
            f"{name:12} {len(some):5} {decided:7} {len(some) - decided - wrong:9} {wrong:5} "
            f"{decided / len(some):7.0%} {sum(times) / len(some):7.1f} {max(times):7.1f}"
        )


def test_the_table_counts_each_family_and_tells_wrong_from_undecided():
    rows = list(
        table(
            [
                Tried("bv_a", "bv", "safe", frozenset({"safe"}), 1.0),
                Tried("bv_b", "bv", "safe", frozenset({"unsafe", "undecided"}), 2.0),
                Tried("bv_c", "bv", "", frozenset({"safe", "undecided"}), 15.0),
                Tried("lustre_d", "lustre", "", frozenset({"unsafe"}), 4.0),
            ]
        )
    )

    assert [row.split() for row in rows[1:]] == [
        ["bv", "3", "1", "1", "1", "33%", "6.0", "15.0"],
        ["lustre", "1", "1", "0", "0", "100%", "4.0", "4.0"],
        ["all", "4", "2", "1", "1", "50%", "5.5", "15.0"],
    ]


@pytest.mark.bench
def test_files_are_decided_in_time_and_none_wrongly():
    given = os.environ.get("PLAYPROOF_VMT_FILES")
    folders = [Path(given)] if given else [OWN / "safe", OWN / "unsafe"]
    files = []
    for path in sorted(one for folder in folders for one in folder.glob("*.vmt")):
        files.append(one := tried(path, bool(given)))
        answer = " ".join(sorted(one.outcomes))
        sys.stdout.write(f"{one.name:32} {answer:10} {one.seconds:5.1f} s\n")
    sys.stdout.write("\n".join(["", *table(files), ""]))

    assert files, f"no .vmt file in {', '.join(map(str, folders))}"
    assert [one.name for one in files if one.wrong] == []
    assert given or all(one.decided for one in files)
