"""Sends due notices. All engines do; an engine claims a notice when it can send it immediately.

A notice is checked again just before sending, and dropped if its turn is over or its person has left.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from math import inf

import structlog

from services.engine.outbound.targets import target_of
from services.engine.service import codec
from services.engine.service.accounts import GROUP_BYTES, PIECE, Accounts
from services.engine.service.notice_queue import Lined, NoticeQueue, Place
from services.engine.service.notices import (
    EVENING_KINDS,
    Channel,
    DeliveryRecord,
    Notice,
    Observe,
    Outcome,
    Recipient,
    Send,
    decode_news,
    decode_recipient,
    encode,
    judged,
    notice_id,
)
from services.engine.store import Store
from services.engine.store.errors import DamagedError, StoreDownError
from services.engine.store.notices import DueNotice, NoticeSubscription
from services.engine.table.news import News
from services.engine.table.state import DAY, NewerReleaseError, seat_of

GIVEN_UP = DAY * 1000
"""Milliseconds after which an undelivered notice is no longer retried."""
FIRST_PAUSE, LONGEST_PAUSE = 5_000, 3_600_000
"""Shortest and longest pause before a retry, in milliseconds. In between, the pause equals the time waited so far."""
SWEEP = 2.0
"""Seconds between two searches for notices that other engines left behind when they died."""
SWEEP_ALL = 10.0
"""Seconds between two searches through all due notices."""
ROUND = 0.02
"""Minimum seconds between two searches."""
DOWN_SECONDS = 0.5
AT_ONCE = 16
"""Number of notices that are queued before other work may run."""
LOG_SECONDS = 60.0
"""Seconds between two log lines about dropped notices."""

log = structlog.stdlib.get_logger("engine.notices")


def ignore(_channel: Channel, _outcome: Outcome, _seconds: float) -> None:
    """Do nothing. This is the default observer."""


class Notifier:
    """Claims and sends notices."""

    def __init__(
        self, store: Store, senders: Mapping[Channel, Send], observe: Observe = ignore, accounts: Accounts | None = None
    ) -> None:
        self._store = store
        self._senders = senders
        self._observe = observe
        self._accounts = accounts or Accounts()
        self._queue = NoticeQueue()
        self._ready = asyncio.Event()
        """Set when a notice may be ready to send: either a notice was queued, or a notice was sent and its slot is
        free.
        """
        self._tasks: set[asyncio.Task[None]] = set()
        self._swept = -inf
        self._dropped, self._logged = 0, -inf

    async def run(self) -> None:
        """Send due notices until cancelled; then finish the notices that are being sent."""
        try:
            await asyncio.gather(self._repeat(self._look_for_due), self._repeat(self._begin))
        finally:
            if self._tasks:
                await asyncio.wait(self._tasks)

    async def _repeat(self, step: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await step()
            except StoreDownError:
                await self._rest()
            except Exception:  # the other notices must continue
                log.exception("notice_failed")
                await self._rest()

    async def _rest(self) -> None:
        """Pause after a failure, then search again for notices that may have been missed."""
        await asyncio.sleep(DOWN_SECONDS)
        self._swept = -inf
        self._store.notices.note_new()

    async def _look_for_due(self) -> None:
        """Queue the due notices, and wait until more may be due."""
        await self._store.verify()
        now = asyncio.get_running_loop().time()
        if now - self._swept >= SWEEP_ALL:
            self._swept = now
            self._store.notices.look_again()
        due, more = await self._store.notices.due(self._store.now())
        fresh = [notice for notice in due if notice not in self._queue]
        for start in range(0, len(fresh), AT_ONCE):
            await self._line_up(fresh[start : start + AT_ONCE])
        await asyncio.sleep(ROUND)
        if not more:
            await self._store.notices.until_due(self._store.now, SWEEP)

    async def _line_up(self, due: Sequence[DueNotice]) -> None:
        """Queue notices. Older notices that are dropped to make room are removed from Redis."""
        gave_way = [self._queue.put(lined) for lined in await asyncio.gather(*map(self._lined, due))]
        self._ready.set()
        dropped = {lined.due: lined.channel for lined in gave_way if lined}
        if dropped:
            await self._drop(dropped)

    async def _lined(self, due: DueNotice) -> Lined:
        """Return a notice as an entry of the queue, with its subscriber and target."""
        nowhere = Lined(due, None, b"", None)
        if not due.content:
            return nowhere
        try:
            subscription, has_passed = await self._subscription(due, decode_news(due.content))
            if subscription is None:
                return nowhere
            recipient = decode_recipient(subscription.recipient)
        except (DamagedError, NewerReleaseError, ValueError):
            return nowhere
        # earlier releases stored no subscriber, so use the beginning of the seat's digest
        asker = recipient.asker or subscription.seat[:GROUP_BYTES]
        self._accounts.charge(asker, PIECE)
        return (
            Lined(due, None, asker, None)
            if has_passed
            else Lined(due, recipient.channel, asker, target_of(recipient.url))
        )

    async def _drop(self, dropped: Mapping[DueNotice, Channel | None]) -> None:
        """Remove notices that were dropped to make room for others."""
        removed = await self._store.notices.drop(list(dropped), self._store.now())
        for due in removed:
            if channel := dropped[due]:
                self._observe(channel, "dropped", (self._store.now() - due.at) / 1000)
        self._dropped += len(removed)
        now = asyncio.get_running_loop().time()
        if self._dropped and now - self._logged >= LOG_SECONDS:
            log.warning("notices_dropped", count=self._dropped)
            self._dropped, self._logged = 0, now

    async def _begin(self) -> None:
        """Claim the notices that may be sent now, and start to send them."""
        await self._ready.wait()
        self._ready.clear()
        while places := self._queue.take():
            claimed: set[DueNotice] = set()
            try:
                claimed.update(await self._store.notices.claim([place.work.due for place in places], self._store.now()))
            finally:
                for place in places:
                    if place.work.due in claimed:
                        self._start(place)
                    else:
                        self._queue.end(place, 0.0)

    def _start(self, place: Place) -> None:
        act = self._accounts.charged(place.work.asker, self._try(place.work.due))
        task = asyncio.create_task(act, name="notice")
        began = asyncio.get_running_loop().time()

        def end(ended: asyncio.Task[None]) -> None:
            self._tasks.discard(ended)
            self._queue.end(place, asyncio.get_running_loop().time() - began)
            self._ready.set()

        self._tasks.add(task)
        task.add_done_callback(end)

    async def _try(self, due: DueNotice) -> None:
        """Send or remove a due notice. If that fails, the notice is due again when its lease expires."""
        try:
            await (self._send(due) if due.content else self._look(due))
        except StoreDownError:
            pass
        except Exception:  # one notice's failure must not stop the others
            log.exception("notice_failed")

    async def _look(self, due: DueNotice) -> None:
        await self._store.notices.look_at(due.table, encode(News("closed", due.table)))

    async def _send(self, due: DueNotice) -> None:
        try:
            news = decode_news(due.content)
            notice = Notice(notice_id(due.subscription, news, due.at), due.at, news)
        except NewerReleaseError:
            return await self._leave(due)
        except (DamagedError, ValueError):
            log.warning("notice_unreadable")
            return await self._store.notices.remove(due)
        subscription, has_passed = await self._subscription(due, news)
        if subscription is None:
            return await self._store.notices.remove(due)
        recipient = decode_recipient(subscription.recipient)
        outcome: Outcome = await self._moot(notice, subscription.seat, has_passed=has_passed) or await self._attempt(
            recipient, due.subscription, notice
        )
        self._observe(recipient.channel, outcome, (self._store.now() - due.at) / 1000)
        if outcome == "failed" and news.type != "test":
            return await self._postpone(due)
        if outcome in ("gone", "left"):
            await self._store.notices.unsubscribe(news.table, due.subscription)
            await self._store.evenings.unsubscribe(news.table, due.subscription)
        return await self._store.notices.remove(due)

    async def _postpone(self, due: DueNotice) -> None:
        """Make a notice due again. The pause is as long as the notice has waited so far."""
        pause = min(max(self._store.now() - due.at, FIRST_PAUSE), LONGEST_PAUSE)
        await self._store.notices.postpone(due, self._store.now() + pause)

    async def _leave(self, due: DueNotice) -> None:
        """Leave a notice of an unknown kind for a day to engines of a later release."""
        log.info("notice_of_later_release")
        if self._store.now() - due.at > GIVEN_UP:
            return await self._store.notices.remove(due)
        return await self._postpone(due)

    async def _subscription(self, due: DueNotice, news: News) -> tuple[NoticeSubscription | None, bool]:
        """Return a notice's subscription, and whether the notice is obsolete (turn or evening over or cancelled)."""
        if news.at is None:
            subscription, turn = await self._store.notices.subscription(news.table, due.subscription)
            return subscription, news.type == "turn" and news.version != turn
        kind = EVENING_KINDS[news.type]
        subscription, is_set = await self._store.evenings.subscription(news.table, due.subscription, kind)
        return subscription, is_set != due.content or news.at <= self._store.now()

    async def _moot(self, notice: Notice, seat: bytes, *, has_passed: bool) -> Outcome | None:
        """Return the outcome if a notice must not be sent any more, else None."""
        if has_passed:
            return "passed"
        if self._store.now() - notice.at > GIVEN_UP:
            return "given_up"
        if notice.news.type != "closed" and not await self._sits(notice.news, seat):
            return "left"
        return None

    async def _sits(self, news: News, token: bytes) -> bool:
        """Return whether a token's seat is still at the table. Returns true if the table cannot be read."""
        snapshot = (await self._store.load(news.table)).snapshot
        try:
            return snapshot is None or seat_of(codec.cached_decode(snapshot.data), token) is not None
        except (DamagedError, NewerReleaseError):
            return True

    async def _attempt(self, recipient: Recipient, subscription: str, notice: Notice) -> Outcome:
        send = self._senders.get(recipient.channel)
        if send is None:
            return "failed"
        outcome, failure = judged(await send(recipient, notice))
        delivery = DeliveryRecord(notice.id, notice.news.type, self._store.now(), failure)
        await self._store.deliveries.note(notice.news.table, subscription, encode(delivery))
        return outcome
