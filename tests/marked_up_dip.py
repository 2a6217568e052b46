"""Lucky Dip again, with text in every field that would be HTML if nobody escaped it."""

from __future__ import annotations

from dataclasses import replace

from .lucky_dip import LUCKY_DIP

BAD = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>&amp;"

MARKED_UP = replace(
    LUCKY_DIP,
    id="marked-up",
    title=f"Lucky {BAD} Dip",
    about=f"About {BAD}.",
    rules=tuple(replace(rule, says=f"{rule.says} {BAD}") for rule in LUCKY_DIP.rules),
    properties=tuple(
        replace(one, says=f"{one.says} {BAD}", clauses=(*one.clauses, BAD))
        for one in LUCKY_DIP.properties
    ),
    promises=tuple(replace(one, says=f"{one.says} {BAD}") for one in LUCKY_DIP.promises),
)
