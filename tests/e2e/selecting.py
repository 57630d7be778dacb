"""People who play by taking cards up: each does the next sensible thing that the buttons offer."""

import asyncio
from collections.abc import Callable

from services.telegram.memory.chats import Chats
from services.telegram.memory.connect import connect
from services.telegram.records import Choice
from shared.messages import JsonObject
from tests.e2e.friends import PATIENCE, Friends
from tests.e2e.house import newest_hand
from tests.emulator import Person
from tests.emulator.chats import Chat
from tests.emulator.state import Button, Message

TAKEN_UP = "✅"
LAST = ("Scarta", "Passo")
"""What is done only when there is nothing else to do."""

Wish = Callable[[list[Button]], Button]
"""Which of several actions to take."""


async def remember(redis_url: str, group: Chat, game: str, options: JsonObject) -> None:
    """Let the group have chosen these options the last time, and no limit of time."""
    redis = connect(redis_url)
    await Chats(redis).choose(group.id, game, Choice(options, 0))
    await redis.aclose()


async def deal(friends: Friends, game: str, people: list[Person]) -> None:
    """Open a table of a game, sit down and start."""
    friends.people[:] = people
    await people[0].says(friends.group, "/gioca")
    await friends.group.sees(button=game)
    await people[0].taps(friends.group, game)
    await friends.group.sees(button="Siediti")
    await friends.sit_down(*people)
    await friends.start()


def keys_of(message: Message, style: str) -> list[Button]:
    """The buttons of a style."""
    return [key for row in message.rows for key in row if key.raw.get("style") == style]


def actions(message: Message) -> list[Button]:
    """What may be done now."""
    return [key for key in keys_of(message, "success") if not key.text.startswith(TAKEN_UP)]


def next_tap(message: Message) -> Button | None:
    """Return what a simple player taps next: an action, else another card that stands out, else what is left."""
    offered = actions(message)
    eager = [key for key in offered if not key.text.startswith(LAST)]
    if eager:
        return eager[0]
    taken = [key for key in keys_of(message, "success") if key.text.startswith(TAKEN_UP)]
    useful = keys_of(message, "primary")
    if useful and not (taken and offered):
        return useful[-1]
    return next(iter(offered), None)


async def play_to_the_end(friends: Friends) -> Message:
    """Let everybody play until the result is there."""
    async with asyncio.timeout(60):
        while not friends.group.shows(button="Rivincita"):
            tapped = [await _tap(person) for person in friends.people]
            if not any(tapped):
                await asyncio.sleep(0.005)
    return await friends.group.sees(button="Rivincita")


async def _tap(person: Person) -> bool:
    message = newest_hand(person)
    key = None if message is None or "Tocca a te" not in message.text else next_tap(message)
    if message is None or key is None:
        return False
    seen = (message.id, message.text, message.labels)
    await person.taps(person.private, key, message=message)
    await _redrawn(person, seen)
    return True


async def _redrawn(person: Person, seen: tuple[object, ...]) -> None:
    for _ in range(int(PATIENCE / 0.005)):
        now = newest_hand(person)
        if now is None or (now.id, now.text, now.labels) != seen:
            return
        await asyncio.sleep(0.005)
