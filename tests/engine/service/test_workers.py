"""Processes that think: real ones, which are killed, hang, fail and end."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from services.engine.service.workers import NICENESS, ThoughtFailedError, Workers
from tests.engine.http.engine_server import captured_logs
from tests.engine.service.thoughts import die, die_once, fail, niceness, own_id, sleep, take_memory
from tests.waiting import until

pytestmark = pytest.mark.slow  # each test starts processes
PATIENT = 120.0
"""Seconds: no test fails because a process starts slowly."""


async def is_alive(process: int) -> bool:
    def state() -> str:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]

    try:
        return await asyncio.to_thread(state) != "Z"
    except OSError:
        return False


async def is_dead(process: int) -> bool:
    return not await is_alive(process)


async def process_of(workers: Workers) -> int:
    return int(await workers.run(own_id, b"", PATIENT))


@pytest.fixture
async def workers() -> AsyncIterator[Workers]:
    pool = Workers(1)
    yield pool
    await pool.close()


async def test_no_process_runs_before_the_first_thought(workers: Workers) -> None:
    assert workers.processes == []
    process = await process_of(workers)
    assert workers.processes == [process]
    assert process != os.getpid()
    assert await process_of(workers) == process


async def test_people_come_first(workers: Workers) -> None:
    assert int(await workers.run(niceness, b"", PATIENT)) == min(19, os.nice(0) + NICENESS)


async def test_a_process_that_is_killed_is_replaced(workers: Workers) -> None:
    first = await process_of(workers)
    os.kill(first, signal.SIGKILL)
    assert await process_of(workers) != first


async def test_a_thought_whose_process_dies_is_thought_again_once(workers: Workers, tmp_path: Path) -> None:
    assert await workers.run(die_once, str(tmp_path / "died").encode(), PATIENT) == b"alive"
    with pytest.raises(ThoughtFailedError) as failed:
        await workers.run(die, b"", PATIENT)
    assert failed.value.reason == "lost"
    assert await workers.run(own_id, b"", PATIENT)


@pytest.mark.parametrize("think", [fail, take_memory])
async def test_a_thought_that_fails_tells_nothing_of_what_it_was_asked(
    workers: Workers, think: Callable[[bytes], bytes]
) -> None:
    with captured_logs() as log:
        with pytest.raises(ThoughtFailedError) as failed:
            await workers.run(think, b"the queen of spades", PATIENT)
        await asyncio.sleep(0)  # lines are written together
    assert failed.value.reason == "failed"
    assert failed.value.__cause__ is None
    assert "queen" not in log.getvalue()
    assert "thought_failed" in log.getvalue()
    assert await workers.run(own_id, b"", PATIENT)


async def test_a_thought_that_takes_too_long_is_not_waited_for(workers: Workers) -> None:
    await process_of(workers)
    with pytest.raises(ThoughtFailedError) as failed:
        await workers.run(sleep, b"0.5", 0.01)
    assert failed.value.reason == "late"
    assert workers.pending == 0


async def busy(workers: Workers) -> "asyncio.Task[bytes]":
    """Let the one process sleep for half a second; return once that was submitted."""
    asleep = asyncio.create_task(workers.run(sleep, b"0.5", PATIENT))
    await until(lambda: workers._pool and workers._pool._pending_work_items)
    return asleep


async def test_a_thought_whose_time_is_up_before_its_turn_does_not_begin(workers: Workers, tmp_path: Path) -> None:
    process, begun = await process_of(workers), tmp_path / "died"
    asleep = await busy(workers)
    with pytest.raises(ThoughtFailedError):
        await workers.run(die_once, str(begun).encode(), 0.01)
    await asleep
    assert await process_of(workers) == process
    assert not await asyncio.to_thread(begun.exists)


async def test_a_process_that_dies_with_thoughts_whose_time_is_up_is_replaced(workers: Workers) -> None:
    process = await process_of(workers)
    asleep = await busy(workers)
    late = [workers.run(sleep, b"0.5", 0.01) for _ in range(4)]
    reasons = [str(error) for error in await asyncio.gather(*late, return_exceptions=True)]
    os.kill(process, signal.SIGKILL)
    assert await process_of(workers) != process
    await asleep
    assert reasons == ["late"] * 4


async def test_the_time_of_thoughts_is_shared_out_while_there_are_many(workers: Workers) -> None:
    assert workers.share == 1
    asleep = [asyncio.create_task(workers.run(sleep, b"0.1", PATIENT)) for _ in range(3)]
    await until(lambda: workers.pending == 3)
    assert workers.share == 1 / 4
    await asyncio.gather(*asleep)
    assert workers.share == 1


async def test_closing_ends_the_processes_and_what_they_think() -> None:
    workers = Workers(1)
    process = await process_of(workers)
    asleep = asyncio.create_task(workers.run(sleep, b"600", PATIENT))
    await until(lambda: workers.pending)
    await workers.close()
    with pytest.raises(ThoughtFailedError) as failed:
        await asleep
    assert failed.value.reason == "closed"
    assert await is_dead(process)
    with pytest.raises(ThoughtFailedError):
        await workers.run(own_id, b"", PATIENT)


PROGRAM = """
import asyncio, sys
from services.engine.service.workers import Workers
from tests.engine.service.thoughts import own_id, sleep

async def main():
    workers = Workers(1)
    print((await workers.run(own_id, b"", 60)).decode(), flush=True)
    await workers.run(sleep, b"600", 600)

if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.mark.slow
async def test_no_process_outlives_an_engine_that_is_killed(tmp_path: Path) -> None:
    await asyncio.to_thread((tmp_path / "program.py").write_text, PROGRAM)
    root = Path(__file__).parents[3]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{root}{os.pathsep}{root / 'shared'}"}
    engine = await asyncio.create_subprocess_exec(
        sys.executable, str(tmp_path / "program.py"), env=environment, stdout=asyncio.subprocess.PIPE
    )
    assert engine.stdout
    process = int(await engine.stdout.readline())
    engine.kill()
    await engine.wait()
    await until(lambda: is_dead(process))
