"""A group's evening, from /serata to its result."""

import asyncio
import re
from datetime import date
from types import SimpleNamespace

import pytest
from msgspec import structs

from services.engine.table.state import AnyTable, Transition, advance
from services.telegram.evenings import following, handlers
from services.telegram.following import results
from services.telegram.play.dates import WeeklyTime, on_day, zones
from services.telegram.records import PersonRecord, ShownMessage, TableSlot
from services.telegram.repositories.repositories import Repositories
from tests.emulator import Emulator, Person
from tests.emulator.chats import PATIENCE, Chat
from tests.emulator.state import Message
from tests.telegram.evenings.rounds import dealt, play_to_the_end
from tests.telegram.harness import BotHarness
from tests.telegram.test_bot_crashes import Crash
from tests.waiting import until

TUESDAY, WEDNESDAY, THURSDAY = (date(2026, 11, day) for day in (24, 25, 26))
NEXT_WEDNESDAY = date(2026, 12, 2)


class Clock:
    """The clock of evenings, which a test sets."""

    def __init__(self, now: float) -> None:
        self.now = now

    def time(self) -> float:
        """Return the time, as `time.time` does."""
        return self.now


def moment(clock: str, day: date = THURSDAY) -> float:
    """Return the Unix seconds of a local time in Rome."""
    hour, minute = map(int, clock.split(":"))
    return on_day(day, WeeklyTime(day.weekday(), 60 * hour + minute), "Europe/Rome")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    zones()
    clock = Clock(moment("18:00", TUESDAY))
    for module in (following, results):
        monkeypatch.setattr(module, "time", SimpleNamespace(time=clock.time))
    monkeypatch.setattr(handlers, "time", clock.time)
    return clock


def it_is(harness: BotHarness, clock: Clock, now: float) -> None:
    """Set the time."""
    clock.now = now
    assert harness.followers
    harness.followers.evenings.look_again()


async def fix(group: Chat, person: Person, *, how: str = "Ogni giovedì") -> None:
    """Fix an evening on Thursday at nine."""
    await person.says(group, "/serata giovedì alle 21")
    await group.sees("Una serata di carte giovedì 26 novembre alle 21:00 (ora di Roma)")
    await person.taps(group, "🐈 Gatto Rosso Gatto Grigio")
    await group.sees(button="● 🐈 Gatto Rosso Gatto Grigio")
    await person.taps(group, how)
    await group.sees(button="Niente più serate")


async def test_an_hour_that_may_be_of_morning_or_evening_is_asked_about(
    harness: BotHarness, clock: Clock, anna: Person, group: Chat
) -> None:
    await anna.says(group, "/serata giovedì alle nove e mezza")
    await group.sees("Alle 9:30 di mattina o di sera?")
    await anna.taps(group, "21:30")
    await group.sees("Una serata di carte giovedì 26 novembre alle 21:30 (ora di Roma)")


async def sits_down(person: Person, group: Chat) -> None:
    """Join the evening, by the deep link if the bot asks for it."""
    answer = await person.taps(group, "Mi siedo")
    if answer.url:
        await person.opens(answer.url)
        await person.private.sees("Ci sei!")


async def gathered(harness: BotHarness, clock: Clock, group: Chat, people: list[Person]) -> None:
    """Fix an evening, make these people join it, and set the time to its beginning."""
    await fix(group, people[0])
    it_is(harness, clock, moment("20:00"))
    await group.sees(button="Mi siedo")
    for person in people:
        await sits_down(person, group)
    it_is(harness, clock, moment("21:00"))
    await group.sees("Si comincia!")


def invitations(telegram: Emulator, group: Chat, text: str = "Siete invitati") -> int:
    """Return how many invitations were sent."""
    return sum(text in call.payload for call in telegram.journal.of("sendMessage", chat=group.id))


