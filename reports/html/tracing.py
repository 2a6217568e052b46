"""Traceability: from each clause to the rules, properties, scripts and mutants; gaps first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...models.registers import Clause
from ...models.setting import figures_of, parameter_clauses_of, readings_of
from .mutants import Line
from .source import Source

__all__ = ["Traced", "trace_clauses"]

# Clauses of these kinds are not for rules and proofs to hold.
_APART = {
    "display": "about screens alone: no rule or proof holds it",
    "limit": "no model of one Play can hold it",
}
# Figures that the audit of the prize table is about.
_HEADLINES = ("price", "overall_odds", "payout")
# As many scripts are named.
_NAMED = 3


@dataclass(frozen=True)
class Traced:
    """One clause and all that realises, states or exercises it.

    ``gap`` says what is missing, "" if nothing is; ``apart`` why nothing is expected. ``open``
    are figures, parameters, readings and promises. ``scripts`` are the first of ``count``, None
    where none were given.
    """

    clause: Clause
    gap: str
    apart: str
    rules: tuple[str, ...]
    properties: tuple[str, ...]
    open: tuple[tuple[str, str], ...]
    scripts: tuple[str, ...] | None
    count: int
    mutants: Line | None


def trace_clauses(source: Source) -> tuple[Traced, ...]:
    """Return every clause of the register, those with gaps first.

    A clause that is cited but in no register of the game is listed as well.
    """
    unneeded = {
        id_ for ids in source.results.sanity.clauses_no_proof_needs.values() for id_ in ids
    }
    traced = [_traced(source, clause, unneeded) for clause in _clauses(source)]
    return tuple(sorted(traced, key=lambda one: (not one.gap, bool(one.apart))))


def _clauses(source: Source) -> Iterator[Clause]:
    yield from source.register.clauses
    game = source.game
    cited = [id_ for rule in game.rules for id_ in rule.clauses]
    cited += [id_ for claim in game.properties for id_ in claim.clauses]
    cited += [id_ for promise in game.promises for id_ in promise.clauses]
    cited += [one.clause for one in figures_of(game.setting).values()]
    cited += [id_ for one in readings_of(game.setting).values() for id_ in one.clauses]
    cited += [id_ for ids in parameter_clauses_of(game.setting).values() for id_ in ids]
    for id_ in sorted(dict.fromkeys(cited)):
        if id_ not in source.clauses:
            yield Clause(id_, "", "", "", "rule")


def _traced(source: Source, clause: Clause, unneeded: set[str]) -> Traced:
    game, id_ = source.game, clause.id
    rules = tuple(rule.id for rule in game.rules if id_ in rule.clauses)
    own = {claim.id: claim.clauses for claim in game.properties if claim.id in _decided(source)}
    properties = [name for name, clauses in own.items() if id_ in clauses]
    properties += [kind.id for kind in game.reachable if id_ in kind.clauses]
    open_ = tuple(_open(source, id_))
    apart = _APART.get(clause.kind, "")
    taking = source.scripts.taking(rules) if source.scripts and rules else ()
    of_table = source.audited and any(name in _HEADLINES for _, name in open_)
    promised = any(kind == "promise" for kind, _ in open_)
    gap = ""
    if not apart:
        if not (rules or properties or open_):
            gap = "no rule, property or figure cites it"
        elif id_ in unneeded and not (of_table or promised):
            gap = "no proof needs it"
        elif rules and source.scripts and not taking:
            gap = "no script takes a step by its rules"
    return Traced(
        clause,
        gap,
        apart,
        rules,
        tuple(properties),
        open_,
        tuple(one.file for one in taking[:_NAMED]) if source.scripts else None,
        len(taking),
        source.mutants.clauses.get(id_) if source.mutants else None,
    )


def _decided(source: Source) -> set[str]:
    return {one.claim for one in source.of_every_play}


def _open(source: Source, id_: str) -> Iterator[tuple[str, str]]:
    """Yield what of the setting the clause states or leaves open, and what it promises."""
    setting = source.game.setting
    for name, figure in figures_of(setting).items():
        if figure.clause == id_:
            yield "figure", name
    for name, cited in parameter_clauses_of(setting).items():
        if id_ in cited:
            yield "parameter", name
    for name, way in readings_of(setting).items():
        if id_ in way.clauses:
            yield "reading", name
    for promise in source.game.promises:
        if id_ in promise.clauses:
            yield "promise", promise.id
