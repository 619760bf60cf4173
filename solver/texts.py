"""Texts that hold a position: a TOML file, or a record that leads to it; and how to tell them apart."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from solver.errors import NotationError, quote

LARGEST = 1_000_000
"""More bytes than any position or record has."""


def decode(content: bytes) -> str:
    """The text of a file's content."""
    if len(content) > LARGEST:
        raise NotationError(f"more than {LARGEST:,} bytes: a position or a record has a few thousand")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotationError(f"not a text: byte {error.start + 1} is not UTF-8") from None
    if "\0" in text:
        raise NotationError(f"not a text: byte {content.index(0) + 1} is 0")
    return text


def read_file(path: Path) -> str:
    """The text in a file."""
    try:
        with path.open("rb") as file:
            return decode(file.read(LARGEST + 1))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise NotationError(f"cannot be read: {reason}") from None


def load_toml(text: str) -> dict[str, Any]:
    """The text's TOML table; the error quotes the line that is not TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+)", str(error))
        lines = text.splitlines()
        number = int(place[1]) if place else len(lines)
        line = lines[number - 1].strip() if 0 < number <= len(lines) else ""
        reason = re.sub(r" \(at .*\)$", "", str(error))
        raise NotationError(f"line {number}: {quote(line)} is not TOML: {reason}") from None
    except RecursionError:
        raise NotationError("tables or lists in it are nested too deeply to be a position") from None
    except ValueError:
        raise NotationError("a number in it has thousands of digits: no number in a position is that large") from None


def said_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines of a record that say something: their number, and their words up to a comment."""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split("#")[0].split()
        if words:
            yield number, words


def is_record(text: str) -> bool:
    """Whether the first line that says something is a record's: words, not `key = value` or `[table]`."""
    _, words = next(said_lines(text), (0, ["["]))
    return re.match(r"""\[|("[^"]*"|'[^']*'|[\w.-]+)\s*=""", " ".join(words)) is None


def game_name(text: str) -> str:
    """The name of the game a text is about."""
    if not any(said_lines(text)):
        raise NotationError("there is nothing in it: a position (TOML) or a record is expected")
    if is_record(text):
        for number, words in said_lines(text):
            if words[0] == "game" and len(words) == 2:
                return words[1]
            if words[0] == "game":
                raise NotationError(f"line {number}: {quote(' '.join(words))}: write such as game blasting-billy")
        number, words = next(said_lines(text))
        raise NotationError(
            f"line {number}: {quote(' '.join(words))} begins neither a position (TOML, with such as "
            'game = "blasting-billy") nor a record (with a line such as game blasting-billy)'
        )
    name = load_toml(text).get("game")
    if name is None:
        raise NotationError('game is missing: write such as game = "blasting-billy"')
    if not isinstance(name, str):
        raise NotationError(f"game = {quote(name)} should be a name in quotes")
    return name
