"""A proof folder as what it states, and the checks that have to be answered for it.

A folder is taken only if its checks are built from its system and its claims, so that they
prove what its manifest states: with claims by name, as ``obligations`` says, or with one
formula φ and the system taken whole, as ``unrolling`` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import BadInput
from .commands import Check, Command, Declare, Define, Reader, Said
from .folder import Folder
from .obligations import Asked, Stated, judge, none_of
from .proof_format import Claim, File, Manifest, definitions, fingerprint
from .sexpr import write
from .transitions import Transitions, read_transitions
from .unrolling import Unrolling

__all__ = ["Library", "Proof"]


@dataclass(frozen=True)
class Proof:
    """A folder whose checks prove what it states, if each is answered ``unsat``.

    ``start`` is a text that must be answered ``sat``: that there is a start at all under what
    is assumed. Where there is none, everything follows.
    """

    folder: Folder
    asked: tuple[Asked, ...]
    start: str

    @property
    def claims(self) -> list[Claim]:
        """What is stated."""
        return self.folder.manifest.statement


class Library:
    """Reads proofs; remembers files and systems that several of them share."""

    def __init__(self) -> None:
        self._reader = Reader()
        self._checks: dict[str, list[Check]] = {}
        self._files: dict[str, list[Said]] = {}
        self._systems: dict[str, Transitions] = {}

    def proof(self, folder: Folder) -> Proof:
        """Return what a folder proves; BadInput if its checks do not prove what it states."""
        try:
            return self._proof(folder)
        except BadInput as error:
            said = str(error)
            place = str(folder.path)
            raise BadInput(said if said.startswith(place) else f"{place}: {said}") from None

    def _proof(self, folder: Folder) -> Proof:
        manifest = folder.manifest
        _is_plain(folder)
        checks = [one for file in manifest.checks for one in self._checks_of(folder, file)]
        made = self._whole if manifest.conjuncts is None else self._by_rules
        asked, start = made(folder, checks)
        system, claims = folder.text(manifest.system), folder.text(manifest.claims)
        choices = definitions(system)
        for cube in (*manifest.excluded, *manifest.fails_under):
            for name, choice in cube.items():
                if f"reading.{name}.{choice}" not in choices:
                    raise BadInput(f"it speaks of {name} = {choice}, which its system lacks")
        names = [one.name for one in asked]
        if sorted(names) != sorted(manifest.answers):
            raise BadInput("the answers of its manifest are not those to its checks")
        given = {answer for answers in manifest.answers.values() for answer in answers.values()}
        if given - {"unsat"}:
            raise BadInput("by its manifest, not every check was answered unsat")
        statement = [(one.id, one.kind) for one in manifest.statement]
        if fingerprint(system, claims, statement, manifest.excluded) != manifest.fingerprint:
            raise BadInput("its fingerprint is not that of its system and claims")
        if manifest.excluded:
            asked = (*asked, _fewest_words(start, manifest))
        return Proof(folder, asked, start)

    def _checks_of(self, folder: Folder, file: File) -> list[Check]:
        if file.sha256 not in self._checks:
            text = folder.text(file)
            self._checks[file.sha256] = self._reader.checks(text, str(folder.path / file.file))
        return self._checks[file.sha256]

    def _commands(self, folder: Folder, file: File) -> list[Said]:
        if file.sha256 not in self._files:
            text = folder.text(file)
            said = self._reader.commands(text, str(folder.path / file.file))
            _are_laid_out(said, text)
            self._files[file.sha256] = said
        return self._files[file.sha256]

    def _by_rules(
        self, folder: Folder, checks: Sequence[Check]
    ) -> tuple[tuple[Asked, ...], str]:
        manifest = folder.manifest
        if manifest.k != 1:
            raise BadInput(f"k is {manifest.k}, but claims by name are for k = 1")
        digest = manifest.system.sha256
        if digest not in self._systems:
            said = self._commands(folder, manifest.system)
            self._systems[digest] = read_transitions(said)
        system = self._systems[digest]
        stated = Stated(
            conjuncts=tuple(manifest.conjuncts or ()),
            steps=tuple(one.id for one in manifest.statement if one.kind == "step"),
            invariants=tuple(one.id for one in manifest.statement if one.kind != "step"),
            excluded=tuple(manifest.excluded),
        )
        claims = _definitions(self._commands(folder, manifest.claims))
        return judge(system, claims, stated, checks), _start(system, stated)

    def _whole(self, folder: Folder, checks: Sequence[Check]) -> tuple[tuple[Asked, ...], str]:
        """Compare each check with what it has to be, letter by letter."""
        manifest = folder.manifest
        if len(manifest.statement) != 1:
            raise BadInput("one formula φ is for one claim")
        (claim,) = manifest.statement
        system = _definitions(self._commands(folder, manifest.system))
        claims = _definitions(self._commands(folder, manifest.claims))
        over_step = claim.kind == "step"
        moments = _moments(system, claims, over_step)
        left_out = "".join(f" {none_of(cube)}" for cube in manifest.excluded)
        rigid = f"(and ranges true{left_out})"
        if write(claims["rigid"].body) != rigid:
            raise BadInput(f"rigid is not {rigid}, which its manifest leaves open")
        opening = folder.text(manifest.system) + folder.text(manifest.claims)
        wanted = {
            f"base {claim.id}": opening + moments.base(manifest.k),
            f"step {claim.id}": opening + moments.step(manifest.k),
            f"property {claim.id}": opening + moments.property(over_step),
        }
        if [check.text for check in checks] != list(wanted.values()):
            raise BadInput(
                f"its checks are not base, step and property for k = {manifest.k}, as they "
                "follow from its system and claims"
            )
        asked = zip(wanted.items(), checks, strict=True)
        return (
            tuple(Asked(name, text, check.place) for (name, text), check in asked),
            opening + moments.start(),
        )


def _are_laid_out(commands: Sequence[Said], text: str) -> None:
    """Refuse definitions on other lines than here: the fingerprint would not see them."""
    defined = [said for said in commands if isinstance(said.command, Define)]
    seen = definitions(text)
    names = {said.command.name for said in defined if isinstance(said.command, Define)}
    if names != set(seen) or not text.endswith("".join(seen.values())):
        source = commands[0].source if commands else "a file"
        raise BadInput(f"{source}: each definition stands on two lines, and last")


def _is_plain(folder: Folder) -> None:
    """Refuse a manifest that contradicts itself."""
    manifest = folder.manifest
    if not manifest.statement:
        raise BadInput("it states nothing")
    if manifest.expect != "unsat" or manifest.k < 1:
        raise BadInput(f"expect {manifest.expect!r} with k = {manifest.k} is no proof")
    for claim in manifest.statement:
        if claim.kind not in ("invariant", "step"):
            raise BadInput(
                f"{claim.id} is stated as {claim.kind!r}: invariant or step is known"
            )
    if not all(manifest.excluded):
        raise BadInput("it leaves out every reading, and so states nothing")
    if manifest.outcome not in ("proved", "refuted", "depends"):
        raise BadInput(f"outcome {manifest.outcome!r}: proved, refuted or depends was expected")
    if manifest.outcome == "proved" and (manifest.excluded or manifest.fails_under):
        raise BadInput("it says 'proved', and yet that it fails under some readings")
    if manifest.excluded and not manifest.fails_under:
        raise BadInput("it leaves out readings, but does not say that it fails under any")
    stated = [claim.id for claim in manifest.statement]
    if stated == [manifest.property] and manifest.outcome == "refuted":
        raise BadInput("it says 'refuted' of what it proves")


def _definitions(commands: Sequence[Said]) -> dict[str, Define]:
    found: dict[str, Define] = {}
    for said in commands:
        match said.command:
            case Define() as definition:
                if definition.name in found:
                    raise BadInput(f"{said.place}: {definition.name} is defined twice")
                found[definition.name] = definition
            case Declare() | Command("(set-logic ALL)"):
                continue
            case other:
                raise BadInput(
                    f"{said.place}: {other.text[:60]} has no place among definitions"
                )
    return found


def _start(system: Transitions, stated: Stated) -> str:
    """Return the text that asks for rigid constants: with these there is one start."""
    named = [
        definition
        for name, definition in system.definitions.items()
        if name.partition(".")[0] in ("range", "reading")
    ]
    lines = ["(set-logic ALL)"]
    lines += [f"(declare-const {name} {system.sorts[name]})" for name in system.rigid]
    lines += [definition.text for definition in named]
    assumed = [one.name for one in named if one.name in system.ranges]
    lines += [f"(assert {one})" for one in (*assumed, *map(none_of, stated.excluded))]
    return "\n".join([*lines, "(check-sat)", ""])


def _fewest_words(start: str, manifest: Manifest) -> Asked:
    """Return the check that ``fails-under`` says what is left out, under all that is open.

    It is made of the text that asks for a start, which leaves the same readings out.
    """
    left_out = " ".join(map(none_of, manifest.excluded))
    words = " ".join(map(none_of, manifest.fails_under))
    kept = "".join(
        line
        for line in start.splitlines(keepends=True)
        if line not in {f"(assert {none_of(cube)})\n" for cube in manifest.excluded}
    ).removesuffix("(check-sat)\n")
    kept = kept.replace("(assert rigid)\n", "(assert ranges)\n")
    goal = f"(assert (xor (and true {left_out}) (and true {words})))\n(check-sat)\n"
    return Asked("fails-under is what is left out", kept + goal, str(manifest.property))


def _moments(
    system: dict[str, Define], claims: dict[str, Define], over_step: bool
) -> Unrolling:
    """Return the variables of a system taken whole; BadInput where its parts do not fit."""
    for name in ("ranges", "init", "trans"):
        if name not in system:
            raise BadInput(f"its system does not define {name}")
    if list(claims) != ["rigid", "phi", "holds"]:
        raise BadInput("its claims are not rigid, phi and holds")
    state, step = system["init"].parameters, system["trans"].parameters
    after = tuple((f"{name}!", sort) for name, sort in state)
    reveals = step[len(state) : len(step) - len(state)]
    if step != (*state, *reveals, *after):
        raise BadInput("trans is not over the state, the reveals and the next state")
    for name, over in (("phi", state), ("holds", step if over_step else state)):
        if claims[name].parameters != over:
            raise BadInput(f"{name} is not over what it has to be over")
    return Unrolling(state, reveals)
