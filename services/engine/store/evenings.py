"""Next evenings (dates on which a table's people meet), and subscriptions to them, in Redis. They outlast the table.

Both are kept as long as the table exists, and at least until a day after the evening and 35 days after the last match.
If everybody leaves an existing table, both are deleted. The notices of an evening are written when it is set, to be
sent later, and are deleted with it.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from services.engine.store import keys, scripts
from services.engine.store.backends import Backend
from services.engine.store.holdings import Holdings
from services.engine.store.notices import ID, TIME, NoticeSubscription, decode_subscription

EveningKind = Literal["i", "e"]
"""`i`: invitation to an evening. `e`: reminder that the evening is near."""


class EveningOwner(Struct, frozen=True):
    """The person who last set a table's evening."""

    token: bytes
    """SHA-256 of the person's token."""
    opener: bytes
    """Group of the client who opened the table; empty if unknown."""


class EveningStore:
    """Evenings by table. Methods raise `StoreDownError` while Redis is down.

    The argument `opener` is the group of the client who opened the table, whose storage limit counts the evening.
    """

    def __init__(self, backend: Backend, holdings: Holdings) -> None:
        self._backend = backend
        self._holdings = holdings

    async def owner(self, table: str) -> EveningOwner | None:
        """Return the person who last set a table's evening, or None."""
        token, opener = await self._backend.call(("HMGET", keys.of(table).evening, "owner", "group"))
        return None if token is None else EveningOwner(token, opener or b"")

    async def set(
        self, table: str, owner: EveningOwner, evening: bytes, notices: Sequence[tuple[EveningKind, int, bytes]]
    ) -> None:
        """Set an evening; empty bytes remove it.

        Each notice consists of a kind, the time in milliseconds when it is due, and its content.
        """
        names, (account, field) = keys.of(table), self._holdings.place(table, owner.opener, ".e")
        stored = [part for kind, due, content in notices for part in (kind, b"%013d" % due + content)]
        changed = [names.evening, names.notices, names.state, account]
        arguments = (owner.token, evening, field, owner.opener, *stored)
        await self._backend.run(scripts.EVENING, changed, arguments, names.mark)

    async def subscribe(
        self,
        table: str,
        number: str,
        subscription: NoticeSubscription,
        *,
        opener: bytes | None = None,
        played: bool = False,
    ) -> None:
        """Store a subscription to a table's evenings. `played`: whether a match has been finished at the table."""
        names, (account, field) = keys.of(table), self._holdings.place(table, opener, ".e")
        changed = [names.evening, names.notices, names.state, account]
        arguments = (number, subscription.encoded(), field, opener or b"", "over" if played else "")
        await self._backend.run(scripts.EVENING_SUBSCRIBE, changed, arguments, names.mark)

    async def unsubscribe(self, table: str, number: str) -> None:
        """Remove a subscription and its notices."""
        names = keys.of(table)
        await self._backend.run(scripts.EVENING_UNSUBSCRIBE, [names.evening, names.notices], [number])

    async def subscriptions(self, table: str) -> dict[str, NoticeSubscription]:
        """Return all subscriptions to a table's evenings, by id."""
        flat = await self._backend.call(("HGETALL", keys.of(table).evening))
        stored = zip((name.decode() for name in flat[::2]), flat[1::2], strict=True)
        return {name: decode_subscription(value) for name, value in stored if len(name) == ID}

    async def subscription(self, table: str, number: str, kind: EveningKind) -> tuple[NoticeSubscription | None, bytes]:
        """Return a subscription (None if it was removed), and the content of the scheduled notice of this kind."""
        stored, notice = await self._backend.call(("HMGET", keys.of(table).evening, number, kind))
        return None if stored is None else decode_subscription(stored), (notice or b"")[TIME:]
