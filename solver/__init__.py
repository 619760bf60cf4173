"""Exact endgame analysis for hidden-card games.

    from pathlib import Path
    from solver import analyze, read
    game, position = read(Path("examples/two-last-turn.toml").read_text())
    print(analyze(game, position).best)

The public names are imported when they are first used, so that a program starts with only what it needs.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.deals import Sampler, count_deals, list_deals, marginals
    from solver.errors import IllegalError, ImpossibleError, LastdrawError, NotationError, TooLargeError
    from solver.game import CHANCE, OVER, Game
    from solver.games import find_game
    from solver.reading import read
    from solver.solution import MoveValue, Solution, Value
    from solver.solve import solve as analyze
    from solver.watch import Progress, Stopped, Watch

_HOMES = {
    "CHANCE": "game",
    "OVER": "game",
    "Game": "game",
    "IllegalError": "errors",
    "ImpossibleError": "errors",
    "LastdrawError": "errors",
    "MoveValue": "solution",
    "NotationError": "errors",
    "Progress": "watch",
    "Sampler": "deals",
    "Solution": "solution",
    "Stopped": "watch",
    "TooLargeError": "errors",
    "Value": "solution",
    "Watch": "watch",
    "analyze": "solve:solve",
    "count_deals": "deals",
    "find_game": "games",
    "list_deals": "deals",
    "marginals": "deals",
    "read": "reading",
}

__all__ = [
    "CHANCE",
    "OVER",
    "Game",
    "IllegalError",
    "ImpossibleError",
    "LastdrawError",
    "MoveValue",
    "NotationError",
    "Progress",
    "Sampler",
    "Solution",
    "Stopped",
    "TooLargeError",
    "Value",
    "Watch",
    "analyze",
    "count_deals",
    "find_game",
    "list_deals",
    "marginals",
    "read",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home, _, original = _HOMES[name].partition(":")
    return getattr(import_module(f"{__name__}.{home}"), original or name)
