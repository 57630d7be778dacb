"""What calls answer: a body, and what is said of it."""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import Struct, field

from services.engine.idempotency import Reply

JSON = "application/json"
_encoder = msgspec.json.Encoder()


class Answer(Struct, frozen=True):
    """An answer that is whole. Streams are none."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    """Its own; what every answer says is not among them (`headers.py`)."""


def encoded(answer: Struct) -> Answer:
    """Return an answer that belongs to no table's version."""
    return Answer(_encoder.encode(answer), headers={"Content-Type": JSON})


def versioned(reply: Reply, status: Literal[200, 201] = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """Return an answer that shows a table, with its version as the entity tag."""
    told = {"Content-Type": JSON, "ETag": f'"{reply.version}"'}
    if headers:
        told.update(headers)
    return Answer(reply.body, status, told)


def unchanged(version: int) -> Answer:
    """Return that the viewer knows the table already."""
    return Answer(status=304, headers={"ETag": f'"{version}"'})
