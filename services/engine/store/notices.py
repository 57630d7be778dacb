"""Subscriptions to tables, and their unsent notices, in Redis. The store does not decode their contents.

The script of a commit also writes a notice for each subscription that matches, so either both are stored or neither. A
notice stays until it is sent or given up. If an engine dies, other engines take over the notices that it has claimed.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from services.engine.store import keys, scripts
from services.engine.store.backends import Backend
from services.engine.store.due import DueSets
from services.engine.store.holdings import Holdings

LEASE = 15_000
"""Milliseconds for which a process claims a notice; longer than sending a notice takes."""
LONGER = 2 * 86_400
"""Seconds for which subscriptions outlast their table. The same number is in commit.lua."""
ID = 22
"""Number of characters in a subscription's id, with which a notice begins."""
TIME = 13
"""Number of digits of the time when a notice was written."""
TURN = "turn"
"""Field with the version at which the current turn began; the other fields are subscriptions."""

_TOKEN, _SCOPE, _KINDS = 32, 33, 36

Kind = Literal["t", "o", "c"]
"""`t`: a turn has begun. `o`: the match is over. `c`: the table is closed."""
NEW_TURN: Literal["n"] = "n"
"""Used as the kind if a turn begins without a notice, which makes older notices of turns obsolete."""


def news(kind: Kind | Literal["n"], seat: bytes, content: bytes) -> bytes:
    """Return the news of a transition, for its commit; `seat` is the digest of the token on turn."""
    return kind.encode() + seat.ljust(_TOKEN, b"\0") + content


class NoticeSubscription(Struct, frozen=True):
    """A subscription to notices of a table."""

    seat: bytes
    """SHA-256 of the token of the seat that made the subscription."""
    whole: bool
    """Whether the subscription includes the turns of all seats, not just those of its own seat."""
    kinds: str
    """The kinds of notices that are sent. Each character is a `Kind`."""
    recipient: bytes
    """Where the subscription's notices are sent. The store does not decode this."""

    def encoded(self) -> bytes:
        """Return the stored bytes. Scripts read all fields except the recipient."""
        return self.seat + (b"t" if self.whole else b"s") + self.kinds.ljust(3, "-").encode() + self.recipient


def decode_subscription(stored: bytes) -> NoticeSubscription:
    """Return a stored subscription."""
    kinds = stored[_SCOPE:_KINDS].decode().rstrip("-")
    return NoticeSubscription(stored[:_TOKEN], stored[_TOKEN:_SCOPE] == b"t", kinds, stored[_KINDS:])


class DueNotice(Struct, frozen=True):
    """A notice that is due."""

    key: str
    """The sorted set that contains the notice."""
    member: bytes

    @property
    def subscription(self) -> str:
        """The id of the notice's subscription. Raises `UnicodeDecodeError` if the stored bytes are damaged."""
        return self.member[:ID].decode()

    @property
    def at(self) -> int:
        """When the notice was written, in epoch milliseconds. Raises `ValueError` if the stored bytes are damaged."""
        return int(self.member[ID : ID + TIME])

    @property
    def content(self) -> bytes:
        """The content from the commit. Empty if this entry is not a notice, but a table that may have expired."""
        return self.member[ID + TIME :]

    @property
    def table(self) -> str:
        """The id of the table that may have expired. Raises `UnicodeDecodeError` if the stored bytes are damaged."""
        return self.member.decode()


