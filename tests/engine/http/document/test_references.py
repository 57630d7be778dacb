"""References in the OpenAPI document to its components."""

import json
from collections.abc import Iterator
from typing import Any

from tests.engine.http.document.documented import (
    DOCUMENT,
    node_of,
)


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        if "discriminator" in node:
            yield from node["discriminator"]["mapping"].values()
        for value in node.values():
            yield from _references(value)
    if isinstance(node, list):
        for value in node:
            yield from _references(value)


def test_every_reference_leads_somewhere_and_every_component_is_used() -> None:
    for reference in set(_references(DOCUMENT)):
        assert node_of(reference)
    components = DOCUMENT["components"]
    defined = {f"#/components/{kind}/{name}" for kind in components for name in components[kind]}
    schemes = {f"#/components/securitySchemes/{name}" for name in ("seat", "key")}
    assert defined - set(_references(DOCUMENT)) <= schemes


def test_a_card_is_the_same_schema_wherever_it_stands() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    cards = {name: schema for name, schema in schemas.items() if "Card" in name and schema.get("type") == "string"}

    assert cards
    for schema in cards.values():
        assert json.dumps(DOCUMENT).count(json.dumps(schema["pattern"])) == 1
