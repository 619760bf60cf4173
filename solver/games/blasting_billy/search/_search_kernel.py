"""What single deals are worth when everybody sees every card: alpha-beta with Star1 bounds where a card is drawn.

Values are whole numbers, scaled by the number of orders the pile can be in, so that a draw is a plain sum over what
can be drawn and what can then show on top. Alpha-beta: Knuth and Moore (1975); Star1: Ballard (1983).
"""

from typing import Any

import numpy as np

from solver.games.blasting_billy.search._last_turns_kernel import ENDLESS, finish
from solver.games.blasting_billy.search._table_kernel import (
    BILLYS,
    COLUMNS,
    COUNTS,
    DUMP,
    HANDS,
    HELD,
    HIGHEST,
    LOWEST,
    MOVER,
    PILES,
    PLAYERS,
    ROW,
    SALT,
    Faces,
    Numbers,
    lay,
    pick_up,
    put_back,
    set_up,
    take_back,
)
from solver.kernels import compiled

KILLER = 1 << 40
KNOWN = 320
"""Moves by card and verb."""

(
    ALPHA, BETA, BEST, NEXT, NUMBER, KEPT, CODE, LAID, BEFORE, WHOLE, TOP, SHOWING,
    SUM, REST, PART, KIND, CARD, SHOWN, LEAST, MOST, KEY, FROM, UP_TO,
) = range(23)  # fmt: skip
"""What a ply remembers: its window and best value, the move it is at, and the draw that follows that move."""
MOVES = 23
KEYS = MOVES + 36
PLY = KEYS + 36

ENTRIES = 1 << 16
"""Of the memory: for each, a key and `4 * value + AT_LEAST + AT_MOST`."""
AT_LEAST, AT_MOST = 1, 2
MIXER = 0x1E3779B97F4A7C15

ENTER, PLAY, DRAW, BACK, JUDGE = range(5)
"""Where the search is: at a new ply, before a move, before a draw, back from the next ply, after a move."""


@compiled
def list_moves(row: Numbers, stack: Numbers, ply: int, history: Numbers, player: int, last: int) -> None:
    """The moves of a ply, those first that were good elsewhere.

    At a last turn all dumps are one: that of the lowest card, which is the first in canonical order.
    """
    number, ply, player = 0, ply & 0xFFFFF, player & 7
    lowest = 0
    for index in range(1, row[HELD]):
        if row[HANDS + player * 12 + index] & 127 < row[HANDS + player * 12 + lowest] & 127:
            lowest = index
    for index in range(row[HELD]):
        card = row[HANDS + player * 12 + index] & 127
        for verb in range(3):
            if verb == DUMP and last and index != lowest:
                continue
            known = card * 4 + verb
            key = KILLER if known == stack[ply + KEPT] else history[player * KNOWN + known]
            spot = ply + number
            while spot > ply and stack[spot + KEYS - 1] < key:
                stack[spot + KEYS] = stack[spot + KEYS - 1]
                stack[spot + MOVES] = stack[spot + MOVES - 1]
                spot -= 1
            stack[spot + KEYS] = key
            stack[spot + MOVES] = index * 4 + verb
            number += 1
    stack[ply + NUMBER] = number


@compiled
def factorial(number: int) -> Any:
    result = 1
    for factor in range(2, number + 1):
        result *= factor
    return result


@compiled
def begin_draw(stack: Numbers, ply: int, size: int, top: int) -> None:
    """Before the first card that can be drawn from a pile of this size; `top` is below 0 where none shows."""
    stack[ply + SHOWING] = top >= 0 and size > 1
    stack[ply + PART] = factorial(size - 2 if top >= 0 and size > 1 else size - 1)
    stack[ply + KIND] = max(top, 0)
    stack[ply + CARD] = -1
    stack[ply + SHOWN] = 5
    stack[ply + SUM] = 0
    stack[ply + REST] = stack[ply + WHOLE]


