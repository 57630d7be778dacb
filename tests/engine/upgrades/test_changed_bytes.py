"""Stored tables with single bytes changed: each is either played or refused as damaged; none blocks the event loop."""

from contextlib import suppress
from random import Random

import pytest
from msgspec import structs

from locanda.cards import members
from services.engine.service import codec
from services.engine.service.errors import UNEXPECTED_ERRORS, diagnosed
from services.engine.service.views import EncodedViews
from services.engine.store.errors import DamagedError
from services.engine.table import playing
from services.engine.table.state import TableError, TransitionContext
from tests.engine.table.tables import plainly
from tests.engine.upgrades.archive import read

ARCHIVE = read("0.1.0")
STORED = {
    table.game: next(value.string for key, value in ARCHIVE.keys.items() if key.endswith(f"{table.id}:table"))
    for table in ARCHIVE.tables
    if table.status == "playing"
}


def look_and_play(data: bytes, rng: Random) -> None:
    """Decode and show a table, then let computer players make a few moves, like the service and the clock."""
    table = codec.decode(data)
    EncodedViews(table).of(None)
    seats = tuple(structs.replace(seat, kind="computer", level="plain") for seat in table.seats)
    played = structs.replace(table, seats=seats, wake=1)
    try:
        for _ in range(3):
            transition = playing.wake(played, TransitionContext(10**9), plainly(rng))
            if transition is None:
                break
            played = structs.replace(transition.table, wake=1)
    except UNEXPECTED_ERRORS as error:
        raise diagnosed(played, error) from None


@pytest.mark.slow
@pytest.mark.parametrize("game", STORED)
def test_changed_bytes_are_served_or_refused(game: str) -> None:
    data, rng = (STORED[game] or b"")[8:], Random(game)
    for place in range(len(data)):
        for byte in {0, 0x90, 0xC0, 0xE0, 0xFF, data[place] ^ 1, rng.randrange(256)}:
            with suppress(DamagedError, TableError):
                look_and_play(data[:place] + bytes((byte,)) + data[place + 1 :], rng)


def test_a_negative_number_is_no_set_of_cards() -> None:
    assert members(-14) == []
