"""What a report says of each property: the claim, the answer, and what the answer is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...models.system import Kind, Property
from ...proofs.antecedents import rules_spoken_of
from ...proofs.layered import CLAIMS as OF_SCREENS
from ..numbers import some
from ..words import implicant
from .formulas import Formula, formulas
from .mutants import does
from .plays import Told
from .source import Source
from .stored import Condition, TerminationData, VerdictData

__all__ = ["Entry", "Lemma", "Met", "Shelf", "entries", "lemmas"]

_SPEAKS_OF = {
    Kind.INVARIANT: "every state of every Play",
    Kind.LEMMA: "every state of every Play",
    Kind.STEP: "every step of every Play",
    Kind.GENERAL: "the game as a whole",
}


# Formulas of as many characters in all are not folded.
_SHORT = 420


class Shelf:
    """The Plays that a report shows, each once, by the id they are linked with."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.plays: dict[str, Told] = {}

    def add(self, told: Told) -> Told:
        """Keep a Play, and return it."""
        self.plays[told.id] = told
        return told

    def of_sanity(self, number: int) -> Told:
        """Return one of the Plays in which things come about, by its number."""
        id_ = f"play-{number}"
        if id_ not in self.plays:
            data = self._source.results.sanity.plays[number]
            self.add(self._source.player.tell(data, id_, f"Play {number}"))
        return self.plays[id_]


@dataclass(frozen=True)
class Met:
    """What comes about, and the Play and step that show it; ``how``, in words."""

    when: str
    play: Told
    step: int | None
    how: str = ""


@dataclass(frozen=True)
class Lemma:
    """A claim that is there to prove others with."""

    id: str
    says: str
    formulas: tuple[Formula, ...]


@dataclass(frozen=True)
class Entry:
    """All that is said of one property; ``mark`` is the verdict where it was not expected."""

    verdict: VerdictData
    speaks_of: str
    formulas: tuple[Formula, ...]
    assurance: str
    invariants: tuple[tuple[str, str], ...]
    phi: str
    fingerprint: str
    folder: str
    fails_under: tuple[str, ...]
    plays: tuple[tuple[Told, Told | None], ...]
    endless: tuple[tuple[str, Told], ...]
    witness: Met | None
    conditions: tuple[Condition, ...]
    falsifiable: str
    trivial: bool
    needs: tuple[str, ...]
    counts: str
    broken: str
    caught: Met | None

    @property
    def id(self) -> str:
        """The property's id."""
        return self.verdict.claim

    @property
    def short(self) -> bool:
        """Whether its formulas are short enough to stand open."""
        return sum(len(one.text) + one.left for one in self.formulas) <= _SHORT

    @property
    def met(self) -> int:
        """How many of its conditions come about in a Play."""
        return sum(one.found == "yes" for one in self.conditions)

    @property
    def termination(self) -> TerminationData | None:
        """Why Plays end, where that was asked."""
        return self.verdict.termination


def entries(source: Source, shelf: Shelf) -> tuple[Entry, ...]:
    """Return what is said of each property, in the game's order."""
    return tuple(_entry(source, one, shelf) for one in source.of_every_play)


def lemmas(source: Source, named: Sequence[Entry]) -> tuple[Lemma, ...]:
    """Return the claims that proofs rest on and that have no verdict of their own."""
    own = {entry.id for entry in named}
    used = {id_ for entry in named for id_, _ in entry.invariants} - own
    return tuple(
        Lemma(claim.id, claim.says, formulas(source.encoding, claim))
        for claim in source.game.properties
        if claim.id in used
    )


def _entry(source: Source, one: VerdictData, shelf: Shelf) -> Entry:
    claim = source.claims[one.claim]
    manifest = source.results.manifest(one.claim)
    sanity = source.results.sanity.properties.get(one.claim)
    conditions = tuple(sanity.antecedents) if sanity else ()
    needs = sanity.needs if sanity else None
    return Entry(
        verdict=one,
        speaks_of=_SPEAKS_OF[claim.kind],
        formulas=formulas(source.encoding, claim),
        assurance=_assurance(one),
        invariants=tuple(_invariants(source, one)),
        phi=_phi(source, one),
        fingerprint=manifest.fingerprint if manifest else "",
        folder=f"{one.game}/{one.claim}" if manifest else "",
        fails_under=tuple(implicant(tuple(cube.items())) for cube in one.fails_under),
        plays=tuple(_plays(source, one, shelf)),
        endless=tuple(_endless(source, one, shelf)),
        witness=_witness(source, claim, conditions, shelf),
        conditions=conditions,
        falsifiable=sanity.falsifiable if sanity else "",
        trivial=bool(sanity and sanity.trivial == "yes"),
        needs=tuple(needs.rules) if needs else (),
        counts=source.results.sanity.general.get(one.claim, ""),
        broken=_broken(source, one),
        caught=None if one.verdict == "refuted" else _caught(source, one.claim, shelf),
    )


