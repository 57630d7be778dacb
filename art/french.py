"""The French deck: four suits of thirteen faces, the joker and a back.

A card is the same upside down: the half with the index is drawn once and used twice, and parts across the middle are
drawn over it.
"""

from art.drawing import GOLD, back, circle, frame, jester, path, symbol, use
from art.letters import outline
from art.paths import scaled
from locanda.cards import RANKS, SUITS
from locanda.texts.cards import JOKER, SUIT_NAMES

COLOURS = {"h": "#c4122f", "d": "#c4122f", "c": "#1b1d22", "s": "#1b1d22"}
"""The colour of each suit, unless the page sets another."""
PAPER, STEEL, LEAF = "var(--card-paper,#fffdf8)", "var(--card-steel,#a9b2bd)", "#3f8f4f"
BACK = "var(--card-back,#2a4d7c)"

IDS = {JOKER: "joker"}
"""The ids of cards whose code is not a valid id."""

SHAPES = {
    "h": "M0 9.4C-3.2 5.7-9.6 1.3-9.6-3.9C-9.6-7.3-7.2-9.2-4.9-9.2C-2.6-9.2-.8-7.7 0-5.6C.8-7.7 2.6-9.2 4.9-9.2"
    "C7.2-9.2 9.6-7.3 9.6-3.9C9.6 1.3 3.2 5.7 0 9.4Z",
    "d": "M0-10.4C1.9-6.4 4.9-2.9 8 0C4.9 2.9 1.9 6.4 0 10.4C-1.9 6.4-4.9 2.9-8 0C-4.9-2.9-1.9-6.4 0-10.4Z",
    "c": "M-4.4-5.3a4.4 4.4 0 1 1 8.8 0a4.4 4.4 0 1 1-8.8 0ZM-9.7 1.9a4.5 4.5 0 1 1 9 0a4.5 4.5 0 1 1-9 0Z"
    "M.7 1.9a4.5 4.5 0 1 1 9 0a4.5 4.5 0 1 1-9 0ZM-1.8-3.4H1.8L1.2 2.5C1.3 6.2 2 8.4 4 9.6H-4"
    "C-2 8.4-1.3 6.2-1.2 2.5Z",
    "s": "M0-10C2.6-5.8 9.3-2.2 9.3 2.8C9.3 5.7 7.2 7.2 5.1 7.2C3.2 7.2 1.8 6.2 1 4.7C1.2 7 2 8.7 3.8 9.7H-3.8"
    "C-2 8.7-1.2 7-1 4.7C-1.8 6.2-3.2 7.2-5.1 7.2C-7.2 7.2-9.3 5.7-9.3 2.8C-9.3-2.2-2.6-5.8 0-10Z",
}
"""Each suit's shape, about 20 units wide and high, around (0, 0)."""
PIP_SIZE = 0.76
"""The size of a pip, at which the sprite shares the shapes; the other sizes are multiples of it."""
INDEX_PIP, MIDDLE_PIP, ACE_PIP = 1.12, 1.4, 3.6
INDEX = 32
"""The font size of an index."""
INDEX_X = 15

LEFT, MIDDLE, RIGHT = 38, 50, 62
TOP = 23
PIPS: dict[str, tuple[list[tuple[float, float]], list[tuple[float, float]]]] = {
    "2": ([(MIDDLE, TOP)], []),
    "3": ([(MIDDLE, TOP)], [(MIDDLE, 70)]),
    "4": ([(LEFT, TOP), (RIGHT, TOP)], []),
    "5": ([(LEFT, TOP), (RIGHT, TOP)], [(MIDDLE, 70)]),
    "6": ([(LEFT, TOP), (RIGHT, TOP)], [(LEFT, 70), (RIGHT, 70)]),
    "7": ([(LEFT, TOP), (RIGHT, TOP)], [(LEFT, 70), (RIGHT, 70), (MIDDLE, 46.5)]),
    "8": ([(LEFT, TOP), (RIGHT, TOP), (MIDDLE, 46.5)], [(LEFT, 70), (RIGHT, 70)]),
    "9": ([(LEFT, TOP), (RIGHT, TOP), (LEFT, 54.3), (RIGHT, 54.3)], [(MIDDLE, 70)]),
    "T": ([(LEFT, TOP), (RIGHT, TOP), (LEFT, 54.3), (RIGHT, 54.3), (MIDDLE, 38.7)], []),
}
"""Positions of a rank's pips: those of the upper half, which the lower half repeats, and single ones."""

