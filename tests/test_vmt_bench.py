"""What share of files is decided within 15 s each on 2 cores; ``pytest -m bench -s`` prints it.

The set of the tests is small. Put other files, benchmarks say, into a folder and name it in
``PLAYPROOF_VMT_FILES``: the share of each family (what comes before the first ``_`` of a name)
is printed. A first line ``; expect safe`` or ``; expect unsafe`` says what an answer must be.
"""

from __future__ import annotations

import os
import sys
import time
from collections import defaultdict
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


@pytest.mark.bench
def test_files_are_decided_in_time_and_none_wrongly():
    given = os.environ.get("PLAYPROOF_VMT_FILES")
    folders = [Path(given)] if given else [OWN / "safe", OWN / "unsafe"]
    share: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    wrong, opened = [], []
    for path in sorted(one for folder in folders for one in folder.glob("*.vmt")):
        text = path.read_text("utf-8")
        system = build(read_vmt(text, path.name))
        began = time.perf_counter()
        outcomes = {one.outcome for one in decide(system.file, text, system, SECONDS, jobs=2)}
        taken = time.perf_counter() - began
        expected = known(path, text)
        family = path.stem.partition("_")[0] if given else path.parent.name
        if expected in ("safe", "unsafe") and outcomes - {expected, "undecided"}:
            wrong.append(path.name)
        if "undecided" in outcomes:
            opened.append(path.name)
        share[family][0] += "undecided" not in outcomes
        share[family][1] += 1
        sys.stdout.write(f"{path.stem:32} {' '.join(sorted(outcomes)):10} {taken:5.1f} s\n")
    for family, (decided, files) in share.items():
        sys.stdout.write(f"{family}: {decided} of {files} decided ({decided / files:.0%})\n")
    assert wrong == []
    assert given or opened == []
