"""The scripts for docker compose, with a fake `docker` that records its arguments."""

import os
import subprocess
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.e2e.processes import ROOT
from tests.redis_server import running_redis

DOCKER = """#!/bin/sh
echo "$*" >> "$ASKED"
case "$*" in
    *keyspace*) printf 'db0:keys=3,expires=0\\r\\n' ;;
esac
"""


@pytest.fixture
def docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file with the recorded arguments of `docker`."""
    program = tmp_path / "docker"
    program.write_text(DOCKER)
    program.chmod(0o755)
    log = tmp_path / "asked"
    log.touch()
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("ASKED", str(log))
    return log


def test_a_restore_that_is_refused_has_stopped_nothing(docker: Path, tmp_path: Path) -> None:
    (tmp_path / "backup.tar").write_bytes(b"")
    command = ["sh", "scripts/compose-backup", "load", str(tmp_path / "backup.tar")]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 1
    assert "Redis holds 3 keys: FORCE=1 moves them aside." in ended.stderr
    assert " stop" not in docker.read_text()


# A docker that runs commands for Redis' container on this machine, with the folder "$DATA".
CONTAINERS = """#!/bin/sh
[ "$2" = run ] || echo "$*" >> "$ASKED"
case "$*" in
    *" ps "*) printf 'redis1\\nengine1\\nbot1\\n' ;;
    *dbsize*) echo 1 ;;
    *"run --rm"*)
        [ -z "${FAILS:-}" ] || case "$*" in *" $FAILS /data") exit 1 ;; esac
        while [ "$1" != redis ]; do shift; done
        exec sh -c "$4" "$5" "$6" "$DATA" ;;
