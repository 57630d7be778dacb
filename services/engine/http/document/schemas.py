"""JSON Schemas of all messages, generated from the types that the server decodes and encodes.

A message of the stateless calls has a schema for each game, named after the game, since its fields depend on the game.
Answers without the game's name have one schema for the moves or events of all games, with `type` as discriminator. If
games share a type name, the merged schema has the fields of all; fields that some games lack are optional.
"""

import inspect
import sys
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any, get_args

import msgspec
from msgspec import Struct

from locanda import messages
from locanda.games import base
from locanda.games.forms import bare
from locanda.games.game import AnyGame
from locanda.games.rules import GAMES
from locanda.messages import (
    CheckMove,
    CheckRequest,
    OpenTable,
    PlayMove,
    Playout,
    Problem,
    Table,
    administration,
    events,
)
from locanda.texts.games import COMMON_LABELS, texts_of
from services.engine import catalogue
from services.engine.http.document.field_texts import field_texts
from services.engine.http.document.references import PREFIX, Schema, reference, with_named_strings
from services.engine.rehearsal import STARTED

SHAPES = {
    "options": "Options",
    "deal": "Deal",
    "view": "View",
    "views": "View",
    **dict.fromkeys(("move", "moves", "played", "best"), "Move"),
    **dict.fromkeys(("events", "history", "over"), "Event"),
}
"""Fields whose type depends on the game, and the name of that type in each game."""

TEXTS = (list[str], list[str | None])
"""Types of fields that have one of these names, but hold sentences."""

KNOWN = {"game": list(STARTED), "deck": [GAMES[game].deck for game in STARTED]}
"""Fields that hold a name from a fixed list, and that list."""

BY_GAME = (OpenTable, Table)
"""Messages with the game's name in a field, which have a schema for each game."""

EITHER: dict[type[Struct], tuple[str, str]] = {
    CheckMove: ("move", "selection"),
    CheckRequest: ("move", "selection"),
    Playout: ("deal", "start"),
}
"""Messages that need exactly one of two fields."""

OPEN = ("OptionsSchema", "Problem", "Verdict")
"""Messages whose objects may have any fields, also in the document."""


def of_game(message: str, game: str) -> str:
    """Return the name of a message's schema in one game, such as `<Game>DealRequest`."""
    return _camel(game) + message


def differs(message: type[Struct]) -> bool:
    """Return whether a message's fields, or the fields of the messages in it, depend on the game."""
    shaped = [field for field in msgspec.structs.fields(message) if field.encode_name in SHAPES]
    return any(field.type not in TEXTS for field in shaped) or any(map(differs, _parts(message)))


def _parts(message: type[Struct]) -> list[type[Struct]]:
    """Return the messages that the lists and optional fields of a message contain."""
    named = [type_argument for field in msgspec.structs.fields(message) for type_argument in get_args(bare(field.type))]
    structs = [cls for cls in named if inspect.isclass(cls) and issubclass(cls, Struct)]
    return [struct for struct in structs if struct.__module__ == message.__module__]


def _with_parts(messages: Iterable[type[Struct]]) -> set[type[Struct]]:
    """Return those of the messages that depend on the game, and the messages inside them."""
    chosen = {message for message in messages if differs(message)}
    return chosen | _with_parts([part for message in chosen for part in _parts(message)]) if chosen else chosen


