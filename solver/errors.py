"""The one tree of errors: everything a user can mend is a LastdrawError.

A message quotes what was read and says what would be right; the place is added on the way up, outermost first.
"""

from collections.abc import Iterator
from contextlib import contextmanager


class LastdrawError(Exception):
    """Something the user can mend: `message`, and the `places` that lead to it, outermost first."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.places: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ": ".join((*self.places, self.message))


class NotationError(LastdrawError):
    """A text that cannot be read: wrong syntax, an unknown word, a missing key."""


class IllegalError(LastdrawError):
    """A move, or a question, that the rules do not allow at this point."""


class ImpossibleError(LastdrawError):
    """Statements that cannot hold together; `statements` is a smallest such set where one was sought."""

    def __init__(self, message: str, statements: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.statements = statements


class TooLargeError(LastdrawError):
    """Right, but too large for what was asked."""


@contextmanager
def located(place: str) -> Iterator[None]:
    """Say of every error raised inside that it happened at `place`."""
    try:
        yield
    except LastdrawError as error:
        error.places = (place, *error.places)
        raise


def quote(text: object) -> str:
    """The text as a message quotes it."""
    return f'"{brief(text)}"'


def brief(text: object, *, limit: int = 60) -> str:
    """The text on one line, control characters escaped, not too long."""
    try:
        shown = str(text)
    except (ValueError, RecursionError):  # a number of thousands of digits, tables of thousands of levels
        shown = f"{type(text).__name__} too large to print"
    if len(shown) > limit:
        shown = shown[: limit - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)
