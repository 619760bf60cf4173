"""The last one or two turns of a game with nothing hidden: no stack, and no draw."""

from typing import Any

from solver.games.blasting_billy.search._table_kernel import (
    BILLYS,
    CLAIM,
    COLUMNS,
    GIVE,
    GOAL,
    HANDS,
    HELD,
    MOVER,
    PARTS,
    PLAYERS,
    REPLIES,
    SCORES,
    Numbers,
    duel,
    lay,
    part,
    place,
    share,
    take_back,
    winners,
)
from solver.kernels import compiled

ENDLESS = 1 << 62


@compiled
def last_reply(row: Numbers, player: int, enough: int) -> Any:
    """The most that the last of two players can get, by the best last move; stops at `enough`."""
    player &= 1  # tells the compiler that no index is negative
    other, goal = 1 - player, row[GOAL]
    own_score, other_score = row[SCORES + player], row[SCORES + other]
    options = 1 + 2 * row[HELD]
    first = row[REPLIES + player] & 31
    best = -ENDLESS
    for turn in range(-1, options):
        option = first if turn < 0 else turn
        if turn == first:
            continue
        own, others = own_score, other_score
        if option > 0:
            card = row[HANDS + player * 12 + (((option - 1) >> 1) & 15)]
            kind, face = (card >> 4) & 7, card & 15
            spot = player * 5 + kind
            own -= row[PARTS + spot]
            if option & 1:
                own += part(place(row[COLUMNS + spot], face), row[BILLYS + kind] & 255)
            else:
                billy = place(row[BILLYS + kind], face) & 255
                own += part(row[COLUMNS + spot], billy)
                others += part(row[COLUMNS + other * 5 + kind], billy) - row[PARTS + other * 5 + kind]
        value = duel(own, others, goal)
        if value > best:
            best = value
            if value >= enough:
                row[REPLIES + player] = option
                break
    return best


@compiled
def last_two(row: Numbers, player: int, worst: int, enough: int) -> Any:
    """The most that the last but one of two players can get; exact where it is above `worst`."""
    player &= 1
    options = 1 + 2 * row[HELD]
    first = row[REPLIES + 5 + player] & 31
    best = -ENDLESS
    for turn in range(-1, options):
        option = first if turn < 0 else turn
        if turn == first:
            continue
        wanted = -max(worst, best)
        if option == 0:
            value = -last_reply(row, 1 - player, wanted)
        else:
            card = row[HANDS + player * 12 + (((option - 1) >> 1) & 15)]
            verb = CLAIM if option & 1 else GIVE
            before = lay(row, player, card, verb)
            value = -last_reply(row, 1 - player, wanted)
            take_back(row, player, card, verb, before)
        if value > best:
            best = value
            if value >= enough:
                row[REPLIES + 5 + player] = option
                break
    return best


@compiled
def last_of_many(row: Numbers, player: int, least: int, most: int) -> Any:
    """The mover's share after the best last move of the last of three or more players."""
    mover = row[MOVER]
    best = share(winners(row), mover)
    for option in range(2 * row[HELD]):
        if best <= least if player != mover else best >= most:
            break
        card, verb = row[HANDS + player * 12 + (option >> 1)], option & 1
        before = lay(row, player, card, verb)
        value = share(winners(row), mover)
        take_back(row, player, card, verb, before)
        best = max(best, value) if player == mover else min(best, value)
    return best


@compiled
def finish(row: Numbers, player: int, left: int, least: int, most: int) -> Any:
    """The mover's value with so few plies left that no stack is needed: none, one, or two where two play."""
    if row[PLAYERS] > 2:
        return share(winners(row), row[MOVER]) if left == 0 else last_of_many(row, player, least, most)
    own = player == row[MOVER]
    if left == 0:
        value = duel(row[SCORES + player], row[SCORES + 1 - player], row[GOAL])
    elif left == 1:
        value = last_reply(row, player, most if own else -least)
    elif own:
        value = last_two(row, player, least, most)
    else:
        value = last_two(row, player, -most, -least)
    return value if own else -value
