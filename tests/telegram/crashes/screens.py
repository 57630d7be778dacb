"""The visible screens, without data that differs between runs: times, ids of messages, references of tables.

Buttons are sorted within their row, because the order of a hand's cards depends on its earlier drawings.
"""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any, NamedTuple, TypeAlias

from msgspec import structs

from services.telegram.callback_data import unpack
from tests.emulator.state import InlineButton, Message
from tests.emulator.world import World

_TIME = re.compile(r"\b\d{1,2}:\d\d\b|(?<=⏳ )[^\n]*")
_ID_AT_END = re.compile(r"\d+$")


class Bubble(NamedTuple):
    """A message of the bot as people see it."""

    text: str
    entities: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    photo: bool


Screens: TypeAlias = dict[str, list[Bubble]]


def screens(world: World) -> Screens:
    """Return the bot's visible messages by chat, oldest first."""
    return {
        chat.title or str(chat.user): [
            bubble(message)
            for message in chat.messages
            if message.author is world.bot and not message.deleted and not message.service
        ]
        for chat in world.chats.values()
    }


def bubble(message: Message) -> Bubble:
    """Return a message as people see it."""
    rows = tuple(tuple(sorted(_button(button) for button in row)) for row in message.rows)
    entities = tuple(_entity(message.text, **entity) for entity in message.entities)
    return Bubble(_constant(message.text), entities, rows, bool(message.photo))


def _entity(text: str, *, type: str, offset: int, length: int, url: str = "", **_: Any) -> str:  # noqa: A002
    covered = text.encode("utf-16-le")[2 * offset : 2 * (offset + length)].decode("utf-16-le")
    return "" if type == "date_time" else f"{type} {covered} {_ID_AT_END.sub('…', url)}"


def _constant(text: str) -> str:
    return _TIME.sub("…", text)


def _button(button: InlineButton) -> str:
    data = unpack(button.callback_data or "")
    if data is None:
        return f"{button.text} {_ID_AT_END.sub('…', button.url or '')}"
    constant = {name: value for name, value in structs.asdict(data).items() if name not in {"ref", "version", "place"}}
    return f"{button.text} {type(data).__name__} {constant}"


def differences(expected: Screens, actual: Screens) -> Iterator[str]:
    """Yield one line for each difference between the chats of two worlds."""
    for chat, bubbles in expected.items():
        for tag, low, high, begin, end in SequenceMatcher(None, bubbles, actual[chat], autojunk=False).get_opcodes():
            if tag != "equal":
                yield f"{chat}: not {_brief(bubbles[low:high])}, but {_brief(actual[chat][begin:end])}"


def _brief(bubbles: list[Bubble]) -> str:
    return " and ".join(f"{bubble.text!r} {[*map(len, bubble.rows)]}" for bubble in bubbles) or "nothing"
