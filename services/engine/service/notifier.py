"""Sends notices that are due. Every engine does; each notice is claimed by one at a time.

What is to be sent is decided when it is sent: a notice whose turn has passed, or whose person sits there no more, is
dropped.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import structlog

from services.engine.service import codec
from services.engine.service.errors import report
from services.engine.service.notices import (
    EVENING_KINDS,
    Channel,
    Notice,
    Observe,
    Outcome,
    Recipient,
    Send,
    decode_news,
    decode_recipient,
    encode_closed,
)
from services.engine.store import Store
from services.engine.store.errors import DamagedError, StoreDownError
from services.engine.store.notices import DueNotice, NoticeSubscription
from services.engine.table.news import News
from services.engine.table.state import DAY, NewerReleaseError, seat_of

GIVEN_UP = DAY * 1000
"""Milliseconds after which a notice that has not arrived is given up."""
FIRST_PAUSE, LONGEST_PAUSE = 5_000, 3_600_000
"""Milliseconds until it is tried again, at first and at most; between, as long as it has waited so far."""
SWEEP = 2.0
"""Seconds after which an engine looks for the notices of others, which may have died."""
ROUND = 0.02
"""Seconds between two looks at least."""
DOWN_SECONDS = 0.5
CLAIMED = 256
"""Notices that an engine has claimed at a time."""
AT_A_TIME = 64
"""Notices that it sends at a time by one channel: what webhooks take delays no push."""
TO_ONE = 8
"""Webhooks that it sends at a time to one host: a slow one delays no other. Push services serve everybody."""
BUSY_PAUSE = 200
"""Milliseconds after which a notice is tried again for which there was no place."""

log = structlog.stdlib.get_logger("engine.notices")


def ignore(_channel: Channel, _outcome: Outcome, _seconds: float) -> None:
    """Do nothing: the default observer."""


class Notifier:
    """Claims and sends notices."""

    def __init__(self, store: Store, senders: Mapping[Channel, Send], observe: Observe = ignore) -> None:
        self._store = store
        self._senders = senders
        self._observe = observe
        self._tasks: set[asyncio.Task[None]] = set()
        self._sending: Counter[str] = Counter()
        """By channel and by host: how many notices are being sent."""

    async def run(self) -> None:
        """Send what is due until cancelled; then finish what is being sent."""
        try:
            while True:
                try:
                    await self._store.verify()
                    full = await self._round()
                except StoreDownError:
                    await asyncio.sleep(DOWN_SECONDS)
                except Exception as error:  # noqa: BLE001 - whatever it is, the other notices must go on
                    report(log, "notice_failed", error)
                    await asyncio.sleep(DOWN_SECONDS)
                else:
                    await asyncio.sleep(ROUND)
                    if not full:
                        await self._store.notices.until_due(self._store.now, SWEEP)
        finally:
            if self._tasks:
                await asyncio.wait(self._tasks)

    async def _round(self) -> bool:
        """Claim what is due, and begin to send it; return whether there may be more."""
        free = CLAIMED - len(self._tasks)
        if not free:
            await asyncio.wait(self._tasks, timeout=SWEEP, return_when=asyncio.FIRST_COMPLETED)
            return True
        due = await self._store.notices.claim(self._store.now(), free)
        for each in due:
            task = asyncio.create_task(self._try(each), name="notice")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return len(due) == free

    async def _try(self, due: DueNotice) -> None:
        """Act on what is due. Whatever fails, it is due again when its lease ends."""
        try:
            await (self._send(due) if due.content else self._look(due))
        except StoreDownError:
            pass
        except Exception as error:  # noqa: BLE001 - one notice's failure must not stop the others
            report(log, "notice_failed", error)

    async def _look(self, due: DueNotice) -> None:
        await self._store.notices.look_at(due.table, encode_closed(due.table))

    async def _send(self, due: DueNotice) -> None:
        try:
            news = decode_news(due.content)
            number = news.version if news.at is None else f"{EVENING_KINDS[news.type]}{news.at}"
            notice = Notice(f"{due.subscription}.{number}", due.at, news)
        except NewerReleaseError:
            return await self._leave(due)
        except (DamagedError, ValueError):
            log.warning("notice_unreadable")
            return await self._store.notices.remove(due)
        found, has_passed = await self._subscription(due, news)
        if found is None:
            return await self._store.notices.remove(due)
        recipient = decode_recipient(found.recipient)
        outcome: Outcome = await self._moot(notice, found.seat, has_passed=has_passed) or await self._attempt(
            recipient, notice
        )
        self._observe(recipient.channel, outcome, (self._store.now() - due.at) / 1000)
        if outcome == "failed":
            return await self._postpone(due)
        if outcome == "busy":
            return await self._store.notices.postpone(due, self._store.now() + BUSY_PAUSE)
        if outcome in ("gone", "left"):
            await self._store.notices.unsubscribe(news.table, due.subscription)
            await self._store.evenings.unsubscribe(news.table, due.subscription)
        return await self._store.notices.remove(due)

    async def _postpone(self, due: DueNotice) -> None:
        """Let a notice be due again after as long as it has waited."""
        pause = min(max(self._store.now() - due.at, FIRST_PAUSE), LONGEST_PAUSE)
        await self._store.notices.postpone(due, self._store.now() + pause)

    async def _leave(self, due: DueNotice) -> None:
        """Leave a notice of a kind that this release does not know to engines of a later one, for a day."""
        log.info("notice_of_later_release")
        if self._store.now() - due.at > GIVEN_UP:
            return await self._store.notices.remove(due)
        return await self._postpone(due)

    async def _subscription(self, due: DueNotice, news: News) -> tuple[NoticeSubscription | None, bool]:
        """Return the subscription that a notice is for, and whether what it is of has passed, or was called off."""
        if news.at is None:
            found, turn = await self._store.notices.subscription(news.table, due.subscription)
            return found, news.type == "turn" and news.version != turn
        kind = EVENING_KINDS[news.type]
        found, is_set = await self._store.evenings.subscription(news.table, due.subscription, kind)
        return found, is_set != due.content or news.at <= self._store.now()

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
        """Return whether a token's seat is still at the table, as far as that can be read."""
        snapshot = (await self._store.load(news.table)).snapshot
        try:
            return snapshot is None or seat_of(codec.cached_decode(snapshot.data), token) is not None
        except (DamagedError, NewerReleaseError):
            return True

    async def _attempt(self, recipient: Recipient, notice: Notice) -> Outcome:
        send = self._senders.get(recipient.channel)
        if send is None:
            return "failed"
        with self._place(recipient) as free:
            return await send(recipient, notice) if free else "busy"

    @contextmanager
    def _place(self, recipient: Recipient) -> Iterator[bool]:
        """Hold a place among those that send at a time; yield false where there is none."""
        places: dict[str, int] = {recipient.channel: AT_A_TIME}
        if recipient.channel == "webhook":
            places[recipient.host] = TO_ONE
        if any(self._sending[name] >= most for name, most in places.items()):
            yield False
            return
        self._sending.update(places.keys())
        try:
            yield True
        finally:
            self._sending.subtract(places.keys())
            self._sending += Counter()
