"""The cost of a request is linear in its bytes: work is counted at one size and at twice that size."""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeAlias

import pytest

from services.engine.http.api import decoding
from services.engine.service.validation import ValidationError
from tests.engine.http.engine_server import RunningEngine, SeatedPlayers

TraceFunction: TypeAlias = Callable[[FrameType, str, object], Any]
Body: TypeAlias = Callable[[int], str]
"""A function that makes a body with this number of parts. A hundred parts have at least some hundred bytes."""

OPEN = '{"game": "gatto_rosso", "name": "Anna", '


def _options(value: str) -> Body:
    return lambda count: OPEN + '"options": {"a": [' + ", ".join([value] * count) + "]}}"


def _object(count: int) -> str:
    return ", ".join(f'"n{number}": 0' for number in range(count))


BODIES: dict[str, Body] = {
    "one name of many is there twice": lambda count: "{" + _object(count) + ', "z": 0, "z": 0}',
    "the same in the options": lambda count: OPEN + '"options": {' + _object(count) + ', "z": 0, "z": 0}}',
    "many objects": _options('{"a": 1.0}'),
    "integers of 309 digits": _options("1.0e308"),
    "negative ones": _options("-1.0e308"),
    "numbers next to zero": _options("1e-308"),
    "the smallest number": _options("4.9e-324"),
    "too large for a float": _options("1e999"),
    "fractions": _options("1.5"),
    "long fractions": _options("0." + "123456789" * 9),
    "long integers": _options("9" * 90),
    "an endless integer": lambda count: OPEN + '"options": {"a": 1' + "0" * 20 * count + ', "b": 1.0}}',
    "an endless fraction": lambda count: OPEN + '"options": {"a": 0.' + "9" * 20 * count + "}}",
    "an endless exponent": lambda count: OPEN + '"options": {"a": 1e' + "9" * 20 * count + "}}",
    "nested lists": lambda count: OPEN + '"options": {"a": ' + "[" * count + "1.0" + "]" * count + "}}",
    "nested objects": lambda count: OPEN + '"options": ' + '{"a": ' * count + "1.0" + "}" * count + "}",
    "lists without an end": lambda count: "[" * 10 * count,
    "objects without an end": lambda count: '{"a": ' * 10 * count,
    "quotation marks": lambda count: '"' * 10 * count,
    "spaces": lambda count: '{"a"' + " " * 10 * count + "}",
    "escapes": _options('"\\u0041"'),
    "backslashes": lambda count: OPEN + '"options": {"a": "' + "\\\\" * 10 * count + '"}}',
    "a long name": lambda count: '{"game": "gatto_rosso", "name": "' + "a " * 10 * count + '"}',
    "marks of msgspec's own messages": lambda count: '{"' + " - at `" * count + '": 0}',
    "the same on several lines": lambda count: '{"game": "' + " - at `\\n" * count + '", "name": "Anna"}',
}


@contextmanager
def counted_steps() -> Iterator[Counter[str]]:
    """Count the steps of the engine's bytecode on this thread, and all function calls, also of functions in C."""
    counted: Counter[str] = Counter()

    def count_call(_frame: FrameType, event: str, _argument: object) -> None:
        counted["steps"] += event in ("call", "c_call")

    def count_step(_frame: FrameType, event: str, _argument: object) -> TraceFunction:
        counted["steps"] += event == "opcode"
        return count_step

    def enter(frame: FrameType, _event: str, _argument: object) -> TraceFunction | None:
        if "/services/" not in frame.f_code.co_filename:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return count_step

    before = sys.gettrace()
    sys.setprofile(count_call)
    sys.settrace(enter)
    try:
        yield counted
    finally:
        sys.settrace(before)
        sys.setprofile(None)


def assert_linear(once: int, twice: int) -> None:
    """Assert that twice the size costs about twice the work; any request costs some thousand steps."""
    assert twice <= 2.2 * once + 3000, (once, twice)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
