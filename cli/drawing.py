"""The table drawn for a terminal: a column of cards for each type, as they lie in front of Billy and the players."""

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from cli.terminal import COLOURS, make_console
from solver.cards import Card, is_hidden
from solver.games.blasting_billy.cards_text import format_counted
from solver.games.blasting_billy.deck import NAMES, VALUABLES, is_dynamite
from solver.games.blasting_billy.facts import format_fact
from solver.games.blasting_billy.hidden import count_pile, places
from solver.games.blasting_billy.scoring import least_total, outcome, survivors, total
from solver.games.blasting_billy.table import Column, Laid, Position


def draw_table(position: Position, console: Console | None = None) -> None:
    console = console or make_console()
    console.print(_headline(position))
    console.print()
    console.print(_columns(position, console.width))
    console.print()
    for line in _hands(position) + _rest(position):
        console.print(line)
    console.print(Text("[7] face up   (7) face down, but known   (?) face down   ! dynamite   ≥ at least", style="dim"))


def _headline(position: Position) -> Text:
    text = Text("Blasting Billy", style="bold")
    text.append(f", {len(position.players)} players", style="not bold")
    text.append(f", {_eyes(position)}. ", style="not bold")
    if position.to_move is None:
        text.append(_result(position))
    else:
        text.append(f"{position.players[position.to_move]} to move")
        if not position.size:
            left = sum(len(hand) == position.deck.hand for hand in position.hands)
            text.append(": the last turn" if left == 1 else f": {left} last turns to come")
        text.append(".")
    return text


def _eyes(position: Position) -> str:
    if position.me is not None:
        return f"seen by {position.players[position.me]}"
    everything = not any(is_hidden(card) for hand in position.hands for card in hand)
    return "every hand known" if everything else "seen by an onlooker"


def _result(position: Position) -> str:
    columns = [position.billy_cards(kind) for kind in position.deck.kinds]
    columns += [column for loot in position.loots for column in loot]
    if any(is_hidden(card) for column in columns for card in column):
        return "The game is over; cards are still face down."
    winners = [position.players[seat] for seat in outcome(position).winners]
    return f"The game is over: {' and '.join(winners) or 'Billy'} {'win' if len(winners) > 1 else 'wins'}."


def _columns(position: Position, width: int) -> Grid:
    grid = Grid(box=None, padding=(0, 1, 0, 0), show_header=True, pad_edge=False)
    names = ("Billy", *position.players)
    widest = max(5, min(max(map(len, names)), 10 if width < 80 else 16))
    grid.add_column("", width=widest, overflow="ellipsis", no_wrap=True)
    room = max(8, min(14, (width - widest - 1) // len(position.deck.kinds) - 1))
    for kind in position.deck.kinds:
        letter = NAMES.backs[kind]
        title = f"{letter} {VALUABLES[kind]}" if room >= 12 else VALUABLES[kind][: room - 2].join((f"{letter} ", ""))
        grid.add_column(Text(title, style=f"bold {COLOURS[letter]}"), width=room, overflow="ellipsis", no_wrap=True)
    _add_rows(grid, "Billy", [_given(position, kind) for kind in position.deck.kinds])
    for seat, name in enumerate(position.players):
        grid.add_row()
        _add_rows(grid, name, [_claimed(position, seat, kind) for kind in position.deck.kinds])
    return grid


def _add_rows(grid: Grid, name: str, columns: list[list[Text]]) -> None:
    for row in range(max(1, *map(len, columns))):
        cells = [column[row] if row < len(column) else Text("") for column in columns]
        grid.add_row(Text(name if row == 0 else "", style="bold"), *cells)


def _given(position: Position, kind: int) -> list[Text]:
    cards = [
        _card(position, laid.card, face_up=False).append(
            "" if laid.owner is None else f" {position.players[laid.owner]}", style="dim"
        )
        for laid in position.billy[kind]
    ]
    return cards + _sum(position, kind, position.billy_cards(kind))


def _claimed(position: Position, seat: int, kind: int) -> list[Text]:
    column = position.loots[seat][kind]
    cards = [_card(position, card, face_up=place > 0) for place, card in enumerate(column)]
    return cards + _sum(position, kind, column)


def _card(position: Position, card: Card, *, face_up: bool) -> Text:
    """A card as it lies; once the game is over, all that are known have been turned up."""
    face, colour = NAMES.format_face(card), COLOURS[NAMES.format_back(card)]
    if face_up or (position.to_move is None and not is_hidden(card)):
        return Text(f"[{face}]", style=f"bold {colour}")
    return Text(f"({face})", style=colour)


def _sum(position: Position, kind: int, column: Column) -> list[Text]:
    """What the column is worth: exactly, or at least so much if that says anything."""
    seen = any(is_dynamite(card) for place in places(position, kind) for card in place.cards)
    if column and (seen or not any(map(is_hidden, column))) and not any(map(is_hidden, survivors(column))):
        return [Text(f"= {total(column)}", style="italic")]
    least = least_total(column, dynamite_seen=seen)
    return [Text(f"≥ {least}", style="italic")] if least else []


def _hands(position: Position) -> list[Text]:
    lines = []
    widest = min(16, max(map(len, position.players)))
    for seat, (name, hand) in enumerate(zip(position.players, position.hands, strict=True)):
        line = Text(f"{name:<{widest}} ", style="bold").append("holds", style="not bold")
        for card in hand:
            line.append(" ").append(NAMES.format(card), style=f"not bold {COLOURS[NAMES.format_back(card)]}")
        if seat == position.to_move:
            line.append("  <- to move")
        lines.append(line)
    return lines


def _rest(position: Position) -> list[Text]:
    lines = []
    if position.size:
        counts = ((NAMES.backs[kind], count_pile(position, kind)) for kind in position.deck.kinds)
        line = Text(f"pile {position.size}:")
        for letter, number in counts:
            if number:
                line.append(f" {number}{letter}", style=COLOURS[letter])
        if position.top is None:
            line.append(", top not seen")
        else:
            line.append(", top ").append(NAMES.backs[position.top], style=f"bold {COLOURS[NAMES.backs[position.top]]}")
        lines.append(line)
    else:
        lines.append(Text("pile empty"))
    removed = [Laid(card, None) for card in position.removed]
    if position.dumped:
        lines.append(Text(f"dumped  {format_counted(position.dumped, position.players)}"))
    if removed:
        lines.append(Text(f"{'box' if position.boxed else 'removed'} {format_counted(removed, position.players)}"))
    lines += [Text(f"sure: {format_fact(fact, position.players)}") for fact in position.facts]
    return lines
