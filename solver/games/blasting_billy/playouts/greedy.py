"""A sensible player who looks one move ahead and goes only by what they have seen.

For each move they estimate the chance to win: that none of their columns ends above Billy's, and that the others'
do, or are worth less. Billy's totals are believed: what they gave themselves, and for what the others gave the mean
of the cards they have not seen. The further off the end, the less sure is everything.
"""

from random import Random
from typing import TYPE_CHECKING

import numpy as np

from solver.cards import HIDDEN, hide
from solver.games.blasting_billy.rules import choices
from solver.games.blasting_billy.search.layout import ABSENT, BILLY, LOOT, PILE, Layout
from solver.games.blasting_billy.search.lines import NO_REPLY, read_reply
from solver.games.blasting_billy.table import Move, Position

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MANNERS = {
    2: (0.1, 1.86, 0.73, 0.77, 0.14, 13.6, 0.71, 0.74, 4.25, 0.87, 0.0145, 0.007, 0.108, 0.59, 0.35),
    3: (1.72, 1.9, 0.4, 0.164, 0.185, 8.66, 1.1, 0.086, 1.93, 0.91, 0.018, 0.011, 0.017, 0.18, 0.37),
    4: (1.11, 2.12, 0.49, 0.187, 0.154, 8.26, 1.27, 0.034, 1.93, 0.8, 0.019, 0.009, 0.015, -0.4, 0.5),
    5: (1.44, 1.92, 0.55, 0.182, 0.174, 9.23, 1.7, 0.171, 2.37, 1.35, 0.021, 0.014, 0.015, -0.87, 0.65),
}
"""How two to five players play: weights that do well in tournaments against many others, not only against themselves.

`_playout_kernel` says what each weight means. The more players, the less can be left to others to give to Billy.
"""


def manners(players: int) -> "NDArray[np.float64]":
    """[player, weight]: everyone at a table plays alike."""
    return np.array([_MANNERS[players]] * players, np.float64)


def choose(position: Position, rng: Random) -> Move:
    """The move of the position's player, who is to move. Chance plays a part only where own cards were forgotten.

    The hidden cards are dealt somehow, and the player moves first of all in a playout: what they cannot see has no say.
    """
    from solver.games.blasting_billy.playouts._playout_kernel import play_out

    options, mover, layout = choices(position), position.to_move, Layout(position)
    assert mover is not None
    faces = layout.sample(np.random.default_rng(rng.getrandbits(63)), 1)
    left_to_them = np.full((1, 1), NO_REPLY, np.int64)
    *_, trace = play_out(
        faces, list_pile(layout, faces), layout.zones, know(layout), left_to_them, mover, position.deck.hand,
        manners(len(position.players)), True,
    )  # fmt: skip
    move = read_reply(int(trace[0, 0, 0]))
    return move if move in options else move._replace(card=hide(move.card))


def list_pile(layout: Layout, faces: "NDArray[np.int8]") -> "NDArray[np.int8]":
    """[deal, place]: the cards of the pile, one of the type that shows on top first: which one, the deal decides."""
    kinds, slots = np.nonzero(layout.zones == PILE)
    order = np.argsort(kinds != layout.position.top, kind="stable")
    kinds, slots = kinds[order], slots[order]
    return np.ascontiguousarray(faces[:, kinds, slots] + 16 * kinds, np.int8)


def know(layout: Layout) -> "NDArray[np.int64]":
    """[type, slot]: a bit for each player who knows the card there.

    Players know their hand and loot, what lies face up, and what they gave or dumped; the position's own player
    knows what is written, and of their own laid cards only that.
    """
    me = layout.position.me
    knowers = np.where(layout.owners == ABSENT, 0, 1 << np.maximum(layout.owners, 0).astype(np.int64))
    laid_away = layout.zones >= BILLY
    if me is not None:
        knowers[laid_away & (layout.owners == me)] = 0
        knowers[(layout.faces != HIDDEN) & (layout.zones != ABSENT)] |= 1 << me
    loot = (layout.zones >= LOOT) & (layout.zones < BILLY)
    knowers[loot & (layout.places > 0)] = (1 << len(layout.position.players)) - 1
    return knowers
