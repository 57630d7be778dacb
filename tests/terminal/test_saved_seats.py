"""The files of saved seats."""

import os
import time
from pathlib import Path

import pytest

from locanda.messages.links import TableLink
from services.terminal.remarks import follow_names
from services.terminal.saved_seats import SavedSeat, SavedSeats, directory
from tests.telegram import samples

HERE = "http://127.0.0.1:8080"
TABLE = "-AAAAAAAAAAAAAAAAAAAA_"


def test_a_seat_is_saved_replaced_and_forgotten(tmp_path: Path) -> None:
    seats = SavedSeats(tmp_path / "seats")
    assert seats.find(TABLE) is None
    first, second = (SavedSeat(TableLink(HERE, TABLE), token) for token in ("first", "second"))
    seats.save(first)
    seats.forget(first)
    seats.save(second)
    assert seats.find(TABLE) == second
    assert [file.name for file in (tmp_path / "seats").iterdir()] == [f"{TABLE}.json"]
    seats.forget(second)
    seats.forget(second)
    assert seats.find(TABLE) is None


def test_who_has_another_name_stays_muted(tmp_path: Path) -> None:
    seats = SavedSeats(tmp_path / "seats")
    seats.mute_one("Bruno", on=True)
    renamed = ({"type": "renamed", "seat": 0, "name": "Anita"}, {"type": "renamed", "seat": 1, "name": "Bruna"})
    follow_names(seats, samples.table(), samples.table(events=renamed))
    assert [seats.mutes(name) for name in ("Anita", "Bruno", "Bruna")] == [False, True, True]


def test_the_format_of_a_file_does_not_change(tmp_path: Path) -> None:
    SavedSeats(tmp_path).save(SavedSeat(TableLink(HERE, TABLE), "token"))
    text = f'{{"place":{{"server":"{HERE}","table":"{TABLE}"}},"token":"token"}}'
    assert (tmp_path / f"{TABLE}.json").read_text() == text


def test_saving_a_seat_removes_files_that_were_not_used_for_a_month(tmp_path: Path) -> None:
    old, recent, new = ("A" * 22, "B" * 22, "C" * 22)
    seats = SavedSeats(tmp_path)
    for table, days in ((old, 31), (recent, 20)):
        seats.save(SavedSeat(TableLink(HERE, table), "token"))
        then = time.time() - days * 86_400
        os.utime(tmp_path / f"{table}.json", (then, then))
    seats.save(SavedSeat(TableLink(HERE, new), "token"))
    assert (seats.find(old), seats.find(recent) is None, seats.find(new) is None) == (None, False, False)


@pytest.mark.parametrize("text", ["{}", '{"more":' + "[" * 100_000 + "]" * 100_000 + "}"], ids=["empty", "deep"])
def test_a_file_that_cannot_be_decoded_gives_no_seat(text: str, tmp_path: Path) -> None:
    (tmp_path / f"{TABLE}.json").write_text(text)
    assert SavedSeats(tmp_path).find(TABLE) is None


def test_seats_are_saved_in_the_xdg_state_directory(tmp_path: Path) -> None:
    assert directory({"XDG_STATE_HOME": str(tmp_path)}) == tmp_path / "locanda" / "seats"
    assert directory({"XDG_STATE_HOME": "here"}) == directory({}) == Path.home() / ".local/state/locanda/seats"


def test_an_old_directory_among_the_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    os.utime(tmp_path / "old", (0, 0))
    SavedSeats(tmp_path).save(SavedSeat(TableLink(HERE, TABLE), "token"))
    assert SavedSeats(tmp_path).find(TABLE) is not None
    assert (tmp_path / "old").is_dir()


def test_the_seats_of_two_who_play_on_one_account_at_one_table_are_kept_apart(tmp_path: Path) -> None:
    anna, bruno = SavedSeats(tmp_path / "seats"), SavedSeats(tmp_path / "seats")
    first, second = (SavedSeat(TableLink(HERE, TABLE), token) for token in ("anna", "bruno"))
    anna.save(first)
    assert list(bruno.unused(TABLE)) == []
    bruno.save(second)
    anna.save(first)
    assert SavedSeats(tmp_path / "seats").recent() == [], "nobody is offered a seat at which somebody plays"
    anna.release(first)
    assert SavedSeats(tmp_path / "seats").recent() == [first]
    assert list(SavedSeats(tmp_path / "seats").unused(TABLE)) == [first]
    assert [file.name for file in sorted((tmp_path / "seats").iterdir())] == [f"{TABLE}.2.json", f"{TABLE}.json"]
