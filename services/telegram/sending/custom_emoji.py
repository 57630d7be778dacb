"""Custom emoji: pictures of cards in texts and on buttons (Bot API 9.4; the bot's owner needs Telegram Premium).

In a text, a picture replaces the sign of a suit or figure. Apps that cannot show the picture show the sign. A button
has the picture of its whole card beside its label. The pictures are uploaded as a sticker set of the bot's owner.
"""

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, structs
from telegram import Bot, InputSticker, StickerSet
from telegram.constants import MessageEntityType, ParseMode, StickerFormat, StickerType
from telegram.error import BadRequest

from locanda.cards import CODES as FRENCH_CODES
from locanda.cards.cuccu import DESIGNS
from locanda.texts.cards import JOKER, JOKER_SIGN, SUIT_NAMES, SUIT_SIGNS
from services.telegram.screens.screen import Button, Screen

FOLDER = Path(__file__).parents[1] / "emoji"
"""Folder with a PNG for each picture, written by `make art`."""
TITLE = "Locanda"
FIRST = 50
"""Maximum number of pictures in a new set (Bot API, createNewStickerSet); more can be added."""
COLOURED = "\ufe0f"
"""Variation selector 16 (Unicode): turns a text sign into an emoji, as only emoji can be replaced by custom emoji."""
NUMERAL_SIGN = "🎴"
"""Emoji of Cuccù cards without a figure."""
SUIT_PICTURES = {SUIT_SIGNS[suit]: name for suit, name in SUIT_NAMES.items()}


class Picture(Struct, frozen=True):
    """A picture of the sticker set."""

    name: str
    """Name of the picture's file in `emoji/`: a suit's name, `joker`, or a card's code."""
    emoji: str


PICTURES: tuple[Picture, ...] = (
    *(Picture(name, sign + COLOURED) for sign, name in SUIT_PICTURES.items()),
    *(Picture(code, SUIT_SIGNS[code[-1]] + COLOURED) for code in FRENCH_CODES),
    Picture("joker", JOKER_SIGN),
    *(Picture(design.code, design.symbol if design.figure else NUMERAL_SIGN) for design in DESIGNS),
)
"""All pictures in the order of the sticker set, which identifies them: Telegram stores no names."""

SIGNS: dict[str, str] = {design.symbol: design.code for design in DESIGNS if design.figure} | {
    JOKER_SIGN: "joker",
    **SUIT_PICTURES,
}
"""The picture's name for each sign in texts."""
_CODE_TAG_OR_SIGN = re.compile(f"<code>.*?</code>|<[^>]*>|({'|'.join(map(re.escape, SIGNS))}){COLOURED}?", re.DOTALL)


class CustomEmoji:
    """Replaces signs by the pictures that the bot may use; there are none at first."""

    def __init__(self) -> None:
        self._ids: Mapping[str, str] = {}

    def use(self, ids: Mapping[str, str]) -> None:
        """Use these pictures: ids by picture name. No ids turn pictures off."""
        self._ids = ids

    def drawn(self, screen: Screen) -> Screen:
        """Return the screen with pictures in its text and on its buttons."""
        if not self._ids:
            return screen
        rows = tuple(tuple(self._on_button(button) for button in row) for row in screen.rows)
        return structs.replace(screen, text=self.in_text(screen.text), rows=rows)

    def in_text(self, html: str) -> str:
        """Return a text in Telegram's HTML with pictures instead of signs (Bot API, HTML style)."""
        return _CODE_TAG_OR_SIGN.sub(self._pictured, html)

    def _pictured(self, match: re.Match[str]) -> str:
        identity = self._ids.get(SIGNS.get(match[1], ""))
        if identity is None:
            return match[0]
        emoji = match[1] + COLOURED if match[1] in SUIT_PICTURES else match[1]
        return f'<tg-emoji emoji-id="{identity}">{emoji}</tg-emoji>'

    def _on_button(self, button: Button) -> Button:
        identity = self._ids.get("joker" if button.card == JOKER else button.card or "")
        return button if identity is None else structs.replace(button, emoji=identity)


# --- the sticker set of the bot's owner


async def upload(bot: Bot, owner: int) -> dict[str, str]:
    """Create or complete the sticker set; return the id of each picture by name.

    Raises `telegram.error.TelegramError`. Pictures uploaded before an error stay in the set.
    """
    name = f"locanda_cards_by_{bot.username}"
    known = await _known(bot, name)
    if not known:
        first = [await _sticker(picture) for picture in PICTURES[:FIRST]]
        await bot.create_new_sticker_set(owner, name, TITLE, first, StickerType.CUSTOM_EMOJI)
        known = await _known(bot, name)
    for picture in PICTURES[len(known) :]:
        await bot.add_sticker_to_set(owner, name, await _sticker(picture))
    return {picture.name: identity for picture, identity in zip(PICTURES, await _known(bot, name), strict=True)}


async def may_use(bot: Bot, owner: int, ids: dict[str, str]) -> bool:
    """Return whether the bot may use the pictures: send the owner a message, and check whether Telegram keeps them."""
    emoji = CustomEmoji()
    emoji.use(ids)
    sent = await bot.send_message(owner, emoji.in_text("7♥ 7♦ 7♣ 7♠"), parse_mode=ParseMode.HTML)
    return any(entity.type == MessageEntityType.CUSTOM_EMOJI for entity in sent.entities)


async def _known(bot: Bot, name: str) -> list[str]:
    """Return the ids of the pictures in a set; empty if it does not exist."""
    try:
        sticker_set: StickerSet = await bot.get_sticker_set(name)
    except BadRequest:
        return []
    return [sticker.custom_emoji_id for sticker in sticker_set.stickers if sticker.custom_emoji_id is not None]


async def _sticker(picture: Picture) -> InputSticker:
    image = await asyncio.to_thread((FOLDER / f"{picture.name}.png").read_bytes)
    return InputSticker(image, [picture.emoji], StickerFormat.STATIC)
