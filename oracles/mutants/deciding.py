"""Decides every mutant of a rule: equal, with a proof, or told apart, with a Play.

    1. run on the steps of the Plays at hand, and on steps refused on the way
    2. asked of a solver: is there any state, as far as is known, in which it differs?
    3. if there may be: a Play made to come to one (``search``)
    4. if there is none: a certificate (``equal``), for many mutants of a rule at once

What is neither proved nor told apart is undecided, with the reason. A Play that only breaks a
promise of the game tells a mutant apart too, but is no script: such are marked ``beyond``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ...proofs.filing import file_certificate
from ...proofs.verdict import Outcome
from ...proofs.workbench import Answers
from ..ground import Ground, Move, Trace
from ..learnt import Learnt
from .equal import Equal, Equals, prove_equal
from .making import Mutant, Mutants
from .refuted import Refuted
from .search import Found, Search
from .steps import Apart, Place, Steps
from .tried import Tried

__all__ = ["Decided", "OfRule", "decide"]

_TOGETHER = 40  # mutants in one certificate
_VAIN = 3  # rounds of tries that tell nothing apart, after which there are no more


@dataclass(frozen=True)
class Decided:
    """What became of a mutant.

    ``how`` it is told apart: ``shows``, ``refuses`` or ``accepts`` (``steps.Apart``), after
    ``step`` steps of a Play; ``refused`` is the step that it accepts. ``play`` is the Play's
    number among those at hand, and then among those found. ``refuted`` are the properties seen
    to be broken (``refuted``), ``proof`` names the certificate.
    """

    digest: str
    outcome: Literal["killed", "equal", "undecided"]
    how: str = ""
    play: int = -1
    step: int = -1
    refused: Move | None = None
    beyond: bool = False
    refuted: tuple[str, ...] = ()
    proof: str = ""
    reason: str = ""


@dataclass(frozen=True)
class OfRule:
    """The mutants of one rule, decided, and the Plays that were found on the way.

    ``checked`` are the solvers that agree on the proofs.
    """

    rule: str
    decided: tuple[Decided, ...]
    found: tuple[tuple[Move, ...], ...]
    checked: tuple[str, ...] = ()


def decide(
    mutants: Mutants,
    rule: str,
    known: Sequence[Trace],
    learnt: Learnt,
    out: Path | None = None,
    answers: Answers | None = None,
    tell: Callable[[str], None] = lambda what: None,
    *,
    scripts: int = 0,
) -> OfRule:
    """Decide the mutants of a rule.

    ``known`` are Plays to begin with, the first ``scripts`` of them a suite's; ``learnt`` is
    what is always so. Certificates are written below ``out``. ``tell`` is told what is at
    work.
    """
    return _Deciding(mutants, rule, known, learnt, out, answers, tell, scripts).run()


class _Deciding:
    def __init__(
        self,
        mutants: Mutants,
        rule: str,
        known: Sequence[Trace],
        learnt: Learnt,
        out: Path | None,
        answers: Answers | None,
        tell: Callable[[str], None],
        scripts: int,
    ) -> None:
        self.scripts = scripts
        self.mutants, self.rule, self.known, self.out, self.tell = (
            mutants,
            rule,
            known,
            out,
            tell,
        )
        self.ground: Ground = mutants.ground
        self.learnt = learnt
        self.answers: Answers = {} if answers is None else answers
        self.found: list[tuple[Move, ...]] = []
        self.decided: dict[str, Decided] = {}
        self.refuted = Refuted(mutants)

    def run(self) -> OfRule:
        own = [one for one in self.mutants.all if one.rule == self.rule]
        self.tell("run")
        left = self._run(own)
        with Search(self.mutants, _begun(self.known)) as search:
            left = self._try(left, search)
            self.tell("compared")
            with Equals(self.mutants, self.learnt) as equals:
                equal = equals.among(left)
            same = {one.mutant.digest for one in equal}
            self._search([one for one in left if one.digest not in same], search)
        checked: set[str] = set()
        for number in range(0, len(equal), _TOGETHER):
            self.tell("proved")
            name = f"equal-{self.rule}-{number // _TOGETHER + 1}"
            checked |= self._prove(equal[number : number + _TOGETHER], name)
        decided = tuple(self.decided[one.digest] for one in own)
        return OfRule(self.rule, decided, tuple(self.found), tuple(sorted(checked)))

    def _run(self, own: Sequence[Mutant]) -> list[Mutant]:
        """Return the mutants that no Play at hand tells apart: first a suite's are tried."""
        left = [*own]
        every = range(len(self.known))
        for plays in (every[: self.scripts], _spread(self.known), every):
            traces = [self.known[number] for number in plays]
            steps = Steps(self.mutants, traces, only={p.rule for one in own for p in one.parts})
            steps.refuse()
            places = [*plays]
            after = []
            for mutant in left:
                apart = steps.apart(mutant)
                if apart is None:
                    after.append(mutant)
                else:
                    self._killed(mutant, apart, steps.traces, places[apart.places[0].play])
            left = after
        return left

    def _killed(self, mutant: Mutant, apart: Apart, traces: Sequence[Trace], play: int) -> None:
        place, refuted = apart.places[0], self.refuted.of(mutant, apart, traces)
        self.decided[mutant.digest] = Decided(
            mutant.digest, "killed", apart.how, play, place.step, place.refused, False, refuted
        )

    def _try(self, left: Sequence[Mutant], search: Search) -> list[Mutant]:
        """Return the mutants that many steps, tried near known Plays, do not tell apart."""
        rules = dict.fromkeys(part.rule for one in left for part in one.parts)
        tries = {rule: Tried(self.mutants, rule, search.wander) for rule in rules}
        known = [*self.known]
        waiting = list(left)
        for rule, tried in tries.items():
            vain = 0
            while vain < _VAIN and any(one.of(rule) for one in waiting):
                before = len(waiting)
                self.tell(f"{before} to be told apart")
                for trace in tried.plays(waiting, known):
                    waiting = self._kill(waiting, Found(trace, 0), search)
                    known.append(trace)
                for mutant, play, step, move in tried.refused(waiting, known):
                    apart = Apart("accepts", (Place(0, step, move),))
                    self._killed(mutant, apart, [known[play]], play)
                waiting = [one for one in waiting if one.digest not in self.decided]
                vain = vain + 1 if len(waiting) == before else 0
        return waiting

    def _kill(self, waiting: Sequence[Mutant], found: Found, search: Search) -> list[Mutant]:
        """Keep a Play; return the mutants that it does not tell apart."""
        number = len(self.known) + len(self.found)
        self.found.append(found.trace.moves)
        search.known.append(found.trace)
        for one, apart in self._told_apart(waiting, found):
            self._killed(one, apart, [found.trace], number)
        return [one for one in waiting if one.digest not in self.decided]

    def _search(self, left: Sequence[Mutant], search: Search) -> None:
        waiting = list(left)
        while waiting:
            self.tell(f"{len(waiting)} to be told apart")
            mutant = waiting.pop(0)
            found = search.find(mutant)
            if found is None:
                self.decided[mutant.digest] = self._not_found(mutant, search.beyond)
                continue
            waiting = self._kill([mutant, *waiting], found, search)
            if mutant in waiting:
                raise AssertionError(f"{mutant.id}: the Play found does not tell it apart")

    def _told_apart(
        self, waiting: Sequence[Mutant], found: Found
    ) -> Iterator[tuple[Mutant, Apart]]:
        rules = {part.rule for one in waiting for part in one.parts}
        steps = Steps(self.mutants, [found.trace], only=rules)
        if found.refused is not None:
            state = found.trace.states[found.step]
            steps.note_refused(Place(0, found.step, found.refused), state)
        for mutant in waiting:
            if apart := steps.apart(mutant):
                yield mutant, apart

    def _not_found(self, mutant: Mutant, beyond: Trace | None) -> Decided:
        if beyond is None:
            reason = "no Play was found that tells it apart, and no proof"
            return Decided(mutant.digest, "undecided", reason=reason)
        number = len(self.known) + len(self.found)
        self.found.append(beyond.moves)
        apart = Steps(self.mutants, [beyond]).apart(mutant)
        assert apart is not None, "the step that the search made"
        refuted = self.refuted.of(mutant, apart, [beyond])
        step = apart.places[0].step
        return Decided(
            mutant.digest, "killed", apart.how, number, step, beyond=True, refuted=refuted
        )

    def _prove(self, equal: Sequence[Equal], name: str) -> set[str]:
        """Prove mutants equal, all at once or, where that fails, half of them at a time."""
        verdict = prove_equal(self.mutants, self.learnt, equal, name, self.answers)
        if verdict.outcome is Outcome.PROVED:
            if self.out is not None:
                says = f"{len(equal)} changes of {self.rule} change nothing that is shown."
                file_certificate(verdict, self.out, says)
            for one in equal:
                digest = one.mutant.digest
                self.decided[digest] = Decided(digest, "equal", proof=name)
            return {answer.solver for answer in verdict.answers}
        if len(equal) == 1:
            digest = equal[0].mutant.digest
            self.decided[digest] = Decided(digest, "undecided", reason=verdict.remark)
            return set()
        half = len(equal) // 2
        return self._prove(equal[:half], f"{name}a") | self._prove(equal[half:], f"{name}b")


def _spread(known: Sequence[Trace], number: int = 40) -> range:
    """Return some Plays out of all: most mutants do not survive them."""
    return range(0, len(known), max(1, len(known) // number))


def _begun(known: Sequence[Trace], most: int = 250) -> list[Trace]:
    return [known[number] for number in _spread(known, most)]
