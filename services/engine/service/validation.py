"""Validation of requests: names the invalid part and what was expected. Decodes a game's options and moves.

Input that is valid for another game raises a different error than input that is valid for none.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import Raw, Struct, inspect

from locanda.games.game import AnyGame
from locanda.games.rules import GAMES
from locanda.messages import AnyOptions
from services.engine.catalogue import details
from services.engine.errors import ProblemError

_FIELD = re.compile(r"Object (?:contains unknown|missing required) field `(?P<name>.*)`")
_PATH = re.compile(r"(?P<detail>.*) - at `(?P<path>.*)`$", re.DOTALL)
_STEP = re.compile(r"[^.\[\]]+|\[[^\]]*\]")
"""A step of a path: a name, or the index of an item."""
_CHOICE = re.compile(r"Invalid (?:enum )?value |Object missing required field ")
_UNKNOWN = re.compile(r"Object contains unknown field `")
_PATTERN = re.compile(r"Expected `[^`]*` matching regex ")


class ValidationError(ProblemError):
    """A part of the request is invalid. `field` is its JSON path, or the name of a header or parameter."""

    field: str

    def __init__(self, field: str, detail: str, code: str = "malformed") -> None:
        super().__init__(code, detail, field=field)


class ImpossibleError(ValidationError):
    """A part of the request is well-formed, but contradicts other parts or the table."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(field, detail, "impossible")


def validation_error(
    error: msgspec.ValidationError, type_: object, root: str = "", *, value: object = None, also: Sequence[str] = ()
) -> ValidationError:
    """Convert msgspec's error for a value of a type to our error. `root` is the beginning of the value's path.

    The new error also names the allowed values or fields, and describes regular expressions in words. `also` are fields
    that the object may have besides those of the type.
    """
    match = _PATH.match(str(error))
    detail = match["detail"] if match else str(error)
    path = match["path"].removeprefix("$").removeprefix(".") if match else ""
    field = _FIELD.match(detail)
    whole = ".".join(part for part in (path, field["name"] if field else "") if part)
    named = ".".join(part for part in (root, whole) if part)
    if _UNKNOWN.match(detail):
        return ValidationError(named, detail + _known_fields(type_, path, value, also))
    return ValidationError(named, _described(detail, type_, whole))


def _known_fields(type_: object, path: str, value: object, also: Sequence[str]) -> str:
    """Return a text that lists the fields of the object at a path; empty if the object's type is ambiguous."""
    for step in _STEP.findall(path):
        value = _at(value, step)
    structs = [struct_type for struct_type, _ in _types_at(type_, path) if isinstance(struct_type, inspect.StructType)]
    tagged = [struct for struct in structs if isinstance(value, Mapping) and value.get(struct.tag_field) == struct.tag]
    for struct in (tagged or structs)[:1] if tagged or len(structs) == 1 else ():
        tag = [struct.tag_field] if struct.tag_field else []
        required = [field.encode_name for field in struct.fields if field.required]
        known = _quoted([*tag, *[field.encode_name for field in struct.fields], *also])
        needed = f"; required: {_quoted(required)}" if required else ""
        return f"; the fields are {known}{needed}" if known else ""
    return ""


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _described(detail: str, type_: object, path: str) -> str:
    if _CHOICE.match(detail):
        values = [str(value) for value_type, _ in _types_at(type_, path) for value in getattr(value_type, "values", ())]
        return f"{detail}: there are {', '.join(values)}" if values else detail
    if _PATTERN.match(detail):
        forms = (form for value_type, form in _types_at(type_, path) if form and getattr(value_type, "pattern", None))
        return next((f"Expected: {form.removesuffix('.')}" for form in forms), detail)
    return detail


@cache
def _type_info(type_: object) -> inspect.Type:
    return inspect.type_info(type_)


def _types_at(type_: object, path: str) -> list[tuple[inspect.Type, str]]:
    """Return the possible types of the value at a path inside a type, each with its description."""
    alternatives = [*_alternatives(_type_info(type_))]
    for step in _STEP.findall(path):
        inner = [part for alternative, _ in alternatives for part in _parts(alternative, step)]
        alternatives = [alternative for part in inner for alternative in _alternatives(part)]
    return alternatives


