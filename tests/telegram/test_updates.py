"""The order in which updates are handled, and unreadable updates."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from msgspec import structs
from telegram import Chat, Message, Update, User

from services.common.places import NoPlaceError
from services.telegram.app import new_bot
from services.telegram.callback_data import ShowHand, pack
from services.telegram.settings import load
from services.telegram.updates import (
    BOUNDS,
    AnyUpdate,
    PressedChat,
    PressedMessage,
    PressQuery,
    PressUpdate,
    TelegramUser,
    UnreadableUpdateError,
    UpdateTurns,
    read_update,
)
from tests.telegram.fakes import calm


def command(number: int, chat: int, user: int, sender: Chat | None = None) -> Update:
    who, where = User(user, "X", is_bot=False), Chat(chat, "group")
    message = Message(number, datetime(2026, 1, 1, tzinfo=UTC), where, from_user=who, sender_chat=sender, text="/dati")
    return Update(number, message=message)


def press(number: int, chat: int, user: int) -> PressUpdate:
    message = PressedMessage(1, PressedChat(chat), date=1)
    return PressUpdate(number, PressQuery(str(number), TelegramUser(user, "X"), message, "data"))


class Handling:
    """A handler of updates that finishes an update only when the test releases it."""

    def __init__(self) -> None:
        self._turns = UpdateTurns()
        self._gates: dict[int, asyncio.Event] = {}
        self.begun: list[int] = []
        self.dropped: list[int] = []
        self.tasks: list[asyncio.Task[None]] = []

    def take(self, *updates: AnyUpdate) -> None:
        for update in updates:
            self._gates[update.update_id] = asyncio.Event()
            self.tasks.append(asyncio.create_task(self._handle(update)))

    async def _handle(self, update: AnyUpdate) -> None:
        with suppress(NoPlaceError):
            async with self._turns.turn(update):
                self.begun.append(update.update_id)
                await self._gates[update.update_id].wait()
            return
        self.dropped.append(update.update_id)

    async def end(self, number: int) -> None:
        self._gates[number].set()
        await calm()

    async def end_all(self) -> None:
        for gate in self._gates.values():
            gate.set()
        await asyncio.gather(*self.tasks)


@pytest.fixture
def handling() -> Handling:
    return Handling()


async def test_updates_of_a_person_and_of_a_chat_are_handled_one_at_a_time_and_others_do_not_wait(
    handling: Handling,
) -> None:
    handling.take(command(1, -1, 11), command(2, -1, 12), command(3, -2, 11), command(4, -3, 13))
    await calm()
    assert handling.begun == [1, 4]
    await handling.end(1)
    assert handling.begun == [1, 4, 2, 3]
    await handling.end_all()


async def test_a_persons_backlog_keeps_nobody_else_waiting_in_a_chat_where_they_press_once(handling: Handling) -> None:
    handling.take(*(command(number, 11, 11) for number in range(1, 11)), command(11, -1, 11), command(12, -1, 12))
    await calm()
    assert handling.begun == [1, 12]
    await handling.end_all()


async def test_a_persons_press_goes_before_their_own_commands(handling: Handling) -> None:
    handling.take(*(command(number, 11, 11) for number in range(1, 11)), press(11, -1, 11))
    await calm()
    await handling.end(1)
    assert handling.begun == [1, 11]
    await handling.end_all()


async def test_beyond_a_bound_a_persons_updates_are_dropped_and_nobody_elses(handling: Handling) -> None:
    most = BOUNDS.target_waiting
    handling.take(*(command(number, -1, 11) for number in range(1, 3 + most)))
    await calm()
    assert handling.dropped == [2 + most]
    handling.take(command(100, -1, 12), command(101, -2, 11))
    await calm()
    assert handling.dropped == [2 + most]
    await handling.end_all()
    assert {100, 101} <= {*handling.begun}


async def test_anonymous_administrators_of_different_groups_do_not_wait_for_each_other(handling: Handling) -> None:
    handling.take(*(command(-chat, chat, 1087968824, Chat(chat, "supergroup")) for chat in (-1, -2, -3)))
    await calm()
    assert len(handling.begun) == 3
    await handling.end_all()


async def test_an_update_that_fails_does_not_delay_the_next() -> None:
    turns = UpdateTurns()
    with suppress(ValueError):
        async with turns.turn(command(1, -1, 11)):
            raise ValueError
    async with turns.turn(command(2, -1, 11)):
        pass


CHAT, USER = {"id": -5, "type": "group", "title": "Amici"}, {"id": 7, "is_bot": False, "first_name": "Anna"}
MESSAGE = {"message_id": 3, "date": 1, "chat": CHAT, "from": USER, "text": "/gioca"}
PRESS = {"id": "9", "from": USER, "message": MESSAGE, "data": "x", "chat_instance": "1"}
MEMBER = {"user": USER, "status": "member"}
CHANGE = {"chat": CHAT, "from": USER, "date": 1, "old_chat_member": MEMBER, "new_chat_member": MEMBER}


def damaged(whole: object) -> list[object]:
    """Return all variants of a JSON value in which one part is missing or has another type."""
    variants: list[object] = [None, [], {}, "text", 1.5, True, 10**40]
    if isinstance(whole, dict):
        for name, part in whole.items():
            variants.append({other: value for other, value in whole.items() if other != name})
            variants += [{**whole, name: value} for value in damaged(part)]
    return variants


@pytest.mark.parametrize(
    "kind_and_content",
    [("message", MESSAGE), ("callback_query", PRESS), ("my_chat_member", CHANGE), ("chat_member", CHANGE)],
    ids=lambda pair: pair[0],
)
def test_what_cannot_be_read_raises_one_error_alone_and_what_can_has_the_ids_that_turns_need(
    kind_and_content: tuple[str, object],
) -> None:
    kind, content = kind_and_content
    bot, turns, unreadable = new_bot(load({"TELEGRAM_TOKEN": "1:a"})), UpdateTurns(), 0
    for damage in damaged({"update_id": 1, kind: content}):
        try:
            update = read_update(damage, bot)
        except UnreadableUpdateError:
            unreadable += 1
        else:
            assert isinstance(update.update_id, int)
            turns.turn(update)
    assert unreadable > 20


async def test_who_is_shown_their_hand_in_a_group_keeps_nobody_waiting_there(handling: Handling) -> None:
    shows = press(1, -1, 11)
    data = pack(ShowHand("Ab3-Ef_8"))
    shows = structs.replace(shows, callback_query=structs.replace(shows.callback_query, data=data))
    handling.take(shows, command(2, -1, 12))
    await calm()
    assert handling.begun == [1, 2]
    await handling.end_all()
