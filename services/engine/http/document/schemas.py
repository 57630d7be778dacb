"""The JSON Schemas of all messages, generated from the types with which the server decodes and encodes.

A message of the stateless calls, whose shape depends on the game, has one schema for each game, named after it.
"""

import inspect
import sys
from types import ModuleType
from typing import Any, TypeAlias, get_args

import msgspec
from msgspec import Struct

from locanda import events
from locanda.games import base
from locanda.messages import OpenTable, Problem
from services.engine import catalogue
from services.engine.games.base import AnyGame
from services.engine.games.registry import GAMES

Schema: TypeAlias = dict[str, Any]

PREFIX = "#/components/schemas/"

SHAPES = {
    "options": "Options",
    "deal": "Deal",
    "view": "View",
    **dict.fromkeys(("move", "moves", "played", "best"), "Move"),
    **dict.fromkeys(("events", "history"), "Event"),
}
"""The fields whose shape depends on the game, and the name of that shape in each game."""

KNOWN = {"game": list(GAMES), "deck": [game.deck for game in GAMES.values()]}
"""The fields that hold a name of the games', and the names that are possible."""

OPEN = ("OptionsSchema", "Problem", "Verdict")
"""Messages whose objects of any shape stay so in the document."""


def reference(name: str) -> Schema:
    """Return a reference to a schema."""
    return {"$ref": PREFIX + name}


def of_game(message: str, game: str) -> str:
    """Return the name of a message's schema in a game, such as `RaminoDealRequest`."""
    return _camel(game) + message


def differs(message: type[Struct]) -> bool:
    """Return whether a message's shape depends on the game."""
    return not SHAPES.keys().isdisjoint(message.__struct_fields__)


def components(messages: set[type[Struct]], of_games: set[type[Struct]]) -> dict[str, Schema]:
    """Return by name the schemas of messages and of all types in them; `of_games` get one for each game instead."""
    types = [*_sorted(messages | of_games), Problem, *_of_all_games(), *_game_types(), *_members(events)]
    _, found = msgspec.json.schema_components(types, ref_template=PREFIX + "{name}")
    names = {old: _name(old) for old in found}
    schemas = {names[old]: _renamed(schema, names) | {"title": names[old]} for old, schema in found.items()}
    each_game = {
        name: schema
        for message in _sorted(of_games | {OpenTable})
        for name, schema in _each_game(message.__name__, schemas[message.__name__]).items()
    }
    any_game = {name: _in_any_game(name, schema) for name, schema in schemas.items()}
    gone = {cls.__name__ for cls in of_games - messages}
    kept = {name: schema for name, schema in any_game.items() if name not in gone}
    return dict(sorted((kept | each_game | _unions() | _contradictions(kept) | {"OpenTable": _open_table()}).items()))


def _sorted(types: set[type[Struct]]) -> list[type[Struct]]:
    return sorted(types, key=lambda type_: type_.__name__)


# --- the schemas that msgspec generates, under names that begin with their game's


def _game_types() -> list[type[Struct]]:
    """Return every type that a game puts on the wire."""
    return [cls for game in GAMES.values() for cls in _members(sys.modules[game.options.__module__])]


def _of_all_games() -> list[type[Struct]]:
    """Return the types that the games share, whose names begin with no game's."""
    return [cls for cls in _members(base) if cls is not base.Refusal]


def _members(module: ModuleType) -> list[type[Struct]]:
    """Return the structs that a module defines."""
    found = [cls for _, cls in inspect.getmembers(module, inspect.isclass)]
    return [cls for cls in found if issubclass(cls, Struct) and cls.__module__ == module.__name__]


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _of(cls: type[Struct]) -> str:
    return of_game(cls.__name__, cls.__module__.rpartition(".")[2])


def _name(found: str) -> str:
    """Return a schema's name, which begins with the game's for the types of a game."""
    full = {f"{cls.__module__}.{cls.__qualname__}": _of(cls) for cls in _game_types()}
    short = {cls.__name__: _of(cls) for cls in _game_types()}
    return full.get(found) or short.get(found) or found.rpartition(".")[2]


