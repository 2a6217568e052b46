"""What a run of mutants comes to: by kind of change, by clause, by property, and the holes.

A clause is a hole where mutants of its rules are told apart and no property is seen to be
broken by any; a property that no mutant breaks is one too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ...models.system import Kind
from .deciding import Decided
from .making import Mutant
from .run import Run

__all__ = ["Line", "Table", "faults_of", "table_of"]

FAULTS: Mapping[str, tuple[str, ...]] = {
    "carry-over": ("reset", "dropped", "carry-over", "exchanged"),
    "overflow": ("carry-over", "award-missing", "award-twice", "cap"),
    "off-by-one": ("constant", "boundary", "table"),
    "award-missing": ("award-missing", "dropped", "branch"),
    "award-twice": ("award-twice", "twice"),
    "multiplier": ("multiplier", "sibling"),
    "cap": ("cap", "constant"),
    "endless": ("dropped", "condition", "never"),
    "upgrade": ("twice", "hasty", "stale", "dropped"),
    "accidental-win": ("comparison", "boundary", "condition"),
    "sub-game": ("condition", "never", "strengthened"),
    "unreachable": ("never", "strengthened", "condition"),
    "overflow-int": ("sign",),
}
"""The kinds of change that stand for each class of what really goes wrong in such games.

``display``, ``resume``, ``leak``, ``table`` and ``rounding`` are no changes of rules: builds
show them (``playproof gate``), and tables (``playproof audit``).
"""


@dataclass(frozen=True)
class Line:
    """How many mutants there are of something, and what became of them.

    ``by_suite`` are those told apart by a script of the suite that was given, ``by_property``
    those seen to break a property.
    """

    mutants: int = 0
    killed: int = 0
    by_suite: int = 0
    by_property: int = 0
    beyond: int = 0
    equal: int = 0
    undecided: int = 0

    def __add__(self, other: Line) -> Line:
        return Line(*(getattr(self, n) + getattr(other, n) for n in Line.__dataclass_fields__))

    @property
    def score(self) -> float:
        """The share of mutants told apart among those not proved equal, in percent."""
        different = self.mutants - self.equal
        return 100.0 * self.killed / different if different else 100.0


@dataclass(frozen=True)
class Table:
    """A run by kind of change, by rule and by clause; mutants by property broken; the holes."""

    total: Line
    by_operator: Mapping[str, Line]
    by_rule: Mapping[str, Line]
    by_clause: Mapping[str, Line]
    by_property: Mapping[str, int]
    properties_without: tuple[str, ...]
    clauses_without: tuple[str, ...]


def table_of(run: Run) -> Table:
    """Return what became of a run's mutants."""
    mutants = run.mutants.all

    def by(keys: Callable[[Mutant], Iterable[str]]) -> dict[str, Line]:
        found: dict[str, Line] = {}
        for one in mutants:
            for key in keys(one):
                found[key] = found.get(key, Line()) + _line(run.of(one), run.scripts)
        return found

    broken = Counter(name for one in run.decided.values() for name in one.refuted)
    game = run.ground.game
    claims = [o.id for o in game.properties if o.kind in (Kind.INVARIANT, Kind.STEP)]
    clauses = by(lambda one: one.clauses)
    total = sum((_line(run.of(one), run.scripts) for one in mutants), Line())
    return Table(
        total,
        dict(sorted(by(lambda one: (one.operator,)).items())),
        by(lambda one: (one.rule,)),
        dict(sorted(clauses.items())),
        {one.id: broken[one.id] for one in game.properties if broken[one.id]},
        tuple(name for name in claims if not broken[name]),
        tuple(c for c, line in sorted(clauses.items()) if line.killed and not line.by_property),
    )


def faults_of(table: Table) -> Mapping[str, int]:
    """Return for each class of fault how many mutants stand for it."""
    return {
        fault: sum(table.by_operator.get(one, Line()).mutants for one in operators)
        for fault, operators in FAULTS.items()
    }


def _line(one: Decided, scripts: int) -> Line:
    killed = one.outcome == "killed"
    return Line(
        mutants=1,
        killed=int(killed),
        by_suite=int(killed and 0 <= one.play < scripts),
        by_property=int(bool(one.refuted)),
        beyond=int(one.beyond),
        equal=int(one.outcome == "equal"),
        undecided=int(one.outcome == "undecided"),
    )