def _alternatives(type_: inspect.Type, description: str = "") -> Iterator[tuple[inspect.Type, str]]:
    match type_:
        case inspect.Metadata(inner, schema):
            yield from _alternatives(inner, (schema or {}).get("description", ""))
        case inspect.UnionType(types):
            for part_type in types:
                yield from _alternatives(part_type, description)
        case _:
            yield type_, description


def _parts(type_: inspect.Type, step: str) -> list[inspect.Type]:
    """Return the possible types of a part of a value: a field, a union's tag, or an item."""
    match type_:
        case inspect.StructType(tag_field=str(name), tag=tag) if step == name:
            return [inspect.LiteralType((tag,))]
        case inspect.StructType(fields=fields):
            return [field.type for field in fields if field.encode_name == step]
        case inspect.ListType(item) | inspect.VarTupleType(item) | inspect.DictType(_, item):
            return [item]
    return []


@cache
def _move_decoder(game: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(GAMES[game].move_type)


def read_game(name: str) -> AnyGame:
    """Return the game that a body names. Raises `ValidationError` if there is no such game."""
    if name not in GAMES:
        raise ValidationError("game", f"there is no game `{name}` here; there are {', '.join(GAMES)}")
    return GAMES[name]


def read_options(game: AnyGame, options: AnyOptions) -> Struct:
    """Return a game's options. Raises `ValidationError`, or `ImpossibleError` for another game's."""
    try:
        read: Struct = msgspec.convert(options, game.options)
    except msgspec.ValidationError as error:
        invalid = validation_error(error, game.options, "options", value=options)
        raise _for_another_game(invalid, lambda other: msgspec.convert(options, other.options)) from None
    return read


def read_move(game: AnyGame, move: Raw) -> Struct:
    """Return a move of a game. Raises `ValidationError`, or `ImpossibleError` for another game's."""
    try:
        read: Struct = _move_decoder(game.name).decode(move)
    except msgspec.ValidationError as error:
        raise _no_move(error, game, move) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValidationError("move", str(error)) from None
    return read


def _no_move(error: msgspec.ValidationError, game: AnyGame, move: Raw) -> ValidationError:
    """Return the error for an invalid move. It says if the move or card belongs to another game."""
    try:
        value: object = msgspec.json.decode(move)
    except (msgspec.DecodeError, UnicodeDecodeError):  # for example, JSON with a number that is too large
        return validation_error(error, game.move_type, "move")
    converted = validation_error(error, game.move_type, "move", value=value)
    return _for_another_game(_with_decks(converted, value), lambda other: msgspec.convert(value, other.move_type))


def _with_decks(error: ValidationError, move: object) -> ValidationError:
    """Return the error. If the invalid value is a card of another game, the error names that game."""
    value: object = {"move": move}
    for step in _STEP.findall(error.field):
        value = _at(value, step)
    games = [f"`{name}`" for name in GAMES if value in _cards(name)] if isinstance(value, str) else []
    return (
        ValidationError(error.field, f"{error.detail}; `{value}` is a card of {', '.join(games)}") if games else error
    )


def _at(value: object, step: str) -> object:
    """Return the part of a value at a step of a path, or None if it has no such part."""
    if isinstance(value, Mapping):
        return value.get(step)
    number = step.strip("[]")
    if isinstance(value, list) and number.isdecimal() and int(number) < len(value):
        return value[int(number)]
    return None


@cache
def _cards(game: str) -> frozenset[str]:
    steps: list[Any] = [details(game).dealing]
    cards: set[str] = set()
    while steps:
        step = steps.pop()
        if isinstance(step, Mapping):
            cards.update(step.get("cards", ()))
            cards.update(rank + suit for rank in step.get("ranks", ()) for suit in step.get("suits", ()))
            steps.extend(step.values())
        elif isinstance(step, list):
            steps.extend(step)
    return frozenset(cards)


def _for_another_game(error: ValidationError, read: Callable[[AnyGame], object]) -> ValidationError:
    """Return the error; `ImpossibleError` instead if the input is valid for another game."""
    for other in GAMES.values():
        try:
            read(other)
        except msgspec.ValidationError:
            continue
        return ImpossibleError(error.field, f"in this game: {error.detail}")
    return error
