"""The public tree of a fair game, a level at a time, with the private states of both players at every public node.

A public node is what everybody has seen. Its row holds what has been shown (`SHOWN`, a bit a card), chance's part of
its weight, the top and the pile, the types in both hands, and both loots and Billy's columns as far as they are public.

A private state is what one player knows besides: all cards known (`KNOWN`, a bit a card), the hand, the first card of
each loot, and for each type the player's own part of Billy's column: the sum of the cards given that are still there,
the place of a card of the other's that the own dynamite takes along, and the values of own cards that dynamite can
still take along. Players whose states are equal have the same future, whatever they did before.

Kernels take a player's lists of states, by node, as (starts, listed, states), behind the nodes where they need those
too; a turn as (player, whether it is the player's last); and the deck as (cards, fuses, removed): the cards that
nobody has seen face up, the dynamites' bits by type (-1 where there is none or everybody has seen it), and how many
cards of each type are out.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.games.blasting_billy.deck import DYNAMITE
from solver.games.blasting_billy.search._table_kernel import CLAIM, DUMP, GIVE
from solver.kernels import compiled

Numbers = NDArray[np.int64]
Labels = NDArray[np.uint8]

SHOWN, WEIGHT, TOP, PILE, LOOTS, BILLYS, NODE = 0, 1, 2, 3, 4, 14, 19
"""Columns of a public node. PILE holds four bits a type; LOOTS + 5 * player + type is `sum | count << 8 | last << 16 |
first << 24`, of the cards lying face up; BILLYS + type is `cards | owners << 4`."""
NO_FIRST, FIRST, FIRST_GONE = 0, 1, 2
"""What is public of the first card of a loot: there is none, it lies there, or a later dynamite took it along."""

POINT, KNOWN, HAND, FIRSTS, PARTS, STATE = 0, 1, 2, 3, 4, 9
"""Columns of a private state. POINT is the sequence that leads there; FIRSTS has four bits a type; PARTS + type is
`sum | taken << 6 | values << 10`: `taken` is 1 + the place of a card of the other's, `values` has four bits a place."""
NONE, GONE = 15, 14
"""In FIRSTS: no first card, or one that dynamite took along."""

OUTCOMES = 75
"""What everybody sees of a move: for each type GIVEN, DUMPED, CLAIMED face down, or CLAIMED + 1 + the face."""
GIVEN, DUMPED, CLAIMED = 0, 1, 2


@compiled
def outcome_of(node: Numbers, player: int, verb: int, kind: int, face: int) -> Any:
    if verb == GIVE:
        return kind * 15 + GIVEN
    if verb == DUMP:
        return kind * 15 + DUMPED
    first = (node[LOOTS + 5 * player + kind] >> 24) & 3
    return kind * 15 + CLAIMED + (0 if first == NO_FIRST else 1 + face)


@compiled
def verbs(hand: int, bit: int, last: bool) -> Any:
    """How many of GIVE, CLAIM and DUMP can be done with a card: all if it is in the hand. But in a last turn all dumps
    are alike, and the first card in the hand stands for all."""
    if not (hand >> bit) & 1:
        return 0
    return 2 if last and hand & ((1 << bit) - 1) else 3


@compiled
def count_moves(here: Any, turn: Any, deck: Any) -> Any:
    """The outcomes that happen at every node, and the number of moves of every listed state."""
    nodes, starts, listed, states = here
    player, last = turn
    cards = deck[0]
    seen = np.zeros((len(nodes), OUTCOMES), np.int8)
    moves = np.zeros(len(listed), np.int64)
    for number in range(len(nodes)):
        for place in range(starts[number], starts[number + 1]):
            hand = states[listed[place], HAND]
            for bit in range(len(cards)):
                for verb in range(verbs(hand, bit, last)):
                    outcome = outcome_of(nodes[number], player, verb, cards[bit] >> 4, cards[bit] & 15)
                    seen[number, outcome] = 1
                    moves[place] += 1
    return seen, moves


@compiled
def after_outcomes(nodes: Numbers, events: Any, player: int, deck: Any, common: int) -> Any:
    """The public nodes after events: at a node of `origins` one of `outcomes` was seen of the player's move, and a card
    of the type `drawn` (-1: none) was drawn."""
    origins, outcomes, drawn = events
    cards, _, removed = deck
    result = np.empty((len(origins), NODE), np.int64)
    for number in range(len(origins)):
        node = result[number]
        node[:] = nodes[origins[number]]
        kind, what = outcomes[number] // 15, outcomes[number] % 15
        if what == GIVEN:
            column = node[BILLYS + kind]
            length = column & 15
            node[BILLYS + kind] = (column + 1) | (player << (4 + length))
        elif what == CLAIMED:
            node[LOOTS + 5 * player + kind] |= FIRST << 24
        elif what > CLAIMED:
            face = what - CLAIMED - 1
            for bit in range(len(cards)):
                if cards[bit] == kind * 16 + face:
                    node[SHOWN] |= 1 << bit
            node[LOOTS + 5 * player + kind] = lay_open(node[LOOTS + 5 * player + kind], face)
        if drawn[number] >= 0:
            taken = drawn[number]
            there = (node[PILE] >> (4 * taken)) & 15
            node[WEIGHT] *= common // (there + removed[taken])
            if node[TOP] < 0:
                node[WEIGHT] *= there
            node[PILE] -= 1 << (4 * taken)
    return result


@compiled
def lay_open(loot: int, face: int) -> Any:
    """A loot's public part with one more card face up; dynamite goes off at once."""
    total, count, last, first = loot & 255, (loot >> 8) & 255, (loot >> 16) & 255, (loot >> 24) & 3
    if face != DYNAMITE:
        return (total + face) | ((count + 1) << 8) | (face << 16) | (first << 24)
    if count:
        return (total - last) | ((count - 1) << 8) | (first << 24)
    return total | (FIRST_GONE << 24)


