"""Fair scheduling of automatic steps at tables, by the account of each table's opener.

Computer players' moves, timed-out turns and starting matches cost processor time like requests, and are charged to the
opener's account. If the account is over its limit, or too many of its tables are in progress on this engine, the table
is deferred: its deadline in Redis moves to a later time, when any engine may claim it. Deferred tables of an account
come one at a time, so that many of them hardly delay other accounts.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from typing import Any

from services.common.fair_queue import Bounds
from services.common.places import NoPlaceError, Places
from services.engine.service.accounts import Accounts, Group

WAKING = 512
"""Maximum number of tables that are woken at a time. Most of them wait for the time of a computer player's move."""
WAKING_OF_ONE = 128
"""Maximum number of tables of one account that are woken at a time."""
WAITING_OF_ONE = 32
"""Maximum number of tables of one account that wait for their turn."""
PATIENCE = 1.0
"""Seconds that a table waits for its turn. This is less than its lease."""
STEP = 0.005
"""Seconds between two deferred tables of an account."""
LONGEST = 8.0
"""Maximum seconds for which a table is deferred, so that it does not count as overdue (`OverdueTables`)."""
HELD_BACK = 0.0002
"""Approximate processor seconds that it takes to defer a table."""
REMEMBERED = 4096
"""Number of accounts whose last deferral is remembered."""


class HeldBackError(Exception):
    """A table must not be woken now. It may be woken after `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class WakingTurns:
    """Decides when tables are woken, fairly between accounts."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts
        self._places = Places(Bounds(WAKING, asker_places=WAKING_OF_ONE, asker_waiting=WAITING_OF_ONE))
        self._last_held_back: OrderedDict[Hashable, float] = OrderedDict()
        """For each account, the time until which its last table was deferred."""

    async def take(self, account: Hashable, opener: Group | None, act: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run `act` for a table in its account's turn, and charge the opener, or raise `HeldBackError`."""
        wait = 0.0 if opener is None else self._accounts.wait(opener)
        if wait:
            raise self._held_back(account, opener, wait)
        try:
            place = await self._places.begin(account, patience=PATIENCE)
        except NoPlaceError:
            raise self._held_back(account, opener, 0.0) from None
        try:
            await (act() if opener is None else self._accounts.charged(opener, act()))
        finally:
            self._places.end(place, 1.0)

    def _held_back(self, account: Hashable, opener: Group | None, wait: float) -> HeldBackError:
        """Return the error that defers a table by at least `wait` seconds, until after the account's other tables."""
        if opener is not None:
            self._accounts.charge(opener, HELD_BACK)
        now = asyncio.get_running_loop().time()
        comes = min(max(self._last_held_back.pop(account, 0.0), now + wait) + STEP, now + LONGEST)
        self._last_held_back[account] = comes
        if len(self._last_held_back) > REMEMBERED:
            self._last_held_back.popitem(last=False)
        return HeldBackError(comes - now)
