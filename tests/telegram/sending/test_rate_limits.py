"""Rate limits: the earliest time for the next message, after earlier ones."""

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count, pairwise, repeat
from random import Random

from services.telegram.sending.rate_limits import RateLimiter, RateLimits
from tests.telegram.samples import ANNA, BRUNO, GROUP

NOW = 1000.0


def limiter_after(chat: int, messages: int, *, limits: RateLimits | None = None) -> RateLimiter:
    limiter = RateLimiter(limits or RateLimits())
    for _ in range(messages):
        limiter.count_message(chat, NOW)
    return limiter


def test_a_short_burst_is_allowed_then_about_one_message_a_second() -> None:
    times = [limiter_after(ANNA, messages).earliest(ANNA, NOW) - NOW for messages in range(6)]
    assert times == [0, 0, 0, 1, 2, 3]


def test_one_chat_does_not_wait_for_another() -> None:
    assert limiter_after(ANNA, 10).earliest(BRUNO, NOW) == NOW


def test_a_group_waits_for_its_minute_to_pass_and_a_person_does_not() -> None:
    later = NOW + 30
    assert limiter_after(GROUP, 20).earliest(GROUP, later) == NOW + 60
    assert limiter_after(ANNA, 20).earliest(ANNA, later) == later


def test_drawings_are_spread_over_the_groups_minute_and_leave_the_reserve() -> None:
    limiter, now, times = RateLimiter(RateLimits()), NOW, []
    for _ in range(40):
        limiter.count_message(GROUP, now)
        times.append(now)
        now = limiter.earliest_drawing(GROUP, now, lobby=False)
    assert {later - earlier for earlier, later in pairwise(times)} == {4.0}
    assert limiter.earliest(GROUP, times[-1] + 1) == times[-1] + 1


def test_other_messages_within_the_reserve_delay_no_drawing() -> None:
    limiter = RateLimiter(RateLimits())
    for seconds in range(0, 60, 4):
        limiter.count_message(GROUP, NOW + seconds)
    for _ in range(5):
        limiter.count_message(GROUP, NOW + 55, answer=True)
    assert limiter.earliest_drawing(GROUP, NOW + 60, lobby=False) == NOW + 60


def test_after_a_burst_the_rest_of_the_minute_is_shared_out() -> None:
    limiter = RateLimiter(RateLimits())
    for seconds in range(11):
        limiter.count_message(GROUP, NOW + seconds)
    assert limiter.earliest_drawing(GROUP, NOW + 10, lobby=False) == NOW + 10 + (60 - 10) / 5


def test_a_lobby_is_drawn_at_once_until_half_of_the_minute_is_spent() -> None:
    limiter, now, times = RateLimiter(RateLimits()), NOW, []
    for _ in range(12):
        limiter.count_message(GROUP, now)
        times.append(now)
        now = limiter.earliest_drawing(GROUP, now, lobby=True)
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert gaps[:7] == [0, 0, 1, 1, 1, 1, 1]
    assert max(gaps) <= 8


def test_drawings_of_a_group_with_no_budget_left_wait_for_its_minute() -> None:
    limiter = limiter_after(GROUP, 20)
    assert NOW + 60 <= limiter.earliest_drawing(GROUP, NOW + 30, lobby=False) <= NOW + 61


def test_a_server_that_counts_thirty_in_any_second_refuses_no_call_however_long_calls_travel() -> None:
    for seed in range(20):
        chance, limiter, now = Random(seed), RateLimiter(RateLimits()), NOW
        under_way: list[float] = []
        counted: list[float] = []
        for _ in range(300):
            while (earliest := limiter.earliest_overall(now)) > now:
                now = min([earliest, *under_way])
                while under_way and under_way[0] <= now:
                    limiter.end_call(heappop(under_way))
            limiter.begin_call(now)
            there, back = (chance.choice([0.001, chance.uniform(0, 0.2), chance.uniform(0, 2)]) for _ in range(2))
            counted.append(now + there)
            heappush(under_way, now + there + back)
        counted.sort()
        assert all(later - earlier >= 1 for earlier, later in zip(counted, counted[30:], strict=False))


def test_nearly_thirty_calls_a_second_are_made_where_answers_come_at_once() -> None:
    limiter, now = RateLimiter(RateLimits()), NOW
    for _ in range(300):
        now = limiter.earliest_overall(now)
        limiter.begin_call(now)
        limiter.end_call(now)
    assert NOW + 9 <= now < NOW + 11


