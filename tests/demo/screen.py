"""How the demo shows the chats: the group on the left, each person's private chat indented and marked as hers."""

import textwrap
from typing import TextIO

from tests.emulator.journal import Event
from tests.emulator.render import bubble

PRIVATE_INDENT = " " * 10
BOLD, DIM, GREEN, CYAN, YELLOW, PLAIN = "\033[1m", "\033[2m", "\033[32m", "\033[36m", "\033[33m", "\033[0m"


class Screen:
    """Prints what happens as it happens; what people see in private is theirs, and shown as such."""

    def __init__(self, out: TextIO, group: int) -> None:
        self._out = out
        self._group = group
        self._colours = out.isatty()
        self._last: dict[int, str] = {}

    def say(self, text: str) -> None:
        """Print a line of the narrator's."""
        self._print(f"\n✔ {text}", BOLD + GREEN)

    def show(self, event: Event) -> None:
        """Print an event, unless it changed nothing that one can see."""
        private = event.chat_id != self._group
        if event.kind in {"sent", "edited"} and event.message is not None:
            self._show_message(event, private=private)
        elif event.kind == "said":
            self._print(f"\n{PRIVATE_INDENT if private else ''}{event.who}: {event.text}", BOLD)
        elif event.kind == "tapped":
            self._print(f"{PRIVATE_INDENT if private else ''}👆 {event.who} taps {event.text}", BOLD + YELLOW)
        elif event.kind in {"toast", "alert"} and event.text:
            self._print(f"{PRIVATE_INDENT}» {event.who} alone reads: {event.text}", DIM)

    def _show_message(self, event: Event, *, private: bool) -> None:
        """Print a message; in private only new ones, for an edited hand says little that the table does not."""
        message = event.message
        if message is None or (private and event.kind == "edited"):
            return
        text = bubble(message)
        if self._last.get(event.chat_id) == text:
            return
        self._last[event.chat_id] = text
        if private:
            holder = event.title.partition(" ")[0]
            self._print(textwrap.indent(f"\n🔒 only {holder} sees this\n{text}", PRIVATE_INDENT), CYAN)
        else:
            self._print(f"\n── {event.title} {'─' * (74 - len(event.title))}\n{text}", "")

    def _print(self, text: str, colour: str) -> None:
        print(f"{colour}{text}{PLAIN}" if self._colours and colour else text, file=self._out, flush=True)
