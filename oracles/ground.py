"""The ground that Plays of a suite stand on: one edition, one way to take every reading.

Everything is known but the reveals. Rules are taken as the encoding has them, made into plain
Python: a step takes microseconds, so that many Plays can be looked at. What is kept of them is
replayed by the rules themselves before it is believed (``oracles.script``).

Values go by an encoding's names: ``s.level`` before a step, ``r.spin.wins``, ``s.level!``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..models.algebra import Bool, Value, all_of, variables_of
from ..models.editions import Edition, PrizeRow, default_readings
from ..models.play import Play, replay
from ..models.setting import settle
from ..models.shape import Variable
from ..models.system import Property, Step
from ..proofs.counting import proved_claims
from ..proofs.encoding import NEXT, encode
from ..proofs.paths import END, rule_graph
from .compiled import Conditions, compiled
from .targets import Component, Target, row_target

__all__ = ["Ground", "Move", "Packed", "Trace", "Values"]

Values = Mapping[str, Any]
Packed = tuple[tuple[str, tuple[Any, ...]], ...]
"""A Play as it is sent from one process to another: rules, each with what is revealed."""


@dataclass(frozen=True)
class Move:
    """A step of a Play: the rule, and the values of what it reveals."""

    rule: str
    revealed: Values


@dataclass(frozen=True, repr=False)
class Trace:
    """A Play as it is looked at: its moves, and the states before each and after the last."""

    moves: tuple[Move, ...]
    states: tuple[Values, ...]

    def __repr__(self) -> str:
        """Return the moves with what they reveal, as far as that is anything."""
        return f"<{'; '.join(map(_said, self.moves)) or 'nothing yet'}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Have Hypothesis print the same: by itself it prints what a dataclass holds."""
        printer.text(repr(self))

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """The rules taken, in order."""
        return tuple(move.rule for move in self.moves)

    @property
    def end(self) -> Values:
        """The last state."""
        return self.states[-1]

    def upto(self, steps: int) -> Trace:
        """Return the beginning of this Play."""
        return Trace(self.moves[:steps], self.states[: steps + 1])

    def seen(self, number: int) -> dict[str, Any]:
        """Return every value in a step, counted from 0: before it, revealed, after it."""
        after = {name + NEXT: value for name, value in self.states[number + 1].items()}
        return {**self.states[number], **self.moves[number].revealed, **after}


def _said(move: Move) -> str:
    shown = {name.split(".", 2)[2]: value for name, value in move.revealed.items() if value}
    return " ".join([move.rule, *(f"{name}={value}" for name, value in shown.items())])


