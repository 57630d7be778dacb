"""Two tables that differ only in what a viewer may not see give him the same bytes, in every call and header."""

import asyncio
from typing import Any

import pytest
from msgspec import structs

from services.engine import codec, fairness
from services.engine.games.registry import GAMES
from services.engine.match import Match
from services.engine.store import Store, connect
from services.engine.store.store import Commit
from services.engine.table import playing, seating
from services.engine.table.state import AnyTable, Moment, Seat, Terms, turn_of
from services.engine.tokens import digest
from tests.engine.http.house import FREE, House, house

TABLE = "T" * 22
TOKENS = [letter * 43 for letter in "abc"]
GAME = GAMES["gatto_rosso"]
AT = Moment(1_800_000_000_000)
DIFFER = {"date", "x-request-id"}


def _table(root: bytes) -> AnyTable:
    """A table in its second trick or so; its secret root is the only thing that differs."""
    seats = [Seat(name, "person", token=digest(token)) for name, token in zip("ABC", TOKENS, strict=True)]
    table = seating.open_table(Match(TABLE, 1, bytes(32)), GAME, seats[0], Terms(GAME.options()), AT.now).table
    for seat in seats[1:]:
        table = seating.sit(table, seat).table
    table = playing.start(table, 0, AT).table
    for _ in range(5):
        turn = turn_of(table)
        assert turn is not None
        table = playing.play(table, turn, GAME.moves(table.deal)[0], AT).table
    return structs.replace(table, match=structs.replace(table.match, root=root))


def _other(table: AnyTable, viewer: int | None) -> AnyTable:
    """The same to the viewer: what he cannot see lies otherwise, and another seed dealt it."""
    deal: Any = table.deal
    held = [seat for seat in range(3) if seat != viewer]
    unseen = sorted(
        [*deal.stock, *(card for seat in held for card in range(52) if deal.hands[seat] >> card & 1)], reverse=True
    )
    if unseen == [*deal.stock]:
        raise AssertionError("the two tables must differ")
    hands = list(deal.hands)
    for seat in held:
        hands[seat] = sum(1 << unseen.pop() for _ in range(deal.hands[seat].bit_count()))
    return structs.replace(
        table, deal=structs.replace(deal, hands=tuple(hands), stock=bytes(unseen), seed=bytes(reversed(deal.seed)))
    )


async def _put(store: Store, table: AnyTable) -> None:
    data = codec.encode(table)
    await store.commit(
        Commit(
            table=table.id, expected=0, version=table.version, data=data, event=data, wake=None, ttl=600, listed=False
        )
    )


async def _bytes(engine: House, viewer: int | None, turn: int | None) -> list[Any]:
    """Everything that the viewer can be told."""
    token = None if viewer is None else TOKENS[viewer]
    path = f"/v1/tables/{TABLE}"
    move, unknown = {"move": {"type": "play", "card": "Ah"}}, {"move": {"type": "play", "card": "9h"}}
    answers = [
        await engine.get(path, token=token),
        await engine.get(path, token=token, headers={"If-None-Match": '"9"'}),
        await engine.get(f"{path}?after=1&wait=1", token=token),
        await engine.get(f"{path}/events", token=token, headers={"Accept": "application/json"}),
        await engine.get(f"{path}/moves", token=token),
        await engine.get(f"{path}/deals/1", token=token),
        await engine.post(f"{path}/start", token=token),
        await engine.post(f"{path}/seats", {"name": "Z"}, token=token),
    ]
    if viewer != turn:
        for body in (move, unknown, {"move": {"type": "pass"}}):
            answers.append(await engine.post(f"{path}/moves/check", body, token=token))
            answers.append(await engine.post(f"{path}/moves", body, token=token))
    told: list[Any] = [
        (answer.status, [(k, v) for k, v in answer.headers.items() if k.lower() not in DIFFER], answer.body)
        for answer in answers
    ]
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with engine.session.get(engine.url(f"{path}/events"), headers=headers) as stream:
        async with asyncio.timeout(5):
            return [*told, [await stream.content.readline() for _ in range(5)]]


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
async def test_what_a_viewer_may_not_see_changes_no_byte(viewer: int | None) -> None:
    table = _table(bytes(32))
    table = structs.replace(table, match=structs.replace(table.match, client_seeds=("", "", "")))
    other = _other(table, viewer)
    assert codec.encode(table) != codec.encode(other)
    told = []
    for each in (table, other):
        store = await connect(None)
        await _put(store, each)
        async with house(FREE, store) as engine:
            told.append(await _bytes(engine, viewer, turn_of(each)))
    assert told[0] == told[1]


async def test_the_seed_of_a_match_under_way_is_in_no_answer() -> None:
    table = _table(bytes(range(32)))
    secrets = [
        table.match.server_seed.hex(),
        table.match.root.hex(),
        table.match.deal_seed(1).hex(),
        fairness.server_seed(table.match.root, 2).hex(),
    ]
    store = await connect(None)
    await _put(store, table)
    async with house(FREE, store) as engine:
        for viewer in (None, 0, 1, 2):
            told = repr(await _bytes(engine, viewer, turn_of(table)))
            assert not [secret for secret in secrets if secret in told]
