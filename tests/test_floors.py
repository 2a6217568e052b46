"""Each floor imports only floors below it, and the lowest knows no solver."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FLOORS = ("models", "proofs", "oracles", "reports")
SOLVERS = {"z3", "cvc5", "pysmt", "yices", "bitwuzla"}
FILES = [path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*.py"))]


def imported(path):
    """Yield (level, dotted name) of everything a file imports, wherever it stands."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield 0, alias.name
        elif isinstance(node, ast.ImportFrom):
            if node.module:
                yield node.level, node.module
            else:
                for alias in node.names:
                    yield node.level, alias.name


def floors_of(path):
    """Yield every floor that a file imports."""
    depth = len(path.relative_to(ROOT).parts) - 1
    for level, name in imported(path):
        first = name.split(".")[0]
        if level == depth + 1:
            yield first
        if level == 0 and first == "playproof":
            yield name.split(".")[1] if "." in name else first


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_floors_below_are_imported(path):
    floor = path.relative_to(ROOT).parts[0]

    assert set(floors_of(path)) & set(FLOORS) <= set(FLOORS[: FLOORS.index(floor)])


def test_models_import_no_solver():
    names = {
        name.split(".")[0]
        for path in FILES
        if path.relative_to(ROOT).parts[0] == "models"
        for _, name in imported(path)
    }

    assert "dataclasses" in names
    assert not names & SOLVERS


def test_an_upward_import_is_seen(tmp_path, monkeypatch):
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    (tmp_path / "models").mkdir()
    wrong = tmp_path / "models" / "wrong.py"
    wrong.write_text("def f():\n    from ..proofs.verdict import Verdict\n")

    assert list(floors_of(wrong)) == ["proofs"]
