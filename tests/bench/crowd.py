"""Tables in play at a steady pace with all their listeners, in one process.

A move's delay is the time from when it was due until the last listener of its table has it. It includes waiting in the
load itself, which is also reported as `lag`.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import TypeVar, cast

from msgspec import Struct, field

from tests.bench.streams import Listener
from tests.bench.tables import Ready, listen_request

P = TypeVar("P", bound=asyncio.Protocol)

PERIOD = 5.0
"""Seconds between two moves at a table."""
GRACE = 1.0
"""Seconds after the last move within which it may still reach all listeners."""
LANES = 128
"""Connections for moves. Each of them has one request at a time."""
AT_ONCE = 64
"""Listeners that connect at once."""
PORTS = 20_000
"""Connections from one address of this machine, which has some 28,000 ports."""


class Played(Struct):
    """Observations while tables were in play."""

    lateness: list[float] = field(default_factory=list)
    """Seconds until the last listener had each move."""
    lag: list[float] = field(default_factory=list)
    """Seconds between the time when each move was due and the time when it was sent."""
    missed: int = 0
    """Moves that had not reached all listeners when the next one was due, or at the end."""
    failures: int = 0


class PlayedTable:
    """A table, its next moves, and the number of listeners that have its newest version."""

    def __init__(self, table: Ready) -> None:
        self.tokens, self.id = table.tokens, table.id
        self._moves = iter(table.moves)
        self._version = 0
        self._have = 0
        self._due: float | None = None
        self.joined = asyncio.Event()
        self.tell: Callable[[float], None] = lambda _: None
        """Called with the delay of each move's last listener."""

    @property
    def waits(self) -> bool:
        """Whether a listener is still waiting for the last move."""
        return self._due is not None

    def next_move(self, due: float) -> bytes | None:
        """Return the request for the next move, or None at the end of the match."""
        move = next(self._moves, None)
        self._due = None if move is None else due
        return move

    def note(self, version: int) -> None:
        """Record that a listener has received a version."""
        if version > self._version:
            self._version, self._have = version, 0
        self._have += 1
        if self._have < len(self.tokens):
            return
        self.joined.set()
        if self._due is not None:
            self.tell(perf_counter() - self._due)
            self._due = None


class Lane(asyncio.Protocol):
    """A connection that sends moves, one after the other."""

    def __init__(self, crowd: "Crowd") -> None:
        self._crowd = crowd
        self._buffer = b""
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast("asyncio.WriteTransport", transport)

    def send(self, request: bytes) -> None:
        """Send a move."""
        assert self._transport
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        """Wait for the complete response, then make the lane available again."""
        data = self._buffer + data
        head = data.find(b"\r\n\r\n")
        length = data.find(b"Content-Length: ", 0, head) + 16
        if head < 0 or len(data) < head + 4 + int(data[length : data.index(b"\r\n", length)]):
            self._buffer = data
            return
        self._buffer = b""
        self._crowd.answered(self, failed=data[9:12] != b"200")


class Crowd:
    """All tables, their listeners, and the lanes on which their moves are sent."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._tables: list[PlayedTable] = []
        self._lanes: deque[Lane] = deque()
        self._waiting: deque[tuple[float, bytes]] = deque()
        self._connections = 0
        self._seen = Played()

    @property
    def listeners(self) -> int:
        """The number of listeners."""
        return sum(len(table.tokens) for table in self._tables)

    async def add(self, tables: list[Ready]) -> None:
        """Connect listeners for all players of these tables, and wait until each has the current table."""
        while len(self._lanes) < LANES:
            self._lanes.append(await self._connect(lambda: Lane(self)))
        gate, added = asyncio.Semaphore(AT_ONCE), [PlayedTable(table) for table in tables]

        async def join(table: PlayedTable) -> None:
            async with gate:
                for token in table.tokens:
                    request = listen_request(table.id, token)
                    await self._connect(lambda request=request: Listener(table.note, request))  # type: ignore[misc]
                await table.joined.wait()

        await asyncio.gather(*map(join, added))
        self._tables += added

    async def _connect(self, protocol: Callable[[], P]) -> P:
        # Derived from the engine's port, so that crowds of several engines do not share an address.
        address = f"127.{self._port >> 8}.{self._port & 255}.{2 + self._connections // PORTS}"
        self._connections += 1
        loop = asyncio.get_running_loop()
        _, made = await loop.create_connection(protocol, "127.0.0.1", self._port, local_addr=(address, 0))
        return made

    async def play(self, seconds: float) -> Played:
        """Make a move at every table in each period, evenly spread, and return the observations."""
        seen = self._seen = Played()
        for table in self._tables:
            table.tell = seen.lateness.append
        began = perf_counter()
        for due, table in self._schedule(began, seconds):
            pause = due - perf_counter()
            if pause > 0:
                await asyncio.sleep(pause)
            self._move(table, due)
        return seen

    async def settle(self) -> None:
        """Wait for the last moves to reach all listeners, and count those that do not."""
        await asyncio.sleep(GRACE)
        self._seen.missed += sum(table.waits for table in self._tables)

    def _schedule(self, began: float, seconds: float) -> Iterator[tuple[float, PlayedTable]]:
        step, count = PERIOD / len(self._tables), 0
        while count * step < seconds:
            yield began + count * step, self._tables[count % len(self._tables)]
            count += 1

    def _move(self, table: PlayedTable, due: float) -> None:
        if table.waits:
            self._seen.missed += 1
            return
        request = table.next_move(due)
        if request is not None:
            self._waiting.append((due, request))
            self._send()

    def _send(self) -> None:
        while self._lanes and self._waiting:
            due, request = self._waiting.popleft()
            self._seen.lag.append(perf_counter() - due)
            self._lanes.popleft().send(request)

    def answered(self, lane: Lane, *, failed: bool) -> None:
        """Make a lane available again after its response."""
        self._seen.failures += failed
        self._lanes.append(lane)
        self._send()
