"""Which parcel goes next: nothing here waits, and nothing is sent."""

import pytest

from services.telegram.outbox.choosing import choose
from services.telegram.outbox.pace import Limits, Pace
from services.telegram.outbox.parcels import Address, Parcel, Priority
from services.telegram.screens.screen import Screen
from tests.telegram.outbox.post import ANNA, BRUNO, GROUP

NOW = 1000.0


def parcel(
    chat: int = GROUP, priority: Priority = Priority.NEWS, *, number: int = 1, message: int | None = None
) -> Parcel:
    return Parcel(to=Address(chat), screen=Screen("news"), priority=priority, number=number, message=message)


@pytest.fixture
def pace() -> Pace:
    return Pace(Limits())


def spent(pace: Pace, chat: int, messages: int) -> None:
    for _ in range(messages):
        pace.spend(chat, NOW)


def test_where_nothing_waits_there_is_nothing_to_choose_nor_to_wait_for(pace: Pace) -> None:
    assert choose([], pace, NOW) is None


def test_the_weightier_goes_first_whichever_came_first(pace: Pace) -> None:
    ping, table, news, hand = (parcel(priority=each, number=-each) for each in reversed(Priority))
    assert choose([ping, table, news, hand], pace, NOW) is hand
    assert choose([ping, table, news], pace, NOW) is news
    assert choose([ping, table], pace, NOW) is table


def test_of_two_of_the_same_weight_the_one_that_has_stood_in_line_longer_goes_first(pace: Pace) -> None:
    later, earlier = parcel(number=2), parcel(BRUNO, number=1)
    assert choose([later, earlier], pace, NOW) is earlier


def test_a_lighter_one_goes_while_the_weightier_ones_chat_must_wait(pace: Pace) -> None:
    pace.pause(ANNA, NOW + 30)
    hand, ping = parcel(ANNA, Priority.HAND), parcel(GROUP, Priority.PING)
    assert choose([hand, ping], pace, NOW) is ping


def test_where_all_must_wait_the_first_to_be_due_says_until_when(pace: Pace) -> None:
    pace.pause(ANNA, NOW + 30)
    pace.pause(BRUNO, NOW + 20)
    assert choose([parcel(ANNA), parcel(BRUNO)], pace, NOW) == NOW + 20


def test_a_parcel_does_not_go_before_it_is_ready(pace: Pace) -> None:
    early = parcel()
    early.ready = NOW + 3
    assert choose([early], pace, NOW) == NOW + 3
    assert choose([early], pace, NOW + 3) is early


def test_what_is_ready_waits_while_all_chats_together_have_had_their_fill(pace: Pace) -> None:
    for _ in range(30):
        pace.start(NOW)
    ready = parcel()
    assert choose([ready], pace, NOW + 0.5) == NOW + 1
    assert choose([ready], pace, NOW + 1) is ready


def test_another_drawing_of_the_table_leaves_the_group_its_reserve(pace: Pace) -> None:
    spent(pace, GROUP, 15)
    later = NOW + 30
    drawing, first_drawing = parcel(priority=Priority.TABLE, message=7), parcel(priority=Priority.TABLE)
    assert choose([drawing], pace, later) == NOW + 60
    assert choose([drawing, first_drawing], pace, later) is first_drawing
    assert choose([drawing, news := parcel()], pace, later) is news
