"""Stored values of later forms, with and without a form number: they are kept or refused, never truncated."""

from typing import Any

import msgspec
import pytest
from msgspec import structs

from services.engine.service import codec
from services.engine.service.idempotency import Caller
from services.engine.service.transactions import commit_of, read_to_change
from services.engine.store import Snapshot, StoredAnswer
from services.engine.store.errors import DamagedError, NewerFormError
from services.engine.store.records import (
    IdempotencyRecord,
    answer_of,
    apply_deltas,
    delta,
    kept_answer,
)
from services.engine.table.state import (
    AnyTable,
    ComputerSettings,
    LogEntry,
    MoveMade,
    NewerReleaseError,
    RematchState,
    ServerState,
    Transition,
    changed_at,
    with_marks,
)
from tests.engine.table.tables import ID, computer, play_on, started

TABLE = started()
DATA = codec.encode(TABLE)
FIELDS: list[Any] = [*msgspec.msgpack.decode(DATA), None, False, {}]
"""All fields of this release. The encoder leaves out fields at the end with default values, so they are added here."""
OPTIONS, SEATS, MATCH = 6, 9, 10


def changed(place: int, value: Any) -> bytes:
    return msgspec.msgpack.encode([*FIELDS[:place], value, *FIELDS[place + 1 :]])


@pytest.mark.parametrize("more", [[7], [None, {"of": "another release"}], [*range(100)]])
def test_unknown_fields_at_the_end_of_a_table_are_kept(more: list[Any]) -> None:
    data = msgspec.msgpack.encode([*FIELDS, *more])
    read_table = read_to_change(Snapshot(TABLE.version, data), ID)
    assert read_table == TABLE
    commit = commit_of(Transition(play_on(read_table)), Snapshot(TABLE.version, data), Caller())
    assert msgspec.msgpack.decode(commit.data)[len(FIELDS) :] == more
    assert structs.replace(codec.decode(commit.data), marks=None) == play_on(TABLE)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(codec.marked(codec.FORM + 1, DATA), id="a later form"),
        pytest.param(codec.marked(200, b"anything"), id="a much later form"),
        pytest.param(changed(0, "briscola"), id="another game"),
        pytest.param(changed(OPTIONS, {"lucky": True}), id="another option"),
        pytest.param(changed(3, "paused"), id="another status"),
        pytest.param(changed(SEATS, [[*FIELDS[SEATS][0][:2], "expert"]]), id="another level"),
    ],
)
def test_what_a_newer_release_says_is_refused(data: bytes) -> None:
    with pytest.raises(NewerReleaseError):
        codec.decode(data)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(changed(SEATS, [[*seat, "avatar"] for seat in FIELDS[SEATS]]), id="of a seat"),
        pytest.param(changed(MATCH, [*FIELDS[MATCH], {"of": "a match"}]), id="of a match"),
    ],
)
def test_a_table_is_left_alone_where_a_transition_would_lose_a_field(data: bytes) -> None:
    assert codec.decode(data) == TABLE
    with pytest.raises(NewerReleaseError):
        read_to_change(Snapshot(TABLE.version, data), ID)


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x9e", DATA[:-1], b"\x00" * 50, changed(2, "three"), b"[]"])
def test_what_is_of_no_form_is_damaged(data: bytes) -> None:
    with pytest.raises(DamagedError):
        codec.decode(data)


def test_a_table_under_another_name_or_version_is_damaged() -> None:
    assert read_to_change(Snapshot(TABLE.version, DATA), ID) == TABLE
    for snapshot, table in ((Snapshot(TABLE.version + 1, DATA), ID), (Snapshot(TABLE.version, DATA), "B" * 22)):
        with pytest.raises(DamagedError):
            read_to_change(snapshot, table)


def without_computers(table: AnyTable) -> bytes:
    """The table as stored by releases that did not have levels yet."""
    fields: list[Any] = msgspec.msgpack.decode(codec.encode(table))
    return msgspec.msgpack.encode(fields[:-1])


def test_a_table_from_before_the_levels_keeps_its_plain_players() -> None:
    before = structs.replace(started(computer()), turns=None)
    read_table = read_to_change(Snapshot(before.version, without_computers(before)), ID)
    assert read_table == before
    assert read_table.seats[1].level == "plain"
    assert read_table.computers == ComputerSettings("medium", hints=False)
    commit = commit_of(
        Transition(play_on(read_table)), Snapshot(read_table.version, without_computers(read_table)), Caller()
    )
    assert structs.replace(codec.decode(commit.data), marks=None) == play_on(before)


