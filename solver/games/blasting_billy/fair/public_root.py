"""The root of a fair game: what is public to all, and every private state that each player may be in.

Seat 0 is the player to move. A type's cards that nobody has seen face up are numbered as bits; the holdings of one
player are listed type by type, equal states merged, and then multiplied out.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from math import comb, factorial, perm, prod

import numpy as np
from numpy.typing import NDArray

from solver.cards import Card, back_of, face_of, hide, is_hidden
from solver.errors import IllegalError
from solver.games.blasting_billy.deck import DYNAMITE, NAMES, TYPES, is_dynamite
from solver.games.blasting_billy.fair import _tree_kernel as kernel
from solver.games.blasting_billy.table import VERBS, Position

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Holding:
    """The face-down cards of one player in one type, by number: in the hand, first of the loot, given, dumped."""

    hand: int
    loot: int
    given: int
    dumped: int

    @property
    def cards(self) -> int:
        return self.hand + self.loot + self.given + self.dumped


def check_fair(position: Position) -> None:
    """Raise an error where the equilibrium is not defined: it needs two players and everybody's memory."""
    if len(position.players) != 2:
        raise IllegalError(f"--lens fair is for two players, and {len(position.players)} play: use open or guard")
    if position.to_move is None:
        raise IllegalError("the game is over: there is no move to choose")
    if position.boxed:
        raise IllegalError("--lens fair needs dumped and removed apart (and who dumped what), not box")
    if position.facts:
        raise IllegalError("--lens fair takes no facts: leave them out, or use open or guard")
    laid = [("billy", one) for column in position.billy for one in column]
    laid += [("dumped", one) for one in position.dumped]
    for where, one in laid:
        if one.owner is None:
            card = NAMES.format(one.card)
            raise IllegalError(
                f"--lens fair needs to know who laid {card} in {where}: write such as {card}@{position.players[0]}"
            )
    for known, where in _known_besides(position):
        raise IllegalError(
            f"--lens fair is about players who have seen their own cards and nothing else, and {NAMES.format(known)} "
            f"{where} is known: write {NAMES.format(hide(known))}, or use open or guard"
        )


def _known_besides(position: Position) -> Iterator[tuple[Card, str]]:
    """The cards that the player whose eyes these are knows though they never saw them. An onlooker who knows more than
    all others is no player: what is public stays the same."""
    me = position.me
    if me is None:
        return
    for seat, name in enumerate(position.players):
        if seat != me:
            yield from ((card, f"in {name}'s hand") for card in position.hands[seat] if not is_hidden(card))
            firsts = [card for column in position.loots[seat] for card in column[:1]]
            yield from ((card, f"as {name}'s first card") for card in firsts if not is_hidden(card))
            laid = [*(one for column in position.billy for one in column), *position.dumped]
            cards = [one.card for one in laid if one.owner == seat and not is_hidden(one.card)]
            yield from ((card, f"that {name} laid") for card in cards)
    yield from ((card, "in removed") for card in position.removed if not is_hidden(card))


