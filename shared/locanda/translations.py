"""Translations by gettext: English msgids in the code, catalogues of the other languages in `locale/`."""

from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import TypeAlias

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from locanda.games.registry import GAME_NAMES, folder, is_installed
from locanda.messages import Language

__all__ = ["LOCALE", "Language", "Translations", "language_of", "nearest_language", "translations_in"]

Translations: TypeAlias = NullTranslations
"""The texts of one language: an object with `gettext` and `ngettext`."""

LOCALE = Path(__file__).parent / "locale"


def _load(language: Language) -> Translations:
    """Return our own texts, then those of installed games that have some."""
    found = _read(LOCALE / language / "LC_MESSAGES" / "locanda.po", language)
    for game in filter(is_installed, GAME_NAMES):
        file = folder(game) / f"{language}.po"
        if file.exists():
            found.add_fallback(_read(file, language))
    return found


def _read(file: Path, language: Language) -> Translations:
    compiled = BytesIO()
    with file.open("rb") as source:
        write_mo(compiled, read_po(source, locale=language))
    compiled.seek(0)
    return GNUTranslations(compiled)


_TRANSLATIONS: dict[Language, Translations] = {"it": _load("it"), "en": NullTranslations()}
"""Loaded at import, so that no request waits for a file."""


def translations_in(language: Language) -> Translations:
    """Return the translations of a language; those of English return the texts in the code."""
    return _TRANSLATIONS[language]


def language_of(translations: Translations) -> Language:
    """Return the language of these texts."""
    return nearest_language(translations.info().get("language", "en"))


def nearest_language(code: str | None) -> Language:
    """Return the language of the texts that is nearest to an IETF tag such as `it-CH`."""
    return "it" if code and code.lower().split("-", maxsplit=1)[0] == "it" else "en"
