"""The bot's data on a person can be exported as a file and is deleted completely."""

import asyncio
import json
from typing import Any, cast
from unittest.mock import AsyncMock

import pytest

from locanda.errors import unreachable
from locanda.messages import JsonObject
from services.telegram.repositories import personal_data
from services.telegram.repositories.repositories import Repositories
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness, all_stay, plays_until, plays_until_one_has_one_card
from tests.telegram.lobby_steps import deal, open_lobby, practise
from tests.waiting import until


async def all_that_is_stored(harness: BotHarness) -> str:
    """Return every key of the bot's Redis with its content as text."""
    contents: list[object] = []
    async for key in harness.redis.scan_iter("*"):
        match await harness.redis.type(key):
            case "hash":
                contents.append((key, await harness.redis.hgetall(key)))
            case "set":
                contents.append((key, await harness.redis.smembers(key)))
            case "zset":
                contents.append((key, await harness.redis.zrange(key, 0, -1)))
            case "list":
                contents.append((key, await harness.redis.lrange(key, 0, -1)))
            case _:
                contents.append((key, await harness.redis.get(key)))
    return repr(contents)


async def data_of(person: Person) -> dict[str, Any]:
    """Ask the bot for the person's own data, and return the file's content."""
    question = await person.says(person.private, "/dati")
    message = await person.private.sees("Tutto quello che so di te", after=question)
    data: dict[str, Any] = json.loads(message.document)
    return data


async def test_a_person_gets_all_that_is_stored_on_them_and_nothing_of_others(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    data = await data_of(anna)
    assert [(table["chat"], table["game"], table["seat"], table["opened_it"]) for table in data["tables"]] == [
        ("Amici", "gatto_rosso", "yes", "yes")
    ]
    assert data["person"].items() >= {"user": anna.id, "name": "Anna", "language": "it"}.items()
    assert str(bruno.id) not in json.dumps(data)
    tokens = cast("list[str]", await harness.redis.hvals(f"bot:table:{await reference(harness)}:tokens"))
    assert not [token for token in tokens if token in json.dumps(data)]
    assert all(anna.id in call.audience and len(call.audience) <= 2 for call in telegram.journal.of("sendDocument"))


async def reference(harness: BotHarness) -> str:
    assert harness.context
    return (await harness.context.repositories.chat_tables.refs())[0]


async def test_in_a_group_the_data_are_not_given(harness: BotHarness, anna: Person, group: Chat) -> None:
    await anna.says(group, "/dati")
    await group.sees("Chiedimelo in privato")


async def test_after_forgetting_no_key_and_no_value_names_the_person(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    await deal([anna, bruno], group)
    await plays_until_one_has_one_card(harness, [anna, bruno])
    await plays_until([anna, bruno], lambda: group.shows(button="Ci sto"))
    await all_stay([anna, bruno], group)
    await practise(anna, "facile × 1")
    await harness.settle()
    assert str(anna.id) in await all_that_is_stored(harness)
    await anna.says(anna.private, "/dimenticami")
    await anna.private.sees("Che cosa devo dimenticare?")
    with monkeypatch.context() as outage:
        outage.setattr(harness.engine, "leave_nameless", AsyncMock(side_effect=unreachable("")))
        refused = await anna.taps(anna.private, "Tutto: lascio anche i miei tavoli")
        assert "non risponde" in (refused.text or "")
    await anna.taps(anna.private, "Tutto: lascio anche i miei tavoli")
    await anna.private.sees("ai tuoi posti c'è un altro nome")

    async def forgotten() -> bool:
        return str(anna.id) not in await all_that_is_stored(harness)

    await until(forgotten)
    assert str(bruno.id) in await all_that_is_stored(harness)
    await harness.restart()
    await harness.settle()
    assert await forgotten()


async def test_the_file_keeps_no_press_waiting_and_comes_once_however_often_it_was_asked_for(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, telegram: Emulator, anna: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    pressed, stored_on = asyncio.Event(), personal_data.stored_on

    async def found_after_the_press(repositories: Repositories, user: int) -> JsonObject:
        await pressed.wait()
        return await stored_on(repositories, user)

    monkeypatch.setattr(personal_data, "stored_on", found_after_the_press)
    for _ in range(5):
        await anna.says(anna.private, "/dati")
    await anna.taps(group, "Siediti")
    await group.sees("👤 Anna")
    pressed.set()
    await anna.private.sees("Tutto quello che so di te")
    await harness.settle()
    assert len(telegram.journal.of("sendDocument")) <= 2  # one file may be under way at the next request


async def test_a_file_that_telegram_does_not_take_just_now_comes_later_even_after_a_kill(
    harness: BotHarness, telegram: Emulator, anna: Person
) -> None:
    telegram.drop_next("sendDocument", before=True)
    await anna.says(anna.private, "/dati")
    await until(lambda: telegram.journal.of("sendDocument"))
    await harness.kill()
    await harness.open()
    message = await anna.private.sees("Tutto quello che so di te")
    assert json.loads(message.document)["person"]["name"] == "Anna"