async def test_the_work_of_a_body_grows_with_its_length(engine: RunningEngine, body: Body) -> None:
    steps = []
    for count in (0, 300, 600):  # the first request fills caches
        with counted_steps() as counted:
            answer = await engine.post("/v1/tables", body(count).encode())
        assert answer.status < 500
        steps.append(counted["steps"])
    assert_linear(*steps[1:])


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_a_body_is_never_made_much_longer_before_it_is_decoded(body: Body) -> None:
    octets = body(600).encode()
    try:
        normalized = decoding._normalized(octets)
    except (ValidationError, ValueError, RecursionError):
        return
    assert len(normalized) <= 3 * len(octets)
    # No other fractions may be left, because msgspec takes long to read some of them.
    assert {*re.findall(rb"[0-9]+[.eE][0-9+-]+", normalized)} <= {b"0.5"}


class CountedName(str):
    """A name that counts its comparisons with other names."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other: object) -> bool:
        CountedName.compared += 1
        return super().__eq__(other)

    __hash__ = str.__hash__


def test_names_are_compared_once_each_to_find_one_that_is_there_twice() -> None:
    pairs = [(CountedName(f"n{number}"), 0) for number in range(5000)]
    with pytest.raises(ValidationError) as error:
        decoding._object([*pairs, (CountedName("n4999"), 0)])
    assert error.value.field == "n4999"
    assert CountedName.compared < 100


def test_numbers_keep_their_meaning() -> None:
    body = b'{"a": [7.0, -7.0, 7e2, 0.7, 1e308, -1e308, 1e999, 123456789012345678901234567890, 12]}'
    most = decoding.LARGEST_INTEGER
    assert json.loads(decoding._normalized(body)) == {"a": [7, -7, 700, 0.5, most, -most, most, most, 12]}


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
async def test_what_is_no_number_of_json_is_refused(engine: RunningEngine, constant: str) -> None:
    answer = await engine.post("/v1/tables", f'{{"game": "\\u0041", "name": {constant}}}'.encode())
    assert (answer.status, answer.code) == (400, "bad_json")


def test_a_name_that_begins_with_a_colon_does_not_hide_a_repetition() -> None:
    assert not decoding._plain(b'{":a": 1, "x": "y",":a": 2}')
    assert decoding._plain(b'{"seed": "ab5e10", "name": "x"}')


HEADERS: dict[str, Callable[[int], dict[str, str]]] = {
    "media types": lambda count: {"Accept": ",".join(["image/png", *["*/*;q=0"] * count])},
    "languages": lambda count: {"Accept-Language": ",".join(["x-y;q=0.5"] * count), "Accept": "image/png"},
    "entity tags": lambda count: {"If-None-Match": ",".join(['"x"'] * count), "Accept": "image/png"},
    "parameters of a media type": lambda count: {"Accept": "image/png" + ";q=1" * count},
}


@pytest.mark.parametrize("headers", HEADERS.values(), ids=HEADERS.keys())
async def test_the_work_of_a_header_grows_with_its_length(
    players: SeatedPlayers, headers: Callable[[int], dict[str, str]]
) -> None:
    steps = []
    for count in (0, 200, 400):
        with counted_steps() as counted:
            answer = await players.engine.get(f"{players.path}/events", headers=headers(count))
        assert answer.status == 406
        steps.append(counted["steps"])
    assert_linear(*steps[1:])


async def test_the_work_of_a_query_grows_with_its_length(players: SeatedPlayers) -> None:
    steps = []
    for count in (0, 300, 600):
        query = "&".join(f"n{number}=1" for number in range(count))
        with counted_steps() as counted:
            answer = await players.engine.get(f"{players.path}?{query}&a=1&a=1")
        assert (answer.status, answer.json["field"]) == (400, "a")
        steps.append(counted["steps"])
    assert_linear(*steps[1:])
