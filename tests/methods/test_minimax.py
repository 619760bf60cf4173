"""Minimax over all deals, on games whose open-card values can be worked out by hand, and on the answers elsewhere."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from solver.deals import count_deals
from solver.game import Game
from solver.games import find_game
from solver.methods.minimax import Listing
from solver.watch import Stopped, Watch
from tests.toys import KUHN, LEDUC, Position, State

REFERENCE = Path(__file__).parents[1] / "reference"
SMALL = [
    row
    for row in json.loads((REFERENCE / "answers.json").read_text(encoding="utf-8"))
    if row["lens"] == "open" and row["position"] in ("small-1.toml", "small-3.toml", "small-4.toml", "many-1.toml")
]


def values(game: Game[Position, State, str], text: str, mover: int) -> dict[str, Fraction | None]:
    position = game.parse(text)
    deals = count_deals(game.hidden(position))
    listing = Listing(game, position, mover=mover, objective="chips", others=None, deals=deals)
    return {str(found.move): found.value.fraction for found in listing.run(Watch())}


@pytest.mark.parametrize(
    ("text", "mover", "expected"),
    [
        # With open cards nobody calls with the lower card, so the first player wins or loses exactly the ante, but a
        # bet with the lower card is called and loses two.
        ("kuhn ann=K bob=?", 0, {"pass": 1, "bet": 1}),
        ("kuhn ann=Q bob=?", 0, {"pass": 0, "bet": Fraction(-1, 2)}),
        ("kuhn ann=J bob=?", 0, {"pass": -1, "bet": -2}),
        ("kuhn ann=? bob=Q bet", 1, {"pass": -1, "bet": 0}),
    ],
)
def test_open_kuhn_poker_is_as_worked_out_by_hand(text: str, mover: int, expected: dict[str, Fraction]) -> None:
    assert values(KUHN, text, mover) == expected


def test_draws_are_averaged_in_open_leduc_poker() -> None:
    """A king is ahead or even before the board, and the mean over boards keeps it so; nobody folds a winner."""
    king, jack = values(LEDUC, "leduc ann=K1 bob=?", 0), values(LEDUC, "leduc ann=J1 bob=?", 0)
    best_king, best_jack = (max(value for value in found.values() if value is not None) for found in (king, jack))
    assert best_king > 0 > best_jack


@pytest.mark.parametrize("row", SMALL, ids=[f"{row['position']}-{row.get('others')}" for row in SMALL])
def test_small_positions_have_the_values_computed_elsewhere(row: dict[str, object]) -> None:
    game = find_game("blasting-billy")
    position = game.parse((REFERENCE / str(row["position"])).read_text(encoding="utf-8"))
    deals = count_deals(game.hidden(position))
    assert deals == row["deals"]
    others = row.get("others")
    listing = Listing(
        game,
        position,
        mover=position.to_move,
        objective=str(row["objective"]),
        others=None if others is None else str(others),
        deals=deals,
    )
    assert {game.format_event(found.move): str(found.value.fraction) for found in listing.run(Watch())} == row["moves"]


def test_a_stop_is_obeyed() -> None:
    position = KUHN.parse("kuhn ann=K bob=?")
    watch = Watch()
    watch.stop()
    with pytest.raises(Stopped):
        Listing(KUHN, position, mover=0, objective="chips", others=None, deals=2).run(watch)
