"""A limited number of places that tasks wait for: turns, time-outs, and tasks that stop waiting."""

import asyncio

import pytest

from services.common.fair_queue import Bounds
from services.common.places import NoPlaceError, Places


async def test_tasks_get_places_in_turns_by_asker() -> None:
    places, order = Places(Bounds(1)), []
    first = await places.begin("hostile")

    async def hold(asker: str) -> None:
        async with places.place(asker):
            order.append(asker)

    async with asyncio.TaskGroup() as tasks:
        for asker in ("hostile", "hostile", "anna"):
            tasks.create_task(hold(asker))
            await asyncio.sleep(0)
        places.end(first, 1.0)
    assert order == ["anna", "hostile", "hostile"]
    assert len(places) == 0


async def test_patience_ends_without_a_place() -> None:
    places = Places(Bounds(1))
    held = await places.begin("anna")
    with pytest.raises(NoPlaceError):
        await places.begin("bruno", patience=0)
    places.end(held, 0)
    assert len(places) == 0


async def test_who_waits_beyond_the_bounds_is_refused_at_once() -> None:
    places = Places(Bounds(1, asker_waiting=1))
    await places.begin("anna")
    waiting = asyncio.create_task(places.begin("anna"))
    await asyncio.sleep(0)
    with pytest.raises(NoPlaceError):
        await places.begin("anna")
    waiting.cancel()


async def test_a_cancelled_task_leaves_its_place_to_the_next() -> None:
    places = Places(Bounds(1))
    held = await places.begin("anna")
    cancelled, patient = asyncio.create_task(places.begin("bruno")), asyncio.create_task(places.begin("carla"))
    await asyncio.sleep(0)
    cancelled.cancel()
    places.end(held, 0)
    assert (await patient).asker == "carla"
    assert cancelled.cancelled()
