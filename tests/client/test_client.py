"""The client and a real engine: every call, and what each gives back."""

from collections.abc import AsyncIterator
from contextlib import aclosing

import msgspec
import pytest

from services.engine.http.kinds import refusals
from services.engine.http.problems import KINDS
from shared import messages
from shared.client import EngineClient
from shared.errors import (
    ForbiddenError,
    IllegalMoveError,
    KeyReusedError,
    MalformedError,
    NotFoundError,
    StaleError,
    UnavailableError,
    error_of,
)
from shared.games import gatto_rosso
from shared.games.registry import GAME_NAMES
from tests.engine.http.house import FREE, house

KEY = "a-key-that-nobody-guesses"


@pytest.fixture
async def engine() -> AsyncIterator[EngineClient]:
    async with house() as running, EngineClient.connect(running.url("/")) as client:
        yield client


async def seated(engine: EngineClient, *, listed: bool = False) -> tuple[str, str, str]:
    """Return a table, its host's token and a guest's."""
    anna = await engine.open_table(messages.OpenTable("gatto_rosso", "Anna", listed=listed))
    bruno = await engine.sit(anna.table.id, messages.SitDown("Bruno"))
    assert anna.token
    assert bruno.token
    return anna.table.id, anna.token, bruno.token


async def test_the_catalogue_lists_every_game_and_tells_its_rules(engine: EngineClient) -> None:
    assert {game.game for game in await engine.games()} == set(GAME_NAMES)
    assert (await engine.game("ramino")).rules.it.startswith("# ")
    with pytest.raises(NotFoundError):
        await engine.game("briscola")


async def test_a_deal_can_be_played_without_a_table(engine: EngineClient) -> None:
    deal = await engine.deal("gatto_rosso", messages.DealRequest(2, seed="7" * 64))
    legal = await engine.moves_of("gatto_rosso", deal)
    assert legal.turn == 1
    assert (await engine.check_of("gatto_rosso", deal, legal.moves[0])).legal
    verdict = await engine.check_of("gatto_rosso", deal, {"type": "pass"})
    assert (verdict.legal, verdict.code) == (False, "must_lead")
    played = await engine.play_of("gatto_rosso", deal, legal.moves[0])
    assert played.events[0]["type"] == "played"
    view = await engine.view_of("gatto_rosso", played.deal, None)
    assert isinstance(view, gatto_rosso.View)
    assert view.hand is None


async def test_a_table_from_its_opening_to_its_proof(engine: EngineClient) -> None:
    table, anna, bruno = await seated(engine, listed=True)
    assert [listed.id for listed in (await engine.tables(limit=1)).tables] == [table]
    changed = await engine.change_table(table, anna, messages.ChangeTable(options={"deals": 1}))
    with pytest.raises(StaleError) as stale:
        await engine.start(table, anna, version=changed.version - 1)
    assert stale.value.problem.version == changed.version
    await engine.give_seed(table, 1, bruno, messages.GiveSeed("clover"))
    with pytest.raises(ForbiddenError):
        await engine.start(table, bruno)
    await engine.start(table, anna)
    async with aclosing(engine.events(table)) as stream:
        async for item in stream:
            if item.table.deal is None or item.table.deal.turn is None:
                break
            token = (anna, bruno)[item.table.deal.turn]
            legal = await engine.moves(table, token)
            await engine.play(table, token, legal.moves[0], version=item.id)
    proof = await engine.proof(table, 1)
    assert proof.client_seeds == ("", "clover")
    page = await engine.event_page(table, after=item.id - 1)
    assert [event.id for event in page.events] == [item.id]


async def test_somebody_who_left_in_mid_match_is_played_on_for(engine: EngineClient) -> None:
    table, anna, bruno = await seated(engine)
    await engine.start(table, anna)
    left = await engine.leave(table, 1, bruno)
    assert left.seats[1].kind == "computer"


async def test_a_table_that_has_not_changed_is_not_sent_again(engine: EngineClient) -> None:
    table, anna, _ = await seated(engine)
    seen = await engine.table(table, anna)
    assert await engine.table(table, anna, known=seen) is seen
    assert await engine.table(table, anna, known=seen, after=seen.version, wait=0.05) is seen
    started = await engine.start(table, anna)
    news = await engine.table(table, anna, known=seen)
    assert news.version == started.version


async def test_a_key_gives_the_first_answer_again_and_serves_no_other_request(engine: EngineClient) -> None:
    wish = messages.OpenTable("ramino", "Anna")
    first = await engine.open_table(wish, key=KEY)
    assert msgspec.to_builtins(await engine.open_table(wish, key=KEY)) == msgspec.to_builtins(first)
    with pytest.raises(KeyReusedError):
        await engine.open_table(messages.OpenTable("ramino", "Bruno"), key=KEY)


async def test_refusals_say_why(engine: EngineClient) -> None:
    table, anna, bruno = await seated(engine)
    started = await engine.start(table, anna)
    assert started.deal
    token = (anna, bruno)[started.deal.turn or 0]
    with pytest.raises(MalformedError) as malformed:
        await engine.play(table, token, {"type": "sing"})
    assert malformed.value.problem.field
    with pytest.raises(IllegalMoveError) as illegal:
        await engine.play(table, token, {"type": "pass"})
    assert illegal.value.code == "must_lead"
    assert not (await engine.check(table, token, {"type": "pass"})).legal


@pytest.mark.parametrize("code", KINDS)
def test_every_problem_of_the_engine_has_its_family(code: str) -> None:
    problem = messages.Problem(f"/problems/{code}", "", KINDS[code].status, code)
    family = type(error_of(problem))
    assert (family is IllegalMoveError) == (code in refusals.KINDS)
    assert issubclass(family, UnavailableError) == (KINDS[code].status >= 500)


async def test_a_client_that_was_too_quick_waits_and_is_served() -> None:
    settings = msgspec.structs.replace(FREE, engine_requests_per_second=3)
    async with house(settings) as running, EngineClient.connect(running.url("/")) as client:
        for _ in range(5):
            await client.games()
