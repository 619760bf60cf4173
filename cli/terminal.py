"""The console that answers are printed on, plain where colour is not wanted, and the colours of the types."""

import os
import sys

from rich.console import Console

from solver.games.blasting_billy.deck import NAMES

COLOURS = dict(zip(NAMES.backs, ("red", "green", "blue", "yellow", "cyan"), strict=True))
"""As in the rulebook, which names no colour for diamonds."""


def make_console() -> Console:
    """As wide as the terminal or as COLUMNS says; 100 columns where there is neither."""
    plain = False if os.environ.get("NO_COLOR") else None  # None: rich finds out
    console = Console(highlight=False, emoji=False, markup=False, force_terminal=plain)
    if not console.is_terminal and not sys.stdout.isatty() and not os.environ.get("COLUMNS"):
        console.width = 100
    return console
