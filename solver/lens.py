"""Who sees what from the next move on: the three lenses, and the states in which each of them begins.

Nobody ever sees the order of a pile. In `open` the mover moves once without knowing and then everybody sees every
card; in `guard` the mover sees only their own cards and the others, as one team, see all; in `fair` each of two
players sees only their own, and play begins with what is public to both: there the mover's own cards are open too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from solver.deals import Cell, Deal, Pool, count_deals, list_deals, list_pool
from solver.errors import IllegalError, TooLargeError
from solver.game import CHANCE, OVER, Game


class Sight(Enum):
    """What a player sees of cards that are not their own."""

    OWN = "nothing, ever"
    LATER = "nothing until their next move is made, then everything"
    ALL = "everything"


@dataclass(frozen=True, slots=True)
class Lens:
    """`public`: play begins with what is public to all, rather than with what the mover sees."""

    name: str
    mover: Sight
    others: Sight
    public: bool = False
    most: int | None = None
    """How many can play at most, if not any number."""

    def sights(self, players: int, mover: int) -> tuple[Sight, ...]:
        """What each player sees."""
        return tuple(self.mover if player == mover else self.others for player in range(players))


OPEN = Lens("open", Sight.LATER, Sight.ALL)
GUARD = Lens("guard", Sight.OWN, Sight.ALL)
FAIR = Lens("fair", Sight.OWN, Sight.OWN, public=True, most=2)
LENSES = {lens.name: lens for lens in (OPEN, GUARD, FAIR)}


def side_of(player: int, mover: int) -> int:
    """Side 0 is the player to move at the root; side 1 is everybody else together."""
    return 0 if player == mover else 1


@dataclass(frozen=True, slots=True)
class Root:
    """Where play begins: who moves, what is known to all who do not see more, and how many deals fit."""

    mover: int
    position: Any
    deals: int
    dealt: "tuple[_DealtPool, ...]"

    def states(self, game: Game[Any, Any, Any]) -> Iterator[Any]:
        """The state of every deal, all equally likely."""
        for deal in list_deals([pool.apart for pool in self.dealt]):
            yield game.fill(self.position, tuple(map(_DealtPool.gather, self.dealt, deal)))


def find_root(game: Game[Any, Any, Any], position: Any, *, lens: Lens, limit: int) -> Root:
    """Where play begins in a lens; a TooLargeError beyond `limit` deals.

    In `open` and `guard` the position must be the mover's and hold no card of theirs that they forgot.
    """
    pools = game.hidden(position)
    state = game.fill(position, tuple(next(list_pool(pool)) for pool in pools))
    mover = game.turn(state)
    if mover == OVER:
        raise IllegalError("the game is over: there is no move to value")
    if mover == CHANCE:
        raise IllegalError("a position begins with a player's move, not with a chance event")
    players = len(game.seats(position))
    if lens.most is not None and players > lens.most:
        raise IllegalError(f"lens {lens.name} is for {lens.most} players, not {players}: use open or guard")
    if lens.public:
        position = game.observe(state, None)
        dealt = _tell_apart(game, position)
    else:
        game.choices(position)  # says whose turn it is, if not theirs
        dealt = tuple(
            _DealtPool(pool, pool, tuple((tuple(range(cell.size)),) for cell in pool.cells)) for pool in pools
        )
    deals = count_deals([pool.apart for pool in dealt])
    if deals > limit:
        raise TooLargeError(
            f"{deals:,} deals are too many to list, which is done for at most {limit:,}: take a position nearer the "
            "end, or a smaller deck"
        )
    return Root(mover, position, deals, dealt)


@dataclass(frozen=True, slots=True)
class _DealtPool:
    """A pool whose heaps are split where somebody tells their cards apart: `groups[cell]` are the places of a cell's
    cards that nobody does, and `apart` has a cell for each group."""

    pool: Pool
    apart: Pool
    groups: tuple[tuple[tuple[int, ...], ...], ...]

    def gather(self, deal: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
        """The deal of the whole cells: a group's cards at the group's places."""
        parts = iter(deal)
        cells = []
        for groups in self.groups:
            placed = {place: card for group in groups for place, card in zip(group, next(parts), strict=True)}
            cells.append(tuple(placed[place] for place in range(len(placed))))
        return tuple(cells)


def _tell_apart(game: Game[Any, Any, Any], position: Any) -> tuple[_DealtPool, ...]:
    """A heap to an onlooker may be none to a player, who knows which card of the box they laid there.

    Whether it is one is for the game to say: two cards of a cell are alike if the state stays the same when they
    change places.
    """
    pools = game.hidden(position)
    deal = tuple(next(list_pool(pool)) for pool in pools)
    state = game.fill(position, deal)
    result = []
    for number, pool in enumerate(pools):
        if pool.statements:
            raise IllegalError(f"lens fair knows only what is public, not {pool.statements[0].text}: use open or guard")
        grouped = []
        for cell in range(len(pool.cells)):
            groups: list[list[int]] = []
            for place in range(pool.cells[cell].size):
                for group in groups:
                    if game.fill(position, _exchange(deal, number, cell, (group[0], place))) == state:
                        group.append(place)
                        break
                else:
                    groups.append([place])
            grouped.append(tuple(map(tuple, groups)))
        cells = tuple(
            Cell(cell.name, len(group)) for cell, groups in zip(pool.cells, grouped, strict=True) for group in groups
        )
        result.append(_DealtPool(pool, replace(pool, cells=cells), tuple(grouped)))
    return tuple(result)


def _exchange(deal: Deal, pool: int, cell: int, places: tuple[int, int]) -> Deal:
    """The deal with two cards of a cell in each other's place."""
    cards = list(deal[pool][cell])
    one, other = places
    cards[one], cards[other] = cards[other], cards[one]
    cells = (*deal[pool][:cell], tuple(cards), *deal[pool][cell + 1 :])
    return (*deal[:pool], cells, *deal[pool + 1 :])
