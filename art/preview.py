"""A page with every card of a sprite as people will see it: sizes, tables, two and four colours."""

import re

STYLE = """
body { margin: 0; font: 14px sans-serif; }
section { padding: 12px; }
svg { aspect-ratio: 5 / 7; } [hidden] { display: none; }
.dark { background: #0b3d2a; color: #fff; } .black { background: #16181c; color: #fff; } .light { background: #efe9dd; }
.four { --suit-diamonds: #1a5fb4; --suit-clubs: #1b7a3d; }
.wide svg { width: 140px; } .middle svg { width: 72px; } .fan svg { width: 44px; margin-right: -28px; }
"""
TABLES = ("dark", "light", "light four", "black four")


def page(sprite: str) -> str:
    """Return a page that contains the sprite, so that it works as a local file."""
    codes = re.findall(r'<symbol id="([^"]+)"', sprite)
    cards = "".join(f'<svg><use href="#{code}"/></svg>' for code in codes)
    sections = "".join(
        f'<section class="{table}"><div class="{size}">{cards}</div></section>'
        for table in TABLES
        for size in ("fan", "middle", "wide")
    )
    hidden = sprite.replace("<svg ", '<svg hidden="" ', 1)
    return f'<!doctype html><meta charset="utf-8"><title>Cards</title><style>{STYLE}</style>{hidden}{sections}\n'
