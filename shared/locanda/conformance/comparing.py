"""How what a server answers is compared with what it should be."""

from collections.abc import Iterator
from typing import Any, NoReturn

import msgspec

from locanda.messages import JsonObject

LONGEST = 120
"""Characters of a value in a sentence."""


class Mismatch(Exception):  # noqa: N818  (not an error of this program)
    """The server does not do what the API promises; the message says what it did."""


def expect(holds: object, otherwise: str) -> None:
    """Raise `Mismatch` unless something holds."""
    if not holds:
        raise Mismatch(otherwise)


def same(what: str, found: Any, expected: Any, *, whole: bool = False) -> None:  # noqa: ANN401  (JSON)
    """Raise `Mismatch` unless a value is as expected; objects may have further fields, unless it must be whole."""
    difference = next(_differences(what, found, expected, whole), None)
    if difference:
        raise Mismatch(difference)


def same_moves(what: str, found: Any, expected: list[JsonObject]) -> None:  # noqa: ANN401  (JSON)
    """Raise `Mismatch` unless these are the same moves, each once, in any order."""
    if not isinstance(found, list):
        _unlike(what, found, expected)
    listed, legal = [_text(each) for each in found], [_text(each) for each in expected]
    if lacking := set(legal) - set(listed):
        raise Mismatch(f"{what} lacks {min(lacking)}")
    if more := set(listed) - set(legal):
        raise Mismatch(f"{what} has {min(more)}, which is not legal, or is not how it is listed")
    expect(len(listed) == len(legal), f"{what} lists a move twice")


def _differences(what: str, found: Any, expected: Any, whole: bool) -> Iterator[str]:  # noqa: ANN401, FBT001
    match expected:
        case dict() if isinstance(found, dict):
            for name in expected:
                if name not in found:
                    yield f"{what}.{name} is missing; {_short(expected[name])} was expected"
                else:
                    yield from _differences(f"{what}.{name}", found[name], expected[name], whole)
            if whole and (more := sorted(set(found) - set(expected))):
                yield f"{what}.{more[0]} should not be there: nobody is to see more than the rules show"
        case list() if isinstance(found, list) and len(found) == len(expected):
            for number, (one, other) in enumerate(zip(found, expected, strict=True)):
                yield from _differences(f"{what}[{number}]", one, other, whole)
        case bool() | None if found is not expected:
            yield _unlikeness(what, found, expected)
        case _ if found != expected or isinstance(found, bool) != isinstance(expected, bool):
            yield _unlikeness(what, found, expected)


def _unlike(what: str, found: object, expected: object) -> NoReturn:
    raise Mismatch(_unlikeness(what, found, expected))


def _unlikeness(what: str, found: object, expected: object) -> str:
    return f"{what} is {_short(found)}; {_short(expected)} was expected"


def _short(value: object) -> str:
    text = _text(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _text(value: object) -> str:
    """Return a JSON value as text: the same for equal values, a field that is null or left out being the same."""
    if isinstance(value, dict):
        value = {name: each for name, each in value.items() if each is not None}
    return msgspec.json.encode(value, order="sorted").decode()