class PublicRoot:
    """A position as everybody sees it, with the player to move as number 0."""

    def __init__(self, position: Position) -> None:
        check_fair(position)
        assert position.to_move is not None
        self.position = position
        self.seats = (position.to_move, 1 - position.to_move)
        shown = {card for loot in position.loots for column in loot for card in column[1:]}
        self.cards: tuple[Card, ...] = tuple(card for card in position.deck.cards if card not in shown)
        """Those that nobody has seen face up; a card's bit is its number in here."""
        self._unseen = Counter(map(back_of, self.cards))
        self.removed = Counter(map(back_of, position.removed))
        self._fuse_bits = [-1] * len(TYPES)
        for bit, card in enumerate(self.cards):
            if is_dynamite(card):
                self._fuse_bits[back_of(card)] = bit
        self._columns = [self._column(kind) for kind in TYPES]
        self.pile = {kind: self._unseen[kind] - self.removed[kind] - self._held(kind) for kind in TYPES}

    def _held(self, kind: int) -> int:
        return sum(self.holding(player, kind).cards for player in (0, 1))

    def holding(self, player: int, kind: int) -> Holding:
        position, seat = self.position, self.seats[player]
        return Holding(
            hand=sum(back_of(card) == kind for card in position.hands[seat]),
            loot=len(position.loots[seat][kind][:1]),
            given=sum(laid.owner == seat for laid in position.billy[kind]),
            dumped=sum(laid.owner == seat and back_of(laid.card) == kind for laid in position.dumped),
        )

    @property
    def turns(self) -> int:
        """How many moves are still to come."""
        size, hand = self.position.size, self.position.deck.hand
        return size + 2 if size else sum(len(cards) == hand for cards in self.position.hands)

    @property
    def deals(self) -> int:
        """The public deals: dumped cards are told apart, because their owners know them."""
        return prod(
            factorial(self._unseen[kind])
            // factorial(self.removed[kind])
            // factorial(self.pile[kind])
            // prod(factorial(self.holding(player, kind).hand) for player in (0, 1))
            for kind in TYPES
        )

    @property
    def pairs(self) -> int:
        """How many pairs of holdings there are, dumped cards of one player and type in no order: all as likely."""
        undrawn = prod(comb(self.removed[kind] + self.pile[kind], self.pile[kind]) for kind in TYPES)
        return self.deals // self._alike // undrawn

    @property
    def _alike(self) -> int:
        """In how many orders the cards that somebody dumped can be told."""
        return prod(factorial(self.holding(player, kind).dumped) for player in (0, 1) for kind in TYPES)

    @property
    def histories(self) -> int:
        """How many nodes the tree of all histories has: the deals, and what can follow, which is alike for all. Dumped
        cards of one player and type are not told apart there."""
        pile = tuple(self.pile[kind] for kind in TYPES)
        return 1 + self.deals // self._alike * self._nodes(self.turns, pile, self.position.top)

    def _nodes(self, turns: int, pile: tuple[int, ...], top: int | None) -> int:
        """The nodes from a player's turn on; draws without an alternative are none."""
        if not turns:
            return 1
        draws = [(after, number) for after, number in _draws(pile, top) if number]
        behind = sum(number * self._nodes(turns - 1, *after) for after, number in draws)
        chance = sum(number for _, number in draws) > 1
        return 1 + len(VERBS) * self.position.deck.hand * (chance + behind)

    def count_holdings(self, player: int) -> int:
        """How many holdings a player may have, before any are merged."""
        return prod(self.count_of_type(player, kind) for kind in TYPES)

    def count_of_type(self, player: int, kind: int) -> int:
        own = self.holding(player, kind)
        return perm(self._unseen[kind], own.cards) // factorial(own.hand) // factorial(own.dumped)

    def node(self) -> Numbers:
        """The public node that the tree begins with."""
        position = self.position
        node = np.zeros(kernel.NODE, np.int64)
        node[kernel.WEIGHT] = 1
        node[kernel.TOP] = -1 if position.top is None else position.top
        for kind in TYPES:
            node[kernel.PILE] += self.pile[kind] << (4 * kind)
            node[kernel.BILLYS + kind] = self._columns[kind]
            for player, seat in enumerate(self.seats):
                node[kernel.LOOTS + 5 * player + kind] = self._public_loot(position.loots[seat][kind])
        return node

    def _column(self, kind: int) -> int:
        column = self.position.billy[kind]
        return len(column) | sum(self.seats.index(laid.owner or 0) << 4 + place for place, laid in enumerate(column))

    def _public_loot(self, column: tuple[Card, ...]) -> int:
        loot = (kernel.FIRST if column else kernel.NO_FIRST) << 24
        for card in column[1:]:
            loot = int(kernel.lay_open(loot, face_of(card)))
        return loot

    @property
    def fuses(self) -> Numbers:
        """The bit of each type's dynamite; -1 where there is none, or all have seen it."""
        return np.array(self._fuse_bits, np.int64)

    def states(self, player: int) -> tuple[Numbers, Numbers]:
        """All private states of a player, and how many holdings each stands for."""
        states = np.zeros((1, kernel.STATE), np.int64)
        masses = np.ones(1, np.int64)
        node = self.node()
        for kind in TYPES:
            found = Counter(self._states_of_type(player, kind, node))
            part = np.array(list(found), np.int64)
            wide = np.zeros((len(part), kernel.STATE), np.int64)
            wide[:, [kernel.KNOWN, kernel.HAND, kernel.FIRSTS, kernel.PARTS + kind]] = part
            states = (states[:, None, :] + wide[None, :, :]).reshape(-1, kernel.STATE)
            masses = (masses[:, None] * np.array(list(found.values()), np.int64)[None, :]).reshape(-1)
        return states, masses

    def _states_of_type(self, player: int, kind: int, node: Numbers) -> Iterator[tuple[int, int, int, int]]:
        """Known cards, hand, first card of the loot and part of Billy's column, for every holding of the type."""
        own = self.holding(player, kind)
        bits = [bit for bit, card in enumerate(self.cards) if back_of(card) == kind]
        first_gone = (int(node[kernel.LOOTS + 5 * player + kind]) >> 24) & 3 == kernel.FIRST_GONE
        for laid in permutations(bits, own.loot + own.given):
            faces = [face_of(self.cards[bit]) for bit in laid]
            first = kernel.NONE if not own.loot else kernel.GONE if first_gone else faces[0]
            rest = [bit for bit in bits if bit not in laid]
            for hand in combinations(rest, own.hand):
                for dumped in combinations([bit for bit in rest if bit not in hand], own.dumped):
                    held = sum(1 << bit for bit in hand)
                    known = held + sum(1 << bit for bit in (*laid, *dumped))
                    part = self.part_of(player, kind, faces[own.loot :], known, held)
                    yield known, held, first << (4 * kind), part

    def part_of(self, player: int, kind: int, given: list[int], known: int, held: int) -> int:
        """The player's part of one of Billy's columns, from the faces given in order and the cards known and held."""
        column = self._columns[kind]
        places = [place for place in range(column & 15) if (column >> (4 + place)) & 1 == player]
        part = _part_of_column(given, places)
        return int(kernel.trim(part, column, player, self._danger(kind, known, held)))

    def _danger(self, kind: int, known: int, held: int) -> int:
        """What a player knows of the type's dynamite, as `trim` wants it."""
        fuse = self._fuse_bits[kind]
        if fuse < 0:
            return 0
        if not known >> fuse & 1:
            return 1
        return 2 if held >> fuse & 1 else 0


def _draws(pile: tuple[int, ...], top: int | None) -> list[tuple[tuple[tuple[int, ...], int | None], int]]:
    """What a draw leaves, as the pile by types and the next top, and with how many cards that happens."""
    if not sum(pile):
        return [((pile, None), 1)]
    result = []
    for kind in TYPES:
        if pile[kind] and top in (None, kind):
            rest = (*pile[:kind], pile[kind] - 1, *pile[kind + 1 :])
            tops = [None] if top is None or not sum(rest) else [other for other in TYPES if rest[other]]
            result += [((rest, after), pile[kind]) for after in tops]
    return result


def _part_of_column(faces: list[int], places: list[int]) -> int:
    """A player's own part of one of Billy's columns, with nothing trimmed."""
    total, taken, values = 0, 0, 0
    by_place = dict(zip(places, faces, strict=True))
    for place, face in by_place.items():
        if face != DYNAMITE:
            total += face
            values |= face << (4 * place)
        elif place - 1 in by_place:
            total -= by_place[place - 1]
            values &= ~(15 << (4 * (place - 1)))
        else:
            taken = place
    return total | taken << 6 | values << 10
