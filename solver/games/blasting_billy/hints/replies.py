"""The reply to fear: what the next player can do about a move, as the mover will see it happen.

Where deals can be searched, a reply counts only where it is better than every dump, so that a move that changes
nothing is never feared. Where games are only played out, all that can be told is what was replied most often.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from solver.cards import back_of, face_of, make_card
from solver.games.blasting_billy import rules
from solver.games.blasting_billy.hidden import fill
from solver.games.blasting_billy.hints.measures import PICKING, share
from solver.games.blasting_billy.random_play import reveal
from solver.games.blasting_billy.search.layout import Layout
from solver.games.blasting_billy.search.lines import NO_REPLY, read_reply
from solver.games.blasting_billy.table import Move, Position, State
from solver.shortcuts import Question
from solver.solution import Value
from solver.watch import Watch

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_DEALS = 512
RAREST = 0.05
"""A reply that comes more rarely is not worth a sentence."""


class Look(NamedTuple):
    """A reply from outside: the face shows only where the card is claimed onto another."""

    verb: str
    type: int
    face: int | None


@dataclass(frozen=True, slots=True)
class Effect:
    """What a reply does most often that a dump does not do."""

    kind: str
    """`shot`: the mover is shot in the type; `escape`: a player is not shot in it any more; `points`: nobody's risk
    changes."""
    player: int
    type: int | None
    share: Value
    """In how many of the deals in which the reply is best."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the next player may do, how often, and what becomes of the mover's wins."""

    player: int
    look: Look
    searched: bool
    """It is the best reply, better than any dump; otherwise: what games that were played out had most often."""
    share: Value
    """Of all deals."""
    win: Value
    """How often the mover wins after it."""
    win_else: Value
    """Searched: had the player dumped instead, in the same deals. Otherwise: after all other replies."""
    effect: Effect | None
    """None where that was not found out."""


def find_reply(
    question: Question,
    method: str,
    move: Move,
    *,
    cards: "NDArray[np.int8]",
    winners: "NDArray[np.int64]",
    replies: "NDArray[np.int64]",
    watch: Watch,
) -> Reply | None:
    """The reply to fear after a move, on deals drawn at random; None where there is none or nothing can be told."""
    position: Position = question.position
    assert position.to_move is not None
    player = (position.to_move + 1) % len(position.players)
    if not position.size and len(position.hands[player]) < position.deck.hand:
        return None
    if method == "playouts":
        return _likely(position, player, winners, replies)
    if method == "sampled-order" or not _answerable(question):
        return None
    return _best(question, player, _answers(question, move, cards[:MOST_DEALS], watch))


def _answerable(question: Question) -> bool:
    """Whether the reply can be valued by itself: rivals who move later would break their ties otherwise."""
    position: Position = question.position
    to_come = sum(len(hand) == position.deck.hand for hand in position.hands)
    return question.others is None or (question.others == "rivals" and not position.size and to_come == 2)


def look_of(table: Position | State, player: int, reply: Move) -> Look:
    kind = back_of(reply.card)
    shows = reply.verb == "claim" and bool(table.loots[player][kind])
    return Look(reply.verb, kind, face_of(reply.card) if shows else None)


def _likely(
    position: Position, player: int, winners: "NDArray[np.int64]", replies: "NDArray[np.int64]"
) -> Reply | None:
    """What games had most often that were played out."""
    mover = position.to_move or 0
    first = len(replies) // PICKING
    looks = {code: look_of(position, player, read_reply(code)) for code in np.unique(replies).tolist() if code >= 0}
    counts: dict[Look, int] = defaultdict(int)
    for code in replies[:first].tolist():
        if code != NO_REPLY:
            counts[looks[code]] += 1
    if not counts:
        return None
    look = max(counts, key=lambda one: counts[one])
    came = np.isin(replies[first:], [code for code, one in looks.items() if one == look])
    won = winners[first:] == 1 << mover
    found = Reply(player, look, False, share(came), share(won[came]), share(won[~came]), None)
    return found if found.share.number >= RAREST else None


@dataclass(frozen=True, slots=True)
class _Answer:
    """The best replies in one deal, what they gain over the best dump, and how the game ends after each."""

    gain: float
    ends: "dict[Look, _End]"
    dumped: "_End"


class _End(NamedTuple):
    """Who won, and the types each player was shot in, as bits."""

    winners: int
    shot: tuple[int, ...]


