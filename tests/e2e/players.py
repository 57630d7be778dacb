"""Three people in a group chat who play by tapping the buttons that the bot renders."""

import asyncio

from locanda.messages import JsonObject
from services.telegram.records import LastChoice
from services.telegram.repositories.connection import connect
from services.telegram.repositories.people_and_chats import ChatRepository
from services.telegram.repositories.remembered import RememberedRedis
from tests.emulator import Emulator, Person, TapAnswer
from tests.emulator.chats import PATIENCE, Chat
from tests.emulator.state import InlineButton, Message

HAND = "Regole"
"""A button that every hand message has, in the players' language."""
SELECTED = "✅"
LAST_RESORTS = ("Scarta", "Passo", "Discard", "Pass")
"""Actions that a simple player takes only if there is no other."""


class GroupPlayers:
    """Anna, Bruno and Carla, whose Telegram is in Italian, and their group chat."""

    def __init__(self, telegram: Emulator, title: str = "Amici") -> None:
        self.telegram = telegram
        self.people = [telegram.person(name, language="it") for name in ("Anna", "Bruno", "Carla")]
        self.anna, self.bruno, self.carla = self.people
        self.group = telegram.group(title, self.people)

    async def begin(self, game: str = "Gatto Rosso") -> None:
        """Open a table, sit down and start the match."""
        await self.open_a_table(game)
        await self.sit_down()
        await self.start()

    async def open_a_table(self, game: str = "Gatto Rosso") -> None:
        """Let Anna open a table in the group, by the button of a game."""
        await self.anna.says(self.group, "/gioca")
        await self.group.sees(button=game)
        await self.anna.taps(self.group, game)
        await self.group.sees(button="Siediti")

    async def sit_down(self, *people: Person) -> None:
        """Let each person take a seat. People who have not started the bot yet follow its link and press Start."""
        for person in people or self.people:
            answer = await person.taps(self.group, "Siediti")
            if answer.url:
                await person.opens(answer.url)
            # the button Siediti disappears with the last seat
            await self.group.sees(person.name, button="Alzati", timeout=PATIENCE)

    async def start(self) -> None:
        """Let Anna start the match, and wait until each person has their hand."""
        await self.anna.taps(self.group, "Si comincia")
        await self.group.sees(button="La mia mano", timeout=PATIENCE)
        for person in self.people:
            await person.private.sees(button="Regole", timeout=PATIENCE)

    async def turn(self) -> tuple[Person, InlineButton]:
        """Wait until a hand message offers a card to play; return its person and the first such button."""
        turn = await self.turn_or_end()
        assert turn is not None, "the match is over"
        return turn

    async def turn_or_end(self) -> tuple[Person, InlineButton] | None:
        """The same as `turn`, but returns None at the end of the match."""
        await self.group.until(lambda group: group.shows(button="Ci sto") or self._turn(), timeout=PATIENCE)
        return None if self.group.shows(button="Ci sto") else self._turn()

    def _turn(self) -> tuple[Person, InlineButton] | None:
        return next(((person, key) for person in self.people if (key := playable(person))), None)

    async def move(self) -> tuple[Person, InlineButton, TapAnswer]:
        """Let the person on turn play the first card that may be played, and wait until their hand is redrawn."""
        person, key = await self.turn()
        answer = await person.taps(person.private, key)
        await self.redrawn(person, key)
        return person, key, answer

    async def redrawn(self, person: Person, key: InlineButton) -> None:
        """Wait until the tapped button can no longer be played."""
        await person.private.until(
            lambda _: not ((now := playable(person)) and now.callback_data == key.callback_data), timeout=PATIENCE
        )

    async def play_to_the_end(self) -> Message:
        """Play until the result of the match is shown."""
        while turn := await self.turn_or_end():
            person, key = turn
            await person.taps(person.private, key)
            await self.redrawn(person, key)
        return await self.group.sees(button="Ci sto")

    async def play_by_selecting(self) -> Message:
        """Let everybody play until the result of the match is shown. They select cards first if the game needs it."""
        async with asyncio.timeout(3 * PATIENCE):
            while not self.group.shows(button="Ci sto"):
                tapped = [await self.tap_next(person) for person in self.people]
                if not any(tapped):
                    await self.group.until(
                        lambda group: group.shows(button="Ci sto") or any(map(tap_of, self.people)), timeout=PATIENCE
                    )
        return await self.group.sees(button="Ci sto")

    async def tap_next(self, person: Person) -> bool:
        """Let a person make their next tap. Return whether there was a button to tap."""
        key = tap_of(person)
        if key is None:
            return False
        message = key.message
        before = _shown(message)
        await person.taps(person.private, key, message=message)
        await person.private.until(
            lambda _: not ((now := newest_hand(person)) and _shown(now) == before), timeout=PATIENCE
        )
        return True


def newest_hand(person: Person) -> Message | None:
    """Return the person's newest hand message, or None."""
    return person.private.shows(button=HAND)


def tap_of(person: Person) -> InlineButton | None:
    """Return the button that the person taps next, or None if they are not on turn."""
    message = newest_hand(person)
    return None if message is None or "Tocca a te" not in message.text else next_tap(message)


def hand_of(person: Person) -> list[str]:
    """Return the cards shown on the buttons of a person's hand message."""
    hand = newest_hand(person)
    assert hand is not None
    return [label for label in hand.labels if label[-1] in "♥♦♣♠"]


def playable(person: Person) -> InlineButton | None:
    """Return the first button of the person's hand message that may be played now."""
    hand = newest_hand(person)
    return next(iter(buttons_of(hand, "primary")), None) if hand else None


def buttons_of(message: Message, style: str) -> list[InlineButton]:
    """Return the buttons of a style."""
    return [button for row in message.rows for button in row if button.raw.get("style") == style]


def next_tap(message: Message) -> InlineButton | None:
    """Return the button that a simple player taps next: a move, otherwise a card to select, otherwise a last resort."""
    buttons = [button for row in message.rows for button in row]
    moves = [button for button in buttons if _does(button, "m")]
    bright = [button for button in buttons if button.raw.get("style") in {"primary", "success"}]
    eager = [button for button in bright if button in moves and not button.text.startswith(LAST_RESORTS)]
    if eager:
        return eager[0]
    selected = [button for button in buttons if button.text.startswith(SELECTED)]
    selectable = [button for button in buttons if _does(button, "pick") and button not in selected]
    useful = [button for button in selectable if button in bright]
    if useful and not (selected and moves):
        return useful[-1]
    return next(iter([button for button in moves if button in bright] + moves + selectable), None)


def _does(button: InlineButton, tag: str) -> bool:
    """Return whether a button's callback data has a tag."""
    return (button.callback_data or "").startswith(f'2["{tag}"')


def _shown(message: Message) -> tuple[object, ...]:
    return message.id, message.text, message.labels


async def remember_options(redis_url: str, group: Chat, game: str, options: JsonObject) -> None:
    """Store options as the group's last choice for a game, with no time limit."""
    redis = connect(redis_url)
    await ChatRepository(RememberedRedis(redis)).remember_choice(group.id, game, LastChoice(options, 0))
    await redis.aclose()
