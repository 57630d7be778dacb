"""Tables with many listeners: each client pays for its events, and gets fewer once it is over its account."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import msgspec
import pytest
from aiohttp import ClientResponse

from locanda.client import transport
from locanda.messages import Language
from services.engine.http.api.handlers import watching
from services.engine.http.api.words import table_in_words
from services.engine.service import feeds
from services.engine.service.accounts import BURST, group_of
from services.engine.settings import EngineSettings
from tests.engine.http.engine_server import NO_LIMITS, RunningEngine, SeatedPlayers, running_engine, seat_players

ANNA, BRUNO = "192.0.2.1", "192.0.2.2"
SECOND_A_SECOND = msgspec.structs.replace(NO_LIMITS, engine_client_cpu_ms=1000, engine_trusted_proxies="127.0.0.0/8")
"""Settings that allow a second of processor time per second, once the initial burst is used up."""
OVER = 2.5
"""The number of seconds for which a client is over its account in a test."""


class Listening:
    """One client's stream."""

    def __init__(self, answer: ClientResponse) -> None:
        self._events = transport.parse_events(answer.content)

    async def next(self) -> tuple[str, int]:
        """Return the kind and the version of the next event."""
        async with asyncio.timeout(30):
            event = await anext(self._events)
        return event.event, int(event.id)


@asynccontextmanager
async def listening(
    players: SeatedPlayers, address: str, streams: int = 1, query: str = ""
) -> AsyncIterator[list[Listening]]:
    """Let a client open streams of a table, and read the first events."""
    url = players.engine.url(f"{players.path}/events{query}")
    headers = {"Accept": "text/event-stream", "X-Forwarded-For": address}
    async with AsyncExitStack() as stack:
        answers = [
            await stack.enter_async_context(players.engine.session.get(url, headers=headers)) for _ in range(streams)
        ]
        listeners = [Listening(answer) for answer in answers]
        for stream in listeners:
            await stream.next()
        await players.engine.followed(players.table, streams)
        yield listeners


async def change(players: SeatedPlayers, number: int) -> int:
    """Set an option of the table to a value derived from the number. Return the table's new version."""
    answer = await players.engine.ask("PATCH", players.path, {"turn_seconds": 30 + number}, token=players.tokens[0])
    version: int = answer.json["version"]
    return version


def exhaust(engine: RunningEngine, address: str) -> None:
    """Charge a client until it is over its account for `OVER` seconds."""
    engine.context.admission.accounts.charge(group_of(address), OVER + BURST)


async def test_who_is_over_the_account_gets_the_newest_version_alone_and_others_every_one() -> None:
    async with running_engine(SECOND_A_SECOND) as engine:
        players = await seat_players(engine)
        async with listening(players, ANNA) as (anna,), listening(players, BRUNO) as (bruno,):
            exhaust(engine, ANNA)
            versions = [await change(players, number) for number in range(4)]
            assert [await bruno.next() for _ in versions] == [("change", version) for version in versions]
            assert await anna.next() == ("gap", versions[-1])
            last = await change(players, 9)
            assert await anna.next() == await bruno.next() == ("change", last)


async def test_a_listener_who_was_over_the_account_for_one_change_gets_it_as_such() -> None:
    async with running_engine(SECOND_A_SECOND) as engine:
        players = await seat_players(engine)
        async with listening(players, ANNA) as (anna,):
            exhaust(engine, ANNA)
            version = await change(players, 1)
            assert await anna.next() == ("change", version)


async def test_a_listener_leaves_while_the_newest_version_is_owed_to_them() -> None:
    async with running_engine(SECOND_A_SECOND) as engine:
        players = await seat_players(engine)
        async with listening(players, BRUNO) as (bruno,):
            async with listening(players, ANNA):
                exhaust(engine, ANNA)
                versions = [await change(players, 1)]
            versions.append(await change(players, 2))
            assert [await bruno.next() for _ in versions] == [("change", version) for version in versions]


async def test_each_of_many_listeners_gets_every_version_in_order() -> None:
    async with running_engine() as engine:
        players = await seat_players(engine)
        async with listening(players, ANNA, 3 * feeds.AT_ONCE) as streams:
            versions = await asyncio.gather(*(change(players, number) for number in range(6)))
            for stream in streams:
                assert [await stream.next() for _ in versions] == [("change", version) for version in sorted(versions)]


async def test_what_a_client_is_sent_is_charged_to_the_client() -> None:
    async with running_engine(SECOND_A_SECOND) as engine:
        players = await seat_players(engine)
        charged: dict[bytes, float] = {}
        accounts = engine.context.admission.accounts
        async with listening(players, ANNA, 2 * feeds.AT_ONCE) as streams:
            accounts.charge = lambda group, seconds: charged.update({group: charged.get(group, 0.0) + seconds})  # type: ignore[method-assign]
            version = await change(players, 1)
            for stream in streams:
                assert await stream.next() == ("change", version)
        assert charged[group_of(ANNA)] > 0


async def test_an_event_is_put_into_words_once_for_all_who_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def in_words(view: bytes, language: Language) -> bytes:
        made.append(language)
        return table_in_words(view, language)

    monkeypatch.setattr(watching, "table_in_words", in_words)
    async with running_engine(EngineSettings()) as engine:
        players = await seat_players(engine)
        async with listening(players, ANNA, 4, "?words=true") as streams:
            made.clear()
            version = await change(players, 1)
            for stream in streams:
                assert await stream.next() == ("change", version)
            assert len(made) == 1
