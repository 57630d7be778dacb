"""A person who requests far more messages than the bot may send gets some of them, and others are not affected."""

from services.telegram.repositories import keys
from services.telegram.sending.answers import ASKER_ANSWERS
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness
from tests.telegram.lobby_steps import open_lobby
from tests.waiting import until

SLOWLY = "Piano piano! Riprova tra un momento."
DIFFERENT = (
    *("/gioca", "/impara", "/regole", "/sollecita", "/mano", "/lascia", "/classifica", "/serata", "/stagione"),
    *("/storia", "/chiudi", "/impostazioni", "/dimenticami", "/dati", "/aiuto"),
)


async def test_what_a_person_asks_for_again_and_again_comes_once_and_others_are_answered_meanwhile(
    harness: BotHarness, telegram: Emulator, anna: Person, bruno: Person, group: Chat
) -> None:
    flooded = telegram.supergroup("Solo mio", [bruno])
    telegram.flood(flooded, 2)
    questions = [await bruno.says(flooded, "/gioca") for _ in range(60)]
    await open_lobby(anna, group)
    await anna.taps(group, "Siediti")
    await anna.says(anna.private, "/regole")
    await anna.private.sees("Gatto Rosso")
    await flooded.sees(button="Gatto Rosso", after=questions[-1])
    await harness.settle()
    assert len([message for message in flooded.messages if message.author is telegram.world.bot]) <= 2
    assert not await harness.redis.hlen(keys.DELIVERIES)


async def test_whoever_asks_for_too_many_things_is_told_so_once(
    harness: BotHarness, telegram: Emulator, anna: Person
) -> None:
    telegram.flood(anna.private, 2)
    for command in DIFFERENT:
        await anna.says(anna.private, command)
        await until(lambda: not telegram.pending)
    await anna.private.sees(SLOWLY)
    await harness.settle()
    texts = [message.text for message in anna.private.messages if message.author is telegram.world.bot]
    assert texts.count(SLOWLY) == 1
    assert len(texts) <= ASKER_ANSWERS + 2
