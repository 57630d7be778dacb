"""The screens of the example games, which have no line of JavaScript: scenes where they are installed."""

import re

from playwright.async_api import expect

from locanda.games.registry import GAME_NAMES
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
    "scopa": (scopa, scopa_of_four, scopa_rules),
    "tressette": (tressette, tressette_of_four),
}
for game, scenes in SCENES_OF_GAMES.items():
    if game in GAME_NAMES:
        SCENES.update({each.__name__: each for each in scenes})
