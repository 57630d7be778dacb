"""French cards as people see them: ``7♥``, ``10♣``, ``J♠``."""

from collections.abc import Iterable

from shared.cards import CARDS

SUIT_SIGNS = {"h": "♥", "d": "♦", "c": "♣", "s": "♠"}


def card(code: str) -> str:
    """Return a card as people see it."""
    return code[:-1].replace("T", "10") + SUIT_SIGNS[code[-1]]


def cards(codes: Iterable[str]) -> str:
    """Return several cards on a line, in the order given."""
    return " ".join(card(code) for code in codes)


def in_order(codes: Iterable[str]) -> list[str]:
    """Return the codes by suit, then rank."""
    return sorted(codes, key=CARDS.__getitem__)
