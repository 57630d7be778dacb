"""Tables of a group with people of the page, who get notices of the group's next evening. Pure."""

from collections.abc import Mapping

from msgspec import Struct

from locanda.messages import EVENING_DAYS

KEPT = 35 * 86_400
"""Seconds after its last match for which such a table counts."""
FARTHEST = (EVENING_DAYS - 1) * 86_400
"""Seconds ahead at which an evening is set: a day less than the engine takes, whose clock may differ."""


class SharedTable(Struct, frozen=True):
    """Such a table, after its last match."""

    engine: str
    """The engine's id of it."""
    match: int
    """The number of that match."""
    game: str
    user: int
    """A person of the group who sat at the table."""
    token: str
    """The token of their seat, with which the next evening is set."""
    guests: tuple[str, ...]
    """The names of the people of the page."""
    ended: float
    at: float | None = None
    """The evening that is set at the engine (Unix seconds)."""


def wanted(tables: Mapping[str, SharedTable], at: float | None) -> dict[str, float | None]:
    """Return the next evening to set at each table: only at the last table of each person of the page."""
    at_by_table, known = dict[str, float | None](), set[str]()
    for ref, table in sorted(tables.items(), key=lambda entry: entry[1].ended, reverse=True):
        at_by_table[ref] = None if known.issuperset(table.guests) else at
        known |= {*table.guests}
    return at_by_table
