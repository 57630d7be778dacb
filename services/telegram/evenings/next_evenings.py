"""Sends the date of a group's next evening to the engine, for guests who joined its tables on the web page."""

from collections.abc import Collection
from datetime import UTC, datetime

from msgspec import structs

from locanda.client import EngineClient
from locanda.errors import EngineError, UnavailableError
from locanda.messages import Table
from services.telegram.evenings.evening import EveningPlan
from services.telegram.evenings.shared_tables import FARTHEST, KEPT, SharedTable, wanted
from services.telegram.records import ChatTable
from services.telegram.repositories.repositories import Repositories


class NextEvenings:
    """Keeps the evening dates at the engine's tables equal to the groups' plans."""

    def __init__(self, engine: EngineClient, repositories: Repositories) -> None:
        self._engine = engine
        self._evenings = repositories.evenings
        self._seats = repositories.seats

    async def note(self, chat_table: ChatTable, over: Table, seats: dict[int, int], now: float) -> None:
        """Store a table whose match is over, if the group has a plan and a guest from the web page sat there."""
        known = (await self._evenings.shared(chat_table.chat)).get(chat_table.ref)
        if known is not None and (known.engine, known.match) == (over.id, over.match.number):
            return
        user, guests = min(seats, default=None), _guests(over, seats.values())
        token = None if user is None else await self._seats.token(chat_table.ref, user)
        if guests and user is not None and token and await self._evenings.plan(chat_table.chat) is not None:
            shared = SharedTable(over.id, over.match.number, over.game, user, token, guests, now)
            await self._evenings.share(chat_table.chat, chat_table.ref, shared)

    async def look(self, chat: int, plan: EveningPlan | None, now: float) -> None:
        """Update the evening's date at the group's stored tables, or remove it. Raises `UnavailableError`."""
        shared = await self._evenings.shared(chat)
        if not shared:
            return
        upcoming = None if plan is None else plan.next(now)
        at = None if upcoming is None or upcoming[1] > now + FARTHEST else upcoming[1]
        for ref, is_at in wanted(shared, at).items():
            await self._set(chat, ref, shared[ref], is_at, plan, now)

    async def _set(
        self, chat: int, ref: str, shared: SharedTable, at: float | None, plan: EveningPlan | None, now: float
    ) -> None:
        if now > shared.ended + KEPT:
            return await self._evenings.unshare(chat, ref)
        if shared.at == at:
            return None
        game = plan.game if plan is not None else shared.game
        when = None if at is None else datetime.fromtimestamp(at, UTC)
        try:
            await self._engine.set_evening(shared.engine, shared.token, game, when)
        except UnavailableError:
            raise
        except EngineError:  # the engine has deleted the table
            return await self._evenings.unshare(chat, ref)
        return await self._evenings.share(chat, ref, structs.replace(shared, at=at))


def _guests(over: Table, known: Collection[int]) -> tuple[str, ...]:
    """Return the names of people at a table who are not in the group; `known` has the seats of the group's people."""
    return tuple(seat.name for number, seat in enumerate(over.seats) if seat.kind == "person" and number not in known)
