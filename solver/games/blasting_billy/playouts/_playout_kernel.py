"""Whole games played to the end by players who go by what they have seen, many deals at once.

Everything the players go by stands on a *sheet*: whole numbers [player, row, type], and last of all Billy's own
columns. A player's choice reads their own rows, and of the others only what lies open. Cards are numbered as
everywhere (type * 16 + face), a move is card * 3 + verb.
"""

import numpy as np

from solver.kernels import compiled

# The rows of a sheet. A column after dynamite: its worth, its cards, the worth of the last card, all cards ever laid.
SUM, COUNT, LAST, LAID = 0, 1, 2, 3
# What the others see of a column: the worth that lies open, and whether the face-down first card is still there.
SHOWN, COVERED = 4, 5
# What a player believes of Billy's column: worth of the cards they know, number of the others, last card's worth.
GIVEN, UNKNOWN, GIVEN_LAST = 6, 7, 8
# What a player has not seen of a type: how many cards, their worth, and a mask of the faces that were seen.
UNSEEN, UNSEEN_WORTH, SEEN = 9, 10, 11
ROWS = 12

NOT_KNOWN, NOTHING = -1, -2
GIVE, CLAIM, DUMP = 0, 1, 2
LOOT, BILLY = 5, 10  # zones of a layout; below LOOT are the hands
DYNAMITE = 11
KINDS = 5
SLOTS = 12
MOST_PLIES = 72
HALF = 2048
REACH = 8.0

# The entries of a manner: how somebody plays.
# How near Billy's total and a column may come: a spread at the end, for each unknown card, for each ply to come.
NEAR, NEAR_UNKNOWN, NEAR_PLY = 0, 1, 2
# What Billy gains on one's own and on the others' columns with each ply to come.
OWN_DRIFT, OTHER_DRIFT = 3, 4
# How sure a lead on points is: a spread at the end, and for each ply to come.
LEAD, LEAD_PLY = 5, 6
# Points that a card kept in the hand stands for: for each of its worth, or as a dynamite.
KEEP, KEEP_DYNAMITE = 7, 8
# The weight of the case in which everyone is shot.
ALL_SHOT = 9
# Prices, as chances to win: of dynamite, of a card claimed face up, of a dump, each before the last turn.
BLAST, OPEN_CLAIM, DUMPING = 10, 11, 12
# What others give to Billy, and claim face down, beyond the mean of the cards not seen.
GIFT, COVER = 13, 14


# The rows of a player's working sheet: Billy's believed totals and the means of the cards not seen, by type; chances
# to be safe and points, by player; then columns and chances to be safe in one type, by player and type.
TOTALS, MEANS, SAFE, POINTS, COLUMNS, CHANCES = 0, 1, 2, 3, 4, 9
WORK = 14


@compiled
def _learn(sheet: np.ndarray, seat: int, card: int) -> None:
    """A player sees a card."""
    kind, face = card >> 4, card & 15
    if not sheet[seat, SEEN, kind] >> face & 1:
        sheet[seat, SEEN, kind] |= 1 << face
        sheet[seat, UNSEEN, kind] -= 1
        if face < DYNAMITE:
            sheet[seat, UNSEEN_WORTH, kind] -= face


@compiled
def _lay(sheet: np.ndarray, seat: int, card: int) -> None:
    """A card comes to the end of a column, Billy's or a player's; dynamite goes off at once."""
    kind, face = card >> 4, card & 15
    if face == DYNAMITE:
        sheet[seat, SUM, kind] -= sheet[seat, LAST, kind]
        if sheet[seat, COUNT, kind]:
            sheet[seat, COUNT, kind] -= 1
        sheet[seat, LAST, kind] = 0
    else:
        sheet[seat, SUM, kind] += face
        sheet[seat, COUNT, kind] += 1
        sheet[seat, LAST, kind] = face
    sheet[seat, LAID, kind] += 1


