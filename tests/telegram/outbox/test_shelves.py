"""The parcels of each chat: what waits, what moves, what is forgotten."""

from services.telegram.outbox.parcels import Address, Parcel, Priority, Slot
from services.telegram.outbox.shelves import Shelves
from services.telegram.screens.screen import Screen
from tests.telegram.outbox.post import ANNA, GROUP, HAND, TABLE

SUPERGROUP = -1001


def put(shelves: Shelves, slot: Slot = TABLE, chat: int = GROUP, message: int | None = None) -> Parcel:
    return shelves.of_slot(slot, Address(chat), Screen("table"), Priority.TABLE, message)


def deliver(parcel: Parcel, message: int = 7) -> None:
    parcel.message, parcel.shown = message, parcel.screen


def test_a_slot_has_one_parcel_and_the_message_that_it_is_found_with_counts_for_a_new_one_only() -> None:
    shelves = Shelves()
    parcel = put(shelves, message=7)
    assert put(shelves, message=8) is parcel
    assert parcel.message == 7


def test_a_message_whose_id_is_not_known_fills_no_slot() -> None:
    assert put(Shelves(), message=0).message is None


def test_what_has_been_delivered_does_not_wait_until_it_changes() -> None:
    shelves = Shelves()
    parcel = put(shelves)
    deliver(parcel)
    assert list(shelves.waiting()) == []
    parcel.change(Screen("another"), fresh=False, anew=True)
    assert list(shelves.waiting()) == [parcel]


def test_one_parcel_at_a_time_goes_to_a_chat() -> None:
    shelves = Shelves()
    shelves.add(Address(GROUP), Screen("first"), Priority.NEWS)
    shelves.add(Address(ANNA), Screen("to Anna"), Priority.NEWS)
    shelves.busy.add(GROUP)
    assert [parcel.screen.text for parcel in shelves.deliverable()] == ["to Anna"]
    assert len(list(shelves.waiting())) == 2


def test_a_tap_tells_of_a_newer_message_and_not_of_an_older_one() -> None:
    shelves = Shelves()
    parcel = put(shelves, message=7)
    shelves.adopt(TABLE, GROUP, 9)
    shelves.adopt(TABLE, GROUP, 8)
    assert parcel.message == 9


def test_while_a_fresh_message_is_to_come_no_old_one_is_adopted() -> None:
    shelves = Shelves()
    parcel = put(shelves, message=7)
    parcel.change(Screen("ring"), fresh=True, anew=True)
    shelves.adopt(TABLE, GROUP, 9)
    assert parcel.message == 7


def test_in_a_supergroup_all_messages_are_new_and_what_was_delivered_stays_behind() -> None:
    shelves = Shelves()
    delivered, waiting = put(shelves, Slot("one", "lobby")), put(shelves, message=7)
    deliver(delivered)
    shelves.stirred.clear()
    shelves.move(GROUP, SUPERGROUP)
    assert [(parcel.to.chat, parcel.message) for parcel in shelves.waiting()] == [(SUPERGROUP, None)]
    assert put(shelves, chat=SUPERGROUP) is waiting
    assert put(shelves, Slot("one", "lobby"), SUPERGROUP) is not delivered
    assert shelves.stirred.is_set()


def test_a_forgotten_table_leaves_what_still_waits() -> None:
    shelves = Shelves()
    delivered, waiting = put(shelves), put(shelves, HAND, ANNA)
    deliver(delivered)
    shelves.forget(TABLE.ref)
    assert put(shelves) is not delivered
    assert put(shelves, HAND, ANNA) is waiting


def test_tidying_keeps_tables_and_what_waits() -> None:
    shelves = Shelves()
    of_table, of_none, waiting = put(shelves), put(shelves, Slot("", "7")), put(shelves, Slot("", "8"))
    deliver(of_table)
    deliver(of_none)
    shelves.tidy()
    assert put(shelves) is of_table
    assert put(shelves, Slot("", "7")) is not of_none
    assert put(shelves, Slot("", "8")) is waiting