esac
"""


@pytest.fixture
def stack(docker: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a Redis that cannot start and keeps restarting, because its append-only file is damaged."""
    docker.with_name("docker").write_text(CONTAINERS)
    for folder in ("scripts", "data/appendonlydir"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("compose-backup", "redis-backup"):
        (tmp_path / "scripts" / name).write_text((ROOT / "scripts" / name).read_text())
    (tmp_path / "data" / "appendonlydir" / "appendonly.aof.manifest").write_text("damaged")
    monkeypatch.setenv("DATA", str(tmp_path / "data"))
    return tmp_path


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("backup")
    file = folder / "backup.tar"
    with running_redis(folder, "--appendonly", "no") as redis, file.open("wb") as output:
        redis.ask("SET locanda:ping 1")
        variables = os.environ | {"REDIS_PORT": str(redis.port)}
        subprocess.run(
            ["sh", "scripts/redis-backup", "save"], cwd=ROOT, env=variables, stdout=output, check=True, timeout=60
        )
    return file


def restored(stack: Path, file: Path, **environment: str) -> tuple[subprocess.CompletedProcess[str], str]:
    """Restore a backup. Return the result, and the recorded arguments of `docker`."""
    command = ["sh", "scripts/compose-backup", "load", str(file)]
    variables = os.environ | environment
    ended = subprocess.run(command, cwd=stack, env=variables, capture_output=True, text=True, timeout=60, check=False)
    return ended, (stack / "asked").read_text()


@pytest.mark.slow
def test_a_restore_on_damaged_data_is_refused_before_anything_is_stopped(stack: Path, backup: Path) -> None:
    ended, calls = restored(stack, backup)
    assert ended.returncode == 1
    assert "some keys: FORCE=1 moves them aside\nNothing was stopped.\n" in ended.stderr
    assert " stop" not in calls


@pytest.mark.slow
def test_a_damaged_backup_stops_nothing_though_it_is_forced(stack: Path, backup: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.tar"
    damaged.write_bytes(backup.read_bytes()[:-9000])
    for file, said in ((damaged, "backup"), (ROOT / "README.md", "this is no backup")):
        ended, calls = restored(stack, file, FORCE="1")
        assert ended.returncode == 1
        assert said in ended.stderr
        assert ended.stderr.endswith("Nothing was stopped.\n")
        assert " stop" not in calls
    assert not (stack / "data" / ".restoring").exists()


@pytest.mark.slow
def test_what_ran_before_a_restore_runs_afterwards_also_where_the_last_step_fails(stack: Path, backup: Path) -> None:
    ended, calls = restored(stack, backup, FORCE="1", FAILS="place")
    assert ended.returncode == 1
    assert "compose stop" in calls
    assert calls.splitlines()[-1].startswith("start bot")
    ended, calls = restored(stack, backup, FORCE="1")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.endswith("Redis came up with 1 keys; what has expired since the backup is gone.\n")
    assert [line.split()[0] for line in calls.splitlines()].count("start") == 2
    assert [file.read_text() for file in (stack / "data").glob("before-restore-*/*/*.manifest")] == ["damaged"]


def test_make_down_ends_what_profiles_have_started_too(docker: Path) -> None:
    subprocess.run(["make", "down"], cwd=ROOT, check=True, capture_output=True, timeout=60)
    assert "--profile * down --remove-orphans" in docker.read_text()


@pytest.mark.parametrize("published", ["", "registry.example.org/locanda"])
def test_images_are_built_only_where_no_published_ones_are_named(
    docker: Path, monkeypatch: pytest.MonkeyPatch, published: str
) -> None:
    monkeypatch.setenv("IMAGES", published)
    monkeypatch.delenv("COMPOSE_FILE", raising=False)
    docker.with_name("docker").write_text('#!/bin/sh\necho "$COMPOSE_FILE" >> "$ASKED"\n')
    subprocess.run(["sh", "scripts/compose", "up"], cwd=ROOT, check=True, timeout=60)
    assert docker.read_text().strip() == ("" if published else "docker-compose.yml:deploy/build.yml")


@pytest.mark.parametrize("published", ["", "registry.example.org/locanda"])
def test_a_folder_of_games_is_mounted_where_there_is_one(
    docker: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, published: str
) -> None:
    monkeypatch.setenv("IMAGES", published)
    monkeypatch.delenv("COMPOSE_FILE", raising=False)
    docker.with_name("docker").write_text('#!/bin/sh\necho "$COMPOSE_FILE" >> "$ASKED"\n')
    for folder in ("scripts", "games"):
        (tmp_path / folder).mkdir()
    (tmp_path / "scripts" / "compose").write_text((ROOT / "scripts" / "compose").read_text())
    subprocess.run(["sh", "scripts/compose", "up"], cwd=tmp_path, check=True, timeout=60)
    built = "" if published else "deploy/build.yml:"
    assert docker.read_text().strip() == f"docker-compose.yml:{built}deploy/games.yml"


# --- backups that are kept


def kept_of(folder: Path, names: list[str]) -> set[str]:
    """Return the backups that scripts/keep-backups keeps."""
    for name in names:
        (folder / name).write_bytes(b"")
    subprocess.run(["sh", "scripts/keep-backups", str(folder)], cwd=ROOT, check=True, timeout=60)
    return {file.name for file in folder.iterdir()}


def test_seven_days_and_four_weeks_of_backups_are_kept_whatever_year_it_is(tmp_path: Path) -> None:
    last = date(2027, 1, 10)  # a Sunday
    names = [f"compose-{last - timedelta(days):%Y%m%d}T040000Z.tar" for days in range(40)]
    days = {last - timedelta(number) for number in range(7)}
    weeks = {date(2027, 1, 3), date(2026, 12, 27), date(2026, 12, 20)}  # the last days of the three preceding weeks
    assert kept_of(tmp_path, names) == {f"compose-{day:%Y%m%d}T040000Z.tar" for day in days | weeks}


def test_of_several_backups_of_a_day_the_last_is_kept_and_other_files_are_left_alone(tmp_path: Path) -> None:
    names = ["redis-20261123T040000Z.tar", "redis-20261123T180000Z.tar", "mine.tar", "next"]
    assert kept_of(tmp_path, names) == {"redis-20261123T180000Z.tar", "mine.tar", "next"}
