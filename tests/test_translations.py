"""Every text marked for translation has an Italian one with the same placeholders. No other text is translated."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from locanda.translations import catalogue_of

ROOT = Path(__file__).parents[1]
SOURCES = [path for folder in ("services", "shared") for path in (ROOT / folder).rglob("*.py")]
MARKS = {"gettext", "ngettext", "N_", "NN_", "say"}
MARKED = re.compile(rf"\b({'|'.join(MARKS)})\(")


def texts() -> Iterator[tuple[str, str | None]]:
    """Yield each text of the sources that is marked for translation, with its plural."""
    for source in filter(MARKED.search, (path.read_text("utf-8") for path in SOURCES)):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and _name(node.func) in MARKS:
                strings = [
                    arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
                ]
                if strings:
                    yield strings[0], strings[1] if len(strings) > 1 else None


def _name(function: ast.expr) -> str:
    return getattr(function, "attr", getattr(function, "id", ""))


@pytest.fixture(scope="module")
def italian() -> Catalog:
    return catalogue_of("it")


def test_every_text_has_an_italian_one_and_no_other_has(italian: Catalog) -> None:
    used = {text for text, _ in texts()}
    assert [text for text in used if text not in italian or not _forms(italian, text)] == []
    kept = {message.id[0] if isinstance(message.id, tuple) else message.id for message in italian if message.id}
    assert kept - used == set()


def test_translations_have_the_same_placeholders(italian: Catalog) -> None:
    for text, plural in texts():
        for form, source in zip(_forms(italian, text), (text, plural or text), strict=False):
            assert _placeholders(form) == _placeholders(source) or (
                plural is not None and _placeholders(form) == _placeholders(plural)
            ), text


@pytest.mark.parametrize(
    "file", sorted((ROOT / "examples" / "games").glob("*/*/it.po")), ids=lambda file: file.parent.name
)
def test_every_text_of_an_example_game_has_an_italian_one(file: Path) -> None:
    with file.open("rb") as source:
        own = read_po(source, locale="it")
    assert [message.id for message in own if message.id and not message.string] == []


@pytest.mark.slow
def test_collecting_the_texts_again_changes_nothing() -> None:
    collect = [sys.executable, "scripts/collect_texts.py", "--check"]
    checked = subprocess.run(collect, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr


def _placeholders(text: str) -> set[str]:
    return set(re.findall(r"{\w+}", text))


def _forms(italian: Catalog, text: str) -> list[str]:
    message = italian.get(text)
    assert message is not None, text
    forms = message.string if isinstance(message.string, tuple) else (message.string,)
    return [form for form in forms if isinstance(form, str)] if all(forms) else []
