"""Content negotiation (RFC 9110, section 12): media and language ranges with qualities, and the preferred language."""

import re
from functools import lru_cache

from aiohttp import web

from locanda.translations import Language

LANGUAGES: tuple[Language, ...] = ("en", "it")
QUALITY = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?", re.ASCII)
LONGEST_HEADER = 1024
"""Maximum characters of `Accept-Language` that are read. Browsers send a dozen languages."""


def language(request: web.BaseRequest) -> Language:
    """Return the language that `Accept-Language` prefers; English if it names no known language."""
    headers = request.headers.getall("Accept-Language", ())
    return _preferred(",".join(headers)[:LONGEST_HEADER]) if headers else "en"


def header_range(part: str) -> tuple[str, float]:
    """Return a media or language range and its quality: 1 by default, 0 if malformed."""
    kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
    quality = next((value[2:] for value in parameters if value.startswith("q=")), "1")
    return kind, float(quality) if QUALITY.fullmatch(quality) else 0.0


@lru_cache(maxsize=256)
def _preferred(accept: str) -> Language:
    """Return the preferred language (RFC 4647 lookup). `it-CH` matches `it`; if qualities are equal, the first wins."""
    ranges = [(kind.partition("-")[0], quality) for kind, quality in map(header_range, accept.split(","))]
    return max(LANGUAGES, key=lambda offer: _preference(offer, ranges))


def _preference(offer: str, ranges: list[tuple[str, float]]) -> tuple[float, int]:
    """Return the quality of a language, and the negative of its position in the header."""
    own, rest = (
        max(((quality, -at) for at, (name, quality) in enumerate(ranges) if name == wanted), default=None)
        for wanted in (offer, "*")
    )
    match = own or rest
    return match if match and match[0] else (0.0, 0)
