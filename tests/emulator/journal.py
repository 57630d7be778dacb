"""The journal of requests: each request with its response and the people who could read its content."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

from tests.emulator.state import JSON, Message

EventKind = Literal["said", "sent", "edited", "deleted", "tapped", "toast", "alert", "link", "service", "pinned"]


@dataclass(eq=False)
class RecordedCall:
    """One request; `audience` has the ids of people who could read it (a group's id: anyone who may still join)."""

    number: int
    at: float
    method: str
    params: JSON
    chat_id: int | None = None
    audience: frozenset[int] = frozenset()
    status: int = 0
    answer: JSON = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)

    @property
    def payload(self) -> str:
        """The parameters and the files as text, for searches."""
        return "\n".join(self.texts())

    def texts(self) -> Iterator[str]:
        """Yields every text in the parameters, including texts in JSON such as buttons, and every file."""
        yield from _texts(self.params)
        for content in self.files.values():
            yield content.decode(errors="replace")


def _texts(value: object) -> Iterator[str]:
    """Yields the names and values in a parameter; values that are JSON are decoded too."""
    if isinstance(value, str) and value[:1] in {"{", "["}:
        with suppress(ValueError):
            value = json.loads(value)
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for part in value:
            yield from _texts(part)
    else:
        yield str(value)


class Journal(list[RecordedCall]):
    """All requests, oldest first."""

    def of(self, method: str, *, chat: int | None = None) -> list[RecordedCall]:
        """Returns the calls of a method, in one chat if its id is given."""
        return [call for call in self if call.method == method and chat in {None, call.chat_id}]

    def readable_by_others(self, user_id: int) -> Iterator[RecordedCall]:
        """Yields the calls whose content others than this person could read, including refused calls."""
        return (call for call in self if call.audience - {user_id})


@dataclass(frozen=True)
class ChatEvent:
    """An event in a chat, for watchers."""

    kind: EventKind
    chat_id: int
    title: str
    who: str
    text: str
    message: Message | None = None
