"""Reading a text of any game: the first door for files."""

from pathlib import Path
from typing import Any

from solver.game import Game
from solver.games import find_game
from solver.texts import game_name


def read(text: str, folder: Path = Path()) -> tuple[Game[Any, Any, Any], Any]:
    """The game a text is about, and the position it gives: written out, or reached by replaying a record."""
    game = find_game(game_name(text))
    return game, game.parse(text, folder)
