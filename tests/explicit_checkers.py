"""Reduced copies of games for explicit-state model checkers: Promela (SPIN), Murphi (rumur).

    state    the game's state and what its observer counts, at the start of a Play
    a rule   what is revealed, any of the values that the copy allows; where the rule's guard
             holds, the next state
    a claim  asserted of every state, or, where it speaks of steps, of every step

Nothing else is part of a state, so each checker has to come to as many states as there are
points in ``playproof.proofs.enumeration``. A state variable is as narrow as the values that it
was found to have there. What parts of a formula share is worked out once, in a variable that
is no part of the state. All is made from the terms of an encoding: nothing here knows a game.

Holzmann: The model checker SPIN, IEEE Transactions on Software Engineering 23(5), 1997.
Dill: The Murphi verification system, CAV 1996; rumur checks models in its language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from playproof.models.algebra import BoolTerm, Term, Value, conjuncts, variables_of
from playproof.models.shape import Variable
from playproof.models.system import Kind
from playproof.proofs.copies import allowed_values
from playproof.proofs.encoding import NEXT, encode
from playproof.proofs.enumeration import Enumeration
from playproof.proofs.export.symbols import plain_names
from playproof.proofs.export.system import Case, exported

Names = Mapping[str, str]

# Names that one of the languages has a use for.
_TAKEN = (
    *(
        "active",
        "assert",
        "atomic",
        "bit",
        "bool",
        "boolean",
        "byte",
        "const",
        "do",
        "end",
        "fi",
    ),
    *("function", "hidden", "if", "int", "len", "od", "of", "play", "proctype", "procedure"),
    *("return", "rule", "ruleset", "run", "short", "skip", "startstate", "then", "type", "var"),
    "whole",
)
# The rules divide downwards, by known positive numbers; both languages do as C does.
_MOD = "((({0} % {1}) + {1}) % {1})"
_SIGNS = {"+": "+", "-": "-", "*": "*", "<": "<", "<=": "<="}
_WHOLE = (-(2**31), 2**31 - 1)


@dataclass(frozen=True)
class Language:
    """How operations and assignments are written."""

    signs: Mapping[str, str]
    ite: str
    assign: str


_PROMELA = Language(
    {**_SIGNS, "=": "==", "and": "&&", "or": "||"}, "({0} -> {1} : {2})", "{} = {};"
)
_MURPHI = Language(
    {**_SIGNS, "=": "=", "and": "&", "or": "|"}, "({0} ? {1} : {2})", "{} := {};"
)


class Small:
    """A copy that was gone through, and what a checker is to be given of it."""

    def __init__(self, found: Enumeration, claims: Sequence[str]) -> None:
        """Set up for claims about states or steps, without the lemmas that prove them."""
        copy, game = found.copy, found.game
        encoding = encode(game, copy.parameters, copy.readings)
        system = exported(encoding, claims)
        wanted = [one for one in system.statements if one.claim.id in claims]
        self.title = f"{game.id}, copy {copy.name}: {', '.join(claims)}"
        self.state = system.state
        self.start = system.start
        self.cases = [case for case in system.cases if case.id != "rest"]
        self.of_steps = {f"ok.{one.claim.id}" for one in wanted if one.claim.kind is Kind.STEP}
        self.of_states = {
            one.claim.id: one.says for one in wanted if one.claim.kind is not Kind.STEP
        }
        self.revealed: dict[str, dict[str, tuple[Value, ...]]] = {}
        for rule in game.rules:
            fields = zip(
                encoding.reveal_variables(rule), game.reveal_shape(rule).variables, strict=True
            )
            self.revealed[rule.id] = {
                of.name: tuple(allowed_values(copy, rule.reveal, plain)) for of, plain in fields
            }
        columns = zip(*found.points, strict=True)
        self.ranges = {
            v.name: (int(min(c)), int(max(c))) for v, c in zip(self.state, columns, strict=True)
        }

    @cached_property
    def names(self) -> Names:
        """The name of every variable in a model, also that of a next value."""
        state = [v.name for v in self.state]
        revealed = [name for values in self.revealed.values() for name in values]
        return plain_names([*_TAKEN, *state, *revealed, *(name + NEXT for name in state)])

    def names_after(self, case: Case) -> Names:
        """Return the names where the next values of what a rule changes are known."""
        kept = (v.name for v in self.state if v.name not in case.changes)
        return {**self.names, **{name + NEXT: self.names[name] for name in kept}}

    def kept(self, case: Case) -> list[Value]:
        """Return what a step by a rule has to keep."""
        return [holds for name, holds in case.kept.items() if name in self.of_steps]

    def first(self, case: Case) -> list[Value]:
        """Return the parts of a rule's guard that do not depend on what is revealed."""
        revealed = self.revealed[case.id].keys()
        return [one for one in conjuncts(case.guard) if not variables_of(one) & revealed]


