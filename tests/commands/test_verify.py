"""A saved solution holds exactly if every claim in it can be proved anew from its position."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.answers import load
from cli.verifying import verify
from solver.certificate import certify
from solver.equilibria import value_of
from solver.errors import IllegalError, NotationError
from solver.saving import load_solution, save_solution
from solver.solution import order_moves
from solver.solve import solve
from solver.watch import Watch
from tests.commands.program import REFERENCE

# The values are those of tests/reference/answers.json; 288 public deals as counted in tests/test_tree.py.
SAVED = {
    ("fair-1", "fair"): "ok: lens fair, value 1/144 proved by exact best responses of both sides (288 deals)\n",
    ("fair-2", "fair"): "ok: lens fair, value 3/16 proved by exact best responses of both sides (288 deals)\n",
    ("small-1", "guard"): (
        "ok: lens guard, value 1/8 proved by exact best responses of both sides after each of 6 moves (72 deals)\n"
    ),
}
NAMES = list(SAVED)


@cache
def solved(name: str, lens: str) -> tuple[Any, Any, Any]:
    game, position = load(str(REFERENCE / f"{name}.toml"))
    return game, position, solve(game, position, lens=lens, exact=True)


@pytest.fixture(params=NAMES, ids="-".join)
def saved(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return save(request.param, tmp_path)


def save(name: tuple[str, str], folder: Path) -> Path:
    path = folder / f"{'-'.join(name)}.json"
    save_solution(*solved(*name), path)
    return path


def change(path: Path, how: Callable[[dict[str, Any]], None]) -> str:
    content = json.loads(path.read_text(encoding="utf-8"))
    before = json.dumps(content)
    how(content)
    assert json.dumps(content) != before
    path.write_text(json.dumps(content), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", NAMES, ids="-".join)
def test_a_saved_solution_holds(name: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(name, tmp_path)
    assert list(tmp_path.iterdir()) == [path]
    assert verify(str(path), str(REFERENCE / f"{name[0]}.toml"), as_json=False) == 0
    assert capsys.readouterr().out == SAVED[name]


def test_json_tells_the_interval_of_every_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(str(save(("small-1", "guard"), tmp_path)), as_json=True) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["why"], told["lens"], told["low"], told["high"]) == (True, None, "guard", "1/8", "1/8")
    assert {each["move"]: each["low"] for each in told["proofs"]}["claim B0"] == "7/72"  # 0.0972… in answers.json


def test_an_interval_that_is_not_closed_holds_as_an_interval(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of plans that play every move equally often; the errors of their value and moves are wide, but proved."""
    game, position, solution = solved("fair-2", "fair")
    fair = game.fair(position, "win").build(Watch())
    plans = [np.ones(side.sequences) for side in fair.game.sides]
    certificate = certify(fair.game, (plans[0], plans[1]))
    value, moves = value_of(certificate.interval), order_moves(list(fair.moves(certificate)))
    wide, path = replace(solution, certificates=(certificate,), picked=value, moves=moves), tmp_path / "wide.json"
    save_solution(game, position, wide, path)
    assert verify(str(path), as_json=False) == 0
    interval = certificate.interval
    told = re.search(r"value between (\S+) and (\S+) proved", capsys.readouterr().out)
    assert told is not None
    assert interval.low - Fraction(2, 10**9) < Fraction(told[1]) <= interval.low
    assert interval.high <= Fraction(told[2]) < interval.high + Fraction(2, 10**9)
    assert interval.low < Fraction(3, 16) < interval.high  # tests/reference/answers.json
    claims: tuple[dict[str, Any], ...] = (
        {"error": 0},
        {"error": value.error * (1 - 1e-12)},
        {"fraction": "3/16", "float": 0.1875},
    )
    for claim in claims:
        save_solution(game, position, wide, path)
        assert verify(change(path, partial(claim_value, claim)), as_json=False) == 1


def claim_value(claim: dict[str, Any], content: dict[str, Any]) -> None:
    content["value"].update(claim)


def one_weight(by: int) -> Callable[[dict[str, Any]], None]:
    def do(content: dict[str, Any]) -> None:
        weights = content["proofs"][-1]["plans"][0]["weights"]
        weights[0] += by

    return do


