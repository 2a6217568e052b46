"""What sanity found, as a few lines, as data, and as faults that make a run fail.

A proof that cannot fail proves nothing. At fault are: no start, a rule that never fires, a
condition that never comes about (unless the manifest says so), a tautology. A trivial property
is marked, and ``budget exhausted`` is shown as what it is: neither is counted as passed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..models.play import Play, Replays
from ..models.registers import has_register, load_register
from ..models.setting import figures_of, parameter_clauses_of, readings_of
from ..models.system import Game, Kind
from ..models.uses import asked_for
from ..oracles.promises import Kept
from ..proofs.manifest import claims_of
from ..proofs.sane import Found, GameSanity, Needs, Reached
from ..proofs.verdict import Outcome
from .judged import Judged
from .promises import PromiseReport, promises_of
from .trace import as_data
from .trace import lines as trace_lines
from .words import some

__all__ = ["GameReport", "report"]

_PROVED = (Outcome.PROVED, Outcome.DEPENDS)
_APART = ("display", "limit", "promise")


@dataclass(frozen=True)
class GameReport:
    """The sanity of one game's run: its properties with what was found of the whole.

    ``fixed`` says whether readings or parameters were: then what never comes about is shown,
    but is no fault. ``whole`` says whether all properties were asked for.
    """

    game: Game
    judged: tuple[Judged, ...]
    found: GameSanity | None
    needed: Mapping[str, tuple[str, ...]]
    fixed: bool
    whole: bool
    kept: tuple[Kept, ...] = ()

    @property
    def promises(self) -> tuple[PromiseReport, ...]:
        """What was found of each promise, where all properties were asked for."""
        if not self.found or not self.whole:
            return ()
        return promises_of(self.game.promises, self.found, self.kept)

    def faults(self) -> Iterator[str]:
        """Yield what makes proofs of this game worth nothing."""
        if self.found and self.found.starts is Found.NO:
            yield "no Play can start: of nothing, all is true"
        for one in self.judged:
            if one.sanity and one.sanity.falsifiable is Found.NO:
                yield f"{one.claim.id} is a tautology: nothing could break it"
        if not self.found or self.fixed:
            return
        for rule in self.found.rules:
            if rule.found is Found.NO:
                yield f"{rule.condition.shown} in no Play"
        for reached in self._vacuous():
            if reached.condition.shown not in self._declared(reached.condition.claim):
                yield f"{_named(reached)} never comes about: the claim is vacuous there"

    def unneeded(self) -> dict[str, tuple[str, ...]]:
        """Return the clauses that no proof needs, by kind; only of a run of all properties."""
        if not self.whole or not has_register(self.game.id):
            return {}
        used = {clause for clauses in self.needed.values() for clause in clauses}
        left: dict[str, list[str]] = {}
        for clause in load_register(self.game.id).clauses:
            if clause.id not in used:
                left.setdefault(clause.kind, []).append(clause.id)
        order = sorted(left, key=lambda kind: (kind in _APART, kind))
        return {kind: tuple(left[kind]) for kind in order}

    def lines(self) -> Iterator[str]:
        """Yield it in short, faults first."""
        for fault in self.faults():
            yield f"SANITY: {fault}"
        if counts := "; ".join(self._counts()):
            yield f"{self.game.id} sanity: {counts}"
        for reached in self._vacuous():
            yield f"  never: {_named(reached)}{self._excuse(reached)}"
        for reached in self._open():
            yield f"  budget exhausted: {_named(reached)}"
        asked = [one for one in self.judged if one.sanity]
        yield from self._of_properties("trivial", "true in all states within limits", asked)
        for one in asked:
            if one.sanity and Found.EXHAUSTED in (one.sanity.trivial, one.sanity.falsifiable):
                yield f"  budget exhausted: whether {one.claim.id} could fail"
            if one.sanity and one.sanity.needs and one.sanity.needs.exhausted:
                checks = some(len(one.sanity.needs.exhausted), "check")
                yield f"  budget exhausted: what {checks} of {one.claim.id} needed"
        for id_, said in self._counting().items():
            yield f"  {id_} counts: {said}"
        if self.promises:
            yield f"{self.game.id} promises:"
            for promise in self.promises:
                yield from promise.lines()
        for id_, play in self._witnesses().items():
            yield f"{id_}: a Play in which what it speaks of comes about"
            yield from (f"  {line}" for line in trace_lines(self.game, play))
        for kind, clauses in self.unneeded().items():
            what = f"{kind} clauses" if kind in _APART else f"GAPS, {kind} clauses"
            yield f"  no proof needs {what}: {', '.join(clauses)}"

    def _counting(self) -> dict[str, str]:
        """Return why what was proved of the game as a whole is no empty claim."""
        return {
            one.claim.id: one.verdict.remark
            for one in self.judged
            if one.claim.kind is Kind.GENERAL and one.verdict.certificate and one.verdict.remark
        }

    def _witnesses(self) -> dict[str, Play]:
        """Return a good Play of each property that was proved, where these were asked for."""
        proved = {one.claim.id for one in self.judged if one.verdict.outcome in _PROVED}
        found = self.found.witnesses if self.found else {}
        return {id_: play for id_, play in found.items() if id_ in proved}

    def data(self) -> dict[str, Any]:
        """Return all of it as plain data; Plays once, and by number where they show a thing."""
        found, replays = self.found, Replays()
        return {
            "faults": list(self.faults()),
            "starts": found.starts.value if found else None,
            "rules": {r.condition.cases[0][0]: _where(r) for r in found.rules} if found else {},
            "properties": {
                one.claim.id: self._property(one) for one in self.judged if one.sanity
            },
            "general": self._counting(),
            "promises": {one.promise.id: one.data() for one in self.promises},
            "clauses_no_proof_needs": {k: list(v) for k, v in self.unneeded().items()},
            "witnesses": {
                id_: as_data(self.game, play) for id_, play in self._witnesses().items()
            },
            "plays": [
                as_data(self.game, play, replays=replays)
                for play in (found.plays if found else ())
            ],
        }

    def _property(self, one: Judged) -> dict[str, Any]:
        sanity, needs = one.sanity, one.sanity.needs if one.sanity else None
        assert sanity is not None
        reached = self.found.antecedents.get(one.claim.id, ()) if self.found else ()
        return {
            "falsifiable": sanity.falsifiable.value,
            "trivial": sanity.trivial.value,
            "antecedents": [{"when": r.condition.shown, **_where(r)} for r in reached],
            "needs": _needs(needs, self.needed.get(one.claim.id, ())) if needs else None,
        }

    def _counts(self) -> Iterator[str]:
        found = self.found
        if found:
            yield f"a Play can start: {found.starts.value}"
        if found and found.rules:
            yield f"rules that fire: {_met(found.rules)} of {len(found.rules)}"
        conditions = _all(found.antecedents) if found else []
        if conditions:
            yield f"conditions that come about: {_met(conditions)} of {len(conditions)}"
        asked = [one.sanity for one in self.judged if one.sanity]
        if asked:
            able = sum(one.falsifiable is Found.YES for one in asked)
            yield f"properties that could be false: {able} of {len(asked)}"

    def _of_properties(self, mark: str, means: str, asked: Sequence[Judged]) -> Iterator[str]:
        named = [
            one.claim.id for one in asked if one.sanity and one.sanity.trivial is Found.YES
        ]
        if named:
            yield f"  {mark} ({means}): {', '.join(named)}"

    def _conditions(self, found: Found) -> Iterator[Reached]:
        if self.found:
            for one in (*self.found.rules, *_all(self.found.antecedents)):
                if one.found is found:
                    yield one

    def _vacuous(self) -> list[Reached]:
        return [one for one in self._conditions(Found.NO) if one.condition.number]

    def _open(self) -> list[Reached]:
        return list(self._conditions(Found.EXHAUSTED))

    def _declared(self, claim: str) -> tuple[str, ...]:
        return next((o.expected.vacuous for o in self.judged if o.claim.id == claim), ())

    def _excuse(self, reached: Reached) -> str:
        declared = reached.condition.shown in self._declared(reached.condition.claim)
        return ", as the manifest says" if declared else ""


def report(
    game: Game,
    judged: Iterable[Judged],
    found: GameSanity | None,
    *,
    fixed: bool,
    kept: tuple[Kept, ...] = (),
) -> GameReport:
    """Return the sanity of one game's run."""
    ours = tuple(judged)
    asked = {one.claim.id for one in ours}
    formulas = {one.claim.id for one in ours if one.sanity}
    whole = all(claim.id in asked for claim in claims_of(game)) and bool(formulas)
    return GameReport(game, ours, found, _clauses(game, ours), fixed, whole, kept)