@compiled
def _give(sheet: np.ndarray, card: int, knowers: int) -> None:
    """A card for Billy, which only some players know."""
    players = sheet.shape[0] - 1
    kind, face = card >> 4, card & 15
    _lay(sheet, players, card)
    for seat in range(players):
        if not knowers >> seat & 1:
            sheet[seat, UNKNOWN, kind] += 1
            sheet[seat, GIVEN_LAST, kind] = NOT_KNOWN
        elif face < DYNAMITE:
            sheet[seat, GIVEN, kind] += face
            sheet[seat, GIVEN_LAST, kind] = face
        else:
            if sheet[seat, GIVEN_LAST, kind] == NOT_KNOWN:
                sheet[seat, UNKNOWN, kind] -= 1
            elif sheet[seat, GIVEN_LAST, kind] >= 0:
                sheet[seat, GIVEN, kind] -= sheet[seat, GIVEN_LAST, kind]
            sheet[seat, GIVEN_LAST, kind] = NOTHING


@compiled
def _claim(sheet: np.ndarray, seat: int, card: int) -> None:
    """A card for a player's own column: the first face down, later ones open to everyone."""
    kind, face = card >> 4, card & 15
    if sheet[seat, LAID, kind] == 0:
        sheet[seat, COVERED, kind] = 1
    else:
        for other in range(sheet.shape[0] - 1):
            _learn(sheet, other, card)
        if face < DYNAMITE:
            sheet[seat, SHOWN, kind] += face
        elif sheet[seat, LAID, kind] == 1:
            sheet[seat, COVERED, kind] = 0
        else:
            sheet[seat, SHOWN, kind] -= sheet[seat, LAST, kind]
    _lay(sheet, seat, card)


@compiled
def _set_up(cards: np.ndarray, zones: np.ndarray, knowers: np.ndarray, sheet: np.ndarray, hands: np.ndarray) -> None:
    """The sheet and the hands of a dealt position. Knowers: a mask of the players who know the card of a slot."""
    players = sheet.shape[0] - 1
    sheet[:] = 0
    hands[:] = -1
    for kind in range(KINDS):
        for seat in range(players):
            sheet[seat, GIVEN_LAST, kind] = NOTHING
            for slot in range(SLOTS):
                if zones[kind, slot] >= 0:
                    sheet[seat, UNSEEN, kind] += 1
                    if cards[kind, slot] < DYNAMITE:
                        sheet[seat, UNSEEN_WORTH, kind] += cards[kind, slot]
        for slot in range(SLOTS):
            zone, mask, card = zones[kind, slot], knowers[kind, slot], kind * 16 + cards[kind, slot]
            if zone < 0:
                continue
            for seat in range(players):
                if mask >> seat & 1:
                    _learn(sheet, seat, card)
            if zone == BILLY:
                _give(sheet, card, mask)
            elif LOOT <= zone < BILLY:
                _claim(sheet, zone - LOOT, card)
            elif zone < LOOT:
                index = 0
                while hands[zone, index] >= 0:
                    index += 1
                hands[zone, index] = card


@compiled
def _logistics() -> np.ndarray:
    """The logistic function, tabulated."""
    table = np.empty(2 * HALF + 1)
    for index in range(2 * HALF + 1):
        table[index] = 1.0 / (1.0 + np.exp((HALF - index) * REACH / HALF))
    return table


@compiled
def _slopes(manners: np.ndarray) -> np.ndarray:
    """How steep a player's logistic is: [player, plies left, unknown cards], with the lead on points last of all."""
    found = np.empty((manners.shape[0], MOST_PLIES, SLOTS + 3))
    for seat in range(manners.shape[0]):
        near, unknown_part, ply_part = manners[seat, NEAR], manners[seat, NEAR_UNKNOWN], manners[seat, NEAR_PLY]
        for plies in range(MOST_PLIES):
            for unknown in range(SLOTS + 2):
                spread = near * near + unknown * unknown_part * unknown_part + plies * ply_part * ply_part
                found[seat, plies, unknown] = HALF / REACH / np.sqrt(spread)
            lead = manners[seat, LEAD] ** 2 + plies * manners[seat, LEAD_PLY] ** 2
            found[seat, plies, SLOTS + 2] = HALF / REACH / np.sqrt(lead)
    return found


@compiled
def _look_up(logistics: np.ndarray, scaled: float) -> float:
    return float(logistics[int(min(2.0 * HALF, max(0.0, scaled + HALF)))])


