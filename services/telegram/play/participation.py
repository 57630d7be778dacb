"""People for whom a finished match counts: people who took turns themselves. No I/O."""

from collections.abc import Mapping

from locanda.messages import SeatTurns, Table

LEAST_PEOPLE = 2
"""Minimum number of people for a match to count."""
UNKNOWN = SeatTurns(own=1, computer=0)
"""Default for engines of earlier releases, which do not report turns: the person played."""


def is_there(over: Table, seat: int) -> bool:
    """Return whether a person held the seat at the end of the match."""
    return seat < len(over.seats) and over.seats[seat].kind == "person"


def counted_seats(over: Table, seats: Mapping[int, int]) -> dict[int, int]:
    """Return the seats of the people who played the match to its end, by person.

    A person who let the computer take more turns than they took themselves counts as having left.
    """
    return {user: seat for user, seat in seats.items() if _turns(over, seat).own >= _turns(over, seat).computer}


def counted_places(over: Table, seats: Mapping[int, int], leavers: Mapping[int, int | None]) -> dict[int, int]:
    """Return the place of each person for whom a match counts, 0 for the best; empty if too few people played.

    `seats` maps people to seats at the end, `leavers` maps people who left to their former seats. Leavers get the last
    place. People who took no turn are left out.
    """
    if over.match.result is None:
        return {}
    ranking = over.match.result.ranking
    staying = counted_seats(over, seats)
    gone = {**leavers, **{user: seat for user, seat in seats.items() if user not in staying}}
    places = {user: len(ranking) for user, seat in gone.items() if _played(over, seat)}
    for user, seat in staying.items():
        if _played(over, seat):
            places[user] = next(place for place, placed in enumerate(ranking) if seat in placed)
    guests = [seat for seat in over.seats if seat.kind == "person" and seat.seat not in seats.values()]
    people = len(places) + sum(_played(over, guest.seat) for guest in guests)
    return places if people >= LEAST_PEOPLE else {}


def _played(over: Table, seat: int | None) -> bool:
    """Return whether a person took a turn in a seat; true for a seat that an earlier release did not store (None)."""
    return seat is None or _turns(over, seat).own > 0


def _turns(over: Table, seat: int) -> SeatTurns:
    turns = over.match.turns
    return turns[seat] if seat < len(turns) else UNKNOWN
