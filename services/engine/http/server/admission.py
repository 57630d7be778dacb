"""Limits on a client before its request is read: processor time, log lines, guesses at the operator's key."""

import asyncio
import time
from collections import Counter
from math import ceil

import structlog

from services.engine.http.server.limits import LimitPolicy
from services.engine.service.accounts import PIECE, Accounts, Group

LONGEST_REFUSAL = 1.0
"""Seconds for which a refusal waits at most."""
LINES = 100
"""Log lines a second for the requests of a client; one for those that are refused."""
GUESSES = LimitPolicy("guesses", 10, "send a wrong key of the operator {quota} times a minute", 60)
GUESSES_LOGGED = 10
"""Wrong keys of a client in an hour, after which a line tells of them."""

log = structlog.stdlib.get_logger("engine.admin")


class Admission:
    """The accounts of clients; refuses clients who have overdrawn theirs."""

    def __init__(self, accounts: Accounts, cpu_ms: int) -> None:
        self.accounts = accounts
        self._policy = LimitPolicy("processor", cpu_ms, "use {quota} ms of processor time a second", 1)
        self._lines = WindowCounts(1)
        self._guesses = WindowCounts(60)
        self._guesses_an_hour = WindowCounts(3600)

    async def admit(self, account: Group) -> None:
        """Return once a client's request may be served. Raises `ProblemError` `too_many_requests`.

        A refusal waits as its client must, and is charged before: so refusals come one by one, and a client who asks on
        and on takes no more of the loop than others may.
        """
        wait = self.accounts.wait(account)
        if wait:
            self.accounts.charge(account, PIECE)
            await asyncio.sleep(min(wait, LONGEST_REFUSAL))
            raise self._policy.exceeded(ceil(wait))
        await self.accounts.turn(account)

    def logs(self, account: Group, *, admitted: bool) -> bool:
        """Count a log line; return whether it is written."""
        return not self.accounts.limited or self._lines.add(account) <= (LINES if admitted else 1)

    def require_guess(self, account: Group) -> None:
        """Raise `ProblemError` `too_many_requests` for a client who has sent too many wrong keys of the operator."""
        if self._guesses.of(account) >= GUESSES.quota:
            raise GUESSES.exceeded(self._guesses.seconds_left())

    def note_guess(self, account: Group, client: str) -> None:
        """Count a wrong key of the operator; after many, a line names the client once an hour."""
        self._guesses.add(account)
        if self._guesses_an_hour.add(account) == GUESSES_LOGGED:
            log.warning("admin_key_guessed", client=client, guesses=GUESSES_LOGGED)


class WindowCounts:
    """Counts what each client does in the current window of time."""

    def __init__(self, seconds: int) -> None:
        self._seconds = seconds
        self._counts: Counter[Group] = Counter()
        self._until = 0.0

    def add(self, account: Group) -> int:
        """Count once; return how often in this window."""
        now = time.monotonic()
        if now >= self._until:
            self._counts.clear()
            self._until = now + self._seconds
        self._counts[account] += 1
        return self._counts[account]

    def of(self, account: Group) -> int:
        """Return the count in this window."""
        return self._counts[account] if self.seconds_left() else 0

    def seconds_left(self) -> int:
        """Return the seconds until the window ends; 0 once it has."""
        return max(0, ceil(self._until - time.monotonic()))
