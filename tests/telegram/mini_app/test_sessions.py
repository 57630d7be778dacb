"""The Mini App's session: one's seat for who sits at the table, a spectator's view for others, nothing by forgery."""

import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from services.telegram.mini_app import LONGEST_BODY, Sessions
from services.telegram.webhook import SESSION_PATH
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.emulator.state import InlineButton
from tests.telegram.harness import BotHarness, bot_harness, cards, hand
from tests.telegram.lobby_steps import deal, open_lobby, practise, sit
from tests.telegram.mini_app.launches import launch_data

APP = {"TELEGRAM_APP": "tavolo", "PUBLIC_URL": "https://cards.example.org/locanda"}
OPEN = "🃏 Apri il tavolo"


class Page:
    """The page inside Telegram, as far as the bot sees it."""

    def __init__(self, client: TestClient[web.Request, web.Application], token: str) -> None:
        self._client = client
        self._token = token

    async def opens(self, person: Person, start: str | None = None, **wanted: Any) -> tuple[int, dict[str, Any]]:
        """Ask for a session with a person's launch data; return status and body of the answer."""
        text = launch_data(person, self._token, at=time.time(), start=start)
        return await self.posts({"init_data": text, **wanted})

    async def posts(self, body: Any) -> tuple[int, dict[str, Any]]:
        async with self._client.post(SESSION_PATH, json=body) as answer:
            assert answer.headers["Cache-Control"] == "no-store"
            return answer.status, await answer.json()


@pytest.fixture
async def harness(telegram: Emulator, anna: Person) -> AsyncIterator[BotHarness]:
    """A running bot with a Mini App, which Anna has written to before."""
    async with bot_harness(telegram, environment=APP) as opened:
        await anna.starts()
        await anna.private.sees("Benvenuti alla locanda")
        yield opened


@pytest.fixture
async def page(harness: BotHarness, telegram: Emulator) -> AsyncIterator[Page]:
    assert harness.context is not None
    application = Sessions(harness.context, telegram.token).application()
    async with TestClient(TestServer(application)) as client:
        yield Page(client, telegram.token)


def app_button(place: Chat) -> InlineButton:
    """Return the newest button that opens the app."""
    found = [button for message in place.messages for row in message.rows for button in row if button.text == OPEN]
    assert found, place.render()
    return found[-1]


def reference(button: InlineButton) -> str:
    """Return the bot's reference for the table that a button opens."""
    assert button.url is not None
    return button.url.rpartition("=")[2]


async def test_the_app_shows_people_at_the_table_their_own_hands(
    harness: BotHarness, page: Page, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    button = app_button(group)
    assert button.url is not None
    assert button.url.startswith("https://t.me/")
    assert "/tavolo?startapp=" in button.url
    hands = []
    for person in (anna, bruno):
        status, session = await page.opens(person, reference(button))
        assert (status, session["name"], session["language"]) == (200, person.name, "it")
        table = await harness.engine.table(session["table"], session["token"])
        assert table.deal is not None
        assert table.deal.hand is not None
        assert len(cards(hand(person))) == len(table.deal.hand)
        hands.append(table.deal.hand)
    assert hands[0] != hands[1]


async def test_a_stranger_watches(
    harness: BotHarness, page: Page, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    dora = telegram.person("Dora", language="en")
    status, session = await page.opens(dora, reference(app_button(group)))
    assert (status, session["token"], session["may_sit"], session["language"]) == (200, None, False, "en")
    table = await harness.engine.table(session["table"])
    assert table.deal is not None
    assert table.deal.hand is None
    assert harness.context is not None
    assert await harness.context.repositories.people.person(dora.id) is None


async def test_a_member_of_the_group_sits_down_in_the_app(
    harness: BotHarness, page: Page, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await sit(anna, group)
    ref = reference(app_button(group))
    status, session = await page.opens(bruno, ref)
    assert (status, session["token"], session["may_sit"]) == (200, None, True)
    status, session = await page.opens(bruno, ref, sit=True)
    assert (status, session["may_sit"]) == (200, False)
    await group.sees("👤 Bruno")
    seen = await harness.engine.table(session["table"], session["token"])
    assert seen.you is not None
    assert seen.seats[seen.you].name == "Bruno"
    dora = telegram.person("Dora", language="it")
    assert (await page.opens(dora, ref, sit=True))[0] == 403
    assert group.shows("👤 Dora") is None


async def test_the_button_of_a_private_chat_opens_the_table_for_its_owner_alone(
    harness: BotHarness, page: Page, anna: Person, bruno: Person
) -> None:
    await practise(anna, "facile × 1")
    await anna.private.sees(button=OPEN)
    button = app_button(anna.private)
    assert button.url is not None
    assert button.url.startswith("https://cards.example.org/locanda/?table=")
    status, session = await page.opens(anna, table=reference(button))
    assert status == 200
    table = await harness.engine.table(session["table"], session["token"])
    assert table.deal is not None
    assert table.deal.hand
    status, problem = await page.opens(bruno, table=reference(button))
    assert status == 403
    assert problem["title"]


async def test_forged_old_or_broken_requests_get_nothing(
    harness: BotHarness, page: Page, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await sit(bruno, group)
    ref = reference(app_button(group))
    forged = launch_data(bruno, "1:another-token", at=time.time(), start=ref)
    assert (await page.posts({"init_data": forged}))[0] == 401
    old = launch_data(bruno, telegram.token, at=time.time() - 2 * 86_400, start=ref)
    assert (await page.posts({"init_data": old}))[1]["code"] == "expired_init_data"
    bodies: list[Any] = [{}, [], {"init_data": 1}, {"init_data": "", "more": 1}, {"init_data": "x" * LONGEST_BODY}]
    for body in bodies:
        status, problem = await page.posts(body)
        assert (status, problem["code"]) == (400, "malformed")
    status, problem = await page.opens(bruno, "nosuchref")
    assert (status, problem["code"]) == (403, "no_table")


async def test_without_a_name_there_is_no_app(telegram: Emulator, anna: Person, bruno: Person, group: Chat) -> None:
    async with bot_harness(telegram) as harness:
        await anna.starts()
        await deal([anna, bruno], group)
        await harness.settle()
        places = (group, anna.private, bruno.private)
        assert not [message for place in places for message in place.messages if OPEN in message.labels]


async def test_while_the_bots_store_is_away_the_app_is_told_so(
    harness: BotHarness, page: Page, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await sit(anna, group)
    ref = reference(app_button(group))
    harness.redis_away()
    status, problem = await page.opens(bruno, ref, sit=True)
    assert (status, problem["code"]) == (503, "unreachable")
