"""People play Ramino, Diavoletto and Presidente in a group, to the end of the match."""

import pytest

from tests.e2e.engine_and_bot import EngineAndBot
from tests.e2e.players import GroupPlayers, remember_options
from tests.redis_server import RedisServer


@pytest.mark.costly
async def test_three_people_play_ramino_to_the_target(
    engine_and_bot: EngineAndBot, players: GroupPlayers, redis_server: RedisServer
) -> None:
    await remember_options(redis_server.url, players.group, "ramino", {"target": 20})
    await players.begin("🦉 Ramino")
    over = await players.play_by_selecting()
    assert "🥇" in over.text
    assert "punti" in over.text


async def test_two_people_race_to_empty_their_mazzetto(
    engine_and_bot: EngineAndBot, players: GroupPlayers, redis_server: RedisServer
) -> None:
    options = {"mazzetto_size": 13, "no_progress_turns": 10}
    await remember_options(redis_server.url, players.group, "diavoletto", options)
    players.people.remove(players.carla)
    await players.begin("😈 Diavoletto")
    over = await players.play_by_selecting()
    assert "Vince" in over.text or "Pareggio" in over.text


@pytest.mark.costly
async def test_three_people_play_presidente_with_the_tax_for_two_deals(
    engine_and_bot: EngineAndBot, players: GroupPlayers, redis_server: RedisServer
) -> None:
    options = {"deals": 2, "tax": True, "joker": True, "eight": True}
    await remember_options(redis_server.url, players.group, "presidente", options)
    await players.begin("🎩 Presidente")
    over = await players.play_by_selecting()
    assert "vittori" in over.text
    assert "Tassa" in "".join(call.payload for call in engine_and_bot.telegram.journal.of("sendMessage"))
