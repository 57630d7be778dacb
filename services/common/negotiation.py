"""Content negotiation (RFC 9110, 12): the ranges of a header with their qualities, and the language of texts."""

import re
from functools import lru_cache

from aiohttp import web

from locanda.translations import Language

LANGUAGES: tuple[Language, ...] = ("en", "it")
QUALITY = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?", re.ASCII)
LONGEST_HEADER = 1024
"""Characters of `Accept-Language` that count: a browser sends a dozen languages."""


def language(request: web.BaseRequest) -> Language:
    """Return the language that `Accept-Language` prefers; English if there is no header or no match."""
    headers = request.headers.getall("Accept-Language", ())
    return _preferred(",".join(headers)[:LONGEST_HEADER]) if headers else "en"


def header_range(part: str) -> tuple[str, float]:
    """Return a media or language range and its quality: 1 by default, 0 if it is not well-formed."""
    kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
    quality = next((value[2:] for value in parameters if value.startswith("q=")), "1")
    return kind, float(quality) if QUALITY.fullmatch(quality) else 0.0


@lru_cache(maxsize=256)
def _preferred(accept: str) -> Language:
    """Look up languages as RFC 4647 does: `it-CH` matches `it`; of equals the first one wins."""
    ranges = [(kind.partition("-")[0], quality) for kind, quality in map(header_range, accept.split(","))]
    return max(LANGUAGES, key=lambda offer: _preference(offer, ranges))


def _preference(offer: str, ranges: list[tuple[str, float]]) -> tuple[float, int]:
    """Return the quality of a language and, as a negative number, its position in the header."""
    own, rest = (
        max(((quality, -at) for at, (name, quality) in enumerate(ranges) if name == wanted), default=None)
        for wanted in (offer, "*")
    )
    match = own or rest
    return match if match and match[0] else (0.0, 0)
