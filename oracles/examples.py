"""One worked example of each format: a Play that wins nothing, as each of them tells it.

The examples are made by what writes the formats, so that they are always right.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from ..errors import BadInput
from ..models.editions import Edition
from .event import FINISH, FORMAT, RESUME, START, VERSION, Event, Where
from .finding import Finding
from .judge import Judge
from .result import Found, result
from .script import Made, Script, encode, file_name, make
from .synthesis import Synthesis
from .targets import Target

__all__ = ["example", "log_of", "losing_script"]

_PLAY = "P-0001"


def example(name: str, edition: Edition, script: Script) -> list[Any]:
    """Return what stands in a file of a format, of a script: each line, or one for all.

    ``name`` is one of the formats that have a schema.
    """
    log = list(log_of(script, _PLAY))
    if name == "script":
        return [msgspec.to_builtins(script)]
    if name == "log":
        return [msgspec.to_builtins(event) for event in log]
    if name == "state":
        return [script.steps[0].shows]
    if name == "suite":
        return [_suite(script)]
    if name == "drive":
        return list(_driven(edition, script, log))
    if name == "findings":
        return [_found(edition, log)]
    driven = _driving(edition, script, log)
    return [driven if name == "drive-findings" else _gating(edition, driven)]


def log_of(script: Script, play: str) -> Iterator[Event]:
    """Yield what a right build of the script's game logs of it, choices apart."""
    outcome = {"amount": script.prize.amount, "parts": script.prize.parts}
    made = {"name": script.edition.name, "hash": script.edition.hash}
    yield Event(
        play,
        0,
        START,
        format=FORMAT,
        version=VERSION,
        game=script.game,
        edition=made,
        readings=dict(script.readings),
        outcome=outcome,
        shows=script.start,
        screen=script.screen,
    )
    for step, move in enumerate(script.steps, start=1):
        reveal = move.reveal or None
        event = Event(play, step, move.rule, reveal, shows=move.shows, screen=move.screen)
        if move.rule == FINISH:
            event = msgspec.structs.replace(
                event, paid=script.prize.amount, won=script.prize.parts
            )
        yield event


def losing_script(edition: Edition) -> Script:
    """Return a script that wins nothing; BadInput where every Play wins something."""
    found = Synthesis(edition, {}).find(Target(0))
    if not found.plays:
        raise BadInput(f"{edition.game.id}: there is no example, for every Play wins something")
    return make(edition, found.target, found.plays[0])


def _suite(script: Script) -> Any:
    """Return a suite of this script alone, which does not reach all there is."""
    from . import suite as suites  # takes solvers
    from .suite import Aim, Listed, Suite

    file = file_name(Target(script.target.amount))
    rule = script.steps[0].rule
    goals = [
        Aim(f"losing:{rule}", f"a Play with {rule} in it wins nothing", "covered", 1, [file]),
        Aim(f"rule:{rule}", f"{rule} is taken", "covered", 1, [file]),
        Aim(f"pair:{rule}>{rule}", f"{rule} comes right after {rule}", "covered", 1, [file]),
        Aim(
            "long:30",
            "a Play of 30 steps or more",
            "undecided",
            reason="not looked for in an example",
        ),
    ]
    digest = sha256(encode(script)).hexdigest()
    covers = [goal.id for goal in goals if goal.by]
    return msgspec.to_builtins(
        Suite(
            format="playproof-suite",
            version=1,
            game=script.game,
            edition=suites.Made(script.edition.name, script.edition.hash),
            readings=dict(script.readings),
            seed=script.seed,
            size="1",
            scripts=[Listed(file, digest, script.target.text, len(script.steps), covers)],
            goals=goals,
        )
    )


def _driven(edition: Edition, script: Script, log: list[Event]) -> Iterator[dict[str, Any]]:
    """Yield requests and the answers to them in turn, with one resumed step and a refusal."""
    events = [msgspec.to_builtins(event) for event in log]
    yield {
        "do": "start",
        "play": _PLAY,
        "game": script.game,
        "edition": {
            "name": edition.name,
            "hash": edition.hash,
            "parameters": msgspec.to_builtins(dict(edition.parameters)),
        },
        "readings": dict(script.readings),
        "outcome": events[0]["outcome"],
    }
    yield events[0]
    for event in events[1:]:
        yield _step(event)
        yield event
        if event["step"] == 1:
            yield {"do": "resume", "play": _PLAY, "step": 1}
            yield {"play": _PLAY, "step": 1, "event": "resume", "shows": event["shows"]}
    yield _step(events[-1])
    yield {"error": "the Play has ended"}


def _step(event: dict[str, Any]) -> dict[str, Any]:
    given = {name: event.get(name, {}) for name in ("reveal", "choice")}
    return {"do": "step"} | {name: event[name] for name in ("play", "step", "event")} | given


def _found(edition: Edition, log: list[Event]) -> Any:
    """Return what is found in a log of which the first amount paid is wrong."""
    wrong = [
        msgspec.structs.replace(event, paid=event.paid + 1) if event.event == FINISH else event
        for event in log
    ]
    judge, found = Judge(edition), Found(100)
    lines = ((event, Where("log.jsonl", line)) for line, event in enumerate(wrong, start=1))
    for finding in judge.judge(lines):
        found.hear(finding)
    return msgspec.to_builtins(result(judge, found, ["log.jsonl"], exit_code=1))


def _driving(edition: Edition, script: Script, log: list[Event]) -> dict[str, Any]:
    """Return what is found in a build that plays this script, and pays a penny too much."""
    from .builds import CallableBuild
    from .cases import Case
    from .drive import Driver
    from .run_results import drive_result
    from .ways import WAYS

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        event: dict[str, Any] = msgspec.to_builtins(log[request.get("step", 0)])
        if request["do"] == "resume":
            event = {"event": RESUME, "step": event["step"], "shows": event["shows"]}
        elif request["do"] == "step" and (
            request["event"] != event["event"] or request["reveal"] != event.get("reveal", {})
        ):
            return {"error": "that may not come here"}
        if event["event"] == FINISH:
            event["paid"] += 1
        return event | {"play": request["play"]}

    file = Path("suite", file_name(Target(script.target.amount)))
    build = CallableBuild("our_build:answer", answer)
    driver = Driver(build, edition, [Case(file, script)])
    made = drive_result(
        driver.drive(),
        edition,
        script.readings,
        suite=file.parent,
        build=build.name,
        ways=WAYS,
        checks=driver.checks,
        exit_code=1,
    )
    data: dict[str, Any] = msgspec.to_builtins(made)
    return data


def _gating(edition: Edition, driven: dict[str, Any]) -> Any:
    """Return a gate of this alone."""
    from .run_results import GateResult, GateStage

    said = f"1 of 1 script, {driven['plays']} Plays, {driven['requests']} requests: 1 finding"
    result = GateResult(
        format="playproof-gate",
        version=1,
        game=edition.game.id,
        edition=Made(edition.name, edition.hash),
        readings=driven["readings"],
        stages=[
            GateStage("edition", "passed", f"{edition.name!r}: parameters in range"),
            GateStage("proofs", "left out", "prove = false"),
            GateStage("suite", "passed", "1 script in suite"),
            GateStage("drive", "failed", said, driven),
            GateStage("logs", "left out", "no logs are named"),
        ],
        findings=msgspec.convert(driven["findings"], list[Finding]),
        exit_code=1,
        times={"drive": 0.1},
    )
    return msgspec.to_builtins(result)
