"""A hint as a few lines of text."""

from typing import Any

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from cli import wording
from cli.figures import Figures
from cli.hinting import Hint, Why
from cli.terminal import make_console, paint
from cli.why import NARROW
from solver.games.blasting_billy.table import Position


def print_hint(game: Any, position: Position, found: Hint, console: Console | None = None) -> None:
    console = console or make_console()
    solution, why = found.solution, found.why
    headline = paint(game, solution.moves[0].move)
    headline.stylize("bold")
    console.print(headline)
    if solution.interrupted:
        console.print(Text("Interrupted: this is the best move that had been found."))
    figures = Figures(solution.objective, len(position.players))
    worth = f"Worth {figures.full(solution.value)}. {wording.method(solution)}" if why is None else why.sure["text"]
    console.print(Text(worth))
    if found.fair is not None and found.misleads:
        console.print(Text(wording.careful(game, solution.moves[0].move, found.fair, figures), style="bold"))
    if why is not None:
        console.print(_bullets(why))
    console.print()
    for line in _footnotes(position, found):
        console.print(Text(line, style="dim"))


def _bullets(why: Why) -> Grid:
    grid = Grid(box=None, padding=(0, 1, 0, 0), pad_edge=False, show_header=False)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for reason in why.reasons:
        grid.add_row("-", Text(reason["text"]))
    return grid


def _footnotes(position: Position, found: Hint) -> list[str]:
    """What every number in the hint rests on."""
    solution = found.solution
    meaning = wording.value(solution.objective, len(position.players))
    lines = [f"Worth: {meaning}. {wording.seeing(solution, 'you')}"]
    lines.append(f"{wording.EQUALLY_LIKELY} {wording.others(solution, 'you')}")
    if found.why is not None and any("about" in reason["text"] for reason in found.why.reasons):
        source = "games played out" if solution.method == "playouts" else "sampled deals"
        lines.append(f"“About”: from {found.why.deals:,} {source}, within ±{NARROW:.0%} (95%) unless said otherwise.")
    return [line.rstrip() for line in lines]
