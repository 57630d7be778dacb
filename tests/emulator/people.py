"""People and their actions: write, tap, open links, join, leave, block."""

# ruff: noqa: ASYNC109 - tests pass their own timeouts

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass

from tests.emulator import entities
from tests.emulator.chats import PATIENCE, Chat, Label, MessagePattern, NotSeenError, pick
from tests.emulator.membership import change, member, service
from tests.emulator.methods.callbacks import start_payload
from tests.emulator.methods.messages import thread_of_reply
from tests.emulator.state import ChatState, InlineButton, MemberStatus, Message, User
from tests.emulator.world import TapAnswer, World


class NoAnswerError(AssertionError):
    """The bot did not answer a tap in time: the person would see a button that keeps spinning."""


@dataclass(frozen=True)
class PendingTap:
    """A tap that the bot has not answered yet."""

    chat: Chat
    button: InlineButton
    answered: asyncio.Future[TapAnswer]

    async def answer(self, timeout: float = PATIENCE) -> TapAnswer:
        """Waits for the bot's answer to the tap and returns it. Raises NoAnswerError after `timeout` seconds."""
        try:
            return await asyncio.wait_for(asyncio.shield(self.answered), timeout)
        except TimeoutError:
            problem = f"no answer to the tap on {self.button.text!r} within {timeout} s in"
            raise NoAnswerError(f"{problem}\n{self.chat.render()}") from None


