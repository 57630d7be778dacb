"""Per-client limits that apply before a request is read: processor time, log lines, guesses at the operator's key."""

import asyncio
import time
from collections import Counter
from math import ceil

import structlog

from services.engine.http.server.limits import LimitPolicy
from services.engine.service.accounts import PIECE, Accounts, Group

LONGEST_REFUSAL = 1.0
"""Maximum seconds that a refusal is delayed."""
LINES = 100
"""Log lines per second for a client's requests. A refused request writes one line."""
GUESSES = LimitPolicy("guesses", 10, "send a wrong operator key {quota} times a minute", 60)
GUESSES_LOGGED = 10
"""Wrong keys of a client in an hour, after which a warning is logged."""

log = structlog.stdlib.get_logger("engine.admin")


class Admission:
    """Refuses clients that have used more processor time than their account allows."""

    def __init__(self, accounts: Accounts, cpu_ms: int) -> None:
        self.accounts = accounts
        self._policy = LimitPolicy("processor", cpu_ms, "use {quota} ms of processor time a second", 1)
        self._lines = WindowCounts(1)
        self._guesses = WindowCounts(60)
        self._guesses_an_hour = WindowCounts(3600)

    async def admit(self, account: Group) -> None:
        """Wait until a client's request may be served.

        Raises `ProblemError` `too_many_requests` for a client over its limit. A refusal is delayed for the client's
        remaining wait, and costs processor time on the client's account. So a client that keeps sending requests gets
        its refusals one by one, and takes no more time than others.
        """
        wait = self.accounts.wait(account)
        if wait:
            self.accounts.charge(account, PIECE)
            await asyncio.sleep(min(wait, LONGEST_REFUSAL))
            raise self._policy.exceeded(ceil(wait))
        await self.accounts.turn(account)

    def logs(self, account: Group, *, admitted: bool) -> bool:
        """Count a log line of a client. Return whether the line may be written."""
        return not self.accounts.limited or self._lines.add(account) <= (LINES if admitted else 1)

    def require_guess(self, account: Group) -> None:
        """Raise `ProblemError` `too_many_requests` if a client has sent too many wrong operator keys."""
        if self._guesses.of(account) >= GUESSES.quota:
            raise GUESSES.exceeded(self._guesses.seconds_left())

    def note_guess(self, account: Group, client: str) -> None:
        """Count a wrong operator key of a client. Logs a warning once, after many wrong keys in an hour."""
        self._guesses.add(account)
        if self._guesses_an_hour.add(account) == GUESSES_LOGGED:
            log.warning("admin_key_guessed", client=client, guesses=GUESSES_LOGGED)


class WindowCounts:
    """Counts events by client in the current time window."""

    def __init__(self, seconds: int) -> None:
        self._seconds = seconds
        self._counts: Counter[Group] = Counter()
        self._until = 0.0

    def add(self, account: Group) -> int:
        """Count an event; return the client's count in this window."""
        now = time.monotonic()
        if now >= self._until:
            self._counts.clear()
            self._until = now + self._seconds
        self._counts[account] += 1
        return self._counts[account]

    def of(self, account: Group) -> int:
        """Return the client's count in this window."""
        return self._counts[account] if self.seconds_left() else 0

    def seconds_left(self) -> int:
        """Return the seconds until the window ends; 0 if it has ended."""
        return max(0, ceil(self._until - time.monotonic()))
