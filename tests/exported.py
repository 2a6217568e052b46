"""Exported files, looked at from outside: read as text, checked by rules of our own."""

from __future__ import annotations

import re
from dataclasses import dataclass

from playproof.proofs.sexpr import Atom, List, read, write

SIMPLE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Vmt:
    """What the annotations of a VMT-LIB file say; terms are text."""

    sorts: dict[str, str]
    following: dict[str, str]
    definitions: dict[str, str]
    init: str
    trans: str
    properties: dict[int, str]

    @property
    def inputs(self):
        """The declared symbols that are neither a state variable nor its next value."""
        paired = self.following.keys() | set(self.following.values())
        return [name for name in self.sorts if name not in paired]

    def smt2(self, *assertions):
        """Return the file as plain SMT-LIB, with assertions and a question."""
        lines = [f"(declare-const {name} {sort})" for name, sort in self.sorts.items()]
        lines += self.definitions.values()
        lines += [f"(assert {one})" for one in assertions]
        return "\n".join(["(set-logic ALL)", *lines, "(check-sat)\n"])


def read_vmt(text):
    """Read a VMT-LIB file of ours; anything but the commands it names is an error."""
    sorts, following, definitions, marked, properties = {}, {}, {}, {}, {}
    for command in read(text, "vmt"):
        kind, *parts = command.items
        if kind.text == "set-logic":
            continue
        if kind.text == "declare-fun":
            name, arguments, sort = parts
            assert arguments == List(())
            sorts[name.text] = sort.text
            continue
        assert kind.text == "define-fun", kind.text
        name, arguments, sort, body = parts
        assert arguments == List(())
        if isinstance(body, List) and body.head == "!":
            _, body, attribute, value = body.items
            match attribute.text:
                case ":next":
                    following[body.text] = value.text
                    continue
                case ":invar-property":
                    properties[int(value.text)] = name.text
                case other:
                    marked[other] = name.text
        shown = f"(define-fun {name.text} () {sort.text} {write(body)})"
        definitions[name.text] = shown
    return Vmt(sorts, following, definitions, marked[":init"], marked[":trans"], properties)


def symbols_of(text):
    """Yield every name that a file declares, defines or binds, but for those in ``let``."""
    for command in read(text, "export"):
        kind, *parts = command.items
        if kind.text in ("declare-fun", "declare-const", "define-fun"):
            yield parts[0].text
        if kind.text == "define-fun":
            yield from (one.items[0].text for one in parts[1].items)
        if kind.text in ("define-system", "check-system"):
            yield parts[0].text
            for attribute, value in zip(parts[1::2], parts[2::2], strict=True):
                if attribute.text in (":input", ":output", ":local"):
                    yield from (one.items[0].text for one in value.items)
                elif attribute.text in (":reachable", ":query"):
                    yield value.items[0].text


# ---- MoXI, by the letter: as strict as its own checker of sorts -----------------------------

SYSTEM = [":input", ":output", ":local", ":init", ":trans", ":inv"]
VARIABLES = SYSTEM[:3]


class NotMoxi(Exception):
    """Something that the language does not allow."""


def check_moxi(text):
    """Check a MoXI file of one system; return its queries by name, NotMoxi if it is none."""
    logic, define, check = read(text, "moxi")
    if logic.head != "set-logic" or logic.items[1].text not in ("QF_LIA", "QF_NIA"):
        raise NotMoxi("no logic that all tools know")
    linear = logic.items[1].text == "QF_LIA"
    name, system = _command(define, "define-system")
    checked, questions = _command(check, "check-system")
    if checked != name or [a for a, _ in system] != SYSTEM:
        raise NotMoxi("another system, or other attributes")
    if [a for a, _ in questions][:3] != VARIABLES or system[:3] != questions[:3]:
        raise NotMoxi("the variables of what is checked are not those of the system")
    sorts = {}
    for _, listed in system[:3]:
        for one in listed.items:
            variable, sort = one.items
            if variable.text in sorts:
                raise NotMoxi(f"{variable.text} stands twice")
            sorts[variable.text] = sort.text
    primed = {f"{variable}'": sort for variable, sort in sorts.items()}
    for attribute, term in system[3:]:
        known = sorts | primed if attribute == ":trans" else sorts
        _must_be("Bool", term, known, linear)
    reachable, queries = {}, {}
    for attribute, value in questions[3:]:
        named, what = value.items
        if attribute == ":reachable":
            _must_be("Bool", what, sorts, linear)
            if named.text in reachable:
                raise NotMoxi(f"{named.text} stands twice")
            reachable[named.text] = what
        elif attribute == ":query":
            (asked,) = what.items
            if named.text in queries:
                raise NotMoxi(f"{named.text} stands twice")
            queries[named.text] = reachable[asked.text]
        else:
            raise NotMoxi(f"{attribute} is not used here")
    return queries


