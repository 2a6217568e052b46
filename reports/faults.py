"""Exit codes, and how every command ends when something is wrong: one message, no traceback.

0  every verdict is the expected one, and nothing is wrong
1  another verdict, a broken rule, or a target proved unreachable
2  bad input or usage
3  undecided, or merely bounded
4  our own fault
130  interrupted (Ctrl-C), 141 the reader of a pipe went away, both as shells have it
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from multiprocessing import connection, parent_process
from typing import NoReturn

from ..errors import PlayproofError, own_game_fails

__all__ = [
    "Exit",
    "end_in_order_when_terminated",
    "end_with_parent",
    "leave",
    "let_go_of_output",
    "told",
]


_SOLVERS = {"z3": "z3-solver", "cvc5": "cvc5"}
"""What a solver's module is installed by."""


class Exit(IntEnum):
    """The exit codes of every command."""

    FINE = 0
    WRONG = 1
    BAD_INPUT = 2
    OPEN = 3
    OURS = 4
    INTERRUPTED = 130
    READER_GONE = 141
    TERMINATED = 143


@contextmanager
def told() -> Iterator[None]:
    """Turn every exception of a command into a message on stderr and its exit code."""
    before, sys.unraisablehook = sys.unraisablehook, _kept_for_later
    try:
        yield
        _flush()
    except PlayproofError as error:
        _fail(Exit.BAD_INPUT, f"playproof: {error}")
    except BrokenPipeError:
        # The reader has gone (``playproof ... | head``). Python would complain at exit.
        let_go_of_output()
        raise SystemExit(Exit.READER_GONE) from None
    except KeyboardInterrupt:
        sys.unraisablehook = lambda _: None  # a solver's object that was half made may complain
        _fail(Exit.INTERRUPTED, "playproof: interrupted; nothing was left half-written")
    except Exception as error:
        if said := _solver_is_missing(error) or own_game_fails(error):
            _fail(Exit.BAD_INPUT, f"playproof: {said}")
        traceback.print_exc()
        _fail(Exit.OURS, "playproof: this is our own fault: please report what is above")
    finally:
        if sys.unraisablehook is _kept_for_later:
            sys.unraisablehook = before


def leave(code: Exit) -> NoReturn:
    """End a command with its exit code, once all that it printed is out."""
    _flush()
    raise SystemExit(int(code))


def let_go_of_output() -> None:
    """Send the rest of standard output nowhere: Python would fail on it again at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def end_in_order_when_terminated() -> None:
    """Make SIGTERM end the command as an exit does, so that its workers are stopped as well.

    Only for a process that waits for workers: one that is inside a solver would not hear it.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(Exit.TERMINATED))


def end_with_parent() -> None:
    """Make a worker end when the process that started it is gone, killed for example.

    It would wait for work for ever: those that were started with it keep its queue open.
    """

    def wait() -> None:
        if (parent := parent_process()) is not None:
            connection.wait([parent.sentinel])
            os._exit(Exit.TERMINATED)

    threading.Thread(target=wait, daemon=True).start()


def _solver_is_missing(error: Exception) -> str:
    """Return which solver is not installed, where that is what an error is about."""
    name = error.name if isinstance(error, ModuleNotFoundError) else None
    package = _SOLVERS.get(name or "")
    return f"the solver {name} is not installed: pip install {package}" if package else ""


def _kept_for_later(raised: sys.UnraisableHookArgs) -> None:
    """Raise Ctrl-C again, a little later, where it came while an object was let go of.

    Python has no way to raise it there, and would go on as if nobody had pressed it.
    """
    if raised.exc_type is KeyboardInterrupt:
        threading.Timer(0.01, _thread.interrupt_main).start()
    else:
        sys.__unraisablehook__(raised)


def _flush() -> None:
    if sys.stdout is not None:  # None: closed by whoever started us (``>&-``)
        sys.stdout.flush()


def _fail(code: Exit, message: str) -> None:
    print(message, file=sys.stderr)  # noqa: T201  # rich may be what failed to load
    raise SystemExit(int(code)) from None
