"""Content negotiation: which media type, coding and language a request prefers (RFC 9110, RFC 4647)."""

import re
from collections.abc import Mapping
from functools import lru_cache

from aiohttp import web

from locanda.messages import Language
from services.engine.http.problems.responses import ProblemError

LANGUAGES: tuple[Language, ...] = ("en", "it")
QUALITY = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?", re.ASCII)


LONGEST_HEADER = 1024
"""Characters of `Accept-Language` that count: a browser sends a dozen languages."""


def best(accept: str | None, offers: tuple[str, ...]) -> str:
    """Return the offered media type of the highest quality, the first one among equals.

    Raises `ProblemError` `not_acceptable` where `Accept` excludes all of them.
    """
    qualities: dict[str, float] = {}
    for part in (accept or "*/*").split(","):
        kind, quality = _range(part)
        qualities.setdefault(kind, quality)
    for kind, _ in sorted(qualities.items(), key=lambda accepted: -accepted[1]):
        for offer in offers:
            if kind in _ranges_of(offer) and _quality(offer, qualities) > 0:
                return offer
    raise ProblemError("not_acceptable", f"the answer comes as {' or '.join(offers)}", field="Accept")


def _range(part: str) -> tuple[str, float]:
    """Return a media or language range and its quality: 1 by default, 0 where it is not well-formed."""
    kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
    quality = next((value[2:] for value in parameters if value.startswith("q=")), "1")
    return kind, float(quality) if QUALITY.fullmatch(quality) else 0.0


def _quality(offer: str, qualities: Mapping[str, float]) -> float:
    """Return the quality of a media type: that of the most specific range which it falls in."""
    return next((qualities[kind] for kind in _ranges_of(offer) if kind in qualities), 0.0)


def _ranges_of(offer: str) -> tuple[str, str, str]:
    """Return the media ranges that a media type falls in, the most specific first."""
    return offer, f"{offer.partition('/')[0]}/*", "*/*"


def language(request: web.BaseRequest) -> Language:
    """Return the language that `Accept-Language` prefers; English without the header, or where none fits."""
    given = request.headers.getall("Accept-Language", ())
    return _preferred(",".join(given)[:LONGEST_HEADER]) if given else "en"


def takes_gzip(request: web.BaseRequest) -> bool:
    """Return whether `Accept-Encoding` names gzip. A star is left aside: who sends it alone may not decompress."""
    accepted = request.headers.get("Accept-Encoding", "")[:LONGEST_HEADER]
    return any(kind == "gzip" and quality > 0 for kind, quality in map(_range, accepted.split(",")))


@lru_cache(maxsize=256)
def _preferred(accept: str) -> Language:
    """Look languages up as RFC 4647 does: `it-CH` matches `it`; the first one wins among equals."""
    ranges = [(kind.partition("-")[0], quality) for kind, quality in map(_range, accept.split(","))]
    return max(LANGUAGES, key=lambda offer: _preference(offer, ranges))


def _preference(offer: str, ranges: list[tuple[str, float]]) -> tuple[float, int]:
    """Return the quality of a language and, as a negative number, its position in the header."""
    own, rest = (
        max(((quality, -at) for at, (name, quality) in enumerate(ranges) if name == wanted), default=None)
        for wanted in (offer, "*")
    )
    found = own or rest
    return found if found and found[0] else (0.0, 0)
