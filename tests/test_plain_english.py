"""Documents, docstrings and comments use plain words; lines and cells of the documents are short."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
STILTED = re.compile(
    r"\b(anew|whoever|in the place of|(of|after|for|once|until) so many|by which|(is|are|was|were|be|been) told)\b",
    re.I,
)
"""Plainer: again; anyone who; instead of; N; with which; gets."""
LINE, CELL = 160, 120
PAGES = {page.stem: page for page in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"))}
SOURCES = [
    file
    for folder in ("services", "shared", "scripts", "tests", "examples")
    for file in (ROOT / folder).rglob("*")
    if file.suffix in {".py", ".js", ".css", ".lua"} and not {"vendor", "node_modules"}.intersection(file.parts)
]
FOLDERS_NOT_YET = set(
    re.findall(
        r"\S+",
        """
services/doctor services/engine/http/api/handlers services/engine/http/problems services/engine/http/server
services/engine/service services/engine/store services/engine/table services/telegram/drawing
services/telegram/handlers services/telegram/play services/telegram/screens services/telegram/tables services/web
services/web/games services/web/root services/web/screens services/web/style services/web/table services/web/texts
shared/locanda shared/locanda/client shared/locanda/games shared/locanda/games/diavoletto
shared/locanda/games/gatto_rosso shared/locanda/games/presidente shared/locanda/games/ramino shared/locanda/texts
shared/locanda/verify tests
        """,
    )
)


def prose(page: Path) -> Iterator[str]:
    """Yield each line outside code blocks."""
    for number, part in enumerate(re.split(r"^ *```.*$", page.read_text("utf-8"), flags=re.MULTILINE)):
        if number % 2 == 0:
            yield from part.splitlines()


def long_parts(page: Path) -> Iterator[str]:
    """Yield the lines, and the cells of tables, that are too long to be read."""
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
    stilted = {str(file.parent.relative_to(ROOT)) for file in SOURCES if STILTED.search(file.read_text("utf-8"))}
    assert stilted <= FOLDERS_NOT_YET


def test_the_readme_comes_to_the_api_within_six_hundred_words() -> None:
    before, _, _ = PAGES["README"].read_text("utf-8").partition("## The API")
    assert len(before.split()) <= 600
