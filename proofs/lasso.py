"""Plays that go on for ever: a prefix, and a loop that can be taken again and again.

    lasso        prefix · loop · loop · …   the state after the loop is the one before it
    closed set   no state comes again, as some counters grow: a set R of states, with
                 R(x) ⇒ the loop's steps are legal from x, none of the states on the way has
                 ended, and R holds after them

A loop is looked for first, from any state in which the claims hold, along the cycles of the
rule graph through rules that use every source without a limit: the shortest first. Where the
state cannot come again, the fewest counters that will do may grow. Then prefixes that lead into
it are tried, the shortest first. R is what the state before the loop is, without all that the
loop does not need.

Biere, Artho, Schuppan: Liveness checking as safety checking, FMICS 2002. Gupta, Henzinger,
Majumdar, Rybalchenko, Xu: Proving non-termination, POPL 2008 (recurrent sets).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import networkx as nx
import z3

from ..models.algebra import all_of
from ..models.play import Play
from ..models.setting import readings_of
from ..models.system import Property
from . import smtlib
from .bmc import Unrolling
from .deadline import answer_of
from .encoding import Encoding
from .paths import START
from .solvers import Steps, read_model

__all__ = ["Loop", "Loops"]

Word = tuple[str, ...]
Possible = Callable[[Word], bool]

# What is looked for: loops of so many rules, with so many repetitions in them, after prefixes
# of so many steps, and with so many counters that grow.
_CYCLE, _REPEATED, _PREFIX, _GROWING = 6, 6, 10, 3


@dataclass(frozen=True)
class Loop:
    """A Play whose steps after ``start`` may be taken again and again."""

    play: Play
    start: int
    growing: tuple[str, ...] = ()


def _cycles(graph: nx.DiGraph[str], needed: Sequence[Collection[str]]) -> Iterator[Word]:
    """Yield the cycles of a graph with one of each of some sets of rules, shortest first."""
    for length in range(1, _CYCLE + 1):  # most often a short one will do
        cycles = (
            (*cycle[cycle.index(min(cycle)) :], *cycle[: cycle.index(min(cycle))])
            for cycle in nx.simple_cycles(graph, length_bound=length)
            if len(cycle) == length and all(set(rules) & set(cycle) for rules in needed)
        )
        yield from sorted(cycles)


def _words(cycle: Word, graph: nx.DiGraph[str], possible: Possible) -> Iterator[Word]:
    """Yield a cycle as it may be taken again and again, some rules several times running.

    Those come first in which few rules are repeated, and of these the shortest.
    """
    may = [i for i, rule in enumerate(cycle) if graph.has_edge(rule, rule)]
    for repeated in range(len(may) + 1):
        for extra in range(repeated, _REPEATED + 1 if repeated else 1):
            for chosen in itertools.combinations(may, repeated):
                for times in _shared(extra, repeated):
                    more = dict(zip(chosen, times, strict=True))
                    word = tuple(
                        rule for i, rule in enumerate(cycle) for _ in range(1 + more.get(i, 0))
                    )
                    if possible((*word, word[0])):
                        yield word


def _shared(number: int, among: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to share a number out, at least 1 for each."""
    if among == 0:
        yield ()
        return
    for first in range(1, number - among + 2) if among > 1 else (number,):
        for rest in _shared(number - first, among - 1):
            yield (first, *rest)


