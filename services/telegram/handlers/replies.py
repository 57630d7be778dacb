"""Failures in words, for a toast or a message."""

from services.telegram.handlers.house import House
from services.telegram.records import Person
from services.telegram.screens.refusals import explained
from services.telegram.tables.refusing import RefusedError
from shared.errors import (
    EngineError,
    IllegalMoveError,
    NotFoundError,
    StaleError,
    TooManyRequestsError,
    UnavailableError,
)
from shared.messages import Table
from shared.translate import Language

Failure = RefusedError | EngineError
FAILURES = (RefusedError, EngineError)


def code_of(failure: Failure) -> str:
    """Return the failure's code as `screens.refusals` knows it."""
    match failure:
        case StaleError():
            return "stale"
        case NotFoundError():
            return "no_table"
        case UnavailableError():
            return "unreachable"
        case TooManyRequestsError():
            return "too_many_requests"
        case _:
            return failure.code


async def in_words(house: House, failure: Failure, person: Person | None, language: Language, ref: str = "") -> str:
    """Return why something cannot be done."""
    facts = failure.problem.facts or {} if isinstance(failure, EngineError) else failure.facts
    of_the_game = isinstance(failure, IllegalMoveError) or "turn" in facts
    table = await _table(house, person, ref) if of_the_game and person else None
    return explained(code_of(failure), facts, table, language)


async def _table(house: House, person: Person, ref: str) -> Table | None:
    """Return the table as the one who was refused sees it, to explain the refusal with."""
    try:
        table, _ = await house.tables.looking.seen_by(await house.tables.looking.room(ref), person.user)
    except FAILURES:
        return None
    return table
