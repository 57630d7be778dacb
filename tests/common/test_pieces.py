"""Long work that is split into pieces."""

import asyncio

from services.common.pieces import in_pieces


async def test_others_have_their_turn_after_each_piece() -> None:
    order: list[int | str] = []

    async def other() -> None:
        for _ in range(2):
            order.append("other")
            await asyncio.sleep(0)

    waiting = asyncio.create_task(other())
    order += [number async for number in in_pieces(range(5), 2)]
    await waiting
    assert order == ["other", "other", *range(5)]
