"""Attacks on the engine's outgoing requests: servers that hang, and slow name lookups."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from ipaddress import ip_network
from itertools import count
from typing import Any, Literal

from aiohttp import AsyncResolver, ClientSession, web
from msgspec import structs

from locanda.messages import OwnServer
from locanda.messages.own_players import OwnPlayer
from services.engine.outbound.requests import Outbound
from services.engine.service.own_players import NoMoveError, OwnPlayers
from services.engine.table.state import AnyTable, ServerState, turn_of
from tests.bench.attacks.engine import ATTACKER, TOO_MANY, Client, Result, engine_and_redis, stranger
from tests.bench.servers import Server
from tests.engine.http.own_player_servers import PlayerServer, last_move
from tests.engine.http.push_receiver import PushReceiver
from tests.engine.http.receiving import receiving
from tests.engine.outbound.name_server import name_server
from tests.engine.table.tables import started
from tests.stream_server import stream_server

TABLES, SEATS, SUBSCRIPTIONS = 50, 10, 4
HOSTS = [f"127.0.1.{number}" for number in range(1, 201)]
SLOW_NAMES = 40
LOOPBACK = (ip_network("127.0.0.0/8"),)
TRIES = 5
LONGEST = 40.0
MOST_SECONDS = 2.0
SETTINGS = {"ENGINE_WEBHOOKS": "on", "ENGINE_OUTBOUND_PRIVATE": "127.0.0.0/8"}

Channel = Literal["push", "webhook"]


class Arrivals:
    """A server that receives notices and records when each one arrives."""

    def __init__(self) -> None:
        self.url = ""
        self.came: dict[str, asyncio.Future[float]] = {}
        """Arrival time of each notice, by path."""

    def expect(self) -> str:
        """Return a new path to which the next notice is to be sent."""
        path = f"/{len(self.came)}"
        self.came[path] = asyncio.get_running_loop().create_future()
        return path

    async def take(self, request: web.Request) -> web.Response:
        """Receive a notice, and record its arrival time."""
        if not self.came[request.path].done():
            self.came[request.path].set_result(time.monotonic())
        return web.Response(status=201)


@asynccontextmanager
async def hanging_hosts() -> AsyncIterator[list[str]]:
    """Run servers that never answer; yield their URLs."""

    server = await asyncio.get_running_loop().create_server(asyncio.Protocol, HOSTS, 0)
    yield ["http://{}:{}".format(*socket.getsockname()) for socket in server.sockets]
    server.close()


def subscription(channel: Channel, browser: PushReceiver, url: str) -> dict[str, Any]:
    """Return the body of a subscription to a table's evenings."""
    where = {"browser": browser.browser("") | {"endpoint": url}} if channel == "push" else {"url": url}
    return {"types": ["invitation"], **where}


async def patiently(ask: Callable[[], Awaitable[tuple[int, Any]]]) -> Any:
    """Send a request, and repeat it while the client is over its limit. Return the body of the response."""
    while True:
        status, body = await ask()
        if status != TOO_MANY:
            assert status < TOO_MANY, body
            return body
        await asyncio.sleep(0.2)


async def table_of(client: Client, seats: int) -> tuple[str, list[str]]:
    """Open a table and take its seats. Return the table's path and the seats' tokens."""
    body = {"game": "gatto_rosso", "name": "Anna"}
    opened = await patiently(partial(client.ask, "POST", "/v1/tables", body))
    path, tokens = f"/v1/tables/{opened['table']['id']}", [opened["token"]]
    for number in range(1, seats):
        sat = await patiently(partial(client.ask, "POST", f"{path}/seats", {"name": f"Ospite {number}"}))
        tokens.append(sat["token"])
    return path, tokens


async def set_evening(client: Client, path: str, token: str) -> None:
    """Set a table's next evening so that its invitations are due now."""
    body = {"game": "ramino", "at": (datetime.now(UTC) + timedelta(hours=3)).isoformat()}
    await patiently(partial(client.ask, "PUT", f"{path}/evening", body, token))


async def seconds_of_notice(
    session: ClientSession, engine: Server, channel: Channel, browser: PushReceiver, arrivals: Arrivals
) -> float:
    """Set an evening, and return the seconds until the notice about it reaches a client unrelated to the attack."""
    client, path = stranger(session, engine), arrivals.expect()
    table, [token] = await table_of(client, 1)
    body = subscription(channel, browser, arrivals.url + path)
    await patiently(partial(client.ask, "POST", f"{table}/subscriptions", body, token))
    began = time.monotonic()
    await set_evening(client, table, token)
    try:
        return await asyncio.wait_for(arrivals.came[path], LONGEST) - began
    except TimeoutError:
        return LONGEST


