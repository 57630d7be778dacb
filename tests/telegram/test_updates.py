"""The order in which updates are handled."""

import asyncio
from datetime import UTC, datetime

from telegram import Chat, Message, Update, User

from services.telegram.updates import OrderedUpdateProcessor
from tests.telegram.fakes import calm


def update(number: int, chat: int, user: int) -> Update:
    message = Message(
        number, datetime(2026, 1, 1, tzinfo=UTC), Chat(chat, "group"), from_user=User(user, "X", is_bot=False)
    )
    return Update(number, message=message)


async def test_updates_of_a_chat_or_of_a_person_keep_their_order_and_others_do_not_wait() -> None:
    processor = OrderedUpdateProcessor()
    gates = {number: asyncio.Event() for number in range(1, 5)}
    done: list[int] = []

    async def handle(number: int) -> None:
        await gates[number].wait()
        done.append(number)

    updates = [update(1, -1, 11), update(2, -1, 12), update(3, -2, 12), update(4, -3, 13)]
    tasks = [asyncio.create_task(processor.process_update(each, handle(each.update_id))) for each in updates]
    for number in (4, 3, 2):
        gates[number].set()
    await calm()
    assert done == [4]
    gates[1].set()
    await asyncio.gather(*tasks)
    assert done == [4, 1, 2, 3]


async def test_an_update_that_fails_does_not_delay_the_next() -> None:
    processor = OrderedUpdateProcessor()

    async def fail() -> None:
        raise ValueError

    async def succeed() -> str:
        return "done"

    first = asyncio.create_task(processor.process_update(update(1, -1, 11), fail()))
    second = asyncio.create_task(processor.process_update(update(2, -1, 11), succeed()))
    assert isinstance((await asyncio.gather(first, second, return_exceptions=True))[0], ValueError)
    assert second.done()
