"""Tables of a group where guests from the web page sat. The engine notifies them of the next evening. No I/O."""

from collections.abc import Mapping

from msgspec import Struct

from locanda.messages import EVENING_DAYS

KEPT = 35 * 86_400
"""Seconds for which a table with guests is kept after its last match."""
FARTHEST = (EVENING_DAYS - 1) * 86_400
"""Maximum seconds until an evening sent to the engine: a day below the engine's limit, as its clock may differ."""


class SharedTable(Struct, frozen=True):
    """A table with guests, after its last match."""

    engine: str
    match: int
    """The number of the table's last match."""
    game: str
    user: int
    """A person of the group who sat at the table."""
    token: str
    """The token of their seat, which authorizes setting the evening."""
    guests: tuple[str, ...]
    ended: float
    at: float | None = None
    """The time of the evening that was last sent to the engine (Unix seconds)."""


def wanted(tables: Mapping[str, SharedTable], at: float | None) -> dict[str, float | None]:
    """Return the evening's time to set at each table: `at` at the last table of each guest, None at earlier tables."""
    at_by_table, known = dict[str, float | None](), set[str]()
    for ref, table in sorted(tables.items(), key=lambda entry: entry[1].ended, reverse=True):
        at_by_table[ref] = None if known.issuperset(table.guests) else at
        known |= {*table.guests}
    return at_by_table