def components(messages: set[type[Struct]], of_games: set[type[Struct]]) -> dict[str, Schema]:
    """Return the schemas of messages and of all types in them, by name.

    Each message of `of_games` has one schema for each game.
    """
    of_games = _with_parts(of_games)
    types: list[type[Struct]] = [
        *_sorted(messages | of_games),
        Problem,
        *_of_all_games(),
        *_game_types(),
        *_members(events),
    ]
    _, parts = msgspec.json.schema_components(types, ref_template=PREFIX + "{name}")
    names, texts = {old: _name(old) for old in parts}, _texts_of_fields(types)
    plain = {names[old]: _renamed(schema, names) | {"title": names[old]} for old, schema in parts.items()}
    schemas = {name: _described(schema, texts.get(name, {})) for name, schema in plain.items()}
    labels = schemas["GameWords"]["properties"]["labels"]
    labels["description"] = f"{labels['description']} {_keys_of_labels()}"
    reason = schemas["Result"]["properties"]["reason"]
    reason["anyOf"] = [{"enum": _end_reasons()}, {"type": reason.pop("type")[1]}]
    each_game = {
        name: schema
        for message in _sorted(of_games | set(BY_GAME))
        for name, schema in _each_game(message.__name__, schemas[message.__name__], of_games).items()
    }
    any_game = {name: _in_any_game(name, schema) for name, schema in schemas.items()}
    gone = {cls.__name__ for cls in of_games - messages}
    kept = {name: schema for name, schema in any_game.items() if name not in gone}
    by_game = {cls.__name__: _by_game(cls) for cls in BY_GAME}
    parts = kept | each_game | _unions(schemas) | _contradictions(kept) | by_game
    return dict(sorted(with_named_strings(parts | _branches(parts)).items()))


def components_without_games(types: set[type[Struct]]) -> dict[str, Schema]:
    """Return the schemas of messages that do not depend on games, and of all types in them, by name."""
    _, schemas = msgspec.json.schema_components([*_sorted(types), Problem], ref_template=PREFIX + "{name}")
    texts = _texts_of_fields([*_members(administration), Problem])
    return {name: _described(schema, texts.get(name, {})) for name, schema in sorted(schemas.items())}


def _end_reasons() -> list[str]:
    """Return the codes of the reasons why a deal can end, of all games."""
    return sorted({reason for game in GAMES for reason in texts_of(game).ENDINGS})


def _sorted(types: set[type[Struct]]) -> list[type[Struct]]:
    return sorted(types, key=lambda type_: type_.__name__)


# --- schemas generated by msgspec, with the game's name as prefix


def _game_types() -> list[type[Struct]]:
    """Return all types that games use in JSON."""
    return [cls for game in GAMES.values() for cls in _members(sys.modules[game.options.__module__])]


def _of_all_games() -> list[type[Struct]]:
    """Return the types that games share, whose schemas have no game's name as prefix."""
    return [*_members(base), base.Refusal]


def _members(module: ModuleType) -> list[type[Struct]]:
    """Return the structs of a module, except structs that are stored and generic base classes."""
    classes = [cls for _, cls in inspect.getmembers(module, inspect.isclass)]
    structs = [cls for cls in classes if issubclass(cls, Struct) and cls.__module__.startswith(module.__name__)]
    return [cls for cls in structs if not cls.__struct_config__.array_like and not getattr(cls, "__parameters__", ())]


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _of(cls: type[Struct]) -> str:
    return of_game(cls.__name__, sys.modules[cls.__module__].NAME)


def _name(full_name: str) -> str:
    """Return a schema's name; types of a game have the game's name as prefix."""
    full = {f"{cls.__module__}.{cls.__qualname__}": _of(cls) for cls in _game_types()}
    short = {cls.__name__: _of(cls) for cls in _game_types()}
    return full.get(full_name) or short.get(full_name) or full_name.rpartition(".")[2]


def _renamed(schema: Any, names: dict[str, str]) -> Any:  # noqa: ANN401  (JSON of any shape)
    if isinstance(schema, list):
        return [_renamed(item, names) for item in schema]
    if isinstance(schema, str) and schema.startswith(PREFIX):
        name = schema.removeprefix(PREFIX)
        return PREFIX + names.get(name, name)
    if isinstance(schema, dict):
        renamed = {key: _renamed(value, names) for key, value in schema.items()}
        match renamed.get("enum"):
            case [only]:  # client generators would make a numbered class of each enumeration with a single value
                del renamed["enum"]
                renamed["const"] = only
        renamed = _nullable(renamed)
        # `maxItems` already bounds a tuple's length, and client generators fail at `items: false`.
        return renamed | {"items": _any_of_types(schema["prefixItems"])} if schema.get("items") is False else renamed
    return schema


