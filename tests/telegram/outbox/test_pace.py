"""How fast the bot may speak."""

from services.telegram.outbox.pace import Limits, Pace
from tests.telegram.outbox.post import ANNA, BRUNO, GROUP

NOW = 1000.0


def spoken(chat: int, messages: int, *, limits: Limits | None = None) -> Pace:
    pace = Pace(limits or Limits())
    for _ in range(messages):
        pace.spend(chat, NOW)
    return pace


def test_a_short_burst_may_go_at_once_then_about_one_a_second() -> None:
    dues = [spoken(ANNA, messages).due(ANNA, NOW, spare=False) - NOW for messages in range(6)]
    assert dues == [0, 0, 0, 1, 2, 3]


def test_one_chat_does_not_wait_for_another() -> None:
    assert spoken(ANNA, 10).due(BRUNO, NOW, spare=False) == NOW


def test_a_group_waits_for_its_minute_to_pass_and_a_person_does_not() -> None:
    later = NOW + 30
    assert spoken(GROUP, 20).due(GROUP, later, spare=False) == NOW + 60
    assert spoken(ANNA, 20).due(ANNA, later, spare=False) == later


def test_the_groups_reserve_is_kept_from_what_can_do_without_it() -> None:
    pace = spoken(GROUP, 15)
    assert pace.due(GROUP, NOW + 30, spare=True) == NOW + 60
    assert pace.due(GROUP, NOW + 30, spare=False) == NOW + 30


def test_thirty_calls_a_second_are_all_that_may_begin() -> None:
    pace = Pace(Limits())
    for _ in range(29):
        pace.start(NOW)
    assert pace.all_due(NOW) == NOW
    pace.start(NOW)
    assert pace.all_due(NOW + 0.5) == NOW + 1
    assert pace.all_due(NOW + 1) == NOW + 1


def test_a_chat_that_is_told_to_keep_silent_does_not_speak_sooner_for_a_shorter_word() -> None:
    pace = Pace(Limits())
    pace.pause(ANNA, NOW + 30)
    pace.pause(ANNA, NOW + 5)
    assert pace.due(ANNA, NOW, spare=False) == NOW + 30


def test_forgetting_chats_that_owe_nothing_lets_nobody_speak_sooner() -> None:
    pace = spoken(GROUP, 20)
    pace.sweep(NOW + 30)
    assert pace.due(GROUP, NOW + 30, spare=False) == NOW + 60
    pace.sweep(NOW + 60)
    assert pace.due(GROUP, NOW + 60, spare=False) == NOW + 60


def test_without_limits_nothing_waits() -> None:
    assert spoken(GROUP, 100, limits=Limits.none()).due(GROUP, NOW, spare=True) == NOW
