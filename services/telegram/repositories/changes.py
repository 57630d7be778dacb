"""Changes of stored facts: the drawers of tables wait here, so a writer of a fact need not ask for a drawing.

The changes of one update are published once it is handled, so that messages do not show half of them.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from services.telegram.repositories.keys import Subject, subject_of


class _Held:
    """The subjects that the handling of one update has changed."""

    def __init__(self) -> None:
        self.subjects: dict[Subject, None] = {}
        self.open = True


_held: ContextVar[_Held | None] = ContextVar("held changes", default=None)


class Changes:
    """Subjects whose messages must change, each once, in order; one task takes them."""

    def __init__(self) -> None:
        self._subjects: dict[Subject, None] = {}
        self._resting: dict[Subject, bool] = {}
        """Subjects that are not to be taken just now, and whether they have changed meanwhile."""
        self._noted = asyncio.Event()

    @property
    def waiting(self) -> int:
        """The number of subjects that were not taken yet."""
        return len(self._subjects) + len(self._resting)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Tell all changes of this task at the end."""
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
        """Note that a key was written."""
        subject = subject_of(key)
        if subject is not None:
            self.note(subject)

    def note_table(self, ref: str) -> None:
        """Note a change at a table that no key tells: in memory, or cut short by an outage."""
        self.note(Subject("table", ref))

    def note(self, subject: Subject) -> None:
        """Note a change of a subject."""
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
        """Let nobody take a subject until `end_rest`: its changes meanwhile are published then, once."""
        self._resting[subject] = False

    def end_rest(self, subject: Subject) -> None:
        """Let a subject be taken again."""
        if self._resting.pop(subject):
            self.note(subject)

    async def next(self) -> Subject:
        """Wait for the next subject."""
        while not self._subjects:
            self._noted.clear()
            await self._noted.wait()
        subject = next(iter(self._subjects))
        del self._subjects[subject]
        return subject