def test_beyond_a_burst_calls_are_spread_over_the_second_so_that_the_next_in_turn_waits_a_moment() -> None:
    limiter, now, times = RateLimiter(RateLimits()), NOW, []
    for _ in range(90):
        now = limiter.earliest_overall(now)
        limiter.begin_call(now)
        limiter.end_call(now)
        times.append(now)
    assert max(later - earlier for earlier, later in pairwise(times)) < 0.1


def test_drawings_in_all_chats_leave_a_third_of_the_calls_to_others() -> None:
    limiter, now = RateLimiter(RateLimits()), NOW
    for chat in range(200):
        now = max(now, limiter.earliest_overall(now), limiter.earliest_drawing(-chat, now, lobby=False))
        limiter.begin_call(now, drawing=True)
        limiter.end_call(now)
    assert now - NOW >= 9
    assert limiter.earliest_overall(now) == now


def test_answers_in_a_group_with_a_table_in_play_leave_it_eight_messages_a_minute() -> None:
    limiter, times, now = RateLimiter(RateLimits()), list[float](), NOW
    limiter.count_message(GROUP, NOW)
    drawn = 1
    while now < NOW + 300:
        answer, drawing = limiter.earliest_answer(GROUP, now), limiter.earliest_drawing(GROUP, now, lobby=False)
        now = min(answer, drawing)
        limiter.count_message(GROUP, now, answer=now != drawing)
        drawn += now == drawing
        times += [] if now == drawing else [now]
    assert drawn >= 40
    assert max(later - earlier for earlier, later in pairwise(times)) <= 20


def waits_of_answers(limiter: RateLimiter, times: Iterator[float], seconds: float) -> Iterator[float]:
    """Yield the waiting time of each answer in a group whose table is drawn as often as allowed."""
    at, now = next(times), NOW
    while now < NOW + seconds:
        answer, drawing = (
            limiter.earliest_answer(GROUP, max(at, now)),
            limiter.earliest_drawing(GROUP, now, lobby=False),
        )
        now = min(answer, drawing)
        limiter.count_message(GROUP, now, answer=answer <= drawing)
        if answer <= drawing:
            yield now - at
            at = next(times)


def test_in_a_group_with_a_table_in_play_seven_answers_a_minute_wait_for_a_moment() -> None:
    waits = [*waits_of_answers(RateLimiter(RateLimits()), (NOW + 9.0 * number for number in count()), 600)]
    assert len(waits) >= 60
    assert max(waits) <= 4


def test_one_who_asks_during_a_flood_of_commands_waits_for_no_end_of_a_minute() -> None:
    limiter, begun = RateLimiter(RateLimits()), NOW + 30
    for number in range(8):
        limiter.count_message(GROUP, NOW + 4 * number)
    flood = [*waits_of_answers(limiter, repeat(begun), 240)]
    between = [later - earlier for earlier, later in pairwise(flood)]
    assert max(between) <= 12


def test_new_tables_results_and_votes_use_no_part_of_what_is_reserved_for_answers() -> None:
    limiter = RateLimiter(RateLimits())
    for seconds in range(0, 60, 4):
        limiter.count_message(GROUP, NOW + seconds)
    for _ in range(3):
        limiter.count_message(GROUP, NOW + 57)
    assert limiter.earliest_drawing(GROUP, NOW + 58, lobby=False) >= NOW + 60 + 3 * 4


def test_a_group_without_a_table_in_play_has_all_its_messages_for_answers() -> None:
    limiter, now = RateLimiter(RateLimits()), NOW
    for _ in range(20):
        now = limiter.earliest_answer(GROUP, now)
        limiter.count_message(GROUP, now, answer=True)
    assert now - NOW < 20


def test_a_shorter_pause_does_not_end_a_longer_one() -> None:
    limiter = RateLimiter(RateLimits())
    limiter.pause(ANNA, NOW + 30)
    limiter.pause(ANNA, NOW + 5)
    assert limiter.earliest(ANNA, NOW) == NOW + 30


def test_forgetting_idle_chats_allows_no_message_earlier() -> None:
    limiter = limiter_after(GROUP, 20)
    limiter.forget_idle_chats(NOW + 30)
    assert limiter.earliest(GROUP, NOW + 30) == NOW + 60
    limiter.forget_idle_chats(NOW + 60)
    assert limiter.earliest(GROUP, NOW + 60) == NOW + 60


def test_without_limits_nothing_waits() -> None:
    assert limiter_after(GROUP, 100, limits=RateLimits.none()).earliest(GROUP, NOW) == NOW
