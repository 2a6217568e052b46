"""What a gate is to check, as ``playproof.toml`` says it.

Each key with a value it may have::

    game = "colour-collector"
    edition = "edition.toml"       # the game's own if left out
    suite = "suite"                # made where it is missing
    prove = true                   # or false, or a folder that prove --out wrote
    logs = ["logs/*.jsonl"]        # recorded Plays; none if left out
    adapter = "module:function"    # for logs of another form; also book, or book:FILE
    out = "out/gate"               # what was found goes there
    [readings]
    valuation = "at-end"           # those not named are taken by default
    [build]                        # none if left out; one of command, url and callable
    command = ["node", "build.mjs"]
    timeout = 5.0                  # seconds for each answer
    strategies = ["least", "greatest", "random"]
    without = ["carry-over"]       # checks to leave out
    restart = false
    max_findings = 20
    jobs = 1                       # builds driven side by side

Paths are taken from the folder of the file, and commands run there; modules are looked for in
it as well. Logs are there before the
run begins: a missing one ends it before anything else is done.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import BadInput
from ..models.tomlfile import TomlFile, read_toml
from .drive import CHECKS, check_timeout
from .ways import WAYS

__all__ = ["BuildUnderTest", "Gate", "load_gate"]


@dataclass(frozen=True)
class BuildUnderTest:
    """The build, and how it is driven: one of ``command``, ``url`` and ``callable``."""

    command: list[str] | None = None
    url: str | None = None
    callable: str | None = None
    timeout: float = 5.0
    strategies: list[str] | None = None
    without: list[str] | None = None
    restart: bool = False
    max_findings: int = 20
    jobs: int = 1


@dataclass(frozen=True)
class Gate:
    """What is to be checked; ``folder`` is where the file is, and paths begin there.

    ``prove`` is whether to prove the rules, or a folder of proofs to check again.
    """

    folder: Path
    game: str
    edition: Path | None
    suite: Path
    prove: bool | Path
    logs: tuple[str, ...]
    adapter: str | None
    out: Path
    readings: Mapping[str, str]
    build: BuildUnderTest | None


_KEYS: dict[str, Any] = {
    "game": str,
    "edition": str,
    "suite": str,
    "prove": object,
    "logs": list[str],
    "adapter": str,
    "out": str,
    "readings": dict[str, str],
    "build": dict[str, Any],
}
_BUILD_KEYS: dict[str, Any] = {
    "command": list[str],
    "url": str,
    "callable": str,
    "timeout": float,
    "strategies": list[str],
    "without": list[str],
    "restart": bool,
    "max_findings": int,
    "jobs": int,
}


def load_gate(path: Path) -> Gate:
    """Read what a gate is to check.

    Raises BadInput, which names file, line and key, for whatever is missing, unknown, of the
    wrong type or out of range, and where there is nothing to check.
    """
    file = read_toml(path)
    top = file.tables
    file.only(top, _KEYS, "key")
    file.needs(top, ("game",), "key")
    given: dict[str, Any] = {
        name: file.convert(value, _KEYS[name], name, name) for name, value in top.items()
    }
    folder = path.parent
    prove = given.get("prove", True)
    if not isinstance(prove, bool | str):
        raise file.error(f"prove: true, false or a folder was expected, not {prove!r}", "prove")
    build = _build(file, given["build"]) if "build" in given else None
    gate = Gate(
        folder,
        given["game"],
        _from(folder, given["edition"]) if "edition" in given else None,
        _from(folder, given.get("suite", "suite")),
        _from(folder, prove) if isinstance(prove, str) else prove,
        tuple(str(_from(folder, one)) for one in given.get("logs", ())),
        given.get("adapter"),
        _from(folder, given.get("out", "out/gate")),
        given.get("readings", {}),
        build,
    )
    if not gate.prove and not gate.logs and gate.build is None:
        raise BadInput(f"{path}: nothing is to be checked: no prove, no logs and no [build]")
    if gate.adapter and not gate.logs:
        raise file.error("adapter: there are no logs for it", "adapter")
    return gate


def _from(folder: Path, path: str) -> Path:
    """Return a path that begins in a folder, as it is written."""
    return Path(os.path.normpath(folder / path))


def _build(file: TomlFile, table: dict[str, Any]) -> BuildUnderTest:
    file.only(table, _BUILD_KEYS, "key", "build")
    if isinstance(table.get("command"), str):
        words = json.dumps(table["command"].split() or ["python3", "build.py"])
        raise file.error(
            f"build.command: a list of words was expected, such as {words}", "build", "command"
        )
    given: dict[str, Any] = {
        name: file.convert(value, _BUILD_KEYS[name], f"build.{name}", "build", name)
        for name, value in table.items()
    }
    named = [name for name in ("command", "url", "callable") if name in given]
    if len(named) != 1:
        said = " and ".join(named) if named else "none of them"
        raise file.error(f"build: one of command, url and callable, not {said}", "build")
    if not given[named[0]] or given[named[0]][0] == "":
        raise file.error(f"build.{named[0]}: it is empty", "build", named[0])
    for name, known in (("strategies", WAYS), ("without", tuple(CHECKS))):
        for one in given.get(name, ()):
            if one not in known:
                expected = ", ".join(known)
                raise file.error(f"build.{name}: {one!r}; there are: {expected}", "build", name)
    if given.get("strategies") == []:
        raise file.error(f"build.strategies: one of {', '.join(WAYS)}", "build", "strategies")
    for name in ("max_findings", "jobs"):
        if given.get(name, 1) <= 0:
            raise file.error(f"build.{name}: more than 0 was expected", "build", name)
    try:
        check_timeout(given.get("timeout", 1.0))
    except BadInput as error:
        raise file.error(f"build.{error}", "build", "timeout") from None
    return BuildUnderTest(**given)
