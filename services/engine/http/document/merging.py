"""One schema for moves, or events, of all games, told apart by `type`: for answers that do not name their game.

Games share some types. Of such a type, the merged schema has the fields of all games; those that not all of them have
are optional.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

Schema: TypeAlias = dict[str, Any]

PREFIX = "#/components/schemas/"


def merged(title: str, text: str, unions: Sequence[dict[str, str]], schemas: dict[str, Schema]) -> dict[str, Schema]:
    """Return the union of unions, each from `type` to the name of a schema, and the schemas that it needs besides."""
    by_tag: dict[str, list[str]] = {}
    for union in unions:
        for tag, name in union.items():
            names = by_tag.setdefault(tag, [])
            names += [] if name in names else [name]
    found: dict[str, Schema] = {}
    mapping: dict[str, str] = {}
    for tag, names in by_tag.items():
        name = names[0] if len(names) == 1 else f"Any{_camel(tag)}"
        mapping[tag] = PREFIX + name
        if len(names) > 1:
            found[name] = _of_several(name, [schemas[each] for each in names])
    one_of = [{"$ref": reference} for reference in mapping.values()]
    discriminator = {"propertyName": "type", "mapping": mapping}
    return found | {title: {"title": title, "description": text, "oneOf": one_of, "discriminator": discriminator}}


def _of_several(title: str, shapes: Sequence[Schema]) -> Schema:
    """Return a schema of objects that are of one of these shapes."""
    names = dict.fromkeys(name for shape in shapes for name in shape["properties"])
    required = set.intersection(*(set(shape["required"]) for shape in shapes))
    texts = dict.fromkeys(shape["description"] for shape in shapes)
    return {
        "title": title,
        "description": " Or: ".join(texts),
        "type": "object",
        "properties": {
            name: _part([shape["properties"][name] for shape in shapes if name in shape["properties"]])
            for name in names
        },
        "required": [name for name in names if name in required],
    }


def _part(parts: Sequence[Schema]) -> Schema:
    """Return the schema of a field that has one of these."""
    if all(part == parts[0] for part in parts):
        return parts[0]
    text = " Or: ".join(dict.fromkeys(part["description"] for part in parts))
    plain = [_plain(part) for part in parts]
    if all(each == plain[0] for each in plain):
        return plain[0] | {"description": text}
    different = [each for number, each in enumerate(plain) if each not in plain[:number]]
    return {"anyOf": different, "description": text}


def _plain(part: Schema) -> Schema:
    """Return a schema without what it says of the cards of one game."""
    kept = {key: part[key] for key in ("type", "enum", "$ref", "anyOf") if key in part}
    return kept | ({"items": _plain(part["items"])} if isinstance(part.get("items"), dict) else {})


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
