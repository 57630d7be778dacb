"""The renderer, while the table changes during a drawing."""

from locanda.messages import SitDown
from services.telegram.records import ChatTable
from services.telegram.timeline import Timeline
from tests.emulator import Emulator, Person
from tests.telegram.harness import BotHarness


async def test_a_first_hand_that_is_newer_than_the_timeline_is_sent_once(
    harness: BotHarness, telegram: Emulator, anna: Person
) -> None:
    context, engine, user = harness.context, harness.engine, anna.private.id
    assert context
    person = await context.repositories.people.person(user)
    assert person
    table = await context.tables.setup.open(ChatTable("Ab3-Ef_8", user, None, "", "gatto_rosso", user, alone=True))
    chat_table = await context.tables.seating.sit(table.ref, person)
    anna_token = await context.repositories.seats.token(chat_table.ref, user)
    assert chat_table.engine
    assert anna_token
    bruno = await engine.sit(chat_table.engine, SitDown("Bruno"))
    timeline = Timeline()
    timeline.refresh(await engine.start(chat_table.engine, anna_token))
    sent = len(telegram.journal.of("sendMessage", chat=user))

    token = anna_token if timeline.table and timeline.table.moves else bruno.token or ""
    moved = await engine.play(chat_table.engine, token, (await engine.table(chat_table.engine, token)).moves[0])
    await context.renderer.draw(chat_table, timeline)
    await context.outbox._flush()
    timeline.refresh(moved.table)
    await context.renderer.draw(chat_table, timeline)

    await anna.private.sees(button="Passo")
    await context.outbox._flush()
    assert len(telegram.journal.of("sendMessage", chat=user)) == sent + 1
