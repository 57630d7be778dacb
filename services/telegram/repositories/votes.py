"""Repository of votes: who wants a match to end before its time, and who does not."""

from redis.asyncio import Redis

from services.telegram.repositories import connection, keys


class VoteRepository:
    """The votes of people at a table on closing it, of one match each."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def cast(self, ref: str, match: int, user: int, *, agree: bool) -> None:
        """Store a person's vote, in the place of their earlier one."""
        await connection.hset(self._redis, keys.votes(ref), {str(user): f"{match}:{int(agree)}"})

    async def of_match(self, ref: str, match: int) -> dict[int, bool]:
        """Return the votes cast in a match by person: whether they agree."""
        votes = {int(user): vote for user, vote in (await connection.hgetall(self._redis, keys.votes(ref))).items()}
        return {user: vote.endswith(":1") for user, vote in votes.items() if vote.startswith(f"{match}:")}

    async def clear(self, ref: str) -> None:
        """Delete all votes at a table."""
        await self._redis.delete(keys.votes(ref))
