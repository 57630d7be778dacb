"""Crashes of the bot in the middle of a tap: the tap is delivered again, and nothing is left half done."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from secrets import token_urlsafe
from typing import Any

import pytest

from locanda.client import EngineClient
from locanda.messages import SitDown
from services.telegram.records import ChatTable
from services.telegram.repositories.repositories import Repositories
from services.telegram.tables.setup import TableSetup
from tests.emulator import Emulator, Person
from tests.emulator.chats import PATIENCE, Chat
from tests.telegram.harness import BotHarness, plays, turn_of_somebody
from tests.telegram.lobby_steps import deal, open_lobby, sit
from tests.waiting import until


class Crash:
    """A call that never returns, as if the bot's process were killed during the call."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()

    async def __call__(self, *_: object, **__: object) -> None:
        self.reached.set()
        await asyncio.Event().wait()


async def crash_at(
    harness: BotHarness, owner: object, name: str, press: Callable[[], Awaitable[object]] | Callable[[], object]
) -> None:
    """Press a button, kill the bot when it reaches a call, and restart it."""
    crash = Crash()
    setattr(owner, name, crash)
    press()
    await asyncio.wait_for(crash.reached.wait(), PATIENCE)
    await harness.kill()
    await harness.open()


async def only_table(harness: BotHarness) -> ChatTable:
    """Return the one table that the bot knows."""
    chat_tables = Repositories(harness.redis).chat_tables
    return (await chat_tables.all())[0]


async def seated(harness: BotHarness) -> list[str]:
    """Return the names of the players at the engine's table."""
    chat_table = await only_table(harness)
    assert chat_table.engine is not None
    return [seat.name for seat in (await harness.engine.table(chat_table.engine)).seats]


