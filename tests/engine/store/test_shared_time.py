"""The time that engines share, estimated from exchanges with Redis."""

import time
from random import Random

import pytest

from services.engine.store import Store
from services.engine.store.shared_time import SharedTime

START = 1_800_000_000_000.0
HOUR = 3_600_000.0


class OwnClock:
    """A machine's clock, in milliseconds since its start. The test sets it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def own() -> OwnClock:
    return OwnClock()


@pytest.fixture
def shared(own: OwnClock) -> SharedTime:
    return SharedTime(own)


def exchange(shared: SharedTime, own: OwnClock, there: float, back: float, redis_at: float = START) -> None:
    """Exchange a message with Redis, which takes `there` and `back` milliseconds.

    Redis' clock showed `redis_at` when this machine was started.
    """
    sent = own.now
    own.now += there + back
    shared.learn(sent, redis_at + sent + there, own.now)


def error(shared: SharedTime, own: OwnClock, redis_at: float = START) -> float:
    return shared.now() - (redis_at + own.now)


def test_one_exchange_gives_the_time_to_half_its_duration(shared: SharedTime, own: OwnClock) -> None:
    exchange(shared, own, there=10, back=0)
    assert abs(error(shared, own)) <= 6


def test_many_exchanges_give_it_more_exactly_than_the_best_of_them(shared: SharedTime, own: OwnClock) -> None:
    rng = Random(1)
    for _ in range(50):
        exchange(shared, own, rng.uniform(0.1, 20), rng.uniform(0.1, 20))
        own.now += 200
    assert abs(error(shared, own)) <= 2


def test_a_stall_of_this_process_between_command_and_reply_does_not_move_the_time(
    shared: SharedTime, own: OwnClock
) -> None:
    exchange(shared, own, 1, 1)
    exchange(shared, own, 1, 9_000)
    assert abs(error(shared, own)) <= 12


@pytest.mark.parametrize("step", [HOUR, -HOUR, 40_000, -40_000, 600_000, -100])
def test_a_step_of_either_clock_is_followed_at_the_next_exchange(
    shared: SharedTime, own: OwnClock, step: float
) -> None:
    exchange(shared, own, 1, 1)
    exchange(shared, own, 1, 1, START + step)
    assert abs(error(shared, own, START + step)) <= 3


def test_clocks_that_run_apart_a_little_are_followed(shared: SharedTime, own: OwnClock) -> None:
    for second in range(1000):
        exchange(shared, own, 0.2, 0.2, START + second * 0.1)
        own.now += 1000
        assert abs(error(shared, own, START + second * 0.1)) <= 3


async def test_stores_with_different_clocks_of_their_own_have_the_time_of_redis(store: Store, replica: Store) -> None:
    store._time = SharedTime(lambda: 5_000.0)
    replica._time = SharedTime(lambda: 9_000_000.0)
    await store.verify()
    await replica.record_heartbeat(store._time.now())
    for measured in (store, replica):
        assert measured._time.now() / 1000 == pytest.approx(time.time(), abs=30)
