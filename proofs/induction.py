"""Induction with lemmas, and k-induction.

    φ = the claim ∧ every lemma it uses, and those they use
    1-induction   init ⇒ φ,  φ(x) ∧ trans(x, x') ⇒ φ(x'),  φ ⇒ the claim
    k-induction   the same with k steps running that keep φ; k grows until it holds

A step property is no part of φ: it has to follow from φ and one step.

1-induction is checked claim by claim and rule by rule. For each claim L of φ, with the lemmas
L1 … Ln that it uses itself (and those they use), and each rule R that changes what L speaks of:

    L(x) ∧ L1(x) ∧ … ∧ Ln(x) ∧ guard.R(x, r) ⇒ L(next.R(x, r))

If all of these hold at one moment, each holds at the next: the conjunction is inductive, also
where lemmas use each other. Many claims share a lemma, so its checks are made once.

Sheeran, Singh, Stålmarck: Checking safety properties using induction and a SAT-solver,
FMCAD 2000. The simple-path condition is not used: it makes the method complete for finite
systems only, and these are not finite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ..models.algebra import Bool, all_of
from ..models.system import Game, Kind, Property, Rule
from . import certificate, smtlib
from .encoding import Encoding
from .solvers import Steps
from .verdict import Answer, Certificate, Obligation
from .workbench import Workbench

__all__ = [
    "attempt",
    "attempt_all",
    "attempt_longer",
    "definitions",
    "follows",
    "lemmas_of",
    "strengthening",
]

Parts = tuple[Obligation, ...]


def lemmas_of(game: Game, claim: Property) -> tuple[Property, ...]:
    """Return every property that a claim is proved with, in the game's order.

    Raises ValueError for a lemma that does not exist, or that speaks of steps.
    """
    found: dict[str, Property] = {}
    waiting = list(claim.using)
    while waiting:
        name = waiting.pop()
        if name == claim.id or name in found:
            continue
        try:
            lemma = game.property(name)
        except KeyError:
            raise ValueError(f"{claim.id} uses {name!r}, which {game.id} lacks") from None
        if lemma.kind is Kind.STEP:
            raise ValueError(f"{claim.id} uses {name!r}, which speaks of steps, not of states")
        found[name] = lemma
        waiting += lemma.using
    return tuple(lemma for lemma in game.properties if lemma.id in found)


def strengthening(encoding: Encoding, claim: Property) -> Bool:
    """Return φ for induction: the claim, if it speaks of states, and all its lemmas."""
    claims = [*lemmas_of(encoding.game, claim)]
    if claim.kind is not Kind.STEP:
        claims.append(claim)
    return all_of(encoding.holds(one) for one in claims)


def attempt(
    bench: Workbench, encoding: Encoding, claim: Property, steps: Steps
) -> tuple[Certificate, tuple[Answer, ...]]:
    """Try to prove a claim by 1-induction with its lemmas; as ``attempt_all``, of one claim."""
    return attempt_all(bench, encoding, (claim,), steps)


def attempt_all(
    bench: Workbench, encoding: Encoding, claims: Sequence[Property], steps: Steps
) -> tuple[Certificate, tuple[Answer, ...]]:
    """Try to prove invariants and step properties by 1-induction, each with its lemmas.

    The certificate states all of them. ``encoding`` is the workbench's own, perhaps with some
    readings left out; the lemmas that claims use are among its game's properties. Returns the
    certificate and z3's answers to its obligations, up to the first that is not ``unsat``; the
    attempt has succeeded if all are.
    """
    needed = {one.id for claim in claims for one in lemmas_of(encoding.game, claim)}
    needed -= {claim.id for claim in claims}
    lemmas = [one for one in encoding.game.properties if one.id in needed]
    made: list[Obligation] = []
    answers: list[Answer] = []
    for one in (*claims, *lemmas):
        tried, said = _of_claim(bench, encoding, one, bool(encoding.excluded), steps)
        made += tried
        answers += said
        if said and said[-1].answer != "unsat":
            break
    conjuncts = tuple(one.id for one in (*claims, *lemmas) if one.kind is not Kind.STEP)
    made_of = Certificate(
        1,
        " ∧ ".join(conjuncts) or "true",
        bench.pieces,
        tuple(made),
        certificate.stated(claims),
        definitions(bench, (*claims, *lemmas)),
        conjuncts,
        encoding.excluded,
        encoding.fixed(),
    )
    return made_of, tuple(answers)


def definitions(bench: Workbench, claims: Iterable[Property]) -> str:
    """Return the text that defines claims: a step property has one definition for each rule."""
    pieces = bench.slices
    return "".join(
        pieces.piece(pieces.claim(claim, rule)).text
        for claim in claims
        for rule in (bench.encoding.game.rules if claim.kind is Kind.STEP else (None,))
    )


def follows(bench: Workbench, encoding: Encoding, claim: Property, steps: Steps) -> bool:
    """Return whether a claim is inductive given lemmas that are proved elsewhere.

    Only its own checks are made, each by z3 and by cvc5.
    """
    tried, answers = _of_claim(bench, encoding, claim, bool(encoding.excluded), steps)
    if any(answer.answer != "unsat" for answer in answers):
        return False
    asked, answers = bench.check(tried, "cvc5", steps)
    if asked != tried:  # taken apart for cvc5: z3 has to agree on the parts
        answers += bench.check(asked, "z3", steps)[1]
    return all(answer.answer == "unsat" for answer in answers)


def attempt_longer(
    bench: Workbench, encoding: Encoding, claim: Property, k: int, steps: Steps
) -> tuple[Certificate, tuple[Answer, ...]]:
    """Try to prove a claim by k-induction with its lemmas; as ``attempt``, on the whole."""
    phi = smtlib.text(strengthening(encoding, claim))
    tried = certificate.whole(encoding, claim, k, phi, bench.system)
    return tried, bench.check(tried.obligations, "z3", steps)[1]


def _of_claim(
    bench: Workbench, encoding: Encoding, claim: Property, restricted: bool, steps: Steps
) -> tuple[tuple[Obligation, ...], tuple[Answer, ...]]:
    """Check one claim of φ; where readings are left out, first try without that help."""
    tried, answers = bench.check(tuple(_obligations(bench, encoding, claim)), "z3", steps)
    if restricted and answers and answers[-1].answer != "unsat":
        apart = tuple(_obligations(bench, encoding, claim, *_restriction(encoding)))
        tried, answers = bench.check(apart, "z3", steps)
    return tried, answers


def _restriction(encoding: Encoding) -> tuple[str, list[str]]:
    """Return the assertions that leave readings out, and the definitions they need."""
    assumed = "".join(f"(assert {line})\n" for line in encoding.left_out())
    taken = [f"reading.{name}.{choice}" for cube in encoding.excluded for name, choice in cube]
    return assumed, taken


def _obligations(
    bench: Workbench,
    encoding: Encoding,
    claim: Property,
    assumed: str = "",
    taken: Sequence[str] = (),
) -> Iterator[Obligation]:
    pieces = bench.slices
    given = [pieces.claim(lemma) for lemma in lemmas_of(encoding.game, claim)]

    def ask(part: str, detail: str, names: Sequence[str], lines: Iterable[str]) -> Obligation:
        closing = assumed
        closing += "".join(f"(assert {line})\n" for line in lines) + "(check-sat)\n"
        return Obligation(claim.id, part, detail, pieces.text([*taken, *names], closing))

    over_step = claim.kind is Kind.STEP
    if not over_step:
        name = pieces.claim(claim)
        given.append(name)
        says, needed = pieces.at_start(name)
        yield ask("base", "", [*needed, name], [f"(not {says})"])
    known = [pieces.here(name) for name in given]
    idle: list[str] = []
    for rule in encoding.game.rules:
        name = pieces.claim(claim, rule if over_step else None)
        if pieces.piece(name).trivial or (not over_step and pieces.unchanged(name, rule.id)):
            idle.append(rule.id)
            continue
        part = "property" if over_step else "step"

        def fires(
            claimed: str, number: str = "", part: str = part, rule: Rule = rule
        ) -> Obligation:
            says, needed = pieces.after(claimed, rule.id)
            names = [f"guard.{rule.id}", *needed, *given, claimed]
            lines = [*known, f"guard.{rule.id}", f"(not {says})"]
            return ask(part, rule.id + number, names, lines)

        def apart(name: str = name, fires: Callable[..., Obligation] = fires) -> Parts:
            conjuncts = enumerate(pieces.parts(name), start=1)
            return tuple(fires(one, f", conjunct {number}") for number, one in conjuncts)

        yield bench.offer(fires(name), apart)
    if idle:
        yield _idle(bench, claim, idle, given, known, ask)


def _idle(
    bench: Workbench,
    claim: Property,
    idle: Sequence[str],
    given: Sequence[str],
    known: Sequence[str],
    ask: Callable[[str, str, Sequence[str], Iterable[str]], Obligation],
) -> Obligation:
    """Return the one check for all rules that change nothing that a claim speaks of."""
    pieces = bench.slices
    names: list[str] = []
    cases: list[str] = []
    over_step = claim.kind is Kind.STEP
    for rule_id in idle:
        rule = bench.encoding.game.rule(rule_id)
        name = pieces.claim(claim, rule if over_step else None)
        says, needed = pieces.after(name, rule_id)
        names += [*needed, name]
        cases.append(f"(not {says})")
    part = "property" if over_step else "step"
    lines = [*known, f"(or {' '.join(cases)} false)"]
    return ask(part, ", ".join(idle), [*names, *given], lines)
