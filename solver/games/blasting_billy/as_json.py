"""Positions and beliefs as plain data for JSON."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from solver.games.blasting_billy.cards_text import format_cards, format_laid
from solver.games.blasting_billy.deck import NAMES
from solver.games.blasting_billy.facts import format_fact
from solver.games.blasting_billy.hidden import count_pile
from solver.games.blasting_billy.position_text import format_position
from solver.games.blasting_billy.table import Laid, Position

if TYPE_CHECKING:
    from solver.games.blasting_billy.beliefs import Beliefs


def fraction_json(value: Fraction) -> dict[str, Any]:
    return {"fraction": str(value), "float": float(value)}


def position_json(position: Position) -> dict[str, Any]:
    """Everything on the table, and the position's canonical text."""
    players, deck = position.players, position.deck
    letters = {NAMES.backs[kind]: kind for kind in deck.kinds}

    def laid(cards: tuple[Laid, ...]) -> list[str]:
        return [format_laid([card], players) for card in cards]

    return {
        "game": "blasting-billy",
        "players": list(players),
        "me": None if position.me is None else players[position.me],
        "to_move": None if position.to_move is None else players[position.to_move],
        "over": position.to_move is None,
        "billy": {letter: laid(position.billy[kind]) for letter, kind in letters.items()},
        "loot": {
            name: {letter: [NAMES.format(card) for card in loot[kind]] for letter, kind in letters.items()}
            for name, loot in zip(players, position.loots, strict=True)
        },
        "hands": {name: format_cards(hand).split() for name, hand in zip(players, position.hands, strict=True)},
        "dumped": laid(position.dumped),
        "removed": format_cards(position.removed).split(),
        "boxed": position.boxed,
        "pile": {
            "size": position.size,
            "top": None if position.top is None else NAMES.backs[position.top],
            "types": {letter: count_pile(position, kind) for letter, kind in letters.items()},
        },
        "facts": [format_fact(fact, players) for fact in position.facts],
        "deck": {
            "types": deck.types,
            "values": f"{deck.low}-{deck.high}",
            "dynamite": deck.dynamite,
            "hand": deck.hand,
        },
        "position": format_position(position),
    }


def beliefs_json(beliefs: "Beliefs", position: Position) -> dict[str, Any]:
    players = position.players
    return {
        "deals": beliefs.deals,
        "cards": {
            name: {NAMES.format_face(card): fraction_json(chance) for card, chance in odds.items()}
            for name, odds in beliefs.cards.items()
        },
        "pile": {
            NAMES.backs[kind]: {NAMES.format_face(card): fraction_json(chance) for card, chance in odds.items()}
            for kind, odds in beliefs.pile.items()
        },
        "totals": {
            f"{'billy' if seat is None else players[seat]}.{NAMES.backs[kind]}": {
                str(number): fraction_json(chance) for number, chance in odds.items()
            }
            for (seat, kind), odds in beliefs.totals.items()
        },
        "shot_now": {
            name: {
                **fraction_json(beliefs.shot_anywhere(seat)),
                "types": {NAMES.backs[kind]: fraction_json(chance) for kind, chance in beliefs.shot[seat].items()},
            }
            for seat, name in enumerate(players)
        },
    }
