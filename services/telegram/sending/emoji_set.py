"""The set of custom emoji: uploads the pictures as a set of the bot's owner, and tries whether the bot may use them."""

import asyncio
from pathlib import Path

from telegram import Bot, InputSticker, StickerSet
from telegram.constants import MessageEntityType, ParseMode, StickerFormat, StickerType
from telegram.error import BadRequest

from services.telegram.custom_emoji import PICTURES, CustomEmoji, Picture

FOLDER = Path(__file__).parents[1] / "emoji"
"""A PNG for each picture, which `make art` writes."""
TITLE = "Locanda"
FIRST = 50
"""The most pictures with which a set can be made (Bot API, createNewStickerSet)."""


async def upload(bot: Bot, owner: int) -> dict[str, str]:
    """Make the set, or complete the one that there is; return the id of each picture by its name.

    Raises `telegram.error.TelegramError`; what was uploaded by then is kept.
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
    """Send the owner a message with a picture and return whether Telegram has left it in."""
    emoji = CustomEmoji()
    emoji.use(ids)
    sent = await bot.send_message(owner, emoji.in_text("7♥ 7♦ 7♣ 7♠"), parse_mode=ParseMode.HTML)
    return any(entity.type == MessageEntityType.CUSTOM_EMOJI for entity in sent.entities)


async def _known(bot: Bot, name: str) -> list[str]:
    """Return the ids of the pictures that a set has; none where it does not exist."""
    try:
        found: StickerSet = await bot.get_sticker_set(name)
    except BadRequest:
        return []
    return [sticker.custom_emoji_id for sticker in found.stickers if sticker.custom_emoji_id is not None]


async def _sticker(picture: Picture) -> InputSticker:
    image = await asyncio.to_thread((FOLDER / f"{picture.name}.png").read_bytes)
    return InputSticker(image, [picture.emoji], StickerFormat.STATIC)
