"""Custom emoji: pictures of cards in texts and on buttons (Bot API 9.4; the bot's owner needs Telegram Premium).

In a text the sign of a suit or a figure becomes a picture; where that cannot be shown the sign is, so that a line says
the same. A button has the picture of its whole card beside its label.
"""

import re
from collections.abc import Mapping

from msgspec import Struct, structs

from locanda.cards import CODES as FRENCH_CODES
from locanda.cuccu import DESIGNS
from locanda.texts.cards import JOKER, JOKER_SIGN, SUIT_NAMES, SUIT_SIGNS
from services.telegram.screens.screen import Button, Screen

COLOURED = "\ufe0f"
"""After a sign of text it makes an emoji of it (Unicode, variation selector 16): custom emoji stand for emoji alone."""
NUMERAL_SIGN = "🎴"
"""What stands for a card of the Cuccù that has no figure."""
SUIT_PICTURES = {SUIT_SIGNS[suit]: name for suit, name in SUIT_NAMES.items()}


class Picture(Struct, frozen=True):
    """A picture of the set."""

    name: str
    """Its file in `emoji/`: the name of a suit, `joker`, or the code of a card."""
    emoji: str
    """The emoji for which it stands."""


PICTURES: tuple[Picture, ...] = (
    *(Picture(name, sign + COLOURED) for sign, name in SUIT_PICTURES.items()),
    *(Picture(code, SUIT_SIGNS[code[-1]] + COLOURED) for code in FRENCH_CODES),
    Picture("joker", JOKER_SIGN),
    *(Picture(design.code, design.symbol if design.figure else NUMERAL_SIGN) for design in DESIGNS),
)
"""The pictures in the order in which the set has them: Telegram tells no other name of theirs."""

SIGNS: dict[str, str] = {design.symbol: design.code for design in DESIGNS if design.figure} | {
    JOKER_SIGN: "joker",
    **SUIT_PICTURES,
}
"""The picture of each sign that texts have."""
_CODE_TAG_OR_SIGN = re.compile(f"<code>.*?</code>|<[^>]*>|({'|'.join(map(re.escape, SIGNS))}){COLOURED}?", re.DOTALL)


class CustomEmoji:
    """The pictures that the bot may use; none at first."""

    def __init__(self) -> None:
        self._ids: Mapping[str, str] = {}

    def use(self, ids: Mapping[str, str]) -> None:
        """Use the pictures of these ids, by their names; none for no ids."""
        self._ids = ids

    def drawn(self, screen: Screen) -> Screen:
        """Return a screen with the pictures in its text and on its buttons."""
        if not self._ids:
            return screen
        rows = tuple(tuple(self._on_button(button) for button in row) for row in screen.rows)
        return structs.replace(screen, text=self.in_text(screen.text), rows=rows)

    def in_text(self, html: str) -> str:
        """Return a text in Telegram's HTML with pictures in the place of signs (Bot API, HTML style)."""
        return _CODE_TAG_OR_SIGN.sub(self._pictured, html)

    def _pictured(self, found: re.Match[str]) -> str:
        identity = self._ids.get(SIGNS.get(found[1], ""))
        if identity is None:
            return found[0]
        emoji = found[1] + COLOURED if found[1] in SUIT_PICTURES else found[1]
        return f'<tg-emoji emoji-id="{identity}">{emoji}</tg-emoji>'

    def _on_button(self, button: Button) -> Button:
        identity = self._ids.get("joker" if button.card == JOKER else button.card or "")
        return button if identity is None else structs.replace(button, emoji=identity)
