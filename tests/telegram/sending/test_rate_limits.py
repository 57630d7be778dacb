"""Rate limits: the earliest time for a message after others."""

from services.telegram.sending.rate_limits import RateLimiter, RateLimits
from tests.telegram.samples import ANNA, BRUNO, GROUP

NOW = 1000.0


def limiter_after(chat: int, messages: int, *, limits: RateLimits | None = None) -> RateLimiter:
    limiter = RateLimiter(limits or RateLimits())
    for _ in range(messages):
        limiter.count_message(chat, NOW)
    return limiter


def test_a_short_burst_is_allowed_then_about_one_message_a_second() -> None:
    times = [limiter_after(ANNA, messages).earliest(ANNA, NOW, keep_reserve=False) - NOW for messages in range(6)]
    assert times == [0, 0, 0, 1, 2, 3]


def test_one_chat_does_not_wait_for_another() -> None:
    assert limiter_after(ANNA, 10).earliest(BRUNO, NOW, keep_reserve=False) == NOW


def test_a_group_waits_for_its_minute_to_pass_and_a_person_does_not() -> None:
    later = NOW + 30
    assert limiter_after(GROUP, 20).earliest(GROUP, later, keep_reserve=False) == NOW + 60
    assert limiter_after(ANNA, 20).earliest(ANNA, later, keep_reserve=False) == later


def test_repeated_drawings_leave_the_groups_reserve() -> None:
    limiter = limiter_after(GROUP, 15)
    assert limiter.earliest(GROUP, NOW + 30, keep_reserve=True) == NOW + 60
    assert limiter.earliest(GROUP, NOW + 30, keep_reserve=False) == NOW + 30


def test_at_most_thirty_calls_begin_in_a_second() -> None:
    limiter = RateLimiter(RateLimits())
    for _ in range(29):
        limiter.count_call(NOW)
    assert limiter.earliest_overall(NOW) == NOW
    limiter.count_call(NOW)
    assert limiter.earliest_overall(NOW + 0.5) == NOW + 1
    assert limiter.earliest_overall(NOW + 1) == NOW + 1


def test_a_shorter_pause_does_not_end_a_longer_one() -> None:
    limiter = RateLimiter(RateLimits())
    limiter.pause(ANNA, NOW + 30)
    limiter.pause(ANNA, NOW + 5)
    assert limiter.earliest(ANNA, NOW, keep_reserve=False) == NOW + 30


def test_forgetting_idle_chats_allows_no_message_earlier() -> None:
    limiter = limiter_after(GROUP, 20)
    limiter.forget_idle_chats(NOW + 30)
    assert limiter.earliest(GROUP, NOW + 30, keep_reserve=False) == NOW + 60
    limiter.forget_idle_chats(NOW + 60)
    assert limiter.earliest(GROUP, NOW + 60, keep_reserve=False) == NOW + 60


def test_without_limits_nothing_waits() -> None:
    assert limiter_after(GROUP, 100, limits=RateLimits.none()).earliest(GROUP, NOW, keep_reserve=True) == NOW
