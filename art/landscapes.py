"""The landscapes of the Cuccù cards I to X: a sky, a sun or moon, two hills or a sea, and glyphs."""

from dataclasses import dataclass

from art.drawing import circle, path, use
from art.glyphs import SIZE, SOURCE_SIZE


@dataclass(frozen=True)
class Landscape:
    """A landscape: its colours, the position of sun or moon, and its glyphs."""

    sky: str
    far: str
    near: str
    light: tuple[float, float, float, str]
    """The sun or moon: x, y, radius, colour."""
    glyphs: tuple[tuple[str, float, float, float], ...]
    """Glyphs, from the back to the front: name, x of the middle, y of the foot, scale."""
    sea: bool = False
    distant: bool = False
    """Whether the glyphs stand behind the near hill."""


SUN, EVENING, MOON = "#ffd34d", "#ff9f45", "#f4efd8"
GREEN, MEADOW, PINE, SAND, WATER = "#7fb35a", "#a5cc74", "#3f7d58", "#e9c98a", "#4c9fd0"

EVERGREEN, DECIDUOUS, PALM = "evergreen-tree", "deciduous-tree", "palm-tree"

LANDSCAPES: dict[str, Landscape] = {
    "I": Landscape("#bfe3f2", MEADOW, GREEN, (69, 70, 6, SUN), (("hut", 48, 121, 1.4),)),
    "II": Landscape(
        "#cfe6f2", "#dfe9ee", "#f7fafb", (30, 74, 5, SUN), ((EVERGREEN, 64, 117, 1.4), (EVERGREEN, 41, 125, 1.9))
    ),
    "III": Landscape(
        "#cfeaf0",
        MEADOW,
        GREEN,
        (66, 66, 6, SUN),
        ((DECIDUOUS, 30, 114, 1.05), (DECIDUOUS, 72, 115, 1.1), (DECIDUOUS, 50, 125, 1.6)),
    ),
    "IIII": Landscape("#ffe3bf", "#d9b37c", GREEN, (71, 78, 7, EVENING), (("mountain", 48, 131, 2.1),), distant=True),
    "V": Landscape("#ffd9b8", WATER, "#3a86bb", (32, 84, 9, EVENING), (("sailboat", 53, 120, 1.7),), sea=True),
    "VI": Landscape("#cfe0f7", MEADOW, PINE, (73, 73, 5, SUN), (("castle", 49, 119, 1.7),)),
    "VII": Landscape("#e6def5", "#b9a6d8", "#7aa768", (27, 80, 6, SUN), (("church", 51, 120, 1.75),)),
    "VIII": Landscape(
        "#b9ecec", WATER, SAND, (71, 71, 6, SUN), ((PALM, 64, 119, 1.15), (PALM, 43, 125, 1.75)), sea=True
    ),
    "VIIII": Landscape("#463a63", "#5b4a72", "#2e2745", (27, 80, 4.5, MOON), (("volcano", 52, 122, 1.9),)),
    "X": Landscape(
        "#22375f", "#3d5a86", PINE, (72, 72, 5, MOON), (("snow-capped-mountain", 47, 131, 2.1),), distant=True
    ),
}

FAR, NEAR = "M8 98C26 82 44 90 58 96C72 101 82 94 92 90V132H8Z", "M8 116C30 104 60 106 92 118V132H8Z"
SEA = "M8 98H92V132H8Z"


def glyph_names() -> set[str]:
    """Return the names of all glyphs that stand in a landscape."""
    return {glyph[0] for scene in LANDSCAPES.values() for glyph in scene.glyphs}


def landscape(numeral: str) -> str:
    """Return a landscape for the vignette of a card, which covers parts outside it."""
    scene = LANDSCAPES[numeral]
    sky = path("M8 44H92V132H8Z", scene.sky)
    ground = path(SEA if scene.sea else FAR, scene.far)
    near = path(NEAR, scene.near)
    glyphs = "".join(
        use(f"_{name}", x - scale * SOURCE_SIZE / 2, foot - scale * (SOURCE_SIZE - 1), scale * SOURCE_SIZE / SIZE)
        for name, x, foot, scale in scene.glyphs
    )
    return sky + circle(*scene.light) + ground + (glyphs + near if scene.distant else near + glyphs)