def test_after_an_earlier_release_has_written_a_table_all_of_it_counts_as_changed() -> None:
    marked = with_marks(TABLE, TABLE)
    later = structs.replace(marked, version=marked.version + 1)
    assert changed_at(later, "cards") == changed_at(later, "seats") == later.version


@pytest.mark.parametrize(
    ("form", "changes"),
    [
        pytest.param(1, {}, id="people"),
        pytest.param(1, {"seats": (*TABLE.seats, computer())}, id="plain"),
        pytest.param(2, {"seats": (*TABLE.seats, structs.replace(computer(), level="medium"))}, id="medium"),
        pytest.param(2, {"computers": ComputerSettings(substitute_level="hard")}, id="substitutes"),
        pytest.param(2, {"computers": ComputerSettings(hints=True)}, id="hints"),
        pytest.param(3, {"computers": ComputerSettings(fill_seats=False)}, id="seats stay free"),
        pytest.param(3, {"rematch": RematchState((True, None, None))}, id="a rematch"),
        pytest.param(4, {"seats": (*TABLE.seats, structs.replace(computer(), level="@ada"))}, id="an own player"),
        pytest.param(4, {"servers": {"@ada": ServerState("https://bots.example/", None)}}, id="a server"),
    ],
)
def test_the_form_is_raised_where_a_table_uses_what_only_this_release_has(form: int, changes: dict[str, Any]) -> None:
    table = structs.replace(TABLE, **changes)
    data = codec.encode(table)
    assert (data[:1] == bytes((codec.MARK,))) == (form > 1)
    assert form == 1 or data[1] == form
    assert read_to_change(Snapshot(table.version, data), ID) == table
    assert codec.encode(TABLE, data) == DATA


@pytest.mark.parametrize("more", [[7], [None, {"of": "another release"}]])
def test_unknown_fields_at_the_end_of_a_marked_table_are_kept(more: list[Any]) -> None:
    table = structs.replace(TABLE, computers=ComputerSettings(hints=True))
    fields = [*msgspec.msgpack.decode(codec.encode(table)[2:]), None, False, {}]
    data = codec.marked(2, msgspec.msgpack.encode([*fields, *more]))
    assert read_to_change(Snapshot(table.version, data), ID) == table
    assert codec.encode(table, data) == data


def test_form_1_bears_no_mark_and_may_bear_one() -> None:
    assert codec.marked(1, DATA) == DATA
    assert codec.decode(bytes((codec.MARK, 1)) + DATA) == TABLE


def test_lines_of_a_later_form_are_refused_and_damaged_ones_too() -> None:
    line = codec.encode_line(LogEntry(1, 1, MoveMade(0, {"type": "pass"})))
    with pytest.raises(NewerReleaseError):
        codec.decode_log("gatto_rosso", [codec.marked(codec.FORM + 1, line)])
    for lines in ([line], [b""], [b"\xff"]):
        with pytest.raises(DamagedError):
            codec.decode_log("gatto_rosso", lines)


def test_answers_of_a_later_form_are_refused_and_damaged_ones_too() -> None:
    kept = kept_answer(IdempotencyRecord(b"key", b"f" * 32, b"note")) + (3).to_bytes(8, "big") + DATA
    assert answer_of(kept) == StoredAnswer(b"f" * 32, b"note", Snapshot(3, DATA))
    with pytest.raises(NewerFormError):
        answer_of(b"\xff\x02" + kept)
    for damaged in (b"", b"\x20", kept[:40], b"\x20\xf0" + kept[2:60]):
        with pytest.raises(DamagedError):
            answer_of(damaged)


def test_the_history_ends_at_a_delta_of_a_later_form_or_a_damaged_one() -> None:
    states = [bytes([number]) * 200 for number in range(4)]

    def event(version: int) -> bytes:
        return version.to_bytes(8, "big") + b"n" * 12 + delta(states[version], states[version - 1])

    latest, events = Snapshot(3, states[3]), [event(3), event(2), event(1)]
    assert [snapshot.version for snapshot in apply_deltas(latest, events, 0)] == [1, 2, 3]
    for damaged in (b"", b"x", event(2)[:25], event(2)[:20] + b"\xff" * 30, event(2)[:23] + b"\x01" + event(2)[24:]):
        assert [snapshot.version for snapshot in apply_deltas(latest, [events[0], damaged, events[2]], 0)] == [2, 3]
    assert [snapshot.version for snapshot in apply_deltas(latest, events[1:], 0)] == [3]
