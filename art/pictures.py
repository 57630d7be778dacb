"""Pictures of the page for use elsewhere: icons on devices, and previews of links."""

from pathlib import Path

from art import cuccu, french
from art.drawing import rendered
from art.tiles import flat, palette

ICON = Path(__file__).parents[1] / "services" / "web" / "icon.svg"
WOOD, FELT, EDGE = "#5b3a1e", "#17513a", "#0f3a29"
"""Plain colours, as a palette would show a gradient as rings."""
WIDTH, HEIGHT = 1200, 630
"""The usual size of a link's preview."""
CARD, STEP, TURN = 230, 170, 9
"""A card's width, the distance to the next one, and its rotation in degrees."""
COLOURS = 160
FANS = {
    "cards": (french, ("7h", "Qs", "Ad", "Kc", "joker")),
    "cuccu": (cuccu, ("XII", "LEONE", "MATTO", "XV", "V")),
}
"""The cards of each picture by file. The first one is for decks without their own."""


def icons() -> dict[str, bytes]:
    """Return the icons that a device shows, by name."""
    drawing = ICON.read_text(encoding="utf-8").partition(">")[2].removesuffix("</svg>\n").removesuffix("</svg>")
    whole = f'<rect width="32" height="32" fill="#17382b"/><g transform="translate(4 4)scale(.75)">{drawing}</g>'
    return {
        "180": palette(rendered(whole, 32, 32, 180 / 32)),
        "192": palette(rendered(drawing, 32, 32, 6)),
        "512": palette(rendered(drawing, 32, 32, 16)),
        "maskable": palette(rendered(whole, 32, 32, 16)),
    }


def links() -> dict[str, bytes]:
    """Return the previews of links by name: cards on felt, of nobody's hand."""
    return {name: palette(_fan(deck.sprite(), codes), COLOURS) for name, (deck, codes) in FANS.items()}


def _fan(sprite: str, codes: tuple[str, ...]) -> bytes:
    cards = ""
    for place, code in enumerate(codes):
        aside = place - (len(codes) - 1) / 2
        x, y = WIDTH / 2 - CARD / 2 + aside * STEP, 130 + aside**2 * 22
        turn = f"rotate({aside * TURN} {x + CARD / 2} {y + CARD * 1.4})"
        cards += f'<use href="#{code}" x="{x}" y="{y}" width="{CARD}" height="{CARD * 1.4}" transform="{turn}"/>'
    ground = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{WOOD}"/>'
    felt = f'<rect x="18" y="18" width="{WIDTH - 36}" height="{HEIGHT - 36}" rx="44"'
    felt += f' fill="{FELT}" stroke="{EDGE}" stroke-width="8"/>'
    return rendered(f"{flat(sprite)}{ground}{felt}{cards}", WIDTH, HEIGHT)
