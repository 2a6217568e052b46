"""A run of ``playproof prove --vmt``: files read, properties decided, what is printed of it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..errors import BadInput
from ..proofs.vmt.apart import DIED
from ..proofs.vmt.deciding import DOUBTED, Decision, decide
from ..proofs.vmt.file import VmtFile, read_text
from ..proofs.vmt.reader import read_vmt
from ..proofs.vmt.sanity import look
from ..proofs.vmt.system import System, build
from ..proofs.vmt.trace import Trace
from ..proofs.vmt.values import shown
from .faults import Exit
from .words import seconds, some

__all__ = ["GENEROUS", "File", "Result", "files_given", "prove_files"]

GENEROUS = 60.0
"""Seconds for each property where none are given: foreign files may take for ever."""

_STYLE = {"safe": "green", "unsafe": "red", "undecided": "yellow"}


@dataclass(frozen=True)
class File:
    """A file, its hash, what was decided of its properties, and what else is to be said."""

    path: Path
    sha256: str
    file: VmtFile
    decisions: tuple[Decision, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """What a run found out. ``seconds`` is what it took."""

    files: tuple[File, ...]
    seconds: float

    @property
    def exit_code(self) -> Exit:
        """0 all safe, 1 some unsafe, 3 some undecided and none unsafe."""
        outcomes = {one.outcome for file in self.files for one in file.decisions}
        if "unsafe" in outcomes:
            return Exit.WRONG
        return Exit.OPEN if "undecided" in outcomes else Exit.FINE

    def text(self) -> RenderableType:
        """Return the table, then traces and remarks."""
        remarks = [line for file in self.files for line in _remarks(file)]
        return Group(self._table(), *remarks, Text(self._summary(), style="bold"))

    def _table(self) -> RenderableType:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for column in ("property", "verdict", "method"):
            table.add_column(column, no_wrap=column != "method")
        table.add_column("time", justify="right", no_wrap=True)
        table.add_column("certificate", no_wrap=True)
        for file in self.files:
            table.add_row(Text(str(file.path), style="bold"))
            for one in file.decisions:
                table.add_row(
                    Text(f"  {title(one)}"),
                    Text(one.outcome, style=_STYLE[one.outcome]),
                    Text(one.method),
                    Text(seconds(one.seconds)),
                    Text(evidence(one)),
                )
        return table

    def _summary(self) -> str:
        outcomes = [one.outcome for file in self.files for one in file.decisions]
        counted = [f"{outcomes.count(one)} {one}" for one in _STYLE if one in outcomes]
        return f"{', '.join(counted)}. {seconds(self.seconds)} in all."


def title(decision: Decision) -> str:
    """Return a property's number and the name of the definition it stands in."""
    return f"{decision.claim.number} {decision.claim.name}"


def evidence(decision: Decision) -> str:
    """Return what shows a verdict, and who checked it."""
    if decision.trace is not None:
        return f"trace of {some(len(decision.trace.moments) - 1, 'step')}, re-checked"
    if decision.certificate is None:
        return ""
    parts = [check.part for check in decision.certificate.checks]
    by_all = {
        solver: [one.answer for one in decision.checked if one.solver == solver]
        for solver in dict.fromkeys(one.solver for one in decision.checked)
    }
    whole = [name for name, answers in by_all.items() if answers == ["unsat"] * len(parts)]
    some_ = [
        f"{name} ({answers.count('unsat')} of {len(parts)})"
        for name, answers in by_all.items()
        if name not in whole and "unsat" in answers
    ]
    return f"k = {decision.certificate.k}: {', '.join([*whole, *some_])}"


def files_given(options: Sequence[Path], arguments: Sequence[str]) -> list[Path]:
    """Return the files of ``--vmt A B``: arguments are more files. BadInput for a game."""
    for argument in arguments:
        if not Path(argument).exists():
            raise BadInput(
                f"{argument}: no such file; with --vmt all arguments are VMT-LIB files, and "
                "games are proved without it"
            )
    return [*options, *map(Path, arguments)]


def prove_files(
    paths: Sequence[Path], jobs: int, timeout: float | None, console: Console
) -> Result:
    """Decide all properties of files; ``timeout`` is in seconds for each property.

    Every file is read before the first is worked at. Raises BadInput for a file that cannot be
    read or has no initial state, KeyboardInterrupt on Ctrl-C.
    """
    began = time.perf_counter()
    read: list[tuple[Path, str, System, tuple[str, ...]]] = []
    for path in paths:
        text = read_text(path)
        system = build(read_vmt(text, str(path)))
        read.append((path, text, system, look(text, str(path), timeout or GENEROUS)))
    found = []
    for path, text, system, notes in read:
        decisions = []
        with console.status(f"{path}") if console.is_terminal else nullcontext():
            for decision in decide(system.file, text, system, timeout or GENEROUS, jobs):
                decisions.append(decision)
        decisions.sort(key=lambda one: one.claim.number)
        digest = sha256(text.encode()).hexdigest()
        found.append(File(path, digest, system.file, tuple(decisions), notes))
    return Result(tuple(found), time.perf_counter() - began)


def _remarks(file: File) -> Iterator[RenderableType]:
    for note in file.notes:
        yield Text(f"{file.path}: {note}", style="yellow")
    for one in file.decisions:
        if one.trace is not None:
            yield Text(f"{file.path} {title(one)}: a run that breaks it", style="bold")
            yield Text("\n".join(lines(file.file, one.trace)))
        if one.outcome == "undecided":
            yield Text(f"{file.path} {title(one)}: undecided", style="bold")
        for remark in one.remarks:
            loud = "bold red" if remark.startswith((DOUBTED, DIED)) else "dim"
            yield Text(f"  {remark}", style=loud)


def lines(file: VmtFile, trace: Trace) -> Iterator[str]:
    """Yield the lines of a trace: the first state, then inputs and what changes, by step."""
    seen = set(file.observed)
    first, *rest = trace.moments
    yield "  start"
    yield from _values(first.state, "")
    before = first
    for number, moment in enumerate(rest, start=1):
        yield f"  step {number}"
        given = {**before.inputs, **{n: v for n, v in before.state.items() if n in seen}}
        if given:
            inputs = ", ".join(f"{name} = {shown(text)}" for name, text in given.items())
            yield f"       inputs  {inputs}"
        changes = {
            name: text
            for name, text in moment.state.items()
            if name not in seen and text != before.state[name]
        }
        yield from _changes(before.state, changes)
        before = moment
    yield "  this state breaks it"


def _values(state: object, indent: str) -> Iterator[str]:
    assert isinstance(state, dict)
    for name, text in state.items():
        yield f"       {indent}{name} = {shown(text)}"


def _changes(before: object, after: dict[str, str]) -> Iterator[str]:
    assert isinstance(before, dict)
    if not after:
        yield "       nothing changes"
    for name, text in after.items():
        yield f"       {name}: {shown(before[name])} → {shown(text)}"
