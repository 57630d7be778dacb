"""The Cuccù deck: twenty faces and a back.

Every card has an index at the top left: its numeral, the tens or the five over the ones, or a small picture. The
figures have a medallion and most a ribbon with words; I to X have a landscape in one vignette.
"""

from dataclasses import dataclass

from art.drawing import back, drawn_where_used, frame, jester, path, symbol, use
from art.glyphs import SIZE, glyph
from art.landscapes import glyph_names, landscape
from art.letters import line, width
from locanda.cards.cuccu import DESIGNS, Design

PAPER, INK, BACK = "var(--card-paper,#fdf7e7)", "var(--card-ink,#3a2a1c)", "var(--card-back,#7a2230)"
FONT = "alegreya"


@dataclass(frozen=True)
class Figure:
    """The look of a figure: its glyph or drawing, and its colour; the medallion has a tint of it."""

    picture: str
    colour: str


FIGURES: dict[str, Figure] = {
    "MATTO": Figure("matto", "#7a3f9d"),
    "LEONE": Figure("lion", "#b9791b"),
    "MASCHERONE": Figure("ogre", "#a81f3d"),
    "SECCHIA": Figure("bucket", "#1f67a8"),
    "NULLA": Figure("ring", "#8a6d1f"),
    "XI": Figure("house-with-garden", "#2f7a4d"),
    "XII": Figure("cat", "#b8621b"),
    "XIII": Figure("horse", "#75483a"),
    "XIIII": Figure("bow-and-arrow", "#3f6b33"),
    "XV": Figure("owl", "#4b3b7c"),
}
OWN_DRAWINGS = {"matto", "ring"}
"""The pictures of `FIGURES` that are drawn here instead of being glyphs."""
LINES = {
    "Mascherone manco di secchia": ("Mascherone", "manco di secchia"),
    "Secchia meno di nulla": ("Secchia", "meno di nulla"),
    "Fermatevi alquanto": ("Fermatevi", "alquanto"),
    "Hai pigliato Bragon": ("Hai pigliato", "Bragon"),
}
"""Captions that take two lines of the ribbon."""

MEDALLIONS = {
    (False, 0): (80, 42),
    (False, 1): (71, 38),
    (False, 2): (69, 36),
    (True, 0): (87, 38),
    (True, 1): (79, 33),
    (True, 2): (75, 31),
}
"""Centre and radius of the medallion, by whether there is a numeral and by the ribbon's lines."""

STROKE = "M-1.9 0V-13.5H1.9V0Z"
FIVE = "M-8-13.5H-3.5L0-4.8L3.5-13.5H8L2.2 0H-2.2Z"
TEN = "M-7.8-13.5H-3L0-9.2L3-13.5H7.8L2.6-6.8L7.8 0H3L0-4.4L-3 0H-7.8L-2.6-6.8Z"
TILE = "M4.5 9.5Q4.5 4.5 9.5 4.5H32V37Q32 41 28 41H4.5Z"
SMALL_TILE = "M4.5 9.5Q4.5 4.5 9.5 4.5H32V28Q32 32 28 32H4.5Z"
PLAIN = "#9c7f50"
ARCH = "M14 130V82C14 60 30 48 50 48C70 48 86 60 86 82V130Z"


def sprite() -> str:
    """Return all cards of the deck as one SVG file."""
    cards = "".join(_face(design) for design in DESIGNS)
    return drawn_where_used(f'<svg xmlns="http://www.w3.org/2000/svg">{_shared()}{cards}{_back()}</svg>\n')


def _shared() -> str:
    names = glyph_names() | {figure.picture for figure in FIGURES.values()} - OWN_DRAWINGS
    glyphs = "".join(glyph(name) for name in sorted(names))
    numerals = path(STROKE, identity="_1") + path(FIVE, identity="_5") + path(TEN, identity="_10")
    return f"<defs>{numerals}{_frame()}{_vignette()}{glyphs}{drawings()}</defs>"


def drawings() -> str:
    """Return the pictures that are drawn here, as parts of a sprite."""
    return jester("_jester") + _matto() + _ring()


def _frame() -> str:
    border = '<rect x="4.5" y="4.5" width="91" height="131" rx="5" fill="none" stroke="#9c7f50" stroke-width=".9"/>'
    return f'<g id="_f">{frame("_paper", PAPER)}{border}</g>'


def _vignette() -> str:
    """Return the vignette: paper around an arch, which covers parts outside it, and the arch's edge."""
    around = f'<path d="M6 42H94V134H6Z{ARCH}" fill="{PAPER}" fill-rule="evenodd"/>'
    return f'<g id="_v">{around}<path d="{ARCH}" fill="none" stroke="#6d5330" stroke-width="1.6"/></g>'


