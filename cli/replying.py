"""The opponent's replies in lens fair, under the table of moves."""

from typing import Any

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from cli import wording
from cli.figures import percent
from cli.terminal import paint
from solver.games.blasting_billy.table import Position
from solver.solution import Reply, Solution

NARROW = 32
"""Columns that replies need, for moves with the same replies to share a row."""


def print_replies(game: Any, position: Position, solution: Solution, console: Console) -> None:
    """A row for each move, or for those that the opponent cannot tell apart; best moves first."""
    opponent = next(name for seat, name in enumerate(position.players) if seat != position.to_move)
    if not any(found.replies for found in solution.moves):
        console.print(Text(f"{opponent} has no turn after this one: there are no replies."))
        return
    rows = _rows(game, solution, together=True)
    if console.width - max(len(moves) for moves, _ in rows) - 2 < NARROW:
        rows = _rows(game, solution, together=False)
    width = max(len(moves) for moves, _ in rows)
    grid = Grid(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for moves, replies in rows:
        grid.add_row(moves, Text("\n".join(_lines(replies, console.width - width - 2))))
    console.print(Text(f"Then {opponent}, over all that {opponent} may hold, in the equilibrium found:"))
    console.print(grid)


def _rows(game: Any, solution: Solution, *, together: bool) -> list[tuple[Text, tuple[Reply, ...]]]:
    """Moves and what is replied to them; those with the same replies together, if wanted."""
    rows: dict[object, tuple[list[Text], tuple[Reply, ...]]] = {}
    for found in solution.moves:
        replies = found.replies or ()
        moves, _ = rows.setdefault(replies if together else found.move, ([], replies))
        moves.append(paint(game, found.move))
    return [(Text(", ").join(moves), replies) for moves, replies in rows.values()]


def _lines(replies: tuple[Reply, ...], width: int) -> list[str]:
    """The replies in as many lines as they need, none broken if there is room for it."""
    lines = [""]
    for number, reply in enumerate(replies, 1):
        said = f"{wording.reply(reply.words)} {percent(reply.frequency)}" + ("," if number < len(replies) else "")
        if lines[-1] and len(lines[-1]) + 1 + len(said) > width:
            lines.append("")
        lines[-1] += f" {said}" if lines[-1] else said
    return lines
