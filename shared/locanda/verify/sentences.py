"""English sentences that keep their template and facts, so that a client can translate them."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

Translate: TypeAlias = Callable[[str], str]
"""From a template in English to the one in another language, as `gettext` has it; `str` leaves it in English."""


class Sentence(str):
    """An English sentence that keeps its template and facts, so that a client can translate it."""

    __slots__ = ("facts", "template")
    template: str
    facts: Mapping[str, object]

    @classmethod
    def of(cls, template: str, facts: Mapping[str, object]) -> "Sentence":
        """Return a template with its placeholders filled in."""
        sentence = cls(template.format(**facts))
        sentence.template, sentence.facts = template, facts
        return sentence


def say(template: str, **facts: object) -> Sentence:
    """Return a sentence; marks its template for translation."""
    return Sentence.of(template, facts)


def translated(text: object, gettext: Translate) -> object:
    """Return a sentence, and the sentences in it, in another language; anything else unchanged."""
    if not isinstance(text, Sentence):
        return text
    facts = {name: translated(value, gettext) for name, value in text.facts.items()}
    return gettext(text.template).format(**facts)


class UnreadableError(ValueError):
    """The input is not a proof: the message names the field."""
