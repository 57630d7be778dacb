"""The command `/serata` in a chat leads to a push notice for a guest who sat at the group's table on the page."""

import asyncio
import time
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import msgspec
import pytest
from msgspec import structs

from locanda.messages import Subscribe
from services.telegram.play.dates import DAYS, local, zones
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.engine.http.push_receiver import push_receiver
from tests.telegram.evenings.test_next_evenings import plays_with_a_guest
from tests.telegram.harness import ENGINE_SETTINGS, BotHarness, bot_harness
from tests.waiting import until

PUSHING = structs.replace(ENGINE_SETTINGS, engine_push="on", engine_outbound_private="127.0.0.0/8")


@pytest.fixture
async def harness(telegram: Emulator, anna: Person) -> AsyncIterator[BotHarness]:
    """A bot whose engine may send push notices to this machine."""
    async with bot_harness(telegram, engine_settings=PUSHING) as opened:
        await anna.starts()
        await anna.private.sees("Benvenuti alla locanda")
        yield opened


async def test_an_evening_that_is_fixed_in_a_chat_is_pushed_once_to_who_sat_there_from_the_page(
    harness: BotHarness, anna: Person, group: Chat
) -> None:
    async with push_receiver() as receiver:
        await asyncio.to_thread(zones)
        starts = (local(time.time(), "Europe/Rome") + timedelta(hours=3)).replace(second=0, microsecond=0)
        day = DAYS["it"][starts.weekday()]
        half = " di mattina" if 1 <= starts.hour < 12 else ""  # the part of the day for each hour
        await anna.says(group, f"/serata {day} alle {starts:%H:%M}{half}")
        await group.sees(button="Solo questa volta")
        await anna.taps(group, "Solo questa volta")
        await group.sees("Siete invitati", button="Mi siedo")

        subscription = {"browser": receiver.browser("/wanda"), "types": ["invitation", "evening"], "language": "it"}
        table = await plays_with_a_guest(harness, anna, group, msgspec.convert(subscription, Subscribe))
        await until(lambda: receiver.notices)
        [notice] = receiver.notices.values()
        assert notice["title"] == "C'è una serata di carte: ti aspettano"
        assert datetime.fromisoformat(notice["at"]) == starts
        assert notice["table"] == table
        assert [*receiver.ids.values()] == [1]
