"""Mutated request bodies for tests: one part of the JSON, or the bytes around it, is wrong or unusual."""

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
UNUSUAL_VALUES = ["null", "true", "", ",", "//x\n1", *NUMBERS, *TEXTS, *LISTS, *OBJECTS]
AROUND = ["added", "repeated", "bom", "utf-16", "latin", "cut", "inserted", "trailed", "doubled"]


class BodyMutation(NamedTuple):
    """One mutation of a body."""

    place: int
    """The number of the part to replace, modulo the number of all parts."""
    value: str
    how: str
    cut: float
    """The position in the bytes, from 0 to 1, at which bytes are cut, inserted or repeated."""


mutations = st.builds(
    BodyMutation,
    st.integers(0, 200),
    st.sampled_from(UNUSUAL_VALUES) | st.text(max_size=8).map(json.dumps),
    st.sampled_from(
        ["put"] * 12 + ["added", "repeated", "bom", "utf-16", "latin", "cut", "inserted", "trailed", "doubled"]
    ),
    st.floats(0, 1),
)


def mutated(mutation: BodyMutation, body: Any) -> bytes:
    """Apply a mutation to a body, and return the bytes."""
    if mutation.how in ("added", "repeated"):
        return _widened(mutation, json.dumps(body)).encode("utf-8", "surrogatepass")
    places = list(_places(body))
    marked = json.dumps(_with(body, places[mutation.place % len(places)], HERE))
    changed = marked.replace(f'"{HERE}"', mutation.value)
    return _bytes(mutation, changed if mutation.how == "put" else json.dumps(body))


def _widened(mutation: BodyMutation, text: str) -> str:
    name = text.split('"')[1] if mutation.how == "repeated" and '"' in text else "odd"
    return f'{{"{name}":{mutation.value or 0},{text[1:]}'


def _bytes(mutation: BodyMutation, text: str) -> bytes:
    octets = text.encode("utf-8", "surrogatepass")
    at = int(mutation.cut * len(octets))
    return {
        "bom": b"\xef\xbb\xbf" + octets,
        "utf-16": text.encode("utf-16", "surrogatepass"),
        "latin": octets[:at] + b"\xe0" + octets[at:],
        "cut": octets[:at],
        "inserted": octets[:at] + bytes((at % 256,)) + octets[at:],
        "trailed": octets + b" {}",
        "doubled": octets[:at] + octets,
    }.get(mutation.how, octets)


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