class Text:
    """Terms of one place in a model as text: ``shared`` is to be assigned first, in order."""

    def __init__(
        self, language: Language, names: Names, roots: Iterable[Value], prefix: str = ""
    ) -> None:
        """Set up for all terms of that place; without a prefix nothing is shared."""
        self.language, self.names = language, names
        self.shared: list[tuple[str, str]] = []
        self.sorts: dict[str, str] = {}
        self._written: dict[int, str] = {}
        order, uses = _in_order([*roots])
        for term in order:
            text = self._term(term)
            if prefix and uses[id(term)] > 1 and term.op != "var":
                name = f"{prefix}{len(self.shared)}"
                self.shared.append((name, text))
                self.sorts[name] = "boolean" if isinstance(term, BoolTerm) else "whole"
                text = name
            self._written[id(term)] = text

    def assigned(self) -> Iterator[str]:
        """Yield the lines that work out what is shared."""
        return (self.language.assign.format(*one) for one in self.shared)

    def of(self, value: object) -> str:
        """Return the text of one of the terms, or of a known value."""
        if isinstance(value, Term):
            return self._written[id(value)]
        if isinstance(value, bool):
            return str(value).lower()
        return str(value) if str(value).isdigit() else f"(0 {value})"  # -3 is 0 - 3

    def all_of(self, values: Iterable[Value]) -> str:
        """Return the text of the conjunction of some of the terms."""
        both = self.language.signs["and"]
        return f" {both} ".join(map(self.of, values)) or "true"

    def _term(self, term: Term) -> str:
        if term.op == "var":
            return self.names[str(term.args[0])]
        args = [self.of(one) for one in term.args]
        match term.op:
            case "not":
                return f"(!{args[0]})"
            case "ite":
                return self.language.ite.format(*args)
            case "mod":
                return _MOD.format(*args)
            case "div":
                return f"(({args[0]} - {_MOD.format(*args)}) / {args[1]})"
        return f"({f' {self.language.signs[term.op]} '.join(args)})"


def _in_order(roots: Sequence[Value]) -> tuple[list[Term], Counter[int]]:
    """Return every term, after its parts, and how often each is used, by its id."""
    uses = Counter(map(id, roots))
    order: list[Term] = []
    seen: set[int] = set()
    waiting: list[tuple[object, bool]] = [(root, False) for root in reversed(roots)]
    while waiting:
        term, parts_done = waiting.pop()
        if not isinstance(term, Term):
            continue
        if parts_done:
            order.append(term)
        elif id(term) not in seen:
            seen.add(id(term))
            uses.update(map(id, term.args))
            waiting.append((term, True))
            waiting += [(one, False) for one in reversed(term.args)]
    return order, uses


def promela(small: Small) -> str:
    """Return a model for SPIN. What is ``hidden`` is no part of a state."""
    names = small.names
    steps: list[str] = []
    scratch: list[str] = []
    for case in small.cases:
        first, known, kept, then = _texts(small, case, _PROMELA)
        scratch += [*known.sorts, *kept.sorts, *then.sorts]
        changes = {name: small.names[name + NEXT] for name in case.changes}
        scratch += changes.values()
        steps.append(f"  :: atomic {{ /* {case.id} */ {first.all_of(small.first(case))};")
        for name, values in small.revealed[case.id].items():
            ways = " ".join(f":: {names[name]} = {int(value)}" for value in values)
            steps.append(f"    if {ways} fi;")
        steps += ["    d_step {", *(f"      {line}" for line in known.assigned())]
        steps.append(f"      if :: {known.of(case.guard)} ->")
        steps += [f"        {new} = {known.of(case.changes[n])};" for n, new in changes.items()]
        steps += [f"        {line}" for line in kept.assigned()]
        steps += [f"        assert({kept.of(one)});" for one in small.kept(case)]
        steps += [f"        {names[name]} = {new};" for name, new in changes.items()]
        steps += [f"        {line}" for line in then.assigned()]
        steps += [f"        assert({then.of(one)});" for one in small.of_states.values()]
        steps += ["      :: else fi }", "  }"]
    state = [
        f"{_narrow(v.sort, *small.ranges[v.name])} {names[v.name]} = {int(_known(small, v))};"
        for v in small.state
    ]
    unseen = [names[name] for values in small.revealed.values() for name in values]
    hidden = [f"hidden int {name};" for name in dict.fromkeys([*unseen, *scratch])]
    opening = [f"/* {small.title} */", *state, *hidden, "active proctype play() {", "end: do"]
    return "\n".join([*opening, *steps, "  od", "}", ""])


