"""Where tables are found, and where seats are kept."""

import os
import time
from pathlib import Path

import pytest

from services.terminal.places import KeptSeat, Place, Seats, directory, place

HERE = "http://127.0.0.1:8080"
TABLE = "-AAAAAAAAAAAAAAAAAAAA_"


def test_a_table_is_named_by_its_id_or_by_its_link() -> None:
    assert place(TABLE, HERE) == Place(HERE, TABLE)
    assert place(f"https://inn.example/games/v1/tables/{TABLE}/", HERE) == Place("https://inn.example/games", TABLE)
    assert place(Place(HERE, TABLE).link, "http://elsewhere.example") == Place(HERE, TABLE)


@pytest.mark.parametrize("text", ["", "table", TABLE + "x", f"ftp://x/v1/tables/{TABLE}", f"{HERE}/v1/games/{TABLE}"])
def test_what_names_no_table_is_none(text: str) -> None:
    assert place(text, HERE) is None


def test_a_seat_is_kept_replaced_and_forgotten(tmp_path: Path) -> None:
    seats = Seats(tmp_path / "seats")
    assert seats.find(TABLE) is None
    for token in ("first", "second"):
        seats.keep(KeptSeat(Place(HERE, TABLE), token))
    assert seats.find(TABLE) == KeptSeat(Place(HERE, TABLE), "second")
    assert [file.name for file in (tmp_path / "seats").iterdir()] == [f"{TABLE}.json"]
    seats.forget(TABLE)
    seats.forget(TABLE)
    assert seats.find(TABLE) is None


def test_a_seat_of_long_ago_goes(tmp_path: Path) -> None:
    old, recent, new = ("A" * 22, "B" * 22, "C" * 22)
    seats = Seats(tmp_path)
    for table, days in ((old, 31), (recent, 20)):
        seats.keep(KeptSeat(Place(HERE, table), "token"))
        then = time.time() - days * 86_400
        os.utime(tmp_path / f"{table}.json", (then, then))
    seats.keep(KeptSeat(Place(HERE, new), "token"))
    assert (seats.find(old), seats.find(recent) is None, seats.find(new) is None) == (None, False, False)


def test_a_file_that_cannot_be_read_is_no_seat(tmp_path: Path) -> None:
    (tmp_path / f"{TABLE}.json").write_text("{}")
    assert Seats(tmp_path).find(TABLE) is None


def test_seats_are_kept_where_the_desktop_says(tmp_path: Path) -> None:
    assert directory({"XDG_STATE_HOME": str(tmp_path)}) == tmp_path / "locanda" / "seats"
    assert directory({"XDG_STATE_HOME": "here"}) == directory({}) == Path.home() / ".local/state/locanda/seats"