def _nullable(schema: Schema) -> Schema:
    """Return a nullable value's schema as one schema, since client generators make classes of a union's members."""
    match schema.get("anyOf"):
        case [{"type": "string" | "integer" | "number" | "boolean" | "array" as type_} as value, {"type": "null"}]:
            if not value.keys() & {"enum", "const"}:
                rest = {word: part for word, part in schema.items() if word != "anyOf"}
                nullable: Schema = value | rest | {"type": [type_, "null"]}
                return nullable
    return schema


def _any_of_types(parts: list[Schema]) -> Schema:
    """Return the JSON type that all these schemas share; empty if the types differ."""
    return {"type": sorted({part["type"] for part in parts})[0]} if len({part["type"] for part in parts}) == 1 else {}


# --- descriptions of fields


def _keys_of_labels() -> str:
    """Return a text that lists the keys of `labels`: those of every game, then those of each game."""
    own = [f"`{game}`: {_quoted(texts_of(game).LABELS)}" for game in GAMES]
    return f"In every game: {_quoted(COMMON_LABELS)}. Of each game besides: {'; '.join(own)}."


def _quoted(keys: Iterable[str]) -> str:
    return ", ".join(f"`{key}`" for key in keys)


def _texts_of_fields(types: list[type[Struct]]) -> dict[str, dict[str, str]]:
    """Return the descriptions of fields, by the name of the schema and of the field."""
    of_games = set(_game_types())
    classes = [*types, *_members(messages)]
    return {_of(cls) if cls in of_games else cls.__name__: field_texts(cls) for cls in classes}


def _described(schema: Schema, texts: dict[str, str]) -> Schema:
    """Return a schema with descriptions of its fields, from the field's docstring or its type's."""
    if "properties" not in schema:
        return schema
    properties = {name: _with_text(part, texts.get(name, "")) for name, part in schema["properties"].items()}
    return schema | {"properties": properties}


def _with_text(part: Schema, text: str) -> Schema:
    of_type = next((form["description"] for form in (part, *part.get("anyOf", ())) if "description" in form), "")
    if text and part.get("type") in ("string", ["string", "null"]) and of_type:
        text = f"{text} {of_type}"
    # `labels` is not a JSON Schema keyword. OpenAPI linters accept only those and `x-` extensions.
    known = {"x-labels" if keyword == "labels" else keyword: value for keyword, value in part.items()}
    if text and "anyOf" in known:
        known["anyOf"] = [_without_text(alternative) for alternative in known["anyOf"]]
    return known | {"description": text or of_type}


def _without_text(part: Schema) -> Schema:
    """Return an integer's schema without the description of its type, since the field's description says more."""
    return {word: value for word, value in part.items() if word != "description" or part.get("type") != "integer"}


# --- fields that depend on the game


def _in_any_game(name: str, schema: Schema) -> Schema:
    """Return a schema whose game-dependent fields accept the types of every game."""
    if name in OPEN or "properties" not in schema:
        return schema
    properties = {key: _part(key, part, "") for key, part in schema["properties"].items()}
    if name in {PlayMove.__name__, CheckMove.__name__}:
        properties["move"] = reference("MoveToPlay") | {"description": properties["move"]["description"]}
    return schema | {"properties": properties}


def _each_game(name: str, schema: Schema, of_games: set[type[Struct]]) -> dict[str, Schema]:
    """Return a message's schema for each game. It refers to the same game's schemas of the messages in it."""
    by_game = {}
    for game in GAMES:
        parts = {message.__name__: of_game(message.__name__, game) for message in of_games}
        by_game[of_game(name, game)] = _renamed(_in_game(name, schema, game), parts)
    return by_game


def _in_game(name: str, schema: Schema, game: str) -> Schema:
    properties = {key: _part(key, part, _camel(game)) for key, part in schema["properties"].items()}
    if "game" in properties:
        properties["game"] = {"const": game, "description": properties["game"]["description"]}
    if name == Table.__name__:
        of_view, nothing = reference(of_game("View", game)), {"type": "null"}
        properties["deal"] = {"anyOf": [of_view, nothing], "description": properties["deal"]["description"]}
        properties["events"] = properties["events"] | {"items": reference(of_game("TableEvent", game))}
    return schema | {"title": of_game(name, game), "properties": properties}