async def notices_that_hang(channel: Channel) -> Result:
    """Subscribe to 2,000 notices whose servers hang, let all of them be due at once, and time notices to others."""
    async with (
        engine_and_redis(**SETTINGS) as (engine, _, session),
        receiving(Arrivals()) as arrivals,
        hanging_hosts() as hosts,
    ):
        browser, attacker, names = PushReceiver(), Client(session, engine, ATTACKER), count()
        timed = partial(seconds_of_notice, session, engine, channel, browser, arrivals)
        quiet = sorted([await timed() for _ in range(TRIES)])
        tables: list[tuple[str, str]] = []
        for _ in range(TABLES):
            path, tokens = await table_of(attacker, SEATS)
            tables.append((path, tokens[0]))
            for token in tokens * SUBSCRIPTIONS:
                number = next(names)
                body = subscription(channel, browser, f"{hosts[number % len(hosts)]}/{number}")
                await patiently(partial(attacker.ask, "POST", f"{path}/subscriptions", body, token))
        await asyncio.gather(*(set_evening(attacker, path, token) for path, token in tables))
        under = sorted([await timed() for _ in range(TRIES)])
    figures = (
        f"another's came after {quiet[TRIES // 2] * 1000:.0f} ms when quiet, then after "
        f"{under[TRIES // 2] * 1000:.0f} ms, at most {under[-1] * 1000:.0f}"
    )
    return Result(f"{next(names)} notices that hang, by {channel}", figures, under[-1] <= MOST_SECONDS)


async def pushes_that_hang() -> Result:
    """Measure notices to other clients while push services hang."""
    return await notices_that_hang("push")


async def webhooks_that_hang() -> Result:
    """Measure notices to other clients while webhook servers hang."""
    return await notices_that_hang("webhook")


async def seconds_of_moves(players: OwnPlayers, table: AnyTable, level: str) -> list[float]:
    """Return the seconds until each move of the host's own player, or `LONGEST` if no move came."""
    seconds = []
    for _ in range(4 * TRIES):
        began = time.monotonic()
        try:
            await players.move(table, turn_of(table) or 0, level, None)
            seconds.append(time.monotonic() - began)
        except NoMoveError:
            seconds.append(LONGEST)
    return sorted(seconds)


async def names_that_are_slow() -> Result:
    """At 40 tables, add own players with slow name lookups, and measure the seconds of moves by the host's player."""
    ada = PlayerServer(last_move)
    async with name_server() as names, stream_server(ada.serve) as port:
        outbound = Outbound(LOOPBACK, partial(AsyncResolver, nameservers=[names.address]))
        hosts = [OwnPlayer(name, OwnServer(f"http://{name}.example:{port}/")) for name in ("ada", "bea")]
        players = OwnPlayers(outbound.post, hosts, from_people=True, listed=LOOPBACK)
        table = started()
        quiet = await seconds_of_moves(players, table, "@ada")
        slow = [
            asyncio.create_task(players.move(_with_own_player(table, number), turn_of(table) or 0, "@mine", None))
            for number in range(SLOW_NAMES)
        ]
        await asyncio.sleep(0.2)
        under = await seconds_of_moves(players, table, "@bea")  # its name has not been looked up yet
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        await outbound.close()
    in_time = sum(seconds < LONGEST for seconds in under)
    middle, middle_under = quiet[len(quiet) // 2], under[len(under) // 2]
    figures = f"{in_time} of {len(under)} moves; {middle * 1000:.1f} ms when quiet, then {middle_under * 1000:.1f}"
    return Result(f"{SLOW_NAMES} slow names", figures, in_time == len(under) and middle_under <= 2 * middle)


def _with_own_player(table: AnyTable, number: int) -> AnyTable:
    """Return a table to which another client has added an own player.

    Its server has a host name that no other player has.
    """
    server = ServerState(f"http://slow{number}.example/", None)
    return structs.replace(table, opener=number.to_bytes(2, "big"), servers={"@mine": server})


ATTACKS = (pushes_that_hang, webhooks_that_hang, names_that_are_slow)
