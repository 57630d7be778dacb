"""The Italian deck: cups, coins, swords and batons, each of seven faces and three courts, and a back.

Pips are upright, as on the cards of Naples, to the right of the index that identifies a card in a fan.
"""

from art.drawing import GOLD, back, circle, frame, path, symbol, use
from art.french import CROWN, index
from locanda.cards import ITALIAN_RANKS

PAPER, STEEL, SKIN, DARK = "var(--card-paper,#fffdf8)", "var(--card-steel,#8fa3bb)", "#f3c9a2", "#3a2415"
BACK = "var(--card-back,#1f5f52)"
COLOURS = {"h": "#b8142b", "d": "#a86a00", "s": "#1d4f94", "c": "#2c6e36"}
"""Cups, coins, swords and batons, by the codes that they share with French suits."""
INDEX_X = 15
LETTERS = {
    "J": "M-7.5 0V-3H-5.5V-19H-7.5V-22H7.8V-15H4.9L4.2-18.6H-1V-12.8H4.2V-9.2H-1V-3H1.6V0Z",
    "Q": "M7-21.5V-14.4H4.2C3.4-17.4 1.7-18.9-.6-18.9C-3.9-18.9-5.6-16-5.6-11C-5.6-6-3.9-3.1-.4-3.1"
    "C2-3.1 3.8-4.6 4.9-7.4L7.9-6.2C6.4-2 3.5.4-.6.4C-6.6.4-10.2-4-10.2-11C-10.2-18-6.6-22.4-.8-22.4"
    "C1.4-22.4 3.2-21.8 4.5-20.4L4.9-21.5Z",
    "K": "M-8.5 0V-3H-6.5V-19H-8.5V-22H1.5C9.6-22 9.4-11.4 3.9-9.9L7.2-3H9V0H4.2L-.4-9.4H-2V-3H.4V0Z"
    "M-2-12.6H1C5-12.6 5-18.8 1-18.8H-2Z",
}
"""Fante, cavallo and re: F, C and R."""

PANEL = "M36 10H87Q92 10 92 15V125Q92 130 87 130H33Q28 130 28 125V54H31V15Q31 10 36 10Z"
"""The panel of a court, which leaves room for the index."""
LEFT, MIDDLE, RIGHT = 43, 58, 73
PIPS: dict[str, tuple[float, list[tuple[float, float]]]] = {
    "A": (3.4, [(MIDDLE, 70)]),
    "2": (2.1, [(MIDDLE, 41), (MIDDLE, 99)]),
    "3": (1.75, [(MIDDLE, 30), (MIDDLE, 70), (MIDDLE, 110)]),
    "4": (1.5, [(LEFT, 43), (RIGHT, 43), (LEFT, 97), (RIGHT, 97)]),
    "5": (1.4, [(LEFT, 34), (RIGHT, 34), (MIDDLE, 70), (LEFT, 106), (RIGHT, 106)]),
    "6": (1.4, [(x, y) for y in (32, 70, 108) for x in (LEFT, RIGHT)]),
    "7": (1.15, [*((x, y) for y in (26, 74, 114) for x in (LEFT, RIGHT)), (MIDDLE, 50)]),
}
"""Size and positions of the pips of each rank."""


def sprite() -> str:
    """Return all cards of the deck as one SVG file."""
    faces = "".join(_face(rank, suit) for suit in COLOURS for rank in ITALIAN_RANKS)
    return f'<svg xmlns="http://www.w3.org/2000/svg"><defs>{_shared()}</defs>{faces}{_back()}</svg>\n'


def _shared() -> str:
    ranks = "".join(path(LETTERS.get(rank) or index(rank), identity=f"_{rank}") for rank in ITALIAN_RANKS)
    panel = f'<g id="_p" stroke="{GOLD}" stroke-width="1.4" fill-opacity=".09">{path(PANEL)}</g>'
    suits = {"h": _cup(), "d": _coin(), "s": _sword(), "c": _baton()}
    courts = {"J": _knave(), "Q": _horse(), "K": _king()}
    coloured = "".join(f'<g id="_{suit}" fill="{COLOURS[suit]}">{drawn}</g>' for suit, drawn in suits.items())
    plain = "".join(f'<g id="_{rank}{rank}">{drawn}</g>' for rank, drawn in courts.items())
    return ranks + frame("_f", PAPER) + panel + coloured + plain


# --- the suits, about 20 units high, around (0, 0)


def _cup() -> str:
    bowl = path(
        "M-7.6-9.6H7.6C8-2 4.6 2 1.5 2.9V5.8C4 6.2 5.8 7.6 6.2 9.8H-6.2C-5.8 7.6-4 6.2-1.5 5.8V2.9C-4.6 2-8-2-7.6-9.6Z"
    )
    return bowl + path("M-7.5-7H7.5L7-4.4H-7Z", GOLD) + circle(0, 3.4, 2, GOLD)


