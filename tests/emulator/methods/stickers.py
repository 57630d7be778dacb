"""createNewStickerSet, addStickerToSet and getStickerSet, only for static custom emoji."""

from __future__ import annotations

import struct

from tests.emulator.refusals import bad_request
from tests.emulator.state import JSON
from tests.emulator.world import World

MOST_AT_FIRST, MOST = 50, 200
SIDE = 100
PNG = b"\x89PNG\r\n\x1a\n"
FIRST_ID = 5_300_000_000_000_000_001


def create_new_sticker_set(world: World, params: JSON) -> bool:
    """Creates a set owned by a person who has started the bot."""
    name = str(params["name"])
    _check_owner(world, params)
    if params.get("sticker_type") != "custom_emoji":
        raise bad_request("the emulator knows custom emoji alone")
    if not name.lower().endswith(f"_by_{world.bot.username}".lower()):
        raise bad_request("invalid sticker set name is specified")
    if name in world.sticker_sets:
        raise bad_request("sticker set name is already occupied")
    if not 1 <= len(params["stickers"]) <= MOST_AT_FIRST:
        raise bad_request("STICKERS_EMPTY")
    made = [_sticker(world, name, sticker, number) for number, sticker in enumerate(params["stickers"])]
    world.sticker_sets[name] = made
    return True


def add_sticker_to_set(world: World, params: JSON) -> bool:
    """Adds a sticker at the end of a set."""
    _check_owner(world, params)
    stickers = _set(world, str(params["name"]))
    if len(stickers) >= MOST:
        raise bad_request("STICKERS_TOO_MUCH")
    stickers.append(_sticker(world, str(params["name"]), params["sticker"], len(stickers)))
    return True


def get_sticker_set(world: World, params: JSON) -> JSON:
    """Returns a set with its stickers in order."""
    name = str(params["name"])
    stickers = _set(world, name)
    return {"name": name, "title": name, "sticker_type": "custom_emoji", "stickers": stickers}


def _check_owner(world: World, params: JSON) -> None:
    if params["user_id"] not in world.users:
        raise bad_request("PEER_ID_INVALID")


def _set(world: World, name: str) -> list[JSON]:
    if name not in world.sticker_sets:
        raise bad_request("STICKERSET_INVALID")
    return world.sticker_sets[name]


def _sticker(world: World, name: str, sticker: JSON, number: int) -> JSON:
    image = world.uploads.get(str(sticker["sticker"]), b"")
    if sticker.get("format") != "static" or not image.startswith(PNG):
        raise bad_request("STICKER_PNG_NOPNG")
    if struct.unpack(">II", image[16:24]) != (SIDE, SIDE):
        raise bad_request("STICKER_PNG_DIMENSIONS")
    if not sticker.get("emoji_list"):
        raise bad_request("STICKER_EMOJI_INVALID")
    return {
        "file_id": f"sticker{number}of{name}",
        "file_unique_id": f"unique{number}of{name}",
        "type": "custom_emoji",
        "width": SIDE,
        "height": SIDE,
        "is_animated": False,
        "is_video": False,
        "emoji": sticker["emoji_list"][0],
        "set_name": name,
        "custom_emoji_id": str(FIRST_ID + number),
    }
