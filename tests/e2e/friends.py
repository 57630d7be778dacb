"""Three friends and their group chat: what they do is press the buttons that the bot rendered."""

import asyncio

from tests.e2e.house import newest_hand, playable
from tests.emulator import Answer, Emulator, Person
from tests.emulator.state import Button, Message

PATIENCE = 20.0


class Friends:
    """Anna, Bruno and Carla, whose Telegram speaks Italian."""

    def __init__(self, telegram: Emulator) -> None:
        self.telegram = telegram
        self.people = [telegram.person(name, language="it") for name in ("Anna", "Bruno", "Carla")]
        self.anna, self.bruno, self.carla = self.people
        self.group = telegram.group("Amici", self.people)

    async def open_a_table(self) -> None:
        """Anna asks for a game; the lobby appears."""
        await self.anna.says(self.group, "/gioca")
        await self.group.sees(button="Gatto Rosso")
        await self.anna.taps(self.group, "Gatto Rosso")
        await self.group.sees(button="Siediti")

    async def sit_down(self, *people: Person) -> None:
        """Each takes a seat; whom the bot may not write to yet follows its link and presses Start."""
        for person in people or self.people:
            answer = await person.taps(self.group, "Siediti")
            if answer.url:
                await person.opens(answer.url)
            await self.group.sees(person.name, button="Siediti", timeout=PATIENCE)

    async def start(self) -> None:
        """Anna starts the match, and everybody gets a hand."""
        await self.anna.taps(self.group, "Si comincia")
        await self.group.sees(button="La mia mano", timeout=PATIENCE)
        for person in self.people:
            await person.private.sees(button="Regole", timeout=PATIENCE)

    async def turn(self) -> tuple[Person, Button]:
        """Wait for the one whose hand message offers something to play, and the first such button."""
        turn = await self.turn_or_end()
        assert turn is not None, "the match is over"
        return turn

    async def turn_or_end(self) -> tuple[Person, Button] | None:
        """Wait for whoever may play, or for the end of the match."""
        async with asyncio.timeout(PATIENCE):
            while not self.group.shows(button="Rivincita"):
                for person in self.people:
                    key = playable(person)
                    if key is not None:
                        return person, key
                await asyncio.sleep(0.01)
        return None

    async def move(self) -> tuple[Person, Button, Answer]:
        """Whoever is on turn plays the first card that stands out; then the hand is drawn anew."""
        person, key = await self.turn()
        answer = await person.taps(person.private, key)
        await self.redrawn(person, key)
        return person, key, answer

    async def redrawn(self, person: Person, key: Button) -> None:
        """Wait until the button that was tapped does not stand out any more."""
        async with asyncio.timeout(PATIENCE):
            while (now := playable(person)) and now.callback_data == key.callback_data:  # noqa: ASYNC110  (looks at the chat)
                await asyncio.sleep(0.01)

    async def play_to_the_end(self) -> Message:
        """Play until the result is there."""
        while turn := await self.turn_or_end():
            person, key = turn
            await person.taps(person.private, key)
            await self.redrawn(person, key)
        return await self.group.sees(button="Rivincita")


def hand_of(person: Person) -> list[str]:
    """The cards on the buttons of a person's hand message."""
    hand = newest_hand(person)
    assert hand is not None
    return [label for label in hand.labels if label[-1] in "♥♦♣♠"]
