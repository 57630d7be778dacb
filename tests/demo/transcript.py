"""A transcript: the messages that people read and the buttons that they tap, in chronological order."""

import textwrap
from collections.abc import Callable, Sequence
from datetime import date

from tests.emulator import Person, TapAnswer
from tests.emulator.chats import Chat, bubble
from tests.emulator.state import InlineButton, Message

WIDTH = 78
INDENT = " " * 8


class Transcript:
    """Writes a group at the left margin, and private chats indented with their owners' names.

    For an edited message, the group's transcript has only the new lines. A hand is written whole, with its buttons,
    when it is sent and while its owner is on turn.
    """

    def __init__(
        self,
        people: list[Person],
        group: Chat | None,
        write: Callable[[str], None],
        private: Sequence[Person] | None = None,
    ) -> None:
        """`private` are the people whose private chats are written down. The default is everybody."""
        self._people = people
        self._private = people if private is None else private
        self._group = group
        self._write = write
        self._seen: dict[tuple[int, int], str] = {}
        """The last form of each message, by chat and message id."""
        for message in [message for person in people for message in person.private.messages]:
            self._note(message)

    def time(self, day: date, clock: str) -> None:
        """Write down the current time."""
        self._write(f"\n{f' {day:%d.%m.} {clock} ':═^{WIDTH}}\n")

    def says(self, person: Person, text: str) -> None:
        """Write down that a person sends a message."""
        self._write(f"\n💬 {person.name}: {text}\n")

    def taps(self, person: Person, button: InlineButton, answer: TapAnswer) -> None:
        """Write down a tap, and the bot's answer, which only the person who taps can see."""
        self._write(f"\n👆 {person.name}: [ {button.text} ]\n")
        if answer.text:
            self._write(textwrap.indent(f"» {answer.text}\n", INDENT))

    def look(self) -> None:
        """Write down all changes in the chats."""
        if self._group is not None:
            for message in self._group.messages:
                self._in_group(message)
        for person in self._private:
            for message in person.private.messages:
                self._in_private(person, message)

    def _in_group(self, message: Message) -> None:
        before, now = self._note(message)
        if before is None:
            if message.author.name not in {person.name for person in self._people}:
                self._write(f"\n── {message.chat.title} {'─' * (WIDTH - 4 - len(message.chat.title))}\n{now}\n")
        elif before != now:
            known = set(before.splitlines())
            new = [line for line in now.splitlines() if line not in known]
            self._write("".join(f"{line}\n" for line in new))

    def _in_private(self, person: Person, message: Message) -> None:
        before, now = self._note(message)
        by_bot = message.author.name not in {someone.name for someone in self._people}
        waits = _button_does(message, "leave") and "👉" not in now
        if by_bot and before != now and (before is None or not waits):
            self._write(textwrap.indent(f"\n🔒 {person.name}\n{now}\n", INDENT, lambda line: bool(line.strip())))

    def _note(self, message: Message) -> tuple[str | None, str]:
        """Return the earlier and the present form of a message."""
        place, now = (message.chat.id, message.id), bubble(message).replace(" ✎", "", 1).rstrip()
        before = self._seen.get(place)
        self._seen[place] = now
        return before, now


def _button_does(message: Message, tag: str) -> bool:
    """Tell whether a message has a button whose callback data has this tag."""
    return any((button.callback_data or "").startswith(f'2["{tag}"') for row in message.rows for button in row)
