"""The glossary's names exist in the code, and no identifier uses a word that it replaced."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("services", "shared", "examples", "tests")
GLOSSARY = ROOT / "docs" / "glossary.md"
RETIRED = re.findall(
    r"\w+",
    """chore chores desk door doors ear ears errand errands fate fates going house inn painter paper parcel parcels
    shelf shelves story surrounded told""",
)
"""Words in earlier names for parts of the services. `docs/glossary.md` has the words that replaced them."""
RETIRED_NAMES = re.findall(r"\w+", "Debt DOINGS Front Press Room Tap Words imagine put_off way_back")


def identifiers(folders: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    """Yield each file with each name that it defines, and with the parts of its own path."""
    for folder in folders:
        for path in (ROOT / folder).rglob("*.py"):
            yield from ((path, name) for name in names_of(path))


@cache
def names_of(path: Path) -> frozenset[str]:
    """Return the names that a file defines, and the parts of its path."""
    defined = {name for node in ast.walk(ast.parse(path.read_text("utf-8"))) for name in _defined(node)}
    return frozenset(defined.union(path.relative_to(ROOT).with_suffix("").parts))


def _defined(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.Attribute(attr=name, ctx=ast.Store()):
            yield name
        case _:
            pass


@cache
def words(name: str) -> frozenset[str]:
    """Split an identifier: `TableFeed` and `table_feed` are both {table, feed}."""
    return frozenset(word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name))


def rows() -> Iterator[list[str]]:
    """Yield the cells of each row of the glossary's tables."""
    for line in GLOSSARY.read_text("utf-8").splitlines():
        if line.startswith("| ") and not line.startswith(("| ---", "| English", "| Word")):
            yield [cell.strip() for cell in line.strip("|").split("|")]


@pytest.mark.slow
def test_every_word_of_the_glossary_is_used_in_the_code() -> None:
    defined = {name for _, name in identifiers(("services", "shared"))}
    for row in rows():
        assert all(row)
        names = re.findall(r"`(\w+)`", row[-1])
        assert names or row[-1] == "–", row
        assert set(names) <= defined, row


def test_no_word_occurs_twice_in_a_table_of_the_glossary() -> None:
    entries = [row[0] for row in rows()]
    assert len(entries) == len(set(entries))


@pytest.mark.slow
def test_retired_words_are_in_no_identifier() -> None:
    retired = {
        f"{path.relative_to(ROOT)}: {name}"
        for path, name in identifiers(FOLDERS)
        if path != Path(__file__)
        if not name.startswith("test_") and (words(name).intersection(RETIRED) or name in RETIRED_NAMES)
    }
    assert not retired, "\n".join(sorted(retired))


def test_no_two_types_have_the_same_name() -> None:
    files: dict[str, set[str]] = {}
    for path in (path for folder in ("services", "shared") for path in (ROOT / folder).rglob("*.py")):
        # in these folders, each game has types with the same names
        if not {"games", "players"}.intersection(path.parts):
            for name in re.findall(r"^class ([A-Za-z]\w*)", path.read_text("utf-8"), re.MULTILINE):
                files.setdefault(name, set()).add(str(path.relative_to(ROOT)))
    assert not {name: files_of_name for name, files_of_name in files.items() if len(files_of_name) > 1}
