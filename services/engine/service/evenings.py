"""Evenings: the next date on which a table's people meet to play. Set with a seat's token; subscribers get notices.

An evening outlasts its table. Its last setter may change or cancel it after the table has expired.
"""

from datetime import UTC, datetime

from locanda import messages
from locanda.games.rules import GAMES
from services.engine.errors import ProblemError
from services.engine.service import tokens
from services.engine.service.errors import NoSuchTableError
from services.engine.service.notices import EVENING_KINDS, encode
from services.engine.service.queries import Queries
from services.engine.service.validation import ImpossibleError
from services.engine.store import Store
from services.engine.store.evenings import EveningKind, EveningOwner
from services.engine.table.news import News, NewsType
from services.engine.table.state import DAY

FARTHEST = messages.EVENING_DAYS * DAY * 1000
"""How far ahead an evening can be set, in milliseconds. Subscriptions are kept longer."""
EVENING = 16_384
"""Bytes that the notices of an evening may take. They count towards the storage limit of the table's opener."""
BEFORE: dict[NewsType, int] = {"invitation": DAY * 1000, "evening": 1_800_000}
"""Milliseconds before an evening when a notice is due. An invitation that would be in the past is sent immediately."""


class EveningCalls:
    """The API calls about evenings."""

    def __init__(self, store: Store, queries: Queries) -> None:
        self._store = store
        self._evenings = store.evenings
        self._queries = queries

    async def set(self, table: str, token: str | None, evening: messages.SetEvening) -> messages.NextEvening:
        """Set the date of a table's next evening. Raises the errors of `Queries.access` and `ImpossibleError`."""
        owner = await self._owner(table, token)
        if evening.game not in GAMES:
            raise ImpossibleError("game", f"there is no such game; there are {', '.join(GAMES)}")
        if evening.at is None:
            await self._evenings.set(table, owner, b"", [])
            return messages.NextEvening(evening.game, None)
        at, now = int(evening.at.timestamp()) * 1000, self._store.now()
        await self._store.holdings.admit(owner.opener, EVENING)
        if not now < at <= now + FARTHEST:
            raise ImpossibleError("at", f"it must be in the future, at most {messages.EVENING_DAYS} days from now")
        await self._evenings.set(
            table, owner, b"%d %s" % (at, evening.game.encode()), _notices(table, evening.game, at, now)
        )
        self._store.notices.note_new()
        return messages.NextEvening(evening.game, datetime.fromtimestamp(at / 1000, UTC))

    async def _owner(self, table: str, token: str | None) -> EveningOwner:
        """Return an evening's owner: who has a seat or, at an expired table, who last set the evening."""
        if token is None:
            raise ProblemError("no_token")
        digest = tokens.digest(token)
        try:
            access = await self._queries.access(table, token)
        except NoSuchTableError:
            before = await self._evenings.owner(table)
            if before is None or before.token != digest:
                raise
            return before
        if access.seat is None:
            raise ProblemError("no_token")
        return EveningOwner(digest, access.table.opener or b"")


def _notices(table: str, game: str, at: int, now: int) -> list[tuple[EveningKind, int, bytes]]:
    due = {type_: max(at - before, now) if type_ == "invitation" else at - before for type_, before in BEFORE.items()}
    return [
        (EVENING_KINDS[type_], time, encode(News(type_, table, game=game, at=at)))
        for type_, time in due.items()
        if time >= now
    ]
