"""Simplifies outlines to few curves without a visible difference: `python -m art.simplify` writes simplified.json.

The sources are made for any size; on a card they are at most 60 units wide. Each part of an outline becomes one line or
curve within a tolerance, and the parts are chosen so that all of them need the fewest numbers.
"""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf
from pathlib import Path

from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path

from art.glyphs import SOURCE_SIZE
from art.letters import SIMPLIFIED, UNIT, alphabet

GLYPHS = Path(__file__).with_name("fluent")
ALPHABET = "alegreya"
GLYPH_TOLERANCE, LETTER_TOLERANCE = 0.007, 0.012
"""Tolerances as shares of a glyph's width, and of a letter's font size."""
FINER = {"ogre": 0.005}
"""Smaller tolerances of glyphs that would lose a feature, such as the ogre's curls."""

Curve = tuple[complex, ...]
"""The points of a line (2), or of a quadratic (3) or cubic (4) Bézier curve, including its ends."""
COSTS = {2: 2.6, 3: 4.6, 4: 6.6}
"""The cost of each kind of curve: its numbers and its letter."""
STEPS = 8
"""The number of pieces of a curve. Parts begin and end at one of its `JOINTS`."""
JOINTS = (4, 8)
MOST_POINTS = 40
"""The most points of a part when a curve is fitted to it."""
ROUNDS = 3
"""Iterations that improve the points' parameters along a fitted curve."""
HOPELESS = 4
"""A part stops growing once this many fits in a row are this many times over the tolerance."""


def simplified(data: str, tolerance: float) -> str:
    """Return path data whose outlines differ from the given ones by at most a tolerance, in the data's units."""
    pen = RecordingPen()
    parse_path(data, pen)
    outlines: list[list[Curve]] = []
    at = 0j
    for command, points in pen.value:
        if command == "moveTo":
            outlines.append([])
        elif command in {"lineTo", "curveTo", "qCurveTo"}:
            outlines[-1].append((at, *(complex(*point) for point in points)))
        if points:
            at = complex(*points[-1])
    return "".join(_simplified(_closed(outline), tolerance) for outline in outlines if outline)


def _closed(outline: list[Curve]) -> list[Curve]:
    start, end = outline[0][0], outline[-1][-1]
    return outline if abs(end - start) < 1e-6 else [*outline, (end, start)]


def _simplified(outline: list[Curve], tolerance: float) -> str:
    points, joints = [outline[0][0]], [0]
    for curve in outline:
        for step in range(1, STEPS + 1):
            points.append(_at(curve, step / STEPS))
            if step in JOINTS:
                joints.append(len(points) - 1)
    return _written(_cheapest(points, joints, tolerance))


def _at(curve: Curve, t: float) -> complex:
    """Return the point of a curve at a parameter from 0 to 1."""
    points = list(curve)
    while len(points) > 1:
        points = [one + (other - one) * t for one, other in pairwise(points)]
    return points[0]


def _cheapest(points: list[complex], joints: list[int], tolerance: float) -> list[Curve]:
    """Return the cheapest lines and curves through a closed outline, each from joint to joint."""
    best: list[tuple[float, int, Curve]] = [(inf, 0, ()) for _ in joints]
    best[0] = (0, 0, ())
    for first in range(len(joints) - 1):
        hopeless = 0
        for last in range(first + 1, len(joints)):
            curve, off = _fitted(points[joints[first] : joints[last] + 1], tolerance)
            if off <= tolerance:
                cost = best[first][0] + COSTS[len(curve)]
                best[last] = min(best[last], (cost, first, curve), key=lambda candidate: candidate[0])
                hopeless = 0
            elif off > HOPELESS * tolerance:
                hopeless += 1
                if hopeless > HOPELESS:
                    break
    chosen, at = [], len(joints) - 1
    while at:
        chosen.append(best[at][2])
        at = best[at][1]
    return chosen[::-1]


