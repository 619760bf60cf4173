"""Best play followed to the end of the game: through all draws to count endings, or along one line.

At every ply the first of the best moves in canonical order is made.
"""

from typing import Any

import numpy as np

from solver.games.blasting_billy.search._rivals_kernel import RIVALS_PLY, canonical_order, search_rivals
from solver.games.blasting_billy.search._search_kernel import (
    BACK,
    BEFORE,
    CODE,
    DRAW,
    ENTER,
    ENTRIES,
    KIND,
    KNOWN,
    LAID,
    MIXER,
    MOVES,
    NUMBER,
    PLY,
    SHOWN,
    TOP,
    WHOLE,
    begin_draw,
    card_at,
    find_card,
    fixed_draw,
    list_moves,
    next_draw,
    search,
    whole_orders,
)
from solver.games.blasting_billy.search._table_kernel import (
    COUNTS,
    GOAL,
    HANDS,
    HIGHEST,
    LOWEST,
    MOVER,
    PARTS,
    PILES,
    PLAYERS,
    RIVALS,
    ROW,
    SALT,
    SCORES,
    SHOT,
    Faces,
    Numbers,
    lay,
    set_up,
    take_back,
    winners,
)
from solver.kernels import compiled

ALONE, SHARED, LOST, BILLY_WINS, IS_SHOT = range(5)
"""How a game can end for the mover; the last one beside one of the others."""
ENDINGS = 5
WINNERS, REPLY, REPLY_VERB, SHOTS = range(4)
"""What is told of a line: winners as bits, the next player's card and verb or -1, and each player's shots as bits."""
TOLD = SHOTS + 5


@compiled
def best_move(
    row: Numbers,
    stack: Numbers,
    histories: Numbers,
    memory: Numbers,
    order: Numbers,
    player: int,
    left: int,
    top: int,
    fixed: int,
) -> Any:
    """The first of the best moves in canonical order, as 4 * number in the hand + verb."""
    whole = whole_orders(row, top, order, fixed)
    canonical, used = histories[0], histories[1]
    if row[GOAL] == RIVALS:
        return search_rivals(row, stack, canonical, histories[2], order, player, left, top, whole, fixed, -1)
    kept = stack.size - PLY
    list_moves(row, stack, kept, canonical, player, left <= row[PLAYERS])
    number, code, best = stack[kept + NUMBER], -1, 0
    least, most = row[LOWEST] * whole, row[HIGHEST] * whole
    for index in range(-1, number - 1):  # first the value, then which move reaches it; the last one need not be tried
        if index >= 0:
            code = stack[kept + MOVES + index]
        value = search(row, stack, used, memory, order, player, left, top, whole, fixed, code, least, most)
        if index < 0:
            best = value
            least, most = (best - 1, best) if player == row[MOVER] else (best, best + 1)
        elif value >= best if player == row[MOVER] else value <= best:
            return code
    return stack[kept + MOVES + number - 1]


@compiled
def end(row: Numbers, endings: Numbers, told: Numbers) -> None:
    """Count an ending, and tell of it."""
    mover, found = row[MOVER], winners(row)
    told[WINNERS] = found
    if found == 0:
        endings[BILLY_WINS] += 1
    elif found == 1 << mover:
        endings[ALONE] += 1
    elif (found >> mover) & 1:
        endings[SHARED] += 1
    else:
        endings[LOST] += 1
    endings[IS_SHOT] += row[SCORES + mover] < -(SHOT >> 1)
    for player in range(row[PLAYERS]):
        told[SHOTS + player] = 0
        for kind in range(5):
            if row[PARTS + player * 5 + kind] < -(SHOT >> 1):
                told[SHOTS + player] |= 1 << kind