def _renamed(schema: Any, names: dict[str, str]) -> Any:  # noqa: ANN401  (JSON of any shape)
    if isinstance(schema, list):
        return [_renamed(item, names) for item in schema]
    if isinstance(schema, str) and schema.startswith(PREFIX):
        return PREFIX + names[schema.removeprefix(PREFIX)]
    if isinstance(schema, dict):
        # `maxItems` bounds a tuple's length already, and generators of clients fail at `items: false`.
        return {key: _renamed(value, names) for key, value in schema.items() if (key, value) != ("items", False)}
    return schema


# --- the parts that depend on the game


def _in_any_game(name: str, schema: Schema) -> Schema:
    """Return a schema whose parts that depend on the game admit every game's."""
    if name in OPEN or "properties" not in schema:
        return schema
    return schema | {"properties": {key: _part(key, part, "") for key, part in schema["properties"].items()}}


def _each_game(name: str, schema: Schema) -> dict[str, Schema]:
    """Return a message's schema in each game."""
    return {of_game(name, game): _in_game(name, schema, game) for game in GAMES}


def _in_game(name: str, schema: Schema, game: str) -> Schema:
    properties = {key: _part(key, part, _camel(game)) for key, part in schema["properties"].items()}
    if "game" in properties:
        properties["game"] = {"const": game}
    return schema | {"title": of_game(name, game), "properties": properties}


def _part(key: str, part: Schema, game: str) -> Schema:
    """Return the schema of a field in a game, or in any game where `game` is empty."""
    if key in KNOWN and part.get("type") == "string":
        return part | {"enum": KNOWN[key]}
    if key not in SHAPES or ("anyOf" in part and not game):
        return part
    shape = reference(game + SHAPES[key])
    if part.get("type") == "array":
        return part | {"items": shape} if part["items"] == {"type": "object"} else part
    is_open = part.get("type", "object") == "object" and "$ref" not in part
    return shape | {word: part[word] for word in ("default",) if word in part} if is_open else part


def _unions() -> dict[str, Schema]:
    """Return the schemas of moves and events, of each game and of any."""
    of_games = [of_game("Event", game) for game in GAMES]
    found = {
        "TableEvent": _tagged("TableEvent", "What happened at a table, beside its game.", events.TableEvent),
        "Options": _any_of("Options", "The switches of a game.", [of_game("Options", game) for game in GAMES]),
        "Move": _any_of("Move", "A move of any game.", [of_game("Move", game) for game in GAMES]),
        "Event": _any_of("Event", "What happened at a table or in its game.", ["TableEvent", *of_games]),
    }
    for game in GAMES.values():
        found |= _of_one(game)
    return found


def _of_one(game: AnyGame) -> dict[str, Schema]:
    move, event = of_game("Move", game.name), of_game("Event", game.name)
    return {
        move: _tagged(move, "A move of the game.", game.move_type),
        event: _tagged(event, "What happened in the game.", game.event_type),
    }


def _tagged(title: str, text: str, union: Any) -> Schema:  # noqa: ANN401  (mypy has no type for a union)
    """Return the schema of a union whose members differ in `type`; a game may have a single type of move."""
    of_games, members = set(_game_types()), get_args(union) or (union,)
    names = {cls.__struct_config__.tag: _of(cls) if cls in of_games else cls.__name__ for cls in members}
    mapping = {str(tag): PREFIX + name for tag, name in names.items()}
    one_of = [reference(name) for name in names.values()]
    discriminator = {"propertyName": "type", "mapping": mapping}
    return {"title": title, "description": text, "oneOf": one_of, "discriminator": discriminator}


def _any_of(title: str, text: str, names: list[str]) -> Schema:
    """Return the schema of a union; `anyOf` because games share some shapes, so that several may match."""
    return {"title": title, "description": text, "anyOf": [reference(name) for name in names]}


def _contradictions(schemas: dict[str, Schema]) -> dict[str, Schema]:
    """Return the options' schemas of the games where some options exclude one another."""
    found = {of_game("Options", name): catalogue.contradictions(game) for name, game in GAMES.items()}
    return {name: schemas[name] | rules for name, rules in found.items() if rules}


def _open_table() -> Schema:
    """Return the schema of `OpenTable`, which is one of the games' schemas."""
    names = {game: of_game("OpenTable", game) for game in GAMES}
    discriminator = {"propertyName": "game", "mapping": {game: PREFIX + name for game, name in names.items()}}
    text = inspect.getdoc(OpenTable)
    one_of = [reference(name) for name in names.values()]
    return {"title": "OpenTable", "description": text, "oneOf": one_of, "discriminator": discriminator}
