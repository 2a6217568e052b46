"""A report's contents: everything the page says, in the order it says it."""

from __future__ import annotations

import inspect
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ... import __version__
from ...models import registers
from ...models.system import Kind
from ...proofs.audit.audit import Outcome
from ...proofs.manifest import manifest_path
from ..numbers import some
from .checked import missing
from .claims import Entry, Lemma, Shelf, entries, lemmas
from .mutants import Line
from .open import (
    Figure,
    Parameter,
    Promise,
    Reading,
    figures,
    parameters,
    promises,
    readings,
)
from .plays import Told
from .prizes import PrizeTable, Won, prize_table, won
from .repeat import Command, commands
from .source import Source
from .stored import Results
from .tracing import Traced, trace_clauses

__all__ = ["Report", "Spent", "report"]

_ORDER = ("proved", "depends", "refuted", "bounded", "undecided")


@dataclass(frozen=True)
class Point:
    """One line of the answer: what it is about, how that stands, and where to read on.

    ``mark`` is how it is drawn: ``good``, ``open`` or ``bad``.
    """

    about: str
    sign: str
    says: str
    mark: str
    anchor: str


@dataclass(frozen=True)
class Spent:
    """The seconds that a property took, in all and by who worked."""

    id: str
    seconds: str
    by: tuple[str, ...]


@dataclass(frozen=True)
class Report:
    """All that is said of one game. Only ``spent`` and ``results`` differ from run to run."""

    title: str
    game: str
    about: str
    document: str
    examined: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, str], ...]
    tools: tuple[tuple[str, str], ...]
    rules: tuple[tuple[str, str, tuple[str, ...], str], ...]
    counts: tuple[tuple[str, int], ...]
    verdict: str
    answer: tuple[Point, ...]
    entries: tuple[Entry, ...]
    lemmas: tuple[Lemma, ...]
    undecided: tuple[str, ...]
    readings: tuple[Reading, ...]
    parameters: tuple[Parameter, ...]
    figures: tuple[Figure, ...]
    edition: str
    promises: tuple[Promise, ...]
    table: PrizeTable | None
    won: tuple[Won, ...]
    has_scripts: bool
    goals: tuple[tuple[str, int], ...]
    traced: tuple[Traced, ...]
    mutants: Line | None
    not_covered: tuple[str, ...]
    commands: tuple[Command, ...]
    plays: tuple[Told, ...]
    clauses: Mapping[str, str]
    workers: tuple[str, ...]
    spent: tuple[Spent, ...]
    results: Results

    @property
    def ids(self) -> frozenset[str]:
        """The ids of all properties that have an entry."""
        return frozenset(one.id for one in self.entries)

    @property
    def gaps(self) -> int:
        """How many clauses have a gap."""
        return sum(bool(one.gap) for one in self.traced)


def report(source: Source) -> Report:
    """Return the contents of a game's report."""
    shelf = Shelf(source)
    told, prizes, kept = entries(source, shelf), won(source, shelf), promises(source, shelf)
    table, traced = prize_table(source), trace_clauses(source)
    sanity = source.results.sanity
    counted: Counter[str] = Counter(one.verdict.verdict for one in told)
    workers = tuple(
        dict.fromkeys(
            who
            for one in source.results.verdicts
            for who in _times(source.results, one.claim)
            if who != "seconds"
        )
    )
    return Report(
        title=source.game.title,
        game=source.game.id,
        about=" ".join(source.game.about.split()),
        document=source.register.document,
        examined=tuple(_examined(source)),
        files=tuple(_files(source)),
        tools=(("Playproof", __version__), *source.results.versions.items()),
        rules=tuple(
            (
                rule.id,
                rule.says,
                rule.clauses,
                sanity.rules[rule.id].found if rule.id in sanity.rules else "",
            )
            for rule in source.game.rules
        ),
        counts=tuple((word, counted[word]) for word in _ORDER if counted[word]),
        verdict=_verdict(told),
        answer=tuple(_answer(source, told, prizes, kept, table, traced)),
        entries=told,
        lemmas=lemmas(source, told),
        undecided=missing(source.results, source.game),
        readings=readings(source),
        parameters=parameters(source),
        figures=figures(source),
        edition=source.edition.name if source.edition else "",
        promises=kept,
        table=table,
        won=prizes,
        has_scripts=source.scripts is not None,
        goals=tuple(source.scripts.goals.items()) if source.scripts else (),
        traced=traced,
        mutants=source.mutants.total if source.mutants else None,
        not_covered=tuple(_not_covered(source, table)),
        commands=tuple(commands(source)),
        plays=tuple(shelf.plays.values()),
        clauses={id_: clause.text for id_, clause in source.clauses.items()},
        workers=workers,
        spent=tuple(_spent(source, workers)),
        results=source.results,
    )


