"""Which form of an answer a request likes best (RFC 9110, `Accept`)."""

from services.engine.http.problems import ProblemError

JSON = "application/json"
STREAM = "text/event-stream"
EVENTS = (STREAM, JSON)


def best(accept: str | None, offers: tuple[str, ...]) -> str:
    """Return the offer that is liked best, the first one where all are. Raises `ProblemError` `not_acceptable`."""
    ranges = [_range(part) for part in (accept or "*/*").split(",")]
    for kind, _ in sorted(ranges, key=lambda liked: -liked[1]):
        for offer in offers:
            if kind in _kinds(offer) and _quality(offer, ranges) > 0:
                return offer
    raise ProblemError("not_acceptable", f"the answer comes as {' or '.join(offers)}", field="Accept")


def _range(part: str) -> tuple[str, float]:
    """Return a media range and its quality, 1 where none is given and 0 where it is none."""
    kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
    quality = next((value[2:] for value in parameters if value.startswith("q=")), "1")
    try:
        return kind, float(quality)
    except ValueError:
        return kind, 0.0


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
