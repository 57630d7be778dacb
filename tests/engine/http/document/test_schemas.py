"""The schemas in the OpenAPI document."""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from locanda.games.registry import WIRE_TYPES
from locanda.games.rules import GAMES
from locanda.messages import JsonObject
from services.engine.http.document.schemas import of_game
from tests.engine.http.document.documented import (
    DOCUMENT,
    OPERATIONS,
    resolved,
    validator,
)

SCHEMAS: dict[str, JsonObject] = DOCUMENT["components"]["schemas"]


def _schema_validator(name: str) -> jsonschema_rs.Draft202012Validator:
    return validator({"$ref": f"#/components/schemas/{name}"})


def test_every_field_says_what_it_means() -> None:
    silent = [
        f"{name}.{field}"
        for name, schema in _schemas(DOCUMENT, "")
        for field, part in schema.get("properties", {}).items()
        if len(part.get("description", "").split()) < 3
    ]
    assert silent == []


def _schemas(part: Any, path: str) -> Iterator[tuple[str, JsonObject]]:
    """Yield every schema with properties in a part of the document, with its path."""
    if isinstance(part, dict):
        if "properties" in part:
            yield path, part
        for name, value in part.items():
            if name not in ("examples", "example", "not"):
                yield from _schemas(value, f"{path}/{name}")
    elif isinstance(part, list):
        for number, value in enumerate(part):
            yield from _schemas(value, f"{path}/{number}")


@pytest.mark.parametrize("game", GAMES)
def test_the_document_says_which_of_equal_moves_are_listed(game: str) -> None:
    schemas = DOCUMENT["components"]["schemas"]
    assert WIRE_TYPES[game].LISTED_MOVES in schemas[of_game("Move", game)]["description"]
    for name in ("LegalMoves", of_game("LegalMoves", game), of_game("Table", game)):
        assert "of equal ones" in schemas[name]["properties"]["moves"]["description"]


def test_every_schema_is_valid() -> None:
    assert [name for name, schema in SCHEMAS.items() if not jsonschema_rs.meta.is_valid(schema)] == []


def test_no_body_admits_unknown_fields() -> None:
    for operation in OPERATIONS:
        if "requestBody" in operation.described:
            for schema in _shapes(operation.described["requestBody"]["content"]["application/json"]["schema"]):
                assert schema["additionalProperties"] is False


def _shapes(schema: JsonObject) -> list[JsonObject]:
    node = resolved(schema)
    if "oneOf" in node and "properties" not in node:
        return [shape for branch in node["oneOf"] for shape in _shapes(branch)]
    return [node]


def test_the_data_of_a_streamed_event_is_a_table() -> None:
    event = DOCUMENT["components"]["examples"]["StreamedEvent.change"]["value"]
    _schema_validator("Table").validate(json.loads(event["data"]))