@compiled
def next_draw(row: Numbers, stack: Numbers, ply: int, covered: int) -> Any:
    """Go on to the next card that can be drawn and type that can then show: its number of orders, 0 after the last.

    CARD is the drawn card's number within its type in the pile, KIND that type, SHOWN the type that shows or -1.
    """
    ply &= 0xFFFFF
    kind, showing = stack[ply + KIND] & 7, stack[ply + SHOWING]
    if showing:
        for shown in range(stack[ply + SHOWN] + 1, 5):
            if row[COUNTS + shown]:
                stack[ply + SHOWN] = shown
                return row[COUNTS + shown] * stack[ply + PART]
    if stack[ply + CARD] >= 0:
        put_back(row, kind, stack[ply + CARD])
    number = stack[ply + CARD] + 1
    while number >= row[COUNTS + kind]:
        kind += 1
        if not covered or kind == 5:
            return 0
        number = 0
    pick_up(row, kind, number)
    stack[ply + KIND], stack[ply + CARD], stack[ply + SHOWN] = kind, number, -1
    if not showing:
        return stack[ply + PART]
    shown = 0
    while row[COUNTS + shown] == 0:
        shown += 1
    stack[ply + SHOWN] = shown
    return row[COUNTS + shown] * stack[ply + PART]


@compiled
def fixed_draw(row: Numbers, stack: Numbers, ply: int, order: Numbers, depth: int, covered: int) -> Any:
    """The only draw where the pile's order is given."""
    if stack[ply + CARD] >= 0:
        put_back(row, stack[ply + KIND], stack[ply + CARD])
        return 0
    card = order[depth]
    kind, number = card >> 4, 0
    while row[PILES + kind * 12 + number] != card:
        number += 1
    pick_up(row, kind, number)
    stack[ply + KIND], stack[ply + CARD] = kind, number
    stack[ply + SHOWN] = -1 if covered or depth + 1 >= order.size else order[depth + 1] >> 4
    return stack[ply + WHOLE]


@compiled
def fingerprint(row: Numbers, rest: int) -> Any:
    """A number that tells apart all that matters of a table, where the order of the pile is given; never 0."""
    key = row[SALT] + rest
    for player in range(row[PLAYERS]):
        hand = 0
        for index in range(row[HELD]):
            card = (row[HANDS + player * 12 + index] + 1) * MIXER
            hand += (card ^ (card >> 29)) * MIXER
        key = (key ^ hand) * MIXER
        key ^= key >> 31
        for spot in range(COLUMNS + player * 5, COLUMNS + player * 5 + 5):
            key = (key ^ row[spot]) * MIXER
            key ^= key >> 31
    for spot in range(BILLYS, BILLYS + 5):
        key = (key ^ row[spot]) * MIXER
        key ^= key >> 31
    return key | 1


@compiled
def recall(memory: Numbers, key: int, least: int, most: int) -> Any:
    """What is remembered of a table, if that settles its value within the window; otherwise ENDLESS."""
    spot = 2 * ((key >> 20) & (ENTRIES - 1))
    if memory[spot] == key:
        value, bounds = memory[spot + 1] >> 2, memory[spot + 1] & 3
        if bounds == AT_LEAST + AT_MOST or (value >= most if bounds == AT_LEAST else value <= least):
            return value
    return ENDLESS


@compiled
def remember(memory: Numbers, stack: Numbers, ply: int) -> Any:
    """Note the value of a finished ply, which is returned."""
    value, key = stack[ply + BEST], stack[ply + KEY]
    if key:
        spot = 2 * ((key >> 20) & (ENTRIES - 1))
        bounds = (AT_LEAST if value > stack[ply + FROM] else 0) + (AT_MOST if value < stack[ply + UP_TO] else 0)
        memory[spot], memory[spot + 1] = key, (value << 2) + bounds
    return value


