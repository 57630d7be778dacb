"""Plays the rounds of an evening over the engine's API, as people on the web page do."""

import asyncio

from locanda.games.base import Pass
from services.telegram.records import ChatTable
from services.telegram.repositories.repositories import Repositories
from tests.emulator.chats import PATIENCE
from tests.telegram.harness import BotHarness


async def dealt(harness: BotHarness) -> list[ChatTable]:
    """Wait until all tables of the latest round have begun their matches, and return them."""
    async with asyncio.timeout(PATIENCE):
        while True:
            repositories = Repositories(harness.redis)  # not the bot's own, because repositories cache values
            for ref in await repositories.evenings.refs():
                evening = await repositories.evenings.find(ref)
                if evening is not None and 0 < len(evening.tables) == evening.begun:
                    return await repositories.chat_tables.load(table.ref for table in evening.tables[-1])
            await asyncio.sleep(0.01)


async def play_to_the_end(harness: BotHarness) -> None:
    """Play every table of the latest round to the end of its match, one after the other."""
    for chat_table in await dealt(harness):
        await play_at(harness, chat_table)


async def play_at(harness: BotHarness, chat_table: ChatTable) -> None:
    """Play a table to the end of its match."""
    engine, tokens = harness.engine, await Repositories(harness.redis).seats.tokens(chat_table.ref)
    assert chat_table.engine is not None
    table = await engine.table(chat_table.engine)
    seats = {(await engine.table(table.id, token)).you: token for token in tokens.values()}
    async with asyncio.timeout(PATIENCE):
        while table.status == "playing":
            token = seats.get(table.deal.turn) if table.deal else None
            if token is None:  # it is a computer's turn
                table = await engine.table(table.id, after=table.version)
                continue
            legal = (await engine.table(table.id, token)).moves
            moves = [move for move in legal if not isinstance(move, Pass)] or legal
            table = (await engine.play(table.id, token, moves[0])).table
