"""A client over its share of Redis can begin nothing new.

Its matches go on, and its retries still get their responses.
"""

from typing import Any

from services.engine.settings import EngineSettings
from services.engine.store import keys
from services.engine.store.holdings import PLAYED
from services.engine.table.state import DAY
from tests.engine.http.engine_server import ApiResponse, RunningEngine, running_engine, seat_players

OPEN = {"game": "gatto_rosso", "name": "Anna", "options": {"deals": 1}}
ONE_MB = EngineSettings(
    engine_client_mb=1, engine_tables_per_minute=0, engine_seats_per_minute=0, engine_writes_per_second=0
)


async def lives(engine: RunningEngine, table: str) -> int:
    left: int = await engine.store._backend.call(("TTL", keys.of(table).state))
    return left


def refused(answer: ApiResponse) -> bool:
    if answer.status != 429:
        return False
    assert answer.code == "too_many_requests"
    assert "1 MB" in answer.json["detail"]
    assert 0 < int(answer.headers["Retry-After"]) <= DAY
    return True


async def test_beyond_what_a_client_may_hold_nothing_begins_and_matches_go_on() -> None:
    async with running_engine(ONE_MB) as engine:
        players = [await seat_players(engine, 2) for _ in range((1 << 20) // PLAYED + 1)]
        key = {"Idempotency-Key": "a-key-that-nobody-knows"}
        opened = await engine.post("/v1/tables", OPEN, headers=key)
        started = 0
        for player in players:
            if refused(await engine.ask("POST", f"{player.path}/start", token=player.tokens[0])):
                break
            started += 1
        assert len(players) // 2 < started < len(players)
        while not refused(await engine.post("/v1/tables", OPEN)):
            pass
        again = await engine.post("/v1/tables", OPEN, headers=key)
        assert (again.status, again.json["token"]) == (201, opened.json["token"])
        for _ in range(3):
            assert (await players[0].play()).status == 200


async def test_a_match_in_which_no_person_has_moved_is_gone_after_a_day() -> None:
    async with running_engine() as engine:
        players = await seat_players(engine, 2)
        await players.start()
        assert DAY - 60 < await lives(engine, players.table) <= DAY
        await players.play()
        assert 13 * DAY < await lives(engine, players.table) <= 14 * DAY
        await engine.ask("DELETE", f"{players.path}/seats/1", token=players.tokens[1])
        assert 13 * DAY < await lives(engine, players.table) <= 14 * DAY


async def test_a_late_retry_gets_the_first_answer_and_nothing_of_what_happened_since() -> None:
    async with running_engine(ONE_MB) as engine:
        host = await seat_players(engine, 1)
        sit: dict[str, Any] = {"name": "Bruno"}
        key = {"Idempotency-Key": "another-key-that-nobody-knows"}
        first = await engine.post(f"{host.path}/seats", sit, headers=key)
        path = f"{host.path}/seats/0/seed"
        for number in range(40):
            assert (await engine.ask("PUT", path, {"client_seed": f"{number}"}, token=host.tokens[0])).status == 200
        late = await engine.post(f"{host.path}/seats", sit, headers=key)
        assert (late.status, late.body) == (201, first.body)
        assert late.headers["Idempotency-Replayed"] == "true"
