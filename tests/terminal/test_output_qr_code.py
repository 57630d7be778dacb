"""The QR code of a table's link: dark on light with a border, shown only if it fits the terminal."""

import segno

from services.terminal.output import qr_code

LINK = "https://cards.example.org/t/" + "A" * 22


def test_the_halves_of_the_characters_are_the_modules_of_the_code() -> None:
    lines = qr_code(LINK)
    modules: list[list[bool]] = []
    for line in lines:
        styles = [span.style for span in line.spans for _ in range(span.start, span.end)]
        modules.append([style.color.name == "black" for style in styles])  # type: ignore[union-attr]
        modules.append([style.bgcolor.name == "black" for style in styles])  # type: ignore[union-attr]
    expected = [[bool(module) for module in row] for row in segno.make_qr(LINK, error="l").matrix_iter(border=2)]
    assert modules[: len(expected)] == expected
    assert not any(any(row) for row in modules[len(expected) :])
    assert {len(line) for line in lines} == {len(expected)}


def test_it_fits_beside_its_surroundings_in_a_window_of_80_by_24() -> None:
    assert len(qr_code(LINK)) <= 24 - 5
