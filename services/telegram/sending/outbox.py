"""The outbox, through which the bot sends, edits and deletes messages, and answers callback queries.

Callers set the wanted content of messages. A loop compares it with the known state, and makes one call at a time to
remove a difference. People and chats take turns (`Schedule`). Restarts, lost answers and deleted messages need no code
of their own: they only make such differences.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager

from msgspec import structs

from services.common.fair_queue import Asker
from services.telegram.records import NO_ID, ClosingSlot, HandSlot, ShownMessage, TableSlot
from services.telegram.screens.screen import Screen, Wanted, pages
from services.telegram.sending.admissions import Admissions
from services.telegram.sending.bot_api import BotApi
from services.telegram.sending.clock import MonotonicClock
from services.telegram.sending.custom_emoji import CustomEmoji
from services.telegram.sending.deletions import Deletions
from services.telegram.sending.delivery import MessageDelivery
from services.telegram.sending.handling import asker_in, handled, under_way
from services.telegram.sending.journal import Journal
from services.telegram.sending.loop import DeliveryLoop, RunningCalls
from services.telegram.sending.lost_messages import SentIds
from services.telegram.sending.messages import Address, Message, MessageSlot, Priority, priority_of
from services.telegram.sending.pending import Messages
from services.telegram.sending.press_answers import PressAnswers
from services.telegram.sending.rate_limits import RateLimiter, RateLimits
from services.telegram.sending.schedule import Schedule
from services.telegram.sending.store import MessageStore


async def _no_document(_: int) -> bytes:
    return b""


class Outbox:
    """Accepts the wanted content of messages at any time, and delivers it inside the context `delivering`."""

    def __init__(
        self,
        api: BotApi,
        store: MessageStore,
        *,
        limits: RateLimits | None = None,
        clock: MonotonicClock | None = None,
        leads: Callable[[], bool] = lambda: True,
        document: Callable[[int], Awaitable[bytes]] = _no_document,
        outages: tuple[type[Exception], ...] = (),
    ) -> None:
        """`leads` returns whether this process may draw tables, which only one process does.

        `document` returns the file with all stored data on a person. `outages` are the errors of Redis while it is
        down.
        """
        self.emoji = CustomEmoji()
        """The pictures of cards in messages."""
        self._store = store
        self._clock = clock or MonotonicClock()
        self._limiter = RateLimiter(limits or RateLimits())
        sent_ids, calls = SentIds(), RunningCalls()
        journal = Journal(store, sent_ids)
        # Tables wait while another process may lead, and until the state of the previous process is loaded.
        schedule = Schedule(self._limiter, draws=lambda: journal.restored.is_set() and leads())
        self._messages = Messages(schedule, journal, self._clock)
        self._deletions = Deletions(api, self._clock, journal, calls.start)
        delivery = MessageDelivery(
            api=api,
            store=store,
            limiter=self._limiter,
            clock=self._clock,
            moved=self.move_chat,
            document=document,
            save=journal.save_message,
            outages=outages,
            emoji=self.emoji,
            sent_ids=sent_ids,
        )
        self._loop = DeliveryLoop(
            messages=self._messages,
            delivery=delivery,
            deletions=self._deletions,
            journal=journal,
            sent_ids=sent_ids,
            limiter=self._limiter,
            clock=self._clock,
            calls=calls,
        )
        self.delivering = self._loop.running
        """Returns a context in which messages are delivered."""
        self.save = journal.save
        """Stores pending deliveries, for a restart. Raises redis-py's errors."""
        self._journal, self._calls = journal, calls
        self._released: set[TableSlot] = set()
        """Slots released since their last question. Their records are ignored, because they may not be deleted yet."""
        presses, admissions = PressAnswers(api, self._clock, calls), Admissions(self._limiter, self._clock)
        self.delete, self.see = self._deletions.delete, sent_ids.see_loose
        self.answer, self.answered = presses.answer, presses.answered
        self.admits, self.admitted = admissions.admits, admissions.admitted

    # --- messages of tables

    async def shown(self, ref: str) -> dict[TableSlot, ShownMessage]:
        """Return the records of a table's messages, with `ring`, `since` and `grid` of pending content."""
        stored = await self._store.shown(ref)
        records = {slot: record for slot, record in stored.items() if slot not in self._released}
        for message in self._messages.of_table(ref):
            wanted = message.wanted
            records[message.slot] = structs.replace(  # type: ignore[index]  # messages of tables have a `TableSlot`
                message.record, ring=wanted.ring, since=wanted.since, grid=wanted.grid
            )
        return records

    def show(self, to: Address, wanted: Mapping[TableSlot, Wanted], shown: Mapping[TableSlot, ShownMessage]) -> None:
        """Set the wanted content of a table's messages; `shown` has their records."""
        for slot, content in wanted.items():
            chat = Address(slot.user) if isinstance(slot, HandSlot) else to
            message = self._messages.find(slot) or self._messages.take_over(content.takes, slot)
            if message is None:
                message = self._stored(slot, content, chat, (to.chat, priority_of(slot)), shown)
                self._messages.add(message)
            message.want(content, chat)
            self._messages.touch(message)

    def _stored(
        self, slot: TableSlot, wanted: Wanted, to: Address, asker: Asker, shown: Mapping[TableSlot, ShownMessage]
    ) -> Message:
        """Return a slot's message from its record, or from the record of the message that it takes over."""
        former = wanted.takes if wanted.takes in shown else None
        stored = shown.get(slot, shown.get(former, ShownMessage()) if former else ShownMessage())
        record = structs.replace(stored, replaced=self._deletions.left(to.chat, stored.replaced))
        message = Message(to=to, wanted=wanted, priority=priority_of(slot), asker=asker, slot=slot, record=record)
        message.recorded = record == stored
        if former is not None and slot not in shown:
            message.become(slot, former)
        message.former = former
        return message

    def is_settled(self, ref: str) -> bool:
        """Return whether all messages of a table show their wanted content or were refused."""
        return all(message.step is None for message in self._messages.of_table(ref))

    def is_shown(self, slot: TableSlot, ring: str) -> bool:
        """Return whether a slot's message shows its wanted content, with the notification reason `ring`."""
        message = self._messages.find(slot)
        return message is not None and message.step is None and message.record.ring == ring

    async def settled(self, ref: str) -> None:
        """Wait until all messages of a table show their wanted content or were refused."""
        while not self.is_settled(ref):
            self._calls.ended.clear()
            await self._calls.ended.wait()

    async def adopt(self, slot: TableSlot, message_id: int) -> None:
        """Assign an existing message to a slot if it is newer than the known one; end any search for a lost message."""
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
        message.note(structs.replace(message.record, id=message_id, begun=None))
        message.shown = None
        self._messages.touch(message)

    async def ask(self, slot: ClosingSlot) -> None:
        """Record that a question is open, so that its message is edited or, if there is none, sent."""
        if slot not in await self.shown(slot.ref):
            await self._store.record(slot, ShownMessage())
            self._released.discard(slot)

    async def release(self, slot: TableSlot) -> int | None:
        """Detach a slot's message from its table; return its id, if any."""
        message, known = self._messages.find(slot), (await self.shown(slot.ref)).get(slot)
        if message is not None:
            self._messages.remove(message)
        self._released.add(slot)
        await self._store.forget(slot)
        return known.id if known else None

    def doubt(self, ref: str, slot: TableSlot | None = None, *, replace: bool = False) -> None:
        """Deliver a table's messages (or one slot's) again if they may be missing; with `replace`, as new messages."""
        for message in self._messages.of_table(ref):
            if message.wanted.create and slot in {None, message.slot}:
                message.shown, message.failed = None, False
                message.replace = message.replace or (replace and bool(message.record.id))
                self._messages.touch(message)

    def miss(self, slot: TableSlot, message_id: int) -> None:
        """Replace a slot's message that bots can no longer read, because nobody knows whether it shows the buttons."""
        message = self._messages.find(slot)
        if message is not None and message.record.id == message_id and message.wanted.create:
            message.replace = True
            self._messages.touch(message)

    def forget_table(self, ref: str) -> None:
        """Drop the messages of a table."""
        for message in self._messages.of_table(ref):
            self._messages.remove(message)
        self._released = {slot for slot in self._released if slot.ref != ref}

    def move_chat(self, old: int, new: int) -> None:
        """Move a group's pending messages to the supergroup that it became, where old messages cannot be edited."""
        for message in self._messages.of_chat(old):
            self._messages.remove(message)
            if message.step is not None:
                message.move(Address(new))
                self._messages.add(message)

    def forget_person(self, chat: int) -> None:
        """Drop all messages to a person who has blocked the bot."""
        for message in self._messages.of_chat(chat):
            message.failed = True
            self._messages.touch(message)
            self._messages.remove(message)

    # --- messages that belong to no table

    def send(self, to: Address, screen: Screen, priority: Priority = Priority.ANSWER) -> bool:
        """Send a message that will not change; return false if too many messages of its person or chat are waiting.

        A message with the same text as a waiting message replaces it. A text that is too long is split into several
        messages; the last message has the buttons.
        """
        if not (screen.photo or screen.document):
            *first, last = pages(screen.text)
            if first:
                sent = [self.send(to, Screen(text), priority) for text in first]
                return self.send(to, structs.replace(screen, text=last), priority) and all(sent)
        handling = under_way()
        name = "" if handling is None else handling.next_name()
        if name in self._journal.left:
            return True
        asker = asker_in(to.chat)
        repeated = self._messages.answers.find(asker, to, screen.text, but=handling.held if handling else ())
        if repeated is not None and not self._messages.schedule.is_under_way(repeated):
            repeated.want(Wanted(screen), to)
            self._messages.touch(repeated)
            return True
        message = Message(to=to, wanted=Wanted(screen), priority=priority, asker=asker)
        if not self._messages.answers.has_place_for(message):
            return False
        if handling is not None:
            handling.hold(message, name)
        self._messages.add(message)
        return True

    @contextmanager
    def holding(self, name: int | str, asker: Asker | None = None) -> Iterator[None]:
        """Return a context that holds back this task's messages that belong to no table until its end.

        `name` identifies the update or other event that is handled; `asker` is the person or chat that caused it. The
        messages are stored meanwhile. After a crash, the next process handles the event again or sends the messages.
        """
        with handled(name, asker) as handling:
            try:
                yield
            finally:
                for message in handling.held:
                    message.held = False
                    self._messages.touch(message)

    def edit(self, chat: int, message_id: int, screen: Screen) -> None:
        """Edit a message that belongs to no table, or replace it. Dropped if too many edits are waiting."""
        slot, wanted = MessageSlot(chat, message_id), Wanted(screen)
        message = self._messages.find(slot)
        if message is not None:
            message.want(wanted, message.to)
            self._messages.touch(message)
            return
        message = Message(
            to=Address(chat),
            wanted=wanted,
            priority=Priority.ANSWER,
            asker=asker_in(chat),
            slot=slot,
            record=ShownMessage(message_id),
        )
        if self._messages.answers.has_place_for(message):
            self._messages.add(message)

    def waiting(self) -> int:
        """Return the number of messages to send or edit."""
        return len(self._messages.schedule)
