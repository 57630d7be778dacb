"""Bodies that are nearly what a call takes: one part is odd, or the bytes around it are."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from hypothesis import strategies as st

HERE = "@here@"
DEEP = 3_000
NUMBERS = ["-1", "-0", "7.0", "0.1", "1e2", "1e400", "-1e-400", "9" * 20, "9" * 5_000, "NaN", "Infinity", "01"]
ESCAPES = ['"\\u0000"', '"\\ud800"', '"\\ud83d\\ude00"', '"\\u202e"']
TEXTS = [*ESCAPES, '""', '" "', '"٣"', '"\x01"', "'x'", f'"{"x" * 5_000}"']
LISTS = ["[]", "[[]]", "[null]", '["Ah","Ah"]', "[" * DEEP + "]" * DEEP, "[" * DEEP, "[" + "0," * 9_000 + "0]"]
OBJECTS = ["{}", '{"":{}}', '{"type":"play"}', '{"type":1,"type":2}', '{"a":' * DEEP + "1" + "}" * DEEP]
ODD_VALUES = ["null", "true", "", ",", "//x\n1", *NUMBERS, *TEXTS, *LISTS, *OBJECTS]
AROUND = ["added", "repeated", "bom", "utf-16", "latin", "cut", "inserted", "trailed", "doubled"]


class Oddity(NamedTuple):
    """What is done to a body."""

    place: int
    """Which of its parts is odd, all of them counted, modulo their number."""
    value: str
    how: str
    cut: float
    """Where in the bytes something is done to them."""


oddities = st.builds(
    Oddity,
    st.integers(0, 200),
    st.sampled_from(ODD_VALUES) | st.text(max_size=8).map(json.dumps),
    st.sampled_from(
        ["put"] * 12 + ["added", "repeated", "bom", "utf-16", "latin", "cut", "inserted", "trailed", "doubled"]
    ),
    st.floats(0, 1),
)


def applied(oddity: Oddity, body: Any) -> bytes:
    """Return the bytes of a body with something odd about it."""
    if oddity.how in ("added", "repeated"):
        return _widened(oddity, json.dumps(body)).encode("utf-8", "surrogatepass")
    places = list(_places(body))
    marked = json.dumps(_with(body, places[oddity.place % len(places)], HERE))
    odd = marked.replace(f'"{HERE}"', oddity.value)
    return _bytes(oddity, odd if oddity.how == "put" else json.dumps(body))


def _widened(oddity: Oddity, text: str) -> str:
    name = text.split('"')[1] if oddity.how == "repeated" and '"' in text else "odd"
    return f'{{"{name}":{oddity.value or 0},{text[1:]}'


def _bytes(oddity: Oddity, text: str) -> bytes:
    octets = text.encode("utf-8", "surrogatepass")
    at = int(oddity.cut * len(octets))
    return {
        "bom": b"\xef\xbb\xbf" + octets,
        "utf-16": text.encode("utf-16", "surrogatepass"),
        "latin": octets[:at] + b"\xe0" + octets[at:],
        "cut": octets[:at],
        "inserted": octets[:at] + bytes((at % 256,)) + octets[at:],
        "trailed": octets + b" {}",
        "doubled": octets[:at] + octets,
    }.get(oddity.how, octets)


Path = tuple[str | int, ...]


def _places(value: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from _places(part, (*path, key))


def _with(value: Any, path: Path, other: Any) -> Any:
    if not path:
        return other
    first, *rest = path
    copied = value.copy()
    copied[first] = _with(value[first], tuple(rest), other)
    return copied
