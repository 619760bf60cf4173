"""The one door to rich: a console that is plain where colour is not wanted, and the colours of the types."""

from rich.console import Console

from solver.games.blasting_billy.deck import NAMES

COLOURS = dict(zip(NAMES.backs, ("red", "green", "blue", "yellow", "cyan"), strict=True))
"""As in the rulebook, which names no colour for diamonds."""

NARROWEST = 60


def make_console() -> Console:
    """A console as wide as the terminal, 100 columns where there is none; never narrower than it can be read."""
    console = Console(highlight=False, emoji=False, markup=False)
    if not console.is_terminal:
        return Console(highlight=False, emoji=False, markup=False, width=100)
    return console
