"""Two people play Diavoletto in a group: builds, columns and mazzetti, to the end of the match."""

from tests.e2e.friends import Friends
from tests.e2e.house import House
from tests.e2e.selecting import deal, play_to_the_end, remember
from tests.redis_server import RedisServer


async def test_two_friends_race_to_empty_their_mazzetto(
    house: House, friends: Friends, redis_server: RedisServer
) -> None:
    await remember(redis_server.url, friends.group, "diavoletto", {"mazzetto_size": 13, "no_progress_turns": 10})
    await deal(friends, "😈 Diavoletto", [friends.anna, friends.bruno])
    over = await play_to_the_end(friends)
    assert "Vince" in over.text or "Pareggio" in over.text
