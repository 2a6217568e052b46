"""Whether a log is worth kernels, and those for it."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..sources import Source as File
from ..workers import can_fork

if TYPE_CHECKING:
    from ..judge import Judge
    from .events import Rules

__all__ = ["fast_rules", "missing"]

_WORTH = 8 << 20  # bytes: less than that is judged sooner than kernels are made
_PACKED = {".gz": 8, ".zst": 8}  # by so much more there is in a file that is packed
_PLAYS = 20_000  # the same of whole Plays


def missing() -> str:
    """Say in a sentence that kernels cannot be compiled here; nothing where they can."""
    from .build import have_numba

    if have_numba():
        return ""
    return (
        "numba is not installed: the log is judged in plain Python, many times slower "
        "(pip install 'playproof[fast]')"
    )


def _sizes(sources: Sequence[File]) -> tuple[int, int]:
    """Return how many whole Plays there are in a log, and how many bytes of lines."""
    plays = size = 0
    for file in sources:
        suffix = file.path.suffix if file.path is not None else ""
        if suffix == ".parquet":
            plays += _plays(file)
        else:
            size += file.size * _PACKED.get(suffix, 1)
    return plays, size


def _plays(file: File) -> int:
    """Return how many whole Plays there are in a Parquet file; 0 where it has none."""
    try:
        import pyarrow
    except ImportError:
        return 0
    from ..remote import parquet_file
    from .layout import Layout

    assert file.path is not None
    try:
        with parquet_file(file.path) as opened:
            layout = Layout.read(opened.schema_arrow.metadata)
            return int(opened.metadata.num_rows) if layout is not None else 0
    except (pyarrow.ArrowException, OSError, ValueError):
        return 0


def fast_rules(
    judge: Judge, sources: Sequence[File], slow: Callable[[str], None]
) -> Rules | None:
    """Return the kernels for a log; None where it is short, or there are none.

    ``slow`` hears why a long log is judged without.
    """
    plays, size = _sizes(sources)
    if plays < _PLAYS and size < _WORTH:
        return None
    if why := missing():
        slow(why)
        return None
    from .source import NoKernel

    try:
        _made_aside(judge, size > 0, plays > 0)
        return rules_of(judge, lines=size > 0, plays=plays > 0)
    except NoKernel as error:
        slow(f"the rules are not compiled, and the log is judged in plain Python: {error}")
        return None


def _made_aside(judge: Judge, lines: bool, plays: bool) -> None:
    """Have a copy of this process compile what is not kept: the memory goes with it."""
    from . import build
    from .source import Source

    if not can_fork() or build.known(Source(judge.edition)):
        return
    context: Any = multiprocessing.get_context("fork")
    process = context.Process(target=_make, args=(judge, lines, plays), daemon=True)
    process.start()
    try:
        process.join()
    finally:
        process.terminate()
        process.join()


def _make(judge: Judge, lines: bool, plays: bool) -> None:
    """Compile and keep; what fails here fails again where it is seen."""
    with suppress(Exception, KeyboardInterrupt):
        rules_of(judge, lines, plays)


def rules_of(judge: Judge, lines: bool = True, plays: bool = True) -> Rules:
    """Return the kernels of a judge for lines, whole Plays or both, kept for the next time.

    What the log has no need of is not compiled. Raises NoKernel where its rules have none.
    """
    from . import build
    from .events import Rules
    from .source import Source
    from .warm import warm_up

    source = Source(judge.edition)
    module, words = build.compiled(source), build.tables()
    rules = Rules(source, judge.expected, module, words)
    warm_up(rules, lines, plays)
    build.keep(module)
    build.keep(words)
    return rules
