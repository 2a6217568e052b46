"""Connections to a build under test: a command, an HTTP address, or a Python callable.

All are asked in the same way, ``ask(request, timeout)``, and all fail in the same ways: a
``Trouble`` says that the build hangs, died, sent rubbish, answered twice or floods. Whether it
answers *rightly* is not decided here.
"""

from __future__ import annotations

import http.client
import importlib
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Protocol
from urllib.parse import urlsplit

import msgspec

from ..errors import BadInput
from .answers import MOST, Trouble, answer_in, excerpt, plain_copy
from .command import CommandBuild

__all__ = ["Build", "CallableBuild", "CommandBuild", "HttpBuild", "Trouble", "connect"]

Answers = Callable[[dict[str, Any]], object]


class Build(Protocol):
    """A connection to a build. ``name`` is how people call it."""

    name: str

    @property
    def can_restart(self) -> bool:
        """Whether ``restart`` makes it forget all that it has played."""

    def ask(self, request: dict[str, Any], timeout: float) -> dict[str, Any]:
        """Return the answer to a request, waited for so many seconds; Trouble if there is none.

        Raises BadInput if there is no such build at all.
        """

    def restart(self) -> None:
        """Begin anew where possible, after a trouble or to have a build that played nothing."""

    def close(self) -> None:
        """Let go of the build; Trouble if it still had something to say."""


def connect(
    command: Sequence[str] = (),
    url: str | None = None,
    callable_: str | None = None,
    *,
    folder: Path | None = None,
) -> Build:
    """Return the connection to the one build that is named, which is run in ``folder``.

    Raises BadInput if none is named, or more than one, and for a name that is wrong.
    """
    given = [bool(command), url is not None, callable_ is not None]
    if sum(given) != 1:
        what = "no build is named" if not any(given) else "more than one build is named"
        raise BadInput(f"{what}: give a command, an address or a Python callable, one of them")
    if command:
        return CommandBuild(command, folder)
    if url is not None:
        return HttpBuild(url)
    assert callable_ is not None
    return CallableBuild(*_loaded(callable_, folder))


class HttpBuild:
    """A build behind an address: requests by POST, one connection each."""

    can_restart = False

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadInput(f"{url!r} is no address: http://HOST:PORT/PATH was expected")
        try:
            self._port = parts.port
        except ValueError as error:
            raise BadInput(f"{url!r} is no address: {error}") from None
        self.name = url
        self._parts = parts
        self._reached = False

    def ask(self, request: dict[str, Any], timeout: float) -> dict[str, Any]:
        """Return the answer to a request; BadInput if nobody ever listened there."""
        until = time.monotonic() + timeout
        connection = self._connection(timeout)
        try:
            connection.connect()
        except OSError as error:
            if not self._reached:
                raise BadInput(f"{self.name}: nothing answers there: {error}") from None
            raise Trouble("died", f"nothing answers at {self.name} any more: {error}") from None
        self._reached = True
        try:
            body = msgspec.json.encode(request)
            headers = {"Content-Type": "application/json", "Connection": "close"}
            path = (self._parts.path or "/") + (
                f"?{self._parts.query}" if self._parts.query else ""
            )
            sock = connection.sock  # the connection itself forgets it with the reply's headers
            connection.request("POST", path, body, headers)
            with connection.getresponse() as reply:
                data = _read(reply, sock, until)
        except TimeoutError:
            raise Trouble("hang", f"no answer in {timeout:g} s") from None
        except (OSError, http.client.HTTPException) as error:
            raise Trouble("died", f"the connection broke off: {error!r}") from None
        finally:
            connection.close()
        try:
            answer = answer_in(data)
        except Trouble:
            if reply.status == 200:
                raise
            answer = {}
        if reply.status != 200 and "error" not in answer:
            said = f"it answered with HTTP status {reply.status}: {excerpt(data)}"
            raise Trouble("rubbish", said)
        return answer

    def restart(self) -> None:
        """Do nothing: what serves the address is not ours."""

    def close(self) -> None:
        """Do nothing: each request had its own connection."""

    def _connection(self, timeout: float) -> http.client.HTTPConnection:
        secure = self._parts.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        assert self._parts.hostname
        return kind(self._parts.hostname, self._port, timeout=timeout)


def _read(reply: http.client.HTTPResponse, sock: socket.socket, until: float) -> bytes:
    """Read the body of a reply. Raises TimeoutError when the time is over, Trouble (flood)."""
    data = b""
    while True:
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        sock.settimeout(left)
        chunk = reply.read1(1 << 16)
        if not chunk:
            return data
        data += chunk
        if len(data) > MOST:
            raise Trouble("flood", f"more than {MOST} bytes: {excerpt(data)}")


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
        given = msgspec.json.decode(msgspec.json.encode(request))
        try:
            with self._clock(timeout):
                if self._answers is None:
                    self._answers = self._made_by() if self.can_restart else self._made_by
                answer = self._answers(given)
        except _TimeOverError:
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

    Standard output is standard error meanwhile. Only the main thread can be interrupted; in
    any other one no time is kept. ``release`` gives back the signal that is used.
    """

    def __init__(self) -> None:
        self._running = self._main = False
        self._seconds = 0.0
        self._before: Any = None

    def __call__(self, seconds: float) -> _Clock:
        self._seconds = seconds
        return self

    def __enter__(self) -> None:
        self._out, sys.stdout = sys.stdout, sys.stderr
        self._main = threading.current_thread() is threading.main_thread()
        if self._main:
            if self._before is None:
                self._before = signal.signal(signal.SIGALRM, self._over)
            self._running = True
            signal.setitimer(signal.ITIMER_REAL, self._seconds, 0.1)

    def __exit__(self, *_: object) -> None:
        try:
            self._running = False
        finally:  # one alarm may still fall into the line above, but not two
            if self._main:
                signal.setitimer(signal.ITIMER_REAL, 0)
            sys.stdout = self._out

    def release(self) -> None:
        if self._before is not None:
            signal.signal(signal.SIGALRM, self._before)
            self._before = None

    def _over(self, _: int, frame: FrameType | None) -> None:
        if self._running:
            raise _TimeOverError


def _loaded(reference: str, folder: Path | None) -> tuple[str, Answers]:
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
