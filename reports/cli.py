"""The command line: ``playproof games``, ``prove``, ``recheck``, ``script`` and the others.

Whatever is heavy (solvers, games) is imported inside the commands, so that ``--help`` is quick.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from .. import __version__
from .audit_command import audit
from .drive_command import drive
from .faults import end_in_order_when_terminated, leave, told
from .gate_command import gate
from .judge_command import judge
from .mutate_command import mutate
from .options import (
    CORES,
    Edition,
    EditionOrAny,
    Games,
    HowFindings,
    HowResults,
    Jobs,
    OneGame,
    Readings,
    ReadingsOrAny,
    Scheduler,
    as_folder,
)  # fmt: skip
from .print_run_command import print_run
from .report_command import report
from .schema_command import schema
from .suite_command import suite
from .view_command import view

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["main"]


class Language(Enum):
    """What a game can be exported to."""

    VMT = "vmt"
    MOXI = "moxi"
    SMT2 = "smt2"
    HORN = "horn"


app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def main() -> None:
    """Run the command line."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # rather "?" for "£" than no word at all
    with told():
        app()


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"playproof {__version__}")
        raise typer.Exit


def _tell(
    format_: Enum, text: Callable[[], RenderableType], **others: Callable[[], str]
) -> None:
    """Print a result in the form that was asked for: as text, or as one of the others."""
    from .show import show, write_json

    if format_.value == "text":
        show(text())
    else:
        write_json(others[format_.value]())


