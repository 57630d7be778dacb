"""Writes the outlines of letters of a font file: python -m art.extract_letters FONT.woff LETTERS NAME.

The outlines are committed, so that neither the generator nor a browser needs the font.
"""

import json
import sys
from pathlib import Path

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

FOLDER = Path(__file__).with_name("letters")


def outlines(font: TTFont, letters: str) -> dict[str, dict[str, object]]:
    """Return each letter's advance and path, in thousandths of the font size, with y downwards."""
    glyphs, names, scale = font.getGlyphSet(), font.getBestCmap(), 1000 / font["head"].unitsPerEm
    table: dict[str, dict[str, object]] = {}
    for letter in sorted(set(letters)):
        glyph = glyphs[names[ord(letter)]]
        pen = SVGPathPen(glyphs, ntos=lambda value: str(round(value)))
        glyph.draw(TransformPen(pen, (scale, 0, 0, -scale, 0, 0)))
        table[letter] = {"advance": round(glyph.width * scale), "path": pen.getCommands()}
    return table


def main(file: str, letters: str, name: str) -> None:
    """Write the outlines of these letters to letters/<name>.json."""
    text = json.dumps(outlines(TTFont(file), letters), indent=0)
    (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
