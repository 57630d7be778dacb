"""The OpenAPI document of the operator's calls, separate from the clients' document."""

from msgspec import Struct

from services.engine.http.api.route import ADMIN, Route
from services.engine.http.document import openapi
from services.engine.http.document.operations import (
    header_components,
    operations_of,
    parameter_components,
    problem_responses,
)
from services.engine.http.document.schemas import components_without_games

FILE = openapi.FILE.with_name("openapi-admin.json")

ABOUT = """Administration of a server by its operator, while its engines run; `locanda admin` is a client of it.

The calls exist if `ENGINE_ADMIN_KEY` is set, and need it as `Authorization: Bearer …`. Changes take effect on all \
engines within a moment. Every act is recorded before it is done. Problems are as in the API for clients."""


def admin_document(routes: tuple[Route, ...]) -> openapi.Document:
    """Return the document of the operator's calls."""
    paths: dict[str, openapi.Document] = {}
    types: set[type[Struct]] = set()
    for route in routes:
        for path, operation in operations_of(route).items():
            paths.setdefault(path, {})[route.method.lower()] = operation
        types |= {type_ for type_ in (route.body, route.response) if isinstance(type_, type)}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Locanda, administration", "version": openapi.VERSION, "description": ABOUT},
        "servers": [{"url": "/"}],
        "tags": [{"name": ADMIN.name, "description": ADMIN.description}],
        "paths": paths,
        "components": {
            "securitySchemes": {"operator": {"type": "http", "scheme": "bearer", "description": "`ENGINE_ADMIN_KEY`."}},
            "schemas": components_without_games(types) | {"TableId": openapi.TABLE_ID},
            "parameters": parameter_components(routes),
            "headers": header_components(),
            "responses": problem_responses(routes),
            "examples": openapi.problem_examples(routes),
        },
    }
