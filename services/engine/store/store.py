"""Tables as bytes in Redis: read whole, changed by one script, watched, woken. It knows neither games nor HTTP."""

import asyncio
import itertools
import secrets
import struct
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Literal, cast

from services.engine.store import keys, listing, scripts
from services.engine.store.errors import StoreDownError
from services.engine.store.hints import Changes, Hints
from services.engine.store.history import NONCE, walk_back, way_back
from services.engine.store.link import Link
from services.engine.store.multiplexed import Part
from services.engine.store.observer import Observer
from services.engine.store.records import Answer, Commit, Idempotency, Loaded, LogLine, Snapshot

__all__ = ["Answer", "Commit", "Idempotency", "Loaded", "LogLine", "Snapshot", "Store", "StoreDownError"]

EVENTS_KEPT = 32
_LOG_PREFIX = struct.Struct(">II")
"""The match and the deal that a line of the log belongs to."""
LEASE = 5_000
"""Milliseconds for which a due table is given to one caller alone."""
HOLD = 15_000
"""Milliseconds without a beat after which the one who makes up for an outage is taken for dead."""
OUTAGE = 5_000
SCAN = 512


class Store:
    """All that is kept. Every method raises `StoreDownError` when Redis does not serve: then nothing was confirmed."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._hints = Hints(link)
        self._name = secrets.token_hex(8)
        self._nonces = _nonces()
        self._beats = 0
        self._beating = asyncio.Lock()
        self._held = False

    def watched_by(self, observer: Observer) -> None:
        """Tell somebody how the store fares."""
        self._link.observer = observer

    async def load(self, table: str, idempotency: bytes | None = None) -> Loaded:
        """Return a table, and the answer already given under an idempotency key's hash."""
        tag = keys.tag_of(table)
        names = [keys.state(tag, table)]
        if idempotency is not None:
            names.append(keys.answer(tag, table, idempotency))
        state, *answers = cast("list[bytes | None]", await self._link.call("MGET", *names))
        if any(answers):  # what is confirmed again must be as sure as it was the first time
            sure = await self._link.call("MGET", *names, mark=keys.mark(tag))
            state, *answers = cast("list[bytes | None]", sure)
        answer = answers[0] if answers else None
        return Loaded(_snapshot(state) if state else None, _answer(answer) if answer else None)

    async def commit(self, commit: Commit) -> Literal["committed", "clash"] | Answer:
        """Take a transition if the table is still at the version expected; if the key was answered, return that answer.

        It is taken at most once, however often the connection fails and sends it again.
        """
        names, arguments = _commit_call(commit, next(self._nonces))
        reply = await self._link.run(scripts.COMMIT, names, arguments, keys.mark(keys.tag_of(commit.table)))
        if isinstance(reply, bytes):
            return _answer(reply)
        return "committed" if reply else "clash"

    async def events(self, table: str, after: int | None) -> tuple[Snapshot | None, list[Snapshot]]:
        """Return a table, and those of its snapshots after a version that are remembered: the last ones, gapless."""
        tag = keys.tag_of(table)
        reply = await self._link.run(scripts.HISTORY, [keys.state(tag, table), keys.events(tag, table)], [])
        state, events = cast("tuple[bytes | None, list[bytes]]", reply)
        if not state:
            return None, []
        latest = _snapshot(state)
        return latest, walk_back(latest, events, after or 0)

    async def log(self, table: str, match: int, deal: int) -> list[bytes]:
        """Return the lines of a deal's log."""
        of_deal = _LOG_PREFIX.pack(match, deal)
        lines = cast("list[bytes]", await self._link.call("LRANGE", keys.log(keys.tag_of(table), table), 0, -1))
        return [line[len(of_deal) :] for line in lines if line.startswith(of_deal)]

    def changes(self, table: str) -> AbstractAsyncContextManager[Changes]:
        """Listen to a table. First enter, then read, then `wait`: then no change is missed."""
        return self._hints.changes(table)

    async def listed(self, cursor: str | None, limit: int) -> tuple[list[str], str | None]:
        """Return open listed tables, newest first, and the cursor of the next page.

        Raises `ValueError` where the cursor is none of ours.
        """
        return await listing.page(self._link, cursor, limit)

    async def unlist(self, table: str) -> None:
        """Take a table off the listing: one that has expired."""
        await self._link.call("ZREM", keys.listed(keys.tag_of(table)), table)

    async def due(self, now: int, limit: int) -> list[str]:
        """Claim due tables. Each is given to one caller, and again after some seconds unless a commit set another time.

        While another process makes up for an outage nothing is due.
        """
        if self._held:
            return []
        share, rest = divmod(limit, len(keys.TAGS))
        first = secrets.randbelow(len(keys.TAGS))
        tags = [*keys.TAGS[first:], *keys.TAGS[:first]]
        counts = [share + (number < rest) for number in range(len(tags))]
        calls: list[tuple[str, Sequence[Part]]] = [
            (keys.deadlines(tag), (now, now + LEASE, count)) for tag, count in zip(tags, counts, strict=True) if count
        ]
        replies = await self._link.run_all(scripts.CLAIM, calls)
        return [table.decode() for reply in replies for table in cast("list[bytes]", reply)]

    async def schedule(self, table: str, wake: int | None, version: int | None = None) -> None:
        """Set or remove the time to wake a table; given a version, only while the table is at that version.

        A commit sets it by itself. One who was woken and finds nothing to do need not set it either.
        """
        tag = keys.tag_of(table)
        arguments = (table, "" if wake is None else wake, b"" if version is None else _prefix(version))
        await self._link.run(scripts.SCHEDULE, [keys.deadlines(tag), keys.state(tag, table)], arguments)

    async def scheduled(self) -> AsyncIterator[str]:
        """Yield every table that has a time to be woken, once."""
        for tag in keys.TAGS:
            seen: set[bytes] = set()
            cursor = b"0"
            while True:
                reply = await self._link.call("ZSCAN", keys.deadlines(tag), cursor, "COUNT", SCAN)
                cursor, found = cast("tuple[bytes, list[bytes]]", reply)
                for table in found[::2]:
                    if table not in seen:
                        seen.add(table)
                        yield table.decode()
                if cursor == b"0":
                    break

    async def beat(self, now: int, outage: int = OUTAGE) -> int:
        """Record that the clocks run; return the milliseconds since any last did, 0 at first.

        More than `outage` is told to one caller alone, also when replies are lost. Until it says `settle`, or is dead,
        nothing is due for the others.
        """
        async with self._beating:
            arguments = (now, now + HOLD, outage, self._name, f"{self._name} {self._beats}")
            gap, held = cast("tuple[int, int]", await self._link.run(scripts.BEAT, [keys.BEAT], arguments))
            self._beats += 1
        self._held = bool(held)
        return gap

    async def settle(self) -> None:
        """Say that the outage that `beat` told has been made up for."""
        await self._link.run(scripts.SETTLE, [keys.BEAT], [self._name])

    async def ping(self) -> None:
        """Make sure that Redis serves and takes writes, and that its replicas do where they must."""
        await self._link.call("SET", keys.PING, b"", "EX", 60, mark=keys.PING)

    async def close(self) -> None:
        """Close all connections."""
        await self._hints.close()
        await self._link.close()


