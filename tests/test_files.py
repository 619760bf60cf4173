"""Where results may be written, and that what is not whole is not there."""

import os
from pathlib import Path

import pytest

from solver.errors import IllegalError, NotationError
from solver.files import check_target, whole_file, write_file


def test_a_place_that_will_not_do_is_refused_before_the_work(tmp_path: Path) -> None:
    source = tmp_path / "position.toml"
    source.write_text("x")
    for name, says in (("", "name of a file"), ("-", "name of a file"), (str(source), "that is the file that is read")):
        with pytest.raises(IllegalError, match=says):
            check_target(name, "--save", str(source))
    for name, says in ((str(tmp_path), "folder"), (str(tmp_path / "none" / "x"), "there is no folder")):
        with pytest.raises(NotationError, match=says):
            check_target(name, "--save", str(source))
    assert check_target(str(tmp_path / "new.json"), "--save", "-") == tmp_path / "new.json"


def test_a_link_to_the_file_that_is_read_is_that_file(tmp_path: Path) -> None:
    source, link = tmp_path / "position.toml", tmp_path / "link"
    source.write_text("x")
    link.symlink_to(source)
    with pytest.raises(IllegalError, match="that is read"):
        check_target(str(link), "-o", str(source))


def test_links_are_followed_and_the_mode_is_kept(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_file(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_file(pipe, "through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_half_a_file_is_taken_away_and_the_old_one_stays(tmp_path: Path) -> None:
    target = tmp_path / "x.json"
    target.write_text("old")

    def interrupted() -> None:
        with whole_file(target) as stream:
            stream.write("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]