class Person:
    """A person with a Telegram account."""

    def __init__(self, world: World, user: User) -> None:
        self._world = world
        self.user = user
        self.private = Chat(world, world.chats[user.id])

    def __repr__(self) -> str:
        return f"<Person {self.name} {self.id}>"

    @property
    def id(self) -> int:
        return self.user.id

    @property
    def name(self) -> str:
        return self.user.name

    @property
    def toasts(self) -> list[TapAnswer]:
        """The bot's answers to all taps of the person so far."""
        return self._world.answers.get(self.id, [])

    async def says(
        self,
        place: Chat,
        text: str,
        *,
        reply_to: Message | None = None,
        anonymous: bool = False,
        ephemeral: bool = False,
    ) -> Message:
        """Writes to a chat; a first message to the bot also starts it. Only the bot sees an `ephemeral` command."""
        chat = place.state
        self._must_be_in(chat)
        message = self._world.new_message(chat, self.user, ephemeral_for=self._world.bot if ephemeral else None)
        message.text, message.entities = text.strip(), entities.typed(text.strip())
        message.reply_to, message.anonymous = reply_to, anonymous
        message.thread = place.thread or (thread_of_reply(reply_to) if reply_to else None)
        if chat.private:
            self.user.started = True
        self._world.show(message, "said")
        if self._reaches_bot(message):
            self._world.updates.push("message", message.as_json(), chat.id)
        elif self._mentions_guest(message):
            query = str(random.getrandbits(62))
            self._world.guest_queries[query] = message
            self._world.updates.push("guest_message", message.as_json() | {"guest_query_id": query}, chat.id)
        return message

    async def starts(self, payload: str = "") -> Message:
        """Presses Start, after Restart if the bot was blocked."""
        if self.user.blocks:
            await self.unblocks_bot()
        return await self.says(self.private, f"/start {payload}".strip())

    async def opens(self, url: str | None) -> Message:
        """Follows a link that opens the bot's private chat, and presses Start there."""
        payload = start_payload(url or "", self._world.bot.username or "")
        assert payload is not None, f"{url!r} does not start the bot"
        return await self.starts(payload)

    async def sees(
        self,
        place: Chat,
        text: MessagePattern = None,
        *,
        button: Label | None = None,
        after: Message | None = None,
        timeout: float = PATIENCE,
    ) -> Message:
        """Waits for a message in the chat, including messages that only this person sees."""
        return await place.sees(text, button=button, after=after, viewer=self.user, timeout=timeout)

    async def taps(
        self, place: Chat, label: Label | InlineButton, *, message: Message | None = None, timeout: float = PATIENCE
    ) -> TapAnswer:
        """Taps a button and waits for the answer."""
        return await self.presses(place, label, message=message).answer(timeout)

    def presses(self, place: Chat, label: Label | InlineButton, *, message: Message | None = None) -> PendingTap:
        """Taps a button without waiting. An earlier `InlineButton` is tapped even if the message no longer has it."""
        self._must_be_in(place.state)
        button = label if isinstance(label, InlineButton) else self._rendered(place, label, message)
        if button.callback_data is not None:
            return PendingTap(place, button, self._world.ask(self.user, button).answered)
        opened: asyncio.Future[TapAnswer] = asyncio.get_running_loop().create_future()
        opened.set_result(TapAnswer(url=button.url))
        return PendingTap(place, button, opened)

    async def deletes(self, message: Message) -> None:
        """Deletes a message for everybody: their own, any in the private chat, or any as an administrator."""
        chat = message.chat
        allowed = message.author is self.user or chat.private or chat.commanded_by(self.user)
        assert allowed, f"{self!r} may not delete {message!r}"
        message.deleted = True
        self._world.emit("deleted", chat, self.user, message.text, message)

    async def joins(self, group: Chat) -> None:
        """Joins a group."""
        self._enter(group, self.user)

    async def adds(self, group: Chat, other: Person) -> None:
        """Adds another person to a group."""
        self._must_be_in(group.state)
        self._enter(group, other.user)

    async def leaves(self, group: Chat, *, announced: bool = True) -> None:
        """Leaves a group; without `announced`, there is no service message."""
        if announced:
            self._go(group, self.user, "left")
        else:
            change(self._world, group.state, self.user, self.user, "left")

    async def removes(self, group: Chat, other: Person) -> None:
        """Removes another person from a group."""
        self._must_command(group)
        self._go(group, other.user, "kicked")

    async def promotes(self, group: Chat, other: Person) -> None:
        """Makes another person an administrator."""
        self._must_command(group)
        change(self._world, group.state, self.user, other.user, "administrator")

    async def demotes(self, group: Chat, other: Person) -> None:
        """Makes an administrator an ordinary member."""
        self._must_command(group)
        change(self._world, group.state, self.user, other.user, "member")

    async def adds_bot(self, group: Chat, *, administrator: bool = False) -> None:
        """Adds the bot to a group."""
        self._enter(group, self._world.bot, "administrator" if administrator else "member")

    async def removes_bot(self, group: Chat) -> None:
        """Removes the bot from a group."""
        self._must_command(group)
        self._go(group, self._world.bot, "kicked")

    async def promotes_bot(self, group: Chat, *, without: tuple[str, ...] = ()) -> None:
        """Makes the bot an administrator, with all rights except those in `without`."""
        self._must_command(group)
        group.state.withheld[self._world.bot.id] = without
        change(self._world, group.state, self.user, self._world.bot, "administrator")

    async def demotes_bot(self, group: Chat) -> None:
        """Makes the bot an ordinary member."""
        self._must_command(group)
        change(self._world, group.state, self.user, self._world.bot, "member")

    async def blocks_bot(self) -> None:
        """Blocks the bot, whose messages to the person are refused with 403 from now on."""
        self.user.blocks = True
        self._push_block("member", "kicked")

    async def unblocks_bot(self) -> None:
        """Unblocks the bot, so that it can write again."""
        self.user.blocks = False
        self._push_block("kicked", "member")

    async def deletes_account(self) -> None:
        """Deletes the account: messages to it are refused with 403 from now on. The bot gets no update about that."""
        self.user.deactivated = True
        self._world.changes.notify()

    async def upgrades(self, group: Chat) -> None:
        """Turns a group into a supergroup, with a new id. Bots can no longer use the old messages."""
        old = group.state
        assert old.kind == "group", f"{group!r} is a {old.kind}"
        new = ChatState(self._world.new_chat_id(supergroup=True), "supergroup", old.title)
        new.people, new.standing, new.closed_to_bots = dict(old.people), dict(old.standing), old.closed_to_bots
        self._world.chats[new.id] = new
        service(self._world, old, self.user, "upgrades the group", {"migrate_to_chat_id": new.id})
        old.successor = new
        service(self._world, new, self.user, "upgraded the group", {"migrate_from_chat_id": old.id})

    def _rendered(self, place: Chat, label: Label, message: Message | None) -> InlineButton:
        shown = [message] if message else reversed(place.messages_for(self.user))
        for candidate in shown:
            button = pick(candidate, label) if candidate.visible_to(self.user) else None
            if button is not None:
                return button
        raise NotSeenError(f"{self.name} sees no button {label!r} in\n{place.render(self.user)}")

    def _reaches_bot(self, message: Message) -> bool:
        """Returns whether the bot receives a message: in groups, an ordinary member gets only commands and replies."""
        chat, bot = message.chat, self._world.bot
        if chat.private or not chat.has(bot):
            return chat.private
        if not self._world.behaviour.privacy or chat.commanded_by(bot):
            return True
        if message.reply_to is not None and message.reply_to.author is bot:
            return True
        commands = [word for word in message.text.split() if word.startswith("/")]
        return any("@" not in word or word.lower().endswith(f"@{bot.username}".lower()) for word in commands)

    def _mentions_guest(self, message: Message) -> bool:
        """Returns whether a message mentions the bot in a chat without the bot, and the bot gets such mentions."""
        named = f"@{self._world.bot.username}".lower() in message.text.lower()
        return self._world.behaviour.guests and named and not message.chat.has(self._world.bot)

    def _must_be_in(self, chat: ChatState) -> None:
        inside = chat.user is self.user if chat.private else chat.has(self.user)
        assert inside, f"{self!r} is not in {chat.title!r}"
        assert not (chat.private and self.user.blocks), f"{self!r} has blocked the bot"

    def _must_command(self, group: Chat) -> None:
        assert group.state.commanded_by(self.user), f"{self!r} is no administrator of {group!r}"

    def _enter(self, group: Chat, user: User, standing: MemberStatus = "member") -> None:
        change(self._world, group.state, self.user, user, standing)
        content = {"new_chat_members": [user.as_json()]}
        service(self._world, group.state, self.user, f"{user.name} joins", content)

    def _go(self, group: Chat, user: User, standing: MemberStatus) -> None:
        words, content = f"{user.name} leaves", {"left_chat_member": user.as_json()}
        # A bot still gets the update of its own removal in a basic group, not in a supergroup.
        if user is self._world.bot and group.state.kind == "supergroup":
            change(self._world, group.state, self.user, user, standing)
            service(self._world, group.state, self.user, words, content)
        else:
            service(self._world, group.state, self.user, words, content)
            change(self._world, group.state, self.user, user, standing)

    def _push_block(self, before: MemberStatus, after: MemberStatus) -> None:
        chat, bot = self.private.state, self._world.bot
        payload = {
            "chat": chat.as_json(),
            "from": self.user.as_json(),
            "date": self._world.seconds(),
            "old_chat_member": member(chat, bot, before),
            "new_chat_member": member(chat, bot, after),
        }
        self._world.updates.push("my_chat_member", payload, chat.id)
        self._world.changes.notify()
