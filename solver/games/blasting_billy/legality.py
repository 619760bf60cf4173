"""Whether a position can have come about: cards, pile, hands, turns and facts fit together."""

from collections import Counter
from collections.abc import Iterator

from solver.cards import Card, back_of, is_hidden
from solver.deals import count_pool, smallest_contradiction
from solver.errors import ImpossibleError, NotationError, brief
from solver.games.blasting_billy.deck import NAMES, REAL_DECK, TYPES, removed_at_setup
from solver.games.blasting_billy.facts import Fact, format_fact
from solver.games.blasting_billy.hidden import count_pile, hidden_pools, places, seen_to_fail, whole_pool
from solver.games.blasting_billy.table import Position


def check_position(position: Position, *, real_setup: bool) -> None:
    """Raise an error that says why the position is impossible, if it is.

    With a real set-up the number of removed cards is the rulebook's.
    """
    _check_face_up(position)
    _check_cards(position)
    if real_setup:
        _check_removed(position)
    _check_pile(position)
    _check_hands(position)
    _check_turns(position)
    check_facts(position)


def has_real_setup(position: Position) -> bool:
    """Whether the deck and the number of cards removed are the rulebook's."""
    if position.deck != REAL_DECK:
        return False
    expected = removed_at_setup(len(position.players))
    if position.boxed:
        return len(position.removed) + len(position.dumped) >= expected
    return len(position.removed) == expected


def _check_face_up(position: Position) -> None:
    for name, loot in zip(position.players, position.loots, strict=True):
        for column in loot:
            for number, card in enumerate(column[1:], 2):
                if is_hidden(card):
                    raise NotationError(
                        f"loot.{name}: card {number} of type {NAMES.format_back(card)} lies face up, so everyone "
                        f"sees it: write its value instead of {NAMES.format(card)}"
                    )


def spots(position: Position) -> Iterator[tuple[str, Card]]:
    """Every card on the table with the key it stands under."""
    for name, hand in zip(position.players, position.hands, strict=True):
        yield from ((f"hands.{name}", card) for card in hand)
    for name, loot in zip(position.players, position.loots, strict=True):
        yield from ((f"loot.{name}", card) for column in loot for card in column)
    yield from (("billy", laid.card) for column in position.billy for laid in column)
    yield from (("box" if position.boxed else "dumped", laid.card) for laid in position.dumped)
    yield from (("box" if position.boxed else "removed", card) for card in position.removed)


def _check_cards(position: Position) -> None:
    """No card twice, and no more cards of a type than there are."""
    first: dict[Card, str] = {}
    for spot, card in spots(position):
        if is_hidden(card):
            continue
        if card in first:
            text = NAMES.format(card)
            raise ImpossibleError(
                f"{text} is there twice, in {first[card]} and in {spot}: the deck has one",
                (f"{text} is in {first[card]}", f"{text} is in {spot}"),
            )
        first[card] = spot
    for kind in TYPES:
        short = -count_pile(position, kind)
        if short > 0:
            letter = NAMES.backs[kind]
            counts = Counter(spot for spot, card in spots(position) if back_of(card) == kind)
            listed = ", ".join(f"{number} in {spot}" for spot, number in counts.items())
            most = len(position.deck.cards_of(kind))
            raise ImpossibleError(
                f"too many cards of type {letter}: the deck has {most}, but {most + short} are on the table: {listed}",
                tuple(f"{number} {letter} in {spot}" for spot, number in counts.items()),
            )


def _check_removed(position: Position) -> None:
    expected = removed_at_setup(len(position.players))
    found = len(position.removed)
    if position.boxed:
        if len(position.dumped) + found < expected:
            raise ImpossibleError(
                f"box: holds {len(position.dumped) + found} cards, but {expected} were put there at set-up"
            )
    elif found != expected:
        raise ImpossibleError(
            f"removed: {found} cards, but with {len(position.players)} players {expected} of the real deck are "
            "removed at set-up (add [deck], in a record a deck line, to play with other numbers)"
        )


def _check_pile(position: Position) -> None:
    counts = {NAMES.backs[kind]: count_pile(position, kind) for kind in position.deck.kinds}
    left = sum(counts.values())
    listed = ", ".join(f"{number} {letter}" for letter, number in counts.items())
    if left != position.size:
        size = brief(position.size)
        raise ImpossibleError(
            f"pile: size = {size}, but the cards not on the table are {left}: {listed}",
            (f"the pile has {size} cards", f"{left} cards lie nowhere else: {listed}"),
        )
    if position.top is not None and not counts.get(NAMES.backs[position.top]):
        letter = NAMES.backs[position.top]
        why = f"no {letter} is left in it ({listed})" if left else "it is empty: leave top out"
        raise ImpossibleError(f'pile: top = "{letter}" cannot lie on the pile: {why}')


