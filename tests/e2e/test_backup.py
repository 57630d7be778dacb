"""Backups on a real Redis: a restore brings back the saved data, and a match continues from there."""

import asyncio
import os
import random
import shutil
import subprocess
import tarfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from locanda.client import EngineClient
from locanda.messages import Table
from services.local_redis import BackupError, BusyDirectoryError, load_backup, local_redis, main, save_backup
from tests.e2e.processes import ForkedEngine, running
from tests.e2e.test_exactly_once import PLAYERS, Group, play_until_over
from tests.programs import program
from tests.redis_server import RedisServer, free_port, running_redis, until

SCRIPT = Path(__file__).parents[2] / "scripts" / "redis-backup"
MOVES = 12
"""The number of moves before the backup, and again after it. A match has more moves."""


def script(*words: str, stdin: Path | None = None, stdout: Path | None = None, **environment: str) -> str:
    """Run the script to its end; return its output. Fails with `CalledProcessError`."""
    with (stdin or Path(os.devnull)).open("rb") as read, (stdout or Path(os.devnull)).open("wb") as written:
        ended = subprocess.run(
            ["sh", str(SCRIPT), *words],
            stdin=read,
            stdout=written,
            stderr=subprocess.PIPE,
            env=os.environ | environment,
            text=True,
            timeout=120,
            check=False,
        )
    if ended.returncode:
        raise BackupError(ended.stderr)
    return ended.stderr


def save(server: RedisServer, backup: Path) -> str:
    server.ask("CONFIG SET repl-diskless-sync-delay 0")
    return script("save", stdout=backup, REDIS_PORT=str(server.port))


def wipe(server: RedisServer) -> None:
    """Kill the server and delete the server's data."""
    server.kill()
    shutil.rmtree(server.directory / "appendonlydir")


def dbsize(server: RedisServer) -> int:
    return int(server.ask("DBSIZE").strip(":\r\n"))


async def play(engine: EngineClient, group: Group, moves: int) -> None:
    """Play a number of moves, each for the player on turn."""
    for _ in range(moves):
        seen = await as_each_sees_it(engine, group)
        seat = next(number for number, table in enumerate(seen) if table.moves)
        await engine.play(group.table, group.tokens[seat], random.choice(seen[seat].moves or []))


async def as_each_sees_it(engine: EngineClient, group: Group) -> list[Table]:
    return [await engine.table(group.table, token) for token in group.tokens]


def cards(table: Table) -> Table:
    """Return the table without its version and events: after a restore the version is above all lost versions."""
    return structs.replace(table, version=0, events=[])


@pytest.mark.costly
async def test_a_match_that_was_wiped_out_goes_on_from_the_backup(mortal_redis: RedisServer, tmp_path: Path) -> None:
    backup = tmp_path / "backup.tar"
    first, second = (ForkedEngine(tmp_path / "engine.log", mortal_redis.url) for _ in range(2))
    async with running(first), EngineClient.connect(first.url) as engine:
        group = await Group.sit(engine, deals=3)
        await play(engine, group, MOVES)
        saved = await as_each_sees_it(engine, group)
        assert "Saved" in await asyncio.to_thread(save, mortal_redis, backup)
        await play(engine, group, MOVES)
        assert await as_each_sees_it(engine, group) != saved
        lost = (await engine.table(group.table)).version
    await asyncio.to_thread(wipe, mortal_redis)
    await asyncio.to_thread(script, "load", str(mortal_redis.directory), stdin=backup)
    await asyncio.to_thread(mortal_redis.start)
    async with running(second), EngineClient.connect(second.url) as engine:
        restored = await as_each_sees_it(engine, group)
        assert min(table.version for table in restored) > lost
        assert [cards(table) for table in restored] == [cards(table) for table in saved]
        async with asyncio.TaskGroup() as people:
            for seat in range(len(PLAYERS)):
                people.create_task(play_until_over(group, seat, second.url))
        assert (await engine.table(group.table)).status == "over"


