"""What can be wrong with what somebody gives us, and how it is said."""

from __future__ import annotations

import difflib
import os
import sys
import traceback
from collections.abc import Iterable

__all__ = ["KINDS", "BadInput", "PlayproofError", "own_game_fails", "unknown"]


class PlayproofError(Exception):
    """Root of every error that Playproof raises on purpose. Its text is for people."""


class BadInput(PlayproofError):
    """Something given to us is wrong: a name, a value, a file. The text says how to mend it."""


KINDS = {
    "int": "a whole number",
    "float": "a number with a point",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
}
"""What values in files are called in messages, by what msgspec calls them."""

_MOST = 30


def unknown(what: str, name: str, known: Iterable[str], all_in: str = "") -> BadInput:
    """Return the error for a name that is not known, with the nearest that are.

    Of very many names the first are listed; ``all_in`` says where the others are to be seen.

    >>> print(unknown("game", "color-collector", ["colour-collector", "diamond-riches"]))
    unknown game 'color-collector'; did you mean colour-collector?
    >>> print(unknown("reading", "xyz", ["valuation", "no-pair"]))
    unknown reading 'xyz'; there are: valuation, no-pair
    """
    names = list(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    if near:
        hint = f"did you mean {' or '.join(near)}?"
    elif names:
        hint = f"there are: {', '.join(names[:_MOST])}"
        if len(names) > _MOST:
            hint += f" and {len(names) - _MOST} more"
            hint += f"; {all_in}" if all_in else ""
    else:
        hint = "there is none"
    return BadInput(f"unknown {what} {name!r}; {hint}")


def own_game_fails(error: BaseException) -> str:
    """Return that somebody's own game failed, with its line; "" where it is not to blame.

    It fails itself or in a word of the models. Own are files that neither come with Playproof
    or Python nor are installed.
    """
    own = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        name, file = str(frame.f_globals.get("__name__", "")), frame.f_code.co_filename
        if name.partition(".")[0] in {"playproof", "__main__", *sys.stdlib_module_names}:
            if not name.startswith("playproof.models."):
                own = ""
        elif "site-packages" not in file and os.path.isfile(file):
            own = f"{file}:{line}"
    return f"the game's own file fails: {own}: {type(error).__name__}: {error}" if own else ""
