"""Kernels made of their source: compiled where numba is there, and kept on disk.

What is kept is found by a hash of all that went into it: the source, the versions of Python
and numba, the processor. Beside it is the hash of every file. Whatever does not agree is made
again, and nothing is read of it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import msgspec

from .source import Source

__all__ = [
    "cache_folder",
    "compiled",
    "have_numba",
    "keep",
    "known",
    "module_of",
    "plain",
    "tables",
    "text_of",
]

_VERSION = 1
_HEAD = "import numpy as np\nfrom typing import Any\n"
_FILE = "kernels.py"
_HASHES = "hashes.json"
_MARK = "__all__ = ["

WORDS = {"step": True, "beginning": False, "ending": False, "kept": True}
"""The functions of the rules that the loops call, and whether they return yes or no."""


def have_numba() -> bool:
    """Return whether kernels can be compiled here."""
    return importlib.util.find_spec("numba") is not None


def text_of(source: Source) -> str:
    """Return the module of an edition: the words, the rules, and the loops over them."""
    return "\n\n".join([_HEAD, _own("prelude"), source.text(), _own("loops"), _own("rows")])


def plain(source: Source) -> ModuleType:
    """Return kernels as plain Python, which are slow, and the same in all else."""
    module = ModuleType("playproof_kernels_plain")
    module.__dict__["compiled"] = lambda function: function
    exec(compile(text_of(source), "<kernels>", "exec"), module.__dict__)
    return module


def compiled(source: Source, folder: Path | None = None) -> ModuleType:
    """Return kernels compiled by numba, taken from a folder or made and put there.

    Where nothing can be kept there they are made for this run. They are compiled for good as
    they are first called: ``keep`` is to be called then.
    """
    from .emit import words

    module = module_of(text_of(source), folder)
    module.__dict__.update(words(source.text(), WORDS))
    return module


def tables(folder: Path | None = None) -> ModuleType:
    """Return what is compiled and the same for all games, as ``compiled`` does."""
    from .wide import first_byte, load8

    text = "\n\n".join([_HEAD, *map(_own, ("tables", "values", "lines"))])
    module = module_of(text, folder)
    module.__dict__.update(first_byte=first_byte, load8=load8)
    return module


def module_of(text: str, folder: Path | None = None) -> ModuleType:
    """Return the module of a text, its functions compiled: what is kept, or made anew."""
    name = _key(text)
    place = (folder or cache_folder()) / name
    if not _sound(place, text):
        shutil.rmtree(place, ignore_errors=True)
        try:
            place.mkdir(parents=True, mode=0o700)
            (place / _FILE).write_text(text, encoding="utf-8")
        except OSError:
            place = Path(tempfile.mkdtemp(prefix="playproof-kernels-"))
            (place / _FILE).write_text(text, encoding="utf-8")
    return _loaded(place / _FILE, name)


def known(source: Source) -> bool:
    """Return whether kernels of an edition are kept already, or nothing can be kept."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return True
    text = text_of(source)
    return not os.access(folder, os.W_OK) or _sound(folder / _key(text), text)


def keep(module: ModuleType) -> None:
    """Note the hashes of what was compiled, so that it can be trusted when found again."""
    place = Path(str(module.__file__)).parent
    try:
        hashes = dict(_hashes(place))
        new = place / f".{os.getpid()}"
        new.write_bytes(msgspec.json.encode(hashes))
        new.replace(place / _HASHES)
    except OSError:
        return


def cache_folder() -> Path:
    """Return where kernels are kept: ``PLAYPROOF_CACHE``, or in the user's cache folder."""
    if own := os.environ.get("PLAYPROOF_CACHE"):
        return Path(own) / "kernels"
    users = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(users) / "playproof" / "kernels"


def _key(text: str) -> str:
    import llvmlite
    import numba

    said = [
        str(_VERSION), text, sys.version, str(sysconfig.get_config_var("SOABI")),
        numba.__version__, llvmlite.__version__, platform.machine(), _processor(),
    ]  # fmt: skip
    return hashlib.sha256("\0".join(said).encode()).hexdigest()


def _processor() -> str:
    from llvmlite import binding

    return f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"


def _hashes(place: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(place.rglob("*")):
        if path.is_file() and path.name != _HASHES and not path.name.startswith("."):
            name = path.relative_to(place).as_posix()
            yield name, hashlib.sha256(path.read_bytes()).hexdigest()


def _sound(place: Path, text: str) -> bool:
    """Return whether what is kept is what was put there."""
    try:
        noted = msgspec.json.decode((place / _HASHES).read_bytes(), type=dict[str, str])
        kept = (place / _FILE).read_text(encoding="utf-8")
        return kept == text and noted == dict(_hashes(place))
    except (OSError, ValueError):
        return False


def _loaded(path: Path, name: str) -> ModuleType:
    import numpy as np
    from numba import njit

    spec = importlib.util.spec_from_file_location(f"playproof_kernels_{name[:16]}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__["compiled"] = njit(cache=True, nogil=True, error_model="numpy")
    sys.modules[spec.name] = module  # where numba looks for it when it finds what it kept
    spec.loader.exec_module(module)
    module.__dict__["unsigned"] = lambda numbers: np.frombuffer(numbers, np.uint64)
    return module


def _own(name: str) -> str:
    """Return the functions of a module of this package, each marked to be compiled."""
    path = Path(__file__).with_name(f"{name}.py")
    text = path.read_text(encoding="utf-8")
    _, _, text = text[text.index(_MARK) :].partition("]\n")
    return text.replace("\ndef ", "\n@compiled\ndef ")