async def test_a_crash_between_the_seat_and_its_token_leaves_no_seat_that_nobody_has(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await bruno.starts()
    await bruno.private.sees("Benvenuti alla locanda")
    await open_lobby(anna, group)
    assert harness.context
    await crash_at(harness, harness.context.repositories.seats, "save", lambda: bruno.presses(group, "Siediti"))
    await group.sees("👤 Bruno")
    chat_table = await only_table(harness)
    await until(lambda: Repositories(harness.redis).seats.token(chat_table.ref, bruno.id))
    assert await seated(harness) == ["Anna", "Bruno"]
    await anna.taps(group, "Si comincia")
    await bruno.private.sees(button="Passo")


async def test_who_gets_up_after_a_crash_before_the_request_for_their_seat_was_forgotten_can_sit_down_again(
    harness: BotHarness, anna: Person, group: Chat
) -> None:
    await anna.says(group, "/gioca")
    await group.sees("A che cosa giochiamo?")
    assert harness.context
    seats = harness.context.repositories.seats
    await crash_at(harness, seats, "forget_request", lambda: anna.presses(group, "Gatto Rosso"))
    await group.sees("👤 Anna")
    await anna.taps(group, "Alzati")
    await group.until(lambda place: place.shows("👤 Anna") is None)
    await anna.taps(group, "Siediti")
    await group.sees("👤 Anna")
    assert await seated(harness) == ["Anna"]


async def test_after_a_crash_before_the_engines_table_was_stored_the_lobby_shows_who_sits_there(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, anna: Person, group: Chat
) -> None:
    await anna.says(group, "/gioca")
    await group.sees("A che cosa giochiamo?")
    assert harness.context
    crash, chat_tables = Crash(), harness.context.repositories.chat_tables
    save = chat_tables.save

    async def save_or_crash(chat_table: ChatTable) -> None:
        await (save(chat_table) if chat_table.engine is None else crash())

    monkeypatch.setattr(chat_tables, "save", save_or_crash)
    anna.presses(group, "Gatto Rosso")
    await asyncio.wait_for(crash.reached.wait(), PATIENCE)
    await harness.kill()
    await harness.open()
    lobby = await group.sees("👤 Anna")
    assert "Siediti" in lobby.labels
    assert await seated(harness) == ["Anna"]
    assert await Repositories(harness.redis).seats.token((await only_table(harness)).ref, anna.id)


@pytest.mark.parametrize("place", ["seats.save", "chat_tables.save", "messages.record_id", "setup.open"])
async def test_a_crash_while_a_table_is_opened_leaves_one_table_with_one_seat(
    harness: BotHarness, anna: Person, group: Chat, place: str
) -> None:
    await anna.says(group, "/gioca")
    await group.sees("A che cosa giochiamo?")
    assert harness.context
    part, _, name = place.partition(".")
    owner = harness.context.tables.setup if part == "setup" else getattr(harness.context.repositories, part)
    await crash_at(harness, owner, name, lambda: anna.presses(group, "Gatto Rosso"))
    await group.sees("👤 Anna")
    assert await seated(harness) == ["Anna"]
    assert len([message for message in group.messages if "Siediti" in message.labels]) == 1


async def choose_opponents(anna: Person) -> None:
    """Open the choice of opponents in the private chat."""
    await anna.says(anna.private, "/gioca")
    await anna.private.sees(button="🐈 Gatto Rosso Gatto Grigio")
    await anna.taps(anna.private, "🐈 Gatto Rosso Gatto Grigio")
    await anna.private.sees(button="medio × 2")


@pytest.mark.parametrize("place", ["seats.save", "setup.change_computer_players", "match.start"])
async def test_a_crash_while_a_match_alone_begins_does_not_hang_it(
    harness: BotHarness, anna: Person, place: str
) -> None:
    await choose_opponents(anna)
    assert harness.context
    part, _, name = place.partition(".")
    owner = harness.context.repositories.seats if part == "seats" else getattr(harness.context.tables, part)
    await crash_at(harness, owner, name, lambda: anna.presses(anna.private, "medio × 2"))
    await anna.private.sees(button="Passo")
    assert len(await seated(harness)) == 3


async def test_a_press_waits_while_the_restarted_bot_completes_a_seat(
    harness: BotHarness, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    await choose_opponents(anna)
    give_seed, seat_computer = EngineClient.give_seed, TableSetup.change_computer_players
    goes_on, seed_given = asyncio.Event(), asyncio.Event()

    async def give_seed_late(client: EngineClient, *arguments: Any) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(goes_on.wait(), 0.5)
        await give_seed(client, *arguments)
        seed_given.set()

    async def seat_computer_then(setup: TableSetup, *arguments: Any) -> None:
        goes_on.set()
        await seed_given.wait()
        await seat_computer(setup, *arguments)

    monkeypatch.setattr(EngineClient, "give_seed", give_seed_late)
    monkeypatch.setattr(TableSetup, "change_computer_players", seat_computer_then)
    assert harness.context
    await crash_at(harness, harness.context.repositories.seats, "save", lambda: anna.presses(anna.private, "medio × 2"))
    await anna.private.sees(button="Passo")
    assert len(await seated(harness)) == 3


async def test_after_a_crash_while_the_last_person_leaves_somebody_can_sit_down(
    harness: BotHarness, anna: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await group.sees("👤 Anna")
    assert harness.context
    await crash_at(harness, harness.context.repositories.seats, "forget", lambda: anna.presses(group, "Alzati"))
    await group.sees("10 posti liberi")
    await sit(anna, group)


async def test_a_short_id_of_a_tap_seats_and_plays_as_any_other(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = iter(range(1, 1000))
    monkeypatch.setattr("tests.emulator.world.random.getrandbits", lambda _: next(ids))
    await deal([anna, bruno], group)


async def stranger_sits(harness: BotHarness, name: str) -> None:
    """Seat a person without storing the token, which could happen in earlier releases."""
    chat_table = await only_table(harness)
    assert chat_table.engine is not None
    await harness.engine.sit(chat_table.engine, SitDown(name), key=token_urlsafe(16))


async def test_the_host_removes_a_seat_that_nobody_has_from_the_lobby(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await group.sees("👤 Anna")
    await sit(bruno, group)
    await stranger_sits(harness, "Nessuno")
    await group.sees("👤 Nessuno")
    await anna.taps(group, "Opzioni")
    await group.sees(button="Togli Nessuno")
    assert (await bruno.taps(group, "Togli Nessuno")).text == "Può farlo solo chi ha aperto il tavolo."
    await anna.taps(group, "Togli Nessuno")
    await group.until(lambda place: place.shows(button="Togli Nessuno") is None)
    assert await seated(harness) == ["Anna", "Bruno"]
    await anna.taps(group, "Togli Bruno")
    await group.until(lambda place: place.shows(button="Togli Bruno") is None)
    await anna.taps(group, "Indietro")
    await group.sees(button="Siediti")
    assert "tolto da questo tavolo" in ((await bruno.taps(group, "Siediti")).text or "")
    assert await seated(harness) == ["Anna"]


async def test_nobody_is_replaced_who_is_there_and_a_nudge_offers_it_without_a_limit_alone(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    if await turn_of_somebody([anna, bruno]) is anna:
        await plays(anna)
        await turn_of_somebody([bruno])
    await anna.says(group, "/sollecita")
    nudge = await group.sees("tocca a te: Anna ti aspetta!")
    assert "computer" not in str(nudge)
    await group.until(lambda place: place.shows(button="Al suo posto gioca il computer") is None)