def _verdict(told: tuple[Entry, ...]) -> str:
    """Return the answer in one sentence."""
    counted: Counter[str] = Counter(one.verdict.verdict for one in told)
    if not told:
        return "No property of every Play was examined."
    all_ = some(len(told), "property", "properties")
    if counted["proved"] == len(told):
        return f"Of {all_} that every Play must have, each is proved."
    said = {
        "depends": "depend on how an unclear clause is read",
        "refuted": "do not hold",
        "bounded": "hold for all Plays up to a length, and are open beyond it",
        "undecided": "are undecided",
    }
    one = {
        "depends": "depends on how an unclear clause is read",
        "refuted": "does not hold",
        "bounded": "holds for all Plays up to a length, and is open beyond it",
        "undecided": "is undecided",
    }
    parts = [f"{counted['proved']} {'is' if counted['proved'] == 1 else 'are'} proved"]
    parts += [
        f"{counted[word]} {(one if counted[word] == 1 else said)[word]}"
        for word in _ORDER[1:]
        if counted[word]
    ]
    return f"Of {all_} that every Play must have, {', '.join(parts[:-1])} and {parts[-1]}."


def _answer(
    source: Source,
    told: tuple[Entry, ...],
    prizes: tuple[Won, ...],
    kept: tuple[Promise, ...],
    table: PrizeTable | None,
    traced: tuple[Traced, ...],
) -> Iterator[Point]:
    """Yield what somebody who signs has to know, in a line each."""
    verdicts = source.results.verdicts
    odd = [one.claim for one in verdicts if not one.as_expected]
    if odd:
        says = f"Another verdict than expected: {', '.join(odd)}."
        yield Point("Verdicts", "Unexpected", says, "bad", "properties")
    else:
        yield Point(
            "Verdicts",
            "As expected",
            "Every verdict is the expected one.",
            "good",
            "properties",
        )
    if faults := source.results.sanity.faults:
        yield Point("Sanity", "Wrong", "; ".join(faults), "bad", "properties")
    yield from (_of_entry(one) for one in told if one.verdict.verdict != "proved")
    if prizes:
        able = sum(one.verdict.verdict == "proved" for one in prizes)
        edition = source.edition.name if source.edition else ""
        yield Point(
            "Prizes",
            "All in reach" if able == len(prizes) else "Out of reach",
            f"{able} of {some(len(prizes), 'prize')} can be won, each by a Play that the rules "
            f"replay, under edition {edition!r}.",
            "good" if able == len(prizes) else "bad",
            "prizes",
        )
    yield _of_table(table)
    if bound := [one.id for one in kept if one.kept.standing.startswith("obligation")]:
        says = f"No rule guarantees {' or '.join(bound)}: what is played out has to keep it."
        yield Point("Promises", "To be kept", says, "open", "promises")
    if source.mutants is not None:
        total = source.mutants.total
        yield Point(
            "Mutants",
            "Undecided" if total.undecided else "All decided",
            f"Of {some(total.mutants, 'small change')} of the rules {total.killed:,} are told "
            f"apart by a Play, {total.equal:,} proved equal, {total.undecided:,} undecided.",
            "open" if total.undecided else "good",
            "clauses",
        )
    if gaps := [one.clause.id for one in traced if one.gap]:
        says = f"{len(gaps)} of {some(len(traced), 'clause')}: {', '.join(gaps)}."
        yield Point("Clauses", "With gaps", says, "open", "clauses")
    elif traced:
        says = f"{some(len(traced), 'clause')}, none without rule, figure, promise or proof."
        yield Point("Clauses", "No gap", says, "good", "clauses")


def _of_entry(entry: Entry) -> Point:
    """Return what there is to know of a property that is not simply proved."""
    one, says = entry.verdict, entry.verdict.says
    anchor = f"p-{entry.id}"
    if one.verdict == "depends":
        where = "; or ".join(entry.fails_under)
        says = f"{says} Not so if {where}: the document's author has to say."
        return Point(entry.id, "To be decided", says, "open", anchor)
    if one.verdict == "refuted":
        says += " A Play is shown in which this is not so."
        if one.termination and one.termination.endless:
            ways = some(len(one.termination.endless), "way")
            says = f"{one.says} Not so: {ways} to go on for ever; with limits every Play ends."
        return Point(
            entry.id, "Does not hold", says, "open" if one.as_expected else "bad", anchor
        )
    if one.verdict == "bounded":
        says = f"{says} So far only for Plays of up to {some(one.depth, 'step')}."
    return Point(entry.id, "Not decided", says, "open", anchor)


