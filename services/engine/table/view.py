"""Views of a table for a seat or a spectator. A view is built from visible fields, never by removing hidden ones."""

from datetime import UTC, datetime

import msgspec
from msgspec import structs

from locanda import messages
from services.engine.table import rematch
from services.engine.table.state import AnyTable, game_of, most_seats, turn_of
from services.engine.table.turns import deadline, turns_of


def view(table: AnyTable, seat: int | None, shared: messages.Table | None = None) -> messages.Table:
    """Return the table's view for a seat or spectators; `shared` is the `shared_part`, if known."""
    place = None if seat is None else seat - len(table.seats)
    newcomer = place if place is not None and place >= 0 else None
    you = None if newcomer is not None else seat
    return structs.replace(
        shared or shared_part(table),
        you=you,
        deal=None if table.deal is None else game_of(table).view(table.deal, you),
        moves=moves(table, you),
        rematch=_rematch(table, newcomer),
    )


def shared_part(table: AnyTable) -> messages.Table:
    """Return the part that all views share: a view without the fields that depend on the seat."""
    return messages.Table(
        id=table.match.table,
        game=messages.GameName(table.game),
        rules=table.rules,
        options=msgspec.to_builtins(table.options),
        status=table.status,
        version=table.version,
        host=table.host,
        you=None,
        listed=table.listed,
        seats=tuple(
            [
                messages.Seat(number, held.name, held.kind, held.level, held.away)
                for number, held in enumerate(table.seats)
            ]
        ),
        match=_match(table),
        deal=None,
        turn_seconds=table.turn_seconds,
        deadline=None if table.wake is None else _time(deadline(table)),
        moves=[],
        events=list(table.events),
        substitute_level=table.computers.substitute_level,
        hints=table.computers.hints,
        fill_seats=table.computers.fill_seats,
        rematch=None,
        max_seats=most_seats(table, table.options),
        locked=table.locked,
    )


def moves(table: AnyTable, seat: int | None) -> list[messages.GivenMove]:
    """Return the legal moves if the seat is on turn, as structs for the encoder; else an empty list."""
    if seat is None or turn_of(table) != seat:
        return []
    legal: list[messages.GivenMove] = game_of(table).moves(table.deal)
    return legal


def listing(table: AnyTable) -> messages.ListedTable:
    """Return a table's entry in the list of tables. Raises the errors of `game_of`."""
    host = table.seats[table.host or 0]
    return messages.ListedTable(
        id=table.id,
        game=messages.GameName(table.game),
        options=msgspec.to_builtins(table.options),
        host=host.name,
        seats=len(table.seats),
        max_seats=most_seats(table, table.options),
        turn_seconds=table.turn_seconds,
        status="open" if table.status == "open" else "playing",
    )


def _match(table: AnyTable) -> messages.Match:
    match, over, counts = table.match, table.match.result is not None, turns_of(table)
    return messages.Match(
        number=match.number,
        deal=match.deal,
        points=match.points,
        result=match.result,
        commitment=match.commitment,
        server_seed=match.server_seed.hex() if over else None,
        next_commitment=match.following.commitment if over else None,
        turns=tuple(map(messages.SeatTurns, counts.own, counts.computer)) if over else (),
        past_deals=[
            messages.PastDeal(past_deal.deal, past_deal.points, past_deal.over)
            for past_deal in table.past_deals
            if past_deal.match == match.number
        ],
    )


def _rematch(table: AnyTable, newcomer: int | None) -> messages.Rematch | None:
    if table.status != "over" or table.match.result is None:
        return None
    return messages.Rematch(
        answers=tuple([rematch.stays(table, number) for number in range(len(table.seats))]),
        newcomers=tuple([joining.name for joining in rematch.state_of(table).newcomers]),
        you=newcomer,
        deadline=_time(table.wake),
    )


def _time(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, UTC)
