"""The order in which updates are handled."""

import asyncio
from datetime import UTC, datetime

from telegram import Chat, Message, Update, User

from services.telegram.updates import UpdateOrder
from tests.telegram.fakes import calm


def update(number: int, chat: int, user: int) -> Update:
    message = Message(
        number, datetime(2026, 1, 1, tzinfo=UTC), Chat(chat, "group"), from_user=User(user, "X", is_bot=False)
    )
    return Update(number, message=message)


async def test_updates_of_a_chat_or_of_a_person_keep_their_order_and_others_do_not_wait() -> None:
    order = UpdateOrder()
    gates = {number: asyncio.Event() for number in range(1, 5)}
    done: list[int] = []

    async def handle(handled: Update) -> None:
        async with order.turn(handled):
            await gates[handled.update_id].wait()
            done.append(handled.update_id)

    updates = [update(1, -1, 11), update(2, -1, 12), update(3, -2, 12), update(4, -3, 13)]
    tasks = [asyncio.create_task(handle(each)) for each in updates]
    for number in (4, 3, 2):
        gates[number].set()
    await calm()
    assert done == [4]
    gates[1].set()
    await asyncio.gather(*tasks)
    assert done == [4, 1, 2, 3]


async def test_an_update_that_fails_does_not_delay_the_next() -> None:
    order = UpdateOrder()

    async def fail() -> None:
        async with order.turn(update(1, -1, 11)):
            raise ValueError

    async def succeed() -> None:
        async with order.turn(update(2, -1, 11)):
            pass

    first, second = asyncio.create_task(fail()), asyncio.create_task(succeed())
    assert isinstance((await asyncio.gather(first, second, return_exceptions=True))[0], ValueError)
    assert second.done()
