"""`tree`: the file is there whole, or nothing of it is."""

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import solver.efg
from cli.exporting import write_tree
from solver.errors import LastdrawError, NotationError, TooLargeError
from solver.files import whole_file
from tests.commands.program import REFERENCE, ROOT, run

SMALL = str(REFERENCE / "fair-1.toml")


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """A file that is there already, alone in its folder."""
    path = tmp_path / "x.efg"
    path.write_text("before")
    return path


def untouched(target: Path) -> bool:
    return list(target.parent.iterdir()) == [target] and target.read_text() == "before"


@pytest.mark.parametrize("lens", ["fair", "guard"])
def test_a_tree_has_a_line_for_each_node_and_takes_the_place_of_what_was_there(lens: str, target: Path) -> None:
    ran = run("tree", SMALL, "--lens", lens, "-o", str(target), "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    told = json.loads(ran.stdout)
    header, blank, *nodes = target.read_text().splitlines()
    assert header.startswith(f'EFG 2 R "blasting-billy, lens {lens}, win"')
    assert (blank, len(nodes)) == ("", told["nodes"])
    assert list(target.parent.iterdir()) == [target]


SLOW = """
import sys, time
import solver.efg

write = solver.efg.write_efg

def write_efg(tree, file, *, title):
    write(tree, file, title=title)
    file.flush()
    sys.stderr.write("begun\\n")
    sys.stderr.flush()
    time.sleep(60)

solver.efg.write_efg = write_efg
from cli.main import main
main()
"""


def test_ctrl_c_while_the_file_is_written_leaves_what_was_there(target: Path) -> None:
    words = [sys.executable, "-c", SLOW, "tree", SMALL, "-o", str(target)]
    process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    assert process.stderr is not None
    assert process.stderr.readline() == "begun\n"
    assert len(list(target.parent.iterdir())) == 2
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout) == (130, "")
    assert stderr == "lastdraw: interrupted before there was an answer\n"
    assert untouched(target)


def test_a_number_too_large_for_the_format_leaves_what_was_there(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver.efg, "LARGEST", 2)
    with pytest.raises(TooLargeError, match="too large for programs"):
        write_tree(SMALL, str(target), lens="fair", objective=None, as_json=False)
    assert untouched(target)


def write_half(target: Path, error: BaseException) -> None:
    with whole_file(target) as stream:
        stream.write("half")
        raise error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1), TooLargeError("too large")], ids=repr)
def test_whatever_happens_in_between_passes_through(error: BaseException, target: Path) -> None:
    with pytest.raises(type(error)):
        write_half(target, error)
    assert untouched(target)


def test_a_full_disk_is_told_in_words(target: Path) -> None:
    with pytest.raises(NotationError) as raised:
        write_half(target, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    assert str(raised.value) == f"{target}: cannot be written: {os.strerror(errno.ENOSPC)}"
    assert untouched(target)


def test_a_place_where_nothing_can_be_written_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "folder.efg").mkdir()
    for place in ("folder.efg", "none/x.efg", "a\0b.efg", "x" * 300 + ".efg"):
        with pytest.raises(LastdrawError, match="cannot be written: "):
            write_tree(SMALL, str(tmp_path / place), lens="fair", objective=None, as_json=False)
    assert list(tmp_path.iterdir()) == [tmp_path / "folder.efg"]