def _nonces() -> Iterator[bytes]:
    """Yield what no other commit has: a number, and something of this store's own."""
    own = secrets.token_bytes(NONCE - 4)
    return (own + (number % 2**32).to_bytes(4, "big") for number in itertools.count())


def _commit_call(commit: Commit, nonce: bytes) -> tuple[list[str], list[Part]]:
    table, tag = commit.table, keys.tag_of(commit.table)
    names = [
        keys.state(tag, table),
        keys.events(tag, table),
        keys.log(tag, table),
        keys.deadlines(tag),
        keys.listed(tag),
    ]
    kept, seconds = b"", 0
    if commit.idempotency:
        names.append(keys.answer(tag, table, commit.idempotency.key))
        kept, seconds = _kept(commit.idempotency), commit.idempotency.seconds
    return names, [
        table,
        _prefix(commit.expected) if commit.expected else b"",
        commit.version,
        _prefix(commit.version) + commit.data,
        _prefix(commit.version) + nonce + way_back(commit.data, commit.previous),
        len(_prefix(commit.version)) + NONCE,
        commit.ttl,
        EVENTS_KEPT,
        "" if commit.wake is None else commit.wake,
        time.time_ns() // 1000 if commit.listed else "",
        keys.changed(tag, table),
        kept,
        seconds,
        *(_LOG_PREFIX.pack(line.match, line.deal) + line.payload for line in commit.log),
    ]


def _prefix(version: int) -> bytes:
    return version.to_bytes(8, "big")


def _snapshot(state: bytes) -> Snapshot:
    return Snapshot(int.from_bytes(state[:8], "big"), state[8:])


def _kept(idempotency: Idempotency) -> bytes:
    fingerprint, note = idempotency.fingerprint, idempotency.note
    return bytes((len(fingerprint), len(note))) + fingerprint + note


def _answer(kept: bytes) -> Answer:
    note = 2 + kept[0]
    state = note + kept[1]
    return Answer(kept[2:note], kept[note:state], _snapshot(kept[state:]))
