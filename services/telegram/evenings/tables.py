"""Opens the tables of an evening, seats people at them, and starts their matches."""

from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager, suppress

import structlog
from msgspec import structs

from locanda.errors import EngineError, NotFoundError, UnavailableError
from locanda.messages import Table
from locanda.texts.options import most_players
from services.telegram.evenings.evening import Evening, PlannedTable, with_only, with_round
from services.telegram.records import ChatTable
from services.telegram.repositories.chat_tables import new_ref
from services.telegram.repositories.repositories import Repositories
from services.telegram.tables.lookup import ActionRefusedError, GameCatalogue, TableLookup
from services.telegram.tables.match import MatchActions
from services.telegram.tables.seating import Seating
from services.telegram.tables.setup import TableSetup

log = structlog.get_logger(__name__)


@contextmanager
def _but_outages(event: str) -> Iterator[None]:
    """Log engine errors inside this context as the log event `event`; re-raise only `UnavailableError`."""
    try:
        yield
    except UnavailableError:
        raise
    except (ActionRefusedError, EngineError) as error:
        log.warning(event, code=error.code)


class EveningTables:
    """Opens and starts the tables of evenings. Its methods raise `EngineError`."""

    def __init__(
        self,
        repositories: Repositories,
        catalogue: GameCatalogue,
        lookup: TableLookup,
        seating: Seating,
        setup: TableSetup,
        match: MatchActions,
    ) -> None:
        self._repositories = repositories
        self._catalogue = catalogue
        self._lookup = lookup
        self._seating = seating
        self._setup = setup
        self._match = match

    async def with_round(
        self, evening: Evening, people: Sequence[int], now: float, standing: Sequence[int] | None = None
    ) -> Evening:
        """Return an evening with its next round; the options of the group's last match limit the people at a table.

        A computer player takes the seat of a person to whom the bot may not write.
        """
        game = await self._catalogue.known(evening.game)
        choice = await self._repositories.chats.last_choice(evening.chat, evening.game)
        most = most_players(game, choice.options if choice else {})
        refs = [new_ref() for _ in people]
        planned = with_round(evening, people, (game.players.min, most), refs, now, standing)
        there = {user for user in people if await self._is_reachable(user)}
        return structs.replace(planned, tables=(*planned.tables[:-1], with_only(there, planned.tables[-1])))

    async def _is_reachable(self, user: int) -> bool:
        person = await self._repositories.people.person(user)
        return person is not None and person.reachable

    async def seat(self, evening: Evening, planned: PlannedTable) -> None:
        """Open a table, and seat its people and computers. A repeated call continues an interrupted one.

        Raises `UnavailableError` if the engine does not answer. Any other error is only logged, so that the other
        tables begin; `deal` does the same.
        """
        with _but_outages("evening_table_not_opened"):
            await self._open(evening, planned)

    async def deal(self, planned: PlannedTable) -> None:
        """Start the match of a table, unless it has started."""
        with _but_outages("evening_table_not_begun"):
            table, _ = await self._lookup.host_view(await self._lookup.chat_table(planned.ref))
            if table.status == "open":
                await self._match.start(
                    planned.ref, await self._host(planned.ref, table), table.version, f"evening-{planned.ref}-start"
                )

    async def _host(self, ref: str, table: Table) -> int:
        seats = await self._lookup.seats(await self._lookup.chat_table(ref))
        return next(user for user, seat in seats.items() if seat == table.host)

    async def _open(self, evening: Evening, planned: PlannedTable) -> None:
        ref, away = planned.ref, {user for user in planned.people if await self._is_away(evening, user)}
        people = _someone_present_first(planned.people, away)
        if await self._repositories.chat_tables.find(ref) is None:
            await self._setup.open(
                ChatTable(ref, evening.chat, evening.thread, "", evening.game, people[0], evening=evening.ref)
            )
        for user in people:
            await self._seat(ref, user, away=user in away)
        await self._setup.fill(ref, planned.seats, f"evening-{ref}")

    async def _is_away(self, evening: Evening, user: int) -> bool:
        """Return whether a person was away at the end of their last round and has pressed no button since."""
        rounds = enumerate(evening.tables[:-1], 1)
        before = [(number, table.ref) for number, tables in rounds for table in tables if user in table.people]
        if not before or await self._repositories.evenings.seen_in(evening.ref, user) >= before[-1][0]:
            return False
        with suppress(ActionRefusedError, NotFoundError):  # the table was deleted, or the person has left it
            table, _ = await self._lookup.view_for(await self._lookup.chat_table(before[-1][1]), user)
            return table.you is not None and table.seats[table.you].away
        return False

    async def _seat(self, ref: str, user: int, *, away: bool) -> None:
        """Seat a person if the bot may write to them; otherwise their seat stays free for a computer player."""
        person = await self._repositories.people.person(user)
        if person is not None and person.reachable:
            with _but_outages("evening_seat_not_taken"):
                await self._seating.sit_unless_seated(ref, person, away=away)


def _someone_present_first(people: Sequence[int], away: Container[int]) -> Sequence[int]:
    """Rotate a list of people so that its first person, who becomes the host, is not away."""
    first = next((at for at, user in enumerate(people) if user not in away), 0)
    return [*people[first:], *people[:first]]
