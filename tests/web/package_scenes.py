"""Scenes of the example games, which have no JavaScript. They need a process in which these games are installed."""

import re

from playwright.async_api import expect

from locanda.games.registry import GAME_NAMES
from locanda.messages import JsonObject
from tests.engine.http.engine_server import RunningEngine, SeatedPlayers
from tests.web.scenes import SCENES, Scene, Visit
from tests.web.table_scenes import playing, sit


async def briscola(visit: Visit) -> None:
    await sit(visit, await playing(visit.engine, "briscola", 2, 5))


async def briscola_of_four(visit: Visit) -> None:
    await sit(visit, await playing(visit.engine, "briscola", 4, 14))


async def briscola_after_the_stock(visit: Visit) -> None:
    await sit(visit, await playing(visit.engine, "briscola", 2, 36))


async def scopa(visit: Visit) -> None:
    await sit(visit, await playing(visit.engine, "scopa", 3, 7))


async def scopa_with_a_choice(visit: Visit) -> None:
    """A selected card that can take one of several cards."""
    players, captures = await choice(visit.engine)
    page = await sit(visit, players)
    await page.locator(f"[data-place='hand-{captures[0]['card']}']").click()


async def choice(engine: RunningEngine) -> tuple[SeatedPlayers, list[JsonObject]]:
    """Return a table of Scopa where a card of the first seat can take cards in several ways, and these moves."""
    players = await playing(engine, "scopa", 2, 0)
    while not (captures := _of_several(await players.see(0))):
        await players.play()
        if (await players.see())["status"] == "over":
            return await choice(engine)
    return players, captures


def _of_several(table: JsonObject) -> list[JsonObject]:
    """Return the moves of a card that can take in several ways.

    Return none if there is no such card or a deal has just ended.
    """
    if any(event["type"] == "deal_over" for event in table["events"]):
        return []
    captures: dict[str, list[JsonObject]] = {}
    for move in table["moves"]:
        if move.get("takes"):
            captures.setdefault(move["card"], []).append(move)
    return next((moves for moves in captures.values() if len(moves) > 1), [])


async def scopa_of_four(visit: Visit) -> None:
    await sit(visit, await playing(visit.engine, "scopa", 4, 4, options={"scopone": True}))


async def scopa_rules(visit: Visit) -> None:
    await visit.goto("#/rules/scopa")
    await expect(visit.page.get_by_role("heading", level=1, name=re.compile("Scopa"))).to_be_visible()


async def tressette(visit: Visit) -> None:
    await sit(visit, await playing(visit.engine, "tressette", 2, 7))


async def tressette_of_four(visit: Visit) -> None:
    await sit(visit, await playing(visit.engine, "tressette", 4, 9))


SCENES_OF_GAMES: dict[str, tuple[Scene, ...]] = {
    "briscola": (briscola, briscola_of_four, briscola_after_the_stock),
    "scopa": (scopa, scopa_with_a_choice, scopa_of_four, scopa_rules),
    "tressette": (tressette, tressette_of_four),
}
for game, scenes in SCENES_OF_GAMES.items():
    if game in GAME_NAMES:
        SCENES.update({scene.__name__: scene for scene in scenes})
