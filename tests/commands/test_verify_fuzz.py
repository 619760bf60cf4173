"""A saved solution with any one thing in it changed: it holds only if all that it claims is still true."""

import json
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest

from cli.answers import load
from solver.errors import NotationError
from solver.saving import Verdict, load_solution, save_solution, verify_solution
from solver.solve import solve
from tests.commands.program import REFERENCE

SAVED = [("fair-1", "fair"), ("fair-2", "fair"), ("small-1", "guard"), ("small-4", "guard")]
CHANGES = 80
"""Of each solution; a third of them in the plans, which are most of the file."""

Path = tuple[str | int, ...]


@cache
def saved(name: str, lens: str) -> str:
    game, position = load(str(REFERENCE / f"{name}.toml"))
    folder = REFERENCE.parent.parent  # nothing is written there: the content is caught on its way
    written: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.saving.write_file", lambda _, text: written.append(text))
        save_solution(game, position, solve(game, position, lens=lens, exact=True), folder)
    return written[0]


def leaves(content: Any, path: Path = ()) -> Iterator[Path]:
    """The paths to all that is no list and no object."""
    if isinstance(content, dict | list):
        for key in content if isinstance(content, dict) else range(len(content)):
            yield from leaves(content[key], (*path, key))
    else:
        yield path


def at(content: Any, path: Path) -> Any:
    for key in path:
        content = content[key]
    return content


def changed(content: Any, path: Path, rng: Random) -> Any:
    """A copy with one leaf changed, taken out, or put in twice."""
    copy = deepcopy(content)
    holder, key = at(copy, path[:-1]), path[-1]
    value = holder[key]
    ways = ["null", "out", "text", "number", "list"]
    ways += ["near"] * 4 if value is not None else []
    ways += ["twice"] if isinstance(holder, list) else []
    way = rng.choice(ways)
    if way == "out":
        del holder[key]
    elif way == "twice":
        holder.insert(int(key), value)
    elif way == "near" and isinstance(value, int | float):
        holder[key] = value + rng.choice((-1, 1))
    elif way == "near":
        place = rng.randrange(len(value))
        holder[key] = value[:place] + rng.choice("019/-a@? \n") + value[place + rng.randrange(2) :]
    else:
        holder[key] = {"null": None, "text": "J", "number": rng.choice((-1, 0, 7, 0.5)), "list": [value]}[way]
    return copy


def still_true(before: Any, after: Any, path: Path) -> bool:
    """Whether a change leaves every claim as it was, or weaker: another way to write the same, a field that may be
    left out, or an end of an interval that is farther out."""
    old = at(before, path)
    try:
        new = at(after, path)
    except (KeyError, IndexError):
        new = None
    if path[0] == "moves" and old is None and new is None:
        return True  # shares and frequencies that are not claimed
    if isinstance(old, float) and isinstance(new, int | float):
        return bool(old == new)
    if path[0] == "proofs" and path[-1] in ("low", "high") and isinstance(new, str):
        outwards = Fraction(new) - Fraction(old)
        return outwards <= 0 if path[-1] == "low" else outwards >= 0
    if path[-1] == "fraction" and isinstance(old, str) and isinstance(new, str):
        return Fraction(old) == Fraction(new)
    return False


def judge(text: str) -> Verdict | NotationError:
    """What `verify` finds out: an error is exit 2, and any other error would be a traceback."""
    try:
        return verify_solution(load_solution(text))
    except NotationError as error:
        return error


@pytest.mark.parametrize(("name", "lens"), SAVED)
def test_nothing_in_a_saved_solution_can_be_changed_unnoticed(name: str, lens: str) -> None:
    text = saved(name, lens)
    content, rng = json.loads(text), Random(name)
    paths = list(leaves(content))
    plans, rest = ([path for path in paths if ("plans" in path) is part] for part in (True, False))
    assert verify_solution(load_solution(text)).ok
    answers = {"broken": 0, "does not hold": 0, "holds": 0}
    for number in range(CHANGES):
        path = rng.choice(plans if number % 3 == 0 else rest)
        after = changed(content, path, rng)
        if json.dumps(after) == json.dumps(content):
            continue
        verdict = judge(json.dumps(after))
        if isinstance(verdict, NotationError):
            assert 10 < len(str(verdict)) < 2_000
            assert str(verdict).count("\n") < 12
            answers["broken"] += 1
            continue
        where = path, at(content, path)
        assert verdict.ok == still_true(content, after, path), where
        assert verdict.ok or len(verdict.why) > 10, where
        answers["holds" if verdict.ok else "does not hold"] += 1
    assert min(answers["broken"], answers["does not hold"]) >= 15


@pytest.mark.parametrize(("name", "lens"), SAVED)
def test_a_plan_that_moves_weight_between_moves_is_another_plan_but_no_better_proof(name: str, lens: str) -> None:
    """Weights that still add up are a strategy, which proves less than is claimed or just as much."""
    content, rng, weaker = json.loads(saved(name, lens)), Random(lens), 0
    for _ in range(30):
        after = deepcopy(content)
        proof = rng.choice(after["proofs"])
        plan = rng.choice(proof["plans"])
        positive = [place for place, weight in enumerate(plan["weights"]) if weight]
        first, second = rng.choice(positive), rng.randrange(len(plan["weights"]))
        if first == second:
            continue
        plan["weights"][first] -= 1
        plan["weights"][second] += 1
        verdict = verify_solution(load_solution(json.dumps(after)))
        weaker += not verdict.ok
        if verdict.ok:
            value = Fraction(content["value"]["fraction"])
            assert all(each.low == each.high for each in verdict.intervals)
            assert max(each.low for each in verdict.intervals) == value
    assert weaker >= 15
