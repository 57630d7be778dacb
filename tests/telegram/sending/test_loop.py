"""All sends, edits and deletions are delivered, in spite of faults, restarts and kills."""

import asyncio
import random
from functools import partial

import pytest

from services.engine.http.document.openapi import KEPT_CHANGES
from services.telegram import app
from services.telegram.receiving import CONFIRM_SECONDS, FINISH_SECONDS
from services.telegram.records import HandSlot, ShownMessage, TableSlot
from services.telegram.repositories.repositories import Repositories
from services.telegram.sending import delivery, lost_messages
from services.telegram.sending.journal import SAVE_SECONDS
from services.telegram.sending.loop import FLUSH_SECONDS
from services.telegram.sending.lost_messages import SEARCHED
from services.telegram.sending.rate_limits import RateLimits
from services.telegram.settings import load
from tests.emulator import Emulator, Person
from tests.emulator.chats import PATIENCE, Chat
from tests.emulator.refusals import Fault, RefusedError
from tests.emulator.state import Message
from tests.telegram.harness import BotHarness, cards, plays, plays_until, plays_until_one_has_one_card, turn_of_somebody
from tests.telegram.lobby_steps import deal, deal_two_deals, open_lobby, sit
from tests.telegram.test_bot_crashes import Crash
from tests.waiting import until


def hands(person: Person) -> list[Message]:
    """Return the messages in a private chat that show a hand, or have shown one."""
    return [
        message
        for message in person.private.messages
        if cards(message) or "🏁" in message.text or "È il turno di" in message.text
    ]


async def replaced(harness: BotHarness, friends: list[Person]) -> Person:
    """Play until a person gets a new hand message for their turn; return the person."""
    first = await turn_of_somebody(friends)
    await plays(first)
    return await turn_of_somebody([person for person in friends if person is not first])


