"""CORS: pages of other origins may read responses only where the operator allows them."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import pytest
from msgspec import structs

from tests.engine.http.engine_server import NO_LIMITS, ApiResponse, RunningEngine, running_engine, seat_players

PAGE = "https://play.example"
ASKS = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type,idempotency-key,if-match,x-api-key",
}


@asynccontextmanager
async def _engine_with(origins: str) -> AsyncIterator[RunningEngine]:
    async with running_engine(structs.replace(NO_LIMITS, engine_cors_origins=origins)) as engine:
        yield engine


def _cors(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower().startswith("access-control-")}


async def _preflight(engine: RunningEngine, origin: str, path: str = "/v1/tables") -> ApiResponse:
    return await engine.ask("OPTIONS", path, headers={"Origin": origin} | ASKS)


async def test_unless_configured_no_page_is_let_in(engine: RunningEngine) -> None:
    preflight = await _preflight(engine, PAGE)
    assert (preflight.status, preflight.code, _cors(preflight.headers)) == (405, "method_not_allowed", {})
    answer = await engine.get("/v1/games", headers={"Origin": PAGE})
    assert (answer.status, _cors(answer.headers)) == (200, {})
    assert "Origin" not in answer.headers["Vary"]


@pytest.mark.parametrize("origins", [PAGE, f"https://other.example, {PAGE}", "*"])
async def test_a_page_that_is_let_in_may_call_and_read(origins: str) -> None:
    allowed = "*" if origins == "*" else PAGE
    async with _engine_with(origins) as engine:
        preflight = await _preflight(engine, PAGE)
        assert (preflight.status, preflight.headers["Access-Control-Allow-Origin"]) == (204, allowed)
        granted = preflight.headers["Access-Control-Allow-Headers"].lower().split(", ")
        assert set(ASKS["Access-Control-Request-Headers"].split(",")) <= set(granted)
        assert {"GET", "POST", "PUT", "PATCH", "DELETE"} <= set(
            preflight.headers["Access-Control-Allow-Methods"].split(", ")
        )
        players = await seat_players(engine, 1)
        for path in (players.path, "/nowhere", f"{players.path}/moves", "/docs"):
            answer = await engine.get(path, headers={"Origin": PAGE})
            assert answer.headers["Access-Control-Allow-Origin"] == allowed
            exposed = set(answer.headers["Access-Control-Expose-Headers"].split(", "))
            assert {"ETag", "Location", "Retry-After", "RateLimit", "RateLimit-Policy"} <= exposed
        async with engine.session.get(engine.url(f"{players.path}/events"), headers={"Origin": PAGE}) as stream:
            assert stream.headers["Access-Control-Allow-Origin"] == allowed


@pytest.mark.parametrize(
    "origin", ["https://evil.example", f"{PAGE}.evil.example", f"{PAGE}:8443", "http://play.example", "null", ""]
)
async def test_other_origins_are_not_allowed(origin: str) -> None:
    async with _engine_with(PAGE) as engine:
        preflight = await _preflight(engine, origin)
        assert (preflight.status, _cors(preflight.headers)) == (405, {})
        assert _cors((await engine.get("/v1/games", headers={"Origin": origin})).headers) == {}


@pytest.mark.parametrize("origins", [PAGE, "*"])
async def test_credentials_are_never_allowed(origins: str) -> None:
    async with _engine_with(origins) as engine:
        for answer in (await _preflight(engine, PAGE), await engine.get("/v1/games", headers={"Origin": PAGE})):
            assert "Access-Control-Allow-Credentials" not in answer.headers


async def test_caches_keep_the_answers_to_different_origins_apart() -> None:
    async with _engine_with(PAGE) as engine:
        for headers in ({}, {"Origin": PAGE}, {"Origin": "https://evil.example"}):
            assert (await engine.get("/v1/games", headers=headers)).headers["Vary"] == "Accept-Encoding, Origin"
            answer = await engine.get("/v1/tables/x", headers=headers)
            assert answer.headers["Vary"] == "Authorization, Accept, Accept-Language, Origin"


async def test_a_call_without_an_origin_is_as_before() -> None:
    async with _engine_with("*") as engine:
        assert _cors((await engine.get("/v1/games")).headers) == {}
        assert (await engine.ask("OPTIONS", "/v1/tables")).code == "method_not_allowed"
