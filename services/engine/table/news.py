"""News of a transition for people who are not watching: their turn, the end of a match, or the end of the table."""

from typing import Literal, TypeAlias

from msgspec import Struct

from services.engine.table.state import AnyTable, same_turn, turn_of

NewsType: TypeAlias = Literal["turn", "over", "closed", "invitation", "evening", "test"]


class News(Struct, frozen=True, array_like=True):
    """What happened at a table, without any cards."""

    type: NewsType
    table: str
    version: int = 0
    """The table's version when the news happened; 0 if the table has expired or was removed."""
    game: str = ""
    match: int = 0
    deal: int = 0
    seat: int | None = None
    """The seat whose turn it is; None for a computer player's turn, for which no notice is sent."""
    at: int | None = None
    """For news of an evening: when the table's people meet, in epoch milliseconds."""


def news_of(before: AnyTable | None, after: AnyTable) -> News | None:
    """Return the news of a transition, or None. A turn is news only once, even if it takes several moves."""
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
    """Return news for a test notice, with which a person checks whether notices arrive."""
    return _news("test", table, None)


def _news(type_: NewsType, table: AnyTable, seat: int | None) -> News:
    return News(type_, table.id, table.version, table.game, table.match.number, table.match.deal, seat)
