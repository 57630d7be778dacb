"""Checks the shuffle at the end of a match, with the commitment and seeds saved with the seat."""

from collections.abc import Mapping
from secrets import token_urlsafe

from msgspec import structs

from locanda.errors import EngineError
from locanda.games.base import N_
from locanda.messages import GiveSeed, Table
from locanda.shuffle_check import KeptShuffle, match_errors
from locanda.verify import translated

from .saved_seats import SavedSeat, SavedSeats
from .session import Session

AGREES = N_("The shuffle matches the fingerprint that you saw before.")
AGREES_WITH_BOTH = N_("The shuffle matches the fingerprint that you saw and the seed that you set before.")
AGREES_WITHOUT_SEED = N_("The shuffle matches the fingerprint that you saw before. Your seed came too late.")


class Shuffles:
    """Matches of a seat: sets client seeds, saves seeds and commitments, and checks proofs."""

    def __init__(self, session: Session, seat: SavedSeat, seats: SavedSeats) -> None:
        self._session = session
        self._seat = seat
        self._seats = seats
        self._seeded_match = 0
        """Number of the last match for which a client seed was set."""
        self._checked_match = 0
        """Number of the last match whose proofs were checked."""

    async def give_seed(self, table: Table) -> Table | None:
        """Save and set a random client seed, once for each match. Return the table if it has changed."""
        number = table.match.number + (table.status == "over")
        commitment = table.match.next_commitment if table.status == "over" else table.match.commitment
        if table.status == "playing" or table.you is None or commitment is None or number == self._seeded_match:
            return None
        self._seeded_match = number
        seed = token_urlsafe(12)
        kept = self._seat.kept.get(number, KeptShuffle(commitment))
        kept = structs.replace(kept, client_seeds=(*kept.client_seeds, seed))
        self._keep(number, kept)
        table_after = await self._session.engine.give_seed(table.id, table.you, self._seat.token, GiveSeed(seed))
        self._keep(number, structs.replace(kept, confirmed=True))
        return table_after

    def _keep(self, match: int, kept: KeptShuffle) -> None:
        self._seat = structs.replace(self._seat, kept={**self._seat.kept, match: kept})
        self._seats.save(self._seat)

    async def check(self, table: Table) -> None:
        """Check a finished match once, and print the result in one line."""
        if table.match.result is None or table.you is None or table.match.number == self._checked_match:
            return
        self._checked_match = table.match.number
        kept = self._seat.kept.get(table.match.number)
        if kept is None:
            self._session.say("The shuffle cannot be checked: you joined after the match began.")
            return
        agreed = AGREES_WITH_BOTH if kept.confirmed else AGREES_WITHOUT_SEED
        await report_check(self._session, table, kept.commitment, {table.you: kept.possible_seeds}, agreed)


async def report_check(
    session: Session, over: Table, commitment: str, seeds: Mapping[int, tuple[str, ...]], agreed: str
) -> None:
    """Check the proofs of a finished match, and print the result in one line: the text `agreed` if nothing is wrong."""
    try:
        wrong = await match_errors(session.engine, over, commitment, seeds)
    except EngineError as error:
        session.say("The shuffle could not be checked: {reason}", reason=session.error_text(error, over))
        return
    if wrong:
        reason = translated(wrong[0], session.translations.gettext)
        session.say("The shuffle does NOT match the fingerprint and seed from before: {reason}", reason=reason)
    else:
        session.say(agreed)
