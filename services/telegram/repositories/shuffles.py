"""The repository of shuffles: what tables showed and people gave before each match, and what its check has found."""

from typing import cast

from redis.asyncio import Redis

from locanda.shuffle_check import KeptShuffle
from services.telegram.records import ShuffleOutcome
from services.telegram.repositories import connection, keys

COMMITMENT = "commitment"
OUTCOME = "outcome"
GIVEN = "given"


class ShuffleRepository:
    """For each match of an engine's table: its commitment, the client seed of each person, and the check's outcome."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def keep_commitment(self, ref: str, engine: str, match: int, commitment: str) -> None:
        """Store the commitment that the engine's table shows before a match, unless one is stored: the first counts."""
        await connection.hsetnx(self._redis, keys.shuffles(ref), f"{engine}:{match}:{COMMITMENT}", commitment)

    async def keep_seed(self, ref: str, engine: str, match: int, user: int, seed: str) -> str:
        """Store the client seed of a person for a match before it is given; return it, or the one stored before."""
        await connection.hsetnx(self._redis, keys.shuffles(ref), f"{engine}:{match}:{user}", seed)
        return await connection.hget(self._redis, keys.shuffles(ref), f"{engine}:{match}:{user}") or seed

    async def confirm_seed(self, ref: str, engine: str, match: int, user: int) -> None:
        """Store that the engine has confirmed a person's client seed."""
        await connection.hset(self._redis, keys.shuffles(ref), {f"{engine}:{match}:{user}:{GIVEN}": "1"})

    async def kept(self, ref: str, engine: str, match: int) -> tuple[str | None, dict[int, KeptShuffle]]:
        """Return a match's commitment, and by person what its proofs are compared with."""
        start = f"{engine}:{match}:"
        fields = await connection.hgetall(self._redis, keys.shuffles(ref))
        found = {name.removeprefix(start): value for name, value in fields.items() if name.startswith(start)}
        commitment = found.get(COMMITMENT)
        return commitment, {
            int(name): KeptShuffle(commitment or "", (seed,), confirmed=f"{name}:{GIVEN}" in found)
            for name, seed in found.items()
            if name.isdecimal()
        }

    async def seeds_of(self, ref: str, user: int) -> list[str]:
        """Return the client seeds of a person at a table."""
        fields = await connection.hgetall(self._redis, keys.shuffles(ref))
        return [value for name, value in fields.items() if name.split(":")[2:] == [str(user)]]

    async def forget_person(self, ref: str, user: int) -> None:
        """Delete the client seeds of a person who has left the table."""
        for name in await connection.hgetall(self._redis, keys.shuffles(ref)):
            if name.split(":")[2] == str(user):
                await connection.hdel(self._redis, keys.shuffles(ref), name)

    async def outcome(self, ref: str, engine: str, match: int) -> ShuffleOutcome | None:
        """Return the outcome of a match's check, once there is one."""
        found = await connection.hget(self._redis, keys.shuffles(ref), f"{engine}:{match}:{OUTCOME}")
        return cast("ShuffleOutcome | None", found)

    async def record_outcome(self, ref: str, engine: str, match: int, outcome: ShuffleOutcome) -> None:
        """Store the outcome of a match's check."""
        await connection.hset(self._redis, keys.shuffles(ref), {f"{engine}:{match}:{OUTCOME}": outcome})
