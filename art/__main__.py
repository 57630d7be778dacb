"""Writes the sprites of the decks, the bot's tiles and custom emoji, and pages to look at them: python -m art."""

from pathlib import Path

from art import cuccu, emoji, faces, french, italian, pictures, preview, tiles
from art.excerpt import excerpt
from locanda.cards import CODES as FRENCH_CODES
from locanda.cards.cuccu import CODES as CUCCU_CODES

ROOT = Path(__file__).parents[1]
SPRITES = ROOT / "services" / "web" / "art"
TILES = ROOT / "services" / "telegram" / "tiles"
ROOTED = ROOT / "services" / "web" / "root"
EMOJI = ROOT / "services" / "telegram" / "emoji"
PREVIEWS = ROOT / "var" / "art"


def main() -> None:
    """Write all files of the generator."""
    PREVIEWS.mkdir(parents=True, exist_ok=True)
    for deck in (french, italian, cuccu):
        name = deck.__name__.removeprefix("art.")
        (SPRITES / f"{name}.svg").write_text(deck.sprite(), encoding="utf-8")
        (PREVIEWS / f"{name}.html").write_text(preview.page(deck.sprite()), encoding="utf-8")
    (SPRITES / "faces.svg").write_text(faces.sprite(), encoding="utf-8")
    (SPRITES / "cuccu-fan.svg").write_text(fan(), encoding="utf-8")
    for folder, images in (
        (TILES, all_tiles()),
        (EMOJI, emoji.pictures()),
        (ROOTED / "icons", pictures.icons()),
        (ROOTED / "social", pictures.links()),
    ):
        for name, image in images.items():
            (folder / f"{name}.png").write_bytes(image)


def fan() -> str:
    """Return the Cuccù cards for the lobby, as the whole deck is too large for it."""
    return excerpt(cuccu.sprite(), {"XII", "LEONE", "MATTO", "SECCHIA", "V"})


def all_tiles() -> dict[str, bytes]:
    """Return the bot's tiles by the ids of the cards, with only one back."""
    return tiles.tiles(french.sprite(), [*FRENCH_CODES, "joker", "back"]) | tiles.tiles(cuccu.sprite(), [*CUCCU_CODES])


if __name__ == "__main__":
    main()
