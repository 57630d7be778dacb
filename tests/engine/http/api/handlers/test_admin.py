"""Operators' calls on running engines: tables, maintenance, engines, API keys, bans, blocked names, log of acts."""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from msgspec.structs import replace

from locanda.messages import JsonObject
from services.engine import app
from services.engine.http.api.handlers import ADMIN_ROUTES
from services.engine.http.api.handlers.admin import PATH
from services.engine.http.document import administration
from services.engine.http.server.admission import GUESSES
from services.engine.service import administered
from services.engine.service.administered import Administered
from services.engine.store import Store, connect, keys
from tests.engine.http.engine_server import (
    NO_LIMITS,
    ApiRequest,
    ApiResponse,
    RunningEngine,
    captured_logs,
    running_engine,
    seat_players,
)
from tests.redis_server import RedisServer, free_ports
from tests.waiting import until

ADMIN_KEY = "k3y-of-the-operator"
SETTINGS = replace(NO_LIMITS, engine_admin_key=ADMIN_KEY)
OPEN: JsonObject = {"game": "gatto_rosso", "name": "Anna"}


class Operated(RunningEngine):
    """An engine, and its operator."""

    async def admin(self, method: str, path: str, body: JsonObject | None = None) -> ApiResponse:
        """Make a call as the operator and return the response. The call must succeed."""
        answer = await self.ask(method, f"{PATH}/{path}", body, token=ADMIN_KEY)
        assert answer.status in (200, 201), answer.body
        return answer

    async def refused(self, method: str, path: str, body: JsonObject | None = None) -> str:
        """Make a call that must be refused, and return the code of the problem."""
        return (await self.ask(method, f"{PATH}/{path}", body, token=ADMIN_KEY)).code

    async def acts(self) -> list[tuple[str, str]]:
        """Return the operators' acts, the newest first."""
        return [(act["act"], act["about"]) for act in (await self.admin("GET", "acts")).json["acts"]]


def operated(engine: RunningEngine) -> Operated:
    return Operated(engine.server, engine.session, engine.context, engine.store)


@pytest.fixture
async def engine(redis_server: RedisServer) -> AsyncIterator[Operated]:
    async with running_engine(replace(SETTINGS, redis_url=redis_server.url)) as running:
        yield operated(running)


@pytest.fixture
async def other(redis_server: RedisServer, engine: Operated) -> AsyncIterator[Operated]:
    """Another engine on the same Redis."""
    async with running_engine(replace(SETTINGS, redis_url=redis_server.url)) as running:
        yield operated(running)


def example_of(route_path: str) -> str:
    return route_path.replace("{table}", "A" * 22).replace("{entry}", "anna")


# --- permissions


@pytest.mark.parametrize("route", ADMIN_ROUTES, ids=lambda route: route.operation_id)
async def test_without_the_key_nothing_is_shown_or_done(engine: Operated, route: Any) -> None:
    for token in (None, "A" * 43, ADMIN_KEY[:-1], ADMIN_KEY.upper()):
        answer = await engine.ask(route.method, example_of(route.path), token=token)
        assert (answer.status, answer.code) == (401, "no_admin_key")
        assert answer.headers["WWW-Authenticate"] == 'Bearer realm="admin"'
    assert await engine.acts() == []


@pytest.mark.parametrize("route", ADMIN_ROUTES, ids=lambda route: route.operation_id)
async def test_without_the_setting_there_are_no_such_calls(route: Any) -> None:
    async with running_engine(NO_LIMITS) as engine:
        answer = await engine.ask(route.method, example_of(route.path), token=ADMIN_KEY)
    assert (answer.status, answer.code) == (404, "not_found")


