"""Outcomes of a subscription's latest notices, and its test notice, in Redis; deleted with the subscription."""

from services.engine.store import keys, scripts
from services.engine.store.backends import Backend

KEPT = 10
"""Number of outcomes kept for each subscription."""


class DeliveryStore:
    """Outcomes and test notices, by table and subscription. Methods raise `StoreDownError` while Redis is down."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    async def test(self, table: str, number: str, content: bytes) -> int | None:
        """Write a test notice, unless one waits; return its time (epoch ms), or None without the subscription."""
        names = keys.of(table)
        changed = [names.subscriptions, names.notices, names.tests + number]
        at = await self._backend.run(scripts.TEST_NOTICE, changed, (number, content), names.mark)
        return int(at) if at else None

    async def note(self, table: str, number: str, delivery: bytes) -> None:
        """Store an outcome as a subscription's latest. The store does not decode its bytes."""
        names = keys.of(table)
        changed = [names.subscriptions, names.deliveries + number]
        await self._backend.run(scripts.DELIVERED, changed, (number, delivery, KEPT), names.mark)

    async def last(self, table: str, number: str) -> list[bytes]:
        """Return the latest outcomes of a subscription, newest first."""
        deliveries: list[bytes] = await self._backend.call(("LRANGE", keys.of(table).deliveries + number, 0, -1))
        return deliveries