PANEL = "M35 11H81Q86 11 86 16V72H68V124Q68 129 63 129H19Q14 129 14 124V68H32V14Q32 11 35 11Z"
"""The panel of a court, which leaves room for both indexes."""
CROWN = "M-19 12L-22-10L-10.5 0L0-15L10.5 0L22-10L19 12Z"


def sprite() -> str:
    """Return all cards of the deck as one SVG file."""
    faces = "".join(_face(rank, suit) for suit in SUITS for rank in RANKS)
    return f'<svg xmlns="http://www.w3.org/2000/svg">{_shared()}{faces}{_joker()}{_back()}</svg>\n'


def _shared() -> str:
    suits = "".join(path(scaled(SHAPES[suit], PIP_SIZE), identity=f"_{suit}") for suit in SUITS)
    ranks = "".join(path(index(rank), identity=f"_{rank}") for rank in RANKS)
    panel = f'<g id="_p" stroke="{GOLD}" stroke-width="1.4" fill-opacity=".07">{path(PANEL)}</g>'
    courts = _court("J", _swords()) + _court("Q", _rose()) + _court("K", _crown())
    return f"<defs>{suits}{ranks}{frame('_f', PAPER)}{panel}{_sword()}{courts}{jester('_jester')}</defs>"


def index(rank: str) -> str:
    """Return the path of a rank's index, centred on x = 0 with its baseline at y = 0."""
    if rank == "T":
        return outline("1", INDEX, "bitter", width=0.76, x=-6.4) + outline("0", INDEX, "bitter", width=0.76, x=5)
    return outline(rank, INDEX, "bitter", height={"J": 0.86, "Q": 0.95}.get(rank, 1))


def _sword() -> str:
    blade = path("M-2.6 12V-20L0-25L2.6-20V12Z", STEEL) + path("M0-25L2.6-20V12H0Z", "#0003")
    hilt = path("M-8.5 11H8.5V14.5H2.2V22H-2.2V14.5H-8.5Z", GOLD) + circle(0, 23, 3, GOLD)
    return f'<g id="_sword">{blade}{hilt}</g>'


def _swords() -> str:
    return use("_sword", turn=40) + use("_sword", turn=-40)


def _crown() -> str:
    balls = circle(-22, -12, 3, GOLD) + circle(0, -17.5, 3.4, GOLD) + circle(22, -12, 3, GOLD)
    jewels = path("M-19 13.5H19V18H-19Z") + path("M0-2L4 4L0 10L-4 4Z") + circle(-11, 6.5, 2.4) + circle(11, 6.5, 2.4)
    return path(CROWN, GOLD) + balls + jewels


def _rose() -> str:
    leaf = f'<g id="_leaf">{path("M-4 13L0 22L4 13Z", LEAF)}{circle(0, -11, 8.6)}</g>'
    petal = f'<g fill="#fff" fill-opacity=".42" id="_petal">{circle(0, 6.4, 4.6)}</g>'
    turns = range(72, 360, 72)
    leaves, petals = ("".join(use(part, turn=turn) for turn in turns) for part in ("_leaf", "_petal"))
    return leaf + leaves + petal + petals + circle(0, 0, 4.6, GOLD)


def _court(rank: str, emblem: str) -> str:
    return f'<g id="_{rank}{rank}" transform="translate(59 37)">{emblem}</g>'


def _face(rank: str, suit: str) -> str:
    pip = f"_{suit}"
    upper = use(f"_{rank}", INDEX_X, 30) + use(pip, INDEX_X, 43, INDEX_PIP)
    panel = once = ""
    if rank == "A":
        once = use(pip, 50, 70, ACE_PIP)
    elif rank in "JQK":
        panel = use("_p")
        upper += use(f"_{rank}{rank}")
        once = circle(50, 70, 14, PAPER) + use(pip, 50, 70, MIDDLE_PIP)
    else:
        half, single = PIPS[rank]
        upper += "".join(use(pip, x, y) for x, y in half)
        once = "".join(use(pip, x, y) for x, y in single)
    colour = f"var(--suit-{SUIT_NAMES[suit]},{COLOURS[suit]})"
    return symbol(rank + suit, f'{use("_f")}<g fill="{colour}">{panel}{_twice(rank + suit, upper)}{once}</g>')


def _twice(name: str, half: str) -> str:
    """Return half a card and the same half upside down."""
    return f'<g id="_{name}">{half}</g><use href="#_{name}" transform="rotate(180 50 70)"/>'


def _joker() -> str:
    index = use("_jester", 16.5, 19, 0.42)
    return symbol(IDS[JOKER], use("_f") + _twice("joker", index) + use("_jester", 50, 71, 1.1))


def _back() -> str:
    return symbol("back", use("_f") + back(BACK, "#fff", 10))
