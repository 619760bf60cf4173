"""Between seeing and knowing: which cards are hidden where, a table filled with a deal, a table observed."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from solver.cards import HIDDEN, Card, back_of, hide, is_hidden, make_card
from solver.deals.pools import Cell, Deal, Pool, Statement
from solver.games.blasting_billy.deck import NAMES, TYPES
from solver.games.blasting_billy.facts import Fact, format_fact
from solver.games.blasting_billy.table import Laid, Position, State, Table, laid_order


class Place(NamedTuple):
    """Cards of one type that lie together: in a hand, one card of a column, the box, the pile."""

    name: str
    cards: tuple[Card, ...]
    where: str
    """In words: `in ann's hand`."""


def places(position: Position, kind: int) -> Iterator[Place]:
    """Where cards of the type lie, in the order deals are listed."""
    letter = NAMES.backs[kind]
    for name, hand in zip(position.players, position.hands, strict=True):
        yield Place(f"{name}.hand.{letter}", _of_type(hand, kind), f"in {name}'s hand")
    for name, loot in zip(position.players, position.loots, strict=True):
        for number, card in enumerate(loot[kind], 1):
            slot = f"{name}.loot.{letter}" + (f".{number}" if number > 1 else "")
            yield Place(slot, (card,), f"card {number} of {name}'s {letter} loot")
    for number, laid in enumerate(position.billy[kind], 1):
        yield Place(f"billy.{letter}.{number}", (laid.card,), f"card {number} of Billy's {letter} column")
    box = (*(laid.card for laid in position.dumped), *position.removed)
    yield Place(f"box.{letter}", _of_type(box, kind), "in the box")
    pile = (make_card(kind, HIDDEN),) * count_pile(position, kind)
    yield Place(f"pile.{letter}", pile, "in the pile")


def count_pile(table: Table, kind: int) -> int:
    """How many cards of a type the pile holds: all that lie nowhere else."""
    laid = (*table.removed, *(laid.card for laid in table.dumped), *(c for hand in table.hands for c in hand))
    columns = len(table.billy[kind]) + sum(len(loot[kind]) for loot in table.loots)
    return len(table.deck.cards_of(kind)) - columns - len(_of_type(laid, kind))


def hidden_pools(position: Position) -> tuple[Pool, ...]:
    """The hidden cards of each type that has any, with the facts that concern them."""
    return tuple(pool for pool in (_hidden_pool(position, kind) for kind in TYPES) if pool.cards)


def _hidden_pool(position: Position, kind: int) -> Pool:
    everywhere = list(places(position, kind))
    known = {card for place in everywhere for card in place.cards}
    cards = tuple(card for card in position.deck.cards_of(kind) if card not in known)
    found = [place for place in everywhere if any(map(is_hidden, place.cards))]
    numbers = {place.name: number for number, place in enumerate(found)}
    open_facts = []
    for fact in position.facts:
        number = numbers.get(fact.place(position.players))
        if number is not None:
            settled = fact.quantifier == "some" and any(map(fact.holds, _seen(found[number].cards)))
            if not settled:
                open_facts.append(_state(position, fact, number, cards))
    cells = tuple(Cell(place.name, len(place.cards) - len(_seen(place.cards))) for place in found)
    return Pool(NAMES.backs[kind], cards, cells, tuple(open_facts))


def whole_pool(position: Position, kind: int) -> Pool:
    """All cards of a type, where each card seen is a statement beside the facts: to find what contradicts what."""
    found = list(places(position, kind))
    cards = position.deck.cards_of(kind)
    numbers = {place.name: number for number, place in enumerate(found)}
    seen = [
        Statement(f"{NAMES.format(card)} is {place.where}", number, frozenset({card}), every=False)
        for number, place in enumerate(found)
        for card in _seen(place.cards)
    ]
    facts = [
        _state(position, fact, numbers[fact.place(position.players)], cards)
        for fact in position.facts
        if fact.kind == kind
    ]
    cells = tuple(Cell(place.name, len(place.cards)) for place in found)
    return Pool(NAMES.backs[kind], cards, cells, (*seen, *facts))


def seen_to_fail(position: Position, fact: Fact) -> bool:
    """Whether the cards seen already show that the fact is wrong."""
    name = fact.place(position.players)
    cards = next(place.cards for place in places(position, fact.kind) if place.name == name)
    fits = [is_hidden(card) or fact.holds(card) for card in cards]
    return not (any(fits) if fact.quantifier == "some" else all(fits))


def _state(position: Position, fact: Fact, cell: int, cards: tuple[Card, ...]) -> Statement:
    text = f'the fact "{format_fact(fact, position.players)}"'
    return Statement(text, cell, frozenset(filter(fact.holds, cards)), every=fact.quantifier != "some")


def _seen(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(card for card in cards if not is_hidden(card))


def _of_type(cards: Iterable[Card], kind: int) -> tuple[Card, ...]:
    return tuple(card for card in cards if back_of(card) == kind)


def fill(position: Position, deal: Deal) -> State:
    """The state in which the hidden cards lie as dealt. Which of the box's cards is which does not matter."""
    dealt: dict[str, list[Card]] = {}
    for pool, cells in zip(hidden_pools(position), deal, strict=True):
        dealt.update((cell.name, list(cards)) for cell, cards in zip(pool.cells, cells, strict=True))

    def reveal(card: Card, owner: str, slot: str = "") -> Card:
        return dealt[f"{owner}.{NAMES.format_back(card)}{slot}"].pop() if is_hidden(card) else card

    return State(
        players=position.players,
        deck=position.deck,
        hands=tuple(
            tuple(sorted(reveal(card, f"{name}.hand") for card in hand))
            for name, hand in zip(position.players, position.hands, strict=True)
        ),
        loots=tuple(
            tuple(tuple(reveal(card, f"{name}.loot") for card in column) for column in loot)
            for name, loot in zip(position.players, position.loots, strict=True)
        ),
        billy=tuple(
            tuple(Laid(reveal(laid.card, "billy", f".{number}"), laid.owner) for number, laid in enumerate(column, 1))
            for column in position.billy
        ),
        dumped=_sorted(Laid(reveal(laid.card, "box"), laid.owner) for laid in position.dumped),
        removed=tuple(sorted(reveal(card, "box") for card in position.removed)),
        boxed=position.boxed,
        top=position.top,
        to_move=position.to_move,
        pile=tuple(sorted(card for kind in TYPES for card in dealt.get(f"pile.{NAMES.backs[kind]}", ()))),
    )


def observe(table: Table, player: int | None) -> Position:
    """The table through one player's eyes: own cards, cards they gave or dumped, and what lies face up."""

    def behind(laid: Laid) -> Laid:
        return laid if player is not None and laid.owner == player else Laid(hide(laid.card), laid.owner)

    return Position(
        players=table.players,
        deck=table.deck,
        hands=tuple(hand if seat == player else tuple(map(hide, hand)) for seat, hand in enumerate(table.hands)),
        loots=tuple(
            loot if seat == player else tuple((*map(hide, column[:1]), *column[1:]) for column in loot)
            for seat, loot in enumerate(table.loots)
        ),
        billy=tuple(tuple(map(behind, column)) for column in table.billy),
        dumped=_sorted(map(behind, table.dumped)),
        removed=tuple(map(hide, table.removed)),
        boxed=table.boxed,
        top=table.top,
        to_move=table.to_move,
        me=player,
        size=table.pile_size,
    )


def _sorted(laid: Iterable[Laid]) -> tuple[Laid, ...]:
    return tuple(sorted(laid, key=laid_order))