def test_the_server_that_came_up_keeps_its_data_over_further_starts(mortal_redis: RedisServer, tmp_path: Path) -> None:
    for number in range(100):
        mortal_redis.ask(f"SET key{number} value")
    save(mortal_redis, tmp_path / "backup.tar")
    wipe(mortal_redis)
    script("load", str(mortal_redis.directory), stdin=tmp_path / "backup.tar")
    mortal_redis.start()
    mortal_redis.ask("SET one more")
    mortal_redis.restart()
    assert dbsize(mortal_redis) == 101


def test_keys_that_expire_after_the_backup_do_not_make_it_look_incomplete(
    mortal_redis: RedisServer, tmp_path: Path
) -> None:
    mortal_redis.ask("SET kept value")
    mortal_redis.ask("SET brief value PX 2000")
    expired = time.monotonic() + 2
    save(mortal_redis, tmp_path / "backup.tar")
    wipe(mortal_redis)
    until(lambda: time.monotonic() > expired)
    assert "Restored 2 keys" in script("load", str(mortal_redis.directory), stdin=tmp_path / "backup.tar")


def test_data_in_the_directory_is_refused_or_moved_aside(mortal_redis: RedisServer, tmp_path: Path) -> None:
    backup, directory = tmp_path / "backup.tar", mortal_redis.directory
    mortal_redis.ask("SET table old")
    save(mortal_redis, backup)
    mortal_redis.ask("SET table new")
    mortal_redis.ask("SET another table")
    mortal_redis.kill()
    # There are three keys: `table`, `another`, and the time of the backup.
    with pytest.raises(BackupError, match="holds 3 keys"):
        script("load", str(directory), stdin=backup)
    mortal_redis.start()
    assert dbsize(mortal_redis) == 3
    mortal_redis.kill()
    script("load", str(directory), stdin=backup, FORCE="1")
    mortal_redis.start()
    assert "old" in mortal_redis.ask("GET table")
    (aside,) = directory.glob("before-restore-*")
    with running_redis(aside) as before:
        assert "new" in before.ask("GET table")


def test_an_empty_server_is_no_reason_to_refuse(mortal_redis: RedisServer, tmp_path: Path) -> None:
    mortal_redis.ask("SET key value")
    save(mortal_redis, tmp_path / "backup.tar")
    mortal_redis.flush()
    mortal_redis.kill()
    script("load", str(mortal_redis.directory), stdin=tmp_path / "backup.tar")
    mortal_redis.start()
    assert dbsize(mortal_redis) == 1


@pytest.mark.parametrize("kind", [tarfile.FIFOTYPE, tarfile.SYMTYPE], ids=["pipe", "link"])
@pytest.mark.parametrize("name", ["manifest", "redis.rdb"])
def test_a_backup_of_other_than_plain_files_is_refused(tmp_path: Path, name: str, kind: bytes) -> None:
    backup, directory = tmp_path / "backup.tar", tmp_path / "redis"
    directory.mkdir()
    (tmp_path / "manifest").write_text("locanda-redis-backup 1\n")
    with tarfile.open(backup, "w") as made:
        for file_name in ("manifest", "redis.rdb"):
            member = made.gettarinfo(tmp_path / "manifest", file_name)
            if file_name == name:
                member.type, member.linkname, member.size = kind, "/dev/zero", 0
                made.addfile(member)
            else:
                with (tmp_path / "manifest").open("rb") as content:
                    made.addfile(member, content)
    with pytest.raises(BackupError, match="this is no backup"):
        script("load", str(directory), stdin=backup)
    assert not [*directory.iterdir()]


@pytest.mark.parametrize("target", ["backup", "restore", "up-backup", "up-restore"])
@pytest.mark.parametrize("name", ["x; touch {}", "$(touch {})", "`touch {}`", "$(shell touch {})", "'; touch {} '"])
def test_the_name_of_a_backup_runs_no_command(tmp_path: Path, target: str, name: str) -> None:
    """The test prints the command that make would run, and lets a shell parse it with `true` as the first word."""
    planted = tmp_path / "planted"
    command = ["make", "-n", target, "RUN=", f"BACKUP={name.format(planted)}"]
    printed = subprocess.run(command, cwd=SCRIPT.parents[1], capture_output=True, text=True, check=False, timeout=60)
    line = printed.stdout.splitlines()[-1].removeprefix("FORCE= ")
    subprocess.run(["sh", "-c", f"true {line}"], cwd=tmp_path, capture_output=True, check=False, timeout=60)
    assert not planted.exists()


