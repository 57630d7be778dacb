"""Pins the keys and bytes in Redis for a fixed table of each game, because different releases share tables."""

from hashlib import sha256
from typing import Any

import pytest
from msgspec import structs

from locanda.games.rules import GAMES
from services.engine.service import codec
from services.engine.service.idempotency import Caller
from services.engine.service.transactions import commit_of
from services.engine.store import Snapshot, Store, connect
from services.engine.table import playing
from services.engine.table.state import Transition, TransitionContext
from tests.engine.table.tables import NOW, computer, opened, play_on

TABLE = "locanda:{10}:AAAAAAAAAAAAAAAAAAAAAA"
DIGESTS = {
    "gatto_rosso": "aedc49042c92b9d7c87dee5cae4a754c60f465438a76ca8e0a92106b791b65e1",
    "ramino": "ee5129f73589d01eec1d1b734c451c7fab9d388b6667fc72de0292ceae6fb5ad",
    "diavoletto": "0dca700b0306c0f68332a7b9663161707b8ed43baacde23c35af59457aaef075",
    "presidente": "78866bef0dda944b74f53074db7dec7b6a4813d6b03f5d0154052bbb9ba253f1",
}
"""SHA-256 of the stored table, its log and its deadline, after an opening, a start and one move."""


async def dump(store: Store) -> dict[str, Any]:
    """Return every key of an embedded store, with its value."""
    client = store._backend._client  # type: ignore[attr-defined]
    read = {
        b"string": client.get,
        b"list": lambda key: client.lrange(key, 0, -1),
        b"zset": lambda key: client.zrange(key, 0, -1, withscores=True),
        b"hash": client.hgetall,
    }
    return {key.decode(): await read[await client.type(key)](key) for key in sorted(await client.keys("*"))}


@pytest.mark.parametrize("game", DIGESTS)
async def test_keys_and_bytes_of_a_table_stay_the_same(game: str) -> None:
    store = await connect(None)
    store._nonce_prefix = b"process "
    caller = Caller("token", key="k" * 22, fingerprint=b"f" * 32)
    table = structs.replace(opened(computer(), game=GAMES[game], turn_seconds=60), listed=True)
    await store.commit(commit_of(Transition(table), None, Caller()))
    at_first = await dump(store)
    started = playing.start(table, 0, TransitionContext(NOW))
    await store.commit(commit_of(started, Snapshot(table.version, codec.encode(table)), Caller()))
    snapshot_ = Snapshot(started.table.version, codec.encode(started.table))
    await store.commit(commit_of(Transition(play_on(started.table)), snapshot_, caller, b"n" * 32))
    stored = await dump(store)
    await store.close()

    listing = at_first.pop("locanda:{10}:listed")
    assert at_first.pop("locanda:{10}:openers") == [b"A" * 22, b""]
    assert [name for name, _ in listing] == [b"A" * 22]
    assert list(at_first) == [f"{TABLE}:past", f"{TABLE}:table"]
    assert [name for name, _ in stored.pop("locanda:{10}:watched")] == [b"A" * 22]
    assert stored.pop("locanda:{10}:openers") == [b"A" * 22, b""]
    past = [(event[:20], len(event) > 20) for event in stored.pop(f"{TABLE}:past")]
    assert past == [
        (version.to_bytes(8, "big") + b"process " + number.to_bytes(4, "big"), leads_back)
        for number, version, leads_back in [(2, 4, True), (1, 3, True), (0, 2, False)]
    ]
    answer = f"{TABLE}:answer:d83d92b18c8140b8aef5a268e469a0d9ddefdc97a18fc2ca73b07992d56fdd92"
    answered = f"{TABLE}:answered:3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0"
    assert stored.pop(answered) == [answer.encode()]
    assert stored.pop(f"{TABLE}:callers") == [answered.encode()]
    then = stored[f"{TABLE}:table"]
    assert stored.pop(answer) == b"\x20\x20" + b"f" * 32 + b"n" * 32 + then
    assert list(stored) == [
        f"{TABLE}:log",
        f"{TABLE}:table",
        "locanda:{10}:deadlines",
    ]
    digest = sha256(repr(sorted(stored.items())).encode()).hexdigest()
    assert digest == DIGESTS[game]
