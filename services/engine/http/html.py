"""Pages to read: no scripts, nothing loaded from elsewhere."""

import base64
import hashlib
import re
from html import escape
from pathlib import Path

from shared.messages import Language

STYLE = (Path(__file__).parent / "docs.css").read_text(encoding="utf-8")
_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""A page's Content-Security-Policy: its own style and nothing else."""


def whole(title: str, language: Language, nav: str, main: str) -> str:
    """Return a whole page."""
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>"
        f"<nav>{nav}</nav><main>{main}</main></body></html>"
    )


def paragraphs(text: str) -> str:
    """Return a text in its paragraphs."""
    return "".join(f"<p>{inline(part)}</p>" for part in text.split("\n\n") if part)


def inline(text: str) -> str:
    """Return a text with what stands in backquotes as code, and what stands between double stars in bold."""
    return re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text)))