def _of_table(table: PrizeTable | None) -> Point:
    about, anchor = "Prize table", "audit"
    if table is None or table.found.outcome is Outcome.NO_TABLE:
        says = "The document at hand has none, so none was audited."
        return Point(about, "Missing", says, "open", anchor)
    found = table.found
    if found.sound:
        says = f"All {some(len(found.table.rows), 'row')} agree with the headlines."
        return Point(about, "Consistent", says, "good", anchor)
    flaws = f"{some(len(found.flaws), 'flaw')} in its rows." if found.flaws else found.why
    wrong = found.outcome is Outcome.INCONSISTENT or bool(found.flaws)
    says = flaws or "Its figures cannot all be right."
    return Point(
        about, found.outcome.value.capitalize(), says, "bad" if wrong else "open", anchor
    )


def _examined(source: Source) -> Iterator[tuple[str, str]]:
    """Yield what was examined, by name."""
    game, results = source.game, source.results
    yield "Game", f"{game.title} ({game.id})"
    yield "Document", source.register.document or "no register of clauses"
    lemmas_ = sum(claim.kind is Kind.LEMMA for claim in game.properties)
    yield (
        "Model",
        f"{some(len(game.rules), 'rule')}, "
        f"{some(len(game.properties) - lemmas_, 'property', 'properties')}, "
        f"{some(lemmas_, 'lemma')}, {some(len(source.register.clauses), 'clause')}",
    )
    if results.edition:
        yield "Parameters", f"those of edition {results.edition['name']!r} alone"
    else:
        yield "Parameters", "every value in range: nothing was fixed for the proofs"
    taken = ", ".join(f"{id_} = {choice}" for id_, choice in results.readings.items())
    yield "Readings", taken or "every way to take each unclear clause"
    if source.edition:
        yield "Edition", f"{source.edition.name!r}: {' '.join(source.edition.about.split())}"


def _files(source: Source) -> Iterator[tuple[str, str]]:
    """Yield the files that were examined, with their SHA-256."""
    game = source.game
    made = [game.state, game.tally, game.initial, game.observe, type(game.setting)]
    made += [rule.effect for rule in game.rules] + [one.holds for one in game.properties]
    names = {one.__module__: None for one in made if one.__module__ in sys.modules}
    own = [n for n in names if n != "playproof.models.system"]
    for name in sorted(own):
        if file := inspect.getsourcefile(sys.modules[name]):
            yield f"{name} (the rules as Python)", _hash(Path(file))
    if source.register.clauses:
        path = Path(registers.__file__).parent / "registers" / f"{game.id}.toml"
        yield f"{path.name} (clauses, in our words)", _hash(path)
    if source.edition:
        yield f"{source.edition.path.name} (edition)", source.edition.hash
    if (path := manifest_path(game)).is_file():
        yield f"{path.name} (verdicts expected)", _hash(path)
    systems = {
        folder.manifest.system.file.removeprefix("../"): folder.manifest.system.sha256
        for folder in source.results.folders.values()
    }
    for name, hash_ in sorted(systems.items()):
        yield f"{name} (the game as formulas)", hash_


def _hash(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _not_covered(source: Source, table: PrizeTable | None) -> Iterator[str]:
    """Yield what nobody may conclude from the report."""
    yield from source.results.limits
    yield (
        "Whether the rules as written here are those that the document's authors meant. Where "
        "a clause is unclear, its readings are listed and the verdicts hold for all of them; a "
        "meaning that nobody thought of is not among them."
    )
    yield (
        "Whether a build keeps the rules. Scripts, driven through a build, and the judging of "
        "its logs are there to find that out."
    )
    if source.edition:
        yield (
            f"Other editions than {source.edition.name!r} where prizes are said to be within "
            "reach, and other choices of readings than those named there. What is marked "
            "assumed in it is no statement of the document."
        )
    if table is None or table.found.outcome is Outcome.NO_TABLE:
        yield "The prize table: there is none here to audit."
    else:
        yield (
            "Whether the winners that the audit found are those of any real pool of Plays: it "
            "says that the figures can all be right, not that they are."
        )
    if source.scripts is None:
        yield "Scripts: none were given to this report."
    if source.mutants is None:
        yield (
            "Mutants: none were given to this report, so it does not say which broken rules "
            "each property catches. Section 11 says how to make them and add them."
        )
    yield (
        "How likely any Play is, return to players beyond the printed headlines, random "
        "number generation, accounts, payment, and responsible gambling."
    )
    yield (
        "Compliance. The report is laid out as reports of test laboratories are, and claims "
        "compliance with no standard."
    )


def _spent(source: Source, workers: tuple[str, ...]) -> Iterator[Spent]:
    for one in source.results.verdicts:
        times = _times(source.results, one.claim)
        yield Spent(
            one.claim,
            _seconds(times.get("seconds")),
            tuple(_seconds(times.get(who)) for who in workers),
        )


def _times(results: Results, property_: str) -> Mapping[str, float]:
    return results.times.verdicts.get(f"{results.game}/{property_}", {})


def _seconds(time: float | None) -> str:
    return "" if time is None else f"{time:.2f}"
