"""Guests who play at a group's tables on the web page are notified of its next evening, which the bot sets."""

import asyncio
from datetime import UTC, datetime
from typing import NamedTuple

import pytest

from locanda.client import EngineClient
from locanda.errors import unreachable
from locanda.messages import SitDown, Subscribe
from services.telegram.evenings.shared_tables import SharedTable, wanted
from services.telegram.repositories.repositories import Repositories
from tests.emulator import Person
from tests.emulator.chats import PATIENCE, Chat
from tests.telegram.evenings.test_handlers import NEXT_WEDNESDAY, THURSDAY, Clock, clock, fix, it_is, moment
from tests.telegram.harness import BotHarness
from tests.telegram.lobby_steps import open_lobby
from tests.telegram.test_bot_crashes import only_table
from tests.waiting import until

__all__ = ["clock"]
NEXT_THURSDAY = NEXT_WEDNESDAY.replace(day=3)


class Set(NamedTuple):
    """A call that sets an evening at the engine."""

    table: str
    game: str
    at: datetime | None


@pytest.fixture
def evenings(monkeypatch: pytest.MonkeyPatch) -> list[Set]:
    """The calls that set evenings during the test. Each call is made twice, because its first answer is lost."""
    evenings_set: list[Set] = []

    async def set_evening(_: EngineClient, table: str, token: str, game: str, at: datetime | None) -> None:
        assert token
        evenings_set.append(Set(table, game, at))
        if len(evenings_set) % 2:
            raise unreachable("the engine is away")

    monkeypatch.setattr(EngineClient, "set_evening", set_evening)
    monkeypatch.setattr("services.telegram.evenings.following.RETRY_SECONDS", 0.02)
    return evenings_set


async def plays_with_a_guest(
    harness: BotHarness, anna: Person, group: Chat, subscription: Subscribe | None = None
) -> str:
    """Play a match between Anna and a guest on the page, with or without a push subscription; return the table's id."""
    await open_lobby(anna, group)
    await group.sees("👤 Anna")
    ref, engine = (await only_table(harness)).ref, harness.engine
    table = (await only_table(harness)).engine
    assert table is not None
    guest = (await engine.sit(table, SitDown("Wanda"))).token
    assert guest is not None
    if subscription is not None:
        await engine.subscribe(table, guest, subscription)
    await group.sees("👤 Wanda")
    await anna.taps(group, "Si comincia")
    own = await Repositories(harness.redis).seats.tokens(ref)
    tokens = [*own.values(), guest]
    async with asyncio.timeout(PATIENCE):
        while (now := await engine.table(table)).status != "over":
            for token in tokens:
                seen = await engine.table(table, token)
                if now.status == "playing" and seen.moves:
                    await engine.play(table, token, seen.moves[-1])
                    break
    return table


async def test_the_engine_knows_the_next_evening_of_a_table_with_people_of_the_page_and_when_it_is_called_off(
    harness: BotHarness, clock: Clock, evenings: list[Set], group: Chat, anna: Person
) -> None:
    await fix(group, anna)
    table = await plays_with_a_guest(harness, anna, group)
    first = Set(table, "gatto_rosso", datetime.fromtimestamp(moment("21:00"), UTC))
    await until(lambda: evenings == [first] * 2)
    await harness.restart()
    it_is(harness, clock, moment("21:00", THURSDAY) + 1)
    following = Set(table, "gatto_rosso", datetime.fromtimestamp(moment("21:00", NEXT_THURSDAY), UTC))
    await until(lambda: evenings == [first] * 2 + [following] * 2)
    await anna.says(group, "/serata")
    await anna.taps(group, "Niente più serate")
    await until(lambda: evenings[-2:] == [Set(table, "gatto_rosso", None)] * 2)
    assert len(evenings) == 6


async def test_a_person_who_is_forgotten_leaves_no_token_there(
    harness: BotHarness, clock: Clock, evenings: list[Set], group: Chat, anna: Person
) -> None:
    await fix(group, anna)
    await plays_with_a_guest(harness, anna, group)
    await until(lambda: len(evenings) == 2)
    assert await Repositories(harness.redis).evenings.shared(group.id)
    await Repositories(harness.redis).evenings.forget_person(anna.user.id)
    assert await Repositories(harness.redis).evenings.shared(group.id) == {}


def test_a_person_of_the_page_hears_by_their_latest_table_alone() -> None:
    def table(ended: float, *guests: str) -> SharedTable:
        return SharedTable(f"e{ended}", 1, "ramino", 1, "token", guests, ended)

    tables = {"old": table(1, "Wanda"), "mixed": table(2, "Wanda", "Zoe"), "new": table(3, "Wanda")}
    assert wanted(tables, 9.0) == {"new": 9.0, "mixed": 9.0, "old": None}
