"""Three or more players who each seek the largest share for themselves: all moves, all draws, all shares.

Nothing but a whole victory lets a player stop looking: shares are no single number that bounds could be put on.
Ties go to the lowest share of the mover, then to the first move in canonical order.
"""

from typing import Any

import numpy as np

from solver.games.blasting_billy.search._last_turns_kernel import ENDLESS
from solver.games.blasting_billy.search._search_kernel import (
    BACK,
    BEFORE,
    CODE,
    DRAW,
    ENTER,
    JUDGE,
    KIND,
    KNOWN,
    LAID,
    MOVES,
    NEXT,
    NUMBER,
    PLAY,
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
    whole_orders,
)
from solver.games.blasting_billy.search._table_kernel import (
    COUNTS,
    GIVE,
    HANDS,
    HELD,
    MOVER,
    PILES,
    PLAYERS,
    ROW,
    SHARE,
    Faces,
    Numbers,
    lay,
    set_up,
    share,
    take_back,
    winners,
)
from solver.kernels import compiled

BESTS = PLY
"""[player]: the shares after the best move so far."""
SUMS = BESTS + 5
"""[player]: the shares over the draws so far."""
CHOSEN = SUMS + 5
RIVALS_PLY = CHOSEN + 1


@compiled
def canonical_order() -> Any:
    """What `list_moves` takes for a history that puts moves in canonical order, on a stack filled with -1."""
    history = np.zeros(5 * KNOWN, np.int64)
    for player in range(5):
        for known in range(KNOWN):
            history[player * KNOWN + known] = -known
    return history


@compiled
def last_rival(row: Numbers, player: int) -> Any:
    """The winners, as bits, after the best last move of the last player."""
    mover, chosen, best, lowest, last = row[MOVER], 0, -1, 0, -1
    for turn in range(row[HELD]):
        card = ENDLESS
        for index in range(row[HELD]):
            other = row[HANDS + player * 12 + index]
            if last < other < card:
                card = other
        last = card
        for verb in range(GIVE, 3 if turn == 0 else 2):
            before = lay(row, player, card, verb)
            found = winners(row)
            take_back(row, player, card, verb, before)
            own, movers = share(found, player), share(found, mover)
            if own > best or (own == best and movers < lowest):
                chosen, best, lowest = found, own, movers
        if best == SHARE:
            break
    return chosen


@compiled
def search_rivals(
    row: Numbers,
    stack: Numbers,
    history: Numbers,
    value: Numbers,
    order: Numbers,
    player: int,
    left: int,
    top: int,
    whole: int,
    fixed: int,
    forced: int,
) -> Any:
    """Everyone's share into `value`, times `whole`; the best move at the first ply is returned.

    The arguments are those of `search`; `history` is the canonical order.
    """
    players, mover = row[PLAYERS], row[MOVER]
    depth, ply, stage = 0, 0, ENTER
    while True:
        seat, rest = (player + depth) % players, left - depth
        if stage == ENTER:
            if rest == 0 or (rest == 1 and depth):
                found = winners(row) if rest == 0 else last_rival(row, seat)
                for each in range(players):
                    value[each] = share(found, each)
                stage = BACK
            else:
                stack[ply + NEXT], stack[ply + BESTS + seat] = 0, -1
                stack[ply + WHOLE], stack[ply + TOP] = whole, top
                if forced >= 0 and depth == 0:
                    stack[ply + NUMBER], stack[ply + MOVES] = 1, forced
                else:
                    list_moves(row, stack, ply, history, seat, rest <= players)
                stage = PLAY
        if stage == PLAY:
            if stack[ply + NEXT] == stack[ply + NUMBER]:
                for each in range(players):
                    value[each] = stack[ply + BESTS + each]
                stage = BACK
            else:
                code = stack[ply + MOVES + stack[ply + NEXT]]
                card = row[HANDS + seat * 12 + (code >> 2)]
                stack[ply + CODE], stack[ply + LAID] = code, card
                stack[ply + BEFORE] = lay(row, seat, card, code & 3)
                if rest > players:
                    begin_draw(stack, ply, rest - players, stack[ply + TOP])
                    for each in range(players):
                        stack[ply + SUMS + each] = 0
                    stage = DRAW
                else:
                    depth, ply, stage = depth + 1, ply + RIVALS_PLY, ENTER
                    continue
        if stage == BACK:
            if depth == 0:
                return stack[CHOSEN]
            depth, ply = depth - 1, ply - RIVALS_PLY
            seat, rest, stage = (player + depth) % players, left - depth, JUDGE
            if rest > players:
                row[HANDS + seat * 12 + (stack[ply + CODE] >> 2)] = stack[ply + LAID]
                for each in range(players):
                    stack[ply + SUMS + each] += value[each]
                stage = DRAW
        if stage == DRAW:
            top = stack[ply + TOP]
            if depth < fixed:
                whole = fixed_draw(row, stack, ply, order, depth, top < 0)
            else:
                whole = next_draw(row, stack, ply, top < 0)
            if whole:
                kind, top = stack[ply + KIND], stack[ply + SHOWN]
                row[HANDS + seat * 12 + (stack[ply + CODE] >> 2)] = row[PILES + kind * 12 + row[COUNTS + kind]]
                depth, ply, stage = depth + 1, ply + RIVALS_PLY, ENTER
                continue
            for each in range(players):
                value[each] = stack[ply + SUMS + each]
            stage = JUDGE
        if stage == JUDGE:
            take_back(row, seat, stack[ply + LAID], stack[ply + CODE] & 3, stack[ply + BEFORE])
            stack[ply + NEXT] += 1
            stage = PLAY
            ahead = value[seat] - stack[ply + BESTS + seat]
            if ahead > 0 or (ahead == 0 and value[mover] < stack[ply + BESTS + mover]):
                for each in range(players):
                    stack[ply + BESTS + each] = value[each]
                stack[ply + CHOSEN] = stack[ply + CODE]
                if value[seat] == SHARE * stack[ply + WHOLE]:
                    stack[ply + NEXT] = stack[ply + NUMBER]


@compiled
def rival_values(
    faces: Faces, zones: Faces, setting: Numbers, turns: Numbers, plays: Numbers, orders: Numbers, out: Numbers
) -> None:
    """The mover's share of SHARE in each deal after each play, as `deal_values` has it."""
    left, top, fixed, scale = turns[0], turns[1], turns[2], turns[3]
    row = np.zeros(ROW, np.int64)
    stack = np.full((left + 2) * RIVALS_PLY, -1, np.int64)
    history, value = canonical_order(), np.zeros(5, np.int64)
    order = np.zeros(orders.shape[1], np.int64)
    for deal in range(len(faces)):
        set_up(row, setting, faces[deal], zones)
        for index in range(order.size):
            order[index] = card_at(faces[deal], orders[deal, index])
        whole = whole_orders(row, top, order, fixed)
        for play in range(len(plays)):
            forced = find_card(row, row[MOVER], card_at(faces[deal], plays[play, 0])) * 4 + plays[play, 1]
            search_rivals(row, stack, history, value, order, row[MOVER], left, top, whole, fixed, forced)
            out[deal, play] = value[row[MOVER]] * (scale // whole)
