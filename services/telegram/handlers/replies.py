"""Failures in words, for a toast or a message."""

from services.telegram.handlers.house import House
from services.telegram.screens.refusals import explained
from services.telegram.tables import RefusedError
from shared.errors import EngineError, NotFoundError, StaleError, TooManyRequestsError, UnavailableError
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


async def in_words(house: House, failure: Failure, language: Language, ref: str | None = None) -> str:
    """Return why something cannot be done."""
    code = code_of(failure)
    facts = failure.problem.facts or {} if isinstance(failure, EngineError) else {}
    room = await house.chats.room(ref) if ref else None
    names: list[str] = []
    if room is not None and "turn" in facts:
        try:
            table = await house.tables.seen(room)
            names = [seat.name for seat in table.seats] if table else []
        except EngineError:
            names = []
    return explained(code, facts, room.game if room else None, names, language)
