"""Reports written to a folder: a page a game, a PDF of it, and a page for each of its Plays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from ...errors import BadInput
from ...files import output_folder, write_whole
from ...models.games import game_ids
from ..diagram import diagram, rules_of
from ..faults import Exit
from ..numbers import some
from ..view import film_of_play
from ..view import page as play_page
from .contents import Report, report
from .page import page
from .pdf import pdf
from .source import source_of
from .stored import Results, read_results

__all__ = ["Asked", "Written", "write_reports"]


@dataclass(frozen=True)
class Asked:
    """What reports are to be made from, and which files: PDFs, and a page for each Play."""

    edition: Path | None = None
    scripts: Path | None = None
    mutants: Path | None = None
    pdf: bool = False
    plays: bool = True


@dataclass(frozen=True)
class Written:
    """A report that was written: its page (bytes), how many Plays, what it says in short."""

    page: Path
    size: int
    plays: int
    verdict: str
    exit_code: Exit
    paper: Path | None = None

    def lines(self) -> Iterator[str]:
        """Yield what there is, for people."""
        beside = f", with {some(self.plays, 'Play')} to step through" if self.plays else ""
        yield f"{self.page}: {self.size // 1000:,} kB{beside}"
        if self.paper:
            yield f"{self.paper}"
        yield f"  {self.verdict}"


def write_reports(
    references: Sequence[str], results: Path, out: Path, asked: Asked, jobs: int = 1
) -> tuple[Written, ...]:
    """Write a report of each game, or of all that results are of, and return what there is.

    Raises BadInput for results, editions and scripts that are not what they should be; and
    where PDFs are asked for and cannot be made, once the pages are written.
    """
    found = read_results(results)
    games = list(dict.fromkeys(references)) or [id_ for id_ in found if id_ in game_ids()]
    if not games:
        raise BadInput(f"{results}: is of {', '.join(found)}; say which as module:ATTRIBUTE")
    if asked.edition is not None and len(games) > 1:
        raise BadInput(f"{asked.edition}: an edition is of one game; name that game alone")
    output_folder(out)
    able = find_spec("weasyprint") is not None
    work = partial(_write, found=found, out=out, asked=replace(asked, pdf=asked.pdf and able))
    if jobs > 1 and len(games) > 1:
        with ProcessPoolExecutor(min(jobs, len(games))) as pool:
            written = tuple(pool.map(work, games))
    else:
        written = tuple(map(work, games))
    if asked.pdf and not able:
        pdf("")
    return written


def _write(reference: str, found: dict[str, Results], out: Path, asked: Asked) -> Written:
    source = source_of(reference, found, asked.edition, asked.scripts, asked.mutants)
    made = report(source)
    drawn = ""
    if source.edition is not None:
        graph = rules_of(source.edition, source.results.readings)
        drawn = diagram(source.edition.game, graph, by_dot=False)
    folder = f"plays/{made.game}"

    def link(id_: str) -> str:
        return f"{folder}/{id_}.html" if asked.plays else ""

    text = page(made, diagram=drawn, link=link)
    path, paper = out / f"{made.game}.html", out / f"{made.game}.pdf"
    write_whole(path, text)
    for told in made.plays if asked.plays else ():
        film = film_of_play(
            told.game,
            told.play,
            f"{made.title}: {told.title}",
            facts=(("under", "; ".join(told.under)),),
            broken_after=told.mark if told.breaks else None,
            breaks=told.marked,
        )
        write_whole(out / link(told.id), play_page(film))
    if asked.pdf:
        write_whole(paper, pdf(page(made, paper=True, diagram=drawn)))
    return Written(
        path,
        len(text.encode()),
        len(made.plays) if asked.plays else 0,
        made.verdict,
        _exit(made),
        paper if asked.pdf else None,
    )


def _exit(made: Report) -> Exit:
    """Return the exit code: wrong weighs more than open."""
    open_ = [one for one in made.results.verdicts if not one.as_expected]
    if any(point.mark == "bad" and point.about != "Expected" for point in made.answer):
        return Exit.WRONG
    if any(one.verdict not in ("undecided", "bounded") for one in open_):
        return Exit.WRONG
    return Exit.OPEN if open_ else Exit.FINE
