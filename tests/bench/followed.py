"""Simulated people who each follow their table by a stream, and move once they are on turn:

`python -m tests.bench.followed`.

It runs in a separate process, and reads its plan from standard input.
"""

import asyncio
import sys
from collections.abc import Callable
from random import Random
from time import perf_counter

import msgspec
import uvloop
from msgspec import Raw, Struct

from tests.bench.load import WARM_UP, Outcome, Tally
from tests.bench.tables import listen_request, move_request, stay_request


class FollowedPlan(Struct, array_like=True):
    """The tables, the tokens of their seats, and for how long the tables are played."""

    port: int
    tables: list[tuple[str, list[str]]]
    seconds: float


class _Match(Struct):
    number: int


class _Table(Struct):
    version: int
    match: _Match
    you: int
    status: str
    moves: list[Raw]


_table = msgspec.json.Decoder(_Table)


class Calls(asyncio.Protocol):
    """A person's connection for moves. Its responses are counted, but not parsed."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally

    def data_received(self, data: bytes) -> None:
        """Count a response that reports an error."""
        self._tally.failures += data.startswith(b"HTTP/1.1 ") and data[9:10] != b"2"


class Stream(asyncio.Protocol):
    """A person's event stream of their table."""

    def __init__(self, see: Callable[[_Table], None]) -> None:
        self._see = see
        self._buffer = b""

    def data_received(self, data: bytes) -> None:
        """Pass each completely received table to the person."""
        self._buffer += data
        while (begin := self._buffer.find(b"data: ")) >= 0 and (end := self._buffer.find(b"\n", begin)) >= 0:
            seen, self._buffer = self._buffer[begin + 6 : end], self._buffer[end:]
            self._see(_table.decode(seen))


class Played:
    """A table in play, and the time at which each of its moves was sent."""

    def __init__(self, table: str, tokens: list[str], tally: Tally) -> None:
        self._table = table
        self._tokens = tokens
        self._tally = tally
        self._random = Random(table)
        self._sent: dict[int, tuple[int, float]] = {}
        """The seat of each move and the time when it was sent, by the version that the move creates."""
        self._stayed = 0
        self._calls: list[asyncio.WriteTransport] = []

    async def begin(self, port: int) -> None:
        """Connect the people."""
        loop = asyncio.get_running_loop()
        for token in self._tokens:
            calls, _ = await loop.create_connection(lambda: Calls(self._tally), "127.0.0.1", port)
            self._calls.append(calls)
            stream, _ = await loop.create_connection(lambda: Stream(self._see), "127.0.0.1", port)
            stream.write(listen_request(self._table, token))

    def _see(self, table: _Table) -> None:
        mover, sent = self._sent.get(table.version, (table.you, 0.0))
        if mover != table.you:
            self._tally.note(perf_counter() - sent, failed=False)
            del self._sent[table.version]
        if table.status == "over":
            self._stay(table)
        elif table.moves and not self._tally.done:
            body = b'{"move":%b}' % bytes(self._random.choice(table.moves))
            key = f"bench-{self._random.getrandbits(64):x}"
            self._sent[table.version + 1] = table.you, perf_counter()
            self._calls[table.you].write(move_request(self._table, self._tokens[table.you], body, key))

    def _stay(self, table: _Table) -> None:
        """Let all people stay for the next match, once the first of them sees that the match is over."""
        if table.match.number > self._stayed:
            self._stayed = table.match.number
            for seat, (calls, token) in enumerate(zip(self._calls, self._tokens, strict=True)):
                calls.write(stay_request(self._table, seat, token))


async def play(plan: FollowedPlan) -> Outcome:
    """Carry out a plan. A move counts as answered when it has reached the other person."""
    tally = Tally()
    for table, tokens in plan.tables:
        await Played(table, tokens, tally).begin(plan.port)
    await asyncio.sleep(WARM_UP)
    tally.begin()
    began = perf_counter()
    await asyncio.sleep(plan.seconds)
    return tally.outcome(perf_counter() - began)


def main() -> None:
    """Read a plan, carry it out, and print the results."""
    plan = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=FollowedPlan)
    print(msgspec.json.encode(uvloop.run(play(plan))).decode())


if __name__ == "__main__":
    main()
