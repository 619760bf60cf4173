"""Counts of histories, as chess programs count them: a wrong rule shows up as a wrong number.

A file is a position, a line `---`, the number of deals, and for each depth the number of histories of so many
moves and draws, summed over all deals. The numbers come from the twin.
"""

from pathlib import Path

import pytest

from solver.deals import count_deals, list_deals
from solver.game import CHANCE, Game
from solver.games.blasting_billy.game import BlastingBilly
from solver.games.blasting_billy.rules import Event
from solver.games.blasting_billy.table import Position, State
from tests import naive

FILES = sorted((Path(__file__).parents[1] / "perft").glob("*.perft"))
GAME: Game[Position, State, Event] = BlastingBilly()
SMALL = 6_000
"""Numbers up to this one are worked out again by the twin."""


def _read(path: Path) -> tuple[str, int, dict[int, int]]:
    text, _, numbers = path.read_text().partition("---\n")
    first, *lines = numbers.splitlines()
    depths = {int(head.removeprefix("depth ")): int(tail) for head, tail in (line.split(": ") for line in lines)}
    return text, int(first.removeprefix("deals ")), depths


def _histories(state: State, depth: int) -> int:
    if depth == 0:
        return 1
    events = [e for e, _ in GAME.chances(state)] if GAME.turn(state) == CHANCE else list(GAME.moves(state))
    return sum(_histories(GAME.play(state, event), depth - 1) for event in events)


def test_there_are_positions_to_count() -> None:
    assert len(FILES) >= 4


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_game_has_as_many_histories_as_the_file_says(path: Path) -> None:
    text, deals, depths = _read(path)
    position = GAME.parse(text)
    pools = GAME.hidden(position)
    assert count_deals(pools) == deals
    states = [GAME.fill(position, deal) for deal in list_deals(pools)]
    assert len(states) == deals
    assert {depth: sum(_histories(state, depth) for state in states) for depth in depths} == depths


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_numbers_in_the_file_are_those_of_the_twin(path: Path) -> None:
    text, deals, depths = _read(path)
    position = naive.read(text)
    states = [naive.fill(position, deal) for deal in naive.deals(position)]
    assert len(states) == deals
    for depth, number in depths.items():
        if number <= SMALL:
            assert sum(naive.histories(state, depth) for state in states) == number
