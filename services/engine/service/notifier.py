"""Sends due notices. Every engine does; an engine claims a notice once it has a free place for it.

A notice is checked again when it is sent, and dropped if its turn has passed or its person has left.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from math import inf

import structlog

from services.engine.outbound.targets import target_of
from services.engine.service import codec
from services.engine.service.accounts import GROUP_BYTES, PIECE, Accounts
from services.engine.service.errors import report
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
    encode_delivery,
    encode_news,
    judged,
    notice_id,
)
from services.engine.store import Store
from services.engine.store.errors import DamagedError, StoreDownError
from services.engine.store.notices import DueNotice, NoticeSubscription
from services.engine.table.news import News
from services.engine.table.state import DAY, NewerReleaseError, seat_of

GIVEN_UP = DAY * 1000
"""Milliseconds after which a notice that has not arrived is given up."""
FIRST_PAUSE, LONGEST_PAUSE = 5_000, 3_600_000
"""The shortest and longest pause before another attempt, in milliseconds; in between, it equals the time waited so
far."""
SWEEP = 2.0
"""Seconds after which an engine looks for the notices of others, which may have died."""
SWEEP_ALL = 10.0
"""Seconds after which it looks again at all that is due."""
ROUND = 0.02
"""The least seconds between two checks."""
DOWN_SECONDS = 0.5
AT_ONCE = 16
"""Notices that are put in line without a pause for others."""
LOG_SECONDS = 60.0
"""Seconds between two lines in the log about notices that were dropped."""

log = structlog.stdlib.get_logger("engine.notices")


def ignore(_channel: Channel, _outcome: Outcome, _seconds: float) -> None:
    """Do nothing: the default observer."""


class Notifier:
    """Claims and sends notices."""

    def __init__(
        self,
        store: Store,
        senders: Mapping[Channel, Send],
        observe: Observe = ignore,
        accounts: Accounts | None = None,
    ) -> None:
        self._store = store
        self._senders = senders
        self._observe = observe
        self._accounts = accounts or Accounts()
        self._queue = NoticeQueue()
        self._ready = asyncio.Event()
        """Set when a notice may be ready to send, because one has joined the queue or a place has become free."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._swept = -inf
        self._dropped, self._logged = 0, -inf

    async def run(self) -> None:
        """Send due notices until cancelled; then finish those being sent."""
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
            except Exception as error:  # noqa: BLE001 - whatever it is, the other notices must go on
                report(log, "notice_failed", error)
                await self._rest()

    async def _rest(self) -> None:
        """Pause after a failure, then look again for notices that it may have missed."""
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
        """Queue notices; remove older ones that they replace."""
        gave_way = [self._queue.put(lined) for lined in await asyncio.gather(*map(self._lined, due))]
        self._ready.set()
        dropped = {lined.due: lined.channel for lined in gave_way if lined}
        if dropped:
            await self._drop(dropped)

    async def _lined(self, due: DueNotice) -> Lined:
        """Return a notice with its subscriber and its recipient."""
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
        asker = recipient.asker or subscription.seat[:GROUP_BYTES]  # an earlier release has stored no asker
        self._accounts.charge(asker, PIECE)
        return (
            Lined(due, None, asker, None)
            if has_passed
            else Lined(due, recipient.channel, asker, target_of(recipient.url))
        )

    async def _drop(self, dropped: Mapping[DueNotice, Channel | None]) -> None:
        """Remove notices that give way to others."""
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
        """Claim notices that have a free place, and begin to send them."""
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
        """Handle a due notice. If anything fails, it is due again when its lease ends."""
        try:
            await (self._send(due) if due.content else self._look(due))
        except StoreDownError:
            pass
        except Exception as error:  # noqa: BLE001 - one notice's failure must not stop the others
            report(log, "notice_failed", error)

    async def _look(self, due: DueNotice) -> None:
        await self._store.notices.look_at(due.table, encode_news(News("closed", due.table)))

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
        """Make a notice due again after the time that it has already waited."""
        pause = min(max(self._store.now() - due.at, FIRST_PAUSE), LONGEST_PAUSE)
        await self._store.notices.postpone(due, self._store.now() + pause)

    async def _leave(self, due: DueNotice) -> None:
        """Leave a notice of a kind that this release does not know to engines of a later one, for a day."""
        log.info("notice_of_later_release")
        if self._store.now() - due.at > GIVEN_UP:
            return await self._store.notices.remove(due)
        return await self._postpone(due)

    async def _subscription(self, due: DueNotice, news: News) -> tuple[NoticeSubscription | None, bool]:
        """Return the subscription of a notice, and whether its turn or evening has passed or was called off."""
        if news.at is None:
            subscription, turn = await self._store.notices.subscription(news.table, due.subscription)
            return subscription, news.type == "turn" and news.version != turn
        kind = EVENING_KINDS[news.type]
        subscription, is_set = await self._store.evenings.subscription(news.table, due.subscription, kind)
        return subscription, is_set != due.content or news.at <= self._store.now()

    async def _moot(self, notice: Notice, seat: bytes, *, has_passed: bool) -> Outcome | None:
        """Return why a notice is not to be sent, None if it is."""
        if has_passed:
            return "passed"
        if self._store.now() - notice.at > GIVEN_UP:
            return "given_up"
        if notice.news.type != "closed" and not await self._sits(notice.news, seat):
            return "left"
        return None

    async def _sits(self, news: News, token: bytes) -> bool:
        """Return whether a token's seat is still at the table, if the table can be read."""
        snapshot = (await self._store.load(news.table)).snapshot
        try:
            return snapshot is None or seat_of(codec.cached_decode(snapshot.data), token) is not None
        except (DamagedError, NewerReleaseError):
            return True

    async def _attempt(self, recipient: Recipient, subscription: str, notice: Notice) -> Outcome:
        """Send a notice once, and store the outcome for its seat."""
        send = self._senders.get(recipient.channel)
        if send is None:
            return "failed"
        outcome, failure = judged(await send(recipient, notice))
        delivery = DeliveryRecord(notice.id, notice.news.type, self._store.now(), failure)
        await self._store.deliveries.note(notice.news.table, subscription, encode_delivery(delivery))
        return outcome
