"""Admits requests: those of a client who is over the account of processor time are refused before any work."""

import asyncio
from math import ceil

from services.engine.http.server.limits import LimitPolicy
from services.engine.service.accounts import PIECE, Accounts, Group

LONGEST_REFUSAL = 1.0
"""Seconds for which a refusal waits at most."""


class Admission:
    """The accounts of clients, and the refusal of those who are over theirs."""

    def __init__(self, accounts: Accounts, cpu_ms: int) -> None:
        self.accounts = accounts
        self._policy = LimitPolicy("processor", cpu_ms, "use {quota} ms of processor time a second", 1)

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