async def test_an_evening_is_announced_played_and_summed_up(
    harness: BotHarness, telegram: Emulator, clock: Clock, group: Chat, anna: Person, bruno: Person, carla: Person
) -> None:
    await anna.says(group, "/stagione 10 6 3 1")
    await group.sees("Punti dei primi posti: 10, 6, 3, 1")
    await fix(group, anna)
    it_is(harness, clock, moment("20:59", WEDNESDAY))
    await harness.settle()
    assert group.shows("Siete invitati") is None
    it_is(harness, clock, moment("21:00", WEDNESDAY))
    invitation = await group.sees("Siete invitati giovedì 26 novembre alle 21:00", button="Mi siedo")
    for person in (anna, bruno):
        await sits_down(person, group)
    assert (await carla.taps(group, "Stasera no")).text == "Sarà per un'altra volta!"
    await group.sees("🪑 Anna e Bruno\n🛋 Carla")
    it_is(harness, clock, moment("20:30"))
    reminder = await group.sees("Fra poco si gioca")
    await group.until(lambda _: invitation.deleted)
    it_is(harness, clock, moment("21:00"))
    first = await group.sees("Si comincia!")
    await group.until(lambda _: reminder.deleted)
    await anna.private.sees(button="Passo")
    assert "Un altro giro" not in first.labels
    assert "Impronta della mescolata" in first.text
    await play_to_the_end(harness)
    await group.sees(button="Un altro giro")
    assert "si è seduto" in ((await carla.taps(group, "Un altro giro", message=first)).text or "")
    await anna.taps(group, "Un altro giro", message=first)
    await group.sees("Giro 2")
    await play_to_the_end(harness)
    await group.sees(button="Basta per stasera")
    await group.sees("🏁", button="La prova")
    assert group.shows(button="Ci sto") is None  # only the evening's message offers another round
    question = await anna.says(group, "/serata")
    so_far = await group.sees("In testa:", after=question)
    by_default = sum((5, 3, 2)) + 2 * 5  # the most points these two matches give by default
    assert sum(map(int, re.findall(r"(\d+) punti", so_far.text))) > by_default
    assert group.shows("La serata è di") is None
    await anna.taps(group, "Basta per stasera")
    await telegram.until(lambda: bool(telegram.journal.of("sendPhoto", chat=group.id)))
    summary = group.messages[-1]
    assert "giovedì 26 novembre" in summary.text
    assert "su 2" in summary.text
    assert "Prossima serata: giovedì 3 dicembre alle 21:00." in summary.text
    await group.until(lambda place: place.shows(button="Un altro giro") is None)
    it_is(harness, clock, moment("21:00", NEXT_WEDNESDAY))
    await group.sees("Siete invitati giovedì 3 dicembre")
    assert len(telegram.journal.of("sendPhoto", chat=group.id)) == 1


def shown_once(group: Chat, text: str) -> Message | None:
    """Return the message with a text; None unless exactly one such message was sent and it still exists."""
    matching = [message for message in group.messages if text in message.text and not message.deleted]
    return matching[0] if len(matching) == 1 else None


@pytest.mark.parametrize("sent", [False, True], ids=["before it is sent", "once it is sent"])
async def test_an_invitation_is_sent_once_though_the_bot_is_killed(
    harness: BotHarness,
    telegram: Emulator,
    clock: Clock,
    group: Chat,
    anna: Person,
    monkeypatch: pytest.MonkeyPatch,
    sent: bool,
) -> None:
    await fix(group, anna)
    await harness.restart()
    assert harness.context
    crash, store = Crash(), harness.context.outbox._store
    record = store.record

    async def crash_at_the_record(slot: TableSlot, message: ShownMessage) -> None:
        await (record(slot, message) if sent and message.begun is not None else crash())

    monkeypatch.setattr(store, "record", crash_at_the_record)
    it_is(harness, clock, moment("21:00", WEDNESDAY))
    await asyncio.wait_for(crash.reached.wait(), PATIENCE)
    await harness.kill()
    await harness.open()
    it_is(harness, clock, moment("21:01", WEDNESDAY))
    await group.sees("Siete invitati", button="Mi siedo")
    await anna.taps(group, "Mi siedo")
    await group.sees("🪑 Anna")
    assert invitations(telegram, group) == 1