def last_frequency(content: dict[str, Any]) -> None:
    content["moves"][-1]["frequency"] = 0.25


WRONG: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "one weight more": (one_weight(1), "not a distribution"),
    "a negative weight": (one_weight(-(10**6)), "negative weight"),
    "a huge weight": (one_weight(10**40), "not a distribution"),
    "another denominator": (lambda c: c["proofs"][0]["plans"][1].update(denominator=7**30), "not a distribution"),
    "one weight too few": (lambda c: c["proofs"][0]["plans"][1]["weights"].pop(), "the number of weights"),
    "one weight too many": (lambda c: c["proofs"][0]["plans"][0]["weights"].append(0), "the number of weights"),
    "another value": (lambda c: c["value"].update(fraction="1/5"), "claimed is 1/5"),
    "another float": (lambda c: c["value"].update(float=0.2), "value: float: claimed is 0.2,"),
    "no fraction": (lambda c: c["value"].update(fraction=None), "value: fraction: claimed is None"),
    "another error": (lambda c: c["value"].update(error=0.1), "value: error: claimed is 0.1, found 0.0"),
    "low raised": (lambda c: c["proofs"][0].update(low="1/2"), "at least 1/2"),
    "high lowered": (lambda c: c["proofs"][0].update(high="-1/2"), "at most -1/2"),
    "another number of deals": (lambda c: c.update(deals=c["deals"] + 1), "deals: claimed is"),
    "a frequency": (last_frequency, "frequency: claimed is 0.25"),
    "a move's value": (lambda c: c["moves"][-1]["value"].update(fraction="0", float=0.0), "claimed is 0, found -1/"),
    "a move left out": (lambda c: c["moves"].pop(), "the moves: claimed"),
    "moves in another order": (lambda c: c["moves"].reverse(), "the moves: claimed"),
    "a proof twice": (lambda c: c["proofs"].append(c["proofs"][0]), "the number of proofs"),
    "a proof of another move": (lambda c: c["proofs"][0].update(move="draw"), "claimed is draw"),
    "a position with an empty line": (lambda c: c.update(position="\n" + c["position"]), "not written as it should be"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_claim_that_is_changed_does_not_hold(wrong: str, saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    how, words = WRONG[wrong]
    assert verify(change(saved, how), as_json=False) == 1
    told = capsys.readouterr().out
    assert told.startswith("does not hold: ")
    assert words in told
    assert verify(str(saved), as_json=True) == 1
    assert json.loads(capsys.readouterr().out)["ok"] is False


def test_an_interval_wider_than_proved_holds(saved: Path) -> None:
    assert verify(change(saved, lambda content: content["proofs"][0].update(low="-1", high="1")), as_json=False) == 0


def test_a_solution_for_another_objective_does_not_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(("small-1", "guard"), tmp_path)
    assert verify(change(path, lambda content: content.update(objective="margin")), as_json=False) == 1
    assert capsys.readouterr().out.startswith("does not hold: ")


def test_a_solution_of_another_position_does_not_hold(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(str(saved), str(REFERENCE / "small-2.toml"), as_json=False) == 1
    assert "another position: line " in capsys.readouterr().out


def test_a_proof_does_not_carry_over_to_another_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, position, _ = solved("fair-2", "fair")
    path = save(("fair-1", "fair"), tmp_path)
    assert verify(change(path, lambda c: c.update(position=game.format(position))), as_json=False) == 1
    assert "does not hold: " in capsys.readouterr().out


BROKEN: dict[str, tuple[Callable[[str], str], str]] = {
    "truncated": (lambda text: text[: len(text) // 2], "not JSON"),
    "empty": (lambda _: "", "there is nothing in it"),
    "not JSON": (lambda _: "game = 1", "not JSON"),
    "a list": (lambda _: "[1]", "not a saved solution"),
    "nested deeply": (lambda _: "[" * 100_000, "nested too deeply"),
    "another format": (lambda text: text.replace("lastdraw-solution", "other"), "not a saved solution"),
    "another version": (lambda text: text.replace('"version": 1', '"version": 2'), 'version "2" cannot be read'),
    "a version that is true": (lambda text: text.replace('"version": 1', '"version": true'), "cannot be read"),
    "a missing field": (lambda text: text.replace('"deals"', '"meals"'), '"deals" is missing'),
    "an unknown field": (lambda text: text.replace('"deals"', '"meals": 1, "deals"'), '"meals" is not known'),
    "a field twice": (lambda text: text.replace('"deals"', '"deals": 1, "deals"'), '"deals" is there twice'),
    "deals with a part": (lambda text: re.sub(r'"deals": \d+', '"deals": 1.5', text), "whole number"),
    "another lens": (lambda text: text.replace('"lens": "', '"lens": "very '), "should be one of fair, guard"),
    "an unknown game": (lambda text: text.replace('"game": "', '"game": "very '), "very blasting-billy"),
    "weights with a part": (lambda text: text.replace('"weights": [', '"weights": [0.5, '), "whole number"),
    "weights in words": (lambda text: text.replace('"weights": [', '"weights": ["1", '), "whole number"),
    "a weight of thousands of digits": (
        lambda text: text.replace('"weights": [', f'"weights": [{"7" * 5000}, '),
        "too large to read",
    ),
    "a low that is no fraction": (lambda text: text.replace('"low": "', '"low": "1/0'), "should be a fraction"),
    "not a number": (lambda text: text.replace('"error": 0.0', '"error": NaN'), "NaN is not a number"),
    "infinity": (lambda text: text.replace('"error": 0.0', '"error": 1e999'), "should be a number"),
    "a denominator of 0": (lambda text: text.replace('"denominator": ', '"denominator": -'), "at least 1"),
    "shares": (lambda text: text.replace('"win": null', '"win": 0.5'), "should be null"),
    "a broken position": (lambda text: text.replace("to_move", "to_mow"), "to_mow"),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_file_is_an_error_that_names_it(broken: str, saved: Path) -> None:
    how, words = BROKEN[broken]
    text = saved.read_text(encoding="utf-8")
    changed = how(text)
    assert changed != text
    saved.write_text(changed, encoding="utf-8")
    with pytest.raises(NotationError) as caught:
        verify(str(saved), as_json=False)
    assert str(caught.value).startswith(f"{saved}: ")
    assert words in str(caught.value)


def test_a_file_that_is_not_there_or_not_a_text_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match=r"nowhere\.json: cannot be read: No such file"):
        verify(str(tmp_path / "nowhere.json"), as_json=False)
    (tmp_path / "bytes").write_bytes(b"{\xff}")
    with pytest.raises(NotationError, match="byte 2 is not UTF-8"):
        verify(str(tmp_path / "bytes"), as_json=False)


def test_only_proved_solutions_can_be_saved(tmp_path: Path) -> None:
    game, position = load(str(REFERENCE / "small-1.toml"))
    with pytest.raises(IllegalError, match="lens open has no proof to save"):
        save_solution(game, position, solve(game, position, lens="open"), tmp_path / "open.json")
    game, position = load(str(REFERENCE / "small-3.toml"))
    with pytest.raises(IllegalError, match="on the mover's last turn, lens guard is lens open"):
        save_solution(game, position, solve(game, position, lens="guard"), tmp_path / "last.json")
    assert not list(tmp_path.iterdir())


def test_a_solution_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    for path in (tmp_path / "missing" / "a.json", tmp_path):
        with pytest.raises(NotationError, match="cannot be written: "):
            save_solution(*solved("small-1", "guard"), path)
    assert not list(tmp_path.iterdir())


def test_a_loaded_solution_says_what_was_saved(saved: Path) -> None:
    found = load_solution(saved.read_text(encoding="utf-8"))
    solution = next(solved(*name)[2] for name in NAMES if "-".join(name) == saved.stem)
    assert (found.value, found.deals, found.objective) == (solution.value, solution.deals, solution.objective)
    assert [each.frequency for each in found.moves] == [each.frequency for each in solution.moves]
    assert [each.interval for each in found.proofs] == [each.interval for each in solution.certificates]
