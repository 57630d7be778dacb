from itertools import pairwise
from math import dist

import pytest

from art.paths import minified, number, parse


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.04, "0"), (-0.04, "0"), (0.5, ".5"), (-0.5, "-.5"), (10, "10"), (100.0, "100"), (2.25, "2.2")],
)
def test_numbers_are_written_as_short_as_svg_admits(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    "data",
    [
        "M21.77 21.092l-2.812-2.512v-.028l-.021.01L17.192 17a1.25 1.25 0 1 0 .963-.88z",
        "M9.468 13.967A1.253 1.253 0 0 1 8.25 15.5a1.25 1.25 0 1 1 .328-2.456l1.188-1.075z",
        "m1 1 2 2 3-3zM5 5h3V2zs1 1 2 2q1 0 1 1t1 1",
        "M0 0a1 1 0 01.5.5 1 1 0 11-.5.5",
    ],
)
def test_a_path_written_small_runs_through_the_same_points(data: str) -> None:
    def ends(path: str) -> list[tuple[float, float]]:
        points = [(0.0, 0.0)]
        for command, arguments in parse(path):
            x, y = points[-1]
            if command == "H":
                points.append((arguments[0], y))
            elif command == "V":
                points.append((x, arguments[0]))
            elif command != "Z":
                points.append((arguments[-2], arguments[-1]))
        return [here for before, here in pairwise(points) if dist(before, here) > 0.11]

    small = minified(data)
    assert all(dist(one, other) < 0.11 for one, other in zip(ends(data), ends(small), strict=True))


def test_the_errors_of_rounding_do_not_add_up() -> None:
    steps = "M0 0" + "l.04 .04" * 1000
    assert parse(minified(steps))[-1][1] == pytest.approx((40, 40), abs=0.1)
