"""Solvers that are programs: they get a text on a file and print what they answer.

yices-smt2 (Yices 2) and bitwuzla check proofs where they are on the PATH. They are given
seconds and not steps, since they count none that repeat. Bitwuzla knows no whole numbers, so it
is asked only where a text has none.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

__all__ = ["NAMES", "ask", "version"]

_PROGRAMS = {"yices": "yices-smt2", "bitwuzla": "bitwuzla"}
NAMES = tuple(_PROGRAMS)

_SECONDS = 60.0
_WHOLE_NUMBERS = re.compile(r"\bInt\)")


def version(solver: str) -> str:
    """Return the first number that a program says of itself, "?" if none; "" without one."""
    program = shutil.which(_PROGRAMS[solver])
    if program is None:
        return ""
    try:
        ran = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return "?"
    found = re.search(r"\d[\w.+-]*", ran.stdout + ran.stderr)
    return found[0] if found else "?"


def ask(solver: str, text: str, seconds: float | None = None) -> tuple[str, str]:
    """Return a program's answer to a text, and the reason where it is not ``sat`` or ``unsat``.

    Raises OSError where the program cannot be started.
    """
    if solver == "bitwuzla" and _WHOLE_NUMBERS.search(text):
        return "not asked", "bitwuzla knows no whole numbers"
    program = _PROGRAMS[solver]
    with tempfile.TemporaryDirectory(prefix="playproof.") as folder:
        path = Path(folder, "check.smt2")
        path.write_text(text, "utf-8")
        try:
            ran = subprocess.run(
                [program, str(path)],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=seconds or _SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "unknown", "out of time"
    said = ran.stdout.split("\n")[0].strip()
    if said in ("sat", "unsat") and ran.returncode == 0:
        return said, ""
    if ran.returncode < 0:
        return "unknown", f"{program} crashed (signal {-ran.returncode})"
    words = said or ran.stderr.strip().split("\n")[0] or f"exit code {ran.returncode}"
    return "unknown", "" if said == "unknown" else f"{program} failed: {words[:200]}"
