"""What `analyze` adds in lens guard and fair: that open cards mislead, and what the opponent replies."""

import json
import re
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from cli import wording
from cli.analysis import Asked, analyze
from cli.engine_requests import Request
from cli.engine_work import answer
from cli.figures import Figures
from cli.values import print_solution
from solver.games.blasting_billy.game import BlastingBilly
from solver.reading import read
from solver.solution import MoveValue, OpenCards, Reply, Solution, Value
from solver.watch import Watch
from tests.commands.program import REFERENCE, analyzed, interrupt_once_begun, run

GAME = BlastingBilly()
SMALL = REFERENCE / "small-1.toml"
QUICK = REFERENCE / "fair-1.toml"


def valued(values: dict[str, Value], **changes: Any) -> Solution:
    moves = tuple(MoveValue(GAME.parse_event(move), value) for move, value in values.items())
    exact = all(found.value.fraction is not None for found in moves)
    fixed: dict[str, Any] = {
        "game": "blasting-billy",
        "lens": "fair",
        "objective": "win",
        "others": None,
        "method": "lp",
        "exact": exact,
        "deals": 72,
        "sampled": None,
        "moves": moves,
        "best": (moves[0].move,),
        "picked": Value.exactly(Fraction(0)),
        "seconds": 0.1,
    }
    return Solution(**{**fixed, **changes})


def opened(*best: str) -> OpenCards:
    return OpenCards(tuple(map(GAME.parse_event, best)), Value.exactly(Fraction(1, 4)), True)


EXACT = {
    "dump B0": Value.exactly(Fraction(1, 8)),
    "claim B0": Value.exactly(Fraction(7, 72)),
    "claim J1": Value.exactly(Fraction(0)),
    "give J1": Value.exactly(Fraction(0)),
    "dump J1": Value.exactly(Fraction(-1)),
}
ABOUT = {"dump B0": Value.about(0.125, 0.001), "claim B0": Value.about(0.1, 0.002)}


@pytest.mark.parametrize(
    ("values", "lens", "best", "said"),
    [
        (
            EXACT,
            "guard",
            ("claim B0",),
            "claim B0 looks best with open cards (+0.250), but guarantees only +0.097; dump B0 guarantees +0.125.",
        ),
        (
            EXACT,
            "guard",
            ("claim J1", "claim B0"),
            "claim J1 and claim B0 look best with open cards (+0.250), but guarantee +0.097 at most; dump B0 "
            "guarantees +0.125.",
        ),
        (
            EXACT,
            "fair",
            ("claim B0",),
            "claim B0 looks best with open cards (+0.250), but once nobody sees through cards it is worth 0.028 less "
            "than dump B0.",
        ),
        (
            EXACT,
            "fair",
            ("claim B0", "claim J1", "give J1", "dump J1"),
            "claim B0, claim J1 and 2 more look best with open cards (+0.250), but once nobody sees through cards they "
            "are worth at least 0.028 less than dump B0.",
        ),
        (
            ABOUT,
            "guard",
            ("claim B0",),
            "claim B0 looks best with open cards (+0.250), but guarantees only +0.100 ±0.002; dump B0 guarantees "
            "+0.125 ±0.001.",
        ),
        (
            ABOUT,
            "fair",
            ("claim B0",),
            "claim B0 looks best with open cards (+0.250), but once nobody sees through cards it is worth 0.025 ±0.003 "
            "less than dump B0.",
        ),
    ],
)
def test_what_misleads_is_said_in_a_sentence(
    values: dict[str, Value], lens: str, best: tuple[str, ...], said: str
) -> None:
    solution = valued(values, lens=lens)
    assert wording.misleading(GAME, solution, opened(*best), Figures("win", 2)) == said


def shown(solution: Solution, width: int) -> str:
    file = StringIO()
    position = read(SMALL.read_text(encoding="utf-8"))[1]
    print_solution(GAME, position, solution, Console(width=width, file=file, force_terminal=True, color_system=None))
    return file.getvalue()


def test_the_sentence_is_there_only_where_open_misleads() -> None:
    sentence = "claim B0 looks best with open cards (+0.250)"
    misleading = opened("claim B0")
    honest = OpenCards(misleading.best, misleading.value, False)
    told = [shown(valued(EXACT, open=each), 120) for each in (misleading, honest, None)]
    assert [sentence in text for text in told] == [True, False, False]