def _clauses(game: Game, judged: Sequence[Judged]) -> dict[str, tuple[str, ...]]:
    """Return the clauses that each property's proof needed.

    Those of the rules in its cores, of the claims it assumes, and of the figures, parameters
    and readings that these rules, these claims or the start ask for.
    """
    with_needs = [one for one in judged if one.sanity and one.sanity.needs]
    if not with_needs:
        return {}
    asked = asked_for(game)
    figures = {name: (figure.clause,) for name, figure in figures_of(game.setting).items()}
    readings = {n.replace("-", "_"): r.clauses for n, r in readings_of(game.setting).items()}
    of_setting = figures | dict(parameter_clauses_of(game.setting)) | readings
    needed = {}
    for one in with_needs:
        needs = one.sanity.needs if one.sanity else None
        assert needs is not None
        clauses = {clause for rule in needs.rules for clause in game.rule(rule).clauses}
        names = {name for rule in needs.rules for name in asked.rules.get(rule, ())}
        claims = {lemma.partition(".")[0] for lemma in needs.lemmas} | {one.claim.id}
        for claim in game.properties:
            if claim.id in claims:
                names |= asked.properties.get(claim.id, frozenset())
                clauses |= set(claim.clauses) if claim.id != one.claim.id else set()
        if needs.start:
            names |= asked.start
        clauses |= {clause for name in names for clause in of_setting.get(name, ())}
        needed[one.claim.id] = tuple(sorted(clauses))
    return needed


def _needs(needs: Needs, clauses: tuple[str, ...]) -> dict[str, Any]:
    return {
        "clauses": list(clauses),
        "rules": {rule: list(parts) for rule, parts in needs.rules.items()},
        "start": list(needs.start),
        "claims": list(needs.lemmas),
        "budget_exhausted": list(needs.exhausted),
    }


def _where(reached: Reached) -> dict[str, Any]:
    return {"found": reached.found.value, "play": reached.play, "step": reached.step}


def _named(reached: Reached) -> str:
    if not reached.condition.number:
        return reached.condition.shown
    words = reached.condition.shown
    short = words if len(words) <= 120 else f"{words[:117]}…"
    return f"{reached.condition.claim}, condition {reached.condition.number}: {short}"


def _met(reached: Sequence[Reached]) -> int:
    return sum(one.found is Found.YES for one in reached)


def _all(by_claim: Mapping[str, tuple[Reached, ...]]) -> list[Reached]:
    return [one for each in by_claim.values() for one in each]
