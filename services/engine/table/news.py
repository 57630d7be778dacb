"""News of a transition for people who are not looking: their turn, the end of a match, the end of the table."""

from typing import Literal, TypeAlias

from msgspec import Struct

from services.engine.table.state import AnyTable, same_turn, turn_of

NewsType: TypeAlias = Literal["turn", "over", "closed", "invitation", "evening", "test"]


class News(Struct, frozen=True, array_like=True):
    """The event, without any cards."""

    type: NewsType
    table: str
    version: int = 0
    """The version at which it happened; 0 if the table has expired or was removed."""
    game: str = ""
    match: int = 0
    deal: int = 0
    seat: int | None = None
    """The seat whose turn has come; None for a computer player's turn, which is no news."""
    at: int | None = None
    """When the people of the table meet again, in epoch milliseconds, in news of an evening."""


def news_of(before: AnyTable | None, after: AnyTable) -> News | None:
    """Return what has happened, None for nothing. A turn is news once, however many moves it takes."""
    if before is None:
        return None
    if after.status == "over":
        if before.status == "over":
            return None
        return _news("closed" if after.match.result is None else "over", after, None)
    if same_turn(before, after):
        return None
    turn = turn_of(after)
    return _news("turn", after, None if turn is None or after.seats[turn].automatic else turn)


def test_of(table: AnyTable) -> News:
    """Return news without content, for a person who wants to test whether notices arrive."""
    return _news("test", table, None)


def _news(type_: NewsType, table: AnyTable, seat: int | None) -> News:
    return News(type_, table.id, table.version, table.game, table.match.number, table.match.deal, seat)
