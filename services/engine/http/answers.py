"""From an answer to its HTTP form."""

from collections.abc import Mapping
from typing import Literal

import msgspec
from aiohttp import web
from msgspec import Struct

from services.engine.idempotency import Reply
from shared.messages import Table

JSON = {"Content-Type": "application/json"}
_encoder = msgspec.json.Encoder()


def encoded(answer: Struct) -> web.Response:
    """Return an answer that belongs to no table's version."""
    return web.Response(body=_encoder.encode(answer), headers=JSON)


def seen(table: Table) -> web.Response:
    """Return a table with its version as the entity tag."""
    return _versioned(_encoder.encode(table), table.version, 200)


def unchanged(version: int) -> web.Response:
    """Return that the viewer knows the table already."""
    return web.Response(status=304, headers={"ETag": f'"{version}"'})


def written(reply: Reply, status: Literal[200, 201] = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    """Return the answer to a write."""
    answer = _versioned(reply.body, reply.version, status)
    if headers:
        answer.headers.update(headers)
    return answer


def _versioned(body: bytes, version: int, status: int) -> web.Response:
    return web.Response(body=body, status=status, headers=JSON | {"ETag": f'"{version}"'})