def _assurance(one: VerdictData) -> str:
    """Return what a verdict rests on, in words."""
    if one.certificate is not None:
        checks = some(len(one.certificate.obligations), "check")
        agreed = " and ".join(one.solvers) or "no solver"
        said = (
            f"certificate, k = {one.certificate.k}: {checks}, each answered unsat by {agreed}"
        )
        if one.plays:
            said += f"; {some(len(one.plays), 'Play')}, replayed by the rules"
        if one.termination and one.termination.endless:
            said += f"; {some(len(one.termination.endless), 'endless Play')}, replayed"
        return said
    if one.plays:
        return f"{some(len(one.plays), 'Play')}, replayed by the rules"
    return "none"


def _invariants(source: Source, one: VerdictData) -> Iterator[tuple[str, str]]:
    """Yield the claims whose conjunction is φ, beside the property itself, with what they say.

    What a method made for itself says nothing in words: its certificate defines it.
    """
    manifest = source.results.manifest(one.claim)
    if manifest is None or manifest.conjuncts is None:
        return
    own = {claim.id for claim in manifest.statement} | {one.claim}
    for id_ in manifest.conjuncts:
        if id_ not in own:
            claim = source.claims.get(id_)
            yield id_, claim.says if claim else ""


def _phi(source: Source, one: VerdictData) -> str:
    """Return how φ is given where it is a formula that an engine found."""
    manifest = source.results.manifest(one.claim)
    if manifest is None or manifest.conjuncts is not None:
        return ""
    return "a formula that the engine found: claims.smt2 of its certificate defines it"


def _plays(
    source: Source, one: VerdictData, shelf: Shelf
) -> Iterator[tuple[Told, Told | None]]:
    cubes = [implicant(tuple(cube.items())) for cube in one.fails_under]
    for number, data in enumerate(one.plays, start=1):
        id_ = f"breaks-{one.claim}-{number}"
        under = f", under {cubes[number - 1]}" if number <= len(cubes) else ""
        title = f"A Play that breaks {one.claim}{under}"
        after = data.broken_after_step
        marked = "the start breaks it" if after == 0 else "this step breaks it"
        told = shelf.add(source.player.tell(data, id_, title, after, marked, breaks=True))
        beside = None
        if number <= len(one.beside):
            other = one.beside[number - 1]
            name = f"The Play beside it, of {one.claim}"
            beside = shelf.add(source.player.tell(other, f"{id_}-beside", name))
        yield told, beside


def _endless(source: Source, one: VerdictData, shelf: Shelf) -> Iterator[tuple[str, Told]]:
    for number, way in enumerate(one.termination.endless if one.termination else (), start=1):
        by = f"by {' and '.join(way.sources)} alone" if way.sources else "for ever"
        under = f", where {implicant(tuple(way.under.items()))}" if way.under else ""
        id_, title = f"endless-{one.claim}-{number}", f"A Play that goes on {by}{under}"
        first = way.loop_after_step
        marked = "from here on the steps come again and again"
        yield title, shelf.add(source.player.tell(way.play, id_, title, first + 1, marked))


def _witness(
    source: Source, claim: Property, conditions: Sequence[Condition], shelf: Shelf
) -> Met | None:
    """Return a Play in which what a claim speaks of comes about.

    Asked for with --witness; else that of its first condition, of the first rule it says
    anything of, or of a Play that ends.
    """
    sanity = source.results.sanity
    if (data := sanity.witnesses.get(claim.id)) is not None:
        title = f"A Play in which what {claim.id} speaks of comes about"
        told = shelf.add(source.player.tell(data, f"witness-{claim.id}", title))
        return Met("what it speaks of comes about", told, None)
    for condition in conditions:
        if condition.play is not None:
            return Met(condition.when, shelf.of_sanity(condition.play), condition.step)
    rules = rules_spoken_of(source.encoding, claim) or tuple(reversed(list(sanity.rules)))
    for rule in rules:
        condition = sanity.rules.get(rule, _NONE)
        if condition.play is not None:
            return Met(f"{rule} fires", shelf.of_sanity(condition.play), condition.step)
    return None


def _broken(source: Source, one: VerdictData) -> str:
    """Return how many broken rules break a claim, in words."""
    if source.mutants is None:
        return "no mutants were given (section 11 says how to add them)"
    if one.verdict == "refuted":
        return "not asked: the rules break it as they are"
    if number := len(source.mutants.breaking(one.claim)):
        return f"{some(number, 'mutant')} seen to break it"
    if one.claim in OF_SCREENS:
        return "not asked: mutants change the game's rules, this is about how screens are made"
    return "no mutant is seen to break it"


def _caught(source: Source, claim: str, shelf: Shelf) -> Met | None:
    """Return the first broken rule that breaks a claim, and the Play that shows it."""
    breaking = source.mutants.breaking(claim) if source.mutants else ()
    first = next((one for one in breaking if one.outcome == "killed"), None)
    if first is None or source.mutants is None:
        return None
    id_, title = f"mutant-play-{first.play}", f"Play {first.play} of mutants"
    told = shelf.plays.get(id_) or shelf.add(
        source.player.tell(source.mutants.plays[first.play], id_, title)
    )
    return Met(first.says.rstrip("."), told, first.step, does(first))


_NONE = Condition("", None, None)
