"""The cost of a move for the bot: commands to its Redis."""

from collections import Counter
from typing import Any

import pytest

from services.telegram.repositories.connection import MultiplexedRedis
from tests.e2e.players import tap_of
from tests.emulator import Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness
from tests.telegram.lobby_steps import deal

MOVES = 12
MOST = 5
ASKED_BY_THE_HARNESS = {"ZRANGEBYSCORE"}
"""A command that the harness sends, not the bot, to know that every table's messages are up to date."""


async def test_a_move_takes_five_commands_of_redis_at_most(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [anna, bruno, carla]
    await deal(people, group)
    await harness.settle()
    commands: Counter[str] = Counter()
    execute = MultiplexedRedis.execute_command

    async def counted(redis: MultiplexedRedis, *args: Any, **options: Any) -> Any:
        commands[args[0]] += 1
        return await execute(redis, *args, **options)

    monkeypatch.setattr(MultiplexedRedis, "execute_command", counted)
    for _ in range(MOVES):
        person, button = next((player, key) for player in people if (key := tap_of(player)))
        await person.taps(person.private, button, message=button.message)
        await harness.settle()
    per_move = {name: count / MOVES for name, count in commands.items() if name not in ASKED_BY_THE_HARNESS}
    assert sum(per_move.values()) <= MOST, per_move