def _check_hands(position: Position) -> None:
    """Full hands while there is a pile; then one card fewer for each player who has had the last turn."""
    full, seats = position.deck.hand, range(len(position.players))
    if position.size or position.to_move is None:
        for seat in seats:
            expected = full if position.size else full - 1
            held = len(position.hands[seat])
            if held != expected:
                stage = f"while the pile has {position.size} cards" if position.size else "once the game is over"
                todo = "" if position.size else " (name to_move if a last turn is still to come)"
                raise ImpossibleError(
                    f"hands.{position.players[seat]}: holds {held} cards, but {stage} everyone holds {expected}{todo}"
                )
        if position.size and position.to_move is None:
            raise NotationError("to_move is missing: say whose turn it is (it is left out only when the game is over)")
        return
    order = [(position.to_move + step) % len(seats) for step in seats]
    held_in_order = [len(position.hands[seat]) for seat in order]
    to_come = sum(held == full for held in held_in_order)
    expected_order = [full] * to_come + [full - 1] * (len(seats) - to_come)
    mover = position.players[position.to_move]
    if held_in_order[0] == full - 1 and to_come == 0:
        raise ImpossibleError(f'to_move = "{mover}": everyone has had the last turn, so leave to_move out')
    if held_in_order != expected_order:
        listed = ", ".join(f"{position.players[seat]} {len(position.hands[seat])}" for seat in order)
        raise ImpossibleError(
            f"hands: with an empty pile a player holds {full} cards before the last turn and {full - 1} after it, "
            f'and last turns go clockwise; with to_move = "{mover}" these hands cannot be: {listed}'
        )


def _check_turns(position: Position) -> None:
    """Where every card has its owner, players have had equally many turns, or one more up to the last mover."""
    laid = [one for column in position.billy for one in column] + list(position.dumped)
    if position.boxed or any(one.owner is None for one in laid):
        return
    seats = range(len(position.players))
    owners = Counter(one.owner for one in laid)
    turns = [owners[seat] + sum(map(len, position.loots[seat])) for seat in seats]
    starts = seats if position.to_move is None else [position.to_move]
    for start in starts:
        order = [turns[(start + step) % len(seats)] for step in seats]
        if order == sorted(order) and order[-1] - order[0] <= 1:
            return
    listed = ", ".join(f"{name} {number}" for name, number in zip(position.players, turns, strict=True))
    mover = "" if position.to_move is None else f' with to_move = "{position.players[position.to_move]}"'
    raise ImpossibleError(
        f"turns taken (cards given, claimed and dumped) do not go round{mover}: {listed}: everyone has had equally "
        "many, or one more from the first player up to the one before to_move"
    )


def check_facts(position: Position) -> None:
    """Facts speak of cards that are there, and can hold together."""
    for fact in position.facts:
        _check_place(position, fact)
    failing = {fact.kind for fact in position.facts if seen_to_fail(position, fact)}
    failing |= {
        NAMES.backs.index(pool.name) for pool in hidden_pools(position) if pool.statements and not count_pool(pool)
    }
    if failing:
        kind = min(failing)
        statements = tuple(found.text for found in smallest_contradiction(whole_pool(position, kind)))
        raise ImpossibleError(explain(statements), statements)


def _check_place(position: Position, fact: Fact) -> None:
    text, name = format_fact(fact, position.players), fact.place(position.players)
    if NAMES.backs[fact.kind] not in position.deck.types:
        raise NotationError(f'"{text}": this deck has no {NAMES.backs[fact.kind]} ({position.deck.describe()})')
    if not any(place.name == name for place in places(position, fact.kind)):
        letter = NAMES.backs[fact.kind]
        there = f"Billy has {len(position.billy[fact.kind])} cards of type {letter}"
        if fact.player is not None:
            there = f"{position.players[fact.player]} has claimed no {letter}"
        raise NotationError(f'"{text}": there is no {name}: {there}')


def explain(statements: tuple[str, ...]) -> str:
    """A contradiction in words."""
    if len(statements) == 1:
        return f"{statements[0]} cannot hold"
    return "\n".join(("these cannot all hold:", *(f"  - {statement}" for statement in statements)))
