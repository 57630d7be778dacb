"""The JSON Schemas of all messages, from the very types that the server decodes and encodes with."""

import inspect
import sys
from types import ModuleType
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from services.engine.games.registry import GAMES
from shared import events
from shared.games import base
from shared.messages import Problem

Schema: TypeAlias = dict[str, Any]

PREFIX = "#/components/schemas/"

OF_THE_GAME = {
    ("OptionsSchema", "it"): None,
    ("OptionsSchema", "en"): None,
    ("Problem", "facts"): None,
    ("Verdict", "facts"): None,
}
"""Objects that stay as open as they are."""

BY_NAME = {"options": "Options", "move": "Move", "moves": "Move", "events": "Event"}
"""The parts of messages whose shape depends on the game, and the schema that gathers all games' shapes."""


def components(messages: list[type[Struct]]) -> dict[str, Schema]:
    """Return the schema of each message and of all that it is made of, by name."""
    types: list[type[Struct]] = [*messages, Problem, base.Result, *_game_types(), *_members(events)]
    _, found = msgspec.json.schema_components(types, ref_template=PREFIX + "{name}")
    names = {old: _name(old) for old in found}
    renamed = {names[old]: _with_references(schema, names) | {"title": names[old]} for old, schema in found.items()}
    schemas = {name: _with_game_parts(name, schema) for name, schema in renamed.items()}
    return dict(sorted((schemas | _gathered()).items()))


def _game_types() -> list[type[Struct]]:
    """Return every type that a game puts on the wire."""
    return [cls for game in GAMES.values() for cls in _members(sys.modules[game.options.__module__])]


def _union(type_: Any) -> tuple[type[Struct], ...]:  # noqa: ANN401  (a union of types is no type)
    return getattr(type_, "__args__", (type_,))


def _members(module: ModuleType) -> list[type[Struct]]:
    """Return the messages that a module defines."""
    found = [cls for _, cls in inspect.getmembers(module, inspect.isclass)]
    return [cls for cls in found if issubclass(cls, Struct) and cls.__module__ == module.__name__]


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _owners() -> dict[str, str]:
    """Return for each short name that only one game uses the name that it gets."""
    return {cls.__name__: _of(cls) for cls in _game_types()}


def _of(cls: type[Struct]) -> str:
    return _camel(cls.__module__.rpartition(".")[2]) + cls.__name__


def _name(found: str) -> str:
    """Return a schema's name: a game's types are called after their game, whether or not another game has the like."""
    full = {f"{cls.__module__}.{cls.__qualname__}": _of(cls) for cls in _game_types()}
    return full.get(found) or _owners().get(found) or found.rpartition(".")[2]


def _with_references(schema: Any, names: dict[str, str]) -> Any:  # noqa: ANN401  (JSON of any shape)
    if isinstance(schema, list):
        return [_with_references(item, names) for item in schema]
    if not isinstance(schema, dict):
        return schema
    walked = {key: _with_references(value, names) for key, value in schema.items()}
    if isinstance(walked.get("$ref"), str):
        walked["$ref"] = PREFIX + names[walked["$ref"].removeprefix(PREFIX)]
    if "discriminator" in walked:
        mapping = walked["discriminator"]["mapping"]
        walked["discriminator"]["mapping"] = {
            tag: PREFIX + names[ref.removeprefix(PREFIX)] for tag, ref in mapping.items()
        }
    return walked


def _with_game_parts(name: str, schema: Schema) -> Schema:
    """Say of the parts that depend on the game what each game puts there."""
    properties = {
        key: part if (name, key) in OF_THE_GAME else _game_part(key, part)
        for key, part in schema.get("properties", {}).items()
    }
    return schema | {"properties": properties} if properties else schema


def _game_part(key: str, part: Schema) -> Schema:
    reference = {"$ref": PREFIX + BY_NAME.get(key, "")}
    if key not in BY_NAME:
        return part
    if part.get("items") == {"type": "object"}:
        return part | {"items": reference}
    open_object = part.get("type", "object") == "object" and "$ref" not in part
    return reference | {word: part[word] for word in ("default",) if word in part} if open_object else part


def _gathered() -> dict[str, Schema]:
    """Return the schemas that gather every game's shapes; games share some, so that it is any and not one of them."""
    games = GAMES.values()
    of_table = [_reference(cls.__name__) for cls in _members(events)]
    return {
        "Options": _any_of("A game's switches", [_reference(_of(game.options)) for game in games]),
        "Move": _any_of("A move", [_reference(_of(cls)) for game in games for cls in _union(game.move_type)]),
        "Event": _any_of(
            "What happened at a table or in its game",
            [*of_table, *(_reference(_of(cls)) for game in games for cls in _union(game.event_type))],
        ),
    }


def _reference(name: str) -> Schema:
    return {"$ref": PREFIX + name}


def _any_of(title: str, schemas: list[Schema]) -> Schema:
    return {"title": title, "anyOf": schemas}
