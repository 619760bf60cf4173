"""Beliefs as small tables with bars."""

from collections.abc import Mapping
from fractions import Fraction

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from cli.terminal import COLOURS, make_console
from solver.cards import Card
from solver.games.blasting_billy.beliefs import Beliefs, Odds
from solver.games.blasting_billy.deck import NAMES
from solver.games.blasting_billy.table import Position

BLOCKS = " ▁▂▃▄▅▆▇█"
BAR = "█"


def percent(chance: Fraction) -> str:
    """Rounded, but never to certainty that is not there."""
    if chance in (0, 1):
        return f"{int(chance):.0%}"
    shown = f"{float(chance):.1%}" if chance < Fraction(1, 10) else f"{float(chance):.0%}"
    return {"100%": ">99%", "0.0%": "<0.1%"}.get(shown, shown)


def print_beliefs(beliefs: Beliefs, position: Position, console: Console | None = None) -> None:
    console = console or make_console()
    deals = f"{beliefs.deals:,} {'deal' if beliefs.deals == 1 else 'deals'}"
    console.print(Text(f"{deals} of the hidden cards fit, all taken as equally likely (earlier play is no evidence)."))
    console.print()
    console.print(_shot(beliefs, position))
    console.print()
    console.print(_totals(beliefs, position, console.width))
    if beliefs.cards or beliefs.pile:
        console.print()
        console.print(_cards(beliefs))


def _grid(title: str) -> Grid:
    return Grid(title=Text(title, style="bold"), title_justify="left", box=None, padding=(0, 2, 0, 0), pad_edge=False)


def _type(kind: int) -> Text:
    letter = NAMES.backs[kind]
    return Text(letter, style=f"bold {COLOURS[letter]}")


def _shot(beliefs: Beliefs, position: Position) -> Grid:
    grid = _grid("Shot" if position.to_move is None else "Shot, if the game ended now")
    grid.add_column("", overflow="ellipsis", no_wrap=True, max_width=16)
    for kind in position.deck.kinds:
        grid.add_column(_type(kind), justify="right", no_wrap=True)
    grid.add_column("anywhere", justify="right", no_wrap=True)
    grid.add_column("", no_wrap=True)
    for seat, name in enumerate(position.players):
        anywhere = beliefs.shot_anywhere(seat)
        cells = [percent(chance) if chance else "-" for chance in beliefs.shot[seat].values()]
        grid.add_row(Text(name), *map(Text, cells), percent(anywhere), Text(_bar(anywhere, 10), style="red"))
    return grid


def _bar(chance: Fraction, width: int) -> str:
    """At least a sliver for anything that can happen."""
    cells = chance * width
    return BAR * int(cells) + ("▌" if cells % 1 >= Fraction(1, 2) or (chance and not int(cells)) else "")


def _totals(beliefs: Beliefs, position: Position, width: int) -> Grid:
    grid = _grid("Billy's total")
    for title in ("", "mean", "80%"):
        grid.add_column(title, no_wrap=True, justify="right" if title == "mean" else "left")
    grid.add_column("odds of each total, lowest to highest", no_wrap=True)
    room = max(16, min(56, width - 30))
    for kind in position.deck.kinds:
        odds = beliefs.totals[None, kind]
        mean = sum((total * chance for total, chance in odds.items()), Fraction(0))
        low, high = likely_range(odds)
        span = f"{low}" if low == high else f"{low} to {high}"
        grid.add_row(_type(kind), f"{float(mean):.1f}", span, _spark(odds, room, COLOURS[NAMES.backs[kind]]))
    return grid


def likely_range(odds: Odds) -> tuple[int, int]:
    """The totals between which at least 80% lies, at most 10% on either side."""
    tenth, below = Fraction(1, 10), Fraction(0)
    low = high = next(iter(odds))
    for total, chance in odds.items():
        if below <= tenth:
            low = total
        if below < 1 - tenth:
            high = total
        below += chance
    return low, high


def _spark(odds: Odds, room: int, colour: str) -> Text:
    """A block for each total from the lowest to the highest; several totals share one where room is short."""
    first, last = min(odds), max(odds)
    if first == last:
        return Text("certain", style="dim")
    step = -(-(last - first + 1) // room)
    heights = [
        sum((odds.get(total, Fraction(0)) for total in range(start, start + step)), Fraction(0))
        for start in range(first, last + 1, step)
    ]
    top = max(heights)
    blocks = "".join(BLOCKS[-(-height * 8 // top)] for height in heights)
    return Text(f"{first} ", style="dim").append(blocks, style=f"not dim {colour}").append(f" {last}")


def _cards(beliefs: Beliefs) -> Grid:
    """Hidden cards, those with the same odds together."""
    grid = _grid("Hidden cards, one picked at random")
    grid.add_column("where", overflow="fold", ratio=2)
    grid.add_column("values", overflow="fold", ratio=3)
    groups: dict[tuple[tuple[Card, Fraction], ...], list[str]] = {}
    for name, odds in beliefs.cards.items():
        groups.setdefault(tuple(odds.items()), []).append(name)
    for kind, odds in beliefs.pile.items():
        groups.setdefault(tuple(odds.items()), []).append(f"pile.{NAMES.backs[kind]}")
    for group, names in sorted(groups.items(), key=lambda item: item[0][0][0]):
        grid.add_row(Text(" ".join(names)), _values(dict(group)))
    return grid


def _values(odds: Mapping[Card, Fraction]) -> Text:
    colour = COLOURS[NAMES.format_back(next(iter(odds)))]
    chances = set(odds.values())
    if len(chances) == 1:
        faces = " ".join(map(NAMES.format_face, odds))
        each = chances.pop()
        return Text(faces, style=colour).append("  certain" if each == 1 else f"  {each} each", style="dim")
    text = Text()
    best = max(chances)
    for card, chance in odds.items():
        text.append(f"{NAMES.format_face(card)}:{percent(chance)}", style=colour)
        text.append(BLOCKS[-(-chance * 8 // best)], style=colour).append("  ")
    return text