@pytest.mark.parametrize("place", ["seat", "deal", "evenings.save"])
async def test_a_kill_while_tables_are_made_leaves_each_table_once(
    harness: BotHarness, clock: Clock, group: Chat, anna: Person, bruno: Person, place: str
) -> None:
    await fix(group, anna)
    it_is(harness, clock, moment("20:00"))
    await group.sees(button="Mi siedo")
    await sits_down(anna, group)
    await sits_down(bruno, group)
    assert harness.context
    crash = Crash()
    owner = harness.context.repositories.evenings if place == "evenings.save" else harness.context.tables.evenings
    setattr(owner, place.rsplit(".", maxsplit=1)[-1], crash)
    it_is(harness, clock, moment("21:00"))
    await asyncio.wait_for(crash.reached.wait(), PATIENCE)
    await harness.kill()
    await harness.open()
    await anna.private.sees(button="Passo")
    await bruno.private.sees(button="Passo")
    assert shown_once(group, "Si comincia!")
    chat_tables = Repositories(harness.redis).chat_tables
    assert len(await chat_tables.refs()) == 1


async def test_after_an_outage_over_its_time_an_evening_still_gathers_for_ten_minutes(
    harness: BotHarness, clock: Clock, group: Chat, anna: Person
) -> None:
    await fix(group, anna)
    await harness.close()
    clock.now = moment("21:30")
    await harness.open()
    await group.sees("Siete invitati giovedì 26 novembre alle 21:40")


async def test_an_evening_to_which_too_few_come_does_not_take_place(
    harness: BotHarness, clock: Clock, group: Chat, anna: Person
) -> None:
    await fix(group, anna, how="Solo questa volta")
    it_is(harness, clock, moment("20:00"))
    await group.sees(button="Mi siedo")
    await sits_down(anna, group)
    it_is(harness, clock, moment("21:00"))
    await group.sees("Eravate troppo pochi")
    await anna.says(group, "/serata")
    await group.sees("Quando si gioca?")


async def test_another_time_moves_an_evening_that_was_announced_and_another_day_calls_it_off(
    harness: BotHarness, telegram: Emulator, clock: Clock, group: Chat, anna: Person
) -> None:
    await fix(group, anna)
    it_is(harness, clock, moment("10:00"))
    await group.sees("Siete invitati giovedì 26 novembre alle 21:00")
    await anna.says(group, "/serata oggi alle 22")
    await group.sees("Una serata di carte giovedì 26 novembre alle 22:00")
    await anna.taps(group, "Ogni giovedì")
    await group.sees("Siete invitati giovedì 26 novembre alle 22:00")
    assert invitations(telegram, group) == 1
    await anna.says(group, "/serata sabato alle 21")
    await group.sees("Una serata di carte sabato 28 novembre alle 21:00")
    await anna.taps(group, "Ogni sabato")
    await group.sees("La serata è annullata")
    await group.until(
        lambda place: [message.text for message in place.messages if "Niente più serate" in message.labels][1:] == []
    )
    assert "sabato 28 novembre" in (await group.sees(button="Niente più serate")).text
    await anna.taps(group, "Niente più serate")
    await group.sees("Non è più fissata nessuna serata")
    it_is(harness, clock, moment("20:30", date(2026, 11, 28)))
    await harness.settle()
    assert invitations(telegram, group) == 1


