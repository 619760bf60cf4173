"""A table with nothing hidden as one row of numbers, and cards laid on it and taken back.

A column is `total | cards << 8 | last card's worth << 16`: dynamite goes off as it is laid, and as a type has only
one, nothing else of the column matters. A player's score is the sum, over types, of `total << 16` less `cards << 8`
where the column is safe, and of `-SHOT - cards` where Billy shoots, so that one comparison decides on the points and
on both tie-breaks.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.kernels import compiled

Numbers = NDArray[np.int64]
Faces = NDArray[np.int8]

SHOT = 1 << 26
SHARE = 60
"""A whole victory where three or more play: it can be shared by up to five."""

GIVE, CLAIM, DUMP = 0, 1, 2
WIN, MARGIN, COALITION, RIVALS = 0, 1, 2, 3
"""What is played for: by two, by two, by three or more, by three or more."""

PLAYERS, MOVER, HELD, GOAL, LOWEST, HIGHEST = 0, 1, 2, 3, 4, 5
"""How many play, who moves first, how many cards a hand holds, what is played for, and the bounds of its value."""
SALT = 6
"""A number that tells the deals of a batch apart."""
COLUMNS = 8
"""[owner, type]: the players' columns, then Billy's."""
BILLYS = COLUMNS + 25
PARTS = BILLYS + 5
"""[player, type]: each column's part of the score."""
SCORES = PARTS + 25
HANDS = SCORES + 5
"""[player, card]: every hand has room for twelve."""
COUNTS = HANDS + 60
"""How many cards of each type the pile holds."""
PILES = COUNTS + 5
"""[type, card]."""
REPLIES = PILES + 60
"""[player]: what worked last as a last move, and as the one before it."""
ROW = REPLIES + 10


@compiled
def place(column: int, face: int) -> Any:
    """The column with a card laid on it."""
    if face < 11:
        return (column & 0xFFFF) + face + 256 + (face << 16)
    gone = 256 if column & 0xFF00 else 0
    return (column & 0xFFFF) - (column >> 16) - gone


@compiled
def part(column: int, billy: int) -> Any:
    """A column's part of the score, where Billy's total is given."""
    total, cards = column & 255, (column >> 8) & 255
    return (total << 16) - (cards << 8) if total <= billy else -SHOT - cards


@compiled
def strip(score: int) -> Any:
    """The score without the marks of Billy's shots."""
    return ((score + (SHOT >> 1)) & (SHOT - 1)) - (SHOT >> 1)


@compiled
def duel(own: int, other: int, goal: int) -> Any:
    """What two scores are worth to the one whose is first."""
    if own < -(SHOT >> 1) and other < -(SHOT >> 1):
        own, other = strip(own), strip(other)
    if goal == MARGIN:
        points = (own + 65535) >> 16 if own > 0 else 0
        return points - ((other + 65535) >> 16 if other > 0 else 0)
    if own <= 0 and other <= 0:
        return 0
    return (own > other) - (own < other)


@compiled
def winners(row: Numbers) -> Any:
    """The players who share the victory, as bits; none: Billy wins."""
    players = row[PLAYERS]
    best = row[SCORES]
    for player in range(1, players):
        best = max(best, row[SCORES + player])
    stripped = best < -(SHOT >> 1)
    if stripped:
        best = strip(row[SCORES])
        for player in range(1, players):
            best = max(best, strip(row[SCORES + player]))
    found = 0
    if best > 0:
        for player in range(players):
            score = strip(row[SCORES + player]) if stripped else row[SCORES + player]
            if score == best:
                found |= 1 << player
    return found


@compiled
def share(found: int, player: int) -> Any:
    """The player's share of a victory, of SHARE."""
    if not (found >> player) & 1:
        return 0
    number = 0
    while found:
        number += found & 1
        found >>= 1
    return SHARE // number


@compiled
def lay(row: Numbers, player: int, card: int, verb: int) -> Any:
    """Lay a card; what `take_back` needs to know is returned. The hand still shows it: a draw takes its place."""
    kind = (card >> 4) & 7
    if verb == CLAIM:
        spot = COLUMNS + (player & 7) * 5 + kind
        before = row[spot]
        row[spot] = place(before, card & 15)
        _score(row, player, kind, row[BILLYS + kind] & 255)
        return before
    if verb == GIVE:
        before = row[BILLYS + kind]
        row[BILLYS + kind] = place(before, card & 15)
        for seat in range(row[PLAYERS]):
            _score(row, seat, kind, row[BILLYS + kind] & 255)
        return before
    return 0


@compiled
def take_back(row: Numbers, player: int, card: int, verb: int, before: int) -> None:
    kind = (card >> 4) & 7
    if verb == CLAIM:
        row[COLUMNS + (player & 7) * 5 + kind] = before
        _score(row, player, kind, row[BILLYS + kind] & 255)
    elif verb == GIVE:
        row[BILLYS + kind] = before
        for seat in range(row[PLAYERS]):
            _score(row, seat, kind, before & 255)


@compiled
def _score(row: Numbers, player: int, kind: int, billy: int) -> None:
    player &= 7  # tells the compiler that no index is negative
    spot = PARTS + player * 5 + kind
    new = part(row[COLUMNS + player * 5 + kind], billy)
    row[SCORES + player] += new - row[spot]
    row[spot] = new


@compiled
def pick_up(row: Numbers, kind: int, number: int) -> Any:
    """Take a card of a type out of the pile; `put_back` undoes the last one."""
    kind, number = kind & 7, number & 15
    row[COUNTS + kind] -= 1
    spot, last = PILES + kind * 12 + number, PILES + kind * 12 + (row[COUNTS + kind] & 15)
    card = row[spot]
    row[spot] = row[last]
    row[last] = card
    return card


@compiled
def put_back(row: Numbers, kind: int, number: int) -> None:
    kind, number = kind & 7, number & 15
    spot, last = PILES + kind * 12 + number, PILES + kind * 12 + (row[COUNTS + kind] & 15)
    card = row[spot]
    row[spot] = row[last]
    row[last] = card
    row[COUNTS + kind] += 1


@compiled
def set_up(row: Numbers, setting: Numbers, faces: Faces, zones: Faces) -> None:
    """The row of a deal: faces by slot, zones as in `layout`, setting as the first numbers of the row."""
    row[:] = 0
    for index in range(setting.size):
        row[index] = setting[index]
    for kind in range(5):
        for slot in range(12):
            zone, face = zones[kind, slot] & 15, faces[kind, slot] & 15  # neither is negative where it counts
            if zone < 5:
                row[HANDS + zone * 12 + (row[REPLIES + zone] & 15)] = kind * 16 + face
                row[REPLIES + zone] += 1
            elif zone < 11:
                spot = COLUMNS - 25 + zone * 5 + kind
                row[spot] = place(row[spot], face)
            elif zone == 12:
                row[PILES + kind * 12 + (row[COUNTS + kind] & 15)] = kind * 16 + face
                row[COUNTS + kind] += 1
    row[REPLIES : REPLIES + 10] = 0
    for player in range(row[PLAYERS]):
        for kind in range(5):
            _score(row, player, kind, row[BILLYS + kind] & 255)
