"""English sentences that keep their template and facts, so that clients can translate them."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

Translate: TypeAlias = Callable[[str], str]
"""Translates a template, like `gettext`; `str` leaves it in English."""


class Sentence(str):
    """An English sentence with its template and facts."""

    __slots__ = ("facts", "template")
    template: str
    facts: Mapping[str, object]

    @classmethod
    def of(cls, template: str, facts: Mapping[str, object]) -> "Sentence":
        """Fill in the placeholders of a template."""
        sentence = cls(template.format(**facts))
        sentence.template, sentence.facts = template, facts
        return sentence


def say(template: str, **facts: object) -> Sentence:
    """Create a sentence, and mark its template for translation."""
    return Sentence.of(template, facts)


def translated(text: object, gettext: Translate) -> object:
    """Translate a `Sentence` and the sentences among its facts; return other values unchanged."""
    if not isinstance(text, Sentence):
        return text
    facts = {name: translated(value, gettext) for name, value in text.facts.items()}
    return gettext(text.template).format(**facts)


class UnreadableError(ValueError):
    """The input is not a proof; the message names the field."""