def _coin() -> str:
    star = path("M0-5.6L1.5-1.5L5.6 0L1.5 1.5L0 5.6L-1.5 1.5L-5.6 0L-1.5-1.5Z", "#b3202c")
    turned = f'<g transform="rotate(45)scale(.72)">{star}</g>'
    return (
        circle(0, 0, 9.6)
        + circle(0, 0, 8.4, GOLD)
        + circle(0, 0, 6.6, "#f6dc8c")
        + turned
        + star
        + circle(0, 0, 1.3, GOLD)
    )


def _sword() -> str:
    blade = path("M-2.5 4V-7.2L0-10.6L2.5-7.2V4Z", STEEL) + path("M0-10.6L2.5-7.2V4H0Z")
    return blade + path("M-6.6 3.2H6.6V5.4H1.5V8.2H-1.5V5.4H-6.6Z", GOLD) + circle(0, 9, 1.7)


def _baton() -> str:
    wood = path("M-1.7 10.2L-3.7-6C-4.2-9.6-2-10.6 0-10.6C2-10.6 4.2-9.6 3.7-6L1.7 10.2Z", "#8d5b2c")
    leaves = path("M2.4-.6C3.4-5 7-7 10-6C10.6-2.6 7 1 2.2 1.4ZM-2.2 5.2C-3.4 1-7-1-10 0C-10.4 3.4-7 6.8-2 7Z")
    return leaves + wood + path("M-3.8-7.4H3.8L3.6-5.2H-3.6Z", GOLD)


# --- the courts, from the crown to the shoulders, around (0, 0)


def _shoulders() -> str:
    robe = path("M-31 45C-31 27-20 19 0 19C20 19 31 27 31 45Z")
    return robe + path("M-11 19.5L0 31L11 19.5L15 21.5L0 37L-15 21.5Z", GOLD)


def _head(hair: str, colour: str) -> str:
    eyes = circle(-4.8, -3, 1.5, DARK) + circle(4.8, -3, 1.5, DARK)
    nose = path("M0-2L1.8 3.4H-1.8Z", "#d99f78")
    return path("M-4 8H4V23H-4Z", SKIN) + circle(0, -1, 13, SKIN) + path(hair, colour) + eyes + nose


def _king() -> str:
    beard = "M-13-3C-14 14-7 25 0 25C7 25 14 14 13-3C10.5 3.4 6 5.6 0 5.6C-6 5.6-10.5 3.4-13-3Z"
    mouth = path("M-3.4 9H3.4L0 11.4Z", "#b3202c")
    crown = (
        path(CROWN, GOLD) + path("M-19 13.5H19V17H-19Z", DARK) + circle(0, -17.5, 3.4, GOLD) + circle(-22, -12, 3, GOLD)
    )
    jewels = circle(22, -12, 3, GOLD) + path("M0-2L4 4L0 10L-4 4Z")
    return (
        _shoulders() + _head(beard, "#8c6b46") + mouth + f'<g transform="translate(0-24)scale(.74)">{crown}{jewels}</g>'
    )


def _knave() -> str:
    hair = "M-13-4C-17 4-15 13-12 16L-8 13C-10 6-9-2-4-8H4C9-2 10 6 8 13L12 16C15 13 17 4 13-4L0-15Z"
    cap = path("M-17-7C-19-19-8-25 1-24C12-23 18-16 16-7C6-11-7-11-17-7Z") + path(
        "M-17-7C-7-11 6-11 16-7L15.4-3.6C6-7-7-7-16.4-3.6Z", GOLD
    )
    feather = path("M6-20C12-34 24-34 29-28C22-28 17-22 11-16Z", "#fff7e0") + path(
        "M6-20C14-27 20-29 27-28L11-16Z", "#d9c9a0"
    )
    return _shoulders() + _head(hair, "#6b3f1d") + path("M-3 7.4C-1 9 1 9 3 7.4L2 10H-2Z", "#b3202c") + feather + cap


def _horse() -> str:
    mane = path("M3-20C24-16 36 12 33 45H22C24 20 18 2 6-8Z", DARK)
    head = path(
        "M27 45C28 20 22 2 10-7L12-22L2-14C-9-12-17-2-23 9C-26 14-29 18-28 22C-27 26-22 27-18 25L-7 19"
        "C-3 24-7 34-14 45Z",
        "#b88352",
    )
    bridle = path("M-22 8L-13 22.4L-9.6 20.2L-18.6 4ZM-2-13L7 21L10.6 20L2-14ZM-16 12L5 6L5.8 9L-15 15Z")
    return head + mane + circle(-6, -2, 2, DARK) + circle(-24, 20, 1.3, DARK) + bridle + circle(-13, 13.4, 2.4, GOLD)


# --- the cards


def _face(rank: str, suit: str) -> str:
    corner = use(f"_{rank}", INDEX_X, 30) + use(f"_{suit}", INDEX_X, 45, 1.1)
    if rank in LETTERS:
        middle = use("_p") + use(f"_{rank}{rank}", 60, 85) + use(f"_{suit}", 79, 26, 1.3)
    else:
        size, places = PIPS[rank]
        middle = "".join(use(f"_{suit}", x, y, size) for x, y in places)
    return symbol(rank + suit, f'{use("_f")}<g fill="{COLOURS[suit]}">{middle}{corner}</g>')


def _back() -> str:
    return symbol("back", use("_f") + back(BACK, "#fff", 10))
