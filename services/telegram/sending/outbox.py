"""The outbox: the one object through which the bot sends, edits and deletes messages, and answers callback queries.

Callers say what each message is to show. One loop takes the next difference from what is shown, in turns by who has
caused it (`Schedule`), and makes the one call that removes it. A start, a lost answer, a message that is gone are the
same loop.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Hashable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from itertools import count

import structlog
from msgspec import structs

from services.common.fair_queue import Asker
from services.common.processes import end
from services.telegram.records import NO_ID, ClosingSlot, HandSlot, ShownMessage, TableSlot
from services.telegram.screens.screen import Screen, Wanted
from services.telegram.sending.answers import Answers
from services.telegram.sending.bot_api import BotApi
from services.telegram.sending.clock import MonotonicClock
from services.telegram.sending.custom_emoji import CustomEmoji
from services.telegram.sending.deletions import Deletions
from services.telegram.sending.delivery import Delivery, answer_callback_query
from services.telegram.sending.journal import Journal
from services.telegram.sending.lost_messages import SentIds
from services.telegram.sending.messages import Address, Message, Messages, MessageSlot, Priority, priority_of
from services.telegram.sending.rate_limits import RateLimiter, RateLimits
from services.telegram.sending.schedule import Schedule
from services.telegram.sending.store import DeliveryStore

log = structlog.get_logger(__name__)

FLUSH_SECONDS = 1.0
"""For how long messages are still delivered when the bot stops; the rest is stored, and delivered after its start."""
ANSWERED_SECONDS = 5.0
"""For how long a press waits to be answered before its update counts as handled."""
SAVE_SECONDS, RETRY_SECONDS = 0.5, 1.0


class Handling:
    """The handling of an update, or of what else has its own name, and the messages of no table that it has made."""

    def __init__(self, name: int | str, asker: Asker | None) -> None:
        self._name = name
        self._numbers = count()
        self.asker = asker
        self.goes_on = True
        self.held: list[Message] = []

    def next_name(self) -> str:
        """Return the name of the next message, the same when the same is handled again."""
        return f"{self._name}.{next(self._numbers)}"

    def hold(self, message: Message, name: str) -> None:
        """Let a message wait until the end of the handling."""
        message.name, message.held = name, True
        self.held.append(message)


_handling: ContextVar[Handling | None] = ContextVar("handling of an update", default=None)


def _asker(chat: int) -> Asker:
    """Return who has caused what happens now in a chat: the chat, where nobody is known."""
    handling = _handling.get()
    return ("chat", chat) if handling is None or handling.asker is None else handling.asker


async def _no_document(_: int) -> bytes:
    return b""


class Outbox:
    """Takes what messages are to show at any time; delivers within `delivering`."""

    def __init__(
        self,
        api: BotApi,
        store: DeliveryStore,
        *,
        limits: RateLimits | None = None,
        clock: MonotonicClock | None = None,
        leads: Callable[[], bool] = lambda: True,
        document: Callable[[int], Awaitable[bytes]] = _no_document,
        outages: tuple[type[Exception], ...] = (),
    ) -> None:
        """`leads` tells whether this process draws tables: no other does meanwhile.

        `document` returns the file with all that is stored on a person; `outages` are raised, by it too, while Redis is
        away.
        """
        self.emoji = CustomEmoji()
        """The pictures of cards that messages may show."""
        self._api = api
        self._store = store
        self._leads = leads
        self._document = document
        self._outages = outages
        self._clock = clock or MonotonicClock()
        self._limiter = RateLimiter(limits or RateLimits())
        self._messages = Messages()
        self._answers = Answers()
        self._schedule = Schedule(self._limiter, self._draws)
        self._changed = asyncio.Event()
        """Set when there may be more to do."""
        self._sent_ids = SentIds()
        self._journal = Journal(store, self._sent_ids)
        self._deletions = Deletions(api, self._clock, self._journal, self._try_to_save, self._start)
        self._released: set[TableSlot] = set()
        """Slots that were released and not asked in again: the record of one may be read while it is deleted."""
        self._calls: set[asyncio.Task[None]] = set()
        self._press_answers: dict[str, asyncio.Task[None]] = {}
        """The answers to callback queries that are under way."""
        self._call_ended = asyncio.Event()
        self._admitting: set[Hashable] = set()
        """What is to be sent without the outbox, and waits for Telegram's limits."""

    # --- messages of tables

    async def shown(self, ref: str) -> dict[TableSlot, ShownMessage]:
        """Return the records of a table's messages, with what is wanted of them already: ring, since and grid."""
        stored = await self._store.shown(ref)
        found = {slot: record for slot, record in stored.items() if slot not in self._released}
        for message in self._messages.of_table(ref):
            wanted = message.wanted
            found[message.slot] = structs.replace(  # type: ignore[index]  # a table's message has a slot of it
                message.record, ring=wanted.ring, since=wanted.since, grid=wanted.grid
            )
        return found

    def show(self, to: Address, wanted: Mapping[TableSlot, Wanted], shown: Mapping[TableSlot, ShownMessage]) -> None:
        """Show messages of a table, of which `shown` has the records."""
        for slot, each in wanted.items():
            chat = Address(slot.user) if isinstance(slot, HandSlot) else to
            message = self._messages.find(slot)
            if message is None:
                priority = priority_of(slot)
                message = Message(to=chat, wanted=each, priority=priority, asker=(to.chat, priority), slot=slot)
                stored = shown.get(slot, ShownMessage())
                message.record = structs.replace(stored, replaced=self._deletions.left(chat.chat, stored.replaced))
                message.recorded = message.record == stored
                self._messages.add(message)
            message.want(each, chat)
            self._touch(message)

    def _touch(self, message: Message) -> None:
        """Note that something about a message has changed; forget one of no table about which nothing is to be done."""
        if message.table is None:
            self._journal.note(message)
            if message.step is None:
                self._answers.remove(message)
                self._messages.remove(message)
        if not message.held:
            self._schedule.touch(message, self._clock.now())
            self._changed.set()

    def is_settled(self, ref: str) -> bool:
        """Return whether all messages of a table show what they should, or never will."""
        return all(message.step is None for message in self._messages.of_table(ref))

    def is_shown(self, slot: TableSlot, ring: str) -> bool:
        """Return whether a message for the reason `ring` shows what it should."""
        message = self._messages.find(slot)
        return message is not None and message.step is None and message.record.ring == ring

    async def settled(self, ref: str) -> None:
        """Wait until all messages of a table show what they should, or never will."""
        while not self.is_settled(ref):
            self._call_ended.clear()
            await self._call_ended.wait()

    async def adopt(self, slot: TableSlot, message_id: int) -> None:
        """Let the newest existing message be that of a slot; where one is looked for, it is that one."""
        self._released.discard(slot)
        message = self._messages.find(slot)
        known = message.record if message else (await self._store.shown(slot.ref)).get(slot, ShownMessage())
        if (known.id or NO_ID) >= message_id:
            return
        if message is None:
            await self._store.record(slot, structs.replace(known, id=message_id, begun=None))
            return
        if known.begun is not None and message_id > known.begun:
            message.sent(message_id, message.wanted)
        elif known.id and message.is_new:
            return
        message.record, message.shown = structs.replace(message.record, id=message_id, begun=None), None
        message.recorded = False
        self._touch(message)

    async def ask(self, slot: ClosingSlot) -> None:
        """Note that a question is asked in a slot, in a new message if there is none."""
        if slot not in await self.shown(slot.ref):
            await self._store.record(slot, ShownMessage())
            self._released.discard(slot)

    async def release(self, slot: TableSlot) -> int | None:
        """Let a slot's message be one of no table any more; return its id, if it has one."""
        message, known = self._messages.find(slot), (await self.shown(slot.ref)).get(slot)
        if message is not None:
            self._remove(message)
        self._released.add(slot)
        await self._store.forget(slot)
        return known.id if known else None

    def doubt(self, ref: str, slot: TableSlot | None = None, *, replace: bool = False) -> None:
        """Deliver again what messages of a table show, or one of them: they may be missing. `replace`: as new ones."""
        for message in self._messages.of_table(ref):
            if message.wanted.create and slot in {None, message.slot}:
                message.shown, message.failed = None, False
                message.replace = message.replace or (replace and bool(message.record.id))
                self._touch(message)

    def miss(self, slot: TableSlot, message_id: int) -> None:
        """Note that a slot's message is missing, so that what it shows is sent anew."""
        message = self._messages.find(slot)
        if message is not None and message.record.id == message_id:
            message.lose()
            self._touch(message)

    def forget_table(self, ref: str) -> None:
        """Forget the messages of a table."""
        for message in self._messages.of_table(ref):
            self._remove(message)
        self._released = {slot for slot in self._released if slot.ref != ref}

    def move_chat(self, old: int, new: int) -> None:
        """Take what is pending in a group to the supergroup that it became, where its old messages cannot be edited."""
        for message in self._messages.of_chat(old):
            self._remove(message)
            if message.step is not None:
                message.move(Address(new))
                self._add(message)

    def _remove(self, message: Message) -> None:
        self._messages.remove(message)
        self._answers.remove(message)
        self._schedule.remove(message)

    # --- messages of no table

    def send(self, to: Address, screen: Screen, priority: Priority = Priority.ANSWER) -> bool:
        """Send a message that will not change; return whether it will be sent.

        What says the same as one that waits takes its place. A person may have so many that wait, and so may a chat.
        """
        handling = _handling.get()
        if handling is not None and not handling.goes_on:
            handling = None
        name = "" if handling is None else handling.next_name()
        if name in self._journal.left:
            return True
        asker = _asker(to.chat)
        repeated = self._answers.find(asker, to, screen.text, but=handling.held if handling else ())
        if repeated is not None and not self._schedule.is_under_way(repeated):
            repeated.want(Wanted(screen), to)
            self._touch(repeated)
            return True
        if not self._answers.has_place(asker, to.chat, priority):
            return False
        message = Message(to=to, wanted=Wanted(screen), priority=priority, asker=asker)
        if handling is not None:
            handling.hold(message, name)
        self._add(message)
        return True

    @contextmanager
    def holding(self, name: int | str, asker: Asker | None = None) -> Iterator[None]:
        """Let the messages of no table that this task makes wait until the end: then that must be done with.

        `name` is an update's id, or of what else is handled; `asker` the person, or the chat, that has caused it. They
        are stored meanwhile. If the process dies, the next one handles the same again, or sends them.
        """
        handling = Handling(name, asker)
        before = _handling.set(handling)
        try:
            yield
        finally:
            _handling.reset(before)
            handling.goes_on = False
            for message in handling.held:
                message.held = False
                self._touch(message)

    def edit(self, chat: int, message_id: int, screen: Screen) -> None:
        """Edit a message that belongs to no table; another takes its place if that is not possible any more.

        It stays as it is where too many edits wait: whoever has pressed can press again.
        """
        slot, wanted, asker = MessageSlot(chat, message_id), Wanted(screen), _asker(chat)
        message = self._messages.find(slot)
        if message is not None:
            message.want(wanted, message.to)
            self._touch(message)
            return
        if self._answers.has_place(asker, chat, Priority.ANSWER):
            to, record = Address(chat), ShownMessage(message_id)
            self._add(Message(to=to, wanted=wanted, priority=Priority.ANSWER, asker=asker, slot=slot, record=record))

    def _add(self, message: Message) -> None:
        self._messages.add(message)
        if message.table is None:
            self._answers.add(message)
        self._touch(message)

    def delete(self, chat: int, message_id: int) -> None:
        """Delete a message, trying until it succeeds, also after a restart."""
        self._deletions.delete(chat, message_id)

    def answer(self, query_id: str, text: str | None = None, *, alert: bool = False, url: str | None = None) -> None:
        """Answer a callback query at once: answers do not count against Telegram's limits on messages."""
        task = self._start(answer_callback_query(self._api, self._clock, query_id, text, alert=alert, url=url))
        self._press_answers[query_id] = task
        task.add_done_callback(lambda _: self._press_answers.pop(query_id, None))

    async def answered(self, query_id: str) -> None:
        """Wait, for a moment at most, until a callback query is answered: only then is its update handled."""
        task = self._press_answers.get(query_id)
        if task is not None:
            await asyncio.wait({task}, timeout=ANSWERED_SECONDS)

    def see(self, chat: int, message_id: int) -> None:
        """Note that somebody has written a message: what the bot sends later has a higher id."""
        self._sent_ids.see_loose(chat, message_id)

    def admits(self, chat: int) -> bool:
        """Return whether the limits admit a message to a chat that is sent without the outbox, and count it then."""
        now = self._clock.now()
        if self._earliest(chat, now) > now:
            return False
        self._limiter.begin_call(now)
        self._limiter.end_call(now)
        self._limiter.count_message(chat, now)
        return True

    async def admitted(self, chat: int, what: Hashable) -> bool:
        """Wait until Telegram's limits admit such a message; return false where the same waits for that already."""
        if what in self._admitting:
            return False
        self._admitting.add(what)
        try:
            while not self.admits(chat):
                now = self._clock.now()
                await self._clock.wait(asyncio.Event(), self._earliest(chat, now) - now)
        finally:
            self._admitting.discard(what)
        return True

    def _earliest(self, chat: int, now: float) -> float:
        return max(self._limiter.earliest(chat, now), self._limiter.earliest_overall(now))

    def waiting(self) -> int:
        """Return how many messages are to be sent or edited."""
        return len(self._schedule)

    async def save(self) -> None:
        """Store what is still to be delivered, for after a restart. Raises what redis-py raises."""
        await self._journal.save()

    # --- delivery

    @asynccontextmanager
    async def delivering(self) -> AsyncIterator[None]:
        """Deliver messages, first what an earlier process has left. At the end deliver for a moment, store the rest."""
        delivery = Delivery(
            api=self._api,
            store=self._store,
            limiter=self._limiter,
            clock=self._clock,
            moved=self.move_chat,
            document=self._document,
            save=self._save_message,
            outages=self._outages,
            emoji=self.emoji,
            sent_ids=self._sent_ids,
        )
        restored = await self._restore()
        loop = asyncio.create_task(self._run(delivery), name="outbox")
        saving = asyncio.create_task(self._save_changes(restored=restored), name="outbox journal")
        try:
            yield
        finally:
            await self._flush()
            await end(loop, saving, *self._calls)
            await self._try_to_save()

    async def _flush(self) -> None:
        try:
            async with asyncio.timeout(FLUSH_SECONDS):
                while self._calls or self._schedule:
                    self._call_ended.clear()
                    await self._call_ended.wait()
        except TimeoutError:
            log.warning("messages_not_delivered")

    async def _restore(self) -> bool:
        """Restore what was stored; return whether the store has answered."""
        try:
            shown, messages, deletions = await self._journal.restore()
        except Exception as error:  # noqa: BLE001  (whatever the store raises, the bot goes on)
            log.warning("deliveries_not_loaded", reason=type(error).__name__)
            return False
        for chat, record in shown:
            if record.id:
                self._sent_ids.add(chat, record.id)
        for message in messages:
            edited_meanwhile = self._messages.find(message.key) is not None
            if not edited_meanwhile and self._answers.has_place(message.asker, message.to.chat, message.priority):
                self._add(message)
        left = [(chat, before) for chat, record in shown for before in record.replaced]
        self._deletions.restore([*((each.chat, each.message) for each in deletions), *left])
        return True

    async def _save_changes(self, *, restored: bool) -> None:
        while not restored:
            await asyncio.sleep(RETRY_SECONDS)
            restored = await self._restore()
        while True:
            await self._journal.unsaved.wait()
            try:
                await self.save()
            except Exception as error:  # noqa: BLE001  (whatever the store raises, the bot goes on)
                log.warning("deliveries_not_saved", reason=type(error).__name__)
                await asyncio.sleep(RETRY_SECONDS)

    async def _try_to_save(self) -> None:
        """Store what is to be delivered; give up after a moment, or if the store fails."""
        try:
            async with asyncio.timeout(SAVE_SECONDS):
                await self._journal.save()
        except Exception as error:  # noqa: BLE001  (whatever the store raises, the bot goes on)
            log.warning("deliveries_not_saved", reason=type(error).__name__)

    async def _save_message(self, message: Message) -> None:
        self._journal.note(message)
        await self._journal.save()

    async def _run(self, delivery: Delivery) -> None:
        while True:
            self._changed.clear()
            now = self._clock.now()
            self._limiter.forget_idle_chats(now)
            match self._schedule.take(now):
                case Message() as message:
                    self._start(self._deliver(delivery, message, message.to.chat))
                case None:
                    await self._clock.wait(self._changed, None)
                case time:
                    await self._clock.wait(self._changed, time - now)

    def _draws(self) -> bool:
        """Return whether messages of tables may be sent.

        They wait while another process may lead, and until it is known what the process before has begun.
        """
        return self._journal.restored.is_set() and self._leads()

    async def _deliver(self, delivery: Delivery, message: Message, chat: int) -> None:
        try:
            await delivery.deliver(message)
        finally:
            self._schedule.end(message, self._clock.now())
            if self._messages.find(message.key) is message:
                self._touch(message)
            self._changed.set()
        if message.recorded:
            self._deletions.delete_replaced(message, chat)

    def _start(self, call: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(call)
        self._calls.add(task)
        task.add_done_callback(self._call_done)
        return task

    def _call_done(self, task: asyncio.Task[None]) -> None:
        self._calls.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("outbox_task_failed", exc_info=task.exception())
        self._call_ended.set()