@compiled
def search(
    row: Numbers,
    stack: Numbers,
    history: Numbers,
    memory: Numbers,
    order: Numbers,
    player: int,
    left: int,
    top: int,
    whole: int,
    fixed: int,
    forced: int,
    least: int,
    most: int,
) -> Any:
    """The mover's value, times `whole`, with `left` plies to come and this player's turn; exact within the window.

    The first `fixed` draws are those of `order`; `whole` is the number of orders of the pile after them. A move
    `forced` (4 * number in the hand + verb) is the only one at the first ply unless it is below 0. The memory may have
    no entries; it must have none unless all draws are fixed.
    """
    players, mover, lowest, highest = row[PLAYERS], row[MOVER], row[LOWEST], row[HIGHEST]
    few = 2 if players == 2 else 1
    depth, ply, stage, value, seat = 0, 0, ENTER, 0, player
    while True:
        ply, seat = ply & 0xFFFFF, seat & 7  # tells the compiler that no index is negative
        rest = left - depth
        if stage == ENTER:
            if rest <= few and (depth or forced < 0):
                value = finish(row, seat, rest, least, most)
                stage = BACK
            else:
                stack[ply + KEY], stack[ply + FROM], stack[ply + UP_TO] = 0, least, most
                if memory.size and depth and rest > players:
                    stack[ply + KEY] = fingerprint(row, rest)
                    value = recall(memory, stack[ply + KEY], least, most)
                    if value != ENDLESS:
                        stage = BACK
            if stage == ENTER:
                stack[ply + ALPHA], stack[ply + BETA], stack[ply + NEXT] = least, most, 0
                stack[ply + BEST] = -ENDLESS if seat == mover else ENDLESS
                stack[ply + WHOLE], stack[ply + TOP] = whole, top
                if forced >= 0 and depth == 0:
                    stack[ply + NUMBER], stack[ply + MOVES] = 1, forced
                else:
                    list_moves(row, stack, ply, history, seat, rest <= players)
                stage = PLAY
        if stage == PLAY:
            if stack[ply + NEXT] == stack[ply + NUMBER]:
                value, stage = remember(memory, stack, ply), BACK
            else:
                code = stack[ply + MOVES + (stack[ply + NEXT] & 63)]
                card = row[HANDS + seat * 12 + ((code >> 2) & 15)]
                stack[ply + CODE], stack[ply + LAID] = code, card
                stack[ply + BEFORE] = lay(row, seat, card, code & 3)
                if rest > players:
                    begin_draw(stack, ply, rest - players, stack[ply + TOP])
                    stage = DRAW
                else:
                    least, most = stack[ply + ALPHA], stack[ply + BETA]
                    depth, ply, stage = depth + 1, ply + PLY, ENTER
                    seat = seat + 1 if seat + 1 < players else 0
                    continue
        if stage == BACK:
            if depth == 0:
                return value
            depth, ply = depth - 1, (ply - PLY) & 0xFFFFF
            seat, rest, stage = seat - 1 if seat else players - 1, left - depth, JUDGE
            if rest > players:
                row[HANDS + seat * 12 + ((stack[ply + CODE] >> 2) & 15)] = stack[ply + LAID]
                stack[ply + SUM] += value
                stage = DRAW
                if value <= stack[ply + LEAST]:
                    value, stage = stack[ply + SUM] + highest * stack[ply + REST], JUDGE
                elif value >= stack[ply + MOST]:
                    value, stage = stack[ply + SUM] + lowest * stack[ply + REST], JUDGE
                if stage == JUDGE:
                    put_back(row, stack[ply + KIND], stack[ply + CARD])
        if stage == DRAW:
            top = stack[ply + TOP]
            if depth < fixed:
                whole = fixed_draw(row, stack, ply, order, depth, top < 0)
            else:
                whole = next_draw(row, stack, ply, top < 0)
            if whole:
                stack[ply + REST] -= whole
                gone, to_come = stack[ply + SUM], stack[ply + REST]
                stack[ply + LEAST] = stack[ply + ALPHA] - gone - highest * to_come
                stack[ply + MOST] = stack[ply + BETA] - gone - lowest * to_come
                least = max(stack[ply + LEAST], lowest * whole)
                most = min(stack[ply + MOST], highest * whole)
                kind, top = stack[ply + KIND], stack[ply + SHOWN]
                row[HANDS + seat * 12 + ((stack[ply + CODE] >> 2) & 15)] = row[PILES + kind * 12 + row[COUNTS + kind]]
                depth, ply, stage = depth + 1, ply + PLY, ENTER
                seat = seat + 1 if seat + 1 < players else 0
                continue
            value, stage = stack[ply + SUM], JUDGE
        if stage == JUDGE:
            code, card = stack[ply + CODE], stack[ply + LAID]
            take_back(row, seat, card, code & 3, stack[ply + BEFORE])
            stack[ply + NEXT] += 1
            stage = PLAY
            if seat == mover:
                if value > stack[ply + BEST]:
                    stack[ply + BEST] = value
                    stack[ply + ALPHA] = max(stack[ply + ALPHA], value)
            elif value < stack[ply + BEST]:
                stack[ply + BEST] = value
                stack[ply + BETA] = min(stack[ply + BETA], value)
            if stack[ply + ALPHA] >= stack[ply + BETA]:
                known = card * 4 + (code & 3)
                stack[ply + KEPT] = known
                history[seat * KNOWN + known] += rest * rest
                value, stage = remember(memory, stack, ply), BACK


