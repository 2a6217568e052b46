"""A build behind an address: requests by POST, one connection each."""

from __future__ import annotations

import http.client
import io
import socket
import time
from typing import Any
from urllib.parse import urlsplit

import msgspec

from ..errors import BadInput
from .answers import MOST, Trouble, answer_in, excerpt

__all__ = ["HttpBuild"]


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
        connection.response_class = _reply(until)
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
            connection.sock.settimeout(_left(until))
            connection.request("POST", path, body, headers)
            with connection.getresponse() as reply:
                data = _read(reply)
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


def _reply(until: float) -> type[http.client.HTTPResponse]:
    """Return the class of replies that have to be there by a time, their headers as well."""

    class Reply(http.client.HTTPResponse):
        def __init__(self, sock: socket.socket, *rest: Any, **more: Any) -> None:
            super().__init__(sock, *rest, **more)
            self.fp.close()
            self.fp = io.BufferedReader(_Until(sock, until))

    return Reply


class _Until(io.RawIOBase):
    """What comes over a connection until a time; TimeoutError after it.

    A socket's own timeout is for what comes next, so that a byte now and then holds us up.
    """

    def __init__(self, sock: socket.socket, until: float) -> None:
        self._sock, self._until = sock, until
        self._raw = sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(_left(self._until))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


def _left(until: float) -> float:
    """Return the seconds that are left; TimeoutError if none are."""
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _read(reply: http.client.HTTPResponse) -> bytes:
    """Read the body of a reply. Raises Trouble (flood) for one that is too long."""
    data = b""
    while chunk := reply.read1(1 << 16):
        data += chunk
        if len(data) > MOST:
            raise Trouble("flood", f"more than {MOST} bytes: {excerpt(data)}")
    return data