@compiled
def trim(part: int, column: int, player: int, dynamite: int) -> Any:
    """The player's part of a column without what dynamite cannot reach any more.

    `dynamite` is 0 where the player knows it can go off no more, 1 where it can be anywhere, 2 where it is in the hand.
    """
    length, owners = column & 15, column >> 4
    kept = part & 1023
    for place in range(length):
        value = (part >> (10 + 4 * place)) & 15
        final = place == length - 1
        threatened = final or (dynamite == 1 and (owners >> (place + 1)) & 1 != player)
        if value and dynamite and threatened and (owners >> place) & 1 == player:
            kept |= value << (10 + 4 * place)
    return kept


@compiled
def move_card(state: Numbers, after: Numbers, turn: Any, verb: int, bit: int, deck: Any) -> None:
    """The private state after the player lays a card, at the public node `after`."""
    player, last = turn
    cards, fuses, _ = deck
    kind, face = cards[bit] >> 4, cards[bit] & 15
    state[HAND] = 0 if last else state[HAND] & ~(1 << bit)
    if verb == GIVE:
        column = after[BILLYS + kind]
        place, owners = (column & 15) - 1, column >> 4
        part = state[PARTS + kind]
        if face != DYNAMITE:
            part += face
            part |= face << (10 + 4 * place)
        elif place and (owners >> (place - 1)) & 1 == player:
            part -= (part >> (10 + 4 * (place - 1))) & 15
            part &= ~(15 << (10 + 4 * (place - 1)))
        elif place:
            part |= place << 6
        state[PARTS + kind] = part
    elif verb == CLAIM:
        first = (after[LOOTS + 5 * player + kind] >> 24) & 3
        if (state[FIRSTS] >> (4 * kind)) & 15 == NONE:
            state[FIRSTS] &= ~(15 << (4 * kind))
            state[FIRSTS] |= face << (4 * kind)
        elif first == FIRST_GONE:
            state[FIRSTS] &= ~(15 << (4 * kind))
            state[FIRSTS] |= GONE << (4 * kind)
    for each in range(5):
        danger = 0
        if fuses[each] >= 0 and not (after[SHOWN] >> fuses[each]) & 1:
            danger = 1
            if (state[KNOWN] >> fuses[each]) & 1:
                danger = 2 if (state[HAND] >> fuses[each]) & 1 else 0
        state[PARTS + each] = trim(state[PARTS + each], after[BILLYS + each], player, danger)


@compiled
def emit(here: Any, turn: Any, deck: Any, following: Any, found: Any) -> Any:
    """All private states after all moves and draws; with empty `rows` they are only counted.

    `following` are `middle` and `middles`: middle[node, outcome] is the first of the public nodes `middles` that
    follow, one for each type that can be drawn. `found` has room for `labels`, the card's bit * 3 + verb of every move;
    `rows`, each the number of the public node, then the state from KNOWN on; and `sequences`, the move that each row
    comes from.
    """
    nodes, starts, listed, states = here
    player, last = turn
    cards = deck[0]
    middle, middles = following
    labels, rows, sequences = found
    number, sequence = 0, 0
    keeping = len(rows) > 0
    for origin in range(len(nodes)):
        node = nodes[origin]
        for place in range(starts[origin], starts[origin + 1]):
            before = states[listed[place]]
            for bit in range(len(cards)):
                for verb in range(verbs(before[HAND], bit, last)):
                    after = middle[origin, outcome_of(node, player, verb, cards[bit] >> 4, cards[bit] & 15)]
                    if keeping:
                        labels[sequence] = bit * 3 + verb
                    for draw in range(-1, 5):
                        if not draws(node, draw, last):
                            continue
                        for other in range(len(cards) if draw >= 0 else 1):
                            if draw >= 0 and not can_draw(before, middles[after], draw, other, cards[other]):
                                continue
                            if keeping:
                                state = rows[number]
                                state[:] = before
                                if draw >= 0:
                                    state[KNOWN] |= 1 << other
                                    state[HAND] |= 1 << other
                                move_card(state, middles[after], turn, verb, bit, deck)
                                state[0] = after
                                sequences[number] = sequence
                            number += 1
                        after += 1
                    sequence += 1
    return number


@compiled
def draws(node: Numbers, kind: int, last: bool) -> Any:
    """Whether a card of the type (-1: none) can be drawn now."""
    if last or kind < 0:
        return last and kind < 0
    return node[TOP] == kind or (node[TOP] < 0 and (node[PILE] >> (4 * kind)) & 15 > 0)


@compiled
def can_draw(state: Numbers, node: Numbers, kind: int, bit: int, card: int) -> Any:
    return card >> 4 == kind and not ((state[KNOWN] | node[SHOWN]) >> bit) & 1


@compiled
def pass_through(origins: Numbers, shown: Numbers, lists: Any) -> Any:
    """The other player's states at the nodes after `origins`: those that do not hold what was shown since."""
    starts, listed, states = lists
    counts = np.zeros(len(origins) + 1, np.int64)
    for number in range(len(origins)):
        for place in range(starts[origins[number]], starts[origins[number] + 1]):
            if not states[listed[place], KNOWN] & shown[number]:
                counts[number + 1] += 1
    ends = np.cumsum(counts)
    result = np.empty(ends[-1], np.int64)
    where = 0
    for number in range(len(origins)):
        for place in range(starts[origins[number]], starts[origins[number] + 1]):
            if not states[listed[place], KNOWN] & shown[number]:
                result[where] = listed[place]
                where += 1
    return ends, result
