"""People play in a group chat, through the bot and the engine, by pressing what they see."""

import asyncio

from tests.e2e.friends import PATIENCE, Friends, hand_of
from tests.e2e.house import House, newest_hand
from tests.emulator import Person
from tests.emulator.chats import Chat


async def test_three_friends_play_a_match_and_a_rematch(house: House, friends: Friends) -> None:
    await friends.open_a_table()
    await friends.sit_down()
    await friends.start()
    over = await friends.play_to_the_end()
    assert "Vince" in over.text or "Pareggio" in over.text
    assert all(person.name in over.text for person in friends.people)
    await friends.anna.taps(friends.group, "Rivincita")
    await friends.group.sees(button="La mia mano", timeout=PATIENCE)
    person, key, _ = await friends.move()
    assert key.text in friends.group.messages[-1].text or person.name in friends.group.messages[-1].text


async def test_a_hand_is_seen_by_its_holder_alone(house: House, friends: Friends) -> None:
    await friends.open_a_table()
    await friends.sit_down()
    await friends.start()
    for _ in range(12):
        for person in friends.people:
            readable = "".join(call.payload for call in house.telegram.journal.readable_by_others(person.id))
            assert [card for card in hand_of(person) if card in readable] == []
        await friends.move()


async def test_my_hand_in_the_group_is_an_alert_for_the_one_who_taps(house: House, friends: Friends) -> None:
    await friends.open_a_table()
    await friends.sit_down()
    await friends.start()
    answer = await friends.bruno.taps(friends.group, "La mia mano")
    assert answer.alert
    assert answer.text is not None
    assert all(card in answer.text for card in hand_of(friends.bruno))
    stranger = house.telegram.person("Dora", language="it", started=True)
    await stranger.joins(friends.group)
    answer = await stranger.taps(friends.group, "La mia mano")
    assert answer.text is not None
    assert not any(card in answer.text for person in friends.people for card in hand_of(person))


async def test_a_card_that_may_not_be_played_is_refused_in_words_and_changes_nothing(
    house: House, friends: Friends
) -> None:
    await friends.open_a_table()
    await friends.sit_down()
    await friends.start()
    leader, _ = await friends.turn()
    waiting = next(person for person in friends.people if person is not leader)
    before = friends.group.messages[-1].text
    answer = await waiting.taps(waiting.private, hand_of(waiting)[0])
    assert answer.text is not None
    assert leader.name in answer.text
    while True:
        person, _, _ = await friends.move()
        person, _ = await friends.turn()
        losing = [card for card in hand_of(person) if card not in playable_cards(person)]
        if losing:
            break
    answer = await person.taps(person.private, losing[0])
    assert answer.text is not None
    assert losing[0] in answer.text
    assert losing[0] in hand_of(person)
    assert friends.group.messages[-1].text != before


def playable_cards(person: Person) -> list[str]:
    hand = newest_hand(person)
    assert hand is not None
    return [key.text for row in hand.rows for key in row if key.raw.get("style") == "primary"]


async def test_a_double_tap_plays_once_and_a_stale_button_redraws(house: House, friends: Friends) -> None:
    await friends.open_a_table()
    await friends.sit_down()
    await friends.start()
    person, key = await friends.turn()
    taps = [person.presses(person.private, key) for _ in range(2)]
    answers = [await tap.answer() for tap in taps]
    assert sum(1 for answer in answers if answer.text) >= 1
    await until(friends.group, key.text)
    captures_and_plays = friends.group.messages[-1].text.count(f"cala {key.text}")
    assert captures_and_plays == 1
    answer = await person.taps(person.private, key)
    assert answer.text is not None
    assert key.text not in hand_of(person)


async def until(group: Chat, text: str) -> None:
    await group.sees(text, timeout=PATIENCE)


async def test_somebody_leaves_the_group_and_a_computer_player_plays_on(house: House, friends: Friends) -> None:
    await friends.open_a_table()
    await friends.sit_down()
    await friends.start()
    await friends.move()
    await friends.carla.leaves(friends.group)
    friends.people.remove(friends.carla)
    over = await friends.play_to_the_end()
    assert "Carla" in over.text


async def test_somebody_who_blocks_the_bot_does_not_stop_the_game(house: House, friends: Friends) -> None:
    await friends.open_a_table()
    await friends.sit_down()
    await friends.start()
    await friends.bruno.blocks_bot()
    friends.people.remove(friends.bruno)
    over = await friends.play_to_the_end()
    assert "Bruno" in over.text


async def test_a_deadline_passes_and_the_engine_plays(house: House, friends: Friends) -> None:
    await friends.open_a_table()
    await friends.sit_down()
    await friends.anna.taps(friends.group, "Opzioni")
    await friends.group.sees(button="30 secondi")
    await friends.anna.taps(friends.group, "30 secondi")
    await friends.group.sees(button="● 30 secondi")
    await friends.anna.taps(friends.group, "Indietro")
    await friends.group.sees("30 secondi", button="Si comincia")
    await friends.start()
    absent, _ = await friends.turn()
    await house.time_passes(31)
    await friends.group.sees("Tempo scaduto", timeout=PATIENCE)
    assert absent.name in friends.group.messages[-1].text


async def test_the_bot_restarted_in_the_middle_goes_on_where_it_was(house: House, friends: Friends) -> None:
    await friends.open_a_table()
    await friends.sit_down()
    await friends.start()
    await friends.move()
    person, key = await friends.turn()
    await house.stop_bot()
    tap = person.presses(person.private, key)
    await asyncio.sleep(0.2)
    await house.start_bot()
    await tap.answer(timeout=PATIENCE)
    assert "🏁" in (await friends.play_to_the_end()).text