@compiled
def walk(
    row: Numbers,
    trail: Numbers,
    stack: Numbers,
    histories: Numbers,
    memory: Numbers,
    order: Numbers,
    left: int,
    top: int,
    seen: int,
    forced: int,
    endings: Numbers,
    told: Numbers,
) -> None:
    """Follow best play after a forced move, along `order` if it has any cards, which the players know if `seen`."""
    players, mover = row[PLAYERS], row[MOVER]
    depth, ply, stage = 0, 0, ENTER
    whole = whole_orders(row, top, order, 0)
    told[REPLY], told[REPLY_VERB] = -1, -1
    while True:
        seat, rest = (mover + depth) % players, left - depth
        if stage == ENTER:
            if rest == 0:
                end(row, endings, told)
                stage = BACK
            else:
                code = forced
                if depth:
                    coming = order[min(depth, order.size) :]
                    code = best_move(row, stack, histories, memory, coming, seat, rest, top, coming.size if seen else 0)
                card = row[HANDS + seat * 12 + (code >> 2)]
                if depth == 1:
                    told[REPLY], told[REPLY_VERB] = card, code & 3
                trail[ply + CODE], trail[ply + LAID], trail[ply + TOP] = code, card, top
                trail[ply + WHOLE] = whole
                trail[ply + BEFORE] = lay(row, seat, card, code & 3)
                if rest <= players:
                    depth, ply = depth + 1, ply + PLY
                    continue
                begin_draw(trail, ply, rest - players, top)
                stage = DRAW
        if stage == BACK:
            if depth == 0:
                return
            depth, ply = depth - 1, ply - PLY
            seat, rest = (mover + depth) % players, left - depth
            if rest > players:
                row[HANDS + seat * 12 + (trail[ply + CODE] >> 2)] = trail[ply + LAID]
                stage = DRAW
        if stage == DRAW:
            top = trail[ply + TOP]
            if order.size:
                whole = fixed_draw(row, trail, ply, order, depth, top < 0)
            else:
                whole = next_draw(row, trail, ply, top < 0)
            if whole:
                kind, top = trail[ply + KIND], trail[ply + SHOWN]
                row[HANDS + seat * 12 + (trail[ply + CODE] >> 2)] = row[PILES + kind * 12 + row[COUNTS + kind]]
                depth, ply, stage = depth + 1, ply + PLY, ENTER
                continue
            stage = BACK
        take_back(row, seat, trail[ply + LAID], trail[ply + CODE] & 3, trail[ply + BEFORE])


@compiled
def deal_walks(
    faces: Faces,
    zones: Faces,
    setting: Numbers,
    turns: Numbers,
    plays: Numbers,
    orders: Numbers,
    endings: Numbers,
    told: Numbers,
) -> None:
    """How deals end after plays: `endings` [deal, play, ending] in numbers of orders, and `told` [deal, play, what].

    The arguments are those of `deal_values`, but for `turns`, whose third entry says whether players see the order.
    """
    left, top, seen = turns[0], turns[1], turns[2]
    row = np.zeros(ROW, np.int64)
    trail = np.zeros((left + 2) * PLY, np.int64)
    stack = np.full((left + 3) * RIVALS_PLY, -1, np.int64)
    histories = np.zeros((3, 5 * KNOWN), np.int64)
    histories[0] = canonical_order()
    order = np.zeros(orders.shape[1], np.int64)
    memory = np.zeros(2 * ENTRIES if seen and order.size > 2 else 0, np.int64)
    for deal in range(len(faces)):
        set_up(row, setting, faces[deal], zones)
        row[SALT] = deal * MIXER
        histories[1] = 0
        for index in range(order.size):
            order[index] = card_at(faces[deal], orders[deal, index])
        for play in range(len(plays)):
            forced = find_card(row, row[MOVER], card_at(faces[deal], plays[play, 0])) * 4 + plays[play, 1]
            walk(
                row,
                trail,
                stack,
                histories,
                memory,
                order,
                left,
                top,
                seen,
                forced,
                endings[deal, play],
                told[deal, play],
            )
