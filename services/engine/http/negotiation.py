"""Which form of an answer a request likes best (RFC 9110, `Accept` and `Accept-Language`)."""

import re
from functools import lru_cache

from aiohttp import web

from services.engine.http.answers import JSON
from services.engine.http.problems import ProblemError
from shared.messages import Language

STREAM = "text/event-stream"
EVENTS = (STREAM, JSON)
LANGUAGES: tuple[Language, ...] = ("en", "it")
QUALITY = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?", re.ASCII)


def best(accept: str | None, offers: tuple[str, ...]) -> str:
    """Return the offer that is liked best, the first one where all are. Raises `ProblemError` `not_acceptable`."""
    ranges = [_range(part) for part in (accept or "*/*").split(",")]
    for kind, _ in sorted(ranges, key=lambda liked: -liked[1]):
        for offer in offers:
            if kind in _kinds(offer) and _quality(offer, ranges) > 0:
                return offer
    raise ProblemError("not_acceptable", f"the answer comes as {' or '.join(offers)}", field="Accept")


def _range(part: str) -> tuple[str, float]:
    """Return a range and its quality, 1 where none is given and 0 where it is none."""
    kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
    quality = next((value[2:] for value in parameters if value.startswith("q=")), "1")
    return kind, float(quality) if QUALITY.fullmatch(quality) else 0.0


def _quality(offer: str, ranges: list[tuple[str, float]]) -> float:
    """Return how much an offer is liked: the most specific range says."""
    for kind in _kinds(offer):
        for found, quality in ranges:
            if found == kind:
                return quality
    return 0.0


def _kinds(offer: str) -> tuple[str, str, str]:
    """Return the media ranges that an offer falls in, the most specific first."""
    return offer, f"{offer.partition('/')[0]}/*", "*/*"


def language(request: web.BaseRequest) -> Language:
    """Return the language that the client likes best; English where it says nothing, or nothing that fits."""
    given = request.headers.getall("Accept-Language", ())
    return _liked(",".join(given)) if given else "en"


@lru_cache(maxsize=256)
def _liked(accept: str) -> Language:
    """Choose as RFC 4647 looks languages up: `it-CH` is content with `it`; among equals the first one counts."""
    ranges = [(kind.partition("-")[0], quality) for kind, quality in map(_range, accept.split(","))]
    return max(LANGUAGES, key=lambda offer: _liking(offer, ranges))


def _liking(offer: str, ranges: list[tuple[str, float]]) -> tuple[float, int]:
    """Return how much a language is liked, and how early it comes among equals."""
    own, rest = (
        max(((quality, -at) for at, (name, quality) in enumerate(ranges) if name == wanted), default=None)
        for wanted in (offer, "*")
    )
    found = own or rest
    return found if found and found[0] else (0.0, 0)
