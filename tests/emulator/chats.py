"""Chats as people see them: visible messages, waiting for messages, and transcripts."""

# ruff: noqa: ASYNC109 - tests pass their own timeouts

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Callable

from tests.emulator.membership import service
from tests.emulator.state import ChatState, InlineButton, Message, Notice, Shown, User
from tests.emulator.world import World

MessagePattern = str | re.Pattern[str] | Callable[[Message], bool] | None
Label = str | re.Pattern[str]
PATIENCE = float(os.environ.get("PATIENCE", "60"))
"""Seconds that a test waits for a message, enough on a slow machine too."""
WIDTH = 78
"""Columns of a transcript."""


class NotSeenError(AssertionError):
    """An expected message did not appear in a chat. The error's text contains the chat's transcript."""


class Chat:
    """A group, a topic of a forum, or a private chat with the bot."""

    def __init__(self, world: World, state: ChatState, thread: int | None = None) -> None:
        self._world = world
        self._state = state
        self.thread = thread

    def __repr__(self) -> str:
        return f"<Chat {self.title!r} {self.id}>"

    @property
    def state(self) -> ChatState:
        """The state of the chat; for a group that became a supergroup, the supergroup's state."""
        while self._state.successor is not None:
            self._state = self._state.successor
        return self._state

    @property
    def id(self) -> int:
        return self.state.id

    @property
    def title(self) -> str:
        return self.state.title

    @property
    def members(self) -> list[User]:
        return self.state.members()

    @property
    def history(self) -> list[Shown]:
        return self.state.history

    @property
    def messages(self) -> list[Message]:
        return self.messages_for(None)

    def messages_for(self, viewer: User | None) -> list[Message]:
        """Returns the messages that the viewer sees now, oldest first; for None, the messages that everybody sees."""
        here = (message for message in self.state.messages if self.thread is None or message.thread == self.thread)
        return [message for message in here if message.visible_to(viewer)]

    def topic(self, name: str) -> Chat:
        """Opens a topic of a forum."""
        assert self.state.is_forum, f"{self!r} is no forum"
        creator = next(user for user in self.state.members() if self.state.status_of(user) == "creator")
        opening = {"forum_topic_created": {"name": name, "icon_color": 7322096}}
        message = service(self._world, self.state, creator, f"opens {name}", opening, opens_topic=True)
        return Chat(self._world, self.state, message.id)

    def forbids_writing(self, forbidden: bool) -> None:
        """Sets whether the group's permissions forbid the bot to write."""
        self.state.closed_to_bots = forbidden

    def shows(
        self,
        text: MessagePattern = None,
        *,
        button: Label | None = None,
        after: Message | None = None,
        viewer: User | None = None,
    ) -> Message | None:
        """Returns the newest visible message that matches, or None."""
        for message in reversed(self.messages_for(viewer)):
            fresh = after is None or message.order > after.order
            if fresh and not message.service and matches(message, text) and (button is None or pick(message, button)):
                return message
        return None

    async def sees(
        self,
        text: MessagePattern = None,
        *,
        button: Label | None = None,
        after: Message | None = None,
        viewer: User | None = None,
        timeout: float = PATIENCE,
    ) -> Message:
        """Waits for a visible message that matches, as in `shows`. Raises NotSeenError after `timeout` seconds."""
        await self._world.changes.until(
            lambda: self.shows(text, button=button, after=after, viewer=viewer) is not None, timeout
        )
        message = self.shows(text, button=button, after=after, viewer=viewer)
        if message is None:
            wanted = " with ".join(str(part) for part in (text, button) if part is not None)
            raise NotSeenError(f"no message {wanted!r} within {timeout} s in\n{self.render(viewer)}")
        return message

    async def until(self, true: Callable[[Chat], object], *, timeout: float = PATIENCE) -> None:
        """Waits until the condition on this chat holds. Raises NotSeenError after `timeout` seconds."""
        if not await self._world.changes.until(lambda: true(self), timeout):
            raise NotSeenError(f"the condition did not come true within {timeout} s in\n{self.render()}")

    def render(self, viewer: User | None = None) -> str:
        """Returns a transcript of the chat as the viewer sees it; for None, it includes messages for single people."""
        return render(self.state, self.thread, viewer)


def matches(message: Message, words: MessagePattern) -> bool:
    """Returns whether the message's text contains these words, matches the pattern, or satisfies the predicate."""
    if words is None:
        return True
    if isinstance(words, str):
        return words in message.text
    if isinstance(words, re.Pattern):
        return words.search(message.text) is not None
    return words(message)


def pick(message: Message, label: Label) -> InlineButton | None:
    """Returns the button with that label; an exact match is preferred to a partial one."""
    shown = [button for row in message.rows for button in row]
    if isinstance(label, re.Pattern):
        return next((button for button in shown if label.search(button.text)), None)
    exact = (button for button in shown if button.text == label)
    return next(exact, None) or next((button for button in shown if label in button.text), None)


def render(chat: ChatState, thread: int | None, viewer: User | None) -> str:
    """Returns a transcript of the messages, toasts and alerts that the viewer sees now; for None, of all people's."""
    lines: list[tuple[int, str]] = [
        (message.order, bubble(message))
        for message in chat.messages
        if message.visible_to(viewer) and (thread is None or message.thread == thread)
    ]
    lines += [(notice.order, _notice(notice)) for notice in chat.notices if viewer in {None, notice.user}]
    title = chat.title if thread is None else f"{chat.title} / {chat.topics[thread]}"
    return "\n".join([f"═══ {title} ".ljust(WIDTH, "═"), *(text for _, text in sorted(lines))])


def bubble(message: Message) -> str:
    """Returns the transcript of one message: its author, its text, and its keyboard."""
    if message.service:
        return f"        · {message.line} ·"
    author = message.chat.title if message.anonymous else message.author.name
    marks = "".join((" ✎" if message.edits else "", " 📌" if message.pinned else ""))
    only = f" (only {message.only_for.name} sees this)" if message.only_for else ""
    text = textwrap.indent(message.text, "    ").lstrip()
    rows = ["    " + " ".join(f"[ {button.text} ]" for button in row) for row in message.rows]
    return "\n".join([f"{author}{marks}{only}: {text}", *rows])


def _notice(notice: Notice) -> str:
    sign = "⚠" if notice.alert else "»"
    return textwrap.indent(f"{sign} {notice.user.name} alone reads: {notice.text}", "        ")