REPLIES = (
    Reply("claim B", Fraction(3, 5)),
    Reply("give J", Fraction(1, 3)),
    Reply("claim J3", Fraction(1, 15)),
)


def with_replies(replies: tuple[Reply, ...]) -> Solution:
    others = (Reply("dump", Fraction(1)),) if replies else ()
    solution = valued(EXACT)
    moves = [
        MoveValue(found.move, found.value, replies=replies if number < 2 else others)
        for number, found in enumerate(solution.moves)
    ]
    return valued(EXACT, moves=tuple(moves))


def test_replies_stand_under_the_table_and_moves_that_have_the_same_share_a_row() -> None:
    lines = [line.rstrip() for line in shown(with_replies(REPLIES), 100).splitlines()]
    begin = lines.index("Then ann, over all that ann may hold, in the equilibrium found:")
    assert lines[begin + 1 : begin + 4] == [
        "dump B0, claim B0           claim B face down 60%, give J 33%, claim J3 6.7%",
        "claim J1, give J1, dump J1  dump 100%",
        "",
    ]


@pytest.mark.parametrize("width", [30, 40, 60, 80])
def test_replies_and_the_sentence_fit_narrow_terminals(width: int) -> None:
    solution = with_replies(REPLIES)
    solution = valued(EXACT, moves=solution.moves, open=opened("claim B0"))
    lines = [line.rstrip() for line in shown(solution, width).splitlines()]
    assert max(map(len, lines)) <= width
    assert ("claim B face down 60%" if width > 30 else "60%") in "\n".join(lines)


def test_a_move_that_ends_the_game_has_no_replies_and_that_is_said() -> None:
    assert "ann has no turn after this one: there are no replies." in shown(with_replies(()), 100)


def test_replies_are_in_the_object_if_asked_and_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    for file, lens in ((SMALL, "fair"), (QUICK, "auto")):
        found = analyzed(file, capsys, lens=lens, replies=True)
        assert found["lens"] == "fair"
        for one in found["moves"]:
            assert sum(Fraction(reply["fraction"]) for reply in one["replies"]) == 1
            for reply in one["replies"]:
                assert list(reply) == ["reply", "frequency", "fraction"]
                assert reply["frequency"] == float(Fraction(reply["fraction"]))
                assert re.fullmatch(r"(give|dump) [JB]|claim [JB][0-3!]?|dump", reply["reply"])
    assert not any("replies" in one for one in analyzed(SMALL, capsys, lens="fair")["moves"])


@pytest.mark.parametrize("lens", ["open", "guard"])
def test_replies_in_another_lens_are_refused_in_words(lens: str) -> None:
    ran = run("analyze", str(SMALL), "--lens", lens, "--replies")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "--replies are told in lens fair" in ran.stderr
    assert f"--lens {lens}" in ran.stderr


def test_a_saved_solution_is_the_same_with_replies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = tmp_path / "with.json", tmp_path / "without.json"
    for path, replies in zip(paths, (True, False), strict=True):
        assert analyze(str(SMALL), Asked(lens="fair", replies=replies), as_json=True, save=str(path)) == 0
        assert ("replies" in json.loads(capsys.readouterr().out)["moves"][0]) == replies
    assert paths[0].read_text() == paths[1].read_text()
    assert "open" not in json.loads(paths[0].read_text())


def test_the_engine_tells_both_too() -> None:
    options = {"lens": "fair", "replies": True}
    request = Request(id=1, command="analyze", text=SMALL.read_text(encoding="utf-8"), options=options)
    found = answer(request, Watch())
    assert found["open"]["misleads"] is False
    assert all(one["replies"] for one in found["moves"])


SLOW = """
import sys, time
import solver.solve

def slow(self, seconds):
    sys.stderr.write("begun\\n")
    sys.stderr.flush()
    time.sleep(60)

solver.solve._Solving.exact_values = slow
from cli.main import main
main()
"""


@pytest.mark.parametrize("lens", ["guard", "fair"])
def test_ctrl_c_while_looking_at_open_cards_prints_what_the_lens_found(lens: str) -> None:
    found = interrupt_once_begun(SLOW, "analyze", str(SMALL), "--lens", lens, "--json")
    assert (found["lens"], found["interrupted"], found["open"]) == (lens, True, None)
    assert found["moves"][0]["value"]["fraction"] == "1/8"
