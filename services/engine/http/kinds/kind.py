"""What a kind of problem is, in both languages."""

from dataclasses import dataclass, field
from typing import NamedTuple

from shared.messages import JsonObject, Language


class Words(NamedTuple):
    """What is said of a kind of problem, in one language."""

    title: str
    meaning: str
    """When it comes."""
    remedy: str
    """What a client should do about it."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem."""

    status: int
    en: Words
    it: Words
    example: JsonObject = field(default_factory=dict)
    """What an answer may say besides its type, title, status and code."""

    def words(self, language: Language) -> Words:
        """Return what is said of it in a language."""
        return self.it if language == "it" else self.en
