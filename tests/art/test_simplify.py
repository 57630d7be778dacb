import re
from math import cos, hypot, pi, sin

import pytest

from art.paths import parse
from art.simplify import simplified


def numbers(data: str) -> int:
    return len(re.findall(r"[\d.]+", data))


@pytest.mark.slow
def test_an_outline_of_many_points_becomes_few_curves_that_stay_near_it() -> None:
    angles = [2 * pi * step / 24 for step in range(24)]
    circle = "M" + "L".join(f"{10 + 8 * cos(angle):.4f} {10 + 8 * sin(angle):.4f}" for angle in angles) + "Z"

    small = simplified(circle, 0.1)

    assert numbers(small) < numbers(circle) / 2
    for command, values in parse(small):
        if command != "Z":
            assert hypot(values[-2] - 10, values[-1] - 10) == pytest.approx(8, abs=0.1)


def test_corners_stay_where_they_are() -> None:
    small = simplified("M0 0H5H10V10H0Z", 0.1)
    assert {values[-2:] for command, values in parse(small) if command != "Z"} == {(0, 0), (10, 0), (10, 10), (0, 10)}