@app.callback()
def playproof(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Prove the rules of instant-win games, and make the scripts that test their builds."""


@app.command()
def games() -> None:
    """Show the games there are and how much there is of each."""
    with told():
        from ..models.games import game_ids, load_game
        from . import tables
        from .overview import overview
        from .show import show

        show(tables.games(overview(load_game(id_)) for id_ in game_ids()))


@app.command()
def prove(
    game: Games = None,
    property_: Annotated[
        list[str] | None, typer.Option("--property", metavar="ID", help="Only this property.")
    ] = None,
    edition: EditionOrAny = None,
    reading: ReadingsOrAny = None,
    jobs: Jobs = CORES,
    timeout: Annotated[
        float | None, typer.Option(min=0.001, metavar="S", help="Seconds for each property.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            parser=as_folder, metavar="DIR", help="Write verdicts and certificates here."
        ),
    ] = None,
    format_: Annotated[
        HowFindings, typer.Option("--format", help="How verdicts are printed.")
    ] = HowFindings.TEXT,
    vmt: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Decide the properties of VMT-LIB 2 files instead."),
    ] = None,
    witness: Annotated[
        bool,
        typer.Option("--witness", help="Show a good Play of each property that is proved."),
    ] = False,
    scheduler: Scheduler = None,
) -> None:
    """Prove the properties of games, for Plays of any length and all that is left open."""
    if vmt:
        fixed = property_ or reading or edition or witness or scheduler
        _prove_vmt(vmt, game, fixed, jobs, timeout, out, format_)
    with told():
        from rich.console import Console

        from ..files import output_folder
        from .proving import prove_all
        from .request import choose

        end_in_order_when_terminated()
        requests = choose(game or [], property_ or [], reading or [], edition)
        folder = output_folder(out) if out else None
        console = Console(stderr=True)
        result = prove_all(requests, jobs, timeout, console, witness, scheduler)
        if folder:
            result.write(folder)
        _tell(format_, result.text, json=result.json, junit=result.junit, sarif=result.sarif)
        leave(result.exit_code)


def _prove_vmt(
    files: list[Path],
    more: list[str] | None,
    fixed: object,
    jobs: int,
    timeout: float | None,
    out: Path | None,
    format_: HowFindings,
) -> NoReturn:
    """Decide the properties of VMT-LIB 2 files; what is of games does not go with it."""
    with told():
        from rich.console import Console

        from ..errors import BadInput
        from ..files import output_folder
        from . import vmt, vmt_files

        end_in_order_when_terminated()
        if fixed:
            raise BadInput(
                "--property, --reading, --edition, --witness and --scheduler are of games: "
                "not with --vmt"
            )
        if format_ in (HowFindings.JUNIT, HowFindings.SARIF):
            raise BadInput(f"--format {format_.value} is of games: not with --vmt")
        folder = output_folder(out) if out else None
        paths = vmt.files_given(files, more or [])
        result = vmt.prove_files(paths, jobs, timeout, Console(stderr=True))
        if folder:
            vmt_files.write(result, folder)
        _tell(format_, result.text, json=lambda: vmt_files.as_json(result))
        leave(result.exit_code)
    raise AssertionError("a command ends by leaving")


@app.command()
def recheck(
    folder: Annotated[
        Path,
        typer.Argument(
            parser=as_folder,
            metavar="DIR",
            help="What prove --out wrote: all of it, one game's folder, or one property's.",
        ),
    ],
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="GAME", help="Compare what is stated with the game itself."),
    ] = None,
    proofs: Annotated[
        Path | None,
        typer.Option(parser=as_folder, metavar="DIR", help="Write cvc5's own proofs here."),
    ] = None,
    jobs: Jobs = CORES,
    timeout: Annotated[
        float | None, typer.Option(min=0.001, metavar="S", help="Seconds for each check.")
    ] = None,
    format_: Annotated[
        HowResults, typer.Option("--format", help="How answers are printed.")
    ] = HowResults.TEXT,
) -> None:
    """Check proofs again from their files alone, with every solver there is."""
    with told():
        from rich.console import Console

        from ..files import output_folder
        from .rechecking import recheck_all

        end_in_order_when_terminated()
        objects = output_folder(proofs) if proofs else None
        report = recheck_all(
            folder,
            Console(stderr=True),
            against=against or [],
            objects=objects,
            jobs=jobs,
            timeout=timeout,
        )
        _tell(format_, report.text, json=report.json)
        leave(report.exit_code)


@app.command()
def script(
    game: OneGame,
    prize: Annotated[
        str,
        typer.Option(
            metavar="TARGET",
            help="£15, '£15 (£5 + £10 Prize Game)', '£8 (red)', 'row 14', all.",
        ),
    ],
    count: Annotated[
        int, typer.Option(min=1, metavar="N", help="Scripts that differ in substance.")
    ] = 1,
    seed: Annotated[
        int, typer.Option(metavar="S", help="Other scripts; the same seed, the same ones.")
    ] = 0,
    out: Annotated[
        Path | None,
        typer.Option(parser=as_folder, metavar="DIR", help="Write the scripts here."),
    ] = None,
    edition: Edition = None,
    reading: Readings = None,
    layout: Annotated[
        bool,
        typer.Option("--layout", help="Say at each step what the screen looks like, too."),
    ] = False,
    layout_seed: Annotated[
        int, typer.Option(metavar="N", help="Another layout; the same seed, the same one.")
    ] = 0,
    timeout: Annotated[
        float | None, typer.Option(min=0.001, metavar="S", help="Seconds for each prize.")
    ] = None,
) -> None:
    """Make scripts of reveals that realise a prize, or prove that no Play can."""
    with told():
        from rich.console import Console

        from .scripting import make_all
        from .show import show

        result = make_all(
            game,
            prize,
            count=count,
            seed=seed,
            edition=edition,
            readings=reading or [],
            layout=layout_seed if layout else None,
            timeout=timeout,
            out=out,
            console=Console(stderr=True),
        )
        show(result.text(out))
        leave(result.exit_code)


@app.command()
def export(
    game: OneGame,
    to: Annotated[
        Language,
        typer.Option(
            help="VMT-LIB, MoXI, SMT-LIB (the questions of a proof), or SMT-LIB's Horn clauses "
            "(a file for each property)."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            parser=as_folder,
            metavar="FILE|DIR",
            help="Write it here; - for standard output, which is where it goes if not said.",
        ),
    ] = None,
    property_: Annotated[
        list[str] | None,
        typer.Option("--property", metavar="ID", help="Only this, and what it is proved with."),
    ] = None,
    except_: Annotated[
        bool,
        typer.Option(
            "--except",
            help="Claim what depends on readings but for those under which it is expected to "
            "fail.",
        ),
    ] = False,
    edition: EditionOrAny = None,
    reading: ReadingsOrAny = None,
) -> None:
    """Write a game and its properties for other solvers."""
    with told():
        from rich.text import Text

        from ..errors import BadInput
        from .exporting import export as exported
        from .show import show, write

        made = exported(
            game,
            to.value,
            edition=edition,
            readings=reading or [],
            properties=property_ or [],
            leave_out=except_,
        )
        if out and str(out) != "-":
            show(Text(made.write(out)))
        elif made.alone:
            write("".join(made.files.values()))
        else:
            raise BadInput(
                "Horn clauses come in a file for each property: say with --out in which "
                "folder, or ask for one --property"
            )


@app.command("enumerate")
def enumerate_(
    game: Games = None,
    copy: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Take the reduced copies of a game from this file."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only the copy of this name.")
    ] = None,
    jobs: Jobs = CORES,
    format_: Annotated[
        HowResults, typer.Option("--format", help="How results are printed.")
    ] = HowResults.TEXT,
) -> None:
    """Go through reduced copies of games state by state, and compare with what is proved."""
    with told():
        from rich.console import Console

        from .enumerating import enumerate_all

        end_in_order_when_terminated()
        result = enumerate_all(game or [], copy, only or [], jobs, Console(stderr=True))
        _tell(format_, result.text, json=result.json)
        leave(result.exit_code)


@app.command()
def explain(
    game: OneGame,
    id_: Annotated[
        str | None,
        typer.Argument(
            metavar="ID",
            help="A clause, rule, property, promise, reading, parameter or figure, or what a "
            "script shows or reveals; all ids if none.",
        ),
    ] = None,
) -> None:
    """Say in plain words what an id means, and where it is used."""
    with told():
        from . import tables
        from .explain import explain as explained
        from .explain import ids
        from .request import game_of
        from .show import show

        loaded = game_of(game)
        found = ids(loaded) if id_ is None else explained(loaded, id_)
        show(tables.explanations(found))


app.command()(audit)
app.command()(judge)
app.command()(drive)
app.command()(gate)
app.command()(mutate)
app.command("print-run")(print_run)
app.command()(report)
app.command()(schema)
app.command()(suite)
app.command()(view)


if __name__ == "__main__":
    main()
