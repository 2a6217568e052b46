"""What Plays of a run are walked from: a Play for each prize, and reveals of every kind.

The first Play of a prize comes from synthesis, which finds one or proves that there is none.
Reveals come from Plays that wander, from single steps at random, and from those first Plays.
All of it is the same for the same edition, targets and seed.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...errors import BadInput
from ...models.editions import Edition
from ...models.play import Play
from ...models.shape import Variable
from .. import script
from ..expected import Expected
from ..ground import Ground, Trace
from ..kernels.layout import ROWS, Layout, layout_of
from ..kernels.records import Record
from ..synthesis import Synthesis
from ..targets import Target
from ..workers import can_fork
from .bank import least, put_bank, values_of
from .memory import Builder, Memory
from .rules import Rules, rules_of

__all__ = ["LOSING", "Pool", "pool_of"]

LOSING = Target(0)

# Chains of one target, and of the losing one; steps that each may have beyond its first Play's.
_CHAINS, _LOSING = 8, 64
_MORE = (0, 1, 2, 3, 4, 6, 8, 10)
# Room to remember the Plays of a shard: a third of it is used at most.
_SEEN = 3 * ROWS + 1
# A number without a limit has this one; records of two bytes hold it.
_MOST = (1 << 15) - 1

Row = list[int]


@dataclass(frozen=True)
class Pool:
    """Where a run's Plays come from: the rules, and a memory as ``walk`` takes it.

    ``choices`` says that the player's choices might decide something. ``groups`` are the names
    by which changes of the state are counted.
    """

    rules: Rules
    choices: bool
    memory: Memory
    size: Mapping[str, int]
    groups: tuple[str, ...]


def pool_of(
    edition: Edition,
    readings: Mapping[str, str],
    targets: Sequence[Target],
    wanted: Sequence[int],
    *,
    seed: int = 0,
    jobs: int = 1,
    tell: Callable[[Target], None] = lambda target: None,
) -> Pool:
    """Return what Plays that win these targets are walked from; ``wanted`` is how many of each.

    ``tell`` hears of each target that a Play was found for. Raises BadInput for a target that
    no Play is found for, saying why.
    """
    expected, ground = Expected(edition, readings), Ground(edition, readings)
    traces = []
    for target, play in zip(targets, _first(edition, readings, targets, jobs), strict=True):
        traces.append(ground.traced(_sound(edition, target, play)))
        tell(target)
    rules = rules_of(expected)
    laid_out = layout_of(edition, readings)
    width = max(1, *(len(ground.revealed[rule.id]) for rule in edition.game.rules))
    size = {
        "rules": len(rules.formulas),
        "parts": len(rules.parts),
        "state": len(rules.start),
        "record": len(laid_out.state.fields),
        "width": width,
        "seen": _SEEN,
    }
    into = Builder()
    into.row("start", rules.start)
    into.row("state_bytes", [field.size for field in laid_out.state.fields])
    into.row("part_bytes", [field.size for field in laid_out.parts.fields])
    _put_revealed(into, ground, laid_out, width)
    put_bank(into, ground, traces, seed, width)
    size["bare"] = _put_targets(into, targets, rules.parts, edition.game.goal.named)
    size |= _put_chains(into, ground, rules, traces, wanted, width)
    for name in ("plan", "new"):
        into.room(name, size["steps"])
    for name in ("reveals", "new_reveals"):
        into.room(name, size["steps"] * width)
    for name in ("here", "other"):
        into.room(name, len(rules.start))
    into.room("gained", len(rules.parts) + 1)
    into.room("random", 2)
    groups = _groups(rules)
    size["groups"] = len(set(groups))
    names = list(dict.fromkeys(groups))
    into.row("group", map(names.index, groups))
    into.room("stamp", 1 + len(names))
    into.room("effects", len(rules.formulas) * len(names))
    into.room("seen", _SEEN)
    decisive = (
        move.variables[place].choice
        for move in expected.moves.values()
        for place in move.decisive
    )
    return Pool(rules, any(decisive), into.made(), size, tuple(names))


def _groups(rules: Rules) -> list[str]:
    """Return by what name changes of each scalar of the state are counted.

    That is its field, with the label where it is a word: which row was filled is not told.
    """
    named = []
    for name, _ in rules.state:
        _, field, *labels = name.split(".")
        words = [label for label in labels if not label.isdecimal()]
        named.append(".".join([field, *words]))
    return named


# The first Plays.


def _first(
    edition: Edition, readings: Mapping[str, str], targets: Sequence[Target], jobs: int
) -> Iterator[Play]:
    synthesis = Synthesis(edition, readings)
    if jobs < 2 or len(targets) < 2 * jobs or not can_fork():
        for target in targets:
            yield _found(synthesis, target)
        return
    global _SYNTHESIS
    _SYNTHESIS = synthesis
    with multiprocessing.get_context("fork").Pool(jobs) as processes:
        yield from processes.imap(_found_here, targets)


_SYNTHESIS: Synthesis


def _found_here(target: Target) -> Play:
    return _found(_SYNTHESIS, target)


def _found(synthesis: Synthesis, target: Target) -> Play:
    finding = synthesis.find(target)
    if finding.plays:
        return finding.plays[0]
    row = f"row {target.row}: " if target.row else ""
    if finding.unreachable:
        raise BadInput(
            f"{row}no Play of any length wins {target}: that is proved, so there is no print "
            "run of this table; see playproof script --prize"
        )
    raise BadInput(f"{row}no Play that wins {target} was found: {finding.remark}")


def _sound(edition: Edition, target: Target, play: Play) -> Play:
    """Return a Play that wins a target by the rules themselves, whatever the player chooses.

    Raises BadInput for one that does not, or that breaks a promise of the game.
    """
    game = edition.game
    try:
        made = script.make(edition, target, play)
    except script.BrokenScript as error:
        raise BadInput(f"{target}: no Play of a print run can win it so: {error}") from None
    for promise in game.promises:
        if not made.promises[promise.id]:
            raise BadInput(
                f"{target}: no Play was found that keeps the promise {promise.id} of {game.id} "
                f"({promise.says}), so there is no print run with such Plays"
            )
    return play


# What is revealed.


def _put_revealed(into: Builder, ground: Ground, laid_out: Layout, width: int) -> None:
    rules = [rule.id for rule in ground.game.rules]
    of = [ground.revealed[rule] for rule in rules]
    fields: dict[str, int] = {}
    labels: dict[tuple[str, ...], int] = {}

    def label_of(rule: str, variable: Variable) -> int:
        label = _parted(variable)[1]
        return labels.setdefault((rule, *label), len(labels)) if label else -1

    def field_of(variable: Variable) -> int:
        return fields.setdefault(_parted(variable)[0], len(fields))

    into.row("width", map(len, of))
    kinds = [rule.reveal for rule in ground.game.rules]
    into.row("kind", map(kinds.index, kinds))
    into.table("low", [[least(v) for v in vs] for vs in of], width)
    into.table("high", [[_high(v) for v in vs] for vs in of], width)
    into.table("given", [[0 if v.choice else 1 for v in vs] for vs in of], width)
    into.table("field", [[field_of(v) for v in vs] for vs in of], width)
    labelled = [[label_of(rule, v) for v in vs] for rule, vs in zip(rules, of, strict=True)]
    into.table("label", labelled, width)
    sizes = [_sizes(laid_out.reveals[rule], ground.revealed[rule]) for rule in rules]
    into.table("bytes", sizes, width)


def _parted(variable: Variable) -> tuple[str, tuple[str, ...]]:
    """Return the field of a scalar, and its label, which fields over one index set share."""
    _, reveal, field, *label = variable.name.split(".")
    return f"{reveal}.{field}", tuple(label)


def _high(variable: Variable) -> int:
    if variable.sort == "Bool":
        return 1
    return _MOST if variable.high is None else variable.high


def _sizes(record: Record, variables: Sequence[Variable]) -> Row:
    """Return the bytes of each number that a rule reveals; none for what is chosen."""
    sizes = iter([field.size for field in record.fields])
    return [0 if v.choice else next(sizes) for v in variables]


# What is to be won.


def _put_targets(
    into: Builder, targets: Sequence[Target], parts: Sequence[str], named: Sequence[str]
) -> int:
    """Put in what Plays are to win; return for how many amounts there is room.

    ``amount`` is paid. Unless ``any`` Play that pays it will do, a part is worth what is
    ``fixed`` (-1 where it is free, -2 for anything), and the free parts that win are worth the
    ``bares`` amounts in ``bare``.
    """
    fixed, bare = [], []
    for target in targets:
        breakdown = target.breakdown or ()
        by_name = {one.name: one.amount for one in breakdown if one.name is not None}
        fixed.append([_fixed(part, by_name, named) for part in parts])
        bare.append([one.amount or 0 for one in breakdown if one.name is None])
    most = max(1, *map(len, bare))
    into.row("amount", [target.amount for target in targets])
    into.row("any", [int(target.breakdown is None) for target in targets])
    into.table("fixed", fixed, len(parts))
    into.table("bare", bare, most)
    into.row("bares", map(len, bare))
    return most


def _fixed(part: str, by_name: Mapping[str, int | None], named: Sequence[str]) -> int:
    """Return what a part has to be worth: -1 where it is free, -2 for anything."""
    if part in by_name:
        amount = by_name[part]
        return -2 if amount is None else amount
    return 0 if part in named else -1


# Chains.


def _put_chains(
    into: Builder,
    ground: Ground,
    rules: Rules,
    traces: Sequence[Trace],
    wanted: Sequence[int],
    width: int,
) -> dict[str, int]:
    """Put in chains that begin with their target's first Play; return how many, how long."""
    of = [min(n, _CHAINS if target else _LOSING) for target, n in enumerate(wanted)]
    numbers = {rule.id: number for number, rule in enumerate(ground.game.rules)}
    begun = [trace for trace, count in zip(traces, of, strict=True) for _ in range(count)]
    more = [_MORE[chain % len(_MORE)] for count in of for chain in range(count)]
    longest = [len(trace.moves) + n for trace, n in zip(begun, more, strict=True)]
    most = max(longest)
    into.row("chain_first", [sum(of[:target]) for target in range(len(of))])
    into.row("chain_count", of)
    into.row("longest", longest)
    into.row("fresh", [1] * len(begun))
    into.row("length", [len(trace.moves) for trace in begun])
    into.table("ran", [[numbers[rule] for rule in trace.rules] for trace in begun], most)
    flat = []
    for trace in begun:
        rows = [values_of(ground.revealed[move.rule], move.revealed) for move in trace.moves]
        flat.append([n for row in rows for n in (*row, *[0] * (width - len(row)))])
    into.table("shown", flat, most * width)
    state = [v.name for v in ground.state]
    ends = [[int(trace.end[name]) for name in state] for trace in begun]
    into.table("last", ends, len(rules.start))
    won = [(ground.paid(trace.end), ground.won(trace.end)) for trace in begun]
    prizes = [[paid, *(parts[name] for name in rules.parts)] for paid, parts in won]
    into.table("prize", prizes, len(rules.parts) + 1)
    return {"chains": len(begun), "steps": most}
