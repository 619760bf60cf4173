"""Exact endgame analysis for hidden-card games.

from solver import read
game, position = read(open("examples/last-turn-two.toml").read())
print(count_deals(game.hidden(position)))
"""

from solver.deals import Sampler, count_deals, list_deals, marginals
from solver.errors import IllegalError, ImpossibleError, LastdrawError, NotationError, TooLargeError
from solver.game import CHANCE, OVER, Game
from solver.games import find_game
from solver.reading import read

__all__ = [
    "CHANCE",
    "OVER",
    "Game",
    "IllegalError",
    "ImpossibleError",
    "LastdrawError",
    "NotationError",
    "Sampler",
    "TooLargeError",
    "count_deals",
    "find_game",
    "list_deals",
    "marginals",
    "read",
]
