"""A match played with buttons: hands, refusals, stale buttons, the end and the rematch."""

from dataclasses import replace

import pytest

from locanda.client import EngineClient
from locanda.messages import GivenMove
from services.telegram.play.turns import PASS
from services.telegram.repositories.repositories import Repositories
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import (
    BotHarness,
    all_stay,
    cards,
    hand,
    on_turn,
    plays,
    plays_until,
    plays_until_one_has_one_card,
    turn_of_somebody,
)
from tests.telegram.lobby_steps import deal, deal_two_deals, open_lobby, practise


@pytest.mark.costly
async def test_three_people_play_a_deal_to_its_end_and_again(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    people = [anna, bruno, carla]
    await deal(people, group)
    await plays_until(people, lambda: group.shows(button="Ci sto"))
    end = await group.sees(button="Ci sto")
    assert "🥇" in end.text
    for person in people:
        await person.private.sees("⭐ Il tuo punteggio in classifica: ", button="Torna al gruppo")
    answer = await carla.taps(group, "🔏 La prova")
    assert answer.url is not None
    await carla.opens(answer.url)
    await carla.private.sees("locanda-verify")
    await carla.says(group, "/classifica")
    board = await group.sees("🏆")
    assert all(f"{friend.name} · " in board.text for friend in people)
    assert board.text.count("1 partita") == 3
    stale = end.button("Ci sto")
    await all_stay(people, group)
    await group.until(lambda place: place.shows(button="Ci sto") is None)
    assert (await anna.taps(group, stale)).text == "La rivincita è già cominciata!"
    await turn_of_somebody(people)
    await group.sees(button="La mia mano")
    assert len([message for message in group.messages if "La mia mano" in message.labels]) == 1


async def test_who_leaves_a_match_comes_last_in_its_ratings(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await plays_a_turn_of(bruno, [anna, bruno])
    await leaves_for_good(bruno)
    await plays_until_one_has_one_card(harness, [anna])
    await plays_until([anna], lambda: group.shows(button="Ci sto"))
    await harness.restart()  # a restarted bot sees the match's end again
    await harness.settle()
    await anna.says(group, "/classifica")
    board = await group.sees("🏆", button="Prima il punteggio più alto")
    await anna.taps(group, "Prima il punteggio più alto", message=board)
    await group.until(lambda _: "Prima chi vince di più" in board.labels)
    first, last = [line for line in board.text.splitlines() if line.endswith("· 1 partita")]
    assert first.startswith("🥇 Anna · ⭐ 1131 ± 337? · ")
    assert last.startswith("🥈 Bruno · ⭐ 869 ± 337? · 0 vittorie · 1 partita")


async def test_who_leaves_without_a_turn_of_their_own_is_not_in_the_leaderboard(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await deal([anna, bruno, carla], group)
    first = await turn_of_somebody([anna, bruno, carla])
    leaver = next(person for person in (bruno, carla) if person is not first)
    staying = [person for person in (anna, bruno, carla) if person is not leaver]
    await leaves_for_good(leaver)
    await plays_until_one_has_one_card(harness, staying)
    await plays_until(staying, lambda: group.shows(button="Ci sto"))
    await anna.says(group, "/classifica")
    board = await group.sees("🏆")
    assert all(f"{person.name} · " in board.text for person in staying)
    assert f"{leaver.name} · " not in board.text


async def test_a_match_that_one_person_played_alone_counts_for_nobody(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await leaves_for_good(bruno)
    await plays_until_one_has_one_card(harness, [anna])
    await plays_until([anna], lambda: group.shows(button="Ci sto"))
    await anna.says(group, "/classifica")
    board = await group.sees("🏆")
    assert "1 partita" not in board.text


async def leaves_for_good(person: Person) -> None:
    """Leave the table, in the private chat."""
    await person.taps(person.private, "Lascio il tavolo")
    await person.private.sees(button="Sì, me ne vado")
    await person.taps(person.private, "Sì, me ne vado")
    await person.private.sees("Hai lasciato il tavolo")


async def plays_a_turn_of(person: Person, people: list[Person]) -> None:
    """Play for all people until `person` has made a move."""
    player = None
    while player is not person:
        player = await turn_of_somebody(people)
        await plays(player)


async def test_nobody_else_can_read_a_hand(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    people = [anna, bruno, carla]
    await deal(people, group)
    held = {person: {button.text for button in cards(hand(person))} for person in people}
    for person in people:
        answer = await person.taps(group, "La mia mano")
        assert answer.alert
        assert answer.text is not None
        assert all(card in answer.text for card in held[person])
        for call in telegram.journal.readable_by_others(person.id):
            assert not any(card in call.payload for card in held[person])


async def test_someone_who_does_not_sit_here_sees_no_hand(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    assert (await carla.taps(group, "La mia mano")).text == "Non hai un posto a questo tavolo."


async def test_a_refused_card_is_explained_and_nothing_moves(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    people = [anna, bruno, carla]
    await deal(people, group)
    leader = await turn_of_somebody(people)
    refused = await leader.taps(leader.private, "Passo")
    assert refused.text is not None
    assert refused.text.startswith("Apri tu")
    waiting = next(person for person in people if person is not leader)
    early = await waiting.taps(waiting.private, cards(hand(waiting))[0])
    assert early.text == f"Non tocca ancora a te: è il turno di {leader.name}."
    assert on_turn(people) is leader


async def test_a_double_tap_plays_once(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    people = [anna, bruno, carla]
    await deal(people, group)
    leader = await turn_of_somebody(people)
    card = cards(hand(leader))[0]
    first, second = leader.presses(leader.private, card), leader.presses(leader.private, card)
    assert not (await first.answer()).text
    assert ((await second.answer()).text or "").startswith("Non tocca ancora a te: è il turno di")
    table = await group.sees(f"{leader.name} cala {card.text}")
    assert table.text.count(f"{leader.name} cala") == 1


async def test_a_stale_button_redraws_the_screen(harness: BotHarness, anna: Person, bruno: Person, group: Chat) -> None:
    people = [anna, bruno]
    await deal(people, group)
    leader = await turn_of_somebody(people)
    old = [*cards(hand(leader))]
    await plays(leader)
    await plays(await turn_of_somebody([person for person in people if person is not leader]))
    assert (await leader.taps(leader.private, old[-1])).text == "Il tavolo è andato avanti: eccolo com'è adesso."


async def test_the_hand_of_one_who_waits_is_not_drawn_at_the_moves_of_others_and_tells_whose_turn_it_is(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    people = [anna, bruno, carla]
    await deal(people, group)
    leader = await turn_of_somebody(people)
    await harness.settle()
    before = len(telegram.journal)
    await plays(leader)
    following = await turn_of_somebody([person for person in people if person is not leader])
    await harness.settle()
    waiting = next(person for person in people if person not in {leader, following})
    drawn = [call for call in telegram.journal[before:] if call.chat_id == waiting.private.id]
    assert drawn == []
    answer = await waiting.taps(waiting.private, cards(hand(waiting))[0])
    assert answer.text == f"Non tocca ancora a te: è il turno di {following.name}."


async def test_one_new_hand_message_is_sent_when_the_turn_comes_and_one_is_left(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    people = [anna, bruno]
    await deal(people, group)
    leader = await turn_of_somebody(people)
    other = next(person for person in people if person is not leader)
    before = len(telegram.journal.of("sendMessage", chat=other.private.id))
    await plays(leader)
    assert await turn_of_somebody([other]) is other
    await harness.settle()
    assert len(telegram.journal.of("sendMessage", chat=other.private.id)) == before + 1
    assert len([message for message in other.private.messages if "Passo" in message.labels]) == 1


async def test_who_leaves_for_good_is_asked_twice_and_replaced(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await deal([anna, bruno, carla], group)
    await anna.taps(anna.private, "Lascio il tavolo")
    await anna.private.sees("Vuoi lasciare il tavolo?")
    await anna.taps(anna.private, "No, resto")
    await anna.private.sees(button="Lascio il tavolo")
    await anna.taps(anna.private, "Lascio il tavolo")
    await anna.private.sees(button="Sì, me ne vado")
    await anna.taps(anna.private, "Sì, me ne vado")
    await anna.private.sees("Hai lasciato il tavolo")
    await group.sees("Anna 🤖")


async def test_the_end_of_a_deal_is_announced_and_the_next_has_its_own_message(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal_two_deals(anna, bruno, group)
    await plays_until_one_has_one_card(harness, [anna, bruno])
    await plays_until([anna, bruno], lambda: group.shows("smazzata 2 di 2"))
    await group.sees("La smazzata 1 di 2 è finita.")
    await plays_until_one_has_one_card(harness, [anna, bruno])
    await plays_until([anna, bruno], lambda: group.shows(button="Ci sto"))
    assert len([message for message in group.messages if "La smazzata 1 di 2" in message.text]) == 1
    await group.until(lambda chat: not chat.shows(button="La mia mano"))


async def test_who_presses_pass_after_they_have_passed_reads_that_they_have(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    repositories, engine = Repositories(harness.redis), harness.engine
    [chat_table] = await repositories.chat_tables.all()
    tokens = await repositories.seats.tokens(chat_table.ref)
    assert chat_table.engine is not None
    while not (forced := [user for user, token in tokens.items() if await is_forced(engine, chat_table.engine, token)]):
        for token in tokens.values():
            for move in (await engine.table(chat_table.engine, token)).moves[:1]:
                await engine.play(chat_table.engine, token, move)
    [person] = [player for player in (anna, bruno) if player.id in forced]
    message = await person.private.sees("Tocca a te", button="Passo")
    await harness.settle()
    button = message.button("Passo")
    await engine.play(chat_table.engine, tokens[person.id], GivenMove(PASS))
    assert (await person.taps(person.private, button, message=message)).text == "Hai già passato."


async def is_forced(engine: EngineClient, table: str, token: str) -> bool:
    """Return whether the player with this token can only pass."""
    return (await engine.table(table, token)).moves == [PASS]


async def test_alone_a_match_is_played_to_its_end_in_one_message(
    harness: BotHarness, telegram: Emulator, anna: Person
) -> None:
    await practise(anna, "facile × 1")
    await plays_until([anna], lambda: anna.private.shows(button="Rivincita"))
    sent = telegram.journal.of("sendMessage", chat=anna.private.id)
    assert len(sent) == 4  # the welcome, the choice, the hand, the end


async def test_rules_open_in_private_and_mark_the_variants(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await anna.taps(group, "Opzioni")
    await group.sees(button="I gatti: no")
    await anna.taps(group, "I gatti: no")
    await group.sees(button="I gatti: sì")
    await anna.taps(group, "Indietro")
    await group.sees(button="Regole")
    answer = await anna.taps(group, "Regole")
    await anna.opens(answer.url)
    page = await anna.private.sees("A questo tavolo valgono")
    assert "✅ I gatti" in page.text
    await anna.taps(anna.private, "▶️")
    await anna.private.sees(button="◀️")


async def test_every_tap_is_answered_even_one_of_a_button_that_means_nothing(
    harness: BotHarness, telegram: Emulator, anna: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    lobby = await group.sees(button="Siediti")
    known = lobby.button("Siediti")
    odd = replace(known, raw=known.raw | {"callback_data": "what is this"})
    assert (await anna.presses(group, odd).answer()).text == "Questo pulsante non funziona più."