class Loops:
    """The search for Plays with a loop of some rules.

    ``graph`` is the rule graph. ``counts`` are scalars that count what is used of a source,
    each with the rules that start it afresh. It may not grow; in a loop that takes one of these
    rules it is no part of the state that comes again. ``given`` are claims that hold.
    """

    def __init__(
        self,
        encoding: Encoding,
        graph: nx.DiGraph[str],
        counts: Mapping[str, Collection[str]],
        given: Sequence[Property],
        steps: Steps,
    ) -> None:
        self.encoding, self.graph, self.steps = encoding, graph, steps
        self._counts = counts
        self._anywhere = _from_anywhere(encoding)
        self._failed: list[frozenset[str]] = []
        # Last choices allow least: a loop under them is more likely to be one under all.
        self._hoped = {
            f"p.{name}": len(shape.choices) - 1
            for name, shape in readings_of(encoding.p).items()
            if name not in encoding.readings
        }
        self._given = smtlib.text(all_of(encoding.holds(claim, "@0") for claim in given))
        self._scalars = [v.name for v in encoding.state if v.name.startswith("s.")]
        self._may_grow = {  # what has a limit of its own grows only so far
            v.name for v in encoding.state if v.sort == "Int" and v.high is None
        } - counts.keys()
        self._possible: dict[tuple[str, ...], bool] = {(): True}

    def possible(self, word: Word) -> bool:
        """Return whether rules can fire in this order, from some state."""
        if word not in self._possible:
            self._possible[word] = self._ask(self._anywhere, word) is not None
        return self._possible[word]

    def words(
        self, among: Sequence[str], needed: Sequence[Collection[str]], ends: Possible
    ) -> Iterator[Word]:
        """Yield sequences of some rules that may be loops, with one of each set needed.

        ``ends`` tells of rules whether Plays of them alone end.
        """
        graph = self.graph.subgraph(among)
        for cycle in _cycles(graph, needed):
            if ends(cycle):
                continue
            yield from _words(cycle, graph, self.possible)

    def find(self, word: tuple[str, ...], encoding: Encoding) -> Loop | None:
        """Return a Play that comes to a loop along a word; None if there is none in short.

        ``encoding`` is that of the search, perhaps with other readings.
        """
        self.encoding, self._anywhere = encoding, _from_anywhere(encoding)
        if self._ask(self._anywhere, word, 0, self._may_grow, _GROWING) is None:
            return None
        for most in range(_GROWING + 1):
            found = self._ask(self._anywhere, word, 0, self._may_grow, most)
            if found is not None:
                return self._reached(word, found[1])
        return None

    def rule_out(self, loop: Loop) -> None:
        """Take note that what grows in a loop does not let it go on."""
        self._failed.append(frozenset(map(_field, loop.growing)))

    def _reached(self, word: tuple[str, ...], growing: tuple[str, ...]) -> Loop | None:
        """Return a Play that comes to a loop; None if no short prefix leads to it."""
        for prefix, loop in self._prefixes(word):
            whole = (*prefix, *loop)
            found = self._ask(self.encoding, whole, len(prefix), growing, len(growing))
            if found is not None:
                return Loop(found[0], len(prefix), growing)
        return None

    def _prefixes(
        self, word: tuple[str, ...]
    ) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Yield prefixes, the shortest first, each with the loop as it goes on from there.

        They are paths of the rule graph of as few rules as can be, some of them repeated.
        """
        away = nx.single_source_shortest_path(self.graph, START)
        entries = [i for i, rule in enumerate(word) if rule in away]
        if not entries:
            return
        entry = min(entries, key=lambda i: (len(away[word[i]]), i))
        loop = word[entry:] + word[:entry]
        path = away[loop[0]][1:]
        waiting: list[tuple[tuple[str, ...], int]] = [((), 0)]
        while waiting:
            longer = []
            for prefix, at in waiting:
                if not self._possible_from_start(prefix):
                    continue
                if at >= len(path) - 1:
                    yield prefix, loop
                if len(prefix) < _PREFIX and at < len(path):
                    longer += [
                        ((*prefix, path[at + more]), at + more)
                        for more in (0, 1)
                        if at + more < len(path)
                    ]
            waiting = list(dict.fromkeys(longer))

    def _possible_from_start(self, word: tuple[str, ...]) -> bool:
        return not word or self._ask(self.encoding, word) is not None

    def _ask(
        self,
        encoding: Encoding,
        word: tuple[str, ...],
        loop: int | None = None,
        growing: Collection[str] = (),
        most: int = 0,
    ) -> tuple[Play, tuple[str, ...]] | None:
        """Return a Play along rules, and what grows in it from ``loop`` steps on to the end.

        The state is the same then, but for ``most`` of the scalars that may be ``growing``.
        Without ``loop`` any state will do.
        """
        rules = [encoding.game.rule(id_) for id_ in word]
        fewer = tuple(f for f in encoding.rules if f.rule.id in word)
        unrolled = Unrolling(dataclasses.replace(encoding, rules=fewer), self.steps)
        for rule in rules:
            unrolled.grow((rule,))
        text = unrolled.text
        if encoding is self._anywhere:
            text += f"(assert {self._given})\n"
        grows: list[str] = []
        for name in [] if loop is None else self._same(word[loop:]):
            was, now = f"{name}@{loop}", f"{name}@{len(word)}"
            if name not in growing:
                text += f"(assert (= {was} {now}))\n"
                continue
            text += f"(assert (<= {was} {now}))\n(declare-const grows!{len(grows)} Bool)\n"
            text += f"(assert (= grows!{len(grows)} (< {was} {now})))\n"
            grows.append(name)
        context = z3.Context()
        solver = z3.Solver(ctx=context)
        solver.set(rlimit=self.steps.z3)
        if self.steps.seconds is not None:
            solver.set(timeout=max(1, int(self.steps.seconds * 1000)))
        solver.from_string(text)
        marks = [z3.Bool(f"grows!{number}", context) for number in range(len(grows))]
        if len(marks) > most:
            solver.add(z3.AtMost(*marks, most))
        pairs = list(zip(grows, marks, strict=True))
        for fields in self._failed:
            growing_all = [
                z3.Or(z3.BoolVal(False, context), *(m for n, m in pairs if _field(n) == one))
                for one in sorted(fields)
            ]
            solver.add(z3.Not(z3.And(growing_all)))
        hopes = {} if loop is None else self._hoped
        hoped = [z3.Int(name, context) == value for name, value in hopes.items()]
        while (answer := answer_of(solver, *hoped)) == z3.unsat:
            core = solver.unsat_core()
            if not len(core):
                return None
            hoped = [one for one in hoped if not one.eq(core[0])]
        if answer != z3.sat:
            return None
        model = solver.model()
        wanted = [*unrolled.wanted(), *(f"fires.{r.id}@{i}" for i, r in enumerate(rules))]
        play = unrolled.play(read_model(model, wanted), [(r,) for r in rules])
        grown = (name for name, mark in pairs if z3.is_true(model.eval(mark)))
        return play, tuple(grown)

    def _same(self, word: Sequence[str]) -> list[str]:
        afresh = {name for name, rules in self._counts.items() if set(rules) & set(word)}
        return [name for name in self._scalars if name not in afresh]


def _field(name: str) -> str:
    return name.split(".")[1]


def _from_anywhere(encoding: Encoding) -> Encoding:
    """Return an encoding that starts in any state whatever."""
    anywhere = tuple(dataclasses.replace(v, name=f"any.{v.name}") for v in encoding.state)
    return dataclasses.replace(
        encoding,
        rigid=(*encoding.rigid, *anywhere),
        start=tuple(v.term() for v in anywhere),
    )
