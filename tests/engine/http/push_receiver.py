"""A push service with its browser: it checks the sender, and decrypts messages."""

from base64 import urlsafe_b64decode
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from secrets import token_bytes
from time import time
from typing import Any

import msgspec
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from msgspec import structs

from locanda.messages import JsonObject
from services.engine.outbound.push import encoded, public_bytes
from tests.engine.http.engine_server import NO_LIMITS, ApiResponse, RunningEngine, SeatedPlayers
from tests.engine.http.receiving import receiving
from tests.waiting import until

CURVE = ec.SECP256R1()

SETTINGS = structs.replace(NO_LIMITS, engine_push="on", engine_outbound_private="127.0.0.0/8")
"""Settings of an engine that also sends pushes to this machine."""


class PushReceiver:
    """A push service that receives pushes."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(CURVE)
        self._secret = token_bytes(16)
        self.ids: Counter[str] = Counter()
        """The number of deliveries of each notice, by id."""
        self.notices: dict[str, JsonObject] = {}
        """The content of each notice, by id."""
        self.came: set[tuple[str, int]] = set()
        """The table and the version of each notice, except notices of evenings."""
        self.evenings: set[tuple[str, str]] = set()
        """The table and the time of each notice of an evening."""
        self.at: list[float] = []
        """The arrival time of each notice, in epoch seconds."""
        self.status = 201
        self.inspect: Callable[[JsonObject], Awaitable[None]] | None = None
        """Called with each notice when it arrives."""
        self.url = ""
        self.key = ""
        """The public key of the sender, as the browser knows it. Empty to accept any sender."""

    def browser(self, path: str) -> dict[str, str]:
        """Return the browser's part of a subscription."""
        return {
            "endpoint": self.url + path,
            "p256dh": encoded(public_bytes(self._key)),
            "auth": encoded(self._secret),
        }

    async def take(self, request: web.Request) -> web.Response:
        self._check_sender(request.headers["Authorization"])
        assert request.headers["Content-Encoding"] == "aes128gcm"
        assert int(request.headers["TTL"]) > 0
        notice = msgspec.json.decode(self.decrypted(await request.read()))
        assert request.headers["Topic"] == notice["table"]
        if self.inspect is not None:
            await self.inspect(notice)
        assert self.notices.setdefault(notice["id"], notice) == notice
        self.at.append(time())
        self.ids[notice["id"]] += 1
        if "at" in notice:
            self.evenings.add((notice["table"], notice["at"]))
        else:
            self.came.add((notice["table"], int(notice["id"].split(".")[1])))
        return web.Response(status=self.status)

    def _check_sender(self, authorization: str) -> None:
        token, key = authorization.removeprefix("vapid t=").split(", k=")
        assert self.key in ("", key)
        signed, _, signature = token.rpartition(".")
        halves = _decoded(signature)
        der = encode_dss_signature(*(int.from_bytes(half, "big") for half in (halves[:32], halves[32:])))
        public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, _decoded(key))
        public.verify(der, signed.encode(), ec.ECDSA(SHA256()))
        claims: dict[str, Any] = msgspec.json.decode(_decoded(signed.split(".")[1]))
        assert claims["aud"] == self.url
        assert time() < claims["exp"] < time() + 86_400
        assert claims["sub"].startswith("https://")

    def decrypted(self, body: bytes) -> bytes:
        """Return the decrypted body of a push."""
        salt, length = body[:16], body[20]
        public, text = body[21 : 21 + length], body[21 + length :]
        shared = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, public))
        info = b"WebPush: info\0" + public_bytes(self._key) + public
        secret = HKDF(SHA256(), 32, self._secret, info).derive(shared)
        key, nonce = (
            HKDF(SHA256(), length, salt, b"Content-Encoding: " + name + b"\0").derive(secret)
            for length, name in ((16, b"aes128gcm"), (12, b"nonce"))
        )
        plain = AESGCM(key).decrypt(nonce, text, None)
        assert plain.endswith(b"\x02")
        return plain[:-1]


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def push_receiver() -> AbstractAsyncContextManager[PushReceiver]:
    """Run a push service on a free port of this machine."""
    return receiving(PushReceiver())


@asynccontextmanager
async def receiver_of(engine: RunningEngine) -> AsyncIterator[PushReceiver]:
    """Run a push service that accepts only pushes signed by the engine."""
    async with push_receiver() as receiver:
        receiver.key = await push_key(engine)
        yield receiver


async def push_key(engine: RunningEngine) -> str:
    """Return the key with which browsers subscribe, once the engine has read it from Redis."""
    keys_shown: list[str | None] = []

    async def known() -> bool:
        keys_shown.append((await engine.get("/v1/server")).json["push_key"])
        return keys_shown[-1] is not None

    await until(known)
    assert keys_shown[-1]
    return keys_shown[-1]


async def subscribe(players: SeatedPlayers, browser: JsonObject, seat: int = 0, **fields: Any) -> ApiResponse:
    """Subscribe a browser with the token of a seat."""
    body = {"browser": browser, "types": ["turn", "over"], **fields}
    return await players.engine.post(f"{players.path}/subscriptions", body, token=players.tokens[seat])
