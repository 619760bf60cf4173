"""What each command does: read, ask the solver, print."""

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

from solver.deals import count_deals
from solver.errors import IllegalError, ImpossibleError, LastdrawError, located
from solver.games.blasting_billy.as_json import beliefs_json, position_json
from solver.games.blasting_billy.table import Position
from solver.reading import read
from solver.texts import LARGEST, decode, read_file


def load(file: str) -> tuple[Any, Position]:
    """The game and the position in a file; errors say which file."""
    with located("standard input" if file == "-" else file):
        text = decode(sys.stdin.buffer.read(LARGEST + 1)) if file == "-" else read_file(Path(file))
        return read(text, Path(file).parent if file != "-" else Path())


def print_json(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def show(file: str, *, as_json: bool) -> None:
    _, position = load(file)
    if as_json:
        print_json(position_json(position))
    else:
        from cli.drawing import draw_table

        draw_table(position)


def check(file: str, *, as_json: bool) -> int:
    """0: all is well. 1: readable, but against the rules or itself; a text that cannot be read is an error."""
    try:
        game, position = load(file)
        deals = count_deals(game.hidden(position))
    except (ImpossibleError, IllegalError) as error:
        if as_json:
            print_json({"ok": False, "why": str(error), "statements": list(statements_of(error))})
        else:
            sys.stdout.write(f"impossible: {error}\n")
        return 1
    if as_json:
        print_json({"ok": True, "deals": deals})
    else:
        sys.stdout.write(f"ok: {deals:,} {'deal' if deals == 1 else 'deals'} of the hidden cards fit\n")
    return 0


def statements_of(error: LastdrawError) -> tuple[str, ...]:
    return error.statements if isinstance(error, ImpossibleError) and error.statements else (error.message,)


def beliefs(file: str, *, as_json: bool) -> None:
    from solver.games.blasting_billy.beliefs import believe

    _, position = load(file)
    found = believe(position)
    if as_json:
        print_json(beliefs_json(found, position))
    else:
        from cli.odds import print_beliefs

        print_beliefs(found, position)


def random(
    *,
    players: int,
    pile: int,
    seed: int | None,
    turns_left: int | None,
    deck_options: dict[str, Any],
    removed: int | None,
    covered: bool,
    as_record: bool,
    as_json: bool,
) -> None:
    from solver.games.blasting_billy.deck import PLAYERS, removed_at_setup
    from solver.games.blasting_billy.hidden import observe
    from solver.games.blasting_billy.position_text import format_position
    from solver.games.blasting_billy.random_play import play_randomly
    from solver.games.blasting_billy.record_text import format_record
    from solver.games.blasting_billy.setup_text import make_deck

    if players not in PLAYERS:
        raise IllegalError(f"--players {players}: 2 to 5 can play")
    left = players if turns_left is None else turns_left
    if not 0 <= left <= players:
        raise IllegalError(f"--turns-left {left}: 0 to {players} last turns can be left")
    deck = make_deck(**deck_options)
    out = removed_at_setup(players) * len(deck.cards) // 60 if removed is None else removed
    state, history = play_randomly(
        players=players,
        pile=pile,
        turns_left=left,
        deck=deck,
        removed=out,
        rng=Random(seed),
        covered=covered,
    )
    position = observe(state, state.to_move)
    if not as_json and not as_record:
        sys.stdout.write(format_position(position))
        return
    record = format_record(history if state.to_move is None else history.seen_by(state.to_move))
    if as_json:
        print_json({**position_json(position), "record": record, "seed": seed})
    else:
        sys.stdout.write(record)
