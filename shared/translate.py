"""Translations: gettext texts, English in the code, other languages in `shared/locale`."""

from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Literal, TypeAlias

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

Language: TypeAlias = Literal["it", "en"]
Words: TypeAlias = NullTranslations
"""The texts of one language: `gettext` and `ngettext`."""

LOCALE = Path(__file__).parent / "locale"


def _load(language: Language) -> Words:
    compiled = BytesIO()
    with (LOCALE / language / "LC_MESSAGES" / "locanda.po").open("rb") as source:
        write_mo(compiled, read_po(source, locale=language))
    compiled.seek(0)
    return GNUTranslations(compiled)


_WORDS: dict[Language, Words] = {"it": _load("it"), "en": NullTranslations()}
"""Read once at the start: no request waits for a file."""


def translator(language: Language) -> Words:
    """Return the texts of a language; English is what the code itself says."""
    return _WORDS[language]


def spoken(words: Words) -> Language:
    """Return the language of these texts."""
    return nearest(words.info().get("language", "en"))


def nearest(code: str | None) -> Language:
    """Return the language we speak that is nearest to an IETF tag such as `it-CH`."""
    return "it" if code and code.lower().split("-", maxsplit=1)[0] == "it" else "en"
