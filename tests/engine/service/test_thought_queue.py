"""Whose thought begins next: tables first, then each client in turn, and long thoughts never on all workers."""

import asyncio
from collections.abc import Sequence

import pytest

from services.engine.service import thought_queue
from services.engine.service.thought_queue import TABLE, Asker, NoWorkerError, ThoughtQueue


async def order(queue: ThoughtQueue, running: Asker, *asking: Asker, seconds: float = 1.0) -> Sequence[str | None]:
    """Return whose thoughts begin one after the other on a single worker, each of so many seconds."""
    began: list[Asker] = []

    async def ask(asker: Asker) -> None:
        await queue.begin(asker)
        began.append(asker)
        queue.end(asker, seconds)

    await queue.begin(running)
    waiting = [asyncio.create_task(ask(asker)) for asker in asking]
    await asyncio.sleep(0)
    queue.end(running, seconds)
    await asyncio.gather(*waiting)
    return [asker.client for asker in began]


async def test_a_client_with_many_thoughts_lets_the_others_have_their_turn() -> None:
    greedy, other, third = Asker("greedy"), Asker("other"), Asker("third")
    found = await order(ThoughtQueue(1), greedy, greedy, greedy, greedy, other, other, third)
    assert found == ["other", "third", "greedy", "other", "greedy", "greedy"]


async def test_tables_come_first() -> None:
    client = Asker("client")
    assert await order(ThoughtQueue(1), client, client, TABLE, TABLE) == [None, None, "client"]


async def test_a_client_whose_thoughts_are_short_has_more_of_them() -> None:
    queue, short, long = ThoughtQueue(1), Asker("short"), Asker("long", long=True)
    await order(queue, long, seconds=5)
    for _ in range(3):
        assert await order(queue, TABLE, long, short, seconds=0.1) == ["short", "long"]


async def test_one_worker_takes_no_long_thought() -> None:
    queue, long = ThoughtQueue(2), Asker("client", 0.01, long=True)
    await queue.begin(long)
    with pytest.raises(NoWorkerError):
        await queue.begin(long)
    await queue.begin(Asker("client", 0.01))
    assert len(queue) == 2


async def test_so_many_thoughts_wait_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thought_queue, "MOST_WAITING", 1)
    queue = ThoughtQueue(1)
    await queue.begin(TABLE)
    waiting = asyncio.create_task(queue.begin(Asker("client")))
    await asyncio.sleep(0)
    with pytest.raises(NoWorkerError):
        await queue.begin(Asker("another"))
    at_table = asyncio.create_task(queue.begin(TABLE))
    await asyncio.sleep(0)
    queue.end(TABLE, 1)
    await at_table
    queue.end(TABLE, 1)
    await waiting


async def test_a_place_is_not_given_to_a_client_who_has_just_gone() -> None:
    queue, client, other = ThoughtQueue(1), Asker("client"), Asker("other")
    await queue.begin(TABLE)
    leaving, waiting = asyncio.create_task(queue.begin(client)), asyncio.create_task(queue.begin(other))
    await asyncio.sleep(0)
    leaving.cancel()
    queue.end(TABLE, 1)
    await asyncio.wait([leaving])
    await waiting
    queue.end(other, 1)
    assert len(queue) == 0


async def test_a_place_that_comes_as_its_client_goes_is_free_again() -> None:
    queue, client = ThoughtQueue(1), Asker("client")
    await queue.begin(TABLE)
    leaving = asyncio.create_task(queue.begin(client))
    await asyncio.sleep(0)
    queue.end(TABLE, 1)
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    assert len(queue) == 0
    await queue.begin(client)
