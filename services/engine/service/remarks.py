"""Remarks at tables. A remark is sent to the table's followers and not stored; the table's version does not change."""

from math import ceil

import msgspec

from locanda.messages import RemarkName, SaidRemark
from services.engine.errors import ProblemError
from services.engine.store import Store
from services.engine.table.state import AnyTable, TableError

REMARK_PAUSE = 5_000
"""Milliseconds between two remarks from one seat."""


class Remarks:
    """Publishes remarks."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def say(self, table: AnyTable, seat: int, remark: RemarkName) -> SaidRemark:
        """Make a remark from a seat.

        Raises `TableError` `no_such_seat`, also for people who wait for the next match and have no seat yet. Raises
        `ProblemError` `too_many_requests` during the pause after a remark.
        """
        if seat >= len(table.seats):
            raise TableError("no_such_seat", seat=seat)
        said = SaidRemark(seat, remark)
        wait = await self._store.say(table.id, seat, msgspec.json.encode(said), REMARK_PAUSE)
        if wait:
            detail = "a seat must wait a moment between two remarks"
            raise ProblemError("too_many_requests", detail, retry_after=ceil(wait / 1000))
        return said
