"""Accounts of processor time, on a simulated clock."""

import asyncio
from dataclasses import dataclass

import pytest

from services.engine.service.accounts import MEASUREMENTS, Accounts, group_of

ANNA, BRUNO = group_of("192.0.2.1"), group_of("192.0.2.2")


@dataclass
class Clock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_client_within_their_share_never_waits() -> None:
    clock = Clock()
    accounts = Accounts(0.2, 0.5, clock)
    for _ in range(1000):
        accounts.charge(ANNA, 0.02)
        assert accounts.wait(ANNA) == 0
        clock.now += 0.1


def test_a_client_over_the_account_waits_until_it_has_emptied_and_nobody_else_does() -> None:
    clock = Clock()
    accounts = Accounts(0.2, 0.5, clock)
    accounts.charge(ANNA, 0.9)
    assert accounts.wait(ANNA) == pytest.approx(2.0)
    assert accounts.wait(BRUNO) == 0
    clock.now += 2.0
    assert accounts.wait(ANNA) == pytest.approx(0.0)


def test_without_a_share_nothing_is_counted() -> None:
    accounts = Accounts()
    accounts.charge(ANNA, 1000)
    assert accounts.wait(ANNA) == 0


async def test_the_steps_of_a_coroutine_are_charged_and_its_waits_are_not() -> None:
    clock = Clock()
    accounts = Accounts(0.5, 1.0, clock)

    async def work() -> str:
        clock.now += 1
        await asyncio.sleep(0)
        clock.now += 2
        return "done"

    async def tick() -> None:
        clock.now += 10

    ticking = asyncio.create_task(tick())
    assert await accounts.charged(ANNA, work()) == "done"
    await ticking
    # the account has recovered by one second during the wait
    assert accounts.wait(ANNA) == pytest.approx((2 - 1.0) / 0.5)


def test_time_in_which_others_had_the_processor_is_not_charged() -> None:
    clock, processor = Clock(), Clock()
    accounts = Accounts(0.001, 0.0, clock, processor)
    for _ in range(MEASUREMENTS):
        processor.now += 0.001
        accounts.spend(BRUNO, 0.004)
    accounts.spend(ANNA, 0.004)
    assert accounts.wait(ANNA) == pytest.approx(1.0)


async def test_a_charged_coroutine_is_cancelled_and_catches_errors_as_any_other() -> None:
    accounts = Accounts(0.5, 1.0)
    waiting = asyncio.Event()

    async def caught() -> str:
        try:
            await waiting.wait()
        except asyncio.CancelledError:
            return "caught"
        return "not cancelled"

    async def run() -> str:
        return await accounts.charged(ANNA, caught())

    task = asyncio.create_task(run())
    await asyncio.sleep(0)
    task.cancel()
    assert await task == "caught"
