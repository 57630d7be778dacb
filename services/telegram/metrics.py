"""The bot's Prometheus metrics: of one process, and never by chat or person."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from telegram.error import TelegramError

from locanda import __version__
from services.telegram.screens.screen import Screen
from services.telegram.sending.bot_api import MessageApi, classify
from services.telegram.sending.messages import Address

T = TypeVar("T")

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds in seconds."""

# Without this, each counter would have a second time series: the time of its creation.
disable_created_metrics()  # type: ignore[no-untyped-call]


class BotMetrics:
    """The metrics of one process, in a registry of their own."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        GCCollector(registry=registry)
        Info("locanda_build", "The release that runs.", registry=registry).info({"version": __version__})
        self._calls = Counter(
            "locanda_bot_calls", "Calls of the Bot API for messages.", ("kind", "outcome"), registry=registry
        )
        self._updates = Histogram(
            "locanda_bot_update_duration_seconds",
            "From an update's arrival to its end, its wait for earlier ones of its chat too.",
            ("kind",),
            buckets=BUCKETS,
            registry=registry,
        )
        self._waiting = Gauge("locanda_bot_waiting_messages", "Messages to be sent or edited.", registry=registry)
        self._followers = Gauge("locanda_bot_followers", "Tables that are followed.", registry=registry)
        self._read: dict[Gauge, Callable[[], int]] = {}
        """What is read when somebody asks."""

    def watch(self, waiting: Callable[[], int], followers: Callable[[], int]) -> None:
        """Read the numbers of waiting messages and of followers from these functions."""
        self._read[self._waiting], self._read[self._followers] = waiting, followers

    def watch_lease(self, held: Callable[[], bool]) -> None:
        """Read from this function whether the process leads. One without a token has no such metric: it never will."""
        leads = Gauge("locanda_bot_leads", "1 in the process that leads.", registry=self._registry)
        self._read[leads] = held

    def call(self, kind: str, outcome: str) -> None:
        """Count a call: `send`, `edit`, `delete` or `answer`, and `done` or the name of its `DeliveryError`."""
        self._calls.labels(kind, outcome).inc()

    def update(self, kind: str, seconds: float) -> None:
        """Count an update that was handled, and its seconds."""
        self._updates.labels(kind).observe(seconds)

    async def exposition(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        for gauge, read in self._read.items():
            gauge.set(read())
        return await asyncio.to_thread(generate_latest, self._registry)  # reads files of the process


class MeasuredApi:
    """The calls of the outbox, counted."""

    def __init__(self, api: MessageApi, metrics: BotMetrics) -> None:
        self._api = api
        self._metrics = metrics

    async def send(self, to: Address, screen: Screen) -> int:
        """Send a message and return its id."""
        return await self._counted("send", self._api.send(to, screen))

    async def edit(self, chat: int, message_id: int, screen: Screen, *, shown: Screen | None = None) -> None:
        """Edit a message."""
        await self._counted("edit", self._api.edit(chat, message_id, screen, shown=shown))

    async def delete(self, chat: int, message_id: int) -> None:
        """Delete a message."""
        await self._counted("delete", self._api.delete(chat, message_id))

    async def answer(self, query_id: str, text: str | None, *, alert: bool, url: str | None) -> None:
        """Answer a callback query."""
        await self._counted("answer", self._api.answer(query_id, text, alert=alert, url=url))

    async def _counted(self, kind: str, call: Awaitable[T]) -> T:
        try:
            result = await call
        except TelegramError as error:
            self._metrics.call(kind, classify(error).name.lower())
            raise
        self._metrics.call(kind, "done")
        return result
