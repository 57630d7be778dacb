"""The Redis of `make run` restarts when it ends unexpectedly."""

import asyncio
import errno
import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from redis import Redis
from redis.exceptions import RedisError

from services.common.processes import end
from services.local_redis import LOG, RedisEndedError, kept_running, local_redis, start
from tests.redis_server import free_port
from tests.waiting import until

pytestmark = pytest.mark.slow


def kept(url: str) -> bytes | None:
    """Return the value of a key on the server at a URL, or None while the server does not answer."""
    try:
        with Redis.from_url(url) as client:
            value = client.get("kept")
    except RedisError:
        return None
    assert isinstance(value, bytes)
    return value


def kill(url: str) -> None:
    """End the server immediately, as when it cannot write. All confirmed data is kept."""
    with Redis.from_url(url) as client:
        client.set("kept", "a game")
        client.shutdown(nosave=True)


@pytest.mark.parametrize(
    ("logged", "said"),
    [("Error writing to the AOF file: No space left on device", "is full. Make room there"), ("", "says why")],
)
async def test_a_redis_that_ends_is_started_again_with_its_games_and_one_sentence_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], logged: str, said: str
) -> None:
    running = local_redis(tmp_path)
    url = await asyncio.to_thread(running.__enter__) or ""
    keeping = asyncio.create_task(kept_running(tmp_path, url))
    try:
        await asyncio.to_thread(kill, url)
        await asyncio.to_thread((tmp_path / LOG).write_text, logged)
        printed: list[str] = []

        def something_is_said() -> bool:
            printed.append(capsys.readouterr().err)
            return any(printed)

        await until(something_is_said)
        await until(lambda: asyncio.to_thread(kept, url))
        assert await asyncio.to_thread(kept, url) == b"a game"
    finally:
        await end(keeping)
        await asyncio.to_thread(running.__exit__, None, None, None)
    sentences = ("".join(printed) + capsys.readouterr().err).splitlines()
    assert len(sentences) == 1
    assert said in sentences[0]


def test_a_damaged_file_is_told_at_once_with_the_way_out(tmp_path: Path) -> None:
    with local_redis(tmp_path) as url, Redis.from_url(url or "") as client:
        client.set("kept", "a game")
    (file,) = (tmp_path / "appendonlydir").glob("*.incr.aof")
    file.write_bytes(b"no file of Redis\r\n" * 9)
    with (
        pytest.raises(RedisEndedError, match=r"is damaged\. Bring back a backup \(make restore"),
        local_redis(tmp_path),
    ):
        raise AssertionError("it must not start")


def test_a_full_disk_is_told_though_the_log_could_not_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=0))
    with pytest.raises(RedisEndedError, match=r"the disk of .* is full\. Make room there"):
        start("false", tmp_path, f"redis://default:x@127.0.0.1:{free_port()}/0")


@pytest.mark.parametrize(("fails", "number"), [("bind", errno.EADDRNOTAVAIL), ("connect", errno.ENETUNREACH)])
def test_a_machine_without_the_loopback_of_ipv4_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str, number: int
) -> None:
    """The loopback has no address, or is down: then binding may succeed, but nobody can connect."""

    def failing(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(f"socket.socket.{fails}", failing)
    with pytest.raises(RedisEndedError, match=r"cannot listen on 127\.0\.0\.1"), local_redis(tmp_path):
        raise AssertionError("it must not start")


def test_in_a_container_of_one_gigabyte_redis_takes_half_of_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.local_redis.usable_memory", lambda: 1 << 30)
    with local_redis(tmp_path) as url, Redis.from_url(url or "") as client:
        assert client.info("memory")["maxmemory"] == 1 << 29


def test_a_server_that_cannot_start_for_another_reason_names_its_log(tmp_path: Path) -> None:
    with pytest.raises(RedisEndedError, match="says why, at its end"):
        start("false", tmp_path, f"redis://default:x@127.0.0.1:{free_port()}/0")
