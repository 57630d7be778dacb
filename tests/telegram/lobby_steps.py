"""Test steps before the deal: opening a lobby, sitting down, starting."""

from tests.emulator import Person
from tests.emulator.chats import Chat


async def open_lobby(host: Person, place: Chat) -> None:
    """Open a table of Gatto Rosso with the buttons."""
    await host.says(place, "/gioca")
    await place.sees("A che cosa giochiamo?")
    await host.taps(place, "Gatto Rosso")
    await place.sees(button="Siediti")


async def sit(person: Person, place: Chat) -> None:
    """Sit down, by the deep link if the bot asks for it."""
    await place.sees(button="Siediti")
    answer = await person.taps(place, "Siediti")
    if answer.url:
        await person.opens(answer.url)
    await place.sees(f"👤 {person.name}")


async def deal(people: list[Person], place: Chat) -> None:
    """Open a table, seat everybody and start."""
    await open_lobby(people[0], place)
    for person in people:
        if place.shows(f"👤 {person.name}") is None:
            await sit(person, place)
    await place.sees(button="Si comincia")
    await people[0].taps(place, "Si comincia")
    for person in people:
        await person.private.sees(button="Passo")
    await place.sees(button="La mia mano")


async def practise(person: Person, opponents: str, game: str = "🐈 Gatto Rosso Gatto Grigio") -> None:
    """Start a match in the private chat against computer players; `opponents` is the label of their button."""
    await person.says(person.private, "/gioca")
    await person.private.sees(button=game)
    await person.taps(person.private, game)
    await person.private.sees(button=opponents)
    await person.taps(person.private, opponents)


async def deal_two_deals(host: Person, guest: Person, place: Chat) -> None:
    """Open a table for a match of two deals, seat two people and start."""
    await open_lobby(host, place)
    await sit(guest, place)
    await host.taps(place, "Opzioni")
    await place.sees(button="Smazzate: 1")
    await host.taps(place, "+")
    await place.sees(button="Smazzate: 2")
    await host.taps(place, "Indietro")
    await place.sees(button="Si comincia")
    await host.taps(place, "Si comincia")
    await place.sees("smazzata 1 di 2")
