"""Plays matches over the API, counts their confirmed moves and compares them with the proofs."""

import asyncio
import random
from dataclasses import dataclass, field

from locanda.client import EngineClient, RetryPolicy
from locanda.errors import StaleError
from locanda.messages import GameName, OpenTable, SitDown, Table
from locanda.shuffle_check import match_errors
from services.common.processes import end

RETRY = RetryPolicy(longest_pause=5.0)
"""Retries for about 40 seconds, while containers are restarted."""
GAMES = ("gatto_rosso", "presidente")
PAUSE = 0.1
"""Seconds before a move."""


@dataclass
class Tally:
    """The number of confirmed moves, and the number of moves in the proofs."""

    matches: int = 0
    confirmed: int = 0
    proved: int = 0
    errors: list[str] = field(default_factory=list)


class Matches:
    """Plays matches at a few tables until it is stopped, then finishes the matches in progress."""

    def __init__(self, url: str, tables: int = 3) -> None:
        self.tally = Tally()
        self._stopping = asyncio.Event()
        self._tasks = [asyncio.create_task(self._play_on(url, GAMES[number % 2])) for number in range(tables)]

    async def stop(self) -> Tally:
        """Finish the matches in progress, and return the counts. Raises the error that has ended a match."""
        self._stopping.set()
        try:
            await asyncio.gather(*self._tasks)
        finally:
            await end(*self._tasks)
        return self.tally

    async def cancel(self) -> None:
        """End all matches at once."""
        await end(*self._tasks)

    async def _play_on(self, url: str, game: str) -> None:
        async with EngineClient.connect(url, retry=RETRY) as engine:
            while not self._stopping.is_set():
                await self._play_a_match(engine, game)

    async def _play_a_match(self, engine: EngineClient, game: str) -> None:
        opened = await engine.open_table(OpenTable(GameName(game), "Anna"))
        guests = [await engine.sit(opened.table.id, SitDown(name)) for name in ("Bruno", "Carla")]
        tokens = [seated.token or "" for seated in (opened, *guests)]
        commitment = opened.table.match.commitment or ""
        await engine.start(opened.table.id, tokens[0])
        over, *_ = await asyncio.gather(*(self._play_a_seat(engine, opened.table.id, token) for token in tokens))
        self.tally.errors.extend(await match_errors(engine, over, commitment, {}))
        for deal in range(1, over.match.deal + 1):
            proof = await engine.proof(over.id, deal)
            self.tally.proved += len(proof.moves)
        self.tally.matches += 1

    async def _play_a_seat(self, engine: EngineClient, table: str, token: str) -> Table:
        async for event in engine.events(table, token):
            if event.table.status == "over":
                return event.table
            if event.table.moves:
                await asyncio.sleep(PAUSE)
                move = random.choice(event.table.moves)
                try:
                    await engine.play(table, token, move, version=event.table.version)
                except StaleError:
                    continue
                self.tally.confirmed += 1
        raise AssertionError("the events of a table go on until it is over")
