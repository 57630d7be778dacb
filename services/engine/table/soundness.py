"""Whether a stored table is one that transitions can have made: asked once something went wrong with it."""

from services.engine.games.registry import GAMES
from services.engine.table.state import AnyTable

YEAR_10000 = 253_402_300_800_000
"""The first time that has no date, in epoch milliseconds."""


def is_sound(table: AnyTable) -> bool:
    """Return whether the parts of a table go together.

    Damaged bytes can still decode: a seat too few, a card twice, a turn that nobody has. Telling that takes longer
    than to read a table, so it is done only where a transition or a view of it has failed unexpectedly.
    """
    try:
        return _seats_agree(table) and _deal_agrees(table)
    except Exception:  # noqa: BLE001 - a deal that its own game cannot read is not sound
        return False


def _seats_agree(table: AnyTable) -> bool:
    match, seats = table.match, len(table.seats)
    if not seats:
        return table.status == "over"
    numbers = [match.dealer, *([] if table.host is None else [table.host])]
    counts = [table.version, match.number, match.deal]
    times = [table.opened, table.wake or 0]
    turn = None if table.deal is None else table.deal.turn
    return (
        all(0 <= number < seats for number in numbers)
        and all(0 <= count < 1 << 53 for count in counts)
        and all(0 <= time < YEAR_10000 for time in times)
        and (turn is None or 0 <= turn < seats)
        and len(match.points) in (0, seats)
        and (table.deal is None or len(match.points) == seats)
        and (table.status != "playing" or table.deal is not None)
    )


def _deal_agrees(table: AnyTable) -> bool:
    if table.deal is None:
        return True
    game = GAMES[table.game]
    deal = game.to_wire(table.deal)
    return len(deal.hands) == len(table.seats) and game.from_wire(deal) == table.deal
