"""The bot's own check of a match that is over, by the commitment and the client seeds that it kept from before."""

import asyncio

import structlog

from locanda.client import EngineClient
from locanda.messages import Table
from locanda.shuffle_check import match_errors
from services.telegram.records import ChatTable, ShuffleOutcome
from services.telegram.repositories import Repositories
from services.telegram.tables.lookup import TableLookup

log = structlog.get_logger(__name__)

CHECK_SECONDS = 10.0
"""A longer check is given up, so that the table is free for a rematch."""


class ShuffleChecker:
    """Checks the proofs of matches, once each."""

    def __init__(self, engine: EngineClient, repositories: Repositories, lookup: TableLookup) -> None:
        self._engine = engine
        self._chat_tables = repositories.chat_tables
        self._shuffles = repositories.shuffles
        self._lookup = lookup

    async def check(self, chat_table: ChatTable, over: Table) -> bool:
        """Check a match that is over and store the outcome; return whether it is new."""
        if await self._shuffles.outcome(chat_table.ref, over.id, over.match.number) is not None:
            return False
        outcome = await self._outcome(chat_table, over)
        if await self._chat_tables.find(chat_table.ref) is None:  # deleted meanwhile, with all that was kept for it
            return False
        await self._shuffles.record_outcome(chat_table.ref, over.id, over.match.number, outcome)
        return True

    async def _outcome(self, chat_table: ChatTable, over: Table) -> ShuffleOutcome:
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                commitment, kept = await self._shuffles.kept(chat_table.ref, over.id, over.match.number)
                if commitment is None:
                    return "unchecked"
                seats = await self._lookup.seats(chat_table)
                seeds = {seats[user]: each.possible_seeds for user, each in kept.items() if user in seats}
                wrong = await match_errors(self._engine, over, commitment, seeds)
        except Exception as error:  # noqa: BLE001  (whatever it is, the table goes on)
            log.warning("shuffle_not_checked", error=repr(error))
            return "unchecked"
        if wrong:
            log.error("shuffle_differs", match=over.match.number, error=wrong[0])
            return "different"
        return "agreed"
