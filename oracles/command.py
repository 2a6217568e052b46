"""A build that is a command: a request a line on its standard input, an answer a line back.

Nothing it does can hold us up: reading and writing wait for it only until the time is over,
what it writes is read within a limit, and it is ended with all that it has started (on Linux
also what has left its group: ``offspring``).
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import msgspec

from ..errors import BadInput
from .answers import MOST, Trouble, answer_in, excerpt
from .offspring import end_all, marked

__all__ = ["CommandBuild"]

_CHUNK = 1 << 16
_GRACE = 2.0
"""Seconds that a build has to end once its input has."""

_KEPT = 2000
"""Bytes of what it writes to standard error that are kept, the last ones."""


class CommandBuild:
    """A connection to a command, run in a folder; the first request starts it."""

    can_restart = True

    def __init__(self, command: Sequence[str], folder: Path | None = None) -> None:
        self.command = list(command)
        self.folder = folder
        self.name = shlex.join(self.command)
        self._process: _Process | None = None

    def ask(self, request: dict[str, Any], timeout: float) -> dict[str, Any]:
        """Return the answer to a request, waited for so many seconds; Trouble if there is none.

        Raises BadInput if the command cannot be started.
        """
        if self._process is None:
            self._process = _Process(self.command, self.folder)
        return self._process.ask(msgspec.json.encode(request) + b"\n", timeout)

    def restart(self) -> None:
        """End the process, whatever it is doing; the next request starts another."""
        process, self._process = self._process, None
        if process:
            process.kill()

    def close(self) -> None:
        """End the process in order; Trouble if it still had something to say."""
        process, self._process = self._process, None
        if process:
            process.end()


class _Process:
    def __init__(self, command: list[str], folder: Path | None) -> None:
        self._mark, environment = marked()
        try:
            self._popen = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise BadInput(
                f"the build {shlex.join(command)!r} cannot be started: {error.strerror}"
            ) from None
        stdin, stdout, stderr = self._popen.stdin, self._popen.stdout, self._popen.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        self._pipes = stdin, stdout
        self._in, self._out = stdin.fileno(), stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        self._read = b""
        self._errors = _Tail(stderr)

    def ask(self, line: bytes, timeout: float) -> dict[str, Any]:
        until = time.monotonic() + timeout
        self._nothing_more()
        answer = self._exchange(line, until, timeout)
        try:
            return answer_in(answer)
        except Trouble as trouble:
            raise self._told(trouble) from None

    def end(self) -> None:
        try:
            with contextlib.suppress(OSError):
                self._pipes[0].close()
            until = time.monotonic() + _GRACE
            while self._wait(self._out, until) and self._fill():
                if len(self._read) > MOST:
                    break
            self._nothing_more(look=False)
        finally:
            self.kill()

    def kill(self) -> None:
        with contextlib.suppress(OSError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()
        end_all(self._mark)
        for stream in self._pipes:
            with contextlib.suppress(OSError):
                stream.close()
        self._errors.close()

    def _exchange(self, line: bytes, until: float, timeout: float) -> bytes:
        """Write a request and read a line, both at once: a build may answer before it reads."""
        with selectors.DefaultSelector() as watch:
            watch.register(self._out, selectors.EVENT_READ)
            line = line[self._write(line) :]
            if line:
                watch.register(self._in, selectors.EVENT_WRITE)
            while b"\n" not in self._read:
                left = until - time.monotonic()
                ready = watch.select(left) if left > 0 else []
                if not ready:
                    raise self._silent(timeout)
                for key, _ in ready:
                    if key.fd == self._in:
                        line = line[self._write(line) :]
                        if not line:
                            watch.unregister(self._in)
                    elif not self._fill():
                        raise self._gone()
                if len(self._read) > MOST:
                    raise self._told(
                        Trouble("flood", f"more than {MOST} bytes: {excerpt(self._read)}")
                    )
        answer, _, self._read = self._read.partition(b"\n")
        return answer

    def _write(self, line: bytes) -> int:
        try:
            return os.write(self._in, line)
        except BlockingIOError:
            return 0
        except OSError:  # it reads no more; whether it still answers shows in what is read
            return len(line)

    def _fill(self) -> bool:
        """Read what is there; false where the output has ended."""
        try:
            chunk = os.read(self._out, _CHUNK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._read += chunk
        return bool(chunk)

    def _wait(self, fd: int, until: float) -> bool:
        with selectors.DefaultSelector() as watch:
            watch.register(fd, selectors.EVENT_READ)
            left = until - time.monotonic()
            return left > 0 and bool(watch.select(left))

    def _nothing_more(self, look: bool = True) -> None:
        """Raise Trouble if something was written beyond the last answer."""
        if look:
            self._fill()
        if more := self._read.strip():
            self._read = b""
            if len(more) >= _CHUNK:
                raise self._told(Trouble("flood", f"it writes on and on: {excerpt(more)}"))
            raise self._told(Trouble("twice", f"beyond its answer it wrote {excerpt(more)}"))

    def _silent(self, timeout: float) -> Trouble:
        part = f"after part of an answer: {excerpt(self._read)}" if self._read else ""
        return self._told(Trouble("hang", f"no answer in {timeout:g} s {part}".rstrip()))

    def _gone(self) -> Trouble:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(_GRACE / 4)
        code = self._popen.returncode
        how = "closed its output" if code is None else f"ended with exit code {code}"
        if code is not None and code < 0:
            how = f"was ended by {signal.Signals(-code).name}"
        part = f" in the middle of an answer: {excerpt(self._read)}" if self._read else ""
        return self._told(Trouble("died", f"it {how}{part}"))

    def _told(self, trouble: Trouble) -> Trouble:
        """Return a trouble with what the build wrote to standard error."""
        said = self._errors.text()
        note = f"; it wrote on standard error: {said}" if said else ""
        return Trouble(trouble.code, f"{trouble}{note}")


class _Tail:
    """The last of what is written to a stream, which is read all the time."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._kept = b""
        self._thread = threading.Thread(target=self._drain, daemon=True)
        self._thread.start()

    def text(self) -> str:
        """Return the last three lines, as printable text."""
        self._thread.join(0.05)
        lines = self._kept.decode("utf-8", "backslashreplace").strip().splitlines()[-3:]
        return " | ".join(repr(line)[1:-1] for line in lines)

    def close(self) -> None:
        self._thread.join(_GRACE)
        if not self._thread.is_alive():  # else somebody who left the group still holds it
            self._stream.close()

    def _drain(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(self._stream.fileno(), _CHUNK):
                self._kept = (self._kept + chunk)[-_KEPT:]
