"""The schedule selects the next message by rate limits, turns and priorities."""

from collections import Counter
from collections.abc import Iterator

import pytest

from services.common.fair_queue import Asker
from services.telegram.records import DealSlot, ShownMessage
from services.telegram.screens.screen import Screen, Wanted
from services.telegram.sending.messages import Address, Message, Priority, Slot
from services.telegram.sending.rate_limits import RateLimiter, RateLimits
from services.telegram.sending.schedule import HEAD_START, Schedule
from tests.telegram.samples import ANNA, BRUNO, GROUP, REF, TABLE_SLOT

NOW = 1000.0
FLOODER = 666


@pytest.fixture
def limiter() -> RateLimiter:
    return RateLimiter(RateLimits())


@pytest.fixture
def schedule(limiter: RateLimiter) -> Schedule:
    return Schedule(limiter, lambda: True)


def message(
    chat: int = GROUP,
    priority: Priority = Priority.ANSWER,
    *,
    asker: Asker | None = None,
    slot: Slot | None = None,
    record: ShownMessage | None = None,
) -> Message:
    return Message(
        to=Address(chat),
        wanted=Wanted(Screen("news")),
        priority=priority,
        asker=chat if asker is None else asker,
        slot=slot,
        record=record or ShownMessage(),
    )


def table(number: int = 7, ref: str = REF) -> Message:
    """Return a pending edit of a table's message."""
    return message(priority=Priority.TABLE, slot=DealSlot(ref, 1, 1), record=ShownMessage(number))


def touch(schedule: Schedule, *messages: Message, now: float = NOW) -> None:
    for message in messages:
        schedule.touch(message, now)


def deliver(schedule: Schedule, limiter: RateLimiter, now: float) -> Message | float | None:
    """Take the next message and send it."""
    taken = schedule.take(now)
    if isinstance(taken, Message):
        limiter.count_message(taken.to.chat, now, answer=taken.is_answer)
        schedule.end(taken, now)
    return taken


def delivered(schedule: Schedule, limiter: RateLimiter, until: float) -> Iterator[tuple[float, Message]]:
    """Yield the sent messages and their times, up to a time."""
    now = NOW
    while now < until:
        match deliver(schedule, limiter, now):
            case Message() as sent:
                yield now, sent
            case None:
                return
            case time:
                now = time


def test_without_messages_there_is_nothing_to_do(schedule: Schedule) -> None:
    assert schedule.take(NOW) is None


def test_the_highest_priority_is_first(schedule: Schedule, limiter: RateLimiter) -> None:
    by_priority = [message(chat, priority) for chat, priority in enumerate(Priority, start=1)]
    touch(schedule, *reversed(by_priority))
    assert [sent for _, sent in delivered(schedule, limiter, NOW + 1)] == by_priority


def test_of_equals_the_one_that_has_waited_longer_is_first(schedule: Schedule) -> None:
    earlier, later = message(BRUNO), message()
    touch(schedule, earlier, later)
    assert schedule.take(NOW) is earlier


def test_a_chat_has_one_call_at_a_time(schedule: Schedule, limiter: RateLimiter) -> None:
    first, second = message(), message()
    touch(schedule, first, second)
    assert schedule.take(NOW) is first
    assert schedule.take(NOW) is None
    schedule.end(first, NOW)
    assert schedule.take(NOW) is second


def test_a_hand_goes_before_a_hundred_answers_however_long_they_have_waited(
    schedule: Schedule, limiter: RateLimiter
) -> None:
    touch(schedule, *(message(chat, asker=chat) for chat in range(1000, 1100)))
    hand = message(ANNA, Priority.PLAY, asker=GROUP)
    sent: list[Message] = []
    for now, sent_message in delivered(schedule, limiter, NOW + 3):
        sent.append(sent_message)
        if len(sent) == 60:
            touch(schedule, hand, now=now)
    assert sent.index(hand) == 60