@compiled
def deal_values(
    faces: Faces, zones: Faces, setting: Numbers, turns: Numbers, plays: Numbers, orders: Numbers, out: Numbers
) -> None:
    """What each play is worth in each deal: `out` [deal, play].

    `faces` [deal, type, slot] and `zones` are as in `layout`; `setting` is the first numbers of a row; `turns` is how
    many plies are left, the top's type or -1, how many first draws are given by `orders` [deal, card], and what
    values are scaled to: a multiple of the number of orders of what is left. A play is a slot's number and a verb.
    """
    left, top, fixed, scale = turns[0], turns[1], turns[2], turns[3]
    row = np.zeros(ROW, np.int64)
    stack = np.zeros((left + 2) * PLY, np.int64)
    history = np.zeros(5 * KNOWN, np.int64)
    order = np.zeros(orders.shape[1], np.int64)
    memory = np.zeros(2 * ENTRIES if 2 < order.size <= fixed else 0, np.int64)
    for deal in range(len(faces)):
        set_up(row, setting, faces[deal], zones)
        row[SALT] = deal * MIXER
        if left > 3:
            history[:] = 0
        for index in range(order.size):
            order[index] = card_at(faces[deal], orders[deal, index])
        whole = whole_orders(row, top, order, fixed)
        for play in range(len(plays)):
            forced = find_card(row, row[MOVER], card_at(faces[deal], plays[play, 0])) * 4 + plays[play, 1]
            least, most = row[LOWEST] * whole, row[HIGHEST] * whole
            value = search(row, stack, history, memory, order, row[MOVER], left, top, whole, fixed, forced, least, most)
            out[deal, play] = value * (scale // whole)


@compiled
def card_at(faces: Faces, slot: int) -> Any:
    return (slot // 12) * 16 + faces[slot // 12, slot % 12]


@compiled
def find_card(row: Numbers, player: int, card: int) -> Any:
    """The number of a card within a hand."""
    number = 0
    while row[HANDS + player * 12 + number] != card:
        number += 1
    return number


@compiled
def whole_orders(row: Numbers, top: int, order: Numbers, fixed: int) -> Any:
    """In how many orders the pile can lie once `fixed` cards of `order` are drawn."""
    size = 0
    for kind in range(5):
        size += row[COUNTS + kind]
    if fixed >= size:
        return 1
    if top < 0:
        return factorial(size - fixed)
    shown = order[fixed] >> 4 if fixed else top
    number = row[COUNTS + shown]
    for index in range(fixed):
        number -= order[index] >> 4 == shown
    return number * factorial(size - fixed - 1)
