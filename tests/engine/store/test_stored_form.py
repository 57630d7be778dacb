"""Keys and bytes in Redis of a fixed table of each game, pinned: releases side by side read each other's tables."""

from hashlib import sha256
from typing import Any

import pytest
from msgspec import structs

from services.engine.games.registry import GAMES
from services.engine.service import codec
from services.engine.service.idempotency import Caller
from services.engine.service.transactions import commit_of
from services.engine.store import Snapshot, Store, connect
from services.engine.table import playing
from services.engine.table.state import Transition, TransitionContext
from tests.engine.table.tables import NOW, computer, opened, play_on

TABLE = "locanda:{10}:AAAAAAAAAAAAAAAAAAAAAA"
DIGESTS = {
    "gatto_rosso": "26580b7eb23106c7a878f9007e4b8546343e3d6cef5af003ad4a07749449d7d6",
    "ramino": "36a38d43cf8fe53a04cc8199b2b5f4c7fcfdebb53815c3dd39c37c49d4691a8a",
    "diavoletto": "a092e119fd7be2c71521fbef99957e24843baf94f3d866fdb5f2ffd88d4f14c0",
    "presidente": "d96f7e0691b1e6b3982b11ea34ff410deff2af39b8ba2526c7833cc3ccdcbb58",
}
"""SHA-256 of the table, its log, its stored answer and its deadline, after an opening, a start and one move."""


async def dump(store: Store) -> dict[str, Any]:
    """Return every key of an embedded store with its value."""
    client = store._backend._client  # type: ignore[attr-defined]
    read = {
        b"string": client.get,
        b"list": lambda key: client.lrange(key, 0, -1),
        b"zset": lambda key: client.zrange(key, 0, -1, withscores=True),
    }
    return {key.decode(): await read[await client.type(key)](key) for key in sorted(await client.keys("*"))}


@pytest.mark.parametrize("game", DIGESTS)
async def test_keys_and_bytes_of_a_table_stay_the_same(game: str) -> None:
    store = await connect(None)
    store._own = b"process "
    caller = Caller("token", key="k" * 22, fingerprint=b"f" * 32)
    table = structs.replace(opened(computer(), game=GAMES[game], turn_seconds=60), listed=True)
    await store.commit(commit_of(Transition(table), None, Caller()))
    at_first = await dump(store)
    started = playing.start(table, 0, TransitionContext(NOW))
    await store.commit(commit_of(started, Snapshot(table.version, codec.encode(table)), Caller()))
    found = Snapshot(started.table.version, codec.encode(started.table))
    await store.commit(commit_of(Transition(play_on(started.table)), found, caller, b"n" * 32))
    stored = await dump(store)
    await store.close()

    listing = at_first.pop("locanda:{10}:listed")
    assert [name for name, _ in listing] == [b"A" * 22]
    assert list(at_first) == [f"{TABLE}:past", f"{TABLE}:table"]
    past = [(event[:20], len(event) > 20) for event in stored.pop(f"{TABLE}:past")]
    assert past == [
        (version.to_bytes(8, "big") + b"process " + number.to_bytes(4, "big"), leads_back)
        for number, version, leads_back in [(2, 4, True), (1, 3, True), (0, 2, False)]
    ]
    assert list(stored) == [
        f"{TABLE}:answer:d83d92b18c8140b8aef5a268e469a0d9ddefdc97a18fc2ca73b07992d56fdd92",
        f"{TABLE}:log",
        f"{TABLE}:table",
        "locanda:{10}:deadlines",
    ]
    digest = sha256(repr(sorted(stored.items())).encode()).hexdigest()
    assert digest == DIGESTS[game]
