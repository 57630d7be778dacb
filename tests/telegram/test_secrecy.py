"""`SecrecyGuard` finds planted secrets in payloads, and accepts allowed content."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup

from locanda.cards import codes
from locanda.texts.cards import card
from services.engine.store.errors import StoreDownError
from services.telegram.callback_data import MakeMove, pack
from services.telegram.move_codes import code_of
from services.telegram.repositories.repositories import Repositories
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.emulator.clients import connected
from tests.secrecy import SecrecyGuard
from tests.telegram.harness import BotHarness, cards, hand, plays, turn_of_somebody
from tests.telegram.lobby_steps import deal

CODES = {card(code): code for code in codes(range(52))}
Finds = Callable[[Awaitable[object]], Awaitable[set[str]]]


@pytest.fixture(autouse=True)
def _durations_are_timedeltas(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make python-telegram-bot use timedeltas: it warns of the old type of durations, and warnings are errors."""
    monkeypatch.setenv("PTB_TIMEDELTA", "true")


@pytest.fixture
async def bot(telegram: Emulator) -> AsyncIterator[Bot]:
    async with connected(telegram) as bot:
        yield bot


@pytest.fixture
def guard(harness: BotHarness) -> SecrecyGuard:
    assert harness.secrecy is not None
    return harness.secrecy


@pytest.fixture
def finds(guard: SecrecyGuard) -> Finds:
    """Return a function that makes a call and returns the secrets that the guard finds in the call."""

    async def secrets_shown(call: Awaitable[object]) -> set[str]:
        assert not guard.leaks
        await call
        secrets = {secret for leak in guard.leaks for secret in leak.secrets}
        guard.leaks.clear()
        return secrets

    return secrets_shown


async def test_a_hidden_card_is_found_in_texts_buttons_and_photos_that_others_can_read(
    harness: BotHarness, guard: SecrecyGuard, finds: Finds, bot: Bot, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await harness.settle()
    mine = cards(hand(anna))[-1].text
    code = CODES[mine]
    played = code_of("gatto_rosso", {"type": "play", "card": code})
    label = InlineKeyboardMarkup([[InlineKeyboardButton(mine, callback_data="2")]])
    ref = (await Repositories(harness.redis).chat_tables.refs())[0]
    move = InlineKeyboardMarkup([[InlineKeyboardButton("Gioca", callback_data=pack(MakeMove(ref, 9, played)))]])
    photo = await guard.draw_photo(((code,),))
    sent = await bot.send_message(group.id, "Ecco")
    for others in (group.id, bruno.id):
        assert await finds(bot.send_message(others, f"Che ne dici di <b>{mine}</b>?", parse_mode="HTML")) == {code}
        assert await finds(bot.send_message(others, "Ecco", reply_markup=label)) == {code}
        assert await finds(bot.send_message(others, "Ecco", reply_markup=move)) == {code}
        assert await finds(bot.send_photo(others, photo)) == {code}
    assert await finds(bot.edit_message_text(mine, group.id, sent.message_id)) == {code}
    assert not await finds(bot.send_message(anna.id, mine, reply_markup=label))
    assert not await finds(bot.send_photo(anna.id, photo))


async def test_what_was_played_is_no_secret_what_lies_in_the_stock_is_one_for_everybody(
    harness: BotHarness, guard: SecrecyGuard, finds: Finds, bot: Bot, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    player = await turn_of_somebody([anna, bruno])
    played = await plays(player)
    assert not await finds(bot.send_message(group.id, f"Bella mossa: {played}"))
    [kept, *_] = [button.text for button in cards(hand(player)) if button.text != played]
    assert await finds(bot.send_message(group.id, kept)) == {CODES[kept]}
    under_way: Any = guard.tables[0].deal
    [stocked] = codes(under_way.stock[:1])
    assert await finds(bot.send_message(player.id, card(stocked))) == {stocked}


async def test_what_comes_while_the_tables_cannot_be_read_is_judged_once_they_can(
    harness: BotHarness,
    guard: SecrecyGuard,
    monkeypatch: pytest.MonkeyPatch,
    bot: Bot,
    anna: Person,
    bruno: Person,
    group: Chat,
) -> None:
    await deal([anna, bruno], group)
    player = await turn_of_somebody([anna, bruno])
    with monkeypatch.context() as outage:
        outage.setattr(guard._read._store, "tables", _away)
        played = await plays(player)
        await bot.send_message(group.id, f"Bella mossa: {played}")
        [kept, *_] = [button.text for button in cards(hand(player)) if button.text != played]
        await bot.send_message(group.id, kept)
        assert not guard.leaks
    await guard.look()
    assert [leak.secrets for leak in guard.leaks] == [{CODES[kept]}]
    guard.leaks.clear()


def _away(_: int) -> None:
    raise StoreDownError


async def test_seeds_and_tokens_are_found_whoever_reads_them(
    harness: BotHarness, guard: SecrecyGuard, finds: Finds, bot: Bot, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await harness.settle()
    await finds(bot.send_message(anna.id, cards(hand(anna))[0].text))
    match, repositories = guard.tables[0].match, Repositories(harness.redis)
    token = await repositories.seats.token((await repositories.chat_tables.refs())[0], anna.id)
    for seed in (match.server_seed, match.root, match.deal_seed(1)):
        assert await finds(bot.send_message(anna.id, f"({seed.hex()})")) == {"a seed"}
    assert await finds(bot.send_message(anna.id, f"https://example.org/?x={token}")) == {"a seat's token"}
    assert await finds(bot.send_message(anna.id, f"https://example.org/bot{bot.token}/")) == {"the bot's token"}
    assert not await finds(bot.send_message(group.id, match.commitment))


async def test_a_payload_that_shows_a_secret_fails_the_test(
    harness: BotHarness, guard: SecrecyGuard, bot: Bot, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await bot.send_message(bruno.id, cards(hand(anna))[0].text)
    with pytest.raises(AssertionError, match="Bruno"):
        guard.assert_none()
    guard.leaks.clear()
