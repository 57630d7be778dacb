"""A server that receives webhooks: it checks their signatures, and answers as configured."""

import hmac
from base64 import b64decode, b64encode
from collections import Counter
from contextlib import AbstractAsyncContextManager
from hashlib import sha256
from typing import Any

import msgspec
from aiohttp import web

from tests.engine.http.receiving import receiving


class HookReceiver:
    """A server that receives webhooks."""

    def __init__(self) -> None:
        self.secrets: dict[str, str] = {}
        """The webhook secret of each path."""
        self.ids: Counter[str] = Counter()
        """The number of deliveries of each notice, by id."""
        self.notices: dict[str, Any] = {}
        """The body of each notice, by id."""
        self.came: set[tuple[str, int]] = set()
        """The table and the version of each notice."""
        self.status = 204
        self.url = ""

    async def take(self, request: web.Request) -> web.Response:
        body, number = await request.read(), request.headers["webhook-id"]
        content = b".".join((number.encode(), request.headers["webhook-timestamp"].encode(), body))
        key = b64decode(self.secrets[request.path].removeprefix("whsec_"))
        expected = "v1," + b64encode(hmac.digest(key, content, sha256)).decode()
        assert hmac.compare_digest(request.headers["webhook-signature"], expected)
        notice = msgspec.json.decode(body)
        assert self.notices.setdefault(number, notice) == notice
        self.ids[number] += 1
        self.came.add((notice["data"]["table"], notice["data"].get("version", 0)))
        return web.Response(status=self.status)

    def of(self, type_: str) -> list[Any]:
        """Return the data of all notices of a type."""
        return [notice["data"] for notice in self.notices.values() if notice["type"] == type_]


def hook_receiver() -> AbstractAsyncContextManager[HookReceiver]:
    """Run a receiver on a free port of this machine."""
    return receiving(HookReceiver())
