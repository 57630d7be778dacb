"""A match goes on after failures: restarts, lost messages, people and groups that leave."""

import re
from unittest.mock import AsyncMock

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from locanda.errors import unreachable
from locanda.messages import ChangeTable, Seated, SitDown
from services.telegram.repositories import keys
from services.telegram.repositories.chat_tables import MOST_NUDGES
from services.telegram.repositories.repositories import Repositories
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import (
    BotHarness,
    hand,
    on_turn,
    plays,
    plays_until,
    plays_until_one_has_one_card,
    turn_of_somebody,
)
from tests.telegram.lobby_steps import deal, open_lobby, sit
from tests.waiting import until


def sent_and_deleted(telegram: Emulator) -> tuple[int, int]:
    """Return how many messages the bot has sent, and how many deletions it has asked for."""
    return len(telegram.journal.of("sendMessage")), len(telegram.journal.of("deleteMessage"))


async def test_a_restart_repeats_nothing_and_loses_nothing(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    people = [anna, bruno, carla]
    await deal(people, group)
    await plays(await turn_of_somebody(people))
    await turn_of_somebody(people)
    await harness.settle()
    before = sent_and_deleted(telegram)
    await harness.restart()
    await harness.settle()
    assert sent_and_deleted(telegram) == before
    await plays_until_one_has_one_card(harness, people)
    await plays_until(people, lambda: group.shows(button="Ci sto"))
    await harness.settle()
    before = sent_and_deleted(telegram)
    await harness.restart()
    await harness.settle()
    assert sent_and_deleted(telegram) == before


async def test_taps_made_while_the_bot_is_down_are_served_afterwards(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    leader = await turn_of_somebody([anna, bruno])
    await harness.close()
    tap = leader.presses(leader.private, hand(leader).rows[0][0])
    await harness.open()
    assert not (await tap.answer()).text
    await group.sees(f"{leader.name} cala")


async def test_the_game_goes_on_when_the_group_becomes_a_supergroup(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person
) -> None:
    group = telegram.group("Piccoli", [anna, bruno])
    await deal([anna, bruno], group)
    await anna.upgrades(group)
    await group.sees(button="La mia mano")
    await plays(await turn_of_somebody([anna, bruno]))
    await group.sees("cala")
    await plays_until_one_has_one_card(harness, [anna, bruno])
    await plays_until([anna, bruno], lambda: group.shows(button="Ci sto"))


async def test_removed_and_added_again_the_bot_shows_the_present_table(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    people = [anna, bruno]
    await deal(people, group)
    await anna.removes_bot(group)
    player = await turn_of_somebody(people)
    await plays(player)
    await turn_of_somebody([person for person in people if person is not player])
    await anna.adds_bot(group)
    await group.sees(f"{player.name} cala")


async def test_made_administrator_of_a_channel_the_bot_posts_nothing_there(
    harness: BotHarness, telegram: Emulator, anna: Person
) -> None:
    channel, others = telegram.supergroup("Annunci", [anna], bot="absent"), telegram.group("Altri", [anna])
    channel.state.kind = "channel"
    await anna.promotes_bot(channel)
    await anna.removes_bot(others)
    await anna.adds_bot(others)
    await others.sees("Benvenuti alla locanda")
    await harness.settle()
    assert not channel.messages


async def test_who_blocks_the_bot_is_replaced_and_written_to_no_more_and_the_game_goes_on(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    people = [anna, bruno, carla]
    await deal(people, group)
    await harness.settle()
    calls = len(telegram.journal)
    await bruno.blocks_bot()
    await group.sees("Bruno 🤖")
    await anna.says(group, "/sollecita")
    await plays_until_one_has_one_card(harness, [anna, carla])
    await plays_until([anna, carla], lambda: group.shows(button="Ci sto"))
    assert not [call for call in telegram.journal[calls:] if call.chat_id == bruno.id]


async def test_who_unblocks_the_bot_reads_what_has_become_of_their_cards_and_sits_down_again(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await bruno.blocks_bot()
    await group.sees("Bruno 🤖")
    await bruno.unblocks_bot()
    await bruno.private.sees("Rieccoti! Mentre mi avevi bloccato, le tue carte le ha giocate il computer.")
    await bruno.says(group, "/gioca")
    await group.sees(button="Gatto Rosso")
    await bruno.taps(group, "Gatto Rosso")
    await group.sees("👤 Bruno")


async def test_who_deletes_their_account_is_replaced_when_their_hand_cannot_be_delivered(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    people = [anna, bruno, carla]
    await deal(people, group)
    player = await turn_of_somebody(people)
    gone = next(person for person in people if person is not player)
    await gone.deletes_account()
    rest = [person for person in people if person is not gone]
    await plays_until(rest, lambda: group.shows(f"{gone.name} 🤖"))
    await plays_until_one_has_one_card(harness, rest)
    await plays_until(rest, lambda: group.shows(button="Ci sto"))


async def test_who_leaves_the_group_leaves_its_tables_even_while_the_engine_is_away(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await deal([anna, bruno, carla], group)
    with monkeypatch.context() as outage:
        refused = AsyncMock(side_effect=unreachable(""))
        outage.setattr(harness.engine, "leave", refused)
        await carla.leaves(group)
        await until(lambda: refused.await_count > 1)
    await group.sees("Carla 🤖")
    await carla.private.sees("Non sei più in Amici")
    await anna.promotes_bot(group)
    await bruno.leaves(group, announced=False)
    await group.sees("Bruno 🤖")


async def test_a_seat_whose_giving_the_engine_did_not_confirm_is_shown_once_it_answers(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, anna: Person, bruno: Person, group: Chat
) -> None:
    await bruno.starts()
    await open_lobby(anna, group)
    sit_down = harness.engine.sit

    async def give_the_seat_without_an_answer(table: str, request: SitDown, *, key: str) -> Seated:
        await sit_down(table, request, key=key)
        monkeypatch.setattr(harness.engine, "sit", sit_down)
        raise unreachable("")

    monkeypatch.setattr(harness.engine, "sit", give_the_seat_without_an_answer)
    answer = await bruno.taps(group, "Siediti")
    assert "non risponde" in (answer.text or "")
    await group.sees("👤 Bruno")


async def test_a_press_that_an_outage_of_redis_cuts_short_is_drawn_once_redis_answers(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, anna: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await group.sees("👤 Anna")

    async def fail(*_: object) -> None:
        raise RedisConnectionError

    assert harness.context
    monkeypatch.setattr(harness.context.repositories.seats, "forget", fail)
    answer = await anna.taps(group, "Alzati")
    assert "non risponde" in (answer.text or "")
    monkeypatch.undo()
    await group.sees("10 posti liberi")


async def test_who_leaves_the_group_during_the_lobby_frees_the_seat(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await sit(bruno, group)
    await bruno.leaves(group)
    await group.until(lambda place: place.shows("👤 Bruno") is None)


async def test_a_vanished_table_message_is_sent_anew(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await anna.deletes(await group.sees(button="La mia mano"))
    await plays(await turn_of_somebody([anna, bruno]))
    await group.sees(button="La mia mano")


async def test_a_flooded_group_catches_up_and_the_hands_do_not_wait(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    people = [anna, bruno]
    await deal(people, group)
    telegram.flood(group, 2)
    first = await turn_of_somebody(people)
    await plays(first)
    second = await turn_of_somebody([person for person in people if person is not first])
    await plays(second)
    await group.sees(f"{second.name}")


@pytest.mark.parametrize("before", [False, True])
async def test_a_lost_connection_neither_doubles_the_end_nor_loses_it(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat, *, before: bool
) -> None:
    people = [anna, bruno]
    await deal(people, group)
    await plays_until_one_has_one_card(harness, people)
    telegram.drop_next("sendMessage", chat=group, before=before)
    await plays_until(people, lambda: group.shows(button="Ci sto"))
    await harness.settle()
    assert len([message for message in group.messages if "Ci sto" in message.labels]) == 1


async def test_nobody_waits_for_ever(harness: BotHarness, anna: Person, bruno: Person, group: Chat) -> None:
    table_seconds = 1
    await open_lobby(anna, group)
    await sit(bruno, group)
    lobby = await group.sees("Tempo per mossa")
    assert "2 minuti" in lobby.text
    await _set_time(harness, table_seconds)
    await group.sees("1 secondo")
    await anna.taps(group, "Si comincia")
    await group.sees("Tempo scaduto")
    away = await _somebody_away([anna, bruno], group)
    assert (await away.taps(away.private, "Sono tornato")).text == "Rieccoti al tavolo!"
    await away.private.until(lambda place: any("Passo" in message.labels for message in place.messages))


async def _set_time(harness: BotHarness, seconds: int) -> None:
    """Set a shorter time for turns at the only table than any button offers, so that the test is quick."""
    repositories = Repositories(harness.redis)
    chat_table = (await repositories.chat_tables.all())[0]
    assert chat_table.engine is not None
    for token in (await repositories.seats.tokens(chat_table.ref)).values():
        seen = await harness.engine.table(chat_table.engine, token)
        if seen.you == seen.host:
            await harness.engine.change_table(chat_table.engine, token, ChangeTable(turn_seconds=seconds))


async def _somebody_away(people: list[Person], group: Chat) -> Person:
    def away() -> Person | None:
        return next((person for person in people if person.private.shows(button="Sono tornato")), None)

    await group.until(lambda _: away())
    person = away()
    assert person is not None
    return person


async def test_a_nudge_calls_the_one_on_turn_once_a_minute(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    people = [anna, bruno, carla]
    await deal(people, group)
    player = await turn_of_somebody(people)
    await anna.says(group, "/sollecita")
    called = await group.sees(re.compile("tocca a te[!:]"))
    assert player.name in called.text
    await anna.says(group, "/nudge")
    await anna.private.sees("un po' di pazienza")


async def test_only_who_sits_nudges_and_three_times_a_turn_and_others_are_refused_in_private(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await carla.starts()
    await carla.private.sees("Benvenuti")
    await deal([anna, bruno], group)
    await turn_of_somebody([anna, bruno])
    [chat_table] = await Repositories(harness.redis).chat_tables.all()
    await carla.says(group, "/sollecita")
    await carla.private.sees("Può farlo solo chi è seduto qui.")
    for _ in range(MOST_NUDGES):
        await group.sees("🔔", after=await anna.says(group, "/sollecita"))
        await harness.redis.delete(keys.nudged(chat_table.ref))
    await anna.says(group, "/sollecita")
    await anna.private.sees("un po' di pazienza")
    assert sum("🔔" in message.text for message in group.messages) == MOST_NUDGES
    assert not group.shows("pazienza")
    assert not group.shows("solo chi è seduto")


async def test_nudges_can_be_switched_off(harness: BotHarness, anna: Person, bruno: Person, group: Chat) -> None:
    await anna.says(group, "/impostazioni")
    await group.sees(button="Spegni i solleciti")
    await anna.taps(group, "Spegni i solleciti")
    await group.sees(button="Accendi i solleciti")
    await bruno.says(group, "/sollecita")
    await group.sees("i solleciti sono spenti")
    await anna.says(group, "/sollecita")
    await anna.private.sees("i solleciti sono spenti")


async def test_settings_are_for_administrators_hidden_ones_too(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await bruno.says(group, "/impostazioni")
    await group.sees("solo gli amministratori")
    await anna.says(group, "/impostazioni", anonymous=True)
    await group.sees(button="● Italiano")
    assert (await bruno.taps(group, "English")).text == "Possono farlo solo gli amministratori del gruppo."
    await anna.taps(group, "English")
    await group.sees("Settings of the group")
    await anna.says(group, "/play")
    await group.sees("What shall we play?")


async def test_a_group_may_leave_its_tables_to_administrators(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await anna.says(group, "/impostazioni")
    await group.sees(button="Tavoli: limita agli amministratori")
    await anna.taps(group, "Tavoli: limita agli amministratori")
    await group.sees(button="Tavoli: permetti a tutti")
    await bruno.says(group, "/gioca")
    await group.sees("i tavoli li aprono e li chiudono gli amministratori")
    await anna.says(group, "/gioca", anonymous=True)
    await group.sees("A che cosa giochiamo?")


async def test_a_table_with_cards_is_closed_by_command_after_a_question(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await anna.says(group, "/chiudi")
    await group.sees(button="Sì, chiudilo")
    await anna.taps(group, "Sì, chiudilo")
    await group.sees("👍 Anna")
    await bruno.taps(group, "Sì, chiudilo")
    await group.until(lambda place: place.shows(button="La mia mano") is None)
    await bruno.private.sees("hanno chiuso il tavolo in Amici")
    assert on_turn([anna, bruno]) is None


async def tables_of_the_engine(harness: BotHarness) -> str:
    """Return the engine's public view of the bot's tables, with their last events."""
    assert harness.context is not None
    chat_tables = harness.context.repositories.chat_tables
    ids = [table.engine for table in await chat_tables.all() if table.engine is not None]
    shown = [(await harness.engine.table(table), await harness.engine.event_page(table, after=0)) for table in ids]
    return repr(shown)


async def test_who_asks_to_be_forgotten_is(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    people = [anna, bruno, carla]
    await deal(people, group)
    await bruno.says(bruno.private, "/dimenticami")
    await bruno.private.sees("Che cosa devo dimenticare?")
    await bruno.taps(bruno.private, "Tutto: lascio anche i miei tavoli")
    await bruno.private.sees("ai tuoi posti c'è un altro nome")
    table = await group.sees("Ugo 🤖")
    await group.until(lambda _: "Bruno" not in table.text)
    assert "Bruno" not in await tables_of_the_engine(harness)
    assert not await harness.redis.exists(f"bot:person:{bruno.id}")


async def test_who_has_left_a_match_before_and_asks_to_be_forgotten_is_forgotten_there_too(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await deal([anna, bruno, carla], group)
    await bruno.taps(bruno.private, "Lascio il tavolo")
    await bruno.private.sees(button="Sì, me ne vado")
    await bruno.taps(bruno.private, "Sì, me ne vado")
    await group.sees("Bruno 🤖")
    await bruno.says(bruno.private, "/dimenticami")
    await bruno.private.sees("Che cosa devo dimenticare?")
    await bruno.taps(bruno.private, "Tutto: lascio anche i miei tavoli")
    await group.sees("Ugo 🤖")
    assert "Bruno" not in await tables_of_the_engine(harness)


async def test_a_private_chat_is_in_its_owners_language(harness: BotHarness, anna: Person) -> None:
    await anna.says(anna.private, "/impostazioni")
    await anna.private.sees(button="● Italiano")
    await anna.taps(anna.private, "English")
    await anna.private.sees("Your settings")
    await anna.says(anna.private, "/aiuto")
    await anna.private.sees("Welcome to the inn!")
