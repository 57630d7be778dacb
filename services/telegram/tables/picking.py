"""Taking cards up before they are played."""

from services.telegram.memory.memory import Memory
from services.telegram.screens.selecting import selecting
from services.telegram.tables.looking import Looking
from services.telegram.tables.refusing import RefusedError
from shared.messages import Table


class Picking:
    """Which cards a person has taken up. Raises `RefusedError` or `EngineError` where he may not."""

    def __init__(self, memory: Memory, looking: Looking) -> None:
        self._seats = memory.seats
        self._looking = looking

    async def pick(self, ref: str, user: int, version: int, place: int, *, up: bool) -> None:
        """Take a card up, or put it back; where only one may be up, it takes the other's place."""
        table = await self._on_turn(ref, user, version)
        how = selecting(table)
        before = await self._seats.picked(ref, user, version) if how is not None and how.several else frozenset()
        await self._seats.pick(ref, user, version, before | {place} if up else before - {place})

    async def put_back(self, ref: str, user: int, version: int) -> None:
        """Put all cards back."""
        await self._on_turn(ref, user, version)
        await self._seats.pick(ref, user, version, frozenset())

    async def _on_turn(self, ref: str, user: int, version: int) -> Table:
        table, _ = await self._looking.seen_by(await self._looking.room(ref), user)
        if table.version != version:
            raise RefusedError("stale")
        if table.deal is None or table.you is None or table.deal.turn != table.you:
            raise RefusedError("not_your_turn", turn=None if table.deal is None else table.deal.turn)
        return table