@compiled
def _believe(
    sheet: np.ndarray,
    seat: int,
    plies: int,
    manner: np.ndarray,
    slope: np.ndarray,
    logistics: np.ndarray,
    work: np.ndarray,
) -> None:
    """Fill the working sheet with what a player thinks of the table before they move."""
    for kind in range(KINDS):
        unseen = sheet[seat, UNSEEN, kind]
        mean = sheet[seat, UNSEEN_WORTH, kind] / unseen if unseen else 0.0
        work[MEANS, kind] = mean
        work[TOTALS, kind] = sheet[seat, GIVEN, kind] + sheet[seat, UNKNOWN, kind] * (mean + manner[GIFT])
    for other in range(sheet.shape[0] - 1):
        safe, points = 1.0, 0.0
        for kind in range(KINDS):
            unknown = sheet[seat, UNKNOWN, kind]
            if other == seat:
                column = float(sheet[seat, SUM, kind])
                drift = manner[OWN_DRIFT] * plies
            else:
                covered = sheet[other, COVERED, kind]
                column = sheet[other, SHOWN, kind] + covered * (work[MEANS, kind] + manner[COVER])
                drift = manner[OTHER_DRIFT] * plies
                unknown += covered
            chance = _look_up(logistics, (work[TOTALS, kind] - column + 0.5 + drift) * slope[unknown])
            work[COLUMNS + other, kind] = column
            work[CHANCES + other, kind] = chance
            safe *= chance
            points += column
        work[SAFE, other] = safe
        work[POINTS, other] = points


@compiled
def _choose(
    sheet: np.ndarray,
    hand: np.ndarray,
    seat: int,
    plies: int,
    manner: np.ndarray,
    slope: np.ndarray,
    logistics: np.ndarray,
    work: np.ndarray,
) -> int:
    """The move of a player with so many plies to come after it: the best believed chance to win one ply ahead."""
    players = sheet.shape[0] - 1
    last = plies < players
    own_drift, other_drift = manner[OWN_DRIFT] * plies, manner[OTHER_DRIFT] * plies
    _believe(sheet, seat, plies, manner, slope, logistics, work)
    best, best_score = -1, -1e9
    for index in range(hand.shape[0]):
        card = hand[index]
        if card < 0:
            continue
        kind, face = card >> 4, card & 15
        keeping, unknown, final = 0.0, sheet[seat, UNKNOWN, kind], sheet[seat, GIVEN_LAST, kind]
        if not last:
            for other in range(hand.shape[0]):
                if other != index and hand[other] >= 0:
                    held = hand[other] & 15
                    keeping += manner[KEEP] * held if held < DYNAMITE else manner[KEEP_DYNAMITE]
        for verb in range(3):
            billy, own, price, safe = work[TOTALS, kind], work[COLUMNS + seat, kind], 0.0, work[SAFE, seat]
            if verb == GIVE:
                if face < DYNAMITE:
                    billy += face
                elif final == NOT_KNOWN:
                    billy -= work[MEANS, kind]
                elif final >= 0:
                    billy -= final
            elif verb == CLAIM:
                own += face if face < DYNAMITE else -sheet[seat, LAST, kind]
                if sheet[seat, LAID, kind] and not last:
                    price = manner[OPEN_CLAIM]
            elif not last:
                price = manner[DUMPING]
            if face == DYNAMITE and not last:
                price += manner[BLAST]
            if verb != DUMP:
                chance = _look_up(logistics, (billy - own + 0.5 + own_drift) * slope[unknown])
                safe *= chance / work[CHANCES + seat, kind]
            points = work[POINTS, seat] + own - work[COLUMNS + seat, kind] + keeping
            ahead, all_shot, all_led = 1.0, 1.0 - safe, 1.0
            for other in range(players):
                if other == seat:
                    continue
                other_safe = work[SAFE, other]
                if verb == GIVE:
                    room = billy - work[COLUMNS + other, kind] + 0.5 + other_drift
                    chance = _look_up(logistics, room * slope[unknown + sheet[other, COVERED, kind]])
                    other_safe *= chance / work[CHANCES + other, kind]
                leads = _look_up(logistics, (points - work[POINTS, other]) * slope[SLOTS + 2])
                ahead *= 1.0 - other_safe * (1.0 - leads)
                all_shot *= 1.0 - other_safe
                all_led *= leads
            score = safe * ahead + all_shot * all_led * manner[ALL_SHOT] - price
            code = card * 3 + verb
            if score > best_score or (score == best_score and code < best):
                best, best_score = code, score
    return int(best)