async def test_every_act_is_recorded_with_its_request(engine: Operated) -> None:
    players = await seat_players(engine)
    await engine.ask("POST", f"{PATH}/keys", {"name": "bot"}, token=ADMIN_KEY, headers={"X-Request-ID": "tap-7"})
    for method, path, body in (
        ("PUT", "maintenance", {"text": "New disk."}),
        ("DELETE", "maintenance", None),
        ("DELETE", "keys/bot", None),
        ("POST", "bans", {"client": "203.0.113.7"}),
        ("DELETE", "bans/203.0.113.7", None),
        ("POST", "names", {"name": "admin*"}),
        ("DELETE", "names/admin%2A", None),
        ("POST", "players", {"name": "ada", "game": "ramino", "server": {"url": "https://bots.example/"}}),
        ("DELETE", "players/ada%3Aramino", None),
        ("POST", f"tables/{players.table}/close", None),
        ("DELETE", f"tables/{players.table}", None),
    ):
        await engine.admin(method, path, body)
    assert await engine.acts() == [
        ("remove_table", players.table),
        ("close_table", players.table),
        ("remove_player", "ada:ramino"),
        ("add_player", "ada:ramino"),
        ("allow_name", "admin*"),
        ("block_name", "admin*"),
        ("lift_ban", "203.0.113.7/32"),
        ("ban", "203.0.113.7/32"),
        ("remove_key", "bot"),
        ("end_maintenance", ""),
        ("announce_maintenance", "New disk."),
        ("add_key", "bot"),
    ]
    first = (await engine.admin("GET", "acts")).json["acts"][-1]
    assert (first["client"], first["request"]) == ("127.0.0.1", "tap-7")


async def test_what_is_refused_is_no_act(engine: Operated) -> None:
    assert await engine.refused("DELETE", "keys/nobody") == "no_such_entry"
    assert await engine.refused("POST", f"tables/{'A' * 22}/close") == "no_such_table"
    assert await engine.refused("POST", "bans", {"client": "somewhere"}) == "impossible"
    assert await engine.acts() == []


async def test_two_operators_at_once_lose_nothing(engine: Operated, other: Operated) -> None:
    names = [f"key-{number}" for number in range(12)]
    both = (engine, other)
    await asyncio.gather(*(both[number % 2].admin("POST", "keys", {"name": name}) for number, name in enumerate(names)))
    assert {key["name"] for key in (await engine.admin("GET", "keys")).json["keys"]} == set(names)
    assert len(await engine.acts()) == len(names)


# --- tables


async def test_tables_are_listed_with_ages_and_people_and_nothing_hidden(engine: Operated) -> None:
    playing = await seat_players(engine)
    await playing.start()
    await seat_players(engine, 1, game="ramino", name="Dora")
    answer = await engine.admin("GET", "tables?status=playing")
    (table,) = answer.json["tables"]
    assert (table["id"], table["game"], table["deal"]) == (playing.table, "gatto_rosso", 1)
    assert table["people"] == ["Anna", "Ospite 1", "Ospite 2"]
    assert table["opened"] <= table["changed"]
    state = await engine.context.service.queries.access(playing.table, None)
    secrets = [state.table.match.server_seed.hex(), *playing.tokens]
    assert not any(secret.encode() in answer.body for secret in secrets)
    assert set(table) == {
        *("id", "game", "status", "opened", "changed", "listed", "match", "deal", "people", "computers"),
    }


