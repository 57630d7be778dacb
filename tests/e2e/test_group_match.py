"""People play in a group chat, through the bot and the engine, by pressing what they see."""

from tests.e2e.engine_and_bot import EngineAndBot
from tests.e2e.players import GroupPlayers, hand_of, newest_hand
from tests.emulator import Person, TapAnswer
from tests.emulator.chats import PATIENCE, Chat
from tests.secrecy import SecrecyGuard
from tests.telegram.harness import NOT_YET, STALE


async def test_three_people_play_a_match_and_a_rematch_and_nobody_is_shown_a_secret(
    engine_and_bot: EngineAndBot, players: GroupPlayers, secrecy: SecrecyGuard
) -> None:
    await players.begin()
    over = await players.play_to_the_end()
    assert "Vince" in over.text or "Pareggio" in over.text
    assert all(person.name in over.text for person in players.people)
    for person in players.people:
        await person.taps(players.group, "Ci sto")
    await players.group.sees(button="La mia mano", timeout=PATIENCE)
    person, key, _ = await players.move()
    assert key.text in players.group.messages[-1].text or person.name in players.group.messages[-1].text
    assert secrecy.compared > 50


async def test_my_hand_in_the_group_is_an_alert_for_the_one_who_taps(
    engine_and_bot: EngineAndBot, players: GroupPlayers
) -> None:
    await players.begin()
    answer = await players.bruno.taps(players.group, "La mia mano")
    assert answer.alert
    assert answer.text is not None
    assert all(card in answer.text for card in hand_of(players.bruno))
    stranger = engine_and_bot.telegram.person("Dora", language="it", started=True)
    await stranger.joins(players.group)
    answer = await stranger.taps(players.group, "La mia mano")
    assert answer.text is not None
    assert not any(card in answer.text for person in players.people for card in hand_of(person))


async def test_a_card_that_may_not_be_played_is_refused_in_words_and_changes_nothing(
    engine_and_bot: EngineAndBot, players: GroupPlayers
) -> None:
    await players.begin()
    leader, _ = await players.turn()
    waiting = next(person for person in players.people if person is not leader)
    before = players.group.messages[-1].text
    answer = await waiting.taps(waiting.private, hand_of(waiting)[0])
    assert answer.text is not None
    assert leader.name in answer.text
    person, losing, answer = await tap_on_a_losing_card(players)
    assert answer.text is not None
    assert losing in answer.text
    assert losing in hand_of(person)
    assert players.group.messages[-1].text != before


async def tap_on_a_losing_card(players: GroupPlayers) -> tuple[Person, str, TapAnswer]:
    """Play until a person on turn holds an illegal card, and let them tap it."""
    while True:
        await players.move()
        person, _ = await players.turn()
        losing = [card for card in hand_of(person) if card not in playable_cards(person)]
        if losing and playable_cards(person):  # the bot passes for people who cannot play any card
            answer = await person.taps(person.private, losing[0])
            # otherwise the hand was drawn before the last move
            if not (answer.text or "").startswith((STALE, NOT_YET)):
                return person, losing[0], answer


def playable_cards(person: Person) -> list[str]:
    hand = newest_hand(person)
    assert hand is not None
    return [key.text for row in hand.rows for key in row if key.raw.get("style") == "primary"]


async def test_a_double_tap_plays_once_and_a_stale_button_redraws(
    engine_and_bot: EngineAndBot, players: GroupPlayers
) -> None:
    await players.begin()
    person, key = await players.turn()
    taps = [person.presses(person.private, key) for _ in range(2)]
    answers = [await tap.answer() for tap in taps]
    assert sum(1 for answer in answers if answer.text) >= 1
    await until(players.group, key.text)
    captures_and_plays = players.group.messages[-1].text.count(f"cala {key.text}")
    assert captures_and_plays == 1
    answer = await person.taps(person.private, key)
    assert answer.text is not None
    assert key.text not in hand_of(person)


async def until(group: Chat, text: str) -> None:
    await group.sees(text, timeout=PATIENCE)


async def test_somebody_leaves_the_group_and_a_computer_player_plays_on(
    engine_and_bot: EngineAndBot, players: GroupPlayers
) -> None:
    await players.begin()
    await players.move()
    await players.carla.leaves(players.group)
    players.people.remove(players.carla)
    over = await players.play_to_the_end()
    assert "Carla" in over.text


async def test_somebody_who_blocks_the_bot_does_not_stop_the_game(
    engine_and_bot: EngineAndBot, players: GroupPlayers
) -> None:
    await players.begin()
    await players.bruno.blocks_bot()
    players.people.remove(players.bruno)
    over = await players.play_to_the_end()
    assert "Bruno" in over.text


async def test_a_deadline_passes_and_the_engine_plays(engine_and_bot: EngineAndBot, players: GroupPlayers) -> None:
    await players.open_a_table()
    await players.sit_down()
    await players.anna.taps(players.group, "Opzioni")
    await players.group.sees(button="30 secondi")
    await players.anna.taps(players.group, "30 secondi")
    await players.group.sees(button="● 30 secondi")
    await players.anna.taps(players.group, "Indietro")
    await players.group.sees("30 secondi", button="Si comincia")
    await players.start()
    absent, _ = await players.turn()
    await engine_and_bot.time_passes(31)
    await players.group.sees("Tempo scaduto", timeout=PATIENCE)
    assert absent.name in players.group.messages[-1].text


async def test_the_bot_restarted_in_the_middle_goes_on_where_it_was(
    engine_and_bot: EngineAndBot, players: GroupPlayers
) -> None:
    await players.begin()
    await players.move()
    person, key = await players.turn()
    await engine_and_bot.stop_bot()
    tap = person.presses(person.private, key)
    await engine_and_bot.start_bot()
    await tap.answer(timeout=PATIENCE)
    assert "🏁" in (await players.play_to_the_end()).text
