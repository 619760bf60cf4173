"""Lines and requests as the engine reads them, without an engine."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.engine_requests import LONGEST, WORK, Request, RequestError, parse_request, read_lines
from solver.texts import LARGEST

NUMBERS = st.integers() | st.floats()
WORDS = st.sampled_from(["id", "command", "text", "options", "stop", "budget", "seed", "samples", "exact", "lens"])
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text() | st.sampled_from([*WORK, "stop", "ping", "quit", "version"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.text(), inner, max_size=6),
    max_leaves=12,
)


def refusal(line: object) -> RequestError:
    with pytest.raises(RequestError) as caught:
        parse_request(line if isinstance(line, bytes) else json.dumps(line).encode())
    return caught.value


@given(st.lists(st.binary(max_size=12).map(lambda part: part.replace(b"x", b"\n")), max_size=12), st.integers(1, 9))
def test_lines_do_not_depend_on_the_pieces_they_come_in(pieces: list[bytes], longest: int) -> None:
    whole = b"".join(pieces)
    expected = [line if len(line) <= longest else None for line in whole.split(b"\n")]
    if not whole or whole.endswith(b"\n"):
        expected.pop()
    given_out = iter([piece for piece in pieces if piece] + [b""])
    assert list(read_lines(lambda: next(given_out), longest)) == expected


def test_a_line_has_room_for_the_largest_text() -> None:
    text = "ä" * (LARGEST // 2)
    line = json.dumps({"id": 1, "command": "show", "text": text}).encode()
    assert len(line) <= LONGEST
    assert parse_request(line).text == text


@given(VALUES)
def test_any_json_is_a_request_or_refused_in_one_short_line(value: object) -> None:
    said = ""
    try:
        request = parse_request(json.dumps(value).encode())
    except RequestError as error:
        said = str(error)
    if said:
        assert len(said) < 600
        assert said.isprintable()
    else:
        assert isinstance(value, dict)
        assert request.id == value.get("id")
        assert request.command == value["command"]


@given(st.binary(max_size=40))
def test_any_bytes_are_a_request_or_refused(line: bytes) -> None:
    assert refusal(line).id is None


def test_a_request_is_read_with_its_options() -> None:
    options = {"budget": 5, "samples": 100, "seed": 0, "exact": False, "lens": "open", "others": None}
    line = json.dumps({"id": "a", "command": "analyze", "text": "t", "options": options})
    expected = {"budget": 5.0, "samples": 100, "seed": 0, "exact": False, "lens": "open"}
    assert parse_request(line.encode()) == Request(id="a", command="analyze", text="t", options=expected)
    assert parse_request(b'\xef\xbb\xbf {"command": "stop", "stop": 7}\r') == Request(id=None, command="stop", target=7)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"analyze", '"analyze" is not JSON'),
        (b'{"id": 1, "command": "ping"', "is not JSON"),
        (b'{"id": 1} {"id": 2}', "is not JSON"),
        (b'[{"id": 1}]', "is not a request"),
        (b'"ping"', "is not a request"),
        (b'{"id": "\xff"}', "byte 9 of the line is not UTF-8"),
        (b'{"id": NaN, "command": "ping"}', "NaN"),
        (b'{"id": -Infinity, "command": "ping"}', "-Infinity"),
        (b'{"id": 1e999, "command": "ping"}', "1e999"),
        (b'{"id": ' + b"9" * 5000 + b', "command": "ping"}', "digits"),
        (b'{"id": ' + b"9" * 300 + b', "command": "ping"}', "longer than 200"),
        (b'{"id": ' + b"[" * 100_000, "nested"),
        (b'{"id": true, "command": "ping"}', "id: "),
        (b'{"id": {}, "command": "ping"}', "id: "),
        (b'{"id": "' + b"x" * 201 + b'", "command": "ping"}', "longer than 200"),
    ],
)
def test_a_line_without_a_readable_id_is_refused(line: bytes, said: str) -> None:
    error = refusal(line)
    assert error.id is None
    assert said in str(error)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "command is missing"),
        ({"command": None}, "command is missing"),
        ({"command": "fly"}, 'command: "fly" is not known'),
        ({"command": ["ping"]}, "command: "),
        ({"command": "show"}, "text is missing"),
        ({"command": "show", "text": 7}, "text should be a string"),
        ({"command": "show", "text": "", "position": "", "x": 0}, 'unknown fields: "position", "x"'),
        ({"command": "ping", "text": ""}, 'unknown fields: "text"'),
        ({"command": "ping", "stop": 1}, 'unknown fields: "stop"'),
        ({"command": "stop", "stop": [1]}, "stop: "),
        ({"command": "show", "text": "", "options": {"seed": 1}}, "show takes no options"),
        ({"command": "analyze", "text": "", "options": []}, "options: "),
        ({"command": "hint", "text": "", "options": {"exact": True}}, 'unknown options: "exact"'),
        ({"command": "hint", "text": "", "options": {"replies": True}}, 'unknown options: "replies"'),
        ({"command": "analyze", "text": "", "options": {"budgt": 1}}, 'unknown options: "budgt"'),
    ],
)
def test_a_wrong_field_is_named_under_the_request_s_id(fields: dict[str, object], said: str) -> None:
    error = refusal({"id": "a", **fields})
    assert error.id == "a"
    assert said in str(error)


@pytest.mark.parametrize("command", WORK)
def test_work_needs_an_id_to_be_answered_under(command: str) -> None:
    assert "id is missing" in str(refusal({"command": command, "text": ""}))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("budget", [0, -1, -0.5, True, "5", [], 10**400, 1e300]),
        ("samples", [0, -1, 1.5, 5.0, True, "5", 10**400]),
        ("seed", [-1, 0.5, False, "0", 2**63]),
        ("exact", [0, 1, "true", {}]),
        ("replies", [0, 1, "true", {}]),
        ("lens", [1, True, ["open"]]),
        ("objective", [1, {}]),
        ("others", [0.5, []]),
    ],
)
def test_an_option_of_the_wrong_kind_is_named(name: str, values: list[Any]) -> None:
    for value in values:
        error = refusal({"id": 1, "command": "analyze", "text": "", "options": {name: value}})
        assert f"options.{name}: " in str(error)
        assert error.id == 1
