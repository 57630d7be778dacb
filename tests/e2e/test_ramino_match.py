"""People play Ramino in a group, card by card, to the end of the match."""

from tests.e2e.friends import Friends
from tests.e2e.house import House
from tests.e2e.selecting import deal, play_to_the_end, remember
from tests.redis_server import RedisServer


async def test_three_friends_play_ramino_to_the_target(
    house: House, friends: Friends, redis_server: RedisServer
) -> None:
    await remember(redis_server.url, friends.group, "ramino", {"target": 20})
    await deal(friends, "🦉 Ramino", [friends.anna, friends.bruno, friends.carla])
    over = await play_to_the_end(friends)
    assert "🥇" in over.text
    assert "punti" in over.text
