"""Faces at a table: ten people (the most at a table) and a computer. A circle has 100 units."""

from art.drawing import circle, path

SKINS = ("#f6cfa8", "#e2a878", "#b9774a", "#7e4a2d")
HAIRS = ("#2b211d", "#6d3f22", "#b5672b", "#e2b65c", "#c9c4be")
GROUNDS = ("#c8553d", "#2f6f8f", "#588157", "#8d5a97", "#d49a3a", "#3d5a80", "#a23e48", "#4f7c74")
CLOTHES = ("#f2e8cf", "#283d3b", "#e9c46a", "#7d1d3f")
INK = "#2b1d16"

SHORT = "M26 50C24 22 40 15 50 15C60 15 76 22 74 50C71 38 66 33 58 31C50 35 36 34 33 34C29 38 28 44 26 50Z"
CURLS = (
    "M24 52C14 46 18 32 26 30C26 18 40 12 50 16C62 10 76 20 75 31C84 34 85 47 76 52C76 42 70 34 62 33"
    "C50 36 36 35 31 36C27 41 25 46 24 52Z"
)
BOB = (
    "M21 68C16 30 30 13 50 13C70 13 84 30 79 68C76 72 70 71 69 66C72 52 71 40 62 33C50 38 38 37 31 38"
    "C28 46 29 58 31 66C30 71 24 72 21 68Z"
)
LONG = (
    "M18 86C14 40 24 12 50 12C76 12 86 40 82 86C76 90 70 88 69 82C73 62 72 44 61 33C51 39 39 38 31 39"
    "C27 50 28 68 31 82C30 88 24 90 18 86Z"
)
BUN = "M41 12A10 9 0 1 1 59 12C71 16 76 30 74 48C70 38 64 32 50 31C36 32 30 38 26 48C24 30 29 16 41 12Z"
BALD = "M26 52C22 44 24 38 27 37C28 42 28 46 30 50ZM74 52C78 44 76 38 73 37C72 42 72 46 70 50Z"
CAP = "M24 38C24 20 38 13 50 13C62 13 76 20 76 38L86 41C86 45 82 46 78 45C60 39 40 39 24 42Z"
SCARF = (
    "M20 60C14 26 32 11 50 11C68 11 86 26 80 60C78 80 70 88 50 90C30 88 22 80 20 60ZM30 52"
    "C30 70 38 78 50 78C62 78 70 70 70 52C70 36 62 31 50 31C38 31 30 36 30 52Z"
)
STYLES = (SHORT, BOB, CURLS, LONG, BALD, BUN, CAP, SCARF)

MOUSTACHE = "M36 64C40 58 47 59 50 61C53 59 60 58 64 64C58 68 53 65 50 65C47 65 42 68 36 64Z"
BEARD = "M28 54C29 78 40 86 50 86C60 86 71 78 72 54C68 62 62 61 50 61C38 61 32 62 28 54Z"
GLASSES = "M30 50A8 8 0 1 0 46 50A8 8 0 1 0 30 50M54 50A8 8 0 1 0 70 50A8 8 0 1 0 54 50M46 49Q50 46 54 49"
EXTRAS = (MOUSTACHE, "", "", GLASSES, BEARD, "earrings", "", GLASSES, MOUSTACHE, "earrings")
PEOPLE = len(EXTRAS)


def sprite() -> str:
    """Return the faces as symbols `p0` to `p9`, and `computer`."""
    shared = (
        f'<g id="_f">{circle(42, 51, 2.8, INK)}{circle(58, 51, 2.8, INK)}'
        f'<path d="M42 67Q50 74 58 67" fill="none" stroke="{INK}" stroke-width="2.6" stroke-linecap="round"/></g>'
    )
    symbols = "".join(_symbol(f"p{number}", person(number)) for number in range(PEOPLE))
    symbols += _symbol("computer", computer())
    return f'<svg xmlns="http://www.w3.org/2000/svg"><defs>{shared}</defs>{symbols}</svg>\n'


def _symbol(identity: str, body: str) -> str:
    return f'<symbol id="{identity}" viewBox="0 0 100 100">{body}</symbol>'


def person(number: int) -> str:
    """Return one of the people."""
    skin, hair = SKINS[(number * 3 + number // 4) % 4], HAIRS[(number * 2 + number // 5) % 5]
    style, extra = STYLES[number % 8], EXTRAS[number]
    cloth = CLOTHES[(number + number // 8) % 4]
    colour = cloth if style in (CAP, SCARF) else hair
    behind, before = (path(style, colour), "") if style == LONG else ("", path(style, colour))
    return "".join(
        (
            circle(50, 50, 50, GROUNDS[(number * 5 + number // 8) % 8]),
            behind,
            path("M12 100C14 84 30 80 40 78V66H60V78C70 80 86 84 88 100Z", cloth),
            path("M40 64H60V78Q50 88 40 78Z", skin),
            f'<ellipse cx="50" cy="50" rx="24" ry="28" fill="{skin}"/>',
            _beneath(extra, hair),
            '<use href="#_f"/>',
            path("M27 48C26 20 74 20 73 48C70 38 62 33 50 33C38 33 30 38 27 48Z", hair) if style == LONG else before,
            _above(extra, hair),
        )
    )


def _beneath(extra: str, hair: str) -> str:
    """Return a beard, drawn under the mouth."""
    return path(extra, hair) if extra == BEARD else ""


def _above(extra: str, hair: str) -> str:
    """Return a moustache, glasses or earrings."""
    if extra == MOUSTACHE:
        return path(extra, hair)
    if extra == GLASSES:
        return f'<path d="{extra}" fill="none" stroke="{INK}" stroke-width="2.4"/>'
    return circle(26, 63, 3, "#efb52c") + circle(74, 63, 3, "#efb52c") if extra == "earrings" else ""


def computer() -> str:
    """Return the face of a computer player."""
    return "".join(
        (
            circle(50, 50, 50, "#44525e"),
            '<path d="M50 26V14" stroke="#c9d3da" stroke-width="4"/>',
            circle(50, 13, 5, "#efb52c"),
            '<rect x="22" y="26" width="56" height="48" rx="14" fill="#c9d3da"/>',
            '<rect x="30" y="35" width="40" height="22" rx="10" fill="#22303a"/>',
            circle(41, 46, 5, "#8fe3c0"),
            circle(59, 46, 5, "#8fe3c0"),
            '<path d="M40 65H60" stroke="#22303a" stroke-width="4" stroke-linecap="round"/>',
            circle(50, 98, 20, "#c9d3da"),
        )
    )
