"""`make release VERSION=1.2.3`: sets the version, dates the changelog, builds the package, commits and tags.

It pushes nothing. After `git push --follow-tags`, the workflow on GitHub builds images and site for the tag.
"""

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = Path("shared/locanda/__init__.py")
CHANGELOG = Path("CHANGELOG.md")
VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
UNRELEASED = "## Unreleased\n"
COMPOSE = Path("docker-compose.yml")
IMAGE = re.compile(r"^( +image: \$\{IMAGES:-locanda\}-\w+):.*$", re.MULTILINE)
SEMANTIC = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-rc\.([1-9]\d*))?")


class ReleaseError(Exception):
    """A release is not possible now. The message gives the reason."""


def order(version: str) -> tuple[int, int, int, float]:
    """Return the sort key of a version.

    Candidates (`-rc.1`) come before their release. Raises `ReleaseError` if the text is not a version.
    """
    match = SEMANTIC.fullmatch(version)
    if match is None:
        raise ReleaseError(f"{version} is no version such as 1.2.3 or 1.2.3-rc.1")
    return int(match[1]), int(match[2]), int(match[3]), float(match[4] or "inf")


def write_version(root: Path, version: str) -> None:
    """Write the version in the package and in the names of the images, and the changelog's heading.

    Raises `ReleaseError` if the version is not higher than the present one, or if the changelog lists no unreleased
    changes.
    """
    package, changelog = (root / PACKAGE).read_text(), (root / CHANGELOG).read_text()
    match = VERSION.search(package)
    if match is None or order(version) <= order(match[1]):
        raise ReleaseError(f"{version} is not after {match[1] if match else 'any version'}")
    _, heading, rest = changelog.partition(UNRELEASED)
    if not heading or not rest.partition("\n## ")[0].strip():
        raise ReleaseError("CHANGELOG.md has nothing under Unreleased")
    dated = f"{UNRELEASED}\n## {version} - {datetime.now(UTC):%Y-%m-%d}\n"
    (root / PACKAGE).write_text(VERSION.sub(f'__version__ = "{version}"', package))
    compose = (root / COMPOSE).read_text()
    (root / COMPOSE).write_text(IMAGE.sub(rf"\g<1>:{version}", compose))
    (root / CHANGELOG).write_text(changelog.replace(UNRELEASED, dated, 1))


def _git(*arguments: str) -> str:
    command = ["git", *arguments]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout  # noqa: S603


def _require_committed() -> None:
    if _git("status", "--porcelain"):
        raise ReleaseError("there are changes that are not committed")


def main(arguments: list[str]) -> int:
    """Make a release, and return the exit code."""
    (version,) = arguments
    try:
        _require_committed()
        write_version(ROOT, version)
    except ReleaseError as error:
        print(f"No release: {error}.", file=sys.stderr)
        return 1
    build = [sys.executable, "-m", "hatchling", "build", "-d", "var/dist"]
    subprocess.run(build, cwd=ROOT, check=True)  # noqa: S603
    _git("commit", "--quiet", "--message", f"Release {version}", str(PACKAGE), str(COMPOSE), str(CHANGELOG))
    _git("tag", "--annotate", f"v{version}", "--message", f"Release {version}")
    print(f"Release {version} is committed and tagged, its package in var/dist. To publish: git push --follow-tags")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