async def test_a_message_that_could_not_be_deleted_is_deleted_later(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    friends = [anna, bruno]
    await deal(friends, group)
    telegram.fail_next("deleteMessage", 500, times=2)
    telegram.drop_next("deleteMessage", before=True)
    player = await replaced(harness, friends)
    await player.private.until(lambda _: len(hands(player)) == 1)


async def test_a_deletion_outlives_the_bot(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    friends = [anna, bruno]
    await deal(friends, group)
    telegram.fail_next("deleteMessage", 500, times=1000)
    player = await replaced(harness, friends)
    await telegram.until(lambda: "deleteMessage" in [call.method for call in telegram.journal])
    assert len(hands(player)) == 2
    await harness.kill()
    telegram.world.faults.ordered.clear()
    await harness.open()
    await player.private.until(lambda _: len(hands(player)) == 1)


async def hand_and_its_copy(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> list[Message]:
    """Deal while the answer to sending Anna's hand is lost; return her two hand messages, older first.

    The emulator hides the first message's id; otherwise the bot would find that message and send no second one.
    """
    await open_lobby(anna, group)
    await sit(bruno, group)
    await group.sees(button="Si comincia")
    telegram.drop_next("sendMessage", chat=anna.private)
    telegram.fail_next(
        "editMessageText", 400, "Bad Request: message to edit not found", times=SEARCHED, chat=anna.private
    )
    await anna.taps(group, "Si comincia")
    await anna.private.until(lambda _: len(hands(anna)) == 2)
    await harness.settle()
    return hands(anna)


async def test_a_hand_whose_answer_was_lost_comes_once(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    friends = [anna, bruno]
    await deal(friends, group)
    waiting = bruno if await turn_of_somebody(friends) is anna else anna
    telegram.drop_next("sendMessage", chat=waiting.private)
    assert await replaced(harness, friends) is waiting
    await harness.settle()
    assert not telegram.world.faults.ordered[-1].times
    assert len(hands(waiting)) == 1


async def test_a_hand_that_arrived_before_a_kill_and_was_not_recorded_is_the_only_one(
    harness: BotHarness,
    telegram: Emulator,
    monkeypatch: pytest.MonkeyPatch,
    anna: Person,
    bruno: Person,
    group: Chat,
) -> None:
    friends = [anna, bruno]
    await deal(friends, group)
    first = await turn_of_somebody(friends)
    waiting = bruno if first is anna else anna
    await harness.settle()
    own = await waiting.says(waiting.private, "Tocca a me?")
    assert harness.context
    crash, store = Crash(), harness.context.outbox._store
    record = store.record

    async def crash_once_sent(slot: TableSlot, message: ShownMessage) -> None:
        await (record(slot, message) if message.begun is not None else crash())

    monkeypatch.setattr(store, "record", crash_once_sent)
    playing = asyncio.create_task(plays(first))
    await asyncio.wait_for(crash.reached.wait(), PATIENCE)
    assert len(hands(waiting)) == 2
    await harness.kill()
    await harness.open()
    await playing
    await harness.settle()
    assert len(hands(waiting)) == 1
    assert own.id not in [int(call.params["message_id"]) for call in telegram.journal.of("editMessageText")]
    assert not own.deleted


@pytest.mark.parametrize("pressed", ["a card", "Passo", "Lascio il tavolo"])
async def test_a_second_copy_of_a_hand_is_deleted_when_one_of_its_buttons_is_pressed(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat, pressed: str
) -> None:
    copy, current = await hand_and_its_copy(harness, telegram, anna, bruno, group)
    await anna.taps(anna.private, cards(copy)[0] if pressed == "a card" else pressed, message=copy)
    await anna.private.until(lambda _: copy.deleted)
    await anna.private.until(lambda _: pressed != "Lascio il tavolo" or "Vuoi lasciare il tavolo?" in current.text)
    assert not current.deleted


async def test_the_copy_of_a_hand_whose_id_was_not_stored_is_the_hand_once_it_is_pressed(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    older, newer = await hand_and_its_copy(harness, telegram, anna, bruno, group)
    repositories = Repositories(harness.redis)
    slot = HandSlot((await repositories.chat_tables.refs())[0], anna.id)
    await harness.close()
    await repositories.messages.record_id(slot, older.id)
    await harness.open()
    await harness.settle()
    await anna.taps(anna.private, "Lascio il tavolo", message=newer)
    await anna.private.until(lambda _: "Vuoi lasciare il tavolo?" in newer.text and older.deleted)
    assert (await Repositories(harness.redis).messages.by_slot(slot.ref))[slot] == newer.id


async def test_a_press_whose_answer_a_kill_cut_off_is_answered_after_the_start(
    harness: BotHarness, telegram: Emulator, anna: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await group.sees("👤 Anna")
    telegram.fail_next("answerCallbackQuery", 500, times=1000)
    press = asyncio.create_task(anna.taps(group, "Siediti"))
    await telegram.until(lambda: len(telegram.journal.of("answerCallbackQuery")) == 2)
    await harness.kill()
    telegram.world.faults.ordered.clear()
    await harness.open()
    assert (await press).text == "Hai già un posto a questo tavolo."


async def test_a_hand_that_is_too_old_to_be_deleted_says_that_there_is_a_newer_one(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    friends = [anna, bruno]
    await deal(friends, group)
    telegram.fail_next("deleteMessage", 400, "Bad Request: message can't be deleted for everyone")
    player = await replaced(harness, friends)
    await player.private.sees("⬇️")
    assert len(hands(player)) == 1


@pytest.mark.parametrize("end", ["kill", "close"])
async def test_the_last_drawing_of_a_match_is_delivered_after_a_restart(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat, end: str
) -> None:
    friends = [anna, bruno]
    await deal(friends, group)
    await plays_until_one_has_one_card(harness, friends)
    table = await group.sees(button="La mia mano")
    telegram.fail_next("deleteMessage", 500, times=100_000, chat=group)
    await plays_until(friends, lambda: group.shows(button="Ci sto"))
    assert not table.deleted
    await (harness.kill() if end == "kill" else harness.close())
    telegram.world.faults.ordered.clear()
    await harness.open()
    await group.until(lambda _: table.deleted)
    for person in friends:
        await person.private.sees("🏁")
        assert len(hands(person)) == 1


async def test_the_end_of_a_deal_is_sent_though_the_engine_keeps_its_events_no_longer(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal_two_deals(anna, bruno, group)
    await harness.kill()
    [ref] = await (repositories := Repositories(harness.redis)).chat_tables.refs()
    chat_table = await repositories.chat_tables.find(ref)
    assert chat_table is not None
    assert chat_table.engine is not None
    tokens = [*(await repositories.seats.tokens(ref)).values()]
    since_the_end = 0
    while since_the_end <= KEPT_CHANGES:
        tables = [await harness.engine.table(chat_table.engine, token) for token in tokens]
        at = next(at for at, table in enumerate(tables) if table.moves)
        await harness.engine.play(chat_table.engine, tokens[at], tables[at].moves[0])
        since_the_end += tables[at].match.deal == 2
    await harness.open()
    await group.sees("La smazzata 1 di 2 è finita.")
    await group.sees("smazzata 2 di 2")


async def test_a_closed_table_is_drawn_as_closed_after_a_kill(
    harness: BotHarness, telegram: Emulator, anna: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    lobby = await group.sees("👤 Anna")
    telegram.fail_next("editMessageText", 500, times=100_000)
    await anna.taps(group, "Chiudi")
    await _handled(harness)
    await harness.kill()
    telegram.world.faults.ordered.clear()
    await harness.open()
    await group.sees("Anna ha chiuso il tavolo")
    assert "Siediti" not in lobby.labels


async def test_an_answer_to_a_command_is_delivered_after_a_kill(
    harness: BotHarness, telegram: Emulator, anna: Person
) -> None:
    telegram.fail_next("sendMessage", 500, times=1000)
    await anna.says(anna.private, "/aiuto")
    await _saved(harness)
    await harness.kill()
    telegram.world.faults.ordered.clear()
    before = len(anna.private.messages)
    await harness.open()
    await anna.private.until(lambda chat: len(chat.messages) > before)
    await harness.restart()
    await anna.says(anna.private, "/impostazioni")
    await anna.private.sees("Le tue impostazioni")
    assert len(anna.private.messages) == before + 3
    await _delivered(harness)


async def _delivered(harness: BotHarness) -> None:
    """Wait until Redis has no pending deliveries."""

    async def nothing_left() -> bool:
        return not await harness.redis.exists("bot:deliveries")

    await until(nothing_left)


async def _handled(harness: BotHarness) -> None:
    """Wait until Redis has no unhandled updates."""

    async def nothing_left() -> bool:
        return await harness.redis.hgetall("bot:updates") == {}

    await until(nothing_left)


async def _saved(harness: BotHarness) -> None:
    """Wait until the bot has stored deliveries that no longer change."""
    before: object = {}
    for _ in range(1000):
        now = await harness.redis.hgetall("bot:deliveries")
        if now and now == before and not await harness.redis.exists("bot:updates"):
            return
        before = now
        await asyncio.sleep(0.1)
    raise AssertionError("nothing is stored")


@pytest.mark.slow
async def test_with_faults_everybody_ends_with_one_hand_which_shows_the_end(
    harness: BotHarness,
    telegram: Emulator,
    monkeypatch: pytest.MonkeyPatch,
    anna: Person,
    bruno: Person,
    carla: Person,
    group: Chat,
) -> None:
    monkeypatch.setattr(delivery, "FIRST_PAUSE", 0.05)
    monkeypatch.setattr(lost_messages, "PAUSE", 0.05)
    friends = [anna, bruno, carla]
    await deal(friends, group)
    dice = random.Random(16)
    faults = telegram.world.faults

    def take(method: str, _chat: int | None) -> Fault | None:
        if method not in {"sendMessage", "editMessageText", "deleteMessage"} or dice.random() > 0.1:
            return None
        if method == "sendMessage" or dice.random() < 0.5:
            return Fault(method, 1, refusal=RefusedError(502, "Bad Gateway"))
        return Fault(method, 1, cut=dice.choice(("before", "after")))

    faults.take = take  # type: ignore[assignment, method-assign]
    await plays_until(friends, lambda: group.shows(button="Ci sto"))
    for person in friends:
        await telegram.until(partial(_all_over, person))
        assert len(hands(person)) == 1
    await group.until(lambda place: place.shows(button="La mia mano") is None)


def _all_over(person: Person) -> bool:
    return all("🏁" in message.text for message in hands(person))


async def test_a_bot_that_is_stopped_waits_three_seconds_at_most_though_nothing_answers(
    telegram: Emulator, anna: Person
) -> None:
    settings = load(
        {"TELEGRAM_TOKEN": telegram.token, "TELEGRAM_API_URL": telegram.url, "ENGINE_URL": "http://127.0.0.1:9"}
    )
    stop = asyncio.Event()
    running = asyncio.create_task(app.run(settings, stop, limits=RateLimits.none()))
    await anna.starts()
    await anna.private.sees("Benvenuti alla locanda")
    telegram.delay_next("sendMessage", 60, times=10)
    telegram.delay_next("getUpdates", 60, times=10)
    await anna.says(anna.private, "/aiuto")
    await telegram.until(lambda: len(telegram.journal.of("sendMessage")) == 2)
    stop.set()
    async with asyncio.timeout(30):  # a call without an answer would take a minute
        await running
    assert FLUSH_SECONDS + SAVE_SECONDS + FINISH_SECONDS + CONFIRM_SECONDS < 3


async def test_a_slow_answer_about_one_group_delays_no_other(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    other = telegram.supergroup("Altri", [bruno])
    await bruno.starts()
    telegram.delay_next("getChatMember", 30, chat=group)
    await anna.says(group, "/impostazioni")
    await telegram.until(lambda: bool(telegram.journal.of("getChatMember")))
    await anna.says(group, "/aiuto")
    await bruno.says(other, "/gioca")
    await other.sees("A che cosa giochiamo?")
    assert (await bruno.taps(other, "Gatto Rosso")).text is None
    await other.sees("👤 Bruno")
    assert [message.text for message in group.messages] == ["/impostazioni", "/aiuto"]


async def test_an_update_that_was_confirmed_and_not_handled_is_handled_after_a_kill_and_once(
    harness: BotHarness, telegram: Emulator, anna: Person, group: Chat
) -> None:
    telegram.delay_next("getChatMember", 60, chat=group)
    await anna.says(group, "/impostazioni")
    await telegram.until(lambda: bool(telegram.journal.of("getChatMember")) and not telegram.pending)
    await harness.kill()
    await harness.open()
    await group.sees("Impostazioni")
    await anna.says(group, "/aiuto")
    await group.sees("Benvenuti alla locanda")
    assert len([message for message in group.messages if "Impostazioni" in message.text]) == 1
    await _handled(harness)


async def test_while_redis_is_away_a_tap_and_a_command_get_a_sentence(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await anna.says(group, "/gioca")
    await group.sees(button="Ramino")
    harness.redis_away()
    assert "non risponde" in ((await anna.taps(group, "Ramino")).text or "")
    await anna.says(group, "/sollecita")
    await group.sees("non risponde")


async def test_while_redis_is_away_what_changes_nothing_is_answered(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    harness.redis_away()
    assert "La tua mano" in ((await anna.taps(group, "La mia mano")).text or "")


async def test_a_press_that_fails_by_an_error_of_the_bot_is_answered_too(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    await deal([anna, bruno], group)
    assert harness.context
    monkeypatch.setattr(harness.context.tables.lookup, "view_for", None)
    assert "non risponde" in ((await anna.taps(group, "La mia mano")).text or "")
