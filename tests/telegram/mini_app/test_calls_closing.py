"""The vote on closing a table, in the Mini App: the same question and votes as in the group's chat."""

from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness
from tests.telegram.lobby_steps import deal
from tests.telegram.mini_app.page import Page, app_button, reference

QUESTION = "Chiudo il tavolo?"


def questions(group: Chat) -> list[str]:
    return [message.text for message in group.messages if QUESTION in message.text]


async def test_votes_of_the_app_and_of_the_group_are_one(
    harness: BotHarness, page: Page, telegram: Emulator, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await deal([anna, bruno, carla], group)
    ref = reference(app_button(group))
    status, seen = await page.asks("closing", bruno, ref)
    assert (status, seen["outcome"], seen["agree"], seen["needed"]) == (200, "open", [], 3)
    assert QUESTION in seen["text"]
    await harness.settle()
    assert not questions(group), "who only looks asks nobody"
    _, voted = await page.asks("closing", bruno, ref, agree=True)
    assert (voted["outcome"], voted["agree"]) == ("open", ["Bruno"])
    await group.sees("👍 Bruno", button="Sì, chiudilo")
    _, lost = await page.asks("closing", carla, ref, agree=False, language="it")
    assert (lost["outcome"], lost["text"]) == ("kept", "La partita continua.")
    await group.sees("La partita continua.")
    await page.asks("closing", carla, ref, agree=True)
    await group.sees("👍 Carla", button="Sì, chiudilo")
    assert len(questions(group)) == 1
    assert group.shows("La partita continua."), "what was decided stays, whatever is asked later"
    await anna.taps(group, "Sì, chiudilo")
    await group.sees("👍 Anna e Carla")
    _, closed = await page.asks("closing", bruno, ref, agree=True)
    assert closed["outcome"] == "closed"
    await group.until(lambda place: place.shows(button="La mia mano") is None and not questions(place))
    assert (await page.asks("closing", bruno, ref))[1]["code"] == "no_table"


async def test_the_apps_vote_changes_the_question_that_the_group_was_asked(
    harness: BotHarness, page: Page, telegram: Emulator, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await deal([anna, bruno, carla], group)
    ref = reference(app_button(group))
    await bruno.says(group, "/chiudi")
    await group.sees(QUESTION, button="No")
    await page.asks("closing", carla, ref, agree=True)
    await group.sees("👍 Carla", button="Sì, chiudilo")
    assert len(questions(group)) == 1
    dora = telegram.person("Dora", language="it")
    assert (await page.asks("closing", dora, ref, agree=True))[1]["code"] == "not_yours"
    await page.asks("closing", bruno, ref, agree=True)
    _, decided = await page.asks("closing", anna, ref, agree=True)
    assert decided["outcome"] == "closed"
    await group.until(lambda place: place.shows(button="La mia mano") is None and not questions(place))
