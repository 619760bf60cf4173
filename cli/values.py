"""The values of moves as a table, under a few words on how they were obtained."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from cli import wording
from cli.figures import Figures, percent
from cli.replying import print_replies
from cli.terminal import make_console, paint
from solver.games.blasting_billy.table import Position
from solver.solution import MoveValue, Solution, Value

BAR = 4
"""Cells of a small bar."""
WIDEST = 500
"""Columns that no table needs."""
EIGHTHS = " ▏▎▍▌▋▊▉█"
TITLES = {"win": "win", "shared": "shared", "loss": "loss", "billy": "Billy", "shot": "I am shot"}
STYLES = {"win": "green", "shared": "yellow", "loss": "red", "billy": "magenta", "shot": "red"}


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns there is room for; the first is the fullest."""

    bars: bool = True
    fraction: bool = True
    behind: bool = True
    shares: tuple[str, ...] = tuple(TITLES)
    error: bool = True


VARIANTS = (
    Columns(),
    Columns(bars=False),
    Columns(bars=False, fraction=False),
    Columns(bars=False, fraction=False, behind=False),
    Columns(bars=False, fraction=False, behind=False, shares=("win", "loss", "shot")),
    Columns(bars=False, fraction=False, behind=False, shares=("win",)),
    Columns(bars=False, fraction=False, behind=False, shares=(), error=False),
)


def print_solution(game: Any, position: Position, solution: Solution, console: Console | None = None) -> None:
    console = console or make_console()
    for line in opening(position, solution):
        console.print(Text(line))
    console.print()
    if solution.moves:
        console.print(_fitting(console, lambda columns: _moves(game, position, solution, columns)))
        console.print()
    mover = position.players[position.to_move or 0]
    figures = Figures(solution.objective, len(position.players))
    if solution.open is not None and solution.open.misleads:
        console.print(Text(wording.misleading(game, solution, solution.open, figures), style="bold"))
        console.print()
    if any(found.replies is not None for found in solution.moves):
        print_replies(game, position, solution, console)
        console.print()
    if solution.lens == "fair":
        console.print(Text(wording.root_value(solution, mover, figures.full(solution.value))))
    for line in _legend(position, solution):
        console.print(Text(line, style="dim"))


def opening(position: Position, solution: Solution) -> list[str]:
    """What was asked, and how it was answered."""
    mover = position.players[position.to_move or 0]
    answered = (wording.method(solution), wording.EQUALLY_LIKELY, wording.others(solution, mover))
    lines = [wording.asked(solution, mover), " ".join(filter(None, answered))]
    return ["Interrupted: this is what had been found.", *lines] if solution.interrupted else lines


def _fitting(console: Console, make: Callable[[Columns], Grid]) -> Grid:
    """The fullest table that fits the console."""
    grids = [make(columns) for columns in VARIANTS]
    free = console.options.update(max_width=WIDEST)
    return next((grid for grid in grids if console.measure(grid, options=free).maximum <= console.width), grids[-1])


def _moves(game: Any, position: Position, solution: Solution, columns: Columns) -> Grid:
    figures = Figures(solution.objective, len(position.players))
    grid = Grid(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    grid.add_column("", no_wrap=True)
    grid.add_column("move", no_wrap=True)
    grid.add_column("value", justify="right", no_wrap=True)
    fraction = columns.fraction and any(figures.fraction(found.value) for found in solution.moves)
    error = columns.error and not solution.exact
    if fraction:
        grid.add_column("", no_wrap=True)
    if error:
        grid.add_column("", no_wrap=True)
    played = any(found.frequency is not None for found in solution.moves)
    if played:
        grid.add_column("played", justify="right", no_wrap=True)
    shares = [name for name in columns.shares if any(name in (found.shares or ()) for found in solution.moves)]
    for name in shares:
        title = TITLES[name] if columns.bars or name != "shot" else "shot"
        grid.add_column(title, justify="left" if columns.bars else "right", no_wrap=True)
    if columns.behind:
        grid.add_column("to best", justify="right", no_wrap=True)
    for found in solution.moves:
        cells = [_mark(solution, found), paint(game, found.move), Text(figures.number(found.value.rank), style="bold")]
        cells += [Text(figures.fraction(found.value))] if fraction else []
        cells += [Text(figures.error(found.value), style="dim")] if error else []
        cells += [Text(percent(found.frequency or 0.0))] if played else []
        cells += [_share(found, name, bars=columns.bars) for name in shares]
        cells += [Text(figures.behind(_top(solution), found.value))] if columns.behind else []
        grid.add_row(*cells)
    return grid


def _top(solution: Solution) -> Value:
    """The value that others are behind: in lens fair the best move's, since the root's is about all cards."""
    return solution.moves[0].value if solution.lens == "fair" else solution.value


def _mark(solution: Solution, found: MoveValue) -> Text:
    if found.move not in solution.best:
        return Text("")
    if found is solution.moves[0]:
        return Text("*", style="bold")
    return Text("=" if solution.exact else "~", style="bold")


def _share(found: MoveValue, name: str, *, bars: bool) -> Text:
    share = (found.shares or {}).get(name)
    if share is None:
        return Text("-", style="dim")
    if not bars:
        return Text(percent(share))
    return Text(f"{percent(share):>5} ").append(bar(share), style=STYLES[name])


def bar(share: float) -> str:
    """At least a sliver for anything that can happen."""
    eighths = max(round(share * BAR * 8), int(share > 0))
    return ("█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()).ljust(BAR)


def _legend(position: Position, solution: Solution) -> Sequence[str]:
    """What the columns and marks mean."""
    lines = [f"value: {wording.value(solution.objective, len(position.players))}"]
    if not solution.moves:
        return lines
    tied = len(solution.best) > 1
    if solution.exact:
        lines[0] += "; * best" + (", = as good" if tied else "")
    else:
        error = "its proved error" if solution.method in ("lp", "cfr") else "its 95% interval"
        if solution.lens == "fair":
            error = "what playing otherwise with these cards can gain at most"
        lines[0] += f"; ± {error}; * best so far" + (", ~ cannot be told from it" if tied else "")
    if solution.lens == "fair":
        lines.append("played: how often the equilibrium found plays it with these cards; a value is against its plan")
    if solution.shares_sampled is not None:
        source = wording.count(solution.shares_sampled, "game" if solution.method == "playouts" else "sampled deal")
        which = [TITLES[name] for name in TITLES if name not in solution.exact_shares]
        whose = "percentages" if not solution.exact_shares else f"percentages of {wording.listed(which)}"
        lines.append(f"{whose}: about, from {source}" + (" played out" if solution.method == "playouts" else ""))
    return lines
