"""The console that answers are printed on, plain where colour is not wanted, and the colours of the types."""

import os
import sys

from rich.console import Console

from solver.games.blasting_billy.deck import NAMES

COLOURS = dict(zip(NAMES.backs, ("red", "green", "blue", "yellow", "cyan"), strict=True))
"""As in the rulebook, which names no colour for diamonds."""


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
