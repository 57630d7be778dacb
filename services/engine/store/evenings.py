"""When the people of tables meet again, and who has subscribed to that, in Redis: it outlasts the tables.

The notices of an evening are written when it is set, to be sent when they are due. Whether they are is decided then:
those of an evening that has been put off, or called off, are no longer what is set.
"""

from collections.abc import Sequence
from typing import Literal

from services.engine.store import keys, scripts
from services.engine.store.backends import Backend
from services.engine.store.notices import ID, TIME, NoticeSubscription, decode_subscription

KEPT_SECONDS = 40 * 86_400
"""For how long an evening and the subscriptions to it are kept after they were last set."""
OWNER, SET = "owner", "set"
"""The fields beside the subscriptions and the notices, which stand under their kinds."""

EveningKind = Literal["i", "e"]
"""The invitation to an evening, and that it is near."""


class EveningStore:
    """Evenings, by table. Each method raises `StoreDownError` while Redis does not serve."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    async def owner(self, table: str) -> bytes | None:
        """Return the digest of the token by which a table's evening was set last."""
        found: bytes | None = await self._backend.call(("HGET", keys.of(table).evening, OWNER))
        return found

    async def set(
        self, table: str, owner: bytes, evening: bytes, notices: Sequence[tuple[EveningKind, int, bytes]]
    ) -> None:
        """Set an evening, empty for none; of each notice the kind, when it is due, in milliseconds, and its content."""
        names = keys.of(table)
        stored = [part for kind, due, content in notices for part in (kind, b"%013d" % due + content)]
        arguments = (owner, evening, KEPT_SECONDS, *stored)
        await self._backend.run(scripts.EVENING, [names.evening, names.notices], arguments, names.mark)

    async def subscribe(self, table: str, number: str, subscription: NoticeSubscription) -> None:
        """Store a subscription to a table's evenings."""
        names = keys.of(table)
        arguments = (number, subscription.encoded(), KEPT_SECONDS)
        await self._backend.run(scripts.EVENING_SUBSCRIBE, [names.evening, names.notices], arguments, names.mark)

    async def unsubscribe(self, table: str, number: str) -> None:
        """Remove a subscription."""
        await self._backend.call(("HDEL", keys.of(table).evening, number))

    async def subscriptions(self, table: str) -> dict[str, NoticeSubscription]:
        """Return all subscriptions to a table's evenings by their ids."""
        found = await self._backend.call(("HGETALL", keys.of(table).evening))
        stored = zip((name.decode() for name in found[::2]), found[1::2], strict=True)
        return {name: decode_subscription(value) for name, value in stored if len(name) == ID}

    async def subscription(self, table: str, number: str, kind: EveningKind) -> tuple[NoticeSubscription | None, bytes]:
        """Return a subscription, None if it was removed, and the content of the notice of this kind that is set."""
        found, notice = await self._backend.call(("HMGET", keys.of(table).evening, number, kind))
        return None if found is None else decode_subscription(found), (notice or b"")[TIME:]
