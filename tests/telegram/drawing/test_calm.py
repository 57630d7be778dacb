"""A match leaves few messages in its group, and few of them have a notification sound."""

from functools import partial

from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness, plays_until, plays_until_one_has_one_card
from tests.telegram.lobby_steps import deal, deal_two_deals


def of_bot(group: Chat) -> list[str]:
    """Return the texts of the bot's messages that are in a group."""
    return [message.text for message in group.messages if not message.service and message.author.is_bot]


def ringing(telegram: Emulator, group: Chat) -> list[str]:
    """Return the texts of the messages sent to a group with a notification sound."""
    sent = [call for method in ("sendMessage", "sendPhoto") for call in telegram.journal.of(method, chat=group.id)]
    loud = [call for call in sent if str(call.params.get("disable_notification")).lower() != "true"]
    return [str(call.params.get("text") or call.params.get("caption")) for call in loud]


async def test_a_match_of_two_deals_leaves_four_messages_and_rings_for_its_questions(
    telegram: Emulator, harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    people = [anna, bruno]
    await deal_two_deals(anna, bruno, group)
    await plays_until_one_has_one_card(harness, people)
    await plays_until(people, partial(group.shows, "smazzata 2 di 2"))
    await plays_until_one_has_one_card(harness, people)
    await plays_until(people, partial(group.shows, button="Ci sto"))
    await harness.settle()
    texts = of_bot(group)
    assert len(texts) <= 4
    assert sum("La smazzata 1 di 2 è finita." in text for text in texts) == 1
    rung = ringing(telegram, group)
    assert len(rung) == 2, rung
    assert "🏁" in rung[1]


async def test_a_table_closed_in_mid_match_says_so_once(
    harness: BotHarness, anna: Person, bruno: Person, group: Chat
) -> None:
    await deal([anna, bruno], group)
    await anna.says(group, "/chiudi")
    await group.sees(button="Sì, chiudilo")
    await anna.taps(group, "Sì, chiudilo")
    await bruno.taps(group, "Sì, chiudilo")
    await group.sees("hanno chiuso il tavolo")
    await harness.settle()
    assert sum("chiuso" in text for text in of_bot(group)) == 1
