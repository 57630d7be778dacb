"""An open table in a chat: from the command to the deal."""

from services.telegram.records import ChatRecord
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness
from tests.telegram.lobby_steps import deal, open_lobby, practise, sit


async def test_the_one_who_chooses_the_game_sits_at_once_if_the_bot_can_write_to_them(
    harness: BotHarness, anna: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await group.sees("👤 Anna")


async def test_who_never_wrote_to_the_bot_sits_down_by_the_deep_link_and_is_sent_back(
    harness: BotHarness, bruno: Person, group: Chat
) -> None:
    await open_lobby(bruno, group)
    assert group.shows("👤 Bruno") is None
    answer = await bruno.taps(group, "Siediti")
    assert answer.url is not None
    await bruno.opens(answer.url)
    await group.sees("👤 Bruno")
    welcome = await bruno.private.sees("Posto preso! Torna in Amici")
    assert welcome.button("Torna al gruppo").url is not None


async def test_english_names_of_commands_work_and_the_group_keeps_its_language(
    harness: BotHarness, telegram: Emulator, anna: Person
) -> None:
    john = telegram.person("John", language="en")
    group = telegram.group("Friends", [john, anna])
    await john.says(group, "/play@locanda_bot")
    await group.sees("What shall we play?")
    await anna.says(group, "/gioca")
    await group.until(lambda place: sum("What shall we play?" in m.text for m in place.messages) == 2)


async def test_people_get_up_and_computers_come_and_go(harness: BotHarness, anna: Person, group: Chat) -> None:
    await open_lobby(anna, group)
    await group.sees(button="+ Computer")
    await anna.taps(group, "+ Computer")
    await group.sees("🤖 Ugo")
    await group.sees("🤖 Ugo · medio")
    await anna.taps(group, "🤖 Ugo: medio")
    await group.sees("🤖 Ugo · difficile")
    await anna.taps(group, "− Computer")
    await group.until(lambda place: place.shows("🤖") is None)
    assert (await anna.taps(group, "Alzati")).text == "Hai lasciato il posto."
    await group.sees("10 posti liberi")
    await sit(anna, group)


async def test_people_whose_names_look_the_same_are_told_apart_by_a_number(
    harness: BotHarness, telegram: Emulator, anna: Person
) -> None:
    other = telegram.person("\u0410nn\u0430")
    group = telegram.group("Amici", [anna, other])
    await open_lobby(anna, group)
    answer = await other.taps(group, "Siediti")
    await other.opens(str(answer.url))
    await group.sees("👤 \u0410nn\u0430 2")


async def test_sitting_twice_is_answered_with_a_toast(harness: BotHarness, anna: Person, group: Chat) -> None:
    await open_lobby(anna, group)
    assert (await anna.taps(group, "Siediti")).text == "Hai già un posto a questo tavolo."


async def test_only_those_who_sit_change_the_table(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    assert (await bruno.taps(group, "+ Computer")).text == "Può farlo solo chi è seduto qui."
    assert (await bruno.taps(group, "Opzioni")).text == "Può farlo solo chi è seduto qui."


async def test_options_are_changed_by_tapping_and_remembered_for_the_next_table(
    harness: BotHarness, anna: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await anna.taps(group, "Opzioni")
    await group.sees("Tocca un'opzione")
    await anna.taps(group, "I gatti: no")
    await group.sees(button="I gatti: sì")
    await anna.taps(group, "senza limite")
    await group.sees(button="● senza limite")
    await anna.taps(group, "Indietro")
    lobby = await group.sees(button="+ Computer")
    assert "⚙️ I gatti" in lobby.text
    assert "Tempo per mossa: senza limite" in lobby.text
    await anna.taps(group, "+ Computer")
    await group.sees(button="Si comincia")
    await anna.taps(group, "Si comincia")
    await group.sees(button="La mia mano")
    await open_lobby(anna, group)
    lobby = await group.sees(button="+ Computer")
    assert "⚙️ I gatti" in lobby.text
    assert "Tempo per mossa: senza limite" in lobby.text


async def test_taps_on_options_faster_than_the_lobby_is_drawn_all_count(
    harness: BotHarness, anna: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await anna.taps(group, "Opzioni")
    options = await group.sees("Tocca un'opzione")
    taps = [anna.presses(group, options.button(label)) for label in ("I gatti: no", "Passo libero: no", "Lunga")]
    assert [(await tap.answer()).text for tap in taps] == [None, None, None]
    await group.sees(button="I gatti: sì")
    await group.sees(button="Passo libero: sì")
    await group.sees(button="● Lunga")


async def test_options_may_be_chosen_before_anybody_sits(harness: BotHarness, bruno: Person, group: Chat) -> None:
    await open_lobby(bruno, group)
    await bruno.taps(group, "Opzioni")
    await group.sees(button="Passo libero: no")
    await bruno.taps(group, "Passo libero: no")
    await group.sees(button="Passo libero: sì")
    await bruno.taps(group, "Indietro")
    await sit(bruno, group)
    assert "⚙️ Passo libero" in (await group.sees("👤 Bruno")).text


async def test_a_choice_tapped_twice_opens_one_table(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await anna.says(group, "/gioca")
    choice = (await group.sees("A che cosa giochiamo?")).button("🐈 Gatto Rosso Gatto Grigio")
    await anna.taps(group, choice)
    await group.sees(button="Siediti")
    assert (await bruno.taps(group, choice)).text == "Il tavolo è andato avanti: eccolo com'è adesso."
    assert len([message for message in group.messages if "Siediti" in message.labels]) == 1


async def test_a_lobby_is_closed_by_those_seated_alone(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    assert (await bruno.taps(group, "Chiudi")).text == "Può farlo solo chi è seduto qui."
    await anna.taps(group, "Chiudi")
    assert (await group.sees("Anna ha chiuso il tavolo")).rows == []


async def test_tables_of_one_group_have_letters_and_one_of_a_person_waits_for_players(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await anna.says(group, "/gioca")
    offer = await group.sees("A che cosa giochiamo?")
    refused = await anna.taps(group, "Gatto Rosso", message=offer)
    assert "Hai già un tavolo qui che aspetta giocatori" in (refused.text or "")
    await bruno.taps(group, "Gatto Rosso", message=offer)
    await group.sees("tavolo B")


async def test_a_table_gets_its_letter_when_a_second_one_opens_and_loses_it_when_that_one_closes(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await open_lobby(anna, group)
    await group.sees("tavolo A", button="La mia mano")
    await bruno.private.sees("tavolo A")
    await anna.taps(group, "Chiudi")
    await group.until(lambda place: place.shows("tavolo A", button="La mia mano") is None)


def test_only_a_supergroups_messages_have_links() -> None:
    for basic in (-1001234567, -100123456789):
        assert ChatRecord(basic).link(7) == ""
    assert ChatRecord(-1001234567890).link(7) == "https://t.me/c/1234567890/7"
    assert ChatRecord(-1000000000042).link(7) == "https://t.me/c/42/7"
    assert ChatRecord(-1001234567890, username="amici").link(7) == "https://t.me/amici/7"


async def test_a_topic_has_its_table_and_a_reply_thread_is_none(
    harness: BotHarness, telegram: Emulator, anna: Person
) -> None:
    forum = telegram.forum("Circolo", [anna])
    topic = forum.topic("Carte")
    await open_lobby(anna, topic)
    assert forum.shows(button="Siediti") is None or topic.shows(button="Siediti") is not None
    group = telegram.supergroup("Altri", [anna])
    first = await anna.says(group, "ciao")
    await anna.says(group, "/gioca", reply_to=first)
    await group.sees("A che cosa giochiamo?")


async def test_the_match_starts_with_a_message_for_the_table_and_a_hand_for_each(
    harness: BotHarness, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await deal([anna, bruno, carla], group)
    assert (await group.sees("La partita è cominciata")).rows == []
    hands = [
        message for person in (anna, bruno, carla) for message in person.private.messages if "Passo" in message.labels
    ]
    assert len(hands) == 3
    assert all("Amici" in message.text for message in hands)


async def test_the_commands_are_offered_in_both_languages(
    harness: BotHarness, telegram: Emulator, anna: Person, group: Chat
) -> None:
    john = telegram.person("John", language="en")
    assert "gioca" in {command["command"] for command in telegram.commands_for(anna, anna.private)}
    assert "play" in {command["command"] for command in telegram.commands_for(john, john.private)}


async def test_alone_one_plays_a_long_match_if_one_likes(harness: BotHarness, anna: Person) -> None:
    await anna.says(anna.private, "/gioca")
    await anna.private.sees(button="Gatto Rosso")
    await anna.taps(anna.private, "Gatto Rosso")
    await anna.private.sees(button="Lunga")
    await anna.taps(anna.private, "Lunga")
    await anna.private.sees(button="● Lunga")
    await anna.taps(anna.private, "facile × 1")
    await anna.private.sees("smazzata 1 di 5", button="Passo")


async def test_alone_one_plays_against_the_computer_in_the_private_chat(harness: BotHarness, anna: Person) -> None:
    await practise(anna, "medio × 2")
    hand = await anna.private.sees(button="Passo")
    assert "🤖" in hand.text
    await anna.private.sees("Tocca a te")
