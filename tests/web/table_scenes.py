"""Scenes of the playing table. The import adds them to the other scenes."""

import re

from playwright.async_api import Page, expect

from locanda.messages import JsonObject
from tests.engine.http.engine_server import RunningEngine, SeatedPlayers, seat_players
from tests.web.scenes import WIDE_NAME, Visit, is_public, scene
from tests.web.visitors import PATIENCE

BOARD = re.compile("^(Il tavolo|The table)$")
MIDDLE = 24
"""Moves after which every game's table is interesting."""


async def playing(engine: RunningEngine, game: str, seats: int, moves: int, **fields: object) -> SeatedPlayers:
    """Start a match and play a number of moves, then play on until the first seat is on turn in the middle of a deal.

    If a match ends before that, another one is played.
    """
    players = await seat_players(engine, seats, game=game, hints=True, turn_seconds=600, **fields)
    table = await players.start()
    made = 0
    while made < moves or table["deal"]["turn"] != 0 or any(event["type"] == "deal_over" for event in table["events"]):
        await players.play(await _choice(players))
        table = await players.see()
        made += 1
        if table["status"] == "over":
            return await playing(engine, game, seats, moves, **fields)
    return players


async def _choice(players: SeatedPlayers) -> JsonObject:
    """Return the longest legal move, because it fills the table soonest."""
    moves: list[JsonObject] = (await players.see(await players.turn()))["moves"]
    return max(moves, key=lambda move: (move["type"] in ("build", "meld", "attach"), len(move.get("cards", ()))))


async def sit(visit: Visit, players: SeatedPlayers, seat: int = 0) -> Page:
    """Open the table on the page of one of its players."""
    await visit.take_seat(players, seat)
    await visit.goto(f"#/table/{players.table}")
    await expect(visit.page.get_by_role("group", name=BOARD)).to_be_visible()
    return visit.page


@scene
async def gatto_rosso(visit: Visit) -> None:
    await sit(visit, await playing(visit.engine, "gatto_rosso", 4, 9, options={"cats": True}))


@scene
async def gatto_rosso_of_ten_with_wide_names(visit: Visit) -> None:
    players = await seat_players(visit.engine, 1, name=WIDE_NAME)
    for number in range(9):
        name = WIDE_NAME[: -len(str(number))] + str(number)
        await visit.engine.post(f"{players.path}/seats", {"name": name})
    await players.start()
    await sit(visit, players)


@scene
async def ramino(visit: Visit) -> None:
    page = await sit(visit, await playing(visit.engine, "ramino", 4, MIDDLE))
    await page.locator(".hand button").first.click()


@scene
async def diavoletto(visit: Visit) -> None:
    page = await sit(visit, await playing(visit.engine, "diavoletto", 2, MIDDLE))
    await page.locator(".hand button").first.click()


@scene
async def presidente(visit: Visit) -> None:
    players = await playing(visit.engine, "presidente", 4, 5, options={"joker": True, "eight": True})
    page = await sit(visit, players)
    await page.locator(".hand button").first.click()


@scene
async def presidente_of_two(visit: Visit) -> None:
    await sit(visit, await playing(visit.engine, "presidente", 2, 0))


@scene
async def seen_by_a_spectator(visit: Visit) -> None:
    players = await playing(visit.engine, "ramino", 3, MIDDLE)
    await visit.goto(f"#/table/{players.table}")
    await expect(visit.page.get_by_role("group", name=BOARD)).to_be_visible()


@scene
async def television_of_an_open_table(visit: Visit) -> None:
    players = await seat_players(visit.engine, 3, game="presidente")
    await is_public(visit.page)
    await visit.goto(f"#/tv/{players.table}")
    await expect(visit.page.locator(".qr")).to_be_visible()


@scene
async def television(visit: Visit) -> None:
    players = await playing(visit.engine, "ramino", 3, MIDDLE)
    await is_public(visit.page)
    await visit.goto(f"#/tv/{players.table}")
    await expect(visit.page.get_by_role("group", name=BOARD)).to_be_visible()


@scene
async def menu(visit: Visit) -> None:
    page = await sit(visit, await playing(visit.engine, "gatto_rosso", 3, 6))
    await page.get_by_role("button", name="Menu").click()
    await expect(page.get_by_role("dialog")).to_be_visible()


@scene
async def what_may_be_said(visit: Visit) -> None:
    page = await sit(visit, await playing(visit.engine, "gatto_rosso", 4, 9))
    await page.locator(".speak").click()
    await expect(page.get_by_role("dialog").get_by_role("listitem")).to_have_count(10)


REMARKS_STAY = "const now = Date.now(); Date.now = () => now;"
"""A script that keeps remarks visible, which the page hides after four seconds."""


@scene
async def what_is_said(visit: Visit) -> None:
    players = await playing(visit.engine, "gatto_rosso", 4, 9)
    page = await sit(visit, players)
    await expect(page.locator(".speak")).to_be_visible()
    await page.evaluate(REMARKS_STAY)
    for seat, remark in ((0, "thinking"), (1, "well_played"), (2, "laughter")):
        path = f"{players.path}/seats/{seat}/remarks"
        await visit.engine.post(path, {"remark": remark}, token=players.tokens[seat])
    await expect(page.locator(".said")).to_have_count(3)


@scene
async def end_of_a_deal(visit: Visit) -> None:
    players = await playing(visit.engine, "gatto_rosso", 2, 0, options={"deals": 2})
    page = await sit(visit, players)
    while (await players.see())["match"]["deal"] == 1:
        await players.play()
    await expect(page.get_by_role("dialog")).to_be_visible()


# --- a match that is over


async def over(visit: Visit, game: str = "gatto_rosso", seats: int = 2, **options: object) -> SeatedPlayers:
    """Play a match out, and open its table."""
    players = await seat_players(visit.engine, seats, game=game, options=options)
    await players.start()
    await players.play_out()
    await visit.take_seat(players)
    await visit.goto(f"#/table/{players.table}")
    await expect(visit.page.get_by_role("link", name=re.compile("^(Rivedi|Look back)"))).to_be_visible()
    return players


@scene
async def end_of_a_match(visit: Visit) -> None:
    await over(visit)


@scene
async def end_of_a_match_of_four(visit: Visit) -> None:
    await over(visit, "presidente", 4)


@scene
async def end_with_hands_laid_open(visit: Visit) -> None:
    await over(visit, "ramino", 3, target=20)


@scene
async def step_by_step(visit: Visit) -> None:
    players = await over(visit, "diavoletto", mazzetto_size=13)
    await visit.goto(f"#/table/{players.table}/review")
    await expect(visit.page.get_by_role("status").first).to_contain_text("0 ")
    for _ in range(9):
        await visit.page.keyboard.press("ArrowRight")
    await expect(visit.page.get_by_role("status").first).to_contain_text("9 ")


@scene
async def my_moves(visit: Visit) -> None:
    players = await over(visit)
    await visit.goto(f"#/table/{players.table}/review")
    await visit.page.get_by_role("navigation").get_by_role("button").nth(1).click()
    # The engine's first review waits until a worker process has started.
    await expect(visit.page.locator(".felt.prose")).to_be_visible(timeout=PATIENCE)


@scene
async def the_shuffle(visit: Visit) -> None:
    players = await over(visit, "presidente")
    await visit.goto(f"#/table/{players.table}/review")
    await visit.page.get_by_role("navigation").get_by_role("button").nth(2).click()
    await expect(visit.page.get_by_role("heading", level=2)).to_be_visible()
    await visit.page.locator("summary").click()
