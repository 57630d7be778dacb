"""The Mini App's session: people at the table get their seat, others only watch, forged launch data is refused."""

import asyncio
import time
from typing import Any

import pytest
from msgspec import structs

from services.telegram.handlers.context import BotContext
from services.telegram.mini_app import server
from services.telegram.mini_app.calls import AppSession, SessionRequest, open_session
from services.telegram.mini_app.requests import AppCaller
from services.telegram.mini_app.server import LONGEST_BODY
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness, bot_harness, cards, hand
from tests.telegram.lobby_steps import deal, open_lobby, practise, sit
from tests.telegram.mini_app.launches import launch_data
from tests.telegram.mini_app.page import OPEN, Page, app_button, reference


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


async def test_launch_data_that_are_refused_are_so_in_the_language_of_the_page_or_of_the_browser(
    harness: BotHarness, page: Page, bruno: Person
) -> None:
    forged: dict[str, Any] = {"init_data": launch_data(bruno, "1:another-token", at=time.time())}
    assert (await page.posts(forged | {"language": "it"}))[1]["title"].startswith("Telegram non dice chi sei")
    page.accepts = "it-IT, en;q=0.5"
    for body in (forged, {"init_data": 1}):
        assert "riaprila dalla chat" in (await page.posts(body))[1]["title"]
    page.accepts = "en"
    assert (await page.posts(forged))[1]["title"].startswith("Telegram does not say who you are")


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


async def test_calls_of_one_person_take_turns_and_nobody_elses_wait_for_them(
    harness: BotHarness, page: Page, anna: Person, bruno: Person, group: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_lobby(anna, group)
    await group.sees("👤 Anna")
    ref, opened, goes_on = reference(app_button(group)), server.CALLS["/telegram/session"], asyncio.Event()

    async def wait(context: BotContext, caller: AppCaller, wanted: SessionRequest) -> AppSession:
        if caller.user.id == anna.id:
            await goes_on.wait()
        return await open_session(context, caller, wanted)

    monkeypatch.setitem(server.CALLS, "/telegram/session", structs.replace(opened, action=wait))
    most = 1 + server.BOUNDS.asker_waiting
    calls = [asyncio.create_task(page.opens(anna, ref)) for _ in range(most + 1)]
    done, _ = await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
    [(status, answer)] = [task.result() for task in done]
    assert (status, answer["title"]) == (429, "Piano piano! Riprova tra un momento.")
    assert (await page.opens(bruno, ref))[0] == 200
    goes_on.set()
    assert sorted(status for status, _ in await asyncio.gather(*calls)) == [*[200] * most, 429]
