"""Documents, docstrings and comments use plain words; lines, cells of tables and commit subjects are short."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.programs import program

ROOT = Path(__file__).parents[1]
STILTED = re.compile(
    r"\b(anew|whoever|in the place of|(of|after|for|once|until) so many|by which|(is|are|was|were|be|been) told)\b",
    re.I,
)
"""Plainer: again; anyone who; instead of; N; with which; gets."""
LINE, CELL, SUBJECT = 160, 120, 72
SUBJECTS_SINCE = "2026-11-29T15:00:00Z"
"""Earlier commits had longer subjects."""
PAGES = {page.stem: page for page in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"))}
SOURCES = [
    file
    for folder in ("services", "shared", "scripts", "tests", "examples")
    for file in (ROOT / folder).rglob("*")
    if file.suffix in {".py", ".js", ".css", ".lua"} and not {"vendor", "node_modules"}.intersection(file.parts)
]


def prose(page: Path) -> Iterator[str]:
    """Yield each line outside code blocks."""
    for number, part in enumerate(re.split(r"^ *```.*$", page.read_text("utf-8"), flags=re.MULTILINE)):
        if number % 2 == 0:
            yield from part.splitlines()


def long_parts(page: Path) -> Iterator[str]:
    """Yield the lines and the table cells that are too long."""
    for line in prose(page):
        if line.startswith("|"):
            yield from (cell for cell in line.strip("| ").split(" | ") if len(cell) > CELL)
        elif len(line) > LINE:
            yield line


def test_lines_and_cells_of_documents_are_short() -> None:
    assert {name: [*long_parts(page)] for name, page in PAGES.items() if any(long_parts(page))} == {}


def test_documents_use_plain_words() -> None:
    assert [name for name, page in PAGES.items() if STILTED.search(page.read_text("utf-8"))] == []


def test_docstrings_and_comments_use_plain_words() -> None:
    files = [file for file in SOURCES if file != Path(__file__)]
    assert [str(file.relative_to(ROOT)) for file in files if STILTED.search(file.read_text("utf-8"))] == []


def test_the_readme_comes_to_the_api_within_six_hundred_words() -> None:
    before, _, _ = PAGES["README"].read_text("utf-8").partition("## The API")
    assert len(before.split()) <= 600


def commit_subjects() -> list[str]:
    """Return the subjects of this repository's commits. A shallow clone has fewer commits, and an archive has none."""
    if not (ROOT / ".git").exists():
        return []
    command = [program("git"), "log", f"--since={SUBJECTS_SINCE}", "--format=%s"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()


def test_commit_subjects_are_short() -> None:
    assert [subject for subject in commit_subjects() if len(subject) > SUBJECT] == []
