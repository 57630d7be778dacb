"""The schemas of the OpenAPI document in words, for its page."""

import json
from html import escape
from typing import Any

from services.engine.http.html import inline, paragraphs

Node = dict[str, Any]

BOUNDS = {
    "minimum": "at least",
    "maximum": "at most",
    "minLength": "no shorter than",
    "maxLength": "no longer than",
    "minItems": "no fewer than",
    "maxItems": "no more than",
    "default": "by default",
}


def schemas(document: Node) -> str:
    """Return the section of all schemas."""
    articles = "".join(_schema(name, schema) for name, schema in document["components"]["schemas"].items())
    return f'<section id="all-schemas"><h2>Schemas</h2>{articles}</section>'


def _schema(name: str, schema: Node) -> str:
    needed = schema.get("required", [])
    rows = "".join(
        f"<tr><td><code>{escape(key)}</code>{'' if key in needed else ' (optional)'}</td><td>{of_type(part)}</td>"
        f"<td>{inline(part.get('description', ''))}</td></tr>"
        for key, part in schema.get("properties", {}).items()
    )
    told = f"<table>{rows}</table>" if rows else f"<p>{of_type(schema)}</p>"
    return f'<article id="schema-{name}"><h3>{name}</h3>{paragraphs(schema.get("description", ""))}{told}</article>'


def of_type(schema: Node) -> str:
    """Return a schema in a few words, with links to those that it names."""
    return _kind(schema) + _bounds(schema)


def _kind(schema: Node) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#schema-{name}">{name}</a>'
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return " or ".join(of_type(each) for each in schema[word])
    if "enum" in schema or "const" in schema:
        return " or ".join(_code(each) for each in schema.get("enum", [schema.get("const")]))
    if "prefixItems" in schema:
        return f"list of {', '.join(of_type(each) for each in schema['prefixItems'])}"
    if schema.get("items"):
        return f"list of {of_type(schema['items'])}"
    return escape(str(schema.get("type", "anything")))


def _code(value: object) -> str:
    return f"<code>{escape(json.dumps(value, ensure_ascii=False))}</code>"


def _bounds(schema: Node) -> str:
    bounds = "".join(f", {text} {_code(schema[word])}" for word, text in BOUNDS.items() if word in schema)
    return f"{bounds}, as <code>{escape(schema['pattern'])}</code>" if "pattern" in schema else bounds