def _fitted(points: list[complex], tolerance: float) -> tuple[Curve, float]:
    """Return the simplest curve within the tolerance of points, or else a cubic one, and its distance."""
    few = points[:: max(1, len(points) // MOST_POINTS)]
    few = few if few[-1] == points[-1] else [*few, points[-1]]
    for degree in (1, 2):
        curve, off = _fit(few, degree)
        if off <= tolerance:
            return curve, off
    return _fit(few, 3)


def _fit(points: list[complex], degree: int) -> tuple[Curve, float]:
    """Return the curve of a degree through the end points that best fits the others (least squares)."""
    lengths = [0.0]
    for one, other in pairwise(points):
        lengths.append(lengths[-1] + abs(other - one))
    places = [length / (lengths[-1] or 1) for length in lengths]
    curve: Curve = (points[0], points[-1])
    if degree == 1:
        return curve, max(_beside(points[0], points[-1], point) for point in points)
    for _ in range(ROUNDS):
        curve = _least_squares(points, places, degree)
        places = [_nearest(curve, point, place) for point, place in zip(points, places, strict=True)]
    return curve, max(abs(_at(curve, place) - point) for point, place in zip(points, places, strict=True))


def _beside(start: complex, end: complex, point: complex) -> float:
    """Return the distance of a point from the line between two others."""
    along = end - start
    share = ((point - start) * along.conjugate()).real / (abs(along) ** 2 or 1)
    return abs(start + along * min(1, max(0, share)) - point)


def _least_squares(points: Sequence[complex], places: Sequence[float], degree: int) -> Curve:
    start, end = points[0], points[-1]
    if degree == 2:
        weights = [2 * t * (1 - t) for t in places]
        rests = [p - start * (1 - t) ** 2 - end * t * t for p, t in zip(points, places, strict=True)]
        total = sum(w * w for w in weights)
        middle = sum(w * r for w, r in zip(weights, rests, strict=True)) / total if total else (start + end) / 2
        return start, middle, end
    firsts = [3 * t * (1 - t) ** 2 for t in places]
    seconds = [3 * t * t * (1 - t) for t in places]
    rests = [p - start * (1 - t) ** 3 - end * t**3 for p, t in zip(points, places, strict=True)]
    a, b = sum(w * w for w in firsts), sum(v * w for v, w in zip(firsts, seconds, strict=True))
    d = sum(w * w for w in seconds)
    x = sum(w * r for w, r in zip(firsts, rests, strict=True))
    y = sum(w * r for w, r in zip(seconds, rests, strict=True))
    if abs(determinant := a * d - b * b) < 1e-12:
        return start, start + (end - start) / 3, end - (end - start) / 3, end
    return start, (x * d - y * b) / determinant, (y * a - x * b) / determinant, end


def _nearest(curve: Curve, point: complex, t: float) -> float:
    """Return the parameter of the curve's nearest place to a point, by one step of Newton's method from a guess."""
    slope = tuple((len(curve) - 1) * (other - one) for one, other in pairwise(curve))
    bend = tuple((len(slope) - 1) * (other - one) for one, other in pairwise(slope))
    off, along, turn = _at(curve, t) - point, _at(slope, t), _at(bend, t)
    down = abs(along) ** 2 + (off * turn.conjugate()).real
    return min(1, max(0, t - (off * along.conjugate()).real / down)) if down else t


def _written(curves: list[Curve]) -> str:
    start = f"M{_spelt(curves[0][:1])}"
    return start + "".join("LQC"[len(curve) - 2] + _spelt(curve[1:]) for curve in curves) + "Z"


def _spelt(points: Sequence[complex]) -> str:
    return " ".join(f"{point.real:.3f} {point.imag:.3f}" for point in points)


def glyphs() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield the glyphs by name, with their colours and paths."""
    for file in sorted(GLYPHS.glob("*.svg")):
        paths = re.findall(r'<path fill="([^"]*)" d="([^"]*)"/>', file.read_text(encoding="utf-8"))
        tolerance = FINER.get(file.stem, GLYPH_TOLERANCE) * SOURCE_SIZE
        yield file.stem, [(colour, simplified(data, tolerance)) for colour, data in paths]


if __name__ == "__main__":
    letters = {name: simplified(letter.path, LETTER_TOLERANCE * UNIT) for name, letter in alphabet(ALPHABET).items()}
    text = json.dumps({"glyphs": dict(glyphs()), ALPHABET: letters}, indent=0)
    SIMPLIFIED.write_text(text + "\n", encoding="utf-8")
