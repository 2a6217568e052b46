"""What benchmarks measured: printed, and kept in a file beside the machine it was on."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path

RESULTS = Path(__file__).parents[1] / "out" / "benchmarks.json"
RUN = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
"""When this run began: figures with the same one are of one run."""


def machine():
    """Return what a figure depends on besides the code."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_GiB": round(memory),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }


def record(name, ratio, **figures):
    """Print a ratio with the figures behind it, and keep it in the results file."""
    known = json.loads(RESULTS.read_bytes()) if RESULTS.exists() else {}
    known[name] = {
        "ratio": round(ratio, 3),
        **figures,
        "machine": machine(),
        "run": RUN,
    }
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    aside = RESULTS.with_suffix(f".{os.getpid()}")
    aside.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n")
    aside.replace(RESULTS)
    said = ", ".join(f"{what}: {value}" for what, value in figures.items())
    print(f"\n{name}: {ratio:.2f} ({said})\n  on {machine()}")  # noqa: T201


def _processor():
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor()
