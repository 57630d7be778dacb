"""The JSON Schemas of all messages, from the very types that the server decodes and encodes with.

What depends on the game is said of each game: a message of the stateless calls has a schema for each, called after it.
"""

import inspect
import sys
from types import ModuleType
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from services.engine import catalogue
from services.engine.games.game import AnyGame
from services.engine.games.registry import GAMES
from shared import events
from shared.games import base
from shared.messages import OpenTable, Problem

Schema: TypeAlias = dict[str, Any]

PREFIX = "#/components/schemas/"

SHAPES = {"options": "Options", "move": "Move", "moves": "Move", "events": "Event", "deal": "Deal", "view": "View"}
"""The fields whose shape depends on the game, and what that shape is called."""

KNOWN = {"game": list(GAMES), "deck": [game.deck for game in GAMES.values()]}
"""The fields whose text is one of the games', and which texts those are."""

AS_THEY_ARE = ("OptionsSchema", "Problem", "Verdict")
"""Messages whose open objects stay open."""


def reference(name: str) -> Schema:
    """Return a reference to a schema."""
    return {"$ref": PREFIX + name}


def of_game(message: str, game: str) -> str:
    """Return the name of a message's schema in a game."""
    return _camel(game) + message


def differs(message: type[Struct]) -> bool:
    """Tell whether a message's shape depends on the game."""
    return not SHAPES.keys().isdisjoint(message.__struct_fields__)


def components(messages: set[type[Struct]], of_games: set[type[Struct]]) -> dict[str, Schema]:
    """Return the schema of each message and of all that it is made of, by name; of some for each game instead."""
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


# --- what msgspec finds, under names that say whose it is


def _game_types() -> list[type[Struct]]:
    """Return every type that a game puts on the wire."""
    return [cls for game in GAMES.values() for cls in _members(sys.modules[game.options.__module__])]


def _of_all_games() -> list[type[Struct]]:
    """Return what the games share, which is called after none of them."""
    return [cls for cls in _members(base) if cls is not base.Refusal]


def _members(module: ModuleType) -> list[type[Struct]]:
    """Return the messages that a module defines."""
    found = [cls for _, cls in inspect.getmembers(module, inspect.isclass)]
    return [cls for cls in found if issubclass(cls, Struct) and cls.__module__ == module.__name__]


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _of(cls: type[Struct]) -> str:
    return of_game(cls.__name__, cls.__module__.rpartition(".")[2])


def _name(found: str) -> str:
    """Return a schema's name: a game's types are called after their game, whether or not another game has the like."""
    full = {f"{cls.__module__}.{cls.__qualname__}": _of(cls) for cls in _game_types()}
    short = {cls.__name__: _of(cls) for cls in _game_types()}
    return full.get(found) or short.get(found) or found.rpartition(".")[2]


def _renamed(schema: Any, names: dict[str, str]) -> Any:  # noqa: ANN401  (JSON of any shape)
    if isinstance(schema, list):
        return [_renamed(item, names) for item in schema]
    if isinstance(schema, str) and schema.startswith(PREFIX):
        return PREFIX + names[schema.removeprefix(PREFIX)]
    if isinstance(schema, dict):
        # A tuple's length is bounded by `maxItems` already, and makers of clients stumble over `items: false`.
        return {key: _renamed(value, names) for key, value in schema.items() if (key, value) != ("items", False)}
    return schema


# --- what depends on the game


def _in_any_game(name: str, schema: Schema) -> Schema:
    """Say of the parts that depend on the game what any game may put there."""
    if name in AS_THEY_ARE or "properties" not in schema:
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
    """Return what a field holds in a game, or in any where none is named."""
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
    """Return what a move and an event are, in each game and in any."""
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


def _tagged(title: str, text: str, union: Any) -> Schema:  # noqa: ANN401  (a union of types is no type)
    """Return the schema of a union that `type` tells apart."""
    of_games = set(_game_types())
    names = {cls.__struct_config__.tag: _of(cls) if cls in of_games else cls.__name__ for cls in union.__args__}
    mapping = {str(tag): PREFIX + name for tag, name in names.items()}
    told = {"discriminator": {"propertyName": "type", "mapping": mapping}}
    return {"title": title, "description": text, "oneOf": [reference(name) for name in names.values()]} | told


def _any_of(title: str, text: str, names: list[str]) -> Schema:
    """Games share some shapes, so that it is any and not one of them."""
    return {"title": title, "description": text, "anyOf": [reference(name) for name in names]}


def _contradictions(schemas: dict[str, Schema]) -> dict[str, Schema]:
    """Return the options of the games that have some which do not go together."""
    found = {of_game("Options", name): catalogue.contradictions(game) for name, game in GAMES.items()}
    return {name: schemas[name] | told for name, told in found.items() if told}


def _open_table() -> Schema:
    """Return how a table is opened: a shape for each game."""
    names = {game: of_game("OpenTable", game) for game in GAMES}
    told = {"propertyName": "game", "mapping": {game: PREFIX + name for game, name in names.items()}}
    text = inspect.getdoc(OpenTable)
    one_of = [reference(name) for name in names.values()]
    return {"title": "OpenTable", "description": text, "oneOf": one_of, "discriminator": told}
