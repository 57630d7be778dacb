"""The scripts for docker compose, before a made-up `docker` that writes down what it is asked."""

import os
import subprocess
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
