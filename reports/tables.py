"""Tables for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..proofs.verdict import Outcome, Verdict
from .ending import ending_lines
from .explain import Explanation
from .judged import Judged, not_covered
from .overview import Overview
from .trace import lines, lines_beside, way_on
from .words import implicant, seconds, some

__all__ = ["explanations", "games", "paragraphs", "remarks", "summary", "verdicts"]


def games(overviews: Iterable[Overview]) -> RenderableType:
    """Return what there is of each game, below its id."""
    return explanations(
        Explanation(
            one.id,
            (
                ("title", one.title),
                ("clauses", f"{one.clauses}"),
                ("rules", f"{one.rules}"),
                ("properties", f"{one.properties}, proved with {some(one.lemmas, 'lemma')}"),
                ("promises", f"{one.promises}"),
                ("parameters", f"{one.parameters}"),
                ("readings", f"{one.readings}: {some(one.ways, 'way')} to take them"),
                ("prizes", f"{one.prizes or 'none'}"),
            ),
        )
        for one in overviews
    )


def explanations(found: Iterable[Explanation]) -> RenderableType:
    """Return what was explained, each as a heading with its facts below."""
    parts: list[RenderableType] = []
    for one in found:
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="dim", no_wrap=True)
        grid.add_column()
        for what, words in one.facts:
            grid.add_row(Text(f"  {what}"), Text(words))
        parts += [Text(one.title, style="bold"), grid, Text()]
    return Group(*parts[:-1])


def verdicts(judged: Sequence[Judged]) -> RenderableType:
    """Return the table of verdicts, each marked where it is not the expected one."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("property", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("method")
    table.add_column("time", justify="right", no_wrap=True)
    table.add_column("certificate", no_wrap=True)
    game = ""
    for one in judged:
        verdict = one.verdict
        if verdict.game != game:
            game = verdict.game
            table.add_row(Text(game, style="bold"))
        shown = Text(verdict.outcome.value, style=_STYLE[verdict.outcome])
        if one.surprise:
            shown.append(" (unexpected)", style="bold red")
        table.add_row(
            Text(f"  {verdict.property}"),
            shown,
            _method(verdict),
            seconds(verdict.seconds),
            _certificate(verdict),
        )
    return table


def summary(judged: Sequence[Judged], took: float) -> Text:
    """Return the closing lines: how many of each verdict, what differs, where time went."""
    counts = Counter(one.verdict.outcome for one in judged)
    said = ", ".join(f"{counts[o]} {o.value}" for o in Outcome if counts[o])
    odd = sum(bool(one.surprise) for one in judged)
    fits = "all as expected" if not odd else f"{odd} not as expected"
    spent: Counter[str] = Counter()
    for one in judged:
        spent.update(dict(one.verdict.spent))
    shares = ", ".join(f"{who} {seconds(time)}" for who, time in spent.items())
    return Text(f"{said}: {fits}.\n{seconds(took)} in all; at work: {shares}.")


def remarks(judged: Iterable[Judged]) -> Iterator[RenderableType]:
    """Yield what the table has no room for: readings, Plays step by step, remarks."""
    for one in judged:
        if not one.surprise and one.verdict.outcome is Outcome.PROVED:
            continue
        yield Text(f"{one.verdict.game} {one.verdict.property}", style="bold")
        yield from paragraphs(_remarks(one))
        yield Text()


def paragraphs(lines: Iterable[str]) -> Iterator[RenderableType]:
    """Yield lines that keep their indentation where they are broken."""
    for line in lines:
        words = line.lstrip()
        yield Padding(Text(words), (0, 0, 0, len(line) - len(words)))


def _remarks(one: Judged) -> Iterator[str]:
    verdict = one.verdict
    yield f"  {one.claim.says}"
    yield f"  {one.surprise or f'{verdict.outcome.value}, as expected'}"
    for cube in verdict.fails_under:
        yield f"  fails under {implicant(cube)}"
    if verdict.remark:
        yield f"  {verdict.remark}"
    if verdict.outcome is not Outcome.PROVED:
        yield f"  not covered: {not_covered(verdict)}"
    if verdict.termination:
        for line in ending_lines(one.game, verdict.termination):
            yield f"  {line}"
    for way in verdict.ways_on:
        yield f"  way on {way.id}: {way_on(one.game, way)}"
    for (play, broken_after), beside in zip_longest(verdict.plays, verdict.beside):
        for line in lines(one.game, play, broken_after):
            yield f"  {line}"
        if beside is not None:
            for line in lines_beside(one.game, beside):
                yield f"  {line}"


_STYLE = {
    Outcome.PROVED: "green",
    Outcome.REFUTED: "red",
    Outcome.DEPENDS: "yellow",
    Outcome.BOUNDED: "magenta",
    Outcome.UNDECIDED: "magenta",
}


def _method(verdict: Verdict) -> str:
    if verdict.plays and verdict.outcome is Outcome.REFUTED:
        return f"{verdict.method}, {some(verdict.depth, 'step')}"
    return verdict.method


def _certificate(verdict: Verdict) -> str:
    if verdict.certificate is not None:
        solvers = dict.fromkeys(a.solver for a in verdict.answers if a.answer == "unsat")
        return f"k = {verdict.certificate.k}: {', '.join(solvers)}"
    if verdict.plays:
        return "Play, replayed"
    return "none"