async def test_pages_have_every_table_once(engine: Operated, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.engine.service.table_administration.STEP", 10)
    opened = {(await seat_players(engine, 1)).table for _ in range(60)}
    listed_ids: list[str] = []
    query = "tables?limit=1"
    pages = 0
    while True:
        page = (await engine.admin("GET", query)).json
        listed_ids += [table["id"] for table in page["tables"]]
        pages += 1
        if page["next"] is None:
            break
        query = f"tables?limit=1&cursor={page['next']}"
    assert set(listed_ids) == opened
    assert len(listed_ids) <= len(opened) + 5  # Redis may return a key twice while the scanned table grows
    assert pages > 2
    assert await engine.refused("GET", "tables?cursor=no-cursor") == "impossible"


async def test_a_table_that_cannot_be_read_is_counted_and_can_be_removed(engine: Operated) -> None:
    players = await seat_players(engine)
    await engine.store._backend.call(("SET", keys.of(players.table).state, b"damaged"))
    page = (await engine.admin("GET", "tables")).json
    assert (page["tables"], page["unreadable"]) == ([], 1)
    assert await engine.refused("POST", f"tables/{players.table}/close") == "damaged_table"
    await engine.admin("DELETE", f"tables/{players.table}")
    assert (await engine.get(players.path)).code == "no_such_table"


async def test_who_sits_at_a_table_that_is_closed_hears_of_it_and_cannot_go_on(engine: Operated) -> None:
    players = await seat_players(engine)
    started = await players.start()
    waiting = asyncio.create_task(engine.get(f"{players.path}?after={started['version']}&wait=25"))
    await engine.followed(players.table)
    await engine.admin("POST", f"tables/{players.table}/close")
    heard = (await waiting).json
    assert (heard["status"], heard["seats"], heard["deal"]) == ("over", [], None)
    assert heard["events"] == [{"type": "closed"}]
    refused = await engine.post(f"{players.path}/start", token=players.tokens[0])
    assert refused.code == "wrong_token"


async def test_deals_that_were_finished_before_can_still_be_checked(engine: Operated) -> None:
    players = await seat_players(engine, 2)
    await engine.ask("PATCH", players.path, {"options": {"deals": 1}}, token=players.tokens[0])
    await players.start()
    await players.play_out()
    await players.start()
    await engine.admin("POST", f"tables/{players.table}/close")
    assert (await engine.get(f"{players.path}/deals/1?match=1")).status == 200
    assert (await engine.get(f"{players.path}/deals/1?match=2")).code == "match_not_over"


async def test_of_a_removed_table_nothing_is_left(engine: Operated) -> None:
    players = await seat_players(engine, listed=True)
    await engine.post(f"{players.path}/seats", {"name": "Dora"}, headers={"Idempotency-Key": "a-key-nobody-knows"})
    await players.start()
    await engine.admin("DELETE", f"tables/{players.table}")
    assert (await engine.get(players.path)).code == "no_such_table"
    left = [name for page in [await all_keys(engine.store)] for name in page if players.table.encode() in name]
    assert left == []
    assert players.table not in await engine.store.listings["open"].tables()


async def all_keys(store: Store) -> list[bytes]:
    return [name async for page in store._backend.scan("*", 1000) for name in page]


# --- maintenance


async def test_maintenance_is_announced_by_every_engine_in_the_readers_language(
    engine: Operated, other: Operated
) -> None:
    assert (await other.get("/v1/server")).json["maintenance"] is None
    await engine.admin("PUT", "maintenance", {"in_minutes": 20, "minutes": 30, "text": "New disk."})
    await until_administered(other, engine)
    said = (await other.get("/v1/server")).json["maintenance"]
    assert said["text"] == "Maintenance begins in 20 minutes: games may pause, and go on afterwards. New disk."
    assert said["begins"] < said["ends"]
    italian = (await other.get("/v1/server", headers={"Accept-Language": "it"})).json["maintenance"]["text"]
    assert italian.startswith("Manutenzione tra 20 minuti")
    await engine.admin("PUT", "maintenance", {})
    assert (await engine.get("/v1/server")).json["maintenance"]["text"].startswith("Maintenance is under way")
    await engine.admin("DELETE", "maintenance")
    assert (await engine.get("/v1/server")).json["maintenance"] is None


async def test_maintenance_that_is_over_is_no_longer_shown(redis_server: RedisServer) -> None:
    time = 1_700_000_000_000
    async with running_engine(replace(SETTINGS, redis_url=redis_server.url), now=lambda: time) as running:
        await operated(running).admin("PUT", "maintenance", {"in_minutes": 5, "minutes": 10})
        time += 15 * 60_000 - 1
        assert (await running.get("/v1/server")).json["maintenance"] is not None
        time += 1
        assert (await running.get("/v1/server")).json["maintenance"] is None


async def until_administered(other: Operated, engine: Operated) -> None:
    """Wait until the other engine has received the settings of the first one."""
    await until(lambda: other.context.service.administration.set == engine.context.service.administration.set)


# --- keys, bans, names


async def test_a_key_opens_tables_from_its_making_until_its_end_at_every_engine(
    engine: Operated, other: Operated
) -> None:
    assert not (await engine.admin("GET", "keys")).json["required"]
    made = await engine.admin("POST", "keys", {"name": "bot"})
    await until_administered(other, engine)
    key_header = {"X-API-Key": made.json["key"]}
    assert (await other.post("/v1/tables", OPEN)).code == "no_key"
    assert (await other.post("/v1/tables", OPEN, headers=key_header)).status == 201
    await engine.admin("DELETE", "keys/bot")
    await engine.admin("POST", "keys", {"name": "another"})
    await until_administered(other, engine)
    assert (await other.post("/v1/tables", OPEN, headers=key_header)).code == "no_key"


async def test_a_key_is_shown_once_and_stored_as_a_hash_with_its_last_use(engine: Operated) -> None:
    with captured_logs() as log:
        made = (await engine.admin("POST", "keys", {"name": "bot"})).json["key"]
        assert (await engine.admin("GET", "keys")).json["keys"][0]["used"] is None
        await engine.post("/v1/tables", OPEN, headers={"X-API-Key": made})
        listed = await engine.admin("GET", "keys")
        acts = await engine.admin("GET", "acts")
    assert listed.json["keys"][0]["used"] is not None
    stored = await engine.store._backend.call(("GET", keys.ADMINISTERED))
    for shown in (listed.body, acts.body, stored, log.getvalue().encode()):
        assert made.encode() not in shown
    assert ADMIN_KEY not in log.getvalue()


async def test_a_name_is_given_once(engine: Operated) -> None:
    await engine.admin("POST", "keys", {"name": "bot"})
    assert await engine.refused("POST", "keys", {"name": "bot"}) == "entry_taken"


async def test_there_are_bounds(engine: Operated, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(administered, "MOST", 2)
    for name in ("one", "two"):
        await engine.admin("POST", "names", {"name": name})
    answer = await engine.ask("POST", f"{PATH}/names", {"name": "three"}, token=ADMIN_KEY)
    assert (answer.status, answer.code, answer.json["facts"]) == (409, "too_many_entries", {"most": 2})


async def test_a_banned_client_is_refused_at_once_and_its_streams_end(redis_server: RedisServer) -> None:
    settings = replace(SETTINGS, redis_url=redis_server.url, engine_trusted_proxies="127.0.0.1/32")
    async with running_engine(settings) as running:
        engine = operated(running)
        players = await seat_players(engine)
        client = {"X-Forwarded-For": "203.0.113.7"}
        events = engine.url(f"{players.path}/events")
        async with engine.session.get(events, headers=client | {"Accept": "text/event-stream"}) as stream:
            await stream.content.readuntil(b"\n\n")
            await engine.admin("POST", "bans", {"client": "203.0.113.0/24", "reason": "floods the list"})
            await stream.content.read()  # read to the end of the stream, which the ban closes
        refused = await engine.get("/v1/games", headers=client)
        assert (refused.status, refused.code) == (403, "banned")
        assert (await engine.get("/healthz", headers=client)).status == 200
        assert (await engine.get("/v1/games", headers={"X-Forwarded-For": "203.0.114.7"})).status == 200
        await engine.admin("DELETE", "bans/203.0.113.0%2F24")
        assert (await engine.get("/v1/games", headers=client)).status == 200


async def test_operators_cannot_lock_themselves_out(engine: Operated) -> None:
    await engine.admin("POST", "bans", {"client": "127.0.0.0/8"})
    assert (await engine.get("/v1/games")).code == "banned"
    await engine.admin("DELETE", "bans/127.0.0.0%2F8")
    assert (await engine.get("/v1/games")).status == 200


async def test_a_ban_ends_by_itself(redis_server: RedisServer) -> None:
    time = 1_700_000_000_000
    settings = replace(SETTINGS, redis_url=redis_server.url, engine_trusted_proxies="127.0.0.1/32")
    async with running_engine(settings, now=lambda: time) as running:
        engine = operated(running)
        client = {"X-Forwarded-For": "2001:db8::7"}
        listed = await engine.admin("POST", "bans", {"client": "2001:db8::1", "minutes": 60})
        assert listed.json["bans"][0]["client"] == "2001:db8::/64"
        assert (await engine.get("/v1/games", headers=client)).code == "banned"
        time += 60 * 60_000
        assert (await engine.get("/v1/games", headers=client)).status == 200
        assert (await engine.admin("GET", "bans")).json["bans"] == []


@pytest.mark.parametrize("name", ["Boss", "Bоss", "ℬoss", "B0ss", "b𝗈ss"])
async def test_a_blocked_name_is_blocked_in_letters_that_look_like_its_own(engine: Operated, name: str) -> None:
    await engine.admin("POST", "names", {"name": "boss"})
    assert (await engine.post("/v1/tables", OPEN | {"name": name})).code == "name_blocked"
    assert (await engine.post("/v1/tables", OPEN | {"name": "Bess"})).status == 201


@pytest.mark.parametrize("name", ["Admin", "ADMINISTRATOR", "ádmin", "a d m i n", "Аdmin", "adm𝗂nistrator", "𝒜dmin"])
async def test_nobody_takes_a_blocked_name(engine: Operated, name: str) -> None:
    await engine.admin("POST", "names", {"name": "admin*"})
    refused = await engine.post("/v1/tables", OPEN | {"name": name})
    assert (refused.status, refused.code) == (403, "name_blocked")
    players = await seat_players(engine)
    assert (await engine.post(f"{players.path}/seats", {"name": name})).code == "name_blocked"
    renamed = await engine.ask("PUT", f"{players.path}/seats/0/name", {"name": name}, token=players.tokens[0])
    assert renamed.code == "name_blocked"
    assert (await engine.post(f"{players.path}/seats", {"name": "Ada Min"})).status == 201


# --- engines, numbers


async def test_engines_are_listed_and_one_that_ends_is_not(engine: Operated, redis_server: RedisServer) -> None:
    async with running_engine(replace(SETTINGS, redis_url=redis_server.url)) as running:
        second = operated(running).context.service.administration.engine

        async def both() -> bool:
            return len((await engine.admin("GET", "engines")).json["engines"]) == 2

        await until(both)
    names = [listed_engine["name"] for listed_engine in (await engine.admin("GET", "engines")).json["engines"]]
    assert names == [engine.context.service.administration.engine]
    assert second not in names


@pytest.fixture
def ports() -> range:
    return free_ports(2)


async def test_an_engine_that_drains_serves_nobody_until_it_is_resumed(redis_server: RedisServer, ports: range) -> None:
    stop = asyncio.Event()
    settings = [replace(SETTINGS, redis_url=redis_server.url, engine_port=port) for port in ports]
    with captured_logs() as log:
        tasks = [asyncio.create_task(app.run(setting, stop)) for setting in settings]
        await until(lambda: log.getvalue().count('"listening"') == len(tasks))
        async with running_engine(replace(SETTINGS, redis_url=redis_server.url)) as running:
            engine = operated(running)

            async def reached() -> set[int]:
                return {port for port in ports if await serves(engine, port)}

            async def listed() -> list[JsonObject]:
                engines: list[JsonObject] = (await engine.admin("GET", "engines")).json["engines"]
                return engines

            async def all_report() -> bool:
                return len(await listed()) == 3

            await until(all_report)
            assert await reached() == set(ports)
            own = engine.context.service.administration.engine
            others = [listed_engine["name"] for listed_engine in await listed() if listed_engine["name"] != own]
            await engine.admin("PUT", f"engines/{others[0]}/drain")

            async def one_rests() -> bool:
                return len(await reached()) == 1

            await until(one_rests)
            assert [
                listed_engine["draining"] for listed_engine in await listed() if listed_engine["name"] == others[0]
            ] == [True]
            await engine.admin("PUT", f"engines/{others[1]}/drain")
            assert await engine.refused("PUT", f"engines/{own}/drain") == "last_engine"
            for name in others:
                await engine.admin("DELETE", f"engines/{name}/drain")

            async def both_serve() -> bool:
                return await reached() == set(ports)

            await until(both_serve)
            assert await engine.refused("PUT", "engines/nobody/drain") == "no_such_entry"
        stop.set()
        await asyncio.gather(*tasks)


async def serves(engine: Operated, port: int) -> bool:
    try:
        async with engine.session.get(f"http://127.0.0.1:{port}/readyz", headers={"Connection": "close"}) as answer:
            return answer.status == 200
    except OSError:
        return False


async def test_processes_of_one_address_are_not_drained_alone(engine: Operated) -> None:
    administration_ = engine.context.service.administration
    administration_.shares_address = True
    assert await engine.refused("PUT", f"engines/{administration_.engine}/drain") == "shared_address"


async def test_the_numbers_of_a_day_are_those_of_all_engines(engine: Operated, other: Operated) -> None:
    for running in (engine, other):
        players = await seat_players(running, 2)
        await running.ask("PATCH", players.path, {"options": {"deals": 1}}, token=players.tokens[0])
        await players.start()
        await players.play_out()
    await other.admin("GET", "days")  # this call makes the engine store its counts
    today, yesterday = (await engine.admin("GET", "days?days=2")).json["days"]
    assert yesterday["games"] == {}
    numbers = today["games"]["gatto_rosso"]
    assert (numbers["tables_opened"], numbers["seats_taken"]) == (2, 4)
    assert (numbers["matches_started"], numbers["matches_finished"]) == (2, 2)
    assert numbers["moves"] > 10


# --- what is stored


async def test_what_a_later_release_has_set_is_left_alone_and_the_last_known_stays(engine: Operated) -> None:
    await engine.admin("POST", "names", {"name": "admin*"})
    later = (9).to_bytes(8, "big") + administered.encode(Administered(form=2))
    await engine.store._backend.call(("SET", keys.ADMINISTERED, later))
    await engine.context.service.administration.load()
    assert (await engine.post("/v1/tables", OPEN | {"name": "admin"})).code == "name_blocked"
    assert await engine.refused("POST", "names", {"name": "root"}) == "newer_release"


async def test_what_a_later_release_has_added_is_kept(engine: Operated) -> None:
    later = msgspec.msgpack.encode({"form": 1, "blocked_names": ["admin*"], "colours": {"of": "cards"}})
    await engine.store._backend.call(("SET", keys.ADMINISTERED, (9).to_bytes(8, "big") + later))
    await engine.admin("POST", "names", {"name": "root"})
    stored = msgspec.msgpack.decode((await engine.store._backend.call(("GET", keys.ADMINISTERED)))[8:])
    assert (stored["blocked_names"], stored["colours"]) == (["admin*", "root"], {"of": "cards"})


async def test_it_outlives_every_engine(redis_server: RedisServer) -> None:
    settings = replace(SETTINGS, redis_url=redis_server.url)
    async with running_engine(settings) as running:
        await operated(running).admin("POST", "bans", {"client": "127.0.0.1"})
        assert (await running.get("/v1/games")).code == "banned"
    async with running_engine(settings) as running:
        assert (await running.get("/v1/games")).code == "banned"


async def test_an_act_whose_answer_was_lost_is_done_once(redis_server: RedisServer) -> None:
    store = (await connect(redis_server.url)).administration
    before = await store.load()
    after = await store.commit(before, b"set", b"act")
    assert after is not None
    assert await store.commit(before, b"set", b"act") == after  # a repeated commit
    assert await store.acts(10) == [b"act"]
    assert await store.commit(before, b"set", b"another act") is None


# --- the document


def test_the_document_is_the_one_in_the_repository() -> None:
    assert app.DOCUMENTATION.admin_openapi == administration.FILE.read_bytes(), "run: make openapi"


async def test_answers_are_as_the_document_says(engine: Operated) -> None:
    document = msgspec.json.decode((await engine.admin("GET", "openapi.json")).body)
    await (await seat_players(engine)).start()
    await engine.admin("POST", "keys", {"name": "bot"})
    await engine.admin("POST", "bans", {"client": "203.0.113.7", "minutes": 5})
    await engine.admin("POST", "names", {"name": "admin"})
    await engine.admin("POST", "players", {"name": "ada", "server": {"url": "https://bots.example/"}})
    for path, operations in document["paths"].items():
        schema = operations.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
        name = schema.get("application/json", {}).get("schema", {}).get("$ref")
        if name:
            answer = await engine.admin("GET", path.removeprefix(f"{PATH}/"))
            jsonschema_rs.validate({"$ref": name, "components": document["components"]}, answer.json)
    for operations in document["paths"].values():
        for operation in operations.values():
            assert operation["security"] == [{"operator": []}]
            assert re.fullmatch(r"[a-z_]+", operation["operationId"])


def test_paths_are_those_that_the_proxy_closes() -> None:
    assert all(ApiRequest(route.method, route.path).path.startswith(f"{PATH}/") for route in ADMIN_ROUTES)


async def test_guesses_at_the_operators_key_are_few_and_told_once_in_a_line_of_their_own(engine: Operated) -> None:
    wrong = {"Authorization": "Bearer a-key-that-the-operator-has-not"}
    with captured_logs() as log:
        answers = [await engine.get("/v1/admin/acts", headers=wrong) for _ in range(GUESSES.quota + 2)]
    assert [answer.status for answer in answers] == [401] * GUESSES.quota + [429] * 2
    assert answers[-1].headers["RateLimit-Policy"] == '"guesses";q=10;w=60'
    assert log.getvalue().count('"admin_key_guessed"') == 1
    assert "a-key-that" not in log.getvalue()
    assert (await engine.get("/v1/admin/acts", headers={"Authorization": f"Bearer {ADMIN_KEY}"})).status == 429
    assert (await engine.get("/v1/games")).status == 200
