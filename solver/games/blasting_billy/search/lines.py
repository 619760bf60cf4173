"""How games ended that were looked at deal by deal: who won, who was shot in what, and what the next player replied."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.games.blasting_billy.table import VERBS, Move

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NO_REPLY = -1
SHARE_NAMES = ("win", "shared", "loss", "billy", "shot")
"""The mover wins alone, shares the victory, somebody else wins, nobody does; the mover is shot in some type."""


@dataclass(frozen=True, slots=True)
class Lines:
    """One line of play for each deal and each move that was tried."""

    winners: "NDArray[np.int64]"
    """[deal, move]: the players who share the victory, as bits; 0: Billy wins."""
    shot: "NDArray[np.int64]"
    """[deal, move, player]: the types in which Billy shoots the player, as bits."""
    reply_card: "NDArray[np.int64]"
    """[deal, move]: the card that the next player plays; -1 where nobody has a turn left."""
    reply_verb: "NDArray[np.int64]"
    """[deal, move]: the number of its verb in VERBS, or -1."""

    @property
    def replies(self) -> "NDArray[np.int64]":
        """[deal, move]: the next player's move, as `read_reply` takes it; NO_REPLY if there was none."""
        import numpy as np

        return np.where(self.reply_card < 0, NO_REPLY, self.reply_card * len(VERBS) + self.reply_verb)

    def shares(self, mover: int) -> "NDArray[np.float64]":
        """How the lines end for a player: [deal, move, one of SHARE_NAMES], each 0 or 1."""
        import numpy as np

        alone, wins, billy = self.winners == 1 << mover, self.winners >> mover & 1 == 1, self.winners == 0
        ends = (alone, wins & ~alone, ~wins & ~billy, billy, self.shot[..., mover] != 0)
        return np.stack(ends, axis=-1).astype(np.float64)


def agree(sampled: dict[str, float], known: Mapping[str, float]) -> dict[str, float]:
    """All shares. What known chances to win and to lose leave is split between the other two ends as it was sampled."""
    shares = {**sampled, **known}
    if {"win", "loss"} <= known.keys() and not {"shared", "billy"} & known.keys():
        rest, split = max(0.0, 1 - known["win"] - known["loss"]), sampled["shared"] + sampled["billy"]
        shares["billy"] = rest * sampled["billy"] / split if split else 0.0
        shares["shared"] = rest - shares["billy"]
    return shares


def read_reply(code: int) -> Move:
    """The move that a number of `Lines.replies` stands for: card * 3 + verb."""
    card, verb = divmod(code, len(VERBS))
    return Move(VERBS[verb], card)


def write_reply(move: Move) -> int:
    return move.card * len(VERBS) + VERBS.index(move.verb)
