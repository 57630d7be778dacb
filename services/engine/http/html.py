"""HTML pages with the style in `html.css`: no scripts, and nothing loaded from other places."""

import base64
import hashlib
import re
from html import escape
from pathlib import Path

from locanda.messages import Language

STYLE = (Path(__file__).parent / "html.css").read_text(encoding="utf-8")
_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""The Content-Security-Policy of a page: it may use its own style and load nothing."""


def html_document(title: str, language: Language, nav: str, main: str) -> str:
    """Return a page from its title, navigation and main part, the last two as HTML."""
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>"
        f"<nav>{nav}</nav><main>{main}</main></body></html>"
    )


def paragraphs(text: str) -> str:
    """Return a text as HTML paragraphs; an empty line ends a paragraph."""
    return "".join(f"<p>{inline(part)}</p>" for part in text.split("\n\n") if part)


def inline(text: str) -> str:
    """Return a line of text as HTML: backquotes mark code, double stars bold."""
    return re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text)))
