"""The pages of problems, including those of a game's refusals."""

import pytest

from locanda.games.rules import GAMES
from services.engine.http.problems.types import PROBLEM_TYPES, REFUSAL_TYPES, REFUSALS_BY_GAME
from tests.engine.http.document.documented import check
from tests.engine.http.engine_server import RunningEngine
from tests.games.positions import positions


@pytest.mark.parametrize("game", GAMES)
def test_every_refusal_in_the_worked_positions_is_declared_by_its_game(game: str) -> None:
    refused = {code for position in positions(game) for _, code in position.expect.refused}
    assert refused
    assert refused <= PROBLEM_TYPES.keys()
    assert refused & REFUSAL_TYPES.keys() <= set(REFUSALS_BY_GAME[game])


async def test_the_page_of_a_problem_is_as_documented(engine: RunningEngine) -> None:
    for code in ("stale", "made_up"):
        check(await engine.get(f"/problems/{code}"), "/problems/{code}")
        check(await engine.get(f"/problems/{code}", headers={"Accept": "application/json"}), "/problems/{code}")