class Ground:
    """One edition under one set of readings, and what is known of its Plays beforehand."""

    def __init__(self, edition: Edition, readings: Mapping[str, str] | None = None) -> None:
        """Settle it; readings that are not given are taken as their first choice.

        Raises KeyError for a reading that does not exist, ValueError for a choice that does
        not or where the readings do not fit together.
        """
        self.edition, self.game = edition, edition.game
        self.readings = default_readings(edition.game.setting, readings)
        self.p, _, fits = settle(edition.game.setting, edition.parameters, self.readings)
        if fits is not True:
            raise ValueError("these readings do not fit together")
        self.encoding = encode(self.game, edition.parameters, self.readings)
        self.graph = rule_graph(self.game, self.p)
        self.formulas = {formula.rule.id: formula for formula in self.encoding.rules}
        self.state = tuple(v for v in self.encoding.state if v.name.startswith("s."))
        self.revealed: dict[str, tuple[Variable, ...]] = {
            rule.id: self.encoding.reveal_variables(rule) for rule in self.game.rules
        }
        self.updates: dict[str, dict[str, Value]] = {
            name: dict(zip((v.name for v in self.state), formula.updates, strict=False))
            for name, formula in self.formulas.items()
        }
        self.last = tuple(rule for rule in self.formulas if self.graph.has_edge(rule, END))
        self.claims: tuple[Property, ...] = proved_claims(self.game, self.readings)
        self._names = [variable.name for variable in self.state]
        self._revealed = {rule: [v.name for v in of] for rule, of in self.revealed.items()}
        self._choices = {
            rule: {v.name: (v.low or 0) if v.sort == "Int" else False for v in of if v.choice}
            for rule, of in self.revealed.items()
        }
        self._moves = {
            name: compiled([formula.guard, *formula.updates[: len(self.state)]])
            for name, formula in self.formulas.items()
        }
        self._result = self._of_end(self.encoding.point().s)
        self._early = self._if_ended()
        self._kept = self._promises()

    # Steps.

    def start(self) -> Trace:
        """Return the Play that has not begun."""
        return Trace((), (dict(zip(self._names, self.encoding.start, strict=False)),))

    def take(self, state: Values, move: Move) -> dict[str, Any] | None:
        """Return the state that a move leads to, None where it is not legal."""
        fires, *after = self._moves[move.rule]({**state, **move.revealed})
        return dict(zip(self._names, after, strict=True)) if fires else None

    def longer(self, trace: Trace, move: Move) -> Trace | None:
        """Return a Play one move longer; None where the move is not legal.

        What the player chooses is taken at its least: scripts do not depend on it.
        """
        if self._choices[move.rule]:
            move = Move(move.rule, {**move.revealed, **self._choices[move.rule]})
        after = self.take(trace.end, move)
        if after is None:
            return None
        return Trace((*trace.moves, move), (*trace.states, after))

    def along(self, trace: Trace, moves: Iterable[Move]) -> Trace | None:
        """Return a Play some moves longer; None where one of them is not legal."""
        for move in moves:
            longer = self.longer(trace, move)
            if longer is None:
                return None
            trace = longer
        return trace

    def packed(self, trace: Trace) -> Packed:
        """Return a Play as it is sent."""
        return tuple(
            (move.rule, tuple(move.revealed[v.name] for v in self.revealed[move.rule]))
            for move in trace.moves
        )

    def unpacked(self, packed: Packed) -> Trace:
        """Return a Play that was sent. Its steps are taken to be legal."""
        moves = [
            Move(rule, dict(zip(self._revealed[rule], values, strict=True)))
            for rule, values in packed
        ]
        return self._legal(moves)

    def traced(self, play: Play) -> Trace:
        """Return a Play as it is looked at. Its steps are taken to be legal."""
        return self._legal([self._move(step) for step in play.steps])

    def _legal(self, moves: Sequence[Move]) -> Trace:
        trace = self.along(self.start(), moves)
        assert trace is not None, "a Play that the rules replayed"
        return trace

    def play(self, trace: Trace) -> Play:
        """Return a Play as the rules replay it."""
        return Play(self.p, tuple(self._step(move) for move in trace.moves))

    def _move(self, step: Step) -> Move:
        shape = self.game.reveal_shape(self.game.rule(step.rule))
        prefix = f"r.{type(step.reveal).__name__.lower()}."
        scalars = shape.scalars(step.reveal)
        return Move(step.rule, {prefix + name: value for name, value in scalars.items()})

    def _step(self, move: Move) -> Step:
        rule = self.game.rule(move.rule)
        prefix = f"r.{rule.reveal.__name__.lower()}."
        values = {name.removeprefix(prefix): v for name, v in move.revealed.items()}
        return Step(move.rule, self.game.reveal_shape(rule).of(values))

    def state_of(self, values: Mapping[str, Value]) -> Any:
        """Return a state of the game from its values."""
        plain = {name.removeprefix("s."): value for name, value in values.items()}
        return self.game.state_shape().of(plain)

    # What a Play wins, and what it may have been predetermined to win.

    def _of_end(self, s: Any) -> Conditions:
        goal = self.game.goal
        parts = goal.parts(self.p, s)
        self.parts = tuple(parts)
        return compiled([goal.ended(self.p, s), goal.paid(self.p, s), *parts.values()])

    def _if_ended(self) -> Conditions | None:
        for name in self.last:
            formula = self.formulas[name]
            if not self.revealed[name]:
                return self._of_end(formula.after.s)
        return None

    def ended(self, state: Values) -> bool:
        """Return whether a Play is over."""
        return bool(self._result(state)[0])

    def paid(self, state: Values) -> int:
        """Return what an ended Play pays, in pence."""
        return int(self._result(state)[1])

    def won(self, state: Values) -> dict[str, int]:
        """Return what each part pays in an ended state, in pence."""
        return dict(zip(self.parts, self._result(state)[2:], strict=True))

    def won_if_ended(self, state: Values) -> dict[str, int] | None:
        """Return what each part would pay if the Play ended here; None if that is open."""
        if self._early is None:
            return None
        return dict(zip(self.parts, self._early(state)[2:], strict=True))

    @cached_property
    def _rows(self) -> dict[tuple[tuple[int, ...], int], PrizeRow]:
        return {(tuple(sorted(r.parts)), r.prize_game): r for r in self.edition.prizes}

    def bare(self, parts: Mapping[str, int]) -> tuple[int, ...]:
        """Return what is won in parts that a target need not name, least first."""
        named = self.game.goal.named
        return tuple(sorted(won for name, won in parts.items() if won and name not in named))

    def row(self, parts: Mapping[str, int]) -> PrizeRow | None:
        """Return the row of the prize table that is made up of these parts."""
        named = sum(parts[name] for name in self.game.goal.named)
        return self._rows.get((self.bare(parts), named))

    def in_table(self, parts: Mapping[str, int]) -> bool:
        """Return whether parts are a row of the table, or nothing. Without one all are."""
        return not self._rows or not any(parts.values()) or self.row(parts) is not None

    def may_become(self, parts: Mapping[str, int]) -> bool:
        """Return whether these parts, without those named, are the beginning of a row."""
        bare = self.bare(parts)
        return not self._rows or not bare or any(bare == row for row, _ in self._rows)

    def target(self, end: Values) -> Target:
        """Return the target that a Play wins: a row of the table, or its parts by name."""
        parts = self.won(end)
        row = self.row(parts)
        if row is not None:
            return row_target(row, self.game)
        named = tuple(Component(name, won) for name, won in parts.items() if won)
        return Target(self.paid(end), named or None)

    def allowed(self, trace: Trace) -> bool:
        """Return whether a Play ends, wins what the table has, and keeps every promise."""
        if not self.ended(trace.end) or not self.in_table(self.won(trace.end)):
            return False
        if self._kept is not None:
            return all(self._kept(trace.end))
        *_, point = replay(self.game, self.play(trace))
        return all(one.kept(self.p, point.s, point.t) is True for one in self.game.promises)

    def _promises(self) -> Conditions | None:
        """Return what the promises are in an end state; None if it takes what was seen."""
        end = self.encoding.point()
        kept = [one.kept(self.p, end.s, end.t) for one in self.game.promises]
        seen = any(name.startswith("t.") for name in variables_of(*kept))
        return None if seen else compiled(kept)

    def wins_near(self, parts: Mapping[str, int]) -> list[PrizeRow | None]:
        """Return the rows that win the same in parts without a name, the nearest first.

        None stands for nothing or, without a table, for anything.
        """
        bare = self.bare(parts)
        named = sum(parts[name] for name in self.game.goal.named)
        rows = [row for (of, _), row in self._rows.items() if of == bare]
        rows.sort(key=lambda row: abs(row.prize_game - named))
        return [*rows] if self._rows and bare else [*rows, None]

    def wanted_end(self, s: Any, row: PrizeRow | None) -> Bool:
        """Return, as a term, that a Play ends here, wins a row and keeps its promises.

        Without a row it wins nothing, where there is a table.
        """
        game, p = self.game, self.p
        none_seen = game.tally_shape().zero()
        kept = [one.kept(p, s, none_seen) for one in game.promises]
        won: Bool = True
        if row is not None:
            won = row_target(row, game).won(game, p, s)
        elif self._rows:
            won = game.goal.paid(p, s) == 0
        return all_of(game.goal.ended(p, s), won, kept)
