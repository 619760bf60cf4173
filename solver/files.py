"""Files that results are written to: checked before the work, and whole or not there after it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from solver.errors import IllegalError, NotationError, quote


def check_target(name: str, option: str, source: str) -> Path:
    """Where to write what an option names, or an error that says at once why that will not do. `source` is the file
    that is read, which is not written over."""
    path = Path(name)
    if name in ("", "-"):
        raise IllegalError(f"{option} {quote(name)}: give the name of a file")
    try:
        place = path.resolve()
        if place.is_dir():
            raise NotationError(f"{path}: cannot be written: it is a folder")
        if not place.parent.is_dir():
            raise NotationError(f"{path}: cannot be written: there is no folder {quote(str(place.parent))}")
        if not os.access(place if place.exists() else place.parent, os.W_OK):
            raise NotationError(f"{path}: cannot be written: that is not permitted")
        if source != "-" and place.exists() and Path(source).exists() and place.samefile(source):
            raise IllegalError(f"{option} {quote(name)}: that is the file that is read: name another one")
    except (OSError, ValueError) as error:
        raise NotationError(f"{path}: cannot be written: {_reason(error)}") from None
    return path


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """A stream to a file beside `path` that takes its place once it is whole. Whatever else happens, it is taken away
    again, and what was there before is left. What is no ordinary file (a pipe, a device) is written to as it is, and
    links are followed."""
    try:
        place = path.resolve()
        if place.exists() and not place.is_file():
            with place.open("w", encoding="utf-8") as stream:
                yield stream
            return
        beside = place.with_name(f".{place.name}.{os.getpid()}.part")
        try:
            with beside.open("w", encoding="utf-8") as stream:
                yield stream
            if place.exists():
                shutil.copymode(place, beside)
            os.replace(beside, place)
        except BaseException:
            with suppress(OSError, ValueError):
                beside.unlink()
            raise
    except (OSError, ValueError) as error:
        raise NotationError(f"{path}: cannot be written: {_reason(error)}") from None


def write_file(path: Path, text: str) -> None:
    """Whatever happens, the whole text is there afterwards, or what was there before."""
    with whole_file(path) as stream:
        stream.write(text)


def _reason(error: OSError | ValueError) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
