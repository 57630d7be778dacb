"""Two releases on one Redis: engines are replaced one by one during play, and nothing is lost."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import ClientError, ClientSession

from services.engine.store import Store, connect
from tests.engine.upgrades.releases import ADDED_FIELD, ADDED_OPTION, ROOT, engine_process, make_release
from tests.redis_server import RedisServer
from tests.waiting import until

pytestmark = pytest.mark.slow


class Engines:
    """The running engines by name, and a client that tries them in turn, like a load balancer."""

    def __init__(self, session: ClientSession, redis_url: str, ports: Callable[[], int]) -> None:
        self._session = session
        self._redis_url = redis_url
        self._ports = ports
        self._running: dict[str, tuple[AsyncExitStack, str]] = {}
        self._turn = 0

    async def start(self, name: str, release: Path) -> None:
        """Start an engine, and wait until it is ready."""
        stack, port = AsyncExitStack(), self._ports()
        process = await stack.enter_async_context(engine_process(release, self._redis_url, port))
        self._running[name] = stack, f"http://127.0.0.1:{port}"

        async def ready() -> bool:
            assert process.returncode is None, f"the engine {name} did not start"
            with suppress(ClientError):
                return (await self.ask(name, "GET", "/readyz"))[0] == 200
            return False

        await until(ready, seconds=120)

    async def kill(self, name: str) -> None:
        """Kill an engine."""
        stack, _ = self._running.pop(name)
        await stack.aclose()

    async def kill_all(self) -> None:
        """Kill every engine."""
        for name in [*self._running]:
            await self.kill(name)

    async def ask(
        self, name: str, method: str, path: str, body: Any = None, token: str | None = None, **headers: str
    ) -> tuple[int, Any]:
        """Send a request to one engine. Return the status and the body of the response."""
        sent = headers | ({"Authorization": f"Bearer {token}"} if token else {})
        url = self._running[name][1] + path
        async with self._session.request(method, url, json=body, headers=sent) as answer:
            return answer.status, await answer.json()

    async def ask_any(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        """Send a request to the engines in turn, until one does not answer 503."""
        for _ in range(2 * len(self._running)):
            self._turn += 1
            name = [*self._running][self._turn % len(self._running)]
            status, answer = await self.ask(name, method, path, body, token)
            if status != 503:
                assert status in {200, 201}, answer
                return answer
            assert answer["code"] == "newer_release"
        pytest.fail("no engine serves the table")


@pytest.fixture
async def engines(redis_server: RedisServer, unused_tcp_port_factory: Callable[[], int]) -> AsyncIterator[Engines]:
    async with ClientSession() as session:
        running = Engines(session, redis_server.url, unused_tcp_port_factory)
        try:
            yield running
        finally:
            await running.kill_all()


@asynccontextmanager
async def stored(redis_server: RedisServer) -> AsyncIterator[Store]:
    store = await connect(redis_server.url)
    yield store
    await store.close()


async def opened(engines: Engines, name: str, **options: Any) -> tuple[str, list[str]]:
    """Open a table for two at one engine; return its path and tokens."""
    body = {"game": "gatto_rosso", "name": "Anna", "listed": True, "options": {"deals": 2} | options}
    status, seated = await engines.ask(name, "POST", "/v1/tables", body)
    assert status == 201, seated
    path = f"/v1/tables/{seated['table']['id']}"
    sat = await engines.ask_any("POST", f"{path}/seats", {"name": "Bruno"})
    return path, [seated["token"], sat["token"]]


async def play(engines: Engines, path: str, tokens: list[str], moves: int = 10_000) -> Any:
    """Play a number of moves, or to the end, at any engine. Each confirmed move must make one version."""
    table = await engines.ask_any("GET", path)
    for _ in range(moves):
        if table["status"] == "over":
            break
        token = tokens[table["deal"]["turn"]]
        before = await engines.ask_any("GET", path, token=token)
        assert before["version"] == table["version"]
        made = await engines.ask_any("POST", f"{path}/moves", {"move": before["moves"][0]}, token)
        assert made["table"]["version"] == table["version"] + 1
        table = made["table"]
    return table


@pytest.mark.costly
async def test_engines_are_replaced_one_by_one_under_play(
    engines: Engines, redis_server: RedisServer, tmp_path: Path
) -> None:
    following = await asyncio.to_thread(make_release, tmp_path / "next", ADDED_FIELD, ADDED_OPTION)
    await asyncio.gather(engines.start("old", ROOT), engines.start("older", ROOT))
    before, tokens = await opened(engines, "old")
    await engines.ask_any("POST", f"{before}/start", token=tokens[0])
    await play(engines, before, tokens, 3)

    await engines.kill("older")
    await engines.start("new", following)
    plain, plain_tokens = await opened(engines, "new")
    lucky, lucky_tokens = await opened(engines, "new", lucky=True, deals=1)

    # The old engine refuses tables that it cannot read, does not list them, and does not wake them.
    status, problem = await engines.ask("old", "GET", lucky)
    assert (status, problem["code"]) == (503, "newer_release")
    status, problem = await engines.ask("old", "PATCH", lucky, {"listed": False}, lucky_tokens[0])
    assert (status, problem["code"]) == (503, "newer_release")
    listings = [(await engines.ask(name, "GET", "/v1/tables?limit=100")) for name in ("old", "new")]
    assert [status for status, _ in listings] == [200, 200]
    seen = [{entry["id"] for entry in listing["tables"]} for _, listing in listings]
    assert seen[1] - seen[0] == {lucky.rpartition("/")[2]}
    assert plain.rpartition("/")[2] in seen[0]

    # A computer player plays at this table, although the old engine's clock runs too.
    await engines.ask_any("DELETE", f"{lucky}/seats/1", token=lucky_tokens[0])
    body = {"name": "Robot", "kind": "computer"}
    await engines.ask_any("POST", f"{lucky}/seats", body, lucky_tokens[0])
    await engines.ask_any("POST", f"{lucky}/start", token=lucky_tokens[0])
    await engines.ask_any("DELETE", f"{lucky}/seats/0", token=lucky_tokens[0])

    # Tables that both engines can read are played at both in turn.
    await engines.ask_any("POST", f"{plain}/start", token=plain_tokens[0])
    await play(engines, before, tokens, 3)
    await play(engines, plain, plain_tokens, 4)
    await engines.kill("old")
    await engines.start("newer", following)
    await engines.kill("new")

    for path, own in ((before, tokens), (plain, plain_tokens)):
        table = await play(engines, path, own)
        assert table["match"]["deal"] == 2
        for deal in (1, 2):
            assert (await engines.ask_any("GET", f"{path}/deals/{deal}"))["result"]
    async with asyncio.timeout(120):
        while (table := await engines.ask_any("GET", lucky))["status"] != "over":
            await engines.ask_any("GET", f"{lucky}?after={table['version']}&wait=1")

    async with stored(redis_server) as store:
        snapshot = (await store.load(plain.rpartition("/")[2])).snapshot
        assert snapshot
        assert msgspec.msgpack.decode(snapshot.data)[-1] == 7  # the value of the field that the old engine did not know
