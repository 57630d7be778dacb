"""What goes wrong around a game, and that it goes on."""

import asyncio

from services.telegram.memory.memory import Memory
from shared.messages import ChangeTable
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.acts import deal, open_lobby, sit
from tests.telegram.inn import Inn, hand, on_turn, plays, plays_until, turn_of_somebody


async def test_a_restart_repeats_nothing_and_loses_nothing(
    house: Inn, telegram: Emulator, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    friends = [anna, bruno, carla]
    await deal(friends, group)
    await plays(await turn_of_somebody(friends))
    await turn_of_somebody(friends)
    await asyncio.sleep(0.1)
    sent = len(telegram.journal.of("sendMessage"))
    await house.restart()
    await asyncio.sleep(0.3)
    assert len(telegram.journal.of("sendMessage")) == sent
    await plays_until(friends, lambda: group.shows(button="Rivincita"))
    sent = len(telegram.journal.of("sendMessage"))
    await house.restart()
    await asyncio.sleep(0.3)
    assert len(telegram.journal.of("sendMessage")) == sent


async def test_taps_made_while_the_bot_is_down_are_served_afterwards(
    house: Inn, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    leader = await turn_of_somebody([anna, bruno])
    await house.close()
    tap = leader.presses(leader.private, hand(leader).rows[0][0])
    await house.open()
    assert not (await tap.answer()).text
    await group.sees(f"{leader.name} cala")


async def test_the_game_goes_on_when_the_group_becomes_a_supergroup(
    house: Inn, telegram: Emulator, anna: Person, bruno: Person
) -> None:
    group = telegram.group("Piccoli", [anna, bruno])
    await deal([anna, bruno], group)
    await anna.upgrades(group)
    await group.sees(button="La mia mano")
    await plays(await turn_of_somebody([anna, bruno]))
    await group.sees("cala")
    await plays_until([anna, bruno], lambda: group.shows(button="Rivincita"))


async def test_removed_and_added_again_the_bot_shows_the_table_as_it_stands(
    house: Inn, anna: Person, bruno: Person, group: Chat
) -> None:
    friends = [anna, bruno]
    await deal(friends, group)
    await anna.removes_bot(group)
    player = await turn_of_somebody(friends)
    await plays(player)
    await turn_of_somebody([person for person in friends if person is not player])
    await anna.adds_bot(group)
    await group.sees(f"{player.name} cala")


async def test_who_blocks_the_bot_is_replaced_and_the_game_goes_on(
    house: Inn, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    friends = [anna, bruno, carla]
    await deal(friends, group)
    await bruno.blocks_bot()
    await group.sees("Bruno 🤖")
    await plays_until([anna, carla], lambda: group.shows(button="Rivincita"))


async def test_who_deletes_his_account_is_replaced_when_his_hand_cannot_be_delivered(
    house: Inn, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    friends = [anna, bruno, carla]
    await deal(friends, group)
    player = await turn_of_somebody(friends)
    gone = next(person for person in friends if person is not player)
    await gone.deletes_account()
    await plays(player)
    await group.sees(f"{gone.name} 🤖")
    rest = [person for person in friends if person is not gone]
    await plays_until(rest, lambda: group.shows(button="Rivincita"))


async def test_who_leaves_the_group_leaves_its_tables(
    house: Inn, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await deal([anna, bruno, carla], group)
    await carla.leaves(group)
    await group.sees("Carla 🤖")
    await anna.removes(group, bruno)
    await group.sees("Bruno 🤖")


async def test_who_leaves_the_group_during_the_lobby_frees_the_seat(
    house: Inn, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await sit(bruno, group)
    await bruno.leaves(group)
    await group.until(lambda place: place.shows("👤 Bruno") is None)


async def test_a_vanished_table_message_is_sent_anew(house: Inn, anna: Person, bruno: Person, group: Chat) -> None:
    await deal([anna, bruno], group)
    await anna.deletes(await group.sees(button="La mia mano"))
    await plays(await turn_of_somebody([anna, bruno]))
    await group.sees(button="La mia mano")


async def test_a_flooded_group_catches_up_and_the_hands_do_not_wait(
    house: Inn, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    friends = [anna, bruno]
    await deal(friends, group)
    telegram.flood(group, 2)
    first = await turn_of_somebody(friends)
    await plays(first)
    second = await turn_of_somebody([person for person in friends if person is not first])
    await plays(second)
    await group.sees(f"{second.name}", timeout=8)


async def test_a_lost_connection_neither_doubles_the_end_nor_loses_a_hand(
    house: Inn, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    friends = [anna, bruno]
    await deal(friends, group)
    await plays_until(friends, lambda: group.shows("Il tallone è finito"))
    telegram.drop_next("sendMessage", chat=group)
    await plays_until(friends, lambda: group.shows(button="Rivincita"))
    await asyncio.sleep(0.3)
    assert len([message for message in group.messages if "Rivincita" in message.labels]) == 1


async def test_nobody_waits_for_ever(house: Inn, anna: Person, bruno: Person, group: Chat) -> None:
    table_seconds = 1
    await open_lobby(anna, group)
    await sit(bruno, group)
    lobby = await group.sees("Tempo per mossa")
    assert "2 minuti" in lobby.text
    await _set_time(house, table_seconds)
    await group.sees("1 secondo")
    await anna.taps(group, "Si comincia")
    await group.sees("Tempo scaduto", timeout=8)
    away = await _somebody_away([anna, bruno], group)
    assert (await away.taps(away.private, "Sono tornato")).text == "Rieccoti al tavolo!"
    await away.private.until(lambda place: any("Passo" in message.labels for message in place.messages))


async def _set_time(house: Inn, seconds: int) -> None:
    """Give the one table a time for a turn that no button offers, so that the test need not wait."""
    memory = Memory(house.redis)
    room = (await memory.rooms.existing(await memory.rooms.live()))[0]
    assert room.engine is not None
    for token in (await memory.seats.tokens(room.ref)).values():
        seen = await house.engine.table(room.engine, token)
        if seen.you == seen.host:
            await house.engine.change_table(room.engine, token, ChangeTable(turn_seconds=seconds))


async def _somebody_away(people: list[Person], group: Chat) -> Person:
    for _ in range(1000):
        for person in people:
            if person.private.shows(button="Sono tornato") is not None:
                return person
        await asyncio.sleep(0.01)
    raise AssertionError(group.render())


async def test_a_nudge_calls_the_one_on_turn_once_a_minute(
    house: Inn, telegram: Emulator, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    friends = [anna, bruno, carla]
    await deal(friends, group)
    player = await turn_of_somebody(friends)
    await anna.says(group, "/sollecita")
    called = await group.sees("tocca a te!")
    assert player.name in called.text
    await anna.says(group, "/nudge")
    await group.sees("un po' di pazienza")


async def test_nudges_can_be_switched_off(house: Inn, anna: Person, bruno: Person, group: Chat) -> None:
    await anna.says(group, "/impostazioni")
    await group.sees(button="Spegni i solleciti")
    await anna.taps(group, "Spegni i solleciti")
    await group.sees(button="Accendi i solleciti")
    await bruno.says(group, "/sollecita")
    await group.sees("i solleciti sono spenti")


async def test_settings_are_for_administrators_hidden_ones_too(
    house: Inn, anna: Person, bruno: Person, group: Chat
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
    house: Inn, anna: Person, bruno: Person, group: Chat
) -> None:
    await anna.says(group, "/impostazioni")
    await group.sees(button="Tavoli: solo gli amministratori")
    await anna.taps(group, "Tavoli: solo gli amministratori")
    await group.sees(button="Tavoli: tutti")
    await bruno.says(group, "/gioca")
    await group.sees("i tavoli li aprono e li chiudono gli amministratori")
    await anna.says(group, "/gioca", anonymous=True)
    await group.sees("A che cosa giochiamo?")


async def test_a_table_with_cards_is_closed_by_command_after_a_question(
    house: Inn, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await anna.says(group, "/chiudi")
    await group.sees("Quale tavolo chiudo?")
    await anna.taps(group, "Gatto Rosso Gatto Grigio · tavolo A")
    await group.sees(button="Sì, chiudilo")
    await anna.taps(group, "Sì, chiudilo")
    await group.until(lambda place: place.shows(button="La mia mano") is None)
    await bruno.private.sees("Hai lasciato il tavolo")
    assert on_turn([anna, bruno]) is None


async def test_who_asks_to_be_forgotten_is(house: Inn, anna: Person, bruno: Person, carla: Person, group: Chat) -> None:
    friends = [anna, bruno, carla]
    await deal(friends, group)
    await bruno.says(bruno.private, "/dimenticami")
    await bruno.private.sees("Che cosa devo dimenticare?")
    await bruno.taps(bruno.private, "Tutto: lascio anche i miei tavoli")
    await bruno.private.sees("di te non so più niente")
    await group.sees("Bruno 🤖")
    assert not await house.redis.exists(f"bot:person:{bruno.id}")


async def test_a_private_chat_speaks_its_owners_language(house: Inn, anna: Person) -> None:
    await anna.says(anna.private, "/impostazioni")
    await anna.private.sees(button="● Italiano")
    await anna.taps(anna.private, "English")
    await anna.private.sees("Your settings")
    await anna.says(anna.private, "/aiuto")
    await anna.private.sees("Welcome to the inn!")
