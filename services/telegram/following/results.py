"""The end of a match: counts it for the group's leaderboard, and checks its shuffle."""

import asyncio
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import msgspec
import structlog

from locanda.client import EngineClient
from locanda.errors import UnavailableError, unreachable
from locanda.games.base import Result
from locanda.messages import PastDeal, Table
from locanda.shuffle_check import match_errors
from services.telegram.evenings.next_evenings import NextEvenings
from services.telegram.evenings.summary import PlayedDeal, PlayedMatch
from services.telegram.following.titles import Titles
from services.telegram.play.participation import counted_places, counted_seats, is_there
from services.telegram.records import ChatTable, ShuffleOutcome
from services.telegram.repositories.repositories import Repositories
from services.telegram.screens.results import last_cards
from services.telegram.tables.lookup import TableLookup

log = structlog.get_logger(__name__)

CHECK_SECONDS = 10.0
"""Time limit of a shuffle check, so that it does not delay a rematch. The check is retried later."""


def _played(past: PastDeal, people: Collection[int], seats: Mapping[int, int]) -> PlayedDeal:
    """Return the places and points of people in a finished deal."""
    deal = msgspec.convert(past.over["result"], Result)
    places = {seat: place for place, placed in enumerate(deal.ranking) for seat in placed}
    return PlayedDeal(
        {user: places[seats[user]] for user in people}, {user: deal.points[seats[user]] for user in people}
    )


@dataclass(frozen=True, slots=True)
class MatchResults:
    """Counts finished matches, and checks their proofs against the stored commitment and client seeds."""

    engine: EngineClient
    repositories: Repositories
    lookup: TableLookup
    titles: Titles
    next_evenings: NextEvenings

    async def count(self, chat_table: ChatTable, over: Table) -> None:
        """Count a finished match for the people who played it; a repeated call changes nothing.

        Matches with an own player (a seat whose moves somebody's server chooses) do not count, because a person may
        have chosen those moves.
        """
        result, match = over.match.result, over.match.number
        if result is None or chat_table.alone or any(seat.is_own_player for seat in over.seats):
            return
        everybody = await self.lookup.seats_in(chat_table, over)
        recorded = await self.repositories.seats.recorded(chat_table.ref, match)
        everybody |= {user: seat for user, seat in recorded.items() if seat is not None and is_there(over, seat)}
        left = {user: seat for user, seat in recorded.items() if user not in everybody}
        places = counted_places(over, everybody, left)
        seats = {user: seat for user, seat in counted_seats(over, everybody).items() if user in places}
        teams = [[user for user, seat in seats.items() if seat in team] for team in result.teams or ()]
        if places and not await self.repositories.leaderboards.is_counted(chat_table, match):
            await self.titles.note(chat_table, over, seats)
        since = await self.repositories.seasons.since(chat_table.chat)
        await self.repositories.leaderboards.count(chat_table, match, places, teams, since)
        await self.next_evenings.note(chat_table, over, everybody, time.time())
        if chat_table.evening and places:
            shown = {user: place for user, place in places.items() if await self.repositories.people.is_shown(user)}
            deals = tuple(_played(deal, shown.keys() & seats.keys(), seats) for deal in over.match.past_deals)
            played = PlayedMatch(time.time(), shown, deals, last_cards(over, result))
            await self.repositories.evenings.note_match(chat_table.evening, chat_table.ref, match, played)

    async def check(self, chat_table: ChatTable, over: Table) -> bool:
        """Check a finished match's shuffles; return whether the outcome is new. Raises `UnavailableError`."""
        shuffles, number = self.repositories.shuffles, over.match.number
        if over.match.result is None or await shuffles.outcome(chat_table.ref, over.id, number) is not None:
            return False
        outcome = await self._outcome(chat_table, over)
        if await self.repositories.chat_tables.find(chat_table.ref) is None:  # the table was deleted during the check
            return False
        await shuffles.record_outcome(chat_table.ref, over.id, number, outcome)
        return True

    async def _outcome(self, chat_table: ChatTable, over: Table) -> ShuffleOutcome:
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                commitment, kept = await self.repositories.shuffles.kept(chat_table.ref, over.id, over.match.number)
                if commitment is None:
                    return "unchecked"
                seats = await self.lookup.seats_in(chat_table, over)
                seeds = {seats[user]: shuffle.possible_seeds for user, shuffle in kept.items() if user in seats}
                wrong = await match_errors(self.engine, over, commitment, seeds)
        except UnavailableError:
            raise
        except TimeoutError:
            raise unreachable("the proofs of a match did not come in time") from None
        except Exception as error:  # noqa: BLE001  (no error of the check may stop the table)
            log.warning("shuffle_not_checked", error=repr(error))
            return "unchecked"
        if wrong:
            log.error("shuffle_differs", match=over.match.number, error=wrong[0])
            return "different"
        return "agreed"
