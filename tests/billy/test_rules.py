"""Playing: cards are neither lost nor made, turns go round, and what players see fits what is."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from solver.cards import Card, back_of, is_hidden, without
from solver.deals import Deal, count_deals, list_deals
from solver.game import CHANCE, OVER
from solver.games.blasting_billy.deck import REAL_DECK, TYPES, Deck, removed_at_setup
from solver.games.blasting_billy.hidden import fill, hidden_pools, observe
from solver.games.blasting_billy.random_play import SEATS
from solver.games.blasting_billy.rules import Draw, Event, chances, moves, play, shuffled, turn
from solver.games.blasting_billy.table import VERBS, Laid, Move, State
from tests.billy.samples import small_states

GAMES = [
    (deck, players, covered)
    for deck in (REAL_DECK, Deck("JB", 0, 6, True, 3), Deck("JCD", 1, 5, False, 2), Deck("G", 0, 8, True, 1))
    for players in (2, 3, 4, 5)
    for covered in (False, True)
    if players * deck.hand <= len(deck.cards)
]


def _start(deck: Deck, players: int, covered: bool, rng: Random) -> State:
    spare = len(deck.cards) - players * deck.hand
    removed = removed_at_setup(players) if deck == REAL_DECK else rng.randint(0, min(spare, 4))
    return shuffled(SEATS[:players], deck, removed=removed, rng=rng, covered=covered)


def _whole_game(state: State, rng: Random) -> Iterator[tuple[State, Event | None]]:
    """Every state of a randomly played game, with the event that leads on from it."""
    while turn(state) != OVER:
        options: list[Event] = [*moves(state), *(event for event, _ in chances(state))]
        event = rng.choice(options)
        yield state, event
        state = play(state, event)
    yield state, None


def _all_cards(state: State) -> list[Card]:
    found = [card for hand in state.hands for card in hand]
    found += [card for loot in state.loots for column in loot for card in column]
    found += [laid.card for column in state.billy for laid in column]
    found += [laid.card for laid in state.dumped]
    return sorted([*found, *state.removed, *state.pile])


@pytest.mark.parametrize(("players", "removed"), [(2, 12), (3, 6), (4, 0), (5, 0)])
def test_setup_removes_as_many_cards_as_the_rulebook_says(players: int, removed: int) -> None:
    state = _start(REAL_DECK, players, False, Random(players))
    assert removed_at_setup(players) == len(state.removed) == removed
    assert [len(hand) for hand in state.hands] == [3] * players
    assert len(state.pile) == 60 - removed - 3 * players
    assert state.top in {back_of(card) for card in state.pile}


@pytest.mark.parametrize(("deck", "players", "covered"), GAMES)
def test_no_card_is_lost_or_made_in_a_whole_game(deck: Deck, players: int, covered: bool) -> None:
    rng = Random(players)
    for _ in range(5):
        for state, _ in _whole_game(_start(deck, players, covered, rng), rng):
            assert _all_cards(state) == list(deck.cards)
            assert all(back_of(card) == kind for loot in state.loots for kind in TYPES for card in loot[kind])
            assert all(back_of(laid.card) == kind for kind in TYPES for laid in state.billy[kind])


@pytest.mark.parametrize(("deck", "players", "covered"), GAMES)
def test_everyone_has_exactly_one_turn_after_the_last_card_is_drawn(deck: Deck, players: int, covered: bool) -> None:
    rng = Random(players + 10)
    for _ in range(5):
        after_last: list[int] = []
        drawer = players - 1  # with no pile from the start the first player begins the last turns
        for state, event in _whole_game(_start(deck, players, covered, rng), rng):
            if isinstance(event, Draw) and len(state.pile) == 1:
                assert state.to_move is not None
                drawer = state.to_move
            if isinstance(event, Move) and not state.pile:
                assert state.to_move is not None
                after_last.append(state.to_move)
            if event is None:
                assert {len(hand) for hand in state.hands} == {deck.hand - 1}
        assert after_last == [(drawer + step) % players for step in range(1, players + 1)]


@pytest.mark.parametrize(("deck", "players", "covered"), GAMES)
def test_turns_alternate_between_a_move_and_a_draw_while_there_is_a_pile(
    deck: Deck, players: int, covered: bool
) -> None:
    rng = Random(players + 20)
    before: Event | None = None
    for state, event in _whole_game(_start(deck, players, covered, rng), rng):
        assert (turn(state) == CHANCE) == (isinstance(before, Move) and bool(state.pile))
        assert bool(moves(state)) == (turn(state) >= 0)
        assert bool(chances(state)) == (turn(state) == CHANCE)
        assert (state.top is None) == (covered or not state.pile)
        before = event


def test_moves_are_every_hand_card_with_every_verb_in_canonical_order() -> None:
    rng = Random(3)
    for deck, players, covered in GAMES:
        for state, _ in _whole_game(_start(deck, players, covered, rng), rng):
            if state.to_move is not None and not state.drawing:
                found = moves(state)
                assert set(found) == {Move(verb, card) for card in state.hands[state.to_move] for verb in VERBS}
                assert list(found) == sorted(found, key=lambda move: (move.card, VERBS.index(move.verb)))


def _drawing_states(number: int) -> list[State]:
    rng = Random(4)
    found: list[State] = []
    for start in small_states(rng):
        for state, _ in _whole_game(start, rng):
            if state.drawing and len(state.pile) <= 5:
                found.append(state)
        if len(found) >= number:
            break
    return found


def test_chances_are_proportional_to_the_orders_of_the_pile_they_stand_for() -> None:
    for state in _drawing_states(100):
        orders: Counter[Draw] = Counter()
        for order in permutations(state.pile):
            if state.top is None or back_of(order[0]) == state.top:
                shows = state.top is not None and len(order) > 1
                orders[Draw(order[0], back_of(order[1]) if shows else None)] += 1
        found = chances(state)
        weights = dict(found)
        assert len(found) == len(weights)
        assert set(weights) == set(orders)
        alike = {orders[event] // weight for event, weight in found if isinstance(event, Draw)}
        assert len(alike) == 1
        assert sum(weights.values()) * alike.pop() == orders.total()


@pytest.mark.parametrize(("deck", "players", "covered"), GAMES)
def test_chance_weights_count_the_cards_that_can_be_drawn_and_shown(deck: Deck, players: int, covered: bool) -> None:
    rng = Random(players + 30)
    for state, _ in _whole_game(_start(deck, players, covered, rng), rng):
        if state.drawing:
            drawable = sum(state.top in (None, back_of(card)) for card in state.pile)
            next_ones = 1 if covered or len(state.pile) == 1 else len(state.pile) - 1
            assert sum(weight for _, weight in chances(state)) == drawable * next_ones


def _heaped(state: State) -> State:
    """The state with box cards of one type put in order: which of them is which is not part of a deal."""
    box = sorted([*(laid.card for laid in state.dumped), *state.removed])
    return replace(state, dumped=tuple(Laid(card, None) for card in box), removed=())


def _true_deal(state: State, player: int | None) -> Deal:
    """The deal that lays every card hidden from the player where it truly is."""
    position = observe(state, player)
    names = {"J": 0, "B": 1, "C": 2, "G": 3, "D": 4}
    seen = {card for hand in position.hands for card in hand}
    seen |= {card for loot in position.loots for column in loot for card in column}
    seen |= {laid.card for column in position.billy for laid in column} | {laid.card for laid in position.dumped}

    def cards_in(cell: str) -> tuple[Card, ...]:
        owner, *rest = cell.split(".")
        if owner == "billy":
            return (state.billy[names[rest[0]]][int(rest[1]) - 1].card,)
        kind = names[rest[-1]]
        if owner == "pile":
            found = list(state.pile)
        elif owner == "box":
            found = [*(laid.card for laid in state.dumped), *state.removed]
        elif rest[0] == "hand":
            found = list(state.hands[state.players.index(owner)])
        else:
            found = list(state.loots[state.players.index(owner)][kind][:1])
        return tuple(sorted(card for card in found if back_of(card) == kind and card not in seen))

    return tuple(tuple(cards_in(cell.name) for cell in pool.cells) for pool in hidden_pools(position))


def _assert_box_alike(found: State, state: State) -> None:
    assert _heaped(found) == _heaped(state)
    assert Counter((back_of(laid.card), laid.owner) for laid in found.dumped) == Counter(
        (back_of(laid.card), laid.owner) for laid in state.dumped
    )


def test_the_true_state_is_among_the_deals_that_each_player_of_a_small_game_sees() -> None:
    checked = 0
    for state in small_states(Random(5)):
        for player in (None, *range(len(state.players))):
            position = observe(state, player)
            if count_deals(hidden_pools(position)) <= 500:
                deals = list(list_deals(hidden_pools(position)))
                filled = [fill(position, deal) for deal in deals]
                assert len({_heaped(one) for one in filled}) == len(deals)
                assert [_heaped(one) for one in filled].count(_heaped(state)) == 1
                assert all(_all_cards(one) == list(state.deck.cards) for one in filled)
                checked += 1
        if checked >= 60:
            break


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_filling_in_the_true_deal_of_a_real_game_gives_the_true_state(players: int) -> None:
    rng = Random(players)
    for state, _ in _whole_game(_start(REAL_DECK, players, False, rng), rng):
        if not state.drawing:
            for player in (None, *range(players)):
                _assert_box_alike(fill(observe(state, player), _true_deal(state, player)), state)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_observing_a_filled_position_gives_the_position_back(players: int) -> None:
    rng = Random(players + 40)
    for state, _ in _whole_game(_start(REAL_DECK, players, players % 2 == 0, rng), rng):
        if not state.drawing:
            for player in (None, *range(players)):
                position = observe(state, player)
                assert observe(fill(position, _true_deal(state, player)), player) == position


def test_observing_any_deal_of_a_small_position_gives_the_position_back() -> None:
    checked = 0
    for state in small_states(Random(6)):
        for player in (None, *range(len(state.players))):
            position = observe(state, player)
            if count_deals(hidden_pools(position)) <= 300:
                for deal in list_deals(hidden_pools(position)):
                    assert observe(fill(position, deal), player) == position
                    checked += 1
        if checked >= 3000:
            break


def test_players_see_their_own_cards_and_what_they_laid_but_no_other_hidden_value() -> None:
    rng = Random(7)
    for state, _ in _whole_game(_start(REAL_DECK, 3, False, rng), rng):
        for player in range(3):
            position = observe(state, player)
            assert position.hands[player] == state.hands[player]
            assert position.loots[player] == state.loots[player]
            for seat in range(3):
                assert seat == player or all(map(is_hidden, position.hands[seat]))
                for seen, true in zip(position.loots[seat], state.loots[seat], strict=True):
                    assert seen[1:] == true[1:]
                    assert seat == player or all(map(is_hidden, seen[:1]))
            laid = [one for column in position.billy for one in column] + list(position.dumped)
            assert all(is_hidden(card) != (owner == player) for card, owner in laid)
            assert all(map(is_hidden, position.removed))


def test_a_drawn_card_leaves_the_pile_for_the_hand() -> None:
    for state in _drawing_states(30):
        for event, _ in chances(state):
            assert isinstance(event, Draw)
            after, player = play(state, event), state.to_move
            assert player is not None
            assert after.pile == without(state.pile, event.card)
            assert after.hands[player] == tuple(sorted((*state.hands[player], event.card)))
            assert after.top == event.top
            assert after.to_move == (player + 1) % len(state.players)
