"""Translations with gettext: msgids are English texts in the code, translations are in `locale/` and games' folders."""

from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import TypeAlias

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from locanda.games.registry import folder, of_each_game
from locanda.messages import Language

__all__ = ["Language", "Translations", "catalogue_of", "language_of", "nearest_language", "translations_in"]

Translations: TypeAlias = NullTranslations
"""The texts of one language, with the methods `gettext` and `ngettext`."""

LOCALE = Path(__file__).parent / "locale"


def catalogue_of(language: Language) -> Catalog:
    """Load the texts of a language: the shared texts, and those in the games' folders."""
    catalogue = _read(LOCALE / language / "LC_MESSAGES" / "locanda.po", language)
    for own in of_each_game(lambda game: _read(folder(game) / f"{language}.po", language)).values():
        for message in own:
            if message.id and message.id not in catalogue:
                catalogue.add(message.id, message.string)
    return catalogue


def _read(file: Path, language: Language) -> Catalog:
    if not file.exists():
        return Catalog(locale=language)
    with file.open("rb") as source:
        return read_po(source, locale=language, abort_invalid=True)


def _load(language: Language) -> Translations:
    compiled = BytesIO()
    write_mo(compiled, catalogue_of(language))
    compiled.seek(0)
    return GNUTranslations(compiled)


_TRANSLATIONS: dict[Language, Translations] = {"it": _load("it"), "en": NullTranslations()}
"""Loaded at import, so that requests never wait for files."""


def translations_in(language: Language) -> Translations:
    """Return the translations of a language. For English, they return the texts in the code unchanged."""
    return _TRANSLATIONS[language]


def language_of(translations: Translations) -> Language:
    """Return the language of these translations."""
    return nearest_language(translations.info().get("language", "en"))


def nearest_language(code: str | None) -> Language:
    """Return the supported language for an IETF tag such as `it-CH`; English for all others."""
    return "it" if code and code.lower().split("-", maxsplit=1)[0] == "it" else "en"