class NoticeStore:
    """Subscriptions and notices. Methods raise `StoreDownError` while Redis is down."""

    def __init__(self, backend: Backend, holdings: Holdings) -> None:
        self._backend = backend
        self._holdings = holdings
        self._due = DueSets(backend, keys.notices, LEASE)
        self.look_again = self._due.look_again
        """Makes the next calls of `due` return everything that is due."""
        self.until_due = self._due.until_due
        """Waits until a notice may be due, by the times that this process knows, or for some seconds."""

    # --- subscriptions

    async def subscribe(
        self,
        table: str,
        number: str,
        subscription: NoticeSubscription,
        *,
        most: int,
        most_of_seat: int,
        opener: bytes | None = None,
    ) -> Literal["stored", "no_table", "table_full", "seat_full"]:
        """Store a subscription on the table opener's account, unless the table or the seat has too many."""
        names, (account, field) = keys.of(table), self._holdings.place(table, opener, ".s")
        arguments = (table, number, subscription.encoded(), most, most_of_seat, LONGER, field)
        reply = await self._backend.run(
            scripts.SUBSCRIBE, [names.state, names.subscriptions, names.notices, account], arguments, names.mark
        )
        outcomes: dict[int, Literal["stored", "no_table", "table_full", "seat_full"]] = {
            1: "stored",
            0: "no_table",
            -1: "table_full",
            -2: "seat_full",
        }
        return outcomes[reply]

    async def unsubscribe(self, table: str, number: str) -> bool:
        """Remove a subscription. Return whether it existed."""
        names = keys.of(table)
        changed = [names.subscriptions, names.notices, names.deliveries + number, names.tests + number]
        return bool(await self._backend.run(scripts.UNSUBSCRIBE, changed, (table, number), names.mark))

    async def subscriptions(self, table: str) -> dict[str, NoticeSubscription]:
        """Return all subscriptions to a table, by id."""
        flat = await self._backend.call(("HGETALL", keys.of(table).subscriptions))
        stored = dict(zip((name.decode() for name in flat[::2]), flat[1::2], strict=True))
        return {number: decode_subscription(value) for number, value in stored.items() if number != TURN}

    async def subscription(self, table: str, number: str) -> tuple[NoticeSubscription | None, int]:
        """Return a subscription (None if it was removed), and the version at which the table's turn began."""
        stored, turn = await self._backend.call(("HMGET", keys.of(table).subscriptions, number, TURN))
        return None if stored is None else decode_subscription(stored), int.from_bytes(turn or b"", "big")

    async def sender_key(self, fresh: bytes) -> bytes:
        """Return this installation's key for push services; store `fresh` if there is none yet."""
        await self._backend.call(("SET", keys.SENDER_KEY, fresh, "NX"))
        key: bytes = await self._backend.call(("GET", keys.SENDER_KEY))
        return key

    # --- notices

    def note_new(self) -> None:
        """Record that this process has written notices."""
        self._due.note(0)

    async def due(self, now: int) -> tuple[list[DueNotice], bool]:
        """Return the due notices, and whether there may be more. They are not claimed, and may be returned again.

        The result includes tables with subscriptions that may have expired.
        """
        members, more = await self._due.look(now)
        return [DueNotice(key, member) for key, member in members], more

    async def claim(self, notices: Sequence[DueNotice], now: int) -> list[DueNotice]:
        """Claim notices for `LEASE` milliseconds. Return the notices that were still due."""
        claimed = await self._due.take(((notice.key, notice.member) for notice in notices), now)
        return [notice for notice in notices if notice.member in claimed]

    async def drop(self, notices: Sequence[DueNotice], now: int) -> list[DueNotice]:
        """Remove notices that no engine has claimed. Return the removed notices."""
        dropped = await self._due.take(((notice.key, notice.member) for notice in notices), now, remove=True)
        return [notice for notice in notices if notice.member in dropped]

    async def remove(self, notice: DueNotice) -> None:
        """Remove a notice that was sent or given up."""
        await self._backend.call(("ZREM", notice.key, notice.member))

    async def postpone(self, notice: DueNotice, until: int) -> None:
        """Make a notice due at another time."""
        await self._backend.call(("ZADD", notice.key, "XX", until, notice.member))
        self._due.note(until)

    async def look(self, table: str, at: int) -> None:
        """Schedule a check whether a table with subscriptions still exists, at the time `at`."""
        await self._backend.call(("ZADD", keys.of(table).notices, "XX", at, table))
        self._due.note(at)

    async def look_at(self, table: str, content: bytes) -> None:
        """If a table has expired, write the notice of its end for all subscribers; else schedule the next check."""
        names = keys.of(table)
        written = await self._backend.run(
            scripts.EXPIRED, [names.state, names.subscriptions, names.notices], (table, content), names.mark
        )
        if written:
            self.note_new()
