"""The scripts for docker compose, before a made-up `docker` that writes down what it is asked."""

import os
import subprocess
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.e2e.processes import ROOT

DOCKER = """#!/bin/sh
echo "$*" >> "$ASKED"
case "$*" in
    *keyspace*) printf 'db0:keys=3,expires=0\\r\\n' ;;
esac
"""


@pytest.fixture
def docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file with what `docker` was asked."""
    program = tmp_path / "docker"
    program.write_text(DOCKER)
    program.chmod(0o755)
    asked = tmp_path / "asked"
    asked.touch()
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("ASKED", str(asked))
    return asked


def test_a_restore_that_is_refused_has_stopped_nothing(docker: Path, tmp_path: Path) -> None:
    (tmp_path / "backup.tar").write_bytes(b"")
    command = ["sh", "scripts/compose-backup", "load", str(tmp_path / "backup.tar")]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 1
    assert "Redis holds 3 keys: FORCE=1 moves them aside." in ended.stderr
    assert " stop" not in docker.read_text()


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
    """Return which of these backups scripts/keep-backups leaves in a folder."""
    for name in names:
        (folder / name).write_bytes(b"")
    subprocess.run(["sh", "scripts/keep-backups", str(folder)], cwd=ROOT, check=True, timeout=60)
    return {file.name for file in folder.iterdir()}


def test_seven_days_and_four_weeks_of_backups_are_kept_whatever_year_it_is(tmp_path: Path) -> None:
    last = date(2027, 1, 10)  # a Sunday
    names = [f"compose-{last - timedelta(days):%Y%m%d}T040000Z.tar" for days in range(40)]
    days = {last - timedelta(number) for number in range(7)}
    weeks = {date(2027, 1, 3), date(2026, 12, 27), date(2026, 12, 20)}  # the last days of three weeks before
    assert kept_of(tmp_path, names) == {f"compose-{day:%Y%m%d}T040000Z.tar" for day in days | weeks}


def test_of_several_backups_of_a_day_the_last_is_kept_and_other_files_are_left_alone(tmp_path: Path) -> None:
    names = ["redis-20261123T040000Z.tar", "redis-20261123T180000Z.tar", "mine.tar", "next"]
    assert kept_of(tmp_path, names) == {"redis-20261123T180000Z.tar", "mine.tar", "next"}
