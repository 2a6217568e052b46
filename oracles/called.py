"""A build in our own process: a function that is called, or a class that makes one."""

from __future__ import annotations

import importlib
import math
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from msgspec.json import Decoder, Encoder

from ..errors import BadInput
from .answers import MOST, Trouble, answer_in, excerpt, plain_copy

__all__ = ["CallableBuild", "callable_named"]

Answers = Callable[[dict[str, Any]], object]

_AGAIN = 0.1  # seconds after which a build that goes on is interrupted once more
_encode, _decode = Encoder().encode, Decoder().decode


class CallableBuild:
    """A build in our own process: a function from request to answer.

    Where a class is given, or any function without a parameter, it makes the build, and makes a
    new one when restarted. What a build prints goes to standard error.
    """

    def __init__(self, name: str, answers: Answers | type) -> None:
        self.name = name
        self.can_restart = isinstance(answers, type)
        self._made_by: Any = answers
        self._answers: Any = None
        self._clock = _Clock()

    def ask(self, request: dict[str, Any], timeout: float) -> dict[str, Any]:
        """Return the answer to a request; Trouble also if the callable raises or ends us."""
        given = _decode(_encode(request))
        out, sys.stdout = sys.stdout, sys.stderr
        try:
            try:
                self._clock.start(timeout)
                if self._answers is None:
                    self._answers = self._made_by() if self.can_restart else self._made_by
                answer = self._answers(given)
            finally:
                sys.stdout = out
                self._clock.stop()
        except _TimeOverError:
            self._clock.stop()  # the alarm may have fallen into the lines above
            raise Trouble("hang", f"no answer in {timeout:g} s") from None
        except (Exception, SystemExit) as error:  # whatever a build may raise
            last = traceback.extract_tb(error.__traceback__)[-1]
            said = f"it raised {type(error).__name__}: {error} ({last.filename}:{last.lineno})"
            raise Trouble("died", said) from None
        data = plain_copy(answer)
        if len(data) > MOST:
            raise Trouble("flood", f"more than {MOST} bytes: {excerpt(data)}")
        return answer_in(data)

    def restart(self) -> None:
        """Have the next request make the build anew, where a class makes it."""
        self._answers = None
        self._clock.release()

    def close(self) -> None:
        """Let go of the build."""
        self.restart()


class _TimeOverError(BaseException):
    """The time for an answer is over: nothing that a build may catch as an Exception."""


class _Clock:
    """Raises in the code that runs, over and over, once its time is over.

    Only the main thread can be interrupted; in any other one no time is kept. The alarm is set
    for the first request of several, and when it goes off for what is left of the last one's
    time: to set it takes longer than many a build. ``release`` gives back the signal that is
    used.
    """

    def __init__(self) -> None:
        self._running = False
        self._until = 0.0
        self._rings = math.inf  # when the alarm goes off
        self._before: Any = None
        self._main = 0  # the thread that is interrupted

    def start(self, seconds: float) -> None:
        here = threading.get_ident()
        if self._before is None:
            if here != threading.main_thread().ident:
                return
            self._before, self._main = signal.signal(signal.SIGALRM, self._over), here
        elif here != self._main:
            return
        self._until = until = time.monotonic() + seconds
        self._running = True
        if until < self._rings:
            self._rings = until
            signal.setitimer(signal.ITIMER_REAL, seconds)

    def stop(self) -> None:
        self._running = False

    def release(self) -> None:
        self._running = False
        self._rings = math.inf
        if self._before is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)
            self._before = None

    def _over(self, _: int, frame: FrameType | None) -> None:
        if not self._running:
            self._rings = math.inf
            return
        now = time.monotonic()
        over = now >= self._until
        self._rings = now + _AGAIN if over else self._until
        signal.setitimer(signal.ITIMER_REAL, self._rings - now)
        if over:
            raise _TimeOverError


def callable_named(reference: str, folder: Path | None) -> tuple[str, Answers]:
    """Return a callable by ``module:function``, also of that folder, or the one we are in."""
    module, colon, name = reference.partition(":")
    if not colon or not module or not name:
        raise BadInput(f"{reference!r} is no callable: write it as module:function")
    place = str(folder) if folder else ""
    if place not in sys.path:
        sys.path.insert(0, place)
    try:
        found: Any = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise BadInput(f"module {module!r} cannot be loaded: {error}") from None
        raise BadInput(f"no module {module!r}: is its folder on PYTHONPATH?") from None
    except Exception as error:  # whatever a file of somebody's own may raise
        raise BadInput(
            f"module {module!r} cannot be loaded: {type(error).__name__}: {error}"
        ) from None
    for part in name.split("."):
        if not hasattr(found, part):
            raise BadInput(f"module {module!r} has no {name!r}")
        found = getattr(found, part)
    if not callable(found):
        raise BadInput(f"{reference}: a callable was expected, not {type(found).__name__}")
    return reference, found