def _part(key: str, part: Schema, game: str) -> Schema:
    """Return the schema of a field in a game, or in any game if `game` is empty."""
    if key in KNOWN and part.get("type") == "string":
        return part | {"enum": KNOWN[key]}
    if key not in SHAPES or ("anyOf" in part and not game):
        return part
    shape = reference(game + SHAPES[key])
    if part.get("type") == "array":
        items = part["items"]
        of_any_game = items in ({}, {"type": "object"}) or (game and "discriminator" in items)
        return part | {"items": shape} if of_any_game else part
    is_open = part.get("type", "object") == "object" and "$ref" not in part
    return shape | {word: part[word] for word in ("default", "description") if word in part} if is_open else part


def _unions(schemas: dict[str, Schema]) -> dict[str, Schema]:
    """Return the unions of moves and of events, for each game and for all games; `schemas` has all types."""
    moves = [_tags(game.move_type) for game in GAMES.values()]
    happened = [_tags(events.TableEvent), *(_tags(game.event_type) for game in GAMES.values())]
    of_games = [of_game("Move", game) for game in GAMES]
    unions = {
        "Options": _any_of("Options", "The options of a game.", [of_game("Options", game) for game in GAMES]),
        "MoveToPlay": _any_of("MoveToPlay", "A move of the table's game.", of_games),
    }
    unions |= merged("Move", "A move of any game. Fields that only some games have are optional.", moves, schemas)
    unions |= merged("Event", "An event at a table, or of any game.", happened, schemas)
    for game in GAMES.values():
        unions |= _of_one(game)
    return unions


def _of_one(game: AnyGame) -> dict[str, Schema]:
    move, event, at_table = (of_game(name, game.name) for name in ("Move", "Event", "TableEvent"))
    happened = _tags(events.TableEvent) | _tags(game.event_type)
    return {
        move: _tagged(move, f"A move of the game. {_listed_moves(game)}", _tags(game.move_type)),
        event: _tagged(event, "An event of the game.", _tags(game.event_type)),
        at_table: _tagged(at_table, "An event at a table of the game.", happened),
    }


def _listed_moves(game: AnyGame) -> str:
    """Return the sentence about which of several equal moves the engine lists."""
    return str(sys.modules[game.options.__module__].LISTED_MOVES)


def _tags(union: Any) -> dict[str, str]:  # noqa: ANN401  (mypy has no type for a union)
    """Return the schema names of a union's members, by `type`. A game may have a single type of move."""
    of_games, members = set(_game_types()), get_args(union) or (union,)
    return {str(cls.__struct_config__.tag): _of(cls) if cls in of_games else cls.__name__ for cls in members}


def _tagged(title: str, text: str, tags: dict[str, str]) -> Schema:
    """Return the schema of a union with `type` as discriminator."""
    one_of = [reference(name) for name in tags.values()]
    mapping = {tag: PREFIX + name for tag, name in tags.items()}
    discriminator = {"propertyName": "type", "mapping": mapping}
    return {"title": title, "description": text, "oneOf": one_of, "discriminator": discriminator}


def _any_of(title: str, text: str, names: list[str]) -> Schema:
    """Return the schema of a union. It is `anyOf`, since games share some types, and several may match."""
    return {"title": title, "description": text, "anyOf": [reference(name) for name in names]}


def _contradictions(schemas: dict[str, Schema]) -> dict[str, Schema]:
    """Return the option schemas of the games that have contradictory options."""
    by_game = {of_game("Options", name): catalogue.contradictions(game) for name, game in GAMES.items()}
    return {name: schemas[name] | rules for name, rules in by_game.items() if rules}


