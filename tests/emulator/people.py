"""People and what they do: say, tap, open links, join, leave, block."""

# ruff: noqa: ASYNC109 - a test that waits says for how long

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from tests.emulator import entities
from tests.emulator.chats import Chat, Label, NotSeenError, Words, pick
from tests.emulator.membership import change, member, service
from tests.emulator.methods.callbacks import start_payload
from tests.emulator.methods.messages import thread_of_reply
from tests.emulator.state import Button, Message, Room, Standing, User
from tests.emulator.world import Answer, World


class NoAnswerError(AssertionError):
    """The bot did not answer a tap in time: the person would see a button that keeps spinning."""


@dataclass(frozen=True)
class Tap:
    """A tap on its way."""

    chat: Chat
    button: Button
    answered: asyncio.Future[Answer]

    async def answer(self, timeout: float = 5) -> Answer:
        """What the bot answers; NoAnswerError when it does not."""
        try:
            return await asyncio.wait_for(asyncio.shield(self.answered), timeout)
        except TimeoutError:
            problem = f"no answer to the tap on {self.button.text!r} within {timeout} s in"
            raise NoAnswerError(f"{problem}\n{self.chat.render()}") from None


class Person:
    """Somebody with Telegram in the pocket."""

    def __init__(self, world: World, user: User) -> None:
        self._world = world
        self.user = user
        self.private = Chat(world, world.rooms[user.id])

    def __repr__(self) -> str:
        return f"<Person {self.name} {self.id}>"

    @property
    def id(self) -> int:
        return self.user.id

    @property
    def name(self) -> str:
        return self.user.name

    @property
    def toasts(self) -> list[Answer]:
        """What all taps so far were answered with."""
        return self._world.answers.get(self.id, [])

    async def says(
        self, place: Chat, text: str, *, reply_to: Message | None = None, anonymous: bool = False
    ) -> Message:
        """Writes into a chat; writing to the bot also starts it."""
        room = place.room
        self._must_be_in(room)
        message = self._world.new_message(room, self.user)
        message.text, message.entities = text.strip(), entities.typed(text.strip())
        message.reply_to, message.anonymous = reply_to, anonymous
        message.thread = place.thread or (thread_of_reply(reply_to) if reply_to else None)
        if room.private:
            self.user.started = True
        self._world.show(message, "said")
        if self._is_heard(message):
            self._world.updates.push("message", message.as_json(), room.id)
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
        text: Words = None,
        *,
        button: Label | None = None,
        after: Message | None = None,
        timeout: float = 5,
    ) -> Message:
        """Waits for a message in the chat, those that only this person sees among them."""
        return await place.sees(text, button=button, after=after, viewer=self.user, timeout=timeout)

    async def taps(
        self, place: Chat, label: Label | Button, *, message: Message | None = None, timeout: float = 5
    ) -> Answer:
        """Taps a button and waits for what comes of it."""
        return await self.presses(place, label, message=message).answer(timeout)

    def presses(self, place: Chat, label: Label | Button, *, message: Message | None = None) -> Tap:
        """Taps a button, without waiting; a `Button` kept from earlier is tapped as it was, stale or not."""
        self._must_be_in(place.room)
        button = label if isinstance(label, Button) else self._rendered(place, label, message)
        if button.callback_data is not None:
            return Tap(place, button, self._world.ask(self.user, button).answered)
        opened: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        opened.set_result(Answer(url=button.url))
        return Tap(place, button, opened)

    async def deletes(self, message: Message) -> None:
        """Makes a message vanish for all: an own one, any in the private chat, any as an administrator."""
        room = message.room
        allowed = message.author is self.user or room.private or room.commanded_by(self.user)
        assert allowed, f"{self!r} may not delete {message!r}"
        message.deleted = True
        self._world.tell("deleted", room, self.user, message.text, message)

    async def joins(self, group: Chat) -> None:
        """Enters a group."""
        self._enter(group, self.user)

    async def adds(self, group: Chat, other: Person) -> None:
        """Brings somebody into a group."""
        self._must_be_in(group.room)
        self._enter(group, other.user)

    async def leaves(self, group: Chat) -> None:
        """Goes from a group."""
        self._go(group, self.user, "left")

    async def removes(self, group: Chat, other: Person) -> None:
        """Throws somebody out of a group."""
        self._must_command(group)
        self._go(group, other.user, "kicked")

    async def promotes(self, group: Chat, other: Person) -> None:
        """Makes somebody an administrator."""
        self._must_command(group)
        change(self._world, group.room, self.user, other.user, "administrator")

    async def demotes(self, group: Chat, other: Person) -> None:
        """Makes an administrator an ordinary member."""
        self._must_command(group)
        change(self._world, group.room, self.user, other.user, "member")

    async def adds_bot(self, group: Chat, *, administrator: bool = False) -> None:
        """Brings the bot into a group."""
        self._enter(group, self._world.bot, "administrator" if administrator else "member")

    async def removes_bot(self, group: Chat) -> None:
        """Throws the bot out of a group."""
        self._must_command(group)
        self._go(group, self._world.bot, "kicked")

    async def promotes_bot(self, group: Chat) -> None:
        """Makes the bot an administrator."""
        self._must_command(group)
        change(self._world, group.room, self.user, self._world.bot, "administrator")

    async def demotes_bot(self, group: Chat) -> None:
        """Makes the bot an ordinary member."""
        self._must_command(group)
        change(self._world, group.room, self.user, self._world.bot, "member")

    async def blocks_bot(self) -> None:
        """Blocks the bot: 403 from now on."""
        self.user.blocks = True
        self._tell_block("member", "kicked")

    async def unblocks_bot(self) -> None:
        """Lets the bot write again."""
        self.user.blocks = False
        self._tell_block("kicked", "member")

    async def deletes_account(self) -> None:
        """Is gone from Telegram: 403 from now on. No bot is told."""
        self.user.deactivated = True
        self._world.changes.tell()

    async def upgrades(self, group: Chat) -> None:
        """Turns a group into a supergroup: a new id, and the old messages are dead to bots."""
        old = group.room
        assert old.kind == "group", f"{group!r} is a {old.kind}"
        new = Room(self._world.new_room_id(supergroup=True), "supergroup", old.title)
        new.people, new.standing, new.closed_to_bots = dict(old.people), dict(old.standing), old.closed_to_bots
        self._world.rooms[new.id] = new
        service(self._world, old, self.user, "upgrades the group", {"migrate_to_chat_id": new.id})
        old.successor = new
        service(self._world, new, self.user, "upgraded the group", {"migrate_from_chat_id": old.id})

    def _rendered(self, place: Chat, label: Label, message: Message | None) -> Button:
        shown = [message] if message else reversed(place.messages_for(self.user))
        for candidate in shown:
            button = pick(candidate, label) if candidate.visible_to(self.user) else None
            if button is not None:
                return button
        raise NotSeenError(f"{self.name} sees no button {label!r} in\n{place.render(self.user)}")

    def _is_heard(self, message: Message) -> bool:
        """Privacy mode: in groups a plain member hears commands meant for it, and answers to its messages."""
        room, bot = message.room, self._world.bot
        if room.private or not room.has(bot):
            return room.private
        if not self._world.behaviour.privacy or room.commanded_by(bot):
            return True
        if message.reply_to is not None and message.reply_to.author is bot:
            return True
        commands = [word for word in message.text.split() if word.startswith("/")]
        return any("@" not in word or word.lower().endswith(f"@{bot.username}".lower()) for word in commands)

    def _must_be_in(self, room: Room) -> None:
        inside = room.user is self.user if room.private else room.has(self.user)
        assert inside, f"{self!r} is not in {room.title!r}"
        assert not (room.private and self.user.blocks), f"{self!r} has blocked the bot"

    def _must_command(self, group: Chat) -> None:
        assert group.room.commanded_by(self.user), f"{self!r} is no administrator of {group!r}"

    def _enter(self, group: Chat, user: User, standing: Standing = "member") -> None:
        change(self._world, group.room, self.user, user, standing)
        content = {"new_chat_members": [user.as_json()]}
        service(self._world, group.room, self.user, f"{user.name} joins", content)

    def _go(self, group: Chat, user: User, standing: Standing) -> None:
        words, content = f"{user.name} leaves", {"left_chat_member": user.as_json()}
        # A bot still hears its own farewell in a basic group, not in a supergroup.
        if user is self._world.bot and group.room.kind == "supergroup":
            change(self._world, group.room, self.user, user, standing)
            service(self._world, group.room, self.user, words, content)
        else:
            service(self._world, group.room, self.user, words, content)
            change(self._world, group.room, self.user, user, standing)

    def _tell_block(self, before: Standing, after: Standing) -> None:
        room, bot = self.private.room, self._world.bot
        payload = {
            "chat": room.as_json(),
            "from": self.user.as_json(),
            "date": self._world.seconds(),
            "old_chat_member": member(room, bot, before),
            "new_chat_member": member(room, bot, after),
        }
        self._world.updates.push("my_chat_member", payload, room.id)
        self._world.changes.tell()
