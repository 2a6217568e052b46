"""Work that a solver may not survive, in a process of its own.

Solvers are native code: an error of theirs, or too little memory, ends the process they are in.
Where that is another one, it is no more than a question without an answer.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from ...errors import BadInput
from ..processes import deaf, starting_with

__all__ = ["DIED", "Died", "Slow", "apart"]

DIED = "DIED"
"""How a remark begins on such a process: it is to be seen whatever the verdict is."""


class Died(Exception):
    """The process ended before it answered. The text says how."""


class Slow(Died):
    """The process did not answer in time, and was ended."""


def apart(work: Callable[..., Any], *arguments: Any, seconds: float) -> Any:
    """Return what a function of a module answers in another process within some seconds.

    Raises Died, Slow, BadInput where the function does, RuntimeError (its traceback) for any
    other error of it, and KeyboardInterrupt on Ctrl-C.
    """
    context = starting_with(__name__, "z3")
    pipe, other = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(other, work, arguments), daemon=True)
    with deaf():
        process.start()
    other.close()
    try:
        if not pipe.poll(seconds):
            raise Slow(f"no answer within {seconds:g} s")
        kind, said = pipe.recv()
    except (EOFError, ConnectionError):
        process.join()
        raise Died(f"its process ended with code {process.exitcode}") from None
    finally:
        pipe.close()
        process.kill()
        process.join()
    if kind == "refused":
        raise BadInput(said)
    if kind == "failed":
        raise RuntimeError(said)
    return said


def _answer(pipe: Connection[Any, Any], work: Callable[..., Any], arguments: Any) -> None:
    try:
        pipe.send(("answered", work(*arguments)))
    except (KeyboardInterrupt, ConnectionError):
        return
    except BadInput as error:
        pipe.send(("refused", str(error)))
    except BaseException:
        pipe.send(("failed", traceback.format_exc()))
