"""How to provoke each problem over HTTP, code by code."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias
from unittest.mock import patch

from msgspec import structs

from services.engine import codec
from services.engine.games.registry import GAMES
from services.engine.service import Service
from services.engine.settings import Settings
from services.engine.store import Store, connect
from services.engine.store.store import Commit
from tests.engine.games.positions import Position, positions
from tests.engine.http.house import FREE, Answer, House, JsonObject, Players, gather, house, written

Provoke: TypeAlias = Callable[[House], Awaitable[Answer]]

STRANGER = "A" * 43
NOBODY = "B" * 22
OPEN: JsonObject = {"game": "gatto_rosso", "name": "Anna"}
PASS: JsonObject = {"move": {"type": "pass"}}
KEY = {"Idempotency-Key": "a-key-that-nobody-guesses"}


async def _playing(engine: House) -> Players:
    players = await gather(engine)
    await players.start()
    return players


async def _no_key(_: House) -> Answer:
    async with house(Settings(engine_api_keys="k" * 16)) as engine:
        return await engine.post("/v1/tables", OPEN)


async def _not_host(engine: House) -> Answer:
    players = await gather(engine)
    return await engine.post(f"{players.path}/start", token=players.tokens[1])


async def _not_your_seat(engine: House) -> Answer:
    players = await gather(engine)
    return await engine.ask("PUT", f"{players.path}/seats/0/seed", {"client_seed": "x"}, token=players.tokens[1])


async def _no_token(engine: House) -> Answer:
    return await engine.get(f"{(await gather(engine)).path}/moves")


async def _wrong_token(engine: House) -> Answer:
    return await engine.get((await gather(engine)).path, token=STRANGER)


async def _not_acceptable(engine: House) -> Answer:
    return await engine.get(f"{(await gather(engine)).path}/events", headers={"Accept": "image/png"})


async def _key_reused(engine: House) -> Answer:
    await engine.post("/v1/tables", OPEN, headers=KEY)
    return await engine.post("/v1/tables", OPEN | {"name": "Bruno"}, headers=KEY)


async def _no_such_seat(engine: House) -> Answer:
    players = await gather(engine)
    return await engine.ask("DELETE", f"{players.path}/seats/5", token=players.tokens[0])


async def _no_such_deal(engine: House) -> Answer:
    players = await _playing(engine)
    await players.play_out()
    return await engine.get(f"{players.path}/deals/9")


async def _already_computer(engine: House) -> Answer:
    players = await _playing(engine)
    await engine.ask("DELETE", f"{players.path}/seats/1", token=players.tokens[0])
    return await engine.ask("DELETE", f"{players.path}/seats/1", token=players.tokens[0])


async def _already_playing(engine: House) -> Answer:
    players = await _playing(engine)
    return await engine.post(f"{players.path}/start", token=players.tokens[0])


async def _deal_over(engine: House) -> Answer:
    deal = {"game": "gatto_rosso", "hands": [[], ["3d"]], "turn": None}
    return await engine.post("/v1/games/gatto_rosso/play", {"deal": deal, **PASS})


async def _match_not_over(engine: House) -> Answer:
    return await engine.get(f"{(await _playing(engine)).path}/deals/1")


async def _not_away(engine: House) -> Answer:
    players = await _playing(engine)
    return await engine.post(f"{players.path}/seats/1/return", token=players.tokens[1])


async def _not_open(engine: House) -> Answer:
    return await engine.post(f"{(await _playing(engine)).path}/seats", {"name": "Dario"})


async def _not_playing(engine: House) -> Answer:
    players = await gather(engine)
    return await engine.post(f"{players.path}/moves", PASS, token=players.tokens[0])


async def _not_your_turn(engine: House) -> Answer:
    players = await _playing(engine)
    other = (await players.turn() + 1) % 3
    return await engine.post(f"{players.path}/moves", PASS, token=players.tokens[other])


async def _rules_changed(_: House) -> Answer:
    """A new release finds a table that an older one has dealt."""
    store = await connect(None)
    async with house(FREE, store) as engine:
        players = await _playing(engine)
        await _deal_by_older_rules(store, players.table)
        return await players.house.post(f"{players.path}/moves", PASS, token=players.tokens[0])


async def _deal_by_older_rules(store: Store, table: str) -> None:
    snapshot = (await store.load(table)).snapshot
    assert snapshot
    found = codec.decode(snapshot.data)
    data = codec.encode(structs.replace(found, rules=0, version=found.version + 1))
    commit = Commit(
        table=table,
        expected=found.version,
        version=found.version + 1,
        data=data,
        wake=None,
        ttl=600,
        listed=False,
    )
    assert await store.commit(commit) == "committed"


async def _table_full(engine: House) -> Answer:
    return await engine.post(f"{(await gather(engine, 10)).path}/seats", {"name": "Zeno"})


async def _too_few_players(engine: House) -> Answer:
    players = await gather(engine, 1)
    return await engine.post(f"{players.path}/start", token=players.tokens[0])


async def _too_many_players(engine: House) -> Answer:
    players = await gather(engine, 10)
    options = {"three_suits": "h"}
    return await engine.ask("PATCH", players.path, {"options": options}, token=players.tokens[0])


async def _stale(engine: House) -> Answer:
    players = await gather(engine)
    return await engine.post(f"{players.path}/start", token=players.tokens[0], headers={"If-Match": '"1"'})


async def _too_many_requests(_: House) -> Answer:
    async with house(Settings(engine_tables_per_minute=1)) as engine:
        await engine.post("/v1/tables", OPEN)
        return await engine.post("/v1/tables", OPEN)


async def _internal(engine: House) -> Answer:
    with written(), patch.object(Service, "look", side_effect=ArithmeticError):
        return await engine.get(f"/v1/tables/{NOBODY}")


async def _closing(engine: House) -> Answer:
    engine.engine.doors.closing = True
    return await engine.get("/readyz")


async def _store_down(_: House) -> Answer:
    async with house(Settings(redis_url="redis://127.0.0.1:1/0")) as engine:
        return await engine.get(f"/v1/tables/{NOBODY}")


async def _busy(engine: House) -> Answer:
    players = await gather(engine)

    async def always_slower(*_: object) -> str:
        return "clash"

    with patch.object(Store, "commit", always_slower):
        return await engine.post(f"{players.path}/start", token=players.tokens[0])


def _asked(method: str, path: str, body: JsonObject | bytes | None = None, **rest: Any) -> Provoke:
    return lambda engine: engine.ask(method, path, body, **rest)


PROVOCATIONS: dict[str, Provoke] = {
    "impossible": _asked("POST", "/v1/games/gatto_rosso/deals", {"seats": 3, "dealer": 3}),
    "malformed": _asked("POST", "/v1/tables", OPEN | {"name": 1}),
    "bad_json": _asked("POST", "/v1/tables", b'{"name":'),
    "bad_header": _asked("POST", "/v1/tables", OPEN, headers={"Idempotency-Key": "short"}),
    "not_found": _asked("GET", "/nowhere"),
    "method_not_allowed": _asked("DELETE", "/v1/games"),
    "not_acceptable": _not_acceptable,
    "too_large": _asked("POST", "/v1/tables", b" " * 65_537),
    "unsupported_media_type": _asked("POST", "/v1/tables", OPEN, headers={"Content-Type": "text/plain"}),
    "key_reused": _key_reused,
    "no_token": _no_token,
    "wrong_token": _wrong_token,
    "no_key": _no_key,
    "not_host": _not_host,
    "not_your_seat": _not_your_seat,
    "no_such_game": _asked("GET", "/v1/games/briscola"),
    "no_such_table": _asked("GET", f"/v1/tables/{NOBODY}"),
    "no_such_seat": _no_such_seat,
    "no_such_deal": _no_such_deal,
    "already_computer": _already_computer,
    "already_playing": _already_playing,
    "deal_over": _deal_over,
    "match_not_over": _match_not_over,
    "not_away": _not_away,
    "not_open": _not_open,
    "not_playing": _not_playing,
    "not_your_turn": _not_your_turn,
    "rules_changed": _rules_changed,
    "table_full": _table_full,
    "too_few_players": _too_few_players,
    "too_many_players": _too_many_players,
    "stale": _stale,
    "too_many_requests": _too_many_requests,
    "internal": _internal,
    "closing": _closing,
    "store_down": _store_down,
    "busy": _busy,
}
"""Every problem but the refusals of moves: those come from the worked positions of the rules."""

TAXED: JsonObject = {
    "game": "presidente",
    "options": {"tax": True},
    "hands": [["Kd", "Kc", "9c"], ["2h", "3c", "Qs"]],
    "dues": [[0, 1, 2]],
    "dealer": 1,
    "turn": 0,
}
OF_PHASES = {
    "tax_count": ({"type": "give", "cards": ["Kd", "Kc", "9c"]}, TAXED),
    "wrong_phase": ({"type": "pass"}, TAXED),
}
"""Refusals that no worked position asks for."""


def _from_positions() -> dict[str, list[tuple[Position, JsonObject]]]:
    found: dict[str, list[tuple[Position, JsonObject]]] = {}
    for position in (position for game in GAMES for position in positions(game) if position.fresh is None):
        for code, move in {code: move for move, code in position.expect.refused}.items():
            found.setdefault(code, []).append((position, move))
    return found


FROM_POSITIONS = _from_positions()


async def refused(engine: House, code: str) -> list[Answer]:
    """Return the answers to moves that the rules forbid for this reason."""
    if code in OF_PHASES:
        move, deal = OF_PHASES[code]
        return [await engine.post("/v1/games/presidente/play", {"deal": deal, "move": move})]
    return [await _refused(engine, position, move) for position, move in FROM_POSITIONS[code]]


async def _refused(engine: House, position: Position, move: JsonObject) -> Answer:
    path, deal = f"/v1/games/{position.game}/play", position.deal
    for made in position.moves:
        deal = (await engine.post(path, {"deal": deal, "move": made})).json["deal"]
    return await engine.post(path, {"deal": deal, "move": move})
