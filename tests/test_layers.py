"""Imports only look down, dependencies have one door each, and nothing of a game leaks out of its folder."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = (
    "errors",
    "intervals",
    "kernels",
    "sequence_form",
    "_certificate_kernel",
    "certificate",
    "_reduction_kernel",
    "reduction",
    "cards",
    "texts",
    "files",
    "deals",
    "solution",
    "watch",
    "shortcuts",
    "game",
    "lens",
    "tree",
    "tree_sequences",
    "efg",
    "games",
    "reading",
    "solution_json",
    "methods",
    "equilibria",
    "asking",
    "solve",
    "saving",
)
"""The parts of `solver`, lowest first."""

DOORS = {
    "numba": {"solver/kernels.py"},
    "pysat": {"solver/deals/contradiction.py"},
    "highspy": {"solver/methods/sequence_lp.py"},
    "scipy": {"solver/methods/exact_lp.py"},
    "flint": {"solver/methods/exact_lp.py"},
    "tomllib": {"solver/texts.py"},
    "rich": {"cli/terminal.py", "cli/drawing.py", "cli/odds.py", "cli/values.py", "cli/replying.py", "cli/advice.py"},
    "typer": {"cli/commands.py"},
}

SOURCES = sorted(path.relative_to(ROOT) for package in ("solver", "cli") for path in (ROOT / package).rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield str(node.module)


def layer(module: str) -> int:
    return LAYERS.index(module.split(".")[1])


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_imports_only_look_down(path: Path) -> None:
    if path.parts[0] == "cli" or path == Path("solver/__init__.py"):
        return
    own = layer(".".join(path.with_suffix("").parts))
    for module in imports(path):
        assert not module.startswith("cli"), module
        if module.startswith("solver."):
            assert layer(module) <= own, f"{path} looks up to {module}"


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_every_dependency_comes_in_by_its_own_door(path: Path) -> None:
    for module in imports(path):
        doors = DOORS.get(module.split(".")[0])
        assert doors is None or path.as_posix() in doors, f"{path} imports {module}"


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_only_the_list_of_games_knows_a_game_by_name(path: Path) -> None:
    inside = path.as_posix().startswith("solver/games/blasting_billy")
    if path.parts[0] == "solver" and not inside and path != Path("solver/games/__init__.py"):
        assert not any("blasting_billy" in module for module in imports(path))


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_a_file_is_short_enough_to_be_one_idea(path: Path) -> None:
    assert len((ROOT / path).read_text(encoding="utf-8").splitlines()) <= 400
