"""Steps that a suite has a build refuse: ``refusals.json`` beside the scripts.

A mutation-complete suite has them (``oracles.mutants.complete``): what a build would take that
does by one of its mutants, where a script stands. Whether the rules do refuse each is checked
before a build is asked for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ..errors import BadInput
from .cases import Case
from .event import flat
from .expected import Expected
from .moves import State
from .probes import Probe
from .suite import REFUSALS

__all__ = ["REFUSALS", "Refusal", "load_refusals", "probes_of"]


class Refusal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step that may not come after ``after`` steps of a script; ``kills`` are mutants."""

    script: str
    after: int
    rule: str
    reveal: dict[str, Any]
    choice: dict[str, Any]
    kills: list[str]


def load_refusals(folder: Path) -> tuple[Refusal, ...]:
    """Return what is to be refused, by a suite in a folder; nothing where it does not say.

    Raises BadInput for a file that cannot be read.
    """
    path = folder / REFUSALS
    try:
        return tuple(msgspec.json.decode(path.read_bytes(), type=list[Refusal]))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(
            f"{path}: not steps to be refused, as playproof suite --mutation-complete "
            f"writes them: {error}"
        ) from None


def probes_of(
    refusals: Sequence[Refusal], cases: Sequence[Case], expected: Expected
) -> dict[str, dict[int, tuple[Probe, ...]]]:
    """Return what to try, by script (its file's name) and the steps that come before it.

    Raises BadInput for a step of a script that there is not, or one that the rules allow.
    """
    by_name = {case.path.name: case for case in cases}
    found: dict[str, dict[int, tuple[Probe, ...]]] = {}
    for number, one in enumerate(refusals, start=1):
        case = by_name.get(one.script)
        where = f"{REFUSALS}: number {number}"
        if case is None:
            raise BadInput(f"{where}: no script {one.script!r} in the suite")
        if not 0 <= one.after <= len(case.rules):
            raise BadInput(
                f"{where}: after {one.after} steps of {one.script}, which has {len(case.rules)}"
            )
        by_step = found.setdefault(one.script, {})
        probe = _probe(one, case, expected, where)
        by_step[one.after] = (*by_step.get(one.after, ()), probe)
    return found


def _probe(one: Refusal, case: Case, expected: Expected, where: str) -> Probe:
    move = expected.moves.get(one.rule)
    if move is None:
        there = ", ".join(expected.moves)
        raise BadInput(f"{where}: no rule {one.rule!r}; there are: {there}")
    given = dict(flat(one.reveal)) | dict(flat(one.choice))
    names = {variable.name for variable in move.variables}
    if given.keys() != names or any(
        type(given[v.name]) not in _KINDS[v.sort] for v in move.variables
    ):
        raise BadInput(
            f"{where}: {one.rule} reveals {', '.join(sorted(names)) or 'nothing'}, "
            f"not {', '.join(sorted(given)) or 'nothing'}"
        )
    over = one.after == len(case.rules)
    values = tuple([given[variable.name] for variable in move.variables])
    if not over and move.step(_state(case, one.after, expected), values) is not None:
        raise BadInput(
            f"{where}: the rules allow {one.rule} after {one.after} steps of {one.script}; "
            "make the suite again"
        )
    due = None if over else case.rules[one.after]
    told = ", ".join(f"{name} = {value}" for name, value in given.items())
    says = f"with {told}" if due == one.rule else f"where {due} is due" if due else "at the end"
    return Probe(one.rule, one.reveal, one.choice, says)


_KINDS: Mapping[str, tuple[type, ...]] = {"Int": (int,), "Bool": (bool,)}


def _state(case: Case, steps: int, expected: Expected) -> State:
    """Return the state after some steps of a script, as it is to be shown."""
    script = case.script
    shown = dict(flat(script.steps[steps - 1].shows if steps else script.start))
    return tuple([shown[name] for name in expected.names])
