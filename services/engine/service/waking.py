"""Scheduling of automatic steps at tables, in turns by the account of their openers.

Moves of computers, turns whose time is up and matches that begin by themselves cost the loop as requests do. They are
charged to the opener's account; a table whose opener is over it, or has enough tables under way here, is held back:
its deadline goes back to Redis for a later time, where another engine may claim it. The tables that are held back of
one account come one after the other, so that many of them cost nobody else more than a few.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from typing import Any

from services.common.fair_queue import Bounds
from services.common.places import NoPlaceError, Places
from services.engine.service.accounts import Accounts, Group

WAKING = 512
"""Tables that are woken at a time: most of them wait for the moment of a computer player's move."""
WAKING_OF_ONE = 128
"""Of one account."""
WAITING_OF_ONE = 32
"""Tables of one account that wait for a place."""
PATIENCE = 1.0
"""Seconds for which a table waits for a place: less than its lease."""
STEP = 0.005
"""Seconds between two tables of an account that are held back."""
LONGEST = 8.0
"""Seconds for which a table is held back at most: it is then not overdue for others (`OverdueTables`)."""
HELD_BACK = 0.0002
"""Seconds of processor time that it takes about to hold a table back."""
REMEMBERED = 4096
"""Accounts with the known time of their last table."""


class HeldBackError(Exception):
    """A table is to be woken after `seconds`, not now."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class WakingTurns:
    """Gives each account its turns."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts
        self._places = Places(Bounds(WAKING, asker_places=WAKING_OF_ONE, asker_waiting=WAITING_OF_ONE))
        self._last_held_back: OrderedDict[Hashable, float] = OrderedDict()
        """The time of each account's last delayed table."""

    async def take(self, account: Hashable, opener: Group | None, act: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Act at a table in a turn of an account, charged to its opener if that is known. Raises `HeldBackError`."""
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
        """Return the error for a table that must wait for at least this many seconds; it says when its turn comes."""
        if opener is not None:
            self._accounts.charge(opener, HELD_BACK)
        now = asyncio.get_running_loop().time()
        comes = min(max(self._last_held_back.pop(account, 0.0), now + wait) + STEP, now + LONGEST)
        self._last_held_back[account] = comes
        if len(self._last_held_back) > REMEMBERED:
            self._last_held_back.popitem(last=False)
        return HeldBackError(comes - now)
