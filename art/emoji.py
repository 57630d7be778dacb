"""Pictures for custom emoji: a card's index, readable in a line of text (Bot API, InputSticker: 100 × 100)."""

from art import cuccu, french
from art.drawing import jester, path, rendered, use
from art.glyphs import glyph
from art.letters import outline, width
from art.paths import scaled
from art.tiles import palette
from locanda.cards import RANKS, SUITS
from locanda.cards.cuccu import DESIGNS, Design
from locanda.texts.cards import SUIT_NAMES

SIDE = 100
FOUR_COLOURS = {"h": "#c4122f", "d": "#1a5fb4", "c": "#1b7a3d", "s": "#1b1d22"}
"""A colour for each suit: at this size two black suits are hard to tell apart."""
PAPER, EDGE = "#fffdf8", "#b4ab9a"
NUMERAL, WIDEST = 62, 84
"""The font size of a numeral, and its greatest width."""


def pictures() -> dict[str, bytes]:
    """Return the pictures as PNG by name: the codes of the cards, `joker`, and the names of the suits."""
    drawn = {name: _suit(suit) for suit, name in SUIT_NAMES.items()}
    drawn |= {rank + suit: _card(rank, suit) for suit in SUITS for rank in RANKS}
    drawn["joker"] = f"<defs>{jester('_jester')}</defs>{_paper(PAPER)}{use('_jester', 50, 50, 1.3)}"
    drawn |= {design.code: _cuccu(design) for design in DESIGNS}
    return {name: palette(rendered(body, SIDE, SIDE)) for name, body in drawn.items()}


def _paper(colour: str) -> str:
    return f'<rect x="2" y="2" width="96" height="96" rx="16" fill="{colour}" stroke="{EDGE}" stroke-width="2"/>'


def _suit(suit: str) -> str:
    """Return a suit alone, with an edge of paper that keeps it visible on a dark ground."""
    shape = path(scaled(french.SHAPES[suit], 4.4), FOUR_COLOURS[suit])
    return f'<g transform="translate(50 50)" stroke="{PAPER}" stroke-width="5" paint-order="stroke">{shape}</g>'


def _card(rank: str, suit: str) -> str:
    shape = path(scaled(french.SHAPES[suit], 2.1))
    figure = f'<g transform="translate(50 46) scale(1.62)">{path(french.index(rank))}</g>'
    return f'{_paper(PAPER)}<g fill="{FOUR_COLOURS[suit]}">{figure}<g transform="translate(50 73)">{shape}</g></g>'


def _cuccu(design: Design) -> str:
    if not design.figure:
        return _paper(PAPER) + _numeral(design.code)
    figure = cuccu.FIGURES[design.code]
    parts = cuccu.drawings() if figure.picture in cuccu.OWN_DRAWINGS else glyph(figure.picture)
    tint = f'<rect x="2" y="2" width="96" height="96" rx="16" fill="{figure.colour}" fill-opacity=".16"/>'
    return f"<defs>{parts}</defs>{_paper(PAPER)}{tint}{cuccu.picture(figure.picture, 50, 50, 82)}"


def _numeral(code: str) -> str:
    size = min(NUMERAL, NUMERAL * WIDEST / width(code, NUMERAL, cuccu.FONT))
    left = 50 - width(code, size, cuccu.FONT) / 2
    letters = []
    for letter in code:
        advance = width(letter, size, cuccu.FONT)
        letters.append(outline(letter, size, cuccu.FONT, x=left + advance / 2))
        left += advance
    return f'<g transform="translate(0 {50 + size * 0.32:.1f})" fill="#3a2a1c">{path("".join(letters))}</g>'
