"""Queue of changed subjects (tables, chats, people, evenings) whose messages must be drawn again.

Repositories add a subject whenever they write its data, so handlers need not ask for a drawing. The changes of one
update are published together after it is handled, so that messages never show half of them.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from services.telegram.repositories.keys import Subject, subject_of


class _Held:
    """Changes that are held back until one update is handled."""

    def __init__(self) -> None:
        self.subjects: dict[Subject, None] = {}
        self.open = True


_held: ContextVar[_Held | None] = ContextVar("held changes", default=None)


class Changes:
    """Queue of changed subjects without duplicates, consumed by one task."""

    def __init__(self) -> None:
        self._subjects: dict[Subject, None] = {}
        self._resting: dict[Subject, bool] = {}
        """Paused subjects, and whether each has changed during the pause."""
        self._noted = asyncio.Event()

    @property
    def waiting(self) -> int:
        """The number of subjects in the queue, including paused ones."""
        return len(self._subjects) + len(self._resting)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Hold back the changes of this task, and publish them at the end of the context."""
        held = _Held()
        before = _held.set(held)
        try:
            yield
        finally:
            _held.reset(before)
            held.open = False
            for subject in held.subjects:
                self.note(subject)

    def note_key(self, key: str) -> None:
        """Add the subject of a written key, if messages depend on it."""
        subject = subject_of(key)
        if subject is not None:
            self.note(subject)

    def note_table(self, ref: str) -> None:
        """Add a table that changed without a written key: in memory, or in a write that an outage interrupted."""
        self.note(Subject("table", ref))

    def note(self, subject: Subject) -> None:
        """Add a changed subject."""
        held = _held.get()
        if held is not None and held.open:
            held.subjects[subject] = None
            return
        if subject in self._resting:
            self._resting[subject] = True
            return
        self._subjects[subject] = None
        self._noted.set()

    def rest(self, subject: Subject) -> None:
        """Pause a subject until `end_rest`, which adds it again if it has changed."""
        self._resting[subject] = False

    def end_rest(self, subject: Subject) -> None:
        """End the pause of a subject."""
        if self._resting.pop(subject):
            self.note(subject)

    async def next(self) -> Subject:
        """Wait for the next subject and remove it from the queue."""
        while not self._subjects:
            self._noted.clear()
            await self._noted.wait()
        subject = next(iter(self._subjects))
        del self._subjects[subject]
        return subject
