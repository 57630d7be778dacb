"""Wherever the bot dies, at a call to Redis, Telegram or the engine, all screens end up as without the crash."""

import pytest

from locanda.games.registry import GAME_NAMES
from tests.telegram.crashes.campaign import crashes
from tests.telegram.crashes.script import Cast

SAMPLE = Cast("gatto_rosso", alone=False)
EACH = 83
"""The sample contains one point out of 83."""
ALL = [Cast(game, alone) for game in GAME_NAMES for alone in (False, True)]


@pytest.mark.costly
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("cast", "nth"),
    [
        (SAMPLE, EACH),
        *(pytest.param(cast, 1, marks=pytest.mark.long) for cast in ALL),
    ],
    ids=str,
)
async def test_wherever_the_bot_dies_everybody_sees_afterwards_what_they_would_have_seen(cast: Cast, nth: int) -> None:
    async with crashes() as runs:
        passed = 0
        async for step in runs.undisturbed(cast):
            for point in step.points:
                passed += 1
                if passed % nth == 0:
                    await runs.crash(step, point)
    assert runs.report.runs
    assert not runs.report.differences, "\n".join(map(str, runs.report.differences))
