"""Collect the texts to translate: a game's texts into its folder, all others into the common catalogue.

Run by `make locale`. A text that moves to another catalogue keeps its translation. `--check` writes nothing, and fails
if a catalogue is out of date.
"""

import sys
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
GAMES = ROOT / "shared" / "locanda" / "games"
COMMON = ROOT / "shared" / "locanda" / "locale" / "it" / "LC_MESSAGES" / "locanda.po"
KEYWORDS = {**DEFAULT_KEYWORDS, "N_": None, "NN_": (1, 2), "say": None}

Text = str | tuple[str, ...]
"""A text, or its singular and plural."""


def texts_in(folder: Path, without: Iterable[Path] = ()) -> set[Text]:
    """Return the texts marked for translation in the Python files of a folder, except in its subfolders `without`."""
    left_out = {str(path) for path in without}
    extracted = extract_from_dir(folder, keywords=KEYWORDS, directory_filter=lambda path: str(path) not in left_out)
    return {text for _, _, text, _, _ in extracted}


def catalogues() -> dict[Path, set[Text]]:
    """Return the texts of each catalogue. Texts that two built-in games share are in the common one."""
    own = {folder: texts_in(folder) for folder in GAMES.iterdir() if (folder / "types.py").exists()}
    common = texts_in(ROOT / "services") | texts_in(ROOT / "shared", without=own)
    common |= {text for text in set().union(*own.values()) if sum(text in texts for texts in own.values()) > 1}
    others = {path.parent: texts_in(path.parent) for path in (ROOT / "examples" / "games").glob("*/*/types.py")}
    return {COMMON: common} | {folder / "it.po": texts - common for folder, texts in (own | others).items()}


def collect() -> dict[Path, bytes]:
    """Return the new content of each catalogue file that is out of date."""
    wanted = catalogues()
    now = {path: _read(path) for path in wanted}
    moved: dict[Any, Any] = {
        message.id: message.string
        for path, catalogue in now.items()
        for message in catalogue
        if message.id and message.string and message.id not in wanted[path]
    }
    """Translations of texts that have moved to another catalogue. They are newer than the translations already there.
    """
    written = {path: _written(now[path], texts, moved) for path, texts in wanted.items()}
    return {path: text for path, text in written.items() if not path.exists() or path.read_bytes() != text}


def _read(path: Path) -> Catalog:
    """Return a catalogue; a new one starts with the header of the common catalogue."""
    with (path if path.exists() else COMMON).open("rb") as source:
        return read_po(source, locale="it")


def _written(catalogue: Catalog, texts: set[Text], moved: dict[Any, Any]) -> bytes:
    template = Catalog()
    for text in texts:
        template.add(text)
    catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
    for message in catalogue:
        message.string = moved.get(message.id, message.string)
    file = BytesIO()
    write_po(file, catalogue, width=120, no_location=True, sort_output=True, ignore_obsolete=True)
    return file.getvalue()


if __name__ == "__main__":
    to_write = collect()
    if "--check" in sys.argv[1:]:
        sys.exit(f"make locale is to write {', '.join(map(str, to_write))}" if to_write else 0)
    for path, text in to_write.items():
        path.write_bytes(text)