@pytest.mark.costly
async def test_seven_people_sit_at_two_tables_with_a_computer_and_the_eighth_plays_the_next_round(
    harness: BotHarness, telegram: Emulator, clock: Clock
) -> None:
    people = [telegram.person(name, language="it") for name in ("Ada", "Bea", "Ciro", "Dino", "Elsa", "Fede", "Gigi")]
    late = telegram.person("Lina", language="it")
    group = telegram.supergroup("Tanti", [*people, late])
    await gathered(harness, clock, group, people)
    tables = shown_once(group, "Si comincia!")
    assert tables
    assert tables.text.count("🤖") == 1
    assert all(person.name in tables.text for person in people)
    await late.starts()
    assert (await late.taps(group, "Al prossimo giro ci sono anch'io")).text == "Ci sei, dal prossimo giro."
    assert (await people[0].taps(group, "Io ho finito")).text == "Sarà per un'altra volta!"
    await play_to_the_end(harness)
    await group.sees(button="Ultimo giro, per classifica")
    await late.taps(group, "Ultimo giro, per classifica")
    second = await group.sees("Giro 2")
    assert "Lina" in second.text
    assert "Ada" not in second.text


@pytest.mark.costly
async def test_a_result_of_an_evening_keeps_its_tables_letter_and_is_edited_no_more(
    harness: BotHarness, telegram: Emulator, clock: Clock
) -> None:
    people = [telegram.person(name, language="it") for name in ("Ada", "Bea", "Ciro", "Dino", "Elsa", "Fede")]
    group = telegram.supergroup("Tanti", people)
    await gathered(harness, clock, group, people)
    await play_to_the_end(harness)
    await group.sees(button="Un altro giro")
    await harness.settle()
    results = [message for message in group.messages if "🏁" in message.text]
    assert sorted(result.text.splitlines()[0][-1] for result in results) == ["A", "B"]
    before = [result.edits for result in results]
    await people[0].taps(group, "Un altro giro")
    await group.sees("Giro 2")
    await play_to_the_end(harness)
    await group.sees(button="Un altro giro")
    assert [result.edits for result in results] == before


async def known(harness: BotHarness, person: Person) -> PersonRecord:
    """Return the stored data of a person."""
    record = await Repositories(harness.redis).people.person(person.id)
    assert record is not None
    return record


async def test_who_has_blocked_the_bot_is_not_dealt_in_and_a_computer_takes_the_seat(
    harness: BotHarness, clock: Clock, group: Chat, anna: Person, bruno: Person, carla: Person
) -> None:
    await fix(group, anna)
    it_is(harness, clock, moment("20:00"))
    await group.sees(button="Mi siedo")
    for person in (anna, bruno, carla):
        await sits_down(person, group)
    await carla.blocks_bot()
    async with asyncio.timeout(PATIENCE):
        while (await known(harness, carla)).reachable:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    it_is(harness, clock, moment("21:00"))
    tables = await group.sees("Si comincia!")
    assert "Carla" not in tables.text
    table = await group.sees(button="La mia mano")
    assert "Carla" not in table.text
    assert "🤖" in table.text


async def go_away(harness: BotHarness, *names: str) -> None:
    """Give the hands of these people at the round's only table to computer players, as after missed turns."""
    [table] = await dealt(harness)
    assert table.engine is not None

    async def away(now: AnyTable) -> Transition:
        seats = tuple(structs.replace(seat, away=seat.away or seat.name in names) for seat in now.seats)
        return advance(structs.replace(now, seats=seats), [])

    await harness.administered.tables._transactions.act(table.engine, away)


async def seats_of_round(harness: BotHarness) -> tuple[str, set[str]]:
    """Return the host of the round's only table, and the people whose hands computer players hold."""
    [chat_table] = await dealt(harness)
    table = await harness.engine.table(chat_table.engine or "")
    return table.seats[table.host or 0].name, {seat.name for seat in table.seats if seat.away}


