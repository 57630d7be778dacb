"""`make release` in a clone: it sets the version of package and images, commits, and makes an annotated tag."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.processes import ROOT
from tests.programs import program

pytestmark = pytest.mark.slow

NEXT = "99.0.0"
AUTHOR = {f"GIT_{who}_{what}": "host@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def test_a_release_is_committed_tagged_and_built(tmp_path: Path) -> None:
    clone = tmp_path / "locanda"

    def run(*command: str, code: int = 0) -> str:
        ended = subprocess.run(
            command, cwd=clone, env=os.environ | AUTHOR, capture_output=True, text=True, timeout=300, check=False
        )
        assert ended.returncode == code, ended.stdout + ended.stderr
        return ended.stdout.strip() + ended.stderr.strip()

    subprocess.run([program("git"), "clone", "--quiet", "--shared", str(ROOT), str(clone)], check=True, timeout=60)
    before = run("git", "rev-parse", "HEAD")
    (clone / "CHANGELOG.md").write_text(
        (ROOT / "CHANGELOG.md").read_text().replace("## Unreleased\n", "## Unreleased\n\n- A fifth game.\n", 1)
    )
    release = (sys.executable, "scripts/release.py", NEXT)
    assert "not committed" in run(*release, code=1)
    run("git", "commit", "--quiet", "--all", "--message", "A fifth game")

    run(*release)

    assert run("git", "cat-file", "-t", f"v{NEXT}") == "tag"
    assert run("git", "describe") == f"v{NEXT}"
    assert run("git", "rev-list", "--count", f"{before}..HEAD") == "2"
    assert f"-engine:{NEXT}\n" in (clone / "docker-compose.yml").read_text()
    assert len(list((clone / "var" / "dist").iterdir())) == 2
    assert "is not after" in run(*release, code=1)
