"""The Mini App's leaderboard of the table's group and game, which only the group's people can read."""

from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.telegram.harness import BotHarness
from tests.telegram.lobby_steps import open_lobby, practise, sit
from tests.telegram.mini_app.page import OPEN, Page, app_button, reference


async def test_people_of_the_group_see_its_leaderboard_in_the_order_that_they_ask_for(
    harness: BotHarness, page: Page, telegram: Emulator, anna: Person, bruno: Person, carla: Person, group: Chat
) -> None:
    await open_lobby(anna, group)
    await sit(anna, group)
    await sit(bruno, group)
    await sit(carla, group)
    ref = reference(app_button(group))
    status, empty = await page.asks("leaderboard", anna, ref, language="it")
    assert (status, empty["rows"], empty["orders"]) == (200, [], {})
    assert "nessuno ha ancora finito" in empty["note"]
    assert harness.context is not None
    repositories = harness.context.repositories
    chat_table = await repositories.chat_tables.find(ref)
    assert chat_table is not None
    await repositories.leaderboards.count(chat_table, 1, {anna.id: 0, bruno.id: 1, carla.id: 2})
    await repositories.leaderboards.count(chat_table, 2, {bruno.id: 0, carla.id: 1})
    await repositories.leaderboards.count(chat_table, 3, {bruno.id: 1, carla.id: 0})
    await repositories.leaderboards.hide(carla.id)
    _, by_wins = await page.asks("leaderboard", anna, ref, language="en")
    assert [(row["rank"], row["name"], row["wins"], row["matches"]) for row in by_wins["rows"]] == [
        (1, "Anna", 1, 1),
        (2, "Bruno", 1, 3),
    ]
    assert "1 win · 1 match" in by_wins["rows"][0]["text"]
    assert by_wins["rows"][0]["rating"]["provisional"]
    assert by_wins["orders"] == {"wins": "Most wins first", "rating": "Highest rating first"}
    _, by_rating = await page.asks("leaderboard", bruno, ref, by="rating")
    points = [row["rating"]["points"] for row in by_rating["rows"]]
    assert points == sorted(points, reverse=True)
    status, refused = await page.asks("leaderboard", telegram.person("Dora", language="it"), ref)
    assert (status, refused["code"]) == (403, "not_in_group")


async def test_a_table_in_private_has_no_leaderboard(harness: BotHarness, page: Page, anna: Person) -> None:
    await practise(anna, "facile × 1")
    await anna.private.sees(button=OPEN)
    table = reference(app_button(anna.private))
    status, session = await page.opens(anna, table=table)
    assert (status, session["group"]) == (200, False)
    assert (await page.asks("leaderboard", anna, table=table))[0] == 403
