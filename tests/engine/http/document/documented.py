"""The committed OpenAPI document, its operations and its schemas, as tests read them."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

import jsonschema_rs

from locanda.messages import JsonObject
from services.engine.app import DOCUMENTATION
from services.engine.http.server.responses import SAFE_HEADERS
from tests.engine.http.engine_server import ApiResponse

DOCUMENT = DOCUMENTATION.document
PROBLEM = "application/problem+json"


def node_of(reference: str) -> Any:
    """The node to which a JSON reference points."""
    node: Any = DOCUMENT
    for step in reference.removeprefix("#/").split("/"):
        node = node[step]
    return node


def resolved(node: Any) -> Any:
    """A node of the document. If it is a reference, the node to which it points."""
    return node_of(node["$ref"]) if "$ref" in node else node


@dataclass(frozen=True)
class Operation:
    path: str
    method: str
    described: JsonObject

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.path}"

    @property
    def parameters(self) -> list[JsonObject]:
        return [resolved(parameter) for parameter in self.described.get("parameters", [])]

    @property
    def responses(self) -> dict[str, JsonObject]:
        return {status: resolved(response) for status, response in self.described["responses"].items()}


OPERATIONS = [
    Operation(path, method, described)
    for path, methods in DOCUMENT["paths"].items()
    for method, described in methods.items()
]


def validator(schema: JsonObject) -> jsonschema_rs.Draft202012Validator:
    return compiled(json.dumps(schema))


@cache
def compiled(schema: str) -> jsonschema_rs.Draft202012Validator:
    whole = {"allOf": [json.loads(schema)], "components": DOCUMENT["components"]}
    return jsonschema_rs.Draft202012Validator(whole, validate_formats=True)


FOR_BROWSERS = SAFE_HEADERS.keys() | {"Content-Security-Policy"}
OF_HTTP = {"Content-Type", "Content-Length", "Date", "Server", "Connection", "Allow"}


def check(answer: ApiResponse, path: str, method: str = "get") -> None:
    """Check a response against the document, including every header."""
    response = resolved(DOCUMENT["paths"][path][method]["responses"][str(answer.status)])
    carried = {name.lower() for name in answer.headers.keys() - FOR_BROWSERS - OF_HTTP}
    documented = {name: resolved(header) for name, header in response["headers"].items()}
    assert (
        {name.lower() for name in documented if documented[name]["required"]}
        <= carried
        <= {name.lower() for name in documented}
    )
    for name, header in documented.items():
        if name in answer.headers:
            check_header(header["schema"], answer.headers[name])
    if answer.body:
        kind = answer.headers["Content-Type"].partition(";")[0]
        schema = response["content"][kind]["schema"]
        validator(schema).validate(answer.json if kind.endswith("json") else answer.body.decode())


def check_header(schema: JsonObject, value: str) -> None:
    validator(schema).validate(int(value) if schema.get("type") == "integer" else value)