def damaged(backup: Path) -> None:
    """Change one byte of the backup's copy."""
    content = bytearray(backup.read_bytes())
    content[content.index(b"REDIS0") + 40] ^= 1
    backup.write_bytes(content)


def of_other_data(backup: Path) -> None:
    """Let the manifest list more keys than the copy contains."""
    content = backup.read_bytes()
    assert b"\nkeys 1\n" in content
    backup.write_bytes(content.replace(b"\nkeys 1\n", b"\nkeys 2\n"))


def cut_short(backup: Path) -> None:
    """Remove the end of the copy."""
    content = backup.read_bytes()
    backup.write_bytes(content[: content.index(b"REDIS0") + 60])


@pytest.mark.parametrize("spoil", [damaged, of_other_data, cut_short])
def test_a_spoilt_backup_is_refused_and_changes_nothing(
    mortal_redis: RedisServer, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    backup = tmp_path / "backup.tar"
    mortal_redis.ask("SET key value")
    save(mortal_redis, backup)
    mortal_redis.ask("SET key newer")
    mortal_redis.kill()
    spoil(backup)
    before = sorted(mortal_redis.directory.rglob("*"))
    with pytest.raises(BackupError, match="redis-backup: "):
        script("load", str(mortal_redis.directory), stdin=backup, FORCE="1")
    assert sorted(mortal_redis.directory.rglob("*")) == before
    mortal_redis.start()
    assert "newer" in mortal_redis.ask("GET key")


def test_a_server_that_does_not_answer_gives_no_backup(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="gives no copy"):
        script("save", stdout=tmp_path / "backup.tar", REDIS_PORT=str(free_port()))


# --- the Redis of `make run`


def command(url: str | None, *words: str) -> str:
    """Return redis-cli's output for this URL, called as in docs/privacy.md: `redis-cli -u "$(cat var/redis/url)"`."""
    assert url
    said = subprocess.run(
        [program("redis-cli"), "-u", url, *words], capture_output=True, text=True, timeout=60, check=True
    )
    return said.stdout


@pytest.mark.parametrize("serving", [True, False])
def test_the_redis_of_make_run_is_saved_whether_it_runs_or_not_and_restored(tmp_path: Path, *, serving: bool) -> None:
    directory, backup = tmp_path / "redis", tmp_path / "backups" / "backup.tar"
    with local_redis(directory) as url:
        command(url, "SET", "table", "saved")
        assert int(command(url, "CONFIG", "GET", "maxmemory").split()[1]) > 0
        if serving:
            save_backup(directory, backup)
    if not serving:
        save_backup(directory, backup)
    shutil.rmtree(directory)
    assert load_backup(directory, backup) == 1
    with local_redis(directory) as url:
        assert "saved" in command(url, "GET", "table")
    assert backup.stat().st_mode & 0o777 == 0o600
    with tarfile.open(backup) as members:
        assert members.getnames() == ["manifest", "redis.rdb"]


def test_nothing_is_restored_under_a_service_that_runs(tmp_path: Path) -> None:
    directory, backup = tmp_path / "redis", tmp_path / "backup.tar"
    with local_redis(directory) as url:
        command(url, "SET", "table", "saved")
        save_backup(directory, backup)
        with pytest.raises(BusyDirectoryError):
            load_backup(directory, backup)
        assert "saved" in command(url, "GET", "table")


def test_without_games_there_is_no_backup(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="no games"):
        save_backup(tmp_path / "redis", tmp_path / "backup.tar")
    assert list(tmp_path.iterdir()) == []


def test_games_in_another_redis_are_not_looked_for_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REDIS_URL", raising=False)
    (tmp_path / ".env").write_text("REDIS_URL=redis://elsewhere/0\n")
    assert main(["save"]) == 2
    assert "Redis of REDIS_URL" in capsys.readouterr().err
