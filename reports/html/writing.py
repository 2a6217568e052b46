"""Reports written to a folder: a page a game, a PDF of it, and a page for each of its Plays.

What a page says is worked out first, and nothing is written where that fails. The page itself
is put in place last, so that whatever it links to is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import nullcontext
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import ParamSpec, TypeVar

from ...errors import BadInput
from ...files import output_folder, write_whole
from ...models.games import game_ids
from ..diagram import diagram, rules_of
from ..faults import Exit, end_with_parent
from ..numbers import some
from ..request import game_of
from ..view import film_of_play
from ..view import page as play_page
from .contents import Report, report
from .page import page
from .pdf import pdf
from .plays import Player, Told
from .source import source_of
from .stored import Results, read_results

__all__ = ["Asked", "Written", "write_reports"]

P = ParamSpec("P")
R = TypeVar("R")

_AT_ONCE = 8  # Plays whose pages are written in one go


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
    if out.exists():
        output_folder(out)
    able = find_spec("weasyprint") is not None
    pool = ProcessPoolExecutor(jobs, initializer=end_with_parent) if jobs > 1 else None
    with pool or nullcontext(_AtOnce()) as workers:
        drafts = [workers.submit(_drafted, game, found, asked) for game in games]
        parts: list[Future[None]] = []
        for one in as_completed(drafts):
            if one.exception() is None:
                output_folder(out)
                draft = one.result()
                if asked.pdf and able:
                    parts.append(workers.submit(_print, draft.paper, draft.at(out, "pdf")))
                for n in range(0, len(draft.plays), _AT_ONCE):
                    plays = draft.plays[n : n + _AT_ONCE]
                    few = replace(draft, text="", paper="", plays=plays)
                    parts.append(workers.submit(_write_plays, few, out))
        made = [one.result() for one in drafts]
        for part in parts:
            part.result()
    written = tuple(_written(draft, out, asked.pdf and able) for draft in made)
    if asked.pdf and not able:
        pdf("")
    return written


@dataclass(frozen=True)
class _Draft:
    """A report that is worked out, with all that has to be written; ``paper`` is for a PDF."""

    reference: str
    game: str
    title: str
    results: Path
    text: str
    paper: str
    plays: tuple[Told, ...]
    verdict: str
    exit_code: Exit

    def at(self, out: Path, ending: str) -> Path:
        return out / f"{self.game}.{ending}"


class _AtOnce(Executor):
    """Does in this process, at once, what it is given to do."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Return what a function gives, or what it raises."""
        done: Future[R] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        return done


def _drafted(reference: str, found: dict[str, Results], asked: Asked) -> _Draft:
    source = source_of(reference, found, asked.edition, asked.scripts, asked.mutants)
    made = report(source)
    drawn = ""
    if source.edition is not None:
        graph = rules_of(source.edition, source.results.readings)
        seen = {way for told in made.plays for way in told.ways}
        drawn = diagram(source.edition.game, graph, seen=seen, by_dot=False)

    def link(id_: str) -> str:
        return _page_of(made.game, id_) if asked.plays else ""

    return _Draft(
        reference,
        made.game,
        made.title,
        source.results.path,
        page(made, diagram=drawn, link=link),
        page(made, paper=True, diagram=drawn) if asked.pdf else "",
        made.plays if asked.plays else (),
        made.verdict,
        _exit(made),
    )


def _page_of(game: str, play: str) -> str:
    return f"plays/{game}/{play}.html"


def _write_plays(draft: _Draft, out: Path) -> None:
    """Write a page for each Play, to step through it."""
    player = Player(game_of(draft.reference), draft.results, None)
    for told in draft.plays:
        game, play, points = player.play(told.data, told.title)
        film = film_of_play(
            game,
            play,
            f"{draft.title}: {told.title}",
            facts=(("under", "; ".join(told.under)),),
            broken_after=told.mark if told.breaks else None,
            breaks=told.marked,
            points=points,
        )
        write_whole(out / _page_of(draft.game, told.id), play_page(film))


def _print(paper: str, path: Path) -> None:
    write_whole(path, pdf(paper))


def _written(draft: _Draft, out: Path, printed: bool) -> Written:
    write_whole(draft.at(out, "html"), draft.text)
    return Written(
        draft.at(out, "html"),
        len(draft.text.encode()),
        len(draft.plays),
        draft.verdict,
        draft.exit_code,
        draft.at(out, "pdf") if printed else None,
    )


def _exit(made: Report) -> Exit:
    """Return the exit code: wrong weighs more than open."""
    open_ = [one for one in made.results.verdicts if not one.as_expected]
    if any(point.mark == "bad" and point.about != "Expected" for point in made.answer):
        return Exit.WRONG
    if any(one.verdict not in ("undecided", "bounded") for one in open_):
        return Exit.WRONG
    return Exit.OPEN if open_ else Exit.FINE