def _by_game(cls: type[Struct]) -> Schema:
    """Return the schema of a message that names its game: a union with `game` as discriminator."""
    names = {game: of_game(cls.__name__, game) for game in GAMES}
    discriminator = {"propertyName": "game", "mapping": {game: PREFIX + name for game, name in names.items()}}
    one_of = [reference(name) for name in names.values()]
    text = inspect.getdoc(cls)
    return {"title": cls.__name__, "description": text, "oneOf": one_of, "discriminator": discriminator}


def _branches(schemas: dict[str, Schema]) -> dict[str, Schema]:
    """Return each message of `EITHER` as a union of two schemas, and those two schemas.

    Otherwise client generators would give numbered names to the branches of one schema.
    """
    branched: dict[str, Schema] = {}
    for message, either in EITHER.items():
        games = [of_game(message.__name__, game) for game in GAMES]
        for name in {message.__name__, *games} & schemas.keys():
            branches = {f"{name}With{_camel(field)}": field for field in either}
            branched |= {branch: _with(schemas[name], branch, field, either) for branch, field in branches.items()}
            text = schemas[name]["description"]
            branched[name] = {"title": name, "description": text, "oneOf": [reference(branch) for branch in branches]}
    return branched


def _with(schema: Schema, title: str, wanted: str, either: Iterable[str]) -> Schema:
    """Return a schema that requires `wanted` of the two alternative fields, and lacks the other."""
    gone = {*either} - {wanted}
    properties = {field: part for field, part in schema["properties"].items() if field not in gone}
    return schema | {"title": title, "properties": properties, "required": [*schema["required"], wanted]}


# --- one schema for all games


def merged(title: str, text: str, unions: Sequence[dict[str, str]], schemas: dict[str, Schema]) -> dict[str, Schema]:
    """Return one union that merges several, and the schemas of types that games share.

    Each of the merged unions maps `type` to a schema name.
    """
    by_tag: dict[str, list[str]] = {}
    for union in unions:
        for tag, name in union.items():
            names = by_tag.setdefault(tag, [])
            names += [] if name in names else [name]
    named: dict[str, Schema] = {}
    mapping: dict[str, str] = {}
    for tag, names in by_tag.items():
        name = names[0] if len(names) == 1 else f"Any{_camel(tag)}"
        mapping[tag] = PREFIX + name
        if len(names) > 1:
            named[name] = _of_several(name, [schemas[schema_name] for schema_name in names])
    one_of = [{"$ref": reference} for reference in mapping.values()]
    discriminator = {"propertyName": "type", "mapping": mapping}
    return named | {title: {"title": title, "description": text, "oneOf": one_of, "discriminator": discriminator}}


def _of_several(title: str, shapes: Sequence[Schema]) -> Schema:
    """Return a schema of objects that have one of these shapes."""
    names = dict.fromkeys(name for shape in shapes for name in shape["properties"])
    required = set.intersection(*(set(shape["required"]) for shape in shapes))
    texts = dict.fromkeys(shape["description"] for shape in shapes)
    return {
        "title": title,
        "description": " Or: ".join(texts),
        "type": "object",
        "properties": {
            name: _merged_part([shape["properties"][name] for shape in shapes if name in shape["properties"]])
            for name in names
        },
        "required": [name for name in names if name in required],
    }


def _merged_part(parts: Sequence[Schema]) -> Schema:
    """Return the schema of a field that has one of these schemas."""
    if all(part == parts[0] for part in parts):
        return parts[0]
    text = " Or: ".join(dict.fromkeys(part["description"] for part in parts))
    plain = [_plain(part) for part in parts]
    if all(other == plain[0] for other in plain):
        return plain[0] | {"description": text}
    different = [candidate for number, candidate in enumerate(plain) if candidate not in plain[:number]]
    return {"anyOf": different, "description": text}


def _plain(part: Schema) -> Schema:
    """Return a schema without the keywords that differ between games, such as patterns of cards."""
    kept = {key: part[key] for key in ("type", "enum", "$ref", "anyOf") if key in part}
    return kept | ({"items": _plain(part["items"])} if isinstance(part.get("items"), dict) else {})