def _matto() -> str:
    """Return the Fool: a jester with a stick that ends in a head like their own."""
    stick = path("M17 27L19.6 28L27.4-5L25-6Z", "#8a5a2b")
    return f'<g id="_matto">{stick}{use("_jester", 25, -10, 0.42, 16)}{use("_jester", -6, 3, 0.86)}</g>'


def _ring() -> str:
    return (
        '<g id="_ring" fill="none"><circle r="25" stroke="#a67c12" stroke-width="11"/>'
        '<circle r="25" stroke="#f2c230" stroke-width="8.4"/><circle r="27" stroke="#f9de79" stroke-width="1.6"/></g>'
    )


def _face(design: Design) -> str:
    if not design.figure:
        return symbol(design.code, use("_f") + landscape(design.code) + use("_v") + _numeral(design.code, PLAIN))
    figure = FIGURES[design.code]
    index = _numeral(design.code, figure.colour) if design.numeral else _small(figure)
    return symbol(design.code, use("_f") + _figure(design) + index)


def _numeral(code: str, colour: str) -> str:
    """Return the numeral at the head of a card, and its index: X or V above the rest."""
    head = code[0] if code[0] in "XV" and len(code) > 1 else ""
    rows = [head, code[len(head) :]] if head else [code]
    tile = path(TILE if head else SMALL_TILE, colour, opacity=0.2)
    index = "".join(_row(row, 17.8, (21 if head else 24.8) + 16 * place) for place, row in enumerate(rows))
    size = min(28, 28 * 54 / width(code, 28, FONT))
    return f'{tile}<g fill="{INK}">{index}{line(code, size, FONT, 63.5, 34)}</g>'


def _row(row: str, x: float, y: float) -> str:
    if row in {"V", "X"}:
        return use("_5" if row == "V" else "_10", x, y)
    left = x - (len(row) - 1) * 3
    return "".join(use("_1", left + 6 * place, y) for place in range(len(row)))


def _figure(design: Design) -> str:
    """Return a figure: its picture in a medallion, and below it the ribbon."""
    figure, lines = FIGURES[design.code], _lines(design)
    middle, radius = MEDALLIONS[design.numeral is not None, len(lines)]
    medallion = (
        f'<circle cx="50" cy="{middle}" r="{radius}" fill="{figure.colour}" fill-opacity=".16" '
        f'stroke="{figure.colour}" stroke-width="1.2"/>'
    )
    words = f'<g fill="{INK}">{line("Nulla", 14, FONT, 50, middle + 4.2)}</g>' if figure.picture == "ring" else ""
    return medallion + picture(figure.picture, 50, middle, radius * 1.5) + words + _ribbon(lines, figure.colour)


def _lines(design: Design) -> tuple[str, ...]:
    """Return the lines of a card's ribbon. Nulla has its word in the ring."""
    if design.caption is None or design.code == "NULLA":
        return ()
    return LINES.get(design.caption, (design.caption,))


def _small(figure: Figure) -> str:
    """Return the index of a card without a numeral: its picture in the corner, on a tile of its colour."""
    tile = path(SMALL_TILE, figure.colour, opacity=0.2)
    return tile + (
        use("_jester", 18.2, 18.2, 0.4) if figure.picture == "matto" else picture(figure.picture, 18.2, 18.2, 24)
    )


def picture(name: str, x: float, y: float, size: float) -> str:
    """Return a picture of a size around a point."""
    if name in OWN_DRAWINGS:
        return use(f"_{name}", x, y, size / 64)
    scale = size / SIZE
    return use(f"_{name}", x - size / 2, y - size / 2, scale)


def _ribbon(lines: tuple[str, ...], colour: str) -> str:
    """Return the ribbon at the foot of a card, with its words."""
    if not lines:
        return ""
    top, size, first = (110, 10.2, 118.6) if len(lines) == 2 else (115, 14, 127.3)
    notch = (top + 138) / 2
    tails = path(f"M6 {top + 4}H20V134H6L10 {notch}ZM94 {top + 4}H80V134H94L90 {notch}Z", colour)
    band = f'<path d="M11 {top}H89V131H11Z" fill="{colour}" stroke="{PAPER}" stroke-width=".8"/>'
    words = "".join(line(text, size, FONT, 50, first + 9.6 * index) for index, text in enumerate(lines))
    return f'{tails}{band}<g fill="#fff">{words}</g>'


def _back() -> str:
    medal = f'<circle cx="50" cy="70" r="23" fill="{BACK}" stroke="#f3d9a0" stroke-width="1.5"/>'
    return symbol("back", use("_paper") + back(BACK, "#f3d9a0", 20) + medal + picture("owl", 50, 69, 34))