def vmt_of_moxi(text):
    """Return a MoXI file that is well formed as what a VMT-LIB file would say."""
    queries = check_moxi(text)
    _, define, _ = read(text, "moxi")
    system = dict(_command(define, "define-system")[1])
    of = {
        a: {one.items[0].text: one.items[1].text for one in system[a].items} for a in VARIABLES
    }
    inputs, kept = of[":input"], of[":output"] | of[":local"]
    following = {name: f"{name}_next" for name in kept}

    def unprimed(term):
        return re.sub(r"(\w+)'", lambda m: following.get(m[1], m[1]), write(term))

    bound = f"(define-fun bound () Bool {write(system[':inv'])})"
    start = f"(define-fun initial () Bool (and bound {write(system[':init'])}))"
    step = f"(define-fun transition () Bool (and bound {unprimed(system[':trans'])}))"
    claims = {
        name: f"(define-fun {name} () Bool (not {write(breaks)}))"
        for name, breaks in queries.items()
    }
    return Vmt(
        inputs | kept | {following[name]: sort for name, sort in kept.items()},
        following,
        {"bound": bound, "initial": start, "transition": step, **claims},
        "initial",
        "transition",
        dict(enumerate(claims)),
    )


def _command(command, kind):
    if command.head != kind:
        raise NotMoxi(f"{kind} was expected")
    name, *parts = command.items[1:]
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return name.text, [(attribute.text, value) for attribute, value in pairs]


def _must_be(sort, term, known, linear):
    if _sort(term, known, linear) != sort:
        raise NotMoxi(f"line {term.line}: {sort} was expected")


def _sort(term, known, linear):
    """Return the sort of a term; NotMoxi for one that has none."""
    if isinstance(term, Atom):
        if term.text in ("true", "false"):
            return "Bool"
        if term.text.isdigit():
            return "Int"
        if term.text not in known:
            raise NotMoxi(f"line {term.line}: {term.text} is not declared here")
        return known[term.text]
    if term.head == "let":
        _, bound, body = term.items
        new = {one.items[0].text: _sort(one.items[1], known, linear) for one in bound.items}
        if new.keys() & known.keys():
            raise NotMoxi(f"line {term.line}: a bound name hides another")
        return _sort(body, known | new, linear)
    sorts = [_sort(one, known, linear) for one in term.items[1:]]
    return _applied(term, sorts, linear)


def _applied(term, sorts, linear):
    ints, bools = set(sorts) == {"Int"}, set(sorts) == {"Bool"}
    count = len(sorts)
    match term.head:
        case "and" | "or" if bools and count >= 2:
            return "Bool"
        case "not" if bools and count == 1:
            return "Bool"
        case "=" if count == 2 and sorts[0] == sorts[1]:
            return "Bool"
        case "<" | "<=" if ints and count in (2, 3):
            return "Bool"
        case "ite" if count == 3 and sorts[0] == "Bool" and sorts[1] == sorts[2]:
            return sorts[1]
        case "+" if ints and count == 2:
            return "Int"
        case "-" if ints and count in (1, 2):
            return "Int"
        case "*" if ints and count == 2 and (not linear or _scaled(term)):
            return "Int"
        case "div" | "mod" if ints and count == 2 and not linear:
            return "Int"
    raise NotMoxi(f"line {term.line}: {term.head} of {', '.join(sorts)}")


def _scaled(term):
    number, variable = term.items[1:]
    return isinstance(variable, Atom) and (
        (isinstance(number, Atom) and number.text.isdigit())
        or (isinstance(number, List) and number.head == "-" and len(number.items) == 2)
    )
