"""Validation of requests: which part is wrong, and what was expected; decodes a game's options and moves.

Input that is valid for another game raises another error than input that is valid for none.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
from msgspec import Raw, Struct

from locanda.messages import JsonObject
from services.engine.games import GAMES
from services.engine.games.base import AnyGame

_FIELD = re.compile(r"Object (?:contains unknown|missing required) field `(?P<name>.*)`")
_PATH = re.compile(r"(?P<detail>.*) - at `(?P<path>.*)`$", re.DOTALL)


class ValidationError(Exception):
    """A part of the request is not what it must be. `field` is its JSON path, or a header's or parameter's name."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(f"{field}: {detail}")
        self.field = field
        self.detail = detail


class ImpossibleError(ValidationError):
    """A part of the request is well-formed, but contradicts the rest of it, or the table."""


def validation_error(error: msgspec.ValidationError, root: str = "") -> ValidationError:
    """Return msgspec's error as our own; its path begins with `root`."""
    found = _PATH.match(str(error))
    detail = found["detail"] if found else str(error)
    path = found["path"].removeprefix("$").removeprefix(".") if found else ""
    field = _FIELD.match(detail)
    return ValidationError(".".join(part for part in (root, path, field["name"] if field else "") if part), detail)


@cache
def _move_decoder(game: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(GAMES[game].move_type)


def read_game(name: str) -> AnyGame:
    """Return the game that a body names. Raises `ValidationError`."""
    if name not in GAMES:
        raise ValidationError("game", f"there is no game `{name}` here; there are {', '.join(GAMES)}")
    return GAMES[name]


def read_options(game: AnyGame, options: JsonObject) -> Struct:
    """Return a game's options. Raises `ValidationError` with its path; `ImpossibleError` for those of another game."""
    try:
        read: Struct = msgspec.convert(options, game.options)
    except msgspec.ValidationError as error:
        invalid = validation_error(error, "options")
        raise _for_another_game(invalid, lambda other: msgspec.convert(options, other.options)) from None
    return read


def read_move(game: AnyGame, move: Raw) -> Struct:
    """Return a move of a game. Raises `ValidationError` with its path; `ImpossibleError` for one of another game."""
    try:
        read: Struct = _move_decoder(game.name).decode(move)
    except msgspec.ValidationError as error:
        invalid = validation_error(error, "move")
        raise _for_another_game(invalid, lambda other: msgspec.json.decode(move, type=other.move_type)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValidationError("move", str(error)) from None
    return read


def _for_another_game(error: ValidationError, read: Callable[[AnyGame], object]) -> ValidationError:
    """Return the error; as `ImpossibleError` if another game would accept the input."""
    for other in GAMES.values():
        try:
            read(other)
        except msgspec.ValidationError:
            continue
        return ImpossibleError(error.field, f"in this game: {error.detail}")
    return error
