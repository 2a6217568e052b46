"""Connections to a build under test: a command, an HTTP address, or a Python callable.

All are asked in the same way, ``ask(request, timeout)``, and all fail in the same ways: a
``Trouble`` says that the build hangs, died, sent rubbish, answered twice or floods. Whether it
answers *rightly* is not decided here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from ..errors import BadInput
from .answers import Trouble
from .called import CallableBuild, callable_named
from .command import CommandBuild
from .served import HttpBuild

__all__ = ["Build", "CallableBuild", "CommandBuild", "HttpBuild", "Trouble", "connect"]


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
    return CallableBuild(*callable_named(callable_, folder))
