"""Schema references, and schemas of named strings such as cards: each kind of string becomes one schema."""

from typing import Any, TypeAlias

Schema: TypeAlias = dict[str, Any]

PREFIX = "#/components/schemas/"

STRINGS = ("string", ["string", "null"])


def reference(name: str) -> Schema:
    """Return a reference to a schema."""
    return {"$ref": PREFIX + name}


def with_named_strings(schemas: dict[str, Schema]) -> dict[str, Schema]:
    """Return the schemas, with references to a schema of its own for each kind of titled string.

    Otherwise client generators make a numbered class for each place where the string occurs.
    """
    named: dict[str, Schema] = {}
    for string in _named_strings([*schemas.values()]):
        known = named.setdefault(string["title"], string)
        # A field's description begins with the field's own text. So the shortest description is the type's alone.
        named[string["title"]] = min(known, string, key=lambda candidate: len(candidate["description"]))
    plain = {name: {word: part for word, part in schema.items() if word != "default"} for name, schema in named.items()}
    return {name: _referring(schema, plain) for name, schema in schemas.items()} | plain


def _named_strings(schema: Any) -> list[Schema]:  # noqa: ANN401  (JSON of any shape)
    """Return all titled string schemas in this schema, except nullable strings."""
    if isinstance(schema, dict) and schema.get("type") == "string" and "title" in schema:
        return [schema]
    parts = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    return [named_part for part in parts for named_part in _named_strings(part)]


def _referring(schema: Any, named: dict[str, Schema]) -> Any:  # noqa: ANN401  (JSON of any shape)
    if isinstance(schema, list):
        return [_referring(part, named) for part in schema]
    if isinstance(schema, dict) and schema.get("type") in STRINGS and schema.get("title") in named:
        known, nothing = named[schema["title"]], {"type": "null"}
        own = {word: part for word, part in schema.items() if word != "type" and part != known.get(word)}
        string = reference(known["title"])
        return (string if schema["type"] == "string" else {"anyOf": [string, nothing]}) | own
    if isinstance(schema, dict):
        return {word: _referring(part, named) for word, part in schema.items()}
    return schema
