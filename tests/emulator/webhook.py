"""Delivers updates to the webhook: in order for each chat or person, with retries until the receiver accepts them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp

from tests.emulator.updates import Update
from tests.emulator.world import World

LONGEST_RETRY = 60.0
PATIENCE = aiohttp.ClientTimeout(total=60)


@asynccontextmanager
async def delivering(world: World) -> AsyncIterator[None]:
    """Delivers updates in the background until the end of the context."""
    async with aiohttp.ClientSession(timeout=PATIENCE) as session:
        deliverer = asyncio.create_task(_WebhookDeliverer(world, session).run())
        try:
            yield
        finally:
            deliverer.cancel()
            await asyncio.gather(deliverer, return_exceptions=True)


@dataclass
class _WebhookDeliverer:
    world: World
    session: aiohttp.ClientSession
    busy: dict[int, asyncio.Task[None]] = field(default_factory=dict)
    failures: dict[int, int] = field(default_factory=dict)

    async def run(self) -> None:
        try:
            while True:
                await self.world.changes.until(lambda: self._next() is not None, 60)
                update = self._next()
                if update is not None:
                    self.busy[update.lane] = asyncio.create_task(self._deliver(update))
        finally:
            for task in self.busy.values():
                task.cancel()
            await asyncio.gather(*self.busy.values(), return_exceptions=True)

    def _next(self) -> Update | None:
        """Returns the first update whose lane has no delivery under way, or None."""
        webhook = self.world.webhook
        if not webhook.url or len(self.busy) >= webhook.max_connections:
            return None
        return next((update for update in self.world.updates.pending if update.lane not in self.busy), None)

    async def _deliver(self, update: Update) -> None:
        try:
            error = await self._post(update)
            if error is None:
                self.failures.pop(update.id, None)
                if update in self.world.updates.pending:
                    self.world.updates.confirm(update)
            else:
                self.world.webhook.last_error = error
                self.world.webhook.last_error_date = self.world.seconds()
                await asyncio.sleep(self._pause(update))
        finally:
            del self.busy[update.lane]
            self.world.changes.notify()

    def _pause(self, update: Update) -> float:
        """Returns the pause before a retry: none before the first, then doubled each time; shorter than Telegram's."""
        failures = self.failures[update.id] = self.failures.get(update.id, 0) + 1
        base = self.world.behaviour.webhook_retry_seconds
        return 0.0 if failures == 1 else min(base * 2 ** (failures - 1), base * LONGEST_RETRY)

    async def _post(self, update: Update) -> str | None:
        """Posts an update; returns the error as in getWebhookInfo, or None if the receiver accepted the update."""
        webhook = self.world.webhook
        headers = {"X-Telegram-Bot-Api-Secret-Token": webhook.secret} if webhook.secret else {}
        try:
            async with self.session.post(webhook.url, json=update.as_json(), headers=headers, ssl=False) as response:
                if response.ok:
                    return None
                return f"Wrong response from the webhook: {response.status} {response.reason}"
        except TimeoutError:
            return "Read timeout expired"
        except aiohttp.ClientConnectorError:
            return "Connection refused"
        except aiohttp.ClientError:
            return "Webhook connection closed"