def _answers(question: Question, move: Move, cards: "NDArray[np.int8]", watch: Watch) -> list[_Answer]:
    from solver.games.blasting_billy.search.evaluators import StateSearch

    layout, rng, found = Layout(question.position), Random(0), list[_Answer]()
    for number, dealt in enumerate(cards):
        if watch.stopped or watch.remaining <= 0:
            break
        after = known_position(play_on(layout, dealt, move, number, rng))
        assert after.to_move is not None
        search = StateSearch(Question(position=after, objective=question.objective, others=question.others))
        deal = search.draw(np.random.default_rng(0), 1)
        everyone = range(len(search.moves))
        values = search.values(deal, everyone)[0] / search.scale
        lines = search.lines(deal, everyone)
        ends = [_End(int(lines.winners[0, n]), tuple(lines.shot[0, n].tolist())) for n in everyone]
        found.append(_answer(after, rules.choices(after), values.tolist(), ends))
    return found


def _answer(after: Position, replies: Sequence[Move], values: Sequence[float], ends: Sequence[_End]) -> _Answer:
    dumps = [number for number, reply in enumerate(replies) if reply.verb == "dump"]
    dump = max(dumps, key=lambda number: values[number])
    best = max(values)
    looks: dict[Look, _End] = {}
    for reply, value, end in zip(replies, values, ends, strict=True):
        if value == best and reply.verb != "dump":
            looks.setdefault(look_of(after, after.to_move or 0, reply), end)
    return _Answer(best - values[dump], looks if best > values[dump] else {}, ends[dump])


def _best(question: Question, player: int, answers: Sequence[_Answer]) -> Reply | None:
    mover = question.position.to_move
    first = len(answers) // PICKING
    harm: dict[Look, float] = defaultdict(float)
    for answer in answers[:first]:
        for look in answer.ends:
            harm[look] += answer.gain
    if not harm:
        return None
    look = max(harm, key=lambda one: harm[one])
    told = answers[first:]
    come = [answer for answer in told if look in answer.ends]
    often = share(np.array([look in answer.ends for answer in told]))
    if often.number < RAREST:
        return None
    won = share(np.array([answer.ends[look].winners == 1 << mover for answer in come]))
    won_else = share(np.array([answer.dumped.winners == 1 << mover for answer in come]))
    effects = [_effect(mover, player, answer.ends[look], answer.dumped) for answer in come]
    main = max(dict.fromkeys(effects), key=effects.count)
    effect = Effect(*main, share(np.array([one == main for one in effects])))
    return Reply(player, look, True, often, won, won_else, effect)


def _effect(mover: int, player: int, end: _End, dumped: _End) -> tuple[str, int, int | None]:
    """What the reply does that a dump does not: of several things, the one that is nearest to the mover."""
    newly = end.shot[mover] & ~dumped.shot[mover]
    if newly:
        return "shot", mover, _lowest(newly)
    seats = len(end.shot)
    for seat in ((player + step) % seats for step in range(seats)):
        saved = dumped.shot[seat] & ~end.shot[seat]
        if saved and seat != mover:
            return "escape", seat, _lowest(saved)
    return "points", player, None


def _lowest(types: int) -> int:
    return (types & -types).bit_length() - 1


def play_on(layout: Layout, cards: "NDArray[np.int8]", move: Move, number: int, rng: Random) -> State:
    """The state of a deal after the move and the mover's draw. Forgotten cards take turns in being meant."""
    state = state_of(layout, cards)
    meant = rules.meanings(layout.position, state, move)
    state = rules.play(state, meant[number % len(meant)])
    if state.drawing:
        draws = rules.chances(state)
        (draw,) = rng.choices([draw for draw, _ in draws], [weight for _, weight in draws])
        state = rules.play(state, draw)
    return state


def state_of(layout: Layout, cards: "NDArray[np.int8]") -> State:
    """The state that one row of a layout's deals describes."""
    deal = tuple(
        tuple(
            tuple(sorted(make_card(hidden.kind, int(cards[hidden.kind, slot])) for slot in cell))
            for cell in hidden.cells
        )
        for hidden in layout.hidden
    )
    return fill(layout.position, deal)


def known_position(state: State) -> Position:
    """The state as its player to move would see it with every card turned up."""
    return replace(reveal(state), me=state.to_move)
