"""What holds in every Play of Diamond Riches."""

from __future__ import annotations

from dataclasses import replace

from .diamond_riches import RULES

DIAMOND_RICHES = replace(RULES, properties=())
