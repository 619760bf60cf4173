"""`hint` from outside: one move, how sure, and why, at every stage of the game."""

import json
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from cli import wording
from cli.advice import print_hint
from cli.analysis import Asked
from cli.engine_requests import Request
from cli.engine_work import answer
from cli.figures import Figures
from cli.hinting import Hint, advise, explain
from cli.why import Words, about
from solver.games.blasting_billy.hints.conditions import Condition
from solver.games.blasting_billy.hints.reasons import Chances, Evidence, Feared, Paired, Risk
from solver.games.blasting_billy.hints.replies import Effect, Look, Reply
from solver.games.blasting_billy.table import Move, Position
from solver.reading import read
from solver.solution import Value
from solver.watch import Watch
from tests.commands.program import EXAMPLES, REFERENCE, analyzed, hinted, interrupt_once_begun, run

SMALL = REFERENCE / "small-1.toml"
MISLEADING = EXAMPLES / "two-looks-best.toml"
STAGES = sorted(path for path in EXAMPLES.iterdir() if path.suffix in (".toml", ".record"))
OVER = ("five-over.toml", "two-whole-game.record")
KINDS = {"chances", "shot", "paired", "when", "reply"}


@pytest.mark.parametrize("path", [path for path in STAGES if path.name not in OVER], ids=lambda path: path.name)
def test_every_stage_of_the_game_has_a_hint(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = hinted(path, capsys, samples=200)
    assert found["hint"] == found["moves"][0]["move"]
    assert found["hint"] in found["best"]
    assert found["sure"]["kind"] == ("judgement" if found["method"] == "playouts" else "estimate")
    assert 1 <= len(found["why"]) <= 5
    for reason in found["why"]:
        assert reason["kind"] in KINDS
        assert reason["text"].endswith(".")
        assert "optimal" not in reason["text"]
        numbers = numbers_in(reason)
        assert numbers
        assert all(0 <= abs(number["float"]) <= 1 and number["error"] > 0 for number in numbers)
        said = re.findall(r"\d+(?:\.\d+)?%", reason["text"])
        assert said == [] or len(said) <= len(numbers)


def numbers_in(data: Any) -> list[dict[str, float]]:
    """Every number with an error, however deep."""
    if not isinstance(data, dict):
        return []
    if set(data) == {"float", "error"}:
        return [data]
    return [number for value in data.values() for number in numbers_in(value)]


def test_the_json_is_that_of_analyze_and_the_hint(capsys: pytest.CaptureFixture[str]) -> None:
    plain, found = analyzed(SMALL, capsys, lens="open"), hinted(SMALL, capsys)
    assert list(found)[-4:] == ["hint", "sure", "why", "fair"]
    for key in ("seconds", "hint", "sure", "why", "fair"):
        found.pop(key)
    plain.pop("seconds")
    assert found == plain


def test_an_exact_hint_says_its_exact_value_and_lead(capsys: pytest.CaptureFixture[str]) -> None:
    """By the reference: dump B0 5/18, then claim B0 1/4."""
    found = hinted(SMALL, capsys)
    assert found["hint"] == "dump B0"
    assert found["sure"]["kind"] == "exact"
    assert found["sure"]["runner_up"] == "claim B0"
    assert found["sure"]["lead"]["fraction"] == "1/36"
    assert "+0.278 (5/18)" in found["sure"]["text"]
    assert "all 72 deals" in found["sure"]["text"]
    assert "0.028 ahead of claim B0" in found["sure"]["text"]
    chances = next(reason for reason in found["why"] if reason["kind"] == "chances")
    best, rival = (next(one for one in found["moves"] if one["move"] == move) for move in ("dump B0", "claim B0"))
    assert chances["win"] == {"float": best["win"], "error": 0.0}
    assert chances["loss_instead"] == {"float": rival["loss"], "error": 0.0}
    assert "about" not in chances["text"]


def test_moves_that_tie_are_named_and_the_first_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    """By the reference, the three dumps of this last turn are worth the same, and claim G1 comes next."""
    analyzed(REFERENCE / "real-pile0-5.toml", capsys, exact=True)
    found = hinted(REFERENCE / "real-pile0-5.toml", capsys)
    assert found["best"] == ["dump C!", "dump G1", "dump G6"]
    assert found["hint"] == "dump C!"
    assert found["sure"]["runner_up"] == "claim G1"
    assert "dump G1 and dump G6 are exactly as good" in found["sure"]["text"]


def test_where_everything_ties_nothing_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    """By the reference, a coalition leaves every move of this position nothing."""
    found = hinted(REFERENCE / "many-2.toml", capsys, others="coalition")
    assert len(found["best"]) == 6
    assert found["sure"]["runner_up"] is None
    assert {reason["kind"] for reason in found["why"]} <= {"chances", "shot"}


def test_the_same_seed_and_samples_give_the_same_hint(capsys: pytest.CaptureFixture[str]) -> None:
    one, two, other = (hinted(EXAMPLES / "two-pile-one.toml", capsys, samples=400, seed=seed) for seed in (3, 3, 4))
    for found in (one, two, other):
        assert found.pop("seconds") > 0
    assert json.dumps(one) == json.dumps(two)
    assert one["why"] != other["why"]


def test_a_hint_reads_well_at_sixty_columns_without_colour() -> None:
    ran = run("hint", str(EXAMPLES / "three-last-round.record"), "--samples", "600", COLUMNS="60", NO_COLOR="1")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "\x1b" not in ran.stdout
    lines = ran.stdout.splitlines()
    assert max(map(len, lines)) <= 60
    assert re.fullmatch(r"(give|claim|dump) [JBCGD](\d+|!)", lines[0].strip())
    text = " ".join(ran.stdout.split())
    assert "equally likely (earlier play is no evidence)" in text
    assert "rivals" in text
    assert "600 sampled deals" in text
    assert "optimal" not in text


CAREFUL = (
    "Careful: once nobody sees through cards, give J3 is worth 0.125 less than dump J3 (lens fair; see lastdraw "
    "analyze)."
)
"""By the comment in the example: giving the J3 looks best, but in lens fair it is worth 1/8 less than dumping it."""


def test_where_open_cards_mislead_the_hint_keeps_its_move_and_says_so_under_its_first_lines() -> None:
    ran = run("hint", str(MISLEADING), COLUMNS="200")
    assert (ran.returncode, ran.stderr) == (0, "")
    lines = [line.rstrip() for line in ran.stdout.splitlines()]
    assert lines[0] == "give J3"
    assert lines[1].startswith("Exact over all 24 deals: ")
    assert lines[2] == CAREFUL
    assert lines[3].startswith("- ")


@pytest.mark.parametrize("objective", ["win", "margin"])
@pytest.mark.parametrize("path", [MISLEADING, SMALL], ids=lambda path: path.stem)
def test_what_lens_fair_says_stands_beside_the_hint_as_analyze_has_it(
    path: Path, objective: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fair = analyzed(path, capsys, objective=objective)
    assert fair["lens"] == "fair"
    expected = {"best": fair["best"], "value": fair["moves"][0]["value"], "misleads": fair["open"]["misleads"]}
    found = hinted(path, capsys, objective=objective)
    assert found["fair"] == expected
    assert found["lens"] == "open"
    assert found["hint"] in fair["open"]["best"]


def test_the_engine_tells_what_lens_fair_says_too() -> None:
    """By the comment in the example, and `analyze`: dumping the J3 is worth -1/8."""
    request = Request(id=1, command="hint", text=MISLEADING.read_text(encoding="utf-8"))
    found = answer(request, Watch())
    assert found["hint"] == "give J3"
    assert found["fair"] == {
        "best": ["dump J3"],
        "value": {"fraction": "-1/8", "float": -0.125, "error": 0.0},
        "misleads": True,
    }


def test_where_lens_fair_agrees_the_hint_has_no_word_of_caution(capsys: pytest.CaptureFixture[str]) -> None:
    """By the reference, dump B0 is best in lens open; in lens fair, too."""
    fair = hinted(SMALL, capsys)["fair"]
    assert (fair["best"], fair["misleads"]) == (["dump B0"], False)
    assert "Careful" not in run("hint", str(SMALL)).stdout


@pytest.mark.parametrize(
    ("path", "options"),
    [
        (EXAMPLES / "two-last-turn.toml", {}),
        (REFERENCE / "many-1.toml", {}),
        (MISLEADING, {"samples": 200}),
        (MISLEADING, {"budget": 0.1}),
    ],
    ids=["real size", "three players", "counted samples", "no time"],
)
def test_where_analyze_would_not_go_by_lens_fair_nor_does_the_hint(
    path: Path, options: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert hinted(path, capsys, **options)["fair"] is None


def test_a_caution_says_how_sure_it_is_where_lens_fair_is_not_exact() -> None:
    game, position = read(MISLEADING.read_text(encoding="utf-8"))
    fair = Asked(lens="fair").solve(game, position, Watch())
    moves = tuple(replace(each, value=Value.about(each.value.number, 0.001)) for each in fair.moves)
    told = wording.careful(game, game.parse_event("give J3"), replace(fair, moves=moves), Figures("win", 2))
    assert told == CAREFUL.replace("0.125", "0.125 ±0.002")


def test_the_caution_is_bold_and_there_without_reasons_too() -> None:
    game, position = read(MISLEADING.read_text(encoding="utf-8"))
    found = advise(game, position, Asked(), Watch(10.0))
    file = StringIO()
    console = Console(width=200, file=file, force_terminal=True, color_system="standard")
    print_hint(game, position, replace(found, why=None), console)
    assert f"\x1b[1m{CAREFUL}\x1b[0m" in file.getvalue()


SLOW = """
import sys, time
import solver.solve

def slow(*_, **options):
    sys.stderr.write("begun\\n")
    sys.stderr.flush()
    while HEEDLESS:
        time.sleep(60)
    while True:
        time.sleep(0.01)
        options["watch"].check()

solver.solve.solve_fair = slow
from cli.main import main
main()
"""


@pytest.mark.parametrize("heedless", [False, True])
def test_ctrl_c_while_lens_fair_is_looked_at_prints_the_hint(*, heedless: bool) -> None:
    found = interrupt_once_begun(SLOW.replace("HEEDLESS", str(heedless)), "hint", str(MISLEADING), "--json")
    assert (found["hint"], found["why"], found["fair"], found["interrupted"]) == ("give J3", [], None, True)


def test_a_hint_keeps_to_its_budget(capsys: pytest.CaptureFixture[str]) -> None:
    hinted(EXAMPLES / "four-mid-game.toml", capsys, samples=64)
    watch = Watch()
    hinted(EXAMPLES / "four-mid-game.toml", capsys, budget=1.5)
    assert watch.seconds < 6


@pytest.fixture(scope="module")
def position() -> Position:
    found: Position = read((EXAMPLES / "two-last-turn.toml").read_text())[1]
    return found


@pytest.fixture(scope="module")
def words(position: Position) -> Words:
    game = read((EXAMPLES / "two-last-turn.toml").read_text())[0]
    rival = game.parse_event("claim B0")
    assert isinstance(rival, Move)
    return Words(game, position, Evidence(game.parse_event("give B0"), rival, None, 100, ()))


def some(number: float, error: float = 0.01) -> Value:
    return Value.about(number, error)


def test_estimates_are_said_to_be_about_and_what_was_not_seen_is_not_impossible() -> None:
    assert about(some(0.5, 0.0)) == "50%"
    assert about(some(0.5)) == "about 50%"
    assert about(some(0.5, 0.08)) == "about 50% (±8)"
    assert about(some(0.0, 0.001)) == "less than 0.1%"
    assert about(some(1.0, 0.001)) == "more than 99.9%"
    assert about(some(0.0004, 0.001)) == "about 0.04%"


def test_reasons_are_said_in_plain_words(words: Words) -> None:
    risk = Risk(0, 3, some(0.25), some(0.5), some(-0.25))
    assert words.say(risk) == "For it: you are shot in gold in about 25% of the deals, after claim B0 in about 50%."
    risk = Risk(1, 0, some(0.25), some(0.5), some(-0.25))
    assert words.say(risk).startswith("Against it: jonas is shot in jewelry")
    assert words.say(Risk(0, 3, some(0.25), None, None)) == "You are shot in gold in about 25% of the deals."
    chances = Chances(some(0.5, 0.0), some(0.25, 0.0), some(0.4, 0.0), some(0.3, 0.0))
    assert words.say(chances) == "You win 50% of the deals and lose 25%; after claim B0 it is 40% and 30%."
    assert "came to the same as claim B0" in words.say(Paired(some(0.0), some(0.0), some(1.0)))
    reply = Reply(1, Look("give", 2, None), True, some(0.3), some(0.1), some(0.9), Effect("shot", 0, 2, some(0.6)))
    assert words.say(Feared(reply)) == (
        "Fear jonas giving a C to Billy: the best reply, better than any dump, in about 30% of the deals. Of these you "
        "win about 10%; had jonas dumped, about 90%. In about 60% of them it gets you shot in coins."
    )
    likely = Reply(1, Look("claim", 2, 7), False, some(0.3), some(0.1), some(0.9), None)
    said = "jonas most often replies by claiming the C7 (about 30%); you then win about 10%, otherwise about 90%."
    assert words.say(Feared(likely)).endswith(said)
    likely = Reply(1, Look("dump", 2, None), False, some(0.3), some(0.5), some(0.505), None)
    assert words.say(Feared(likely)).endswith("replies by dumping a C (about 30%).")


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        (Condition("card", 1, 0, 1, ">=", 6), "jonas's face-down J is 6 or more"),
        (Condition("card", None, 0, 2, "!", 0), "Billy's second J is the dynamite"),
        (Condition("hand", 1, 2, 0, "<=", 5), "jonas holds a C of 5 or less"),
        (Condition("hand", 1, 2, 0, "!", 0), "jonas holds the C dynamite"),
        (Condition("total", None, 1, 0, ">=", 12), "Billy's banknotes are worth 12 or more as things stand"),
        (Condition("total", 1, 3, 0, "<=", 3), "jonas's gold is worth 3 or less as things stand"),
        (Condition("above", 0, 3, 0, "<=", 0), "your gold is not above Billy's as things stand"),
        (Condition("above", 1, 2, 0, ">", 0), "jonas's coins are above Billy's as things stand"),
    ],
)
def test_conditions_are_said_in_plain_words(words: Words, condition: Condition, said: str) -> None:
    assert words.condition(condition) == said


@pytest.mark.parametrize("width", [40, 60])
def test_a_hint_without_reasons_says_how_it_was_found(width: int) -> None:
    game, position = read(SMALL.read_text())
    found = advise(game, position, Asked(samples=50), Watch())
    file = StringIO()
    console = Console(width=width, file=file, force_terminal=True, color_system=None)
    print_hint(game, position, Hint(found.solution, None), console)
    text = file.getvalue()
    assert "Estimate: 50 of 72 deals" in " ".join(text.split())
    assert max(len(line.rstrip()) for line in text.splitlines()) <= width


def test_a_lead_within_its_error_is_not_relied_on() -> None:
    game, position = read(SMALL.read_text())
    found = advise(game, position, Asked(samples=50), Watch()).solution
    first, second = (one.move for one in found.moves[:2])
    assert isinstance(first, Move)
    assert isinstance(second, Move)
    why = explain(game, position, found, Evidence(first, second, some(0.01, 0.05), 40, ()))
    assert "nothing to rely on (0.010 ±0.050)" in why.sure["text"]
    why = explain(game, position, found, Evidence(first, second, some(0.2, 0.05), 40, ()))
    assert f"ahead of {game.format_event(second)} by about 0.200 ±0.050" in why.sure["text"]


def test_a_forgotten_card_can_be_advised(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plain = (EXAMPLES / "two-reduced.toml").read_text()
    text = re.sub(r'(ben = ")(\S+)', lambda found: f"{found[1]}{found[2][0]}?", plain, count=1)
    (tmp_path / "x.toml").write_text(text)
    found = hinted(tmp_path / "x.toml", capsys, samples=200)
    assert any("?" in one["move"] for one in found["moves"])
    assert found["why"]


def test_the_last_cards_of_a_long_column_have_names_too(tmp_path: Path) -> None:
    position = """
        game = "blasting-billy"
        players = ["ann", "bob"]
        me = "ann"
        to_move = "ann"
        billy = "J0 J1 J2 J3 J4 J5 J6 J7 J8 J9 J? B10"
        removed = "10B?"
        hands = { ann = "B5", bob = "J?" }
        pile = { size = 0 }
        deck = { types = "JB", hand = 1 }
    """
    (tmp_path / "x.toml").write_text(position, encoding="utf-8")
    ran = run("hint", str(tmp_path / "x.toml"))
    assert ran.returncode == 0, ran.stderr
