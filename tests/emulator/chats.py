"""Chats as people use them: what is seen in them, waiting for it, and their transcript."""

# ruff: noqa: ASYNC109 - a test that waits says for how long

from __future__ import annotations

import re
from collections.abc import Callable

from tests.emulator.membership import service
from tests.emulator.render import render
from tests.emulator.state import Button, Message, Room, Shown, User
from tests.emulator.world import World

Words = str | re.Pattern[str] | Callable[[Message], bool] | None
Label = str | re.Pattern[str]


class NotSeenError(AssertionError):
    """Something was expected in a chat and did not appear; the message shows the chat."""


class Chat:
    """A group, a topic of a forum, or a private chat with the bot."""

    def __init__(self, world: World, room: Room, thread: int | None = None) -> None:
        self._world = world
        self._room = room
        self.thread = thread

    def __repr__(self) -> str:
        return f"<Chat {self.title!r} {self.id}>"

    @property
    def room(self) -> Room:
        """The state behind; a group that became a supergroup is the supergroup."""
        while self._room.successor is not None:
            self._room = self._room.successor
        return self._room

    @property
    def id(self) -> int:
        return self.room.id

    @property
    def title(self) -> str:
        return self.room.title

    @property
    def members(self) -> list[User]:
        return self.room.members()

    @property
    def history(self) -> list[Shown]:
        return self.room.history

    @property
    def messages(self) -> list[Message]:
        return self.messages_for(None)

    def messages_for(self, viewer: User | None) -> list[Message]:
        """What the viewer sees now, oldest first; None: what all see."""
        here = (message for message in self.room.messages if self.thread is None or message.thread == self.thread)
        return [message for message in here if message.visible_to(viewer)]

    def topic(self, name: str) -> Chat:
        """Opens a topic of a forum."""
        assert self.room.is_forum, f"{self!r} is no forum"
        creator = next(user for user in self.room.members() if self.room.stands(user) == "creator")
        opening = {"forum_topic_created": {"name": name, "icon_color": 7322096}}
        message = service(self._world, self.room, creator, f"opens {name}", opening, opens_topic=True)
        return Chat(self._world, self.room, message.id)

    def forbids_writing(self, forbidden: bool) -> None:
        """Whether the group's permissions keep the bot from writing."""
        self.room.closed_to_bots = forbidden

    def shows(
        self,
        text: Words = None,
        *,
        button: Label | None = None,
        after: Message | None = None,
        viewer: User | None = None,
    ) -> Message | None:
        """The newest visible message that matches, if there is one now."""
        for message in reversed(self.messages_for(viewer)):
            fresh = after is None or message.order > after.order
            if fresh and not message.service and says(message, text) and (button is None or pick(message, button)):
                return message
        return None

    async def sees(
        self,
        text: Words = None,
        *,
        button: Label | None = None,
        after: Message | None = None,
        viewer: User | None = None,
        timeout: float = 5,
    ) -> Message:
        """Waits for such a message; NotSeenError with the chat's transcript when it does not come."""
        await self._world.changes.until(
            lambda: self.shows(text, button=button, after=after, viewer=viewer) is not None, timeout
        )
        message = self.shows(text, button=button, after=after, viewer=viewer)
        if message is None:
            wanted = " with ".join(str(part) for part in (text, button) if part is not None)
            raise NotSeenError(f"no message {wanted!r} within {timeout} s in\n{self.render(viewer)}")
        return message

    async def until(self, true: Callable[[Chat], bool], *, timeout: float = 5) -> None:
        """Waits until the condition on this chat holds; NotSeenError when it does not come to."""
        if not await self._world.changes.until(lambda: true(self), timeout):
            raise NotSeenError(f"the condition did not come true within {timeout} s in\n{self.render()}")

    def render(self, viewer: User | None = None) -> str:
        """The chat as the viewer sees it; for None, what all see and what each was told alone."""
        return render(self.room, self.thread, viewer)


def says(message: Message, words: Words) -> bool:
    """Whether the message's text has these words, matches the pattern, or satisfies the predicate."""
    if words is None:
        return True
    if isinstance(words, str):
        return words in message.text
    if isinstance(words, re.Pattern):
        return words.search(message.text) is not None
    return words(message)


def pick(message: Message, label: Label) -> Button | None:
    """The button of that label: the exact text before a part of it."""
    shown = [button for row in message.rows for button in row]
    if isinstance(label, re.Pattern):
        return next((button for button in shown if label.search(button.text)), None)
    exact = (button for button in shown if button.text == label)
    return next(exact, None) or next((button for button in shown if label in button.text), None)
