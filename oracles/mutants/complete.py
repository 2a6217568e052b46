"""Mutation-complete suites: the fewest Plays found that kill every mutant and win every prize.

    suite.json        the scripts, and for every mutant and prize which of them reach it
    refusals.json     steps that may not come where a script stands: what a build has to refuse
    proofs/GAME/…     certificates of the mutants that are equal

A mutant that accepts what the rules refuse is killed where it is asked to: such a step is no
part of a script, so it stands beside the scripts, in as few as do.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from ...files import output_folder, write_whole
from ...proofs.filing import file_certificate
from .. import script
from ..all_goals import prizes_of
from ..event import nested
from ..ground import Trace
from ..refusals import REFUSALS, Refusal
from ..suite import INDEX, Aim, Listed, Made, Proof, Suite
from ..synthesis import Synthesis
from .cover import Cover, cover
from .elsewhere import elsewhere
from .making import Mutant
from .run import Run
from .steps import Apart, Place, Steps

__all__ = ["REFUSALS", "SIZE", "Complete", "Refusal", "complete"]

SIZE = "mutation-complete"
_NAMED = 3


@dataclass(frozen=True)
class Complete:
    """A suite, what it has a build refuse, and by how many Plays it may be too large."""

    suite: Suite
    refusals: tuple[Refusal, ...]
    gap: int


def complete(
    run: Run, out: Path, *, seed: int = 0, tell: Callable[[str], None] = lambda what: None
) -> Complete:
    """Make the suite of a run, and write it to a folder. Raises BadInput if that cannot be."""
    return _Completing(run, output_folder(out), seed, tell).run_()


class _Completing:
    def __init__(self, run: Run, out: Path, seed: int, tell: Callable[[str], None]) -> None:
        self.run, self.ground, self.out, self.seed, self.tell = run, run.ground, out, seed, tell
        self.traces: list[Trace] = []
        self.aims: list[Aim] = []

    def run_(self) -> Complete:
        killed = [
            (mutant, one)
            for mutant in self.run.mutants.all
            if (one := self.run.of(mutant)).outcome == "killed" and not one.beyond
        ]
        beyond = {one.play for one in self.run.decided.values() if one.beyond}
        fit = [number for number in range(len(self.run.plays)) if number not in beyond]
        place = {number: at for at, number in enumerate(fit)}
        self.traces = [self.run.trace(number) for number in place]
        prizes = self._prizes()
        self.tell("which Play kills what")
        steps = Steps(self.run.mutants, self.traces)
        refused = [(mutant, one) for mutant, one in killed if one.refused is not None]
        for _, one in refused:
            at = place[one.play]
            state, move = self.traces[at].states[one.step], one.refused
            steps.note_refused(Place(at, one.step, move), state)
        for other, state in elsewhere(self.run.mutants, self.traces, refused):
            steps.note_refused(other, state)
        apart: dict[str, Apart] = {}
        for mutant, _ in killed:
            found = steps.apart(mutant)
            assert found is not None, "the Play that killed it"
            apart[mutant.id] = found
        needs = [one.plays for one in apart.values()]
        needs += [frozenset(plays) for plays in prizes.values() if plays]
        self.tell("the fewest Plays")
        chosen = cover(needs, {n: len(trace.moves) for n, trace in enumerate(self.traces)})
        return self._written(chosen, apart, prizes)

    def _prizes(self) -> dict[str, list[int]]:
        """Return the Plays that win each prize, made where there is none yet."""
        found: dict[str, list[int]] = {}
        by_target: dict[str, list[int]] = {}
        for number, trace in enumerate(self.traces):
            by_target.setdefault(str(self.ground.target(trace.end)), []).append(number)
        synthesis = Synthesis(self.ground.edition, self.ground.readings)
        for goal in prizes_of(self.ground):
            plays = by_target.get(str(goal.target), [])
            if not plays:
                self.tell(goal.id)
                finding = synthesis.find(goal.target)
                made = [self.ground.traced(play) for play in finding.plays]
                fit = [trace for trace in made if self.ground.allowed(trace)][:1]
                plays = [len(self.traces) + number for number in range(len(fit))]
                self.traces += fit
                if finding.unreachable and finding.verdict is not None:
                    says = f"No Play wins {goal.target}."
                    path = file_certificate(finding.verdict, self.out / "proofs", says)
                    solvers = dict.fromkeys(a.solver for a in finding.verdict.answers)
                    where = path.relative_to(self.out).as_posix() if path else ""
                    proof = Proof(finding.verdict.method, where, [*solvers])
                    self.aims.append(Aim(goal.id, goal.says, "impossible", proof=proof))
                    continue
                if not fit:
                    reason = finding.remark or "the Play found breaks a promise"
                    self.aims.append(Aim(goal.id, goal.says, "undecided", reason=reason))
                    continue
            found[goal.id] = plays
            self.aims.append(Aim(goal.id, goal.says, "covered"))
        return found

    def _written(
        self, chosen: Cover, apart: dict[str, Apart], prizes: dict[str, list[int]]
    ) -> Complete:
        self.tell("scripts")
        files: dict[int, str] = {}
        listed: list[Listed] = []
        numbers: Counter[str] = Counter()
        for play in chosen.chosen:
            trace = self.traces[play]
            target = self.ground.target(trace.end)
            numbers[str(target)] += 1
            made = script.make(
                self.ground.edition,
                target,
                self.ground.play(trace),
                number=numbers[str(target)],
                seed=self.seed,
            )
            path = script.write(made, self.out)
            files[play] = path.name
            digest = hashlib.sha256(script.encode(made)).hexdigest()
            covers = [goal for goal, plays in prizes.items() if play in plays]
            covers += [f"mutant:{name}" for name, one in apart.items() if play in one.plays]
            listed.append(Listed(path.name, digest, str(target), len(made.steps), covers))
        aims = [self._prize(aim, prizes, files) for aim in self.aims]
        aims += [self._mutant(one, apart, files) for one in self.run.mutants.all]
        edition = self.ground.edition
        suite = Suite(
            format="playproof-suite",
            version=1,
            game=self.ground.game.id,
            edition=Made(edition.name, edition.hash),
            readings=dict(self.ground.readings),
            seed=self.seed,
            size=SIZE,
            scripts=listed,
            goals=aims,
        )
        refusals = self._refusals(apart, files)
        write_whole(self.out / REFUSALS, _json(list(refusals)))
        write_whole(self.out / INDEX, _json(suite))
        return Complete(suite, refusals, chosen.gap)

    def _prize(self, aim: Aim, prizes: dict[str, list[int]], files: dict[int, str]) -> Aim:
        if aim.verdict != "covered":
            return aim
        by = [files[play] for play in prizes[aim.id] if play in files]
        return Aim(aim.id, aim.says, "covered", len(by), by[:_NAMED])

    def _mutant(self, mutant: Mutant, apart: dict[str, Apart], files: dict[int, str]) -> Aim:
        id_, one = f"mutant:{mutant.id}", self.run.of(mutant)
        if mutant.id in apart:
            by = [files[play] for play in sorted(apart[mutant.id].plays) if play in files]
            return Aim(id_, mutant.says, "covered", len(by), by[:_NAMED])
        if one.outcome == "equal":
            where = f"proofs/{self.ground.game.id}/{one.proof}"
            proof = Proof("induction", where, list(self.run.checked))
            return Aim(id_, mutant.says, "impossible", proof=proof)
        beyond = "only Plays that break a promise, or that no row pays, tell it apart"
        return Aim(id_, mutant.says, "undecided", reason=one.reason or beyond)

    def _refusals(self, apart: dict[str, Apart], files: dict[int, str]) -> tuple[Refusal, ...]:
        """Return as few steps to refuse as do for the mutants that accept them."""
        places: list[Place] = []
        number_of: dict[object, int] = {}
        needs: dict[str, frozenset[int]] = {}
        for name, one in apart.items():
            if one.how == "accepts":
                of = [place for place in one.places if place.play in files]
                for place in of:
                    if number_of.setdefault(_key(place), len(places)) == len(places):
                        places.append(place)
                needs[name] = frozenset(number_of[_key(place)] for place in of)
        picked = (
            cover([*needs.values()], dict.fromkeys(range(len(places)), 1)) if needs else None
        )
        found = []
        for number in picked.chosen if picked else ():
            place = places[number]
            move = place.refused
            assert move is not None, "a step to refuse"
            chosen = {v.name for v in self.ground.revealed[move.rule] if v.choice}
            given = {n: v for n, v in move.revealed.items() if n not in chosen}
            picks = {n: v for n, v in move.revealed.items() if n in chosen}
            kills = [name for name, need in needs.items() if number in need]
            found.append(
                Refusal(
                    files[place.play],
                    place.step,
                    move.rule,
                    _plain(given),
                    _plain(picks),
                    kills,
                )
            )
        return tuple(found)


def _key(place: Place) -> object:
    move = place.refused
    return place.play, place.step, move and (move.rule, *move.revealed.items())


def _plain(named: dict[str, Any]) -> dict[str, Any]:
    return nested({name.split(".", 2)[2]: value for name, value in named.items()})


def _json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
