"""How long the program takes to start, beside an interpreter that only imports typer and rich.

    .venv/bin/python tests/bench/startup.py [ROUNDS]

The commands take turns, so that a busy machine slows all of them alike; medians are compared as ratios.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
EXAMPLE = str(ROOT / "examples" / "two-last-turn.toml")
FIVE = str(ROOT / "examples" / "five-mid-game.toml")
BASE = "import typer, rich"
COMMANDS = {
    BASE: ["-c", BASE],
    "import typer, rich.table (what drawing needs)": ["-c", "import typer, rich.table, rich.console"],
    "lastdraw --help": ["-m", "cli.main", "--help"],
    "lastdraw show": ["-m", "cli.main", "show", EXAMPLE],
    "lastdraw beliefs": ["-m", "cli.main", "beliefs", EXAMPLE],
    "lastdraw beliefs (five players)": ["-m", "cli.main", "beliefs", FIVE],
}


ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
"""Compiled modules are kept, as they are in an installed program."""


def seconds(arguments: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run([sys.executable, *arguments], cwd=ROOT, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for arguments in COMMANDS.values():
        seconds(arguments)
    for _ in range(rounds):
        for name, arguments in COMMANDS.items():
            times[name].append(seconds(arguments))
    base = median(times[BASE])
    print(f"{'':<48}{'median':>9}{'ratio':>8}")
    for name, measured in times.items():
        print(f"{name:<48}{median(measured) * 1000:>6.0f} ms{median(measured) / base:>8.2f}")


if __name__ == "__main__":
    main()
