"""The indexed messages of the outbox; a change of a message updates the schedule, the journal and the answers."""

import asyncio

from services.telegram.records import TableSlot
from services.telegram.sending.answers import Answers
from services.telegram.sending.clock import MonotonicClock
from services.telegram.sending.journal import Journal
from services.telegram.sending.messages import Message, Slot
from services.telegram.sending.schedule import Schedule


class Messages:
    """The messages of the outbox, by slot or by name."""

    def __init__(self, schedule: Schedule, journal: Journal, clock: MonotonicClock) -> None:
        self.answers = Answers()
        self.schedule = schedule
        self._journal = journal
        self._clock = clock
        self._by_key: dict[Slot | str, Message] = {}
        self._of_tables: dict[str, dict[Message, None]] = {}
        self.changed = asyncio.Event()
        """Set when the delivery loop may have something new to do."""

    def find(self, key: Slot | str) -> Message | None:
        """Return a message by its slot or name, or None."""
        return self._by_key.get(key)

    def of_table(self, ref: str) -> list[Message]:
        """Return the messages of a table."""
        return list(self._of_tables.get(ref, ()))

    def of_chat(self, chat: int) -> list[Message]:
        """Return the messages in a chat."""
        return [message for message in self._by_key.values() if message.to.chat == chat]

    def add(self, message: Message) -> None:
        """Add a message."""
        self._by_key[message.key] = message
        if message.table is None:
            self.answers.add(message)
        else:
            self._of_tables.setdefault(message.table, {})[message] = None
        self.touch(message)

    def take_over(self, before: TableSlot | None, slot: TableSlot) -> Message | None:
        """Move the message of the slot `before`, if any, to another slot; return the message."""
        if before is None:
            return None
        message = self._by_key.pop(before, None)
        if message is not None:
            message.become(slot, before)
            self._by_key[slot] = message
        return message

    def touch(self, message: Message) -> None:
        """Record that a message has changed, and schedule its next step unless the message is held back.

        A message that belongs to no table is dropped once it has no next step.
        """
        if message.table is None:
            self._journal.note(message)
            if message.step is None:
                self.remove(message)
        if not message.held:
            self.schedule.touch(message, self._clock.now())
            self.changed.set()

    def touch_known(self, message: Message) -> None:
        """Call `touch` unless the message was dropped."""
        if self.find(message.key) is message:
            self.touch(message)

    def end(self, message: Message) -> None:
        """Record that a message's step is done."""
        self.schedule.end(message, self._clock.now())
        self.touch_known(message)
        self.changed.set()

    def remove(self, message: Message) -> None:
        """Drop a message."""
        self._by_key.pop(message.key, None)
        self.schedule.remove(message)
        if message.table is None:
            self.answers.remove(message)
            return
        of_table = self._of_tables.get(message.table, {})
        of_table.pop(message, None)
        if not of_table:
            self._of_tables.pop(message.table, None)
