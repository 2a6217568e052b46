"""A run that breaks a property: completed from what an engine says of it, then re-checked.

The re-check puts values for symbols in the formulas of the file and works them out: init at
the first state, the transition relation at every step, the property at the last state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .answers import Unsafe
from .system import System
from .unrolling import ask

__all__ = ["Moment", "NoTrace", "Trace", "complete"]


class NoTrace(Exception):
    """What an engine says of a run is not so, or cannot be worked out. The text says why."""


@dataclass(frozen=True)
class Moment:
    """The state, and the inputs of the step from it; values as SMT-LIB text, by name."""

    state: Mapping[str, str]
    inputs: Mapping[str, str]


@dataclass(frozen=True)
class Trace:
    """A run from an initial state to one that breaks the property; the last has no inputs."""

    moments: tuple[Moment, ...]


def complete(system: System, number: int, answer: Unsafe, seconds: float) -> Trace:
    """Return the run in full, re-checked. Raises NoTrace if it is none."""
    import z3

    points, inputs = _Builder(system, answer.stride, seconds).run(answer.states)
    _check(system, number, points, inputs)
    names = [a.decl().name() for a in system.now]
    moments = []
    for place, point in enumerate(points):
        given = inputs[place] if place < len(inputs) else []
        state = {n: v.sexpr() for n, v in zip(names, point, strict=True)}
        moments.append(
            Moment(
                state,
                {
                    w.decl().name(): v.sexpr()
                    for w, v in zip(system.inputs, given, strict=False)
                },
            )
        )
    del z3
    return Trace(tuple(moments))


class _Builder:
    """Finds whole states and inputs from one partial state to the next."""

    def __init__(self, system: System, stride: int, seconds: float) -> None:
        import z3

        self.system, self.stride = system, stride
        self.milliseconds = max(1, int(seconds * 1000))
        self.by_name = {a.decl().name(): a for a in system.now}
        self.then = dict(zip(self.by_name, system.then, strict=True))
        self.values = _Values(self.by_name)
        self._z3 = z3

    def run(
        self, states: Sequence[Mapping[str, str]]
    ) -> tuple[list[list[Any]], list[list[Any]]]:
        """Return all points, and the inputs between them."""
        z3 = self._z3
        start = z3.Solver()
        start.set("timeout", self.milliseconds)
        start.add(self.system.init)
        start.add([self.by_name[n] == self.values.of(n, v) for n, v in states[0].items()])
        if ask(start) != z3.sat:
            raise NoTrace("its first state is not initial")
        points, inputs = [_whole(start.model(), self.system.now)], []
        for place, wanted in enumerate(states[1:], start=1):
            for further, given in self._between(points[-1], wanted, place):
                points.append(further)
                inputs.append(given)
        return points, inputs

    def _between(
        self, point: list[Any], wanted: Mapping[str, str], place: int
    ) -> list[tuple[list[Any], list[Any]]]:
        z3, system = self._z3, self.system
        solver = z3.Solver()
        solver.set("timeout", self.milliseconds)
        layers = [point]
        given: list[list[Any]] = []
        for steps in range(1, self.stride + 1):
            layer = [z3.Const(f"{a.decl().name()}@{steps}", a.sort()) for a in system.now]
            ins = [z3.Const(f"{w.decl().name()}@{steps}", w.sort()) for w in system.inputs]
            pairs = [
                *zip(system.now, layers[-1], strict=True),
                *zip(system.inputs, ins, strict=True),
                *zip(system.then, layer, strict=True),
            ]
            solver.add(z3.substitute(system.trans, *pairs))
            layers.append(layer)
            given.append(ins)
            named = dict(zip(self.by_name, layer, strict=True))
            solver.push()
            solver.add([named[n] == self.values.of(n, v) for n, v in wanted.items()])
            if ask(solver) == z3.sat:
                model = solver.model()
                return [
                    (_whole(model, layers[i + 1]), _whole(model, given[i]))
                    for i in range(steps)
                ]
            solver.pop()
        raise NoTrace(f"no step leads to what it gives as state {place}")


class _Values:
    """Reads values from text, each text once."""

    def __init__(self, by_name: Mapping[str, Any]) -> None:
        self.by_name = by_name
        self._read: dict[tuple[str, str], Any] = {}

    def of(self, name: str, text: str) -> Any:
        import z3

        sort = self.by_name[name].sort()
        key = str(sort), text
        if key not in self._read:
            asked = f"(declare-fun v () {sort.sexpr()})(assert (= v {text}))"
            self._read[key] = z3.parse_smt2_string(asked)[0].arg(1)
        return self._read[key]


def _whole(model: Any, terms: Sequence[Any]) -> list[Any]:
    return [model.eval(term, model_completion=True) for term in terms]


def _check(
    system: System, number: int, points: Sequence[Any], inputs: Sequence[Sequence[Any]]
) -> None:
    """Work out every formula of the run. Raises NoTrace for one that is not as it should."""
    import z3

    def worked_out(formula: Any, *pairs: tuple[Sequence[Any], Sequence[Any]]) -> Any:
        all_pairs = [both for some in pairs for both in zip(*some, strict=True)]
        return z3.simplify(z3.substitute(formula, *all_pairs) if all_pairs else formula)

    if not z3.is_true(worked_out(system.init, (system.now, points[0]))):
        raise NoTrace("its first state does not satisfy init")
    for place, given in enumerate(inputs):
        step = worked_out(
            system.trans,
            (system.now, points[place]),
            (system.inputs, given),
            (system.then, points[place + 1]),
        )
        if not z3.is_true(step):
            raise NoTrace(f"step {place + 1} does not satisfy the transition relation")
    if not z3.is_false(worked_out(system.claims[number], (system.now, points[-1]))):
        raise NoTrace("its last state does not break the property")
