"""A film as one HTML file: nothing is fetched, and without JavaScript all steps are shown.

What is as it was at an earlier step, all of a panel or half of it, is written once, and so is
what a field means; other steps refer to the first, and the script puts it in. The page's own
script is the only one that a browser will run in it: its hash is in the page's policy, so that
no text of a log can ever do anything.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

from ...models.drawing import Panel
from ..numbers import some
from .film import Change, Film, Frame, Revealed
from .pieces import Marks, marked_html, panel_html, pieces_html, shapes, text, titled

__all__ = ["page"]

_CHOSEN = "<small>the player’s choice, which decides nothing</small>"


def page(film: Film) -> str:
    """Return a film as HTML; the same film is the same text."""
    style, script = _beside("page.css"), _beside("page.js")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        f"form-action 'none'; script-src 'sha256-{digest}'"
    )
    return "".join(
        (
            '<!DOCTYPE html>\n<html lang="en-GB">\n<head>\n<meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{text(policy)}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f"<title>{text(film.title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n",
            shapes(panel for frame in film.frames for panel in frame.panels),
            "\n",
            _head(film),
            _steps(film),
            '<main id="play">\n',
            *_articles(film),
            "</main>\n",
            _foot(),
            f"<script>{script}</script>\n</body>\n</html>\n",
        )
    )


@cache
def _beside(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _ids(film: Film) -> Iterator[tuple[str, Frame]]:
    """Yield each frame with its id: step-4; what comes later with that number is step-4-2."""
    times: Counter[int] = Counter()
    for frame in film.frames:
        times[frame.number] += 1
        again = times[frame.number]
        yield f"step-{frame.number}" + (f"-{again}" if again > 1 else ""), frame


def _head(film: Film) -> str:
    facts = "".join(
        f"<div><dt>{text(label)}</dt><dd>{text(fact)}</dd></div>" for label, fact in film.facts
    )
    wrong = [(id_, frame) for id_, frame in _ids(film) if frame.wrong]
    alert = ""
    if wrong or film.findings:
        said = [_lines(one) for one in film.findings]
        if wrong:
            id_, frame = wrong[0]
            more = f", and at {some(len(wrong) - 1, 'further step')}" if wrong[1:] else ""
            first = f'Wrong at <a href="#{id_}">step {frame.number}: {text(frame.name)}</a>'
            said.insert(0, f"<strong>{first}</strong>{more}.")
        listed = "".join(f"<p>{one}</p>" for one in said)
        alert = f'<section class="alert" aria-label="What is wrong">{listed}</section>\n'
    return (
        f"<header>\n<h1>{text(film.title)}</h1>\n<p>{text(film.subtitle)}</p>\n"
        f"<dl>{facts}</dl>\n{alert}</header>\n"
    )


def _steps(film: Film) -> str:
    """Buttons, which only the script can work, and links to all steps, which always work."""
    buttons = "".join(
        f'<button type="button" data-go="{go}">{label}</button>'
        for go, label in (
            ("first", '<span aria-hidden="true">⇤</span> Start'),
            ("back", '<span aria-hidden="true">←</span> Back'),
            ("next", 'Next <span aria-hidden="true">→</span>'),
            ("last", 'End <span aria-hidden="true">⇥</span>'),
        )
    )
    links = "".join(
        f'<li><a href="#{id_}"{_wrong(frame)}>{frame.number}</a>' for id_, frame in _ids(film)
    )
    return (
        f'<nav aria-label="Steps of the Play">\n<div class="buttons" hidden>{buttons}</div>\n'
        f'<p class="where" role="status" aria-live="polite"></p>\n<ol>{links}</ol>\n</nav>\n'
    )


def _wrong(frame: Frame) -> str:
    return f' class="bad" title="{text(frame.name)}: something is wrong"' if frame.wrong else ""


class _Written:
    """What was written last of each thing, and at which step: it need not be written again.

    ``whole`` are the panels that were written whole: their title, their pieces, and the step.
    """

    def __init__(self) -> None:
        self._last: dict[str, tuple[object, str]] = {}
        self.whole: dict[str, tuple[str, tuple[str, ...], str]] = {}

    def since(self, key: str, words: object, id_: str) -> str:
        """Return a link to the step at which this was written, if it was the last; else ""."""
        before, step = self._last.get(key, (None, ""))
        if words != before:
            self._last[key] = words, id_
            return ""
        return _as_at(step)


def _articles(film: Film) -> Iterator[str]:
    last = _Written()
    for id_, frame in _ids(film):
        heading = f"{frame.number}. {frame.name}" if frame.number else frame.name
        yield (f'<article id="{id_}">\n<h2>{text(heading)}</h2>')
        if frame.says and not last.since(f"says {frame.name}", frame.says, id_):
            yield f'<p class="says">{text(frame.says)}</p>\n'
        yield '<div class="stage">\n'
        yield from _screen(frame)
        yield from _state(id_, frame, last)
        yield '</div>\n<div class="told">\n'
        yield from _told(frame, last)
        yield from _why(id_, frame, last)
        yield "</div>\n</article>\n"


def _screen(frame: Frame) -> Iterator[str]:
    for panel in frame.screen:
        yield f'<section class="panel screen">{panel_html(panel)}</section>\n'


def _state(id_: str, frame: Frame, last: _Written) -> Iterator[str]:
    """Yield how things stand: by the rules, and before that what a build showed instead."""
    marks = Marks({one.name: one.before for one in frame.changes})
    if frame.shown is not None:
        wrong = Marks(wrong={one.name for one in frame.differences})
        yield '<h3 class="stands bad">The build showed</h3>\n'
        right = {panel_html(panel) for panel in frame.state or ()}
        for panel in frame.shown:
            if panel_html(panel) not in right:
                yield f'<section class="panel bad">{panel_html(panel, wrong)}</section>\n'
        yield '<h3 class="stands">The rules give</h3>\n'
    if frame.state is None:
        yield '<p class="panel">What the rules give here is not known.</p>\n'
    for panel in frame.state or ():
        yield _panel(id_, panel, marks, last)


def _panel(id_: str, panel: Panel, marks: Marks, last: _Written) -> str:
    """Return a panel: whole, or what is not as at the step where it was whole last.

    What has just changed is written also where it is as it was at that step.
    """
    title, now = panel.title, pieces_html(panel)
    marked = marked_html(panel, now, marks)
    key = title.partition(",")[0]  # what follows the comma may change
    whole, pieces, step = last.whole.get(key, ("", (), ""))
    since = last.since(key, (title, now), id_)
    if (whole, pieces) == (title, now):
        since = _as_at(step)
    if since and marked == now:
        return f'<p class="panel same">{text(title)}: {since}'
    if whole == title and len(pieces) == len(now):
        other = [n for n, one in enumerate(now) if one != pieces[n] or one != marked[n]]
        if 2 * len(other) <= len(now):
            return (
                f'<section class="panel part" data-at="{" ".join(map(str, other))}">'
                f'<h3>{text(title)}</h3><div class="pieces">{"".join(marked[n] for n in other)}'
                f'</div><p class="same">All else: {_as_at(step)}</section>'
            )
    last.whole[key] = title, now, id_
    return f'<section class="panel">{titled(panel, marked)}</section>\n'


def _as_at(step: str) -> str:
    return f'<a href="#{step}">as at {step.replace("-", " ", 1)}</a>'


def _told(frame: Frame, last: _Written) -> Iterator[str]:
    """Yield what is said of a moment beside the drawing."""
    if frame.broken:
        broken = _lines(frame.broken)
        yield f'<section class="alert"><h3>Broken here</h3><p>{broken}</p></section>\n'
    if frame.findings:
        found = "".join(f"<li>{_lines(one)}</li>" for one in frame.findings)
        yield f'<section class="alert"><h3>Findings</h3><ul>{found}</ul></section>\n'
    if frame.differences:
        shown = [(text(d.name), (text(d.shown), text(d.expected))) for d in frame.differences]
        yield _table("Shown against expected", ("field", "shown", "by the rules"), shown)
    if frame.revealed:
        came = [
            (_field(frame.name, one, last), (text(one.value) + _CHOSEN * one.chosen,))
            for one in frame.revealed
        ]
        yield _table("What comes up", ("revealed", "value"), came)
    elif frame.screen and frame.number:
        yield "<section><h3>What comes up</h3><p>Nothing that counts.</section>\n"
    if frame.changes:
        changed = [
            (_field("", one, last), (text(one.before), text(one.after)))
            for one in frame.changes
        ]
        yield _table("What it changes", ("field", "before", "after"), changed)
    elif frame.number and frame.state is not None:
        yield "<section><h3>What it changes</h3><p>Nothing.</section>\n"
    for note in frame.notes:
        yield f'<p class="note">{text(note)}</p>\n'


def _why(id_: str, frame: Frame, last: _Written) -> Iterator[str]:
    """Yield the clauses behind a moment; those of a rule are written once."""
    if not frame.clauses:
        return
    listed = "".join(
        f"<dt>{text(clause)}<dd>{text(words) or 'not in a register'}"
        for clause, words in frame.clauses
    )
    if since := last.since(f"clauses of {frame.name}", listed, id_):
        yield f'<p class="why same">Why: {since}'
    else:
        yield f'<section class="why"><h3>Why: the clauses</h3><dl>{listed}</dl></section>\n'


def _field(rule: str, one: Revealed | Change, last: _Written) -> str:
    """Return the name of a field, and what it means where that was not written before."""
    known = last.since(f"field {rule} {one.name}", one.meaning, "")
    of = f' data-of="{text(rule)}"' if rule and not known else ""
    return text(one.name) + ("" if known else f"<small{of}>{text(one.meaning)}</small>")


def _table(
    title: str, heads: Iterable[str], rows: Iterable[tuple[str, tuple[str, ...]]]
) -> str:
    """Return a table; the end tags that HTML does not need are left out."""
    columns = "".join(f"<th>{text(head)}" for head in heads)
    lines = "".join(
        f"<tr><th>{name}" + "".join(f"<td>{cell}" for cell in cells) for name, cells in rows
    )
    return (
        f"<section><h3>{text(title)}</h3>"
        f"<table><thead><tr>{columns}<tbody>{lines}</table></section>"
    )


def _lines(words: str) -> str:
    return "<br>".join(text(line) for line in words.split("\n"))


def _foot() -> str:
    return (
        "<footer><p>Drawn by Playproof from the rules of the game. Each colour has its number "
        'beside it. <span class="keys" hidden>Keys: ← and → for a step, Home and End for the '
        "first and the last.</span></p></footer>\n"
    )
