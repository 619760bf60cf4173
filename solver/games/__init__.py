"""The games Lastdraw knows, found by the name that stands in files."""

from typing import Any

from solver.errors import NotationError, quote
from solver.game import Game
from solver.games.blasting_billy import BlastingBilly

GAMES: dict[str, Game[Any, Any, Any]] = {game.name: game for game in (BlastingBilly(),)}


def find_game(name: str) -> Game[Any, Any, Any]:
    if name not in GAMES:
        raise NotationError(f"game = {quote(name)} is not known: {', '.join(GAMES)} is")
    return GAMES[name]
