"""The painter on a table that moves while it draws."""

import asyncio

from services.telegram.records import Room
from services.telegram.story import Story
from shared.messages import SitDown
from tests.emulator import Emulator, Person
from tests.telegram.inn import Inn


async def test_a_first_hand_that_is_ahead_of_the_story_is_sent_once(
    house: Inn, telegram: Emulator, anna: Person
) -> None:
    rooms, engine, user = house.rooms, house.engine, anna.private.id
    assert rooms
    person = await rooms.memory.people.person(user)
    assert person
    table = await rooms.tables.opening.open(Room("Ab3-Ef_8", user, None, "", "gatto_rosso", user, alone=True))
    room = await rooms.tables.seating.sit(table.ref, person, "the-tap-that-Anna-made")
    anna_token = await rooms.memory.seats.token(room.ref, user)
    assert room.engine
    assert anna_token
    bruno = await engine.sit(room.engine, SitDown("Bruno"))
    story = Story()
    story.look(await engine.start(room.engine, anna_token))
    sent = len(telegram.journal.of("sendMessage", chat=user))

    token = anna_token if story.table and story.table.moves else bruno.token or ""
    moved = await engine.play(room.engine, token, (await engine.table(room.engine, token)).moves[0])
    await rooms.painter.table(room, story)
    await asyncio.sleep(0.1)
    story.look(moved.table)
    await rooms.painter.table(room, story)

    await anna.private.sees(button="Passo")
    await asyncio.sleep(0.1)
    assert len(telegram.journal.of("sendMessage", chat=user)) == sent + 1
