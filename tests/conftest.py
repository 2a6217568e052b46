"""What all tests share: nothing fails for being slow on a machine that is busy."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("playproof", deadline=None)
settings.load_profile("playproof")