async def test_who_is_away_when_a_round_ends_begins_the_next_as_away_unless_they_press_that_they_are_there(
    harness: BotHarness, clock: Clock, group: Chat, anna: Person, bruno: Person, carla: Person
) -> None:
    await gathered(harness, clock, group, [anna, bruno, carla])
    await play_to_the_end(harness)
    await group.sees(button="Un altro giro")
    await go_away(harness, "Anna", "Carla")
    await carla.taps(group, "Al prossimo giro ci sono anch'io")
    await bruno.taps(group, "Un altro giro")
    await group.sees("Giro 2")
    host, away = await seats_of_round(harness)
    assert away == {"Anna"}
    assert host != "Anna"
    await anna.private.sees("Intanto le tue carte le gioca il computer", button="Sono tornato")
    await anna.taps(anna.private, "Sono tornato")
    await anna.private.sees(button="Lascio il tavolo")
    assert (await seats_of_round(harness))[1] == set()
    await play_to_the_end(harness)
    await go_away(harness, "Anna", "Bruno", "Carla")
    await group.sees(button="Un altro giro")
    await bruno.taps(group, "Un altro giro")
    await group.sees("Giro 3")
    assert await seats_of_round(harness) == ("Bruno", {"Anna", "Carla"})


async def test_an_evening_ends_by_itself_half_an_hour_after_its_last_match(
    harness: BotHarness, telegram: Emulator, clock: Clock, group: Chat, anna: Person, bruno: Person
) -> None:
    await gathered(harness, clock, group, [anna, bruno])
    await anna.private.sees(button="Passo")
    await play_to_the_end(harness)
    await group.sees(button="Un altro giro")
    it_is(harness, clock, moment("21:31"))
    await telegram.until(lambda: bool(telegram.journal.of("sendPhoto", chat=group.id)))


async def test_who_is_forgotten_is_in_no_evening(
    harness: BotHarness, clock: Clock, group: Chat, anna: Person, bruno: Person
) -> None:
    await gathered(harness, clock, group, [anna, bruno])
    await anna.private.sees(button="Passo")
    await play_to_the_end(harness)
    await group.sees(button="Un altro giro")
    await anna.says(anna.private, "/dimenticami")
    await anna.private.sees(button="Tutto: lascio anche i miei tavoli")
    await anna.taps(anna.private, "Tutto: lascio anche i miei tavoli")
    await anna.private.sees("ti ho dimenticato")

    async def forgotten() -> bool:
        kept = [
            (key, str(anna.id) in str(await harness.redis.hgetall(key)))
            async for key in harness.redis.scan_iter("bot:evening:*")
        ]
        return not any(entry for _, entry in kept)

    await until(forgotten)


async def test_a_group_that_speaks_english_fixes_its_time_zone(
    harness: BotHarness, telegram: Emulator, clock: Clock
) -> None:
    eve = telegram.person("Eve", language="en")
    group = telegram.supergroup("Friends", [eve])
    await eve.says(group, "/evening")
    await group.sees("When do you play?")
    await eve.says(group, "/evening thursday at 9 pm america/new_york")
    await group.sees("An evening of cards on Thursday 26 November at 21:00 (New York time)")
    await eve.taps(group, "Every Thursday")
    await group.sees("An evening every week; the next one is on Thursday 26 November at 21:00.")
    assert await Repositories(harness.redis).evenings.plan(group.id)


async def test_what_happens_in_a_group_looks_at_no_other_groups_evening(
    harness: BotHarness, clock: Clock, telegram: Emulator, anna: Person, group: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = telegram.supergroup("Vicini", [anna])
    for chat in (group, others):
        await fix(chat, anna)
    it_is(harness, clock, moment("15:00"))
    for chat in (group, others):
        await chat.sees(button="Mi siedo")
    looked: set[int | str] = set()
    look = following.Evenings._look

    async def noted(self: following.Evenings, key: int | str) -> float | None:
        looked.add(key)
        return await look(self, key)

    monkeypatch.setattr(following.Evenings, "_look", noted)
    assert harness.context
    evening = await harness.context.repositories.evenings.latest(group.id)
    assert evening is not None
    await harness.context.repositories.chats.update_settings(group.id, title="Amici di Anna")
    await until(lambda: looked)
    await harness.settle()
    assert looked == {group.id, evening.ref}
