"""The console that answers are printed on, plain where colour is not wanted, and the colours of the types."""

import os
import sys
from typing import Any

from rich.console import Console
from rich.text import Text

from solver.games.blasting_billy.deck import NAMES
from solver.games.blasting_billy.table import Move

COLOURS = dict(zip(NAMES.backs, ("red", "green", "blue", "yellow", "cyan"), strict=True))
"""As in the rulebook, which names no colour for diamonds."""


def paint(game: Any, move: Any) -> Text:
    """A move in the colour of its card's type."""
    colour = COLOURS[NAMES.format_back(move.card)] if isinstance(move, Move) else ""
    return Text(game.format_event(move), style=colour)


class Page(Console):
    """A console that leaves it to the program what becomes of a closed pipe."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def make_console() -> Console:
    """As wide as the terminal or as COLUMNS says; 100 columns where there is neither."""
    if os.environ.get("COLUMNS") == "0":
        del os.environ["COLUMNS"]
    plain = False if os.environ.get("NO_COLOR") else None  # None: rich finds out
    console = Page(highlight=False, emoji=False, markup=False, force_terminal=plain)
    if not console.is_terminal and not sys.stdout.isatty() and not os.environ.get("COLUMNS"):
        console.width = 100
    return console
