"""The README shows what the program prints, and its Python runs."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = "\n".join(re.findall(r"```console\n(.*?)```", README, re.DOTALL))
SHOWN = re.findall(r"^\$ lastdraw (.*)\n((?:(?!\$ ).*\n)*)", CONSOLE, re.MULTILINE)
OVER = ("five-over", "two-whole-game")
COMPILING = "compiling (first run only)…\n"
EXAMPLES = sorted(path for path in (ROOT / "examples").iterdir() if path.suffix in (".toml", ".record"))


PLAIN = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "FORCE_COLOR", "NO_COLOR")}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cli.main", *arguments]
    return subprocess.run(command, cwd=ROOT, env=PLAIN, capture_output=True, text=True, encoding="utf-8", check=False)


def trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def test_the_readme_shows_commands() -> None:
    assert len(SHOWN) >= 4


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_a_command_in_the_readme_prints_what_the_readme_shows(command: str, output: str) -> None:
    answer = run(*command.split())
    assert answer.stderr in ("", COMPILING)
    assert trimmed(answer.stdout) == trimmed(output)


def test_the_python_in_the_readme_prints_what_its_comment_says() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    expected = re.search(r"print\(.*\)  # (.*)", code)
    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert expected is not None
    assert answer.stdout.strip() == expected[1]


def test_the_position_and_the_record_in_the_readme_are_legal(tmp_path: Path) -> None:
    (position,) = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    (record,) = re.findall(r"```\n(game .*?)```", README, re.DOTALL)
    assert tomllib.loads(position)["game"] == "blasting-billy"
    for name, text in (("x.toml", position), ("x.record", record)):
        (tmp_path / name).write_text(text, encoding="utf-8")
        answer = run("check", str(tmp_path / name))
        assert answer.returncode == 0, answer.stdout + answer.stderr


def test_there_are_at_least_eight_positions_and_two_records() -> None:
    assert sum(path.suffix == ".toml" for path in EXAMPLES) >= 8
    assert sum(path.suffix == ".record" for path in EXAMPLES) >= 2


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_opens_with_a_comment_and_every_command_answers_it(path: Path) -> None:
    assert path.read_text(encoding="utf-8").startswith("# ")
    for command in ("check", "show", "beliefs"):
        answer = run(command, str(path))
        assert answer.returncode == 0, answer.stdout + answer.stderr
        assert answer.stderr == ""


@pytest.mark.parametrize("path", [path for path in EXAMPLES if path.stem not in OVER], ids=lambda path: path.name)
def test_every_game_under_way_in_the_examples_gets_a_hint_within_its_budget(path: Path) -> None:
    answer = run("hint", str(path), "--budget", "1")
    assert answer.stderr in ("", COMPILING)
    assert answer.returncode == 0
    assert answer.stdout.split()[0] in ("give", "claim", "dump")
