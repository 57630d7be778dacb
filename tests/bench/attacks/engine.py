"""The attacked engine, with its default settings, and its clients.

Each client has its own address behind a trusted proxy.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, ClientTimeout
from msgspec import Struct

from tests.bench.servers import Server, serve
from tests.bench.thinking import ANY_CORE
from tests.redis_server import RedisServer, running_redis

ATTACKER = "192.0.2.1"
SECONDS = 8.0
"""Duration of an attack in seconds."""
TOO_MANY = 429
OTHERS = count(2)


class Result(Struct, frozen=True):
    """The result of an attack."""

    attack: str
    figures: str
    holds: bool


class Client:
    """A client with its own address."""

    def __init__(self, session: ClientSession, engine: Server, address: str) -> None:
        self._session = session
        self._engine = engine
        self._address = address

    async def ask(
        self, method: str, path: str, body: Any = None, token: str = "", seconds: float = 60.0, key: str = ""
    ) -> tuple[int, Any]:
        """Send a request; return the status and body of the response."""
        headers = {"X-Forwarded-For": self._address, "Accept": "application/json"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        timeout = ClientTimeout(total=seconds)
        url = self._engine.url + path
        async with self._session.request(method, url, json=body, headers=headers, timeout=timeout) as answer:
            return answer.status, await answer.json(content_type=None)

    async def match(self, game: str, options: dict[str, Any], seats: int) -> tuple[str, list[str]]:
        """Open a table for people and start its match. Return the table's path and the seats' tokens."""
        _, opened = await self.ask("POST", "/v1/tables", {"game": game, "name": "Anna", "options": options})
        path, tokens = f"/v1/tables/{opened['table']['id']}", [opened["token"]]
        for number in range(1, seats):
            _, sat = await self.ask("POST", f"{path}/seats", {"name": f"Ospite {number}"})
            tokens.append(sat["token"])
        await self.ask("POST", f"{path}/start", token=tokens[0])
        return path, tokens

    async def stay(self, path: str, tokens: Sequence[str]) -> tuple[int, Any]:
        """Let all people agree to a rematch, which begins with the last agreement."""
        answers = [
            await self.ask("PUT", f"{path}/seats/{seat}/rematch", {"stays": True}, token)
            for seat, token in enumerate(tokens)
        ]
        return answers[-1]

    async def finished(self) -> tuple[str, str]:
        """Play a match to its end. Return the table's path and a seat's token."""
        path, tokens = await self.match("gatto_rosso", {"deals": 1}, 2)
        _, table = await self.ask("GET", path)
        while table["status"] == "playing":
            token = tokens[table["deal"]["turn"]]
            moves = (await self.ask("GET", f"{path}/moves", token=token))[1]["moves"]
            status, made = await self.ask("POST", f"{path}/moves", {"move": moves[0]}, token)
            if status == TOO_MANY:
                await asyncio.sleep(1)
            else:
                table = made["table"]
        return path, tokens[0]


def stranger(session: ClientSession, engine: Server) -> Client:
    """Return a client with a fresh address."""
    number = next(OTHERS)
    return Client(session, engine, f"198.51.{number // 250}.{number % 250 + 1}")


@asynccontextmanager
async def engine_and_redis(**settings: str) -> AsyncIterator[tuple[Server, RedisServer, ClientSession]]:
    """Run a separate engine and Redis; yield both, and an HTTP session."""
    async with AsyncExitStack() as stack:
        redis = stack.enter_context(running_redis(Path(stack.enter_context(tempfile.TemporaryDirectory()))))
        variables = {"REDIS_URL": redis.url, "LOG_FORMAT": "json", "ENGINE_TRUSTED_PROXIES": "127.0.0.0/8"} | settings
        engine = await serve(stack, "services.engine", core=ANY_CORE, **variables)
        yield engine, redis, await stack.enter_async_context(ClientSession())


def memory(redis: RedisServer) -> int:
    """Return the bytes that Redis uses."""
    return int(redis.ask("INFO memory").split("used_memory:")[1].split()[0])


async def hard_table(session: ClientSession, engine: Server) -> str:
    """Start a long match of Presidente with four hard computer players and no people. Return the table's path."""
    host = stranger(session, engine)
    body = {"game": "presidente", "name": "Anna", "options": {"deals": 1}, "substitute_level": "hard"}
    _, opened = await host.ask("POST", "/v1/tables", body)
    path, token = f"/v1/tables/{opened['table']['id']}", opened["token"]
    for number in range(1, 4):
        await host.ask("POST", f"{path}/seats", {"name": f"Robot {number}", "kind": "computer", "level": "hard"}, token)
    await host.ask("POST", f"{path}/start", token=token)
    await host.ask("DELETE", f"{path}/seats/0", token=token)
    return path
