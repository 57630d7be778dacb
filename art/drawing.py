"""Shared parts of the decks' drawings: symbols, uses, circles, the paper, a jester's head and backs."""

import re
from collections.abc import Iterator

import resvg_py

from art.paths import minified, number

WIDTH, HEIGHT = 100, 140
"""The size of a card in its own units."""
EDGE, GOLD = "var(--card-edge,#b4ab9a)", "var(--card-gold,#dca326)"


def symbol(code: str, body: str) -> str:
    """Return a card as a symbol, which other documents use by this id."""
    return f'<symbol id="{code}" viewBox="0 0 {WIDTH} {HEIGHT}">{body}</symbol>'


def use(name: str, x: float = 0, y: float = 0, scale: float = 1, turn: float = 0) -> str:
    """Return a use of a shared part, moved, turned and scaled."""
    if scale == 1 and not turn:
        return f'<use href="#{name}"{_at("x", x)}{_at("y", y)}/>'
    steps = f"translate({number(x)} {number(y)})" if x or y else ""
    steps += f"rotate({number(turn)})" if turn else ""
    steps += f"scale({number(scale, 3)})" if scale != 1 else ""
    return f'<use href="#{name}" transform="{steps}"/>'


def drawn_where_used(sprite: str) -> str:
    """Return a sprite whose shared parts with a single use are moved to that place."""
    for whole, name, body in re.findall(r'(<g id="([^"]+)">((?:(?!<g).)*?)</g>)', sprite):
        uses = re.findall(rf'(<use href="#{name}"([^>]*)/>)', sprite)
        if len(uses) == 1:
            ((use_of_it, how),) = uses
            sprite = sprite.replace(whole, "").replace(use_of_it, f"<g{how}>{body}</g>")
    return sprite


def _at(attribute: str, value: float) -> str:
    return f' {attribute}="{number(value)}"' if value else ""


def path(data: str, fill: str = "", *, identity: str = "", opacity: float = 1) -> str:
    """Return a filled path in compact form. Shared parts of a sprite have an id."""
    named = f' id="{identity}"' if identity else ""
    paint = f' fill="{fill}"' if fill else ""
    paint += f' fill-opacity="{number(opacity, 2)}"' if opacity < 1 else ""
    return f'<path{named} d="{minified(data)}"{paint}/>'


def circle(x: float, y: float, radius: float, fill: str = "") -> str:
    """Return a filled circle."""
    paint = f' fill="{fill}"' if fill else ""
    return f'<circle{_at("cx", x)}{_at("cy", y)} r="{number(radius)}"{paint}/>'


def frame(identity: str, paper: str) -> str:
    """Return the paper of a card with its edge, which keeps the cards of a fan apart."""
    return (
        f'<rect id="{identity}" x=".6" y=".6" width="98.8" height="138.8" rx="8" fill="{paper}" '
        f'stroke="{EDGE}" stroke-width="1.2"/>'
    )


def jester(identity: str) -> str:
    """Return a jester's head, about 64 units wide and high, around (0, 0)."""
    horn = "M0 3H-15C-14-9-20-16-29-9C-32-25-11-27 0-9Z"
    face = circle(0, 9, 13.5, "#f7c9a4") + circle(-5, 8, 1.7, "#43281c") + circle(5, 8, 1.7, "#43281c")
    mouth = path("M-7 13.5C-4 19 4 19 7 13.5Z", "#b3202c")
    cheeks = circle(-9, 13, 2.2, "#ef9f86") + circle(9, 13, 2.2, "#ef9f86")
    collar = path("M-19 20L-22 31L-12 27L-6 34L0 28L6 34L12 27L22 31L19 20C8 26-8 26-19 20Z", "#7a3f9d")
    cap = (
        path(horn, "#c4122f")
        + f'<g transform="scale(-1 1)">{path(horn, "#1f7fbf")}</g>'
        + path("M-10 0C-9-14-4-21 0-29C4-21 9-14 10 0Z", "#efb52c")
        + path("M-16 0C-6-4 6-4 16 0V5C6 1-6 1-16 5Z", "#7a3f9d")
    )
    bells = circle(-29, -7, 3.6, "#efb52c") + circle(29, -7, 3.6, "#efb52c") + circle(0, -29, 3.6, "#c4122f")
    return f'<g id="{identity}">{collar}{face}{cheeks}{mouth}{cap}{bells}</g>'


def back(colour: str, line: str, step: float) -> str:
    """Return the field of a back: a lattice of diagonal lines, a step apart, within a border."""
    lattice = minified("".join(_diagonals(10, 10, 90, 130, step)))
    return (
        f'<rect x="7" y="7" width="86" height="126" rx="4" fill="{colour}"/>'
        f'<g fill="none" stroke="{line}"><path d="{lattice}" stroke-opacity=".4"/>'
        '<rect x="10" y="10" width="80" height="120" stroke-opacity=".7"/></g>'
    )


def _diagonals(left: float, top: float, right: float, bottom: float, step: float) -> Iterator[str]:
    wide, high = right - left, bottom - top
    for index in range(1, int((wide + high) / step)):
        along = index * step
        x1, y1 = (left, top + along) if along <= high else (left + along - high, bottom)
        x2, y2 = (left + along, top) if along <= wide else (right, top + along - wide)
        yield f"M{x1} {y1}L{x2} {y2}"
        yield f"M{left + right - x1} {y1}L{left + right - x2} {y2}"


def rendered(body: str, width: int, height: int, scale: float = 1) -> bytes:
    """Return a drawing of this size (in its own units) as PNG, with `scale` pixels a unit."""
    image = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{body}</svg>'
    across, down = round(width * scale), round(height * scale)
    return bytes(resvg_py.svg_to_bytes(svg_string=image, width=across, height=down, skip_system_fonts=True))
