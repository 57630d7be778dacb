"""Real worker processes that are killed, hang, fail and end."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from services.engine.service.workers import NICENESS, Asker, ThoughtFailedError, Workers
from tests.engine.http.engine_server import captured_logs
from tests.engine.service.thoughts import die, die_once, fail, niceness, note, own_id, sleep, take_memory, wait_for_file
from tests.waiting import until

pytestmark = pytest.mark.slow  # each test starts processes
PATIENT = 120.0
"""Timeout in seconds, long enough for a process that starts slowly."""
TABLE, HOST, GUEST = Asker("opener", at_table=True), Asker("host"), Asker("guest")


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
    return int(await workers.run(own_id, b"", PATIENT, TABLE))


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
    assert int(await workers.run(niceness, b"", PATIENT, TABLE)) == min(19, os.nice(0) + NICENESS)


async def test_a_process_that_is_killed_is_replaced(workers: Workers) -> None:
    first = await process_of(workers)
    os.kill(first, signal.SIGKILL)
    assert await process_of(workers) != first


async def test_a_thought_whose_process_dies_is_thought_again_once(workers: Workers, tmp_path: Path) -> None:
    assert await workers.run(die_once, str(tmp_path / "died").encode(), PATIENT, TABLE) == b"alive"
    with pytest.raises(ThoughtFailedError) as failed:
        await workers.run(die, b"", PATIENT, TABLE)
    assert failed.value.reason == "lost"
    assert await workers.run(own_id, b"", PATIENT, TABLE)


@pytest.mark.parametrize("think", [fail, take_memory])
async def test_a_thought_that_fails_tells_nothing_of_what_it_was_asked(
    workers: Workers, think: Callable[[bytes], bytes]
) -> None:
    with captured_logs() as log:
        with pytest.raises(ThoughtFailedError) as failed:
            await workers.run(think, b"the queen of spades", PATIENT, TABLE)
        await asyncio.sleep(0)  # the lines of one iteration of the loop are written together
    assert failed.value.reason == "failed"
    assert failed.value.__cause__ is None
    assert "queen" not in log.getvalue()
    assert re.search(r'"at":\[.*service/thoughts\.py:\d+ \w+"\].*"thought_failed"', log.getvalue())
    assert await workers.run(own_id, b"", PATIENT, TABLE)


async def test_a_thought_that_takes_too_long_is_not_waited_for(workers: Workers) -> None:
    await process_of(workers)
    with pytest.raises(ThoughtFailedError) as failed:
        await workers.run(sleep, b"0.5", 0.01, TABLE)
    assert failed.value.reason == "late"
    await until(lambda: workers.pending == 0)


async def busy(workers: Workers, until_there: Path, asker: Asker = TABLE) -> "asyncio.Task[bytes]":
    """Let a process wait for a file; return once it is waiting."""
    running = workers._places._queue.under_way
    waiting = asyncio.create_task(workers.run(wait_for_file, str(until_there).encode(), PATIENT, asker))
    await until(lambda: workers._places._queue.under_way == running + 1)
    return waiting


async def test_a_thought_that_nobody_waits_for_any_more_keeps_its_place_until_it_ends(
    workers: Workers, tmp_path: Path
) -> None:
    end = tmp_path / "end"
    abandoned = [await busy(workers, end, GUEST), await busy(workers, end, HOST)]
    for thought in abandoned:
        thought.cancel()
    await asyncio.wait(abandoned)
    last = asyncio.create_task(workers.run(own_id, b"", PATIENT, GUEST))
    await until(lambda: workers.pending == 3)
    assert workers._places._queue.under_way == 2
    end.touch()
    await last
    await until(lambda: workers.pending == 0)


async def test_a_thought_whose_client_goes_before_its_turn_never_begins(workers: Workers, tmp_path: Path) -> None:
    begun, end = tmp_path / "died", tmp_path / "end"
    asleep = [await busy(workers, end) for _ in range(workers.count)]
    waiting = asyncio.create_task(workers.run(die_once, str(begun).encode(), PATIENT, GUEST))
    await until(lambda: workers.pending == 3)
    waiting.cancel()
    await asyncio.wait([waiting])
    assert workers.pending == 2
    with pytest.raises(ThoughtFailedError) as failed:
        await workers.run(die_once, str(begun).encode(), PATIENT, Asker("guest", 0.01))
    assert failed.value.reason == "late"
    end.touch()
    await asyncio.gather(*asleep)
    assert await workers.run(own_id, b"", PATIENT, TABLE)
    assert not await asyncio.to_thread(begun.exists)


async def test_thoughts_of_the_engines_own_length_are_never_behind_long_ones(workers: Workers) -> None:
    asleep = [asyncio.create_task(workers.run(sleep, b"600", 600, Asker("guest", long=True))) for _ in range(4)]
    for asker in (TABLE, HOST, Asker("guest")):
        assert await workers.run(own_id, b"", PATIENT, asker)
    assert workers.pending == 4
    for thought in asleep:
        thought.cancel()


async def test_all_processes_are_ready_before_the_first_thought() -> None:
    workers = Workers(2)
    await workers.warm()
    ready = workers.processes
    assert len(ready) == workers.count == 3
    assert await process_of(workers) in ready
    await workers.close()


async def test_moves_at_tables_come_first_and_accounts_take_turns(workers: Workers, tmp_path: Path) -> None:
    order, asking = tmp_path / "order", [GUEST, GUEST, HOST, TABLE]
    for_ever = await busy(workers, tmp_path / "never")
    asleep = await busy(workers, tmp_path / "end")
    data = [f"{order} {asker.account}".encode() for asker in asking]
    waiting = [asyncio.create_task(workers.run(note, data[at], PATIENT, asker)) for at, asker in enumerate(asking)]
    await until(lambda: workers.pending == 6)
    (tmp_path / "end").touch()
    await asyncio.gather(asleep, *waiting)
    assert (await asyncio.to_thread(order.read_text)).split() == ["opener", "guest", "host", "guest"]
    for_ever.cancel()


async def test_the_time_of_thoughts_is_shared_out_while_there_are_many_at_tables(
    workers: Workers, tmp_path: Path
) -> None:
    assert workers.share("opener") == 1
    end = str(tmp_path / "end").encode()
    asleep = [asyncio.create_task(workers.run(wait_for_file, end, PATIENT, TABLE)) for _ in range(4)]
    others = [asyncio.create_task(workers.run(wait_for_file, end, PATIENT, GUEST)) for _ in range(4)]
    await until(lambda: workers.pending == 8)
    assert workers.share("opener") == 2 / 5
    assert workers.share("another") == 2 / 2
    (tmp_path / "end").touch()
    await asyncio.gather(*asleep, *others)
    assert workers.share("opener") == 1


async def test_closing_ends_the_processes_and_what_they_think() -> None:
    workers = Workers(1)
    process = await process_of(workers)
    asleep = asyncio.create_task(workers.run(sleep, b"600", PATIENT, TABLE))
    await until(lambda: workers.pending)
    await workers.close()
    with pytest.raises(ThoughtFailedError) as failed:
        await asleep
    assert failed.value.reason == "closed"
    assert await is_dead(process)
    with pytest.raises(ThoughtFailedError):
        await workers.run(own_id, b"", PATIENT, TABLE)


PROGRAM = """
import asyncio, sys
from services.engine.service.workers import Asker, Workers
from tests.engine.service.thoughts import own_id, sleep

async def main():
    workers = Workers(1)
    print((await workers.run(own_id, b"", 60, Asker("host"))).decode(), flush=True)
    await workers.run(sleep, b"600", 600, Asker("host"))

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
