"""Cards as people type them: ``7h``, ``10♠``, ``qd jc``, ``*``; ``VII``, ``leone``."""

import re

from shared.cards import CARDS
from shared.cuccu import CODES, DESIGNS
from shared.words.cards import JOKER, JOKER_SIGN, SUIT_SIGNS

FRENCH = re.compile(rf"(10|[a2-9tjqk])([hdcs{''.join(SUIT_SIGNS.values())}])|[*{JOKER_SIGN}]", re.IGNORECASE)
BETWEEN = re.compile(r"[\s,;\ufe0e\ufe0f]+")
SUITS = {sign: code for code, sign in SUIT_SIGNS.items()}
NAMES = {name.casefold(): each.code for each in DESIGNS for name in (each.code, each.name_it, each.name_en)}


def french(text: str) -> list[str] | None:
    """Return the French cards and jokers that a text names, which need no space between them."""
    together = BETWEEN.sub("", text)
    found = list(FRENCH.finditer(together))
    if not found or sum(len(each[0]) for each in found) != len(together):
        return None
    return [_french(each) for each in found]


def _french(found: re.Match[str]) -> str:
    if found[1] is None:
        return JOKER
    code = found[1].upper().replace("10", "T") + SUITS.get(found[2], found[2].lower())
    return code if code in CARDS else JOKER


def cuccu(text: str) -> list[str] | None:
    """Return the cards of the Cuccù that a text names, by numeral or by name in either language."""
    parts = [part for part in BETWEEN.split(text.casefold()) if part]
    found = [NAMES[part] for part in parts if part in NAMES]
    return sorted(found, key=CODES.index) if parts and len(found) == len(parts) else None
