"""Tables as bytes in Redis: read whole, changed by one script, watched, woken. It knows neither games nor HTTP."""

import asyncio
import itertools
import secrets
import struct
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Literal

from services.engine.store import keys, listing, scripts
from services.engine.store.errors import StoreDownError
from services.engine.store.hints import Changes, Hints
from services.engine.store.history import NONCE, walk_back, way_back
from services.engine.store.link import Link
from services.engine.store.multiplexed import Part
from services.engine.store.observer import Observer
from services.engine.store.records import Answer, Commit, Idempotency, Loaded, LogLine, Snapshot

__all__ = ["Answer", "Commit", "Idempotency", "Loaded", "LogLine", "Snapshot", "Store", "StoreDownError"]

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
        self._own = secrets.token_bytes(NONCE - 4)
        self._numbers = itertools.count()
        self._beats = 0
        self._beating = asyncio.Lock()
        self._held = False

    def watched_by(self, observer: Observer) -> None:
        """Tell somebody how the store fares."""
        self._link.observer = observer

    async def load(self, table: str, idempotency: bytes | None = None) -> Loaded:
        """Return a table, and the answer already given under an idempotency key's hash."""
        names = keys.of(table)
        if idempotency is None:
            state = await self._link.call(("GET", names.state))
            return Loaded(_snapshot(state) if state else None, None)
        asked = ("MGET", names.state, names.answers + idempotency.hex())
        state, answer = await self._link.call(asked)
        if answer:  # what is confirmed again must be as sure as it was the first time
            state, answer = await self._link.call(asked, names.mark)
        return Loaded(_snapshot(state) if state else None, _answer(answer) if answer else None)

    async def commit(self, commit: Commit) -> Literal["committed", "clash"] | Answer:
        """Take a transition if the table is still at the version expected; if the key was answered, return that answer.

        It is taken at most once, however often the connection fails and sends it again.
        """
        names = keys.of(commit.table)
        nonce = self._own + (next(self._numbers) % 2**32).to_bytes(4, "big")
        touched, arguments = _commit_call(commit, names, nonce)
        reply = await self._link.run(scripts.COMMIT, touched, arguments, names.mark)
        if isinstance(reply, bytes):
            return _answer(reply)
        return "committed" if reply else "clash"

    async def events(self, table: str, after: int | None) -> tuple[Snapshot | None, list[Snapshot]]:
        """Return a table, and those of its snapshots after a version that are remembered: the last ones, gapless."""
        names = keys.of(table)
        state, events = await self._link.run(scripts.HISTORY, [names.state, names.events], [])
        if not state:
            return None, []
        latest = _snapshot(state)
        return latest, walk_back(latest, events, after or 0)

    async def log(self, table: str, match: int, deal: int) -> list[bytes]:
        """Return the lines of a deal's log."""
        of_deal = _LOG_PREFIX.pack(match, deal)
        lines = await self._link.call(("LRANGE", keys.of(table).log, 0, -1))
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
        await self._link.call(("ZREM", keys.of(table).listed, table))

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
        return [table.decode() for reply in replies for table in reply]

    async def schedule(self, table: str, wake: int | None, version: int | None = None) -> None:
        """Set or remove the time to wake a table; given a version, only while the table is at that version.

        A commit sets it by itself. One who was woken and finds nothing to do need not set it either.
        """
        names = keys.of(table)
        arguments = (table, "" if wake is None else wake, b"" if version is None else version.to_bytes(8, "big"))
        await self._link.run(scripts.SCHEDULE, [names.deadlines, names.state], arguments)

    async def scheduled(self) -> AsyncIterator[str]:
        """Yield every table that has a time to be woken, once."""
        for tag in keys.TAGS:
            seen: set[bytes] = set()
            cursor = b"0"
            while True:
                cursor, found = await self._link.call(("ZSCAN", keys.deadlines(tag), cursor, "COUNT", SCAN))
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
            told: tuple[int, int] = await self._link.run(scripts.BEAT, [keys.BEAT], arguments)
            self._beats += 1
        gap, held = told
        self._held = bool(held)
        return gap

    async def settle(self) -> None:
        """Say that the outage that `beat` told has been made up for."""
        await self._link.run(scripts.SETTLE, [keys.BEAT], [self._name])

    async def ping(self) -> None:
        """Make sure that Redis serves and takes writes, and that its replicas do where they must."""
        await self._link.call(("SET", keys.PING, b"", "EX", 60), keys.PING)

    async def close(self) -> None:
        """Close all connections."""
        await self._hints.close()
        await self._link.close()


def _commit_call(commit: Commit, names: keys.Names, nonce: bytes) -> tuple[list[str], list[Part]]:
    """Return the keys and the arguments of a commit; the nonce is what no other commit has."""
    version = commit.version.to_bytes(8, "big")
    touched = [names.state, names.events, names.log, names.deadlines, names.listed]
    kept, seconds = b"", 0
    if commit.idempotency:
        touched.append(names.answers + commit.idempotency.key.hex())
        kept, seconds = _kept(commit.idempotency), commit.idempotency.seconds
    return touched, [
        commit.table,
        commit.expected.to_bytes(8, "big") if commit.expected else b"",
        version + commit.data,
        version + nonce + way_back(commit.data, commit.previous),
        commit.ttl,
        "" if commit.wake is None else commit.wake,
        time.time_ns() // 1000 if commit.listed else "",
        names.changed,
        kept,
        seconds,
        *[_LOG_PREFIX.pack(line.match, line.deal) + line.payload for line in commit.log],
    ]


def _snapshot(state: bytes) -> Snapshot:
    return Snapshot(int.from_bytes(state[:8], "big"), state[8:])


def _kept(idempotency: Idempotency) -> bytes:
    fingerprint, note = idempotency.fingerprint, idempotency.note
    return bytes((len(fingerprint), len(note))) + fingerprint + note


def _answer(kept: bytes) -> Answer:
    note = 2 + kept[0]
    state = note + kept[1]
    return Answer(kept[2:note], kept[note:state], _snapshot(kept[state:]))
