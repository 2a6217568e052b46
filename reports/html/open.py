"""What a document leaves open, and what depends on it: readings, parameters, promises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...models.setting import figures_of, parameter_clauses_of, parameters_of, readings_of
from ..words import implicant, quantity_range
from .claims import Shelf
from .plays import Told, shown
from .source import Source
from .stored import Kept

__all__ = ["Figure", "Parameter", "Promise", "Reading", "figures", "parameters", "promises",
           "readings"]  # fmt: skip


@dataclass(frozen=True)
class Reading:
    """One way to take an unclear clause, and what it decides.

    ``choices`` are (id, words), the first the default; ``decides`` are (property, under what it
    fails); ``taken`` is the choice that was fixed, if one was.
    """

    id: str
    asks: str
    clauses: tuple[str, ...]
    choices: tuple[tuple[str, str], ...]
    decides: tuple[tuple[str, str], ...]
    rules: tuple[str, ...]
    taken: str


@dataclass(frozen=True)
class Parameter:
    """A number that the document leaves open: its range, and an edition's value for it."""

    id: str
    is_: str
    range: str
    clauses: tuple[str, ...]
    value: str
    source: str
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Figure:
    """A number that the document states."""

    id: str
    is_: str
    value: str
    clause: str


@dataclass(frozen=True)
class Promise:
    """A promise, and the Play that breaks it, if one was found."""

    id: str
    kept: Kept
    breaks: Told | None


def readings(source: Source) -> tuple[Reading, ...]:
    """Return every reading of the game."""
    return tuple(
        Reading(
            id_,
            shape.meaning,
            shape.clauses,
            tuple(zip(shape.choices, shape.says, strict=True)),
            tuple(_decided(source, id_)),
            _asking(source.asked.rules, id_.replace("-", "_")),
            source.results.readings.get(id_, ""),
        )
        for id_, shape in readings_of(source.game.setting).items()
    )


def parameters(source: Source) -> tuple[Parameter, ...]:
    """Return every parameter of the game."""
    clauses = parameter_clauses_of(source.game.setting)
    edition = source.edition
    return tuple(
        Parameter(
            id_,
            shape.meaning,
            quantity_range(_limit(source, shape.low), _limit(source, shape.high), shape.unit),
            clauses[id_],
            _listed(shown(edition.parameters[id_], shape.unit)) if edition else "",
            edition.sources[id_] if edition else "",
            _asking(source.asked.rules, id_),
        )
        for id_, shape in parameters_of(source.game.setting).items()
    )


def figures(source: Source) -> tuple[Figure, ...]:
    """Return every figure that the document states."""
    setting = source.game.setting
    return tuple(
        Figure(id_, shape.meaning, _listed(shown(getattr(setting, id_), "")), shape.clause)
        for id_, shape in figures_of(setting).items()
    )


def _listed(values: str) -> str:
    """Return a list as it is shown, without its own brackets; those of lists in it stay.

    >>> _listed("[1, 2]"), _listed("[[1, 2], [3]]"), _listed("7")
    ('1, 2', '[1, 2], [3]', '7')
    """
    return values.removeprefix("[").removesuffix("]")


def promises(source: Source, shelf: Shelf) -> tuple[Promise, ...]:
    """Return every promise that was judged."""
    return tuple(
        Promise(
            id_,
            kept,
            None if kept.broken_by_play is None else shelf.of_sanity(kept.broken_by_play),
        )
        for id_, kept in source.results.sanity.promises.items()
    )


def _decided(source: Source, id_: str) -> Iterator[tuple[str, str]]:
    for one in source.of_every_play:
        for cube in one.fails_under:
            if id_ in cube:
                yield one.claim, implicant(tuple(cube.items()))


def _asking(by: Mapping[str, frozenset[str]], name: str) -> tuple[str, ...]:
    return tuple(id_ for id_, names in by.items() if name in names)


def _limit(source: Source, limit: int | str | None) -> int | None:
    return getattr(source.game.setting, limit) if isinstance(limit, str) else limit
