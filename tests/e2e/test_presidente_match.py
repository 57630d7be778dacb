"""People play Presidente in a group: combinations, passes, the tax, to the end of the match."""

from tests.e2e.friends import Friends
from tests.e2e.house import House
from tests.e2e.selecting import deal, play_to_the_end, remember
from tests.redis_server import RedisServer


async def test_three_friends_play_presidente_with_the_tax_for_two_deals(
    house: House, friends: Friends, redis_server: RedisServer
) -> None:
    options = {"deals": 2, "tax": True, "joker": True, "eight": True}
    await remember(redis_server.url, friends.group, "presidente", options)
    await deal(friends, "🎩 Presidente", [friends.anna, friends.bruno, friends.carla])
    over = await play_to_the_end(friends)
    assert "vittori" in over.text
    assert "Tassa" in "".join(call.payload for call in house.telegram.journal.of("sendMessage"))