@compiled
def _settle(sheet: np.ndarray, shot: np.ndarray, points: np.ndarray) -> int:
    """The end of the game: fills in the types each was shot in and the points; returns the mask of the winners."""
    players = sheet.shape[0] - 1
    anyone_safe = False
    for seat in range(players):
        shot[seat] = 0
        for kind in range(KINDS):
            if sheet[seat, SUM, kind] > sheet[players, SUM, kind]:
                shot[seat] |= 1 << kind
        anyone_safe |= shot[seat] == 0
    best, winners = -1, 0
    for seat in range(players):
        total, up, down = 0, 0, 0
        for kind in range(KINDS):
            if shot[seat] >> kind & 1:
                down += sheet[seat, COUNT, kind]
            else:
                total += sheet[seat, SUM, kind]
                up += sheet[seat, COUNT, kind]
        points[seat] = total
        if shot[seat] and anyone_safe:
            points[seat] = 0
            continue
        rank = total * 10000 + (99 - up) * 100 + 99 - down
        if total and rank > best:
            best, winners = rank, 1 << seat
        elif total and rank == best:
            winners |= 1 << seat
    return int(winners)


@compiled
def _turns(hands: np.ndarray, pile: int) -> int:
    """How many turns are left to all players together."""
    players, hand_size = hands.shape
    full = 0
    for seat in range(players):
        if hands[seat, hand_size - 1] >= 0:
            full += 1
    return pile + players if pile else full


@compiled
def play_out(
    cards: np.ndarray,
    piles: np.ndarray,
    zones: np.ndarray,
    knowers: np.ndarray,
    roots: np.ndarray,
    mover: int,
    hand_size: int,
    manners: np.ndarray,
    traced: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Every root move in every deal (-1: the mover chooses as well), then sensible play to the end.

    Returns [deal, move] masks of the winners, [deal, move, player] masks of the types shot in and points that count,
    [deal, move] the next player's move (-1: there was none), and all moves [deal, move, turn] where they are traced.
    """
    number, choices, players = roots.shape[0], roots.shape[1], manners.shape[0]
    winners = np.zeros((number, choices), np.int64)
    shot = np.zeros((number, choices, players), np.int64)
    points = np.zeros((number, choices, players), np.int64)
    replies = np.full((number, choices), -1, np.int64)
    start, sheet = np.zeros((2, players + 1, ROWS, KINDS), np.int64)
    full, hands = np.zeros((2, players, hand_size), np.int64)
    trace = np.full((number, choices, MOST_PLIES if traced else 0), -1, np.int64)
    work = np.zeros((WORK, KINDS))
    logistics, slopes = _logistics(), _slopes(manners)
    for deal in range(number):
        _set_up(cards[deal], zones, knowers, start, full)
        turns = _turns(full, piles.shape[1])
        for choice in range(choices):
            sheet[:] = start
            hands[:] = full
            seat = mover
            for turn in range(turns):
                plies = turns - turn - 1
                code = roots[deal, choice] if turn == 0 else -1
                if code < 0:
                    slope = slopes[seat, plies]
                    code = _choose(sheet, hands[seat], seat, plies, manners[seat], slope, logistics, work)
                if turn == 1:
                    replies[deal, choice] = code
                if traced:
                    trace[deal, choice, turn] = code
                card, verb = code // 3, code % 3
                index = 0
                while hands[seat, index] != card:
                    index += 1
                if verb == GIVE:
                    _give(sheet, card, 1 << seat)
                elif verb == CLAIM:
                    _claim(sheet, seat, card)
                hands[seat, index] = -1
                if turn < piles.shape[1]:
                    drawn = int(piles[deal, turn])
                    hands[seat, index] = drawn
                    _learn(sheet, seat, drawn)
                seat = seat + 1 if seat + 1 < players else 0
            winners[deal, choice] = _settle(sheet, shot[deal, choice], points[deal, choice])
    return winners, shot, points, replies, trace