def test_one_person_with_thousands_of_answers_in_many_chats_delays_anothers_by_one(
    schedule: Schedule, limiter: RateLimiter
) -> None:
    touch(schedule, *(message(-number, asker=FLOODER) for number in range(1, 3000)))
    mine = [message(ANNA), message(ANNA), message(ANNA)]
    touch(schedule, *mine)
    order = [sent for _, sent in delivered(schedule, limiter, NOW + 2)]
    assert [order.index(message) for message in mine] == [1, 3, 5]


def test_games_that_are_drawn_all_the_time_leave_a_turn_to_an_answer(schedule: Schedule, limiter: RateLimiter) -> None:
    answer = message(ANNA)
    hands = [message(1000 + number, Priority.PLAY, asker=GROUP) for number in range(100)]
    touch(schedule, *hands, answer)
    assert [sent for _, sent in delivered(schedule, limiter, NOW + 2)].index(answer) <= HEAD_START + 1


def test_a_lower_priority_goes_while_the_chat_of_a_higher_one_is_paused(
    schedule: Schedule, limiter: RateLimiter
) -> None:
    limiter.pause(ANNA, NOW + 30)
    ping = message(GROUP, Priority.PING)
    touch(schedule, message(ANNA, Priority.PLAY), ping)
    assert schedule.take(NOW) is ping


def test_with_all_chats_paused_the_result_is_the_earliest_time(schedule: Schedule, limiter: RateLimiter) -> None:
    limiter.pause(ANNA, NOW + 30)
    limiter.pause(BRUNO, NOW + 20)
    touch(schedule, message(ANNA), message(BRUNO))
    assert schedule.take(NOW) == NOW + 20


def test_what_is_put_off_keeps_its_place_in_the_chat(schedule: Schedule, limiter: RateLimiter) -> None:
    answers = [message() for _ in range(12)]
    touch(schedule, *answers)
    assert [sent for _, sent in delivered(schedule, limiter, NOW + 60)] == answers


def test_a_message_is_not_sent_before_its_time(schedule: Schedule) -> None:
    early = message()
    early.not_before = NOW + 3
    touch(schedule, early)
    assert schedule.take(NOW) == NOW + 3
    assert schedule.take(NOW + 3) is early


def test_a_ready_message_waits_for_the_limit_of_all_chats_together(schedule: Schedule, limiter: RateLimiter) -> None:
    for _ in range(30):
        limiter.begin_call(NOW)
        limiter.end_call(NOW)
    ready = message()
    touch(schedule, ready)
    assert schedule.take(NOW + 0.5) == NOW + 1
    assert schedule.take(NOW + 1) is ready


def test_a_message_that_shows_what_it_should_waits_no_longer(schedule: Schedule) -> None:
    drawn = table()
    touch(schedule, drawn)
    drawn.edited(drawn.wanted.screen)
    touch(schedule, drawn)
    assert not schedule
    assert schedule.take(NOW) is None


def test_a_repeated_drawing_of_the_table_leaves_the_groups_reserve(schedule: Schedule, limiter: RateLimiter) -> None:
    for seconds in range(0, 60, 4):
        limiter.count_message(GROUP, NOW + seconds)
    later, answer = NOW + 57, message()
    touch(schedule, table(), now=later)
    assert schedule.take(later) == NOW + 60
    touch(schedule, answer, now=later)
    assert schedule.take(later) is answer


def test_of_two_tables_in_a_group_each_is_drawn_in_its_turn(schedule: Schedule, limiter: RateLimiter) -> None:
    tables = [table(7, "one-----"), table(8, "other---")]
    touch(schedule, *tables)
    drawn = Counter[int]()
    for now, sent in delivered(schedule, limiter, NOW + 60):
        drawn[tables.index(sent)] += 1
        touch(schedule, sent, now=now)
    assert abs(drawn[0] - drawn[1]) <= 1


def test_tables_wait_until_this_process_may_draw_and_answers_do_not(limiter: RateLimiter) -> None:
    leads = False
    schedule = Schedule(limiter, lambda: leads)
    answer, drawing = message(ANNA), message(priority=Priority.TABLE, slot=TABLE_SLOT)
    touch(schedule, drawing, answer)
    assert deliver(schedule, limiter, NOW) is answer
    time = schedule.take(NOW)
    assert isinstance(time, float)
    leads = True
    assert schedule.take(time) is drawing
