"""Every call of the client to a running engine, and its answer."""

from collections.abc import AsyncIterator
from contextlib import aclosing

import msgspec
import pytest

from locanda import __version__, messages
from locanda.client import EngineClient
from locanda.errors import (
    ForbiddenError,
    IllegalMoveError,
    KeyReusedError,
    MalformedError,
    NotFoundError,
    StaleError,
    TooManyRequestsError,
    UnavailableError,
    error_of,
)
from locanda.games.gatto_rosso import types as gatto_rosso
from locanda.games.registry import GAME_NAMES
from services.engine.http.problems.types import PROBLEM_TYPES, REFUSAL_TYPES
from tests.engine.http.engine_server import NO_LIMITS, running_engine

KEY = "a-key-that-nobody-guesses"


@pytest.fixture
async def engine() -> AsyncIterator[EngineClient]:
    async with running_engine() as running, EngineClient.connect(running.url("/")) as client:
        yield client


async def seated(engine: EngineClient, *, listed: bool = False) -> tuple[str, str, str]:
    """Open a table with two people; return it with the tokens of the host and the guest."""
    anna = await engine.open_table(messages.OpenTable("gatto_rosso", "Anna", listed=listed))
    bruno = await engine.sit(anna.table.id, messages.SitDown("Bruno"))
    assert anna.token
    assert bruno.token
    return anna.table.id, anna.token, bruno.token


async def test_the_catalogue_lists_every_game_with_its_rules(engine: EngineClient) -> None:
    assert {game.game for game in await engine.games()} == set(GAME_NAMES)
    assert (await engine.server()).release == __version__
    assert (await engine.game("ramino")).rules.it.startswith("# ")
    with pytest.raises(NotFoundError):
        await engine.game(messages.GameName("briscola"))


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


async def test_a_move_may_be_of_its_games_types(engine: EngineClient) -> None:
    table, *tokens = await seated(engine)
    await engine.start(table, tokens[0])
    shown = [await engine.table(table, token) for token in tokens]
    seat, seen = next((seat, seen) for seat, seen in enumerate(shown) if seen.moves)
    move = msgspec.convert(seen.moves[0], gatto_rosso.Move)
    assert (await engine.check(table, tokens[seat], move)).legal
    assert (await engine.play(table, tokens[seat], move)).events[0]["type"] == "played"


async def test_a_table_from_its_opening_to_its_proof(engine: EngineClient) -> None:
    table, anna, bruno = await seated(engine, listed=True)
    assert [listed.id for listed in (await engine.tables(limit=1)).tables] == [table]
    changed = await engine.change_table(table, anna, messages.ChangeTable(options={"deals": 1}, turn_seconds=3600))
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


async def test_what_is_said_is_heard_on_the_stream(engine: EngineClient) -> None:
    table, anna, bruno = await seated(engine)
    heard: list[messages.SaidRemark] = []
    async with aclosing(engine.events(table, bruno, heard=heard.append)) as stream:
        await anext(stream)
        assert await engine.say(table, 0, anna, "lucky") == messages.SaidRemark(0, "lucky")
        with pytest.raises(TooManyRequestsError) as too_soon:
            await engine.say(table, 0, anna, "tears")
        assert too_soon.value.retry_after
        await engine.start(table, anna)
        assert (await anext(stream)).table.status == "playing"
    assert heard == [messages.SaidRemark(0, "lucky")]
    assert (await engine.remarks()).remarks[0].remark == "nice"


async def test_a_computer_player_takes_the_seat_of_a_player_who_left(engine: EngineClient) -> None:
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


async def test_an_idempotency_key_repeats_the_first_answer_and_is_refused_for_another_request(
    engine: EngineClient,
) -> None:
    request = messages.OpenTable("ramino", "Anna")
    first = await engine.open_table(request, key=KEY)
    assert msgspec.to_builtins(await engine.open_table(request, key=KEY)) == msgspec.to_builtins(first)
    with pytest.raises(KeyReusedError):
        await engine.open_table(messages.OpenTable("ramino", "Bruno"), key=KEY)


async def test_refusals_have_a_code(engine: EngineClient) -> None:
    table, anna, bruno = await seated(engine)
    started = await engine.start(table, anna)
    assert started.deal
    token = (anna, bruno)[started.deal.turn or 0]
    with pytest.raises(MalformedError) as malformed:
        await engine.play(table, token, messages.GivenMove({"type": "sing"}))
    assert malformed.value.problem.field
    with pytest.raises(IllegalMoveError) as illegal:
        await engine.play(table, token, {"type": "pass"})
    assert illegal.value.code == "must_lead"
    assert not (await engine.check(table, token, {"type": "pass"})).legal


@pytest.mark.parametrize("code", PROBLEM_TYPES)
def test_every_problem_type_has_its_error_class(code: str) -> None:
    problem = messages.Problem(f"/problems/{code}", "", PROBLEM_TYPES[code].status, code)
    error_class = type(error_of(problem))
    assert (error_class is IllegalMoveError) == (code in REFUSAL_TYPES)
    assert issubclass(error_class, UnavailableError) == (PROBLEM_TYPES[code].status >= 500)


@pytest.mark.slow
async def test_a_client_over_its_limit_waits_and_succeeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.engine.app.BURST", 0.002)
    settings = msgspec.structs.replace(NO_LIMITS, engine_client_cpu_ms=50)
    async with running_engine(settings) as running, EngineClient.connect(running.url("/")) as client:
        for _ in range(5):
            await client.games()


def test_an_engine_of_release_0_1_0_reads_the_opening_of_a_table_with_nothing_of_later_releases() -> None:
    request = messages.OpenTable("ramino", "Anna", turn_seconds=60)
    assert msgspec.json.decode(msgspec.json.encode(request)) == {"game": "ramino", "name": "Anna", "turn_seconds": 60}


async def test_what_release_0_1_0_did_not_say_yet_is_left_out(engine: EngineClient) -> None:
    """During a downgrade, a client of this release may reach an engine of release 0.1.0."""
    for example, missing in (
        ((await engine.games())[0], ("about",)),
        (await engine.game("ramino"), ("about", "dealing")),
        (await finished_proof(engine), ("dealing",)),
    ):
        said = msgspec.json.decode(msgspec.json.encode(example))
        earlier = {name: value for name, value in said.items() if name not in missing}
        assert msgspec.to_builtins(msgspec.convert(earlier, type(example))).keys() - {"about"} == said.keys() - set(
            missing
        )


async def finished_proof(engine: EngineClient) -> messages.Proof:
    """Play a match of one deal, and return its proof."""
    table, anna, bruno = await seated(engine)
    await engine.change_table(table, anna, messages.ChangeTable(options={"deals": 1}))
    await engine.start(table, anna)
    while (now := await engine.table(table)).deal and now.status != "over":
        token = (anna, bruno)[now.deal.turn or 0]
        await engine.play(table, token, (await engine.moves(table, token)).moves[0])
    return await engine.proof(table, 1)