def murphi(small: Small) -> str:
    """Return a model for rumur."""
    names = small.names
    lines = [f"-- {small.title}", "type", f"  whole: {_WHOLE[0]} .. {_WHOLE[1]};", "var"]
    lines += [f"  {names[v.name]}: {_span(v.sort, small.ranges[v.name])};" for v in small.state]
    for number, (id_, says) in enumerate(small.of_states.items()):
        text = Text(_MURPHI, names, [says], "t")
        lines += _function(f"holds{number}", "", text, says)
        lines.append(f'invariant "{id_}" holds{number}();')
    lines.append('startstate "start" begin')
    lines += [
        f"  {names[v.name]} := {Text(_MURPHI, {}, []).of(_known(small, v))};"
        for v in small.state
    ]
    lines.append("end;")
    for number, case in enumerate(small.cases):
        first, known, kept, _ = _texts(small, case, _MURPHI)
        unseen = {names[n]: _of_values(values) for n, values in small.revealed[case.id].items()}
        given = "; ".join(f"{name}: {span}" for name, span in unseen.items())
        lines += _function(
            f"guard{number}", given, Text(_MURPHI, names, [case.guard], "t"), case.guard
        )
        lines += [f"ruleset {name}: {span} do" for name, span in unseen.items()]
        fires = f"guard{number}({', '.join(unseen)})"
        lines += [f'rule "{case.id}" {first.all_of(small.first(case))} & {fires} ==>', "var"]
        known = Text(_MURPHI, names, case.changes.values(), "t")
        sorts = {v.name: "boolean" if v.sort == "Bool" else "whole" for v in small.state}
        changes = {name: names[name + NEXT] for name in case.changes}
        lines += [f"  {new}: {sorts[name]};" for name, new in changes.items()]
        lines += [f"  {n}: {sort};" for n, sort in {**known.sorts, **kept.sorts}.items()]
        lines += ["begin", *known.assigned()]
        lines += [f"  {new} := {known.of(case.changes[n])};" for n, new in changes.items()]
        lines += kept.assigned()
        lines += [f"  assert {kept.of(one)};" for one in small.kept(case)]
        lines += [f"  {names[name]} := {new};" for name, new in changes.items()]
        lines += ["end;", *("end;" for _ in unseen)]
    return "\n".join([*lines, ""])


def _texts(small: Small, case: Case, language: Language) -> tuple[Text, Text, Text, Text]:
    """Return the texts of a rule: what is asked first, the step, what it keeps, the states."""
    return (
        Text(language, small.names, small.first(case)),
        Text(language, small.names, [case.guard, *case.changes.values()], "t"),
        Text(language, small.names_after(case), small.kept(case), "k"),
        Text(language, small.names, small.of_states.values(), "h"),
    )


def _known(small: Small, variable: Variable) -> int:
    value = small.start[variable.name]
    if isinstance(value, Term):
        raise TypeError(f"{variable.name} is not known at the start: give every parameter")
    return value


def _narrow(sort: str, low: int, high: int) -> str:
    if sort == "Bool":
        return "bool"
    if low >= 0 and high < 2**8:
        return "byte"
    return "short" if low >= -(2**15) and high < 2**15 else "int"


def _span(sort: str, span: tuple[int, int]) -> str:
    return "boolean" if sort == "Bool" else f"{span[0]} .. {span[1]}"


def _of_values(values: Sequence[Value]) -> str:
    if isinstance(values[0], bool):
        return "boolean"
    numbers = [int(value) for value in values]  # type: ignore[arg-type]
    return f"{min(numbers)} .. {max(numbers)}"


def _function(name: str, given: str, text: Text, says: Value) -> Iterator[str]:
    yield f"function {name}({given}): boolean;"
    if text.sorts:
        yield "var"
        yield from (f"  {one}: {sort};" for one, sort in text.sorts.items())
    yield "begin"
    yield from text.assigned()
    yield f"  return {text.of(says)};"
    yield "end;"
