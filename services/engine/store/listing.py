"""The open tables that strangers may find: newest first, page by page, merged from all buckets."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from heapq import nlargest

from services.engine.store import keys
from services.engine.store.link import Link

_CURSOR = re.compile(r"(\d{1,16}) (.+)", re.ASCII)

Place = tuple[int, str]
"""When a table was listed, in microseconds, and its id."""


async def page(link: Link, cursor: str | None, limit: int) -> tuple[list[str], str | None]:
    """Return table ids, and the cursor of the next page if there is one. Raises `ValueError` at a bad cursor."""
    before = _read(cursor) if cursor else None
    # One more than asked for tells whether there is a next page; another one is the place itself.
    limits = ("-inf", "WITHSCORES", "LIMIT", 0, limit + 2)
    start = before[0] if before else "+inf"
    replies = await link.call_all([("ZREVRANGEBYSCORE", keys.listed(tag), start, *limits) for tag in keys.TAGS])
    places = [place for reply in replies for place in _places(reply)]
    found = nlargest(limit + 1, (place for place in places if before is None or place < before))
    shown = found[:limit]
    return [table for _, table in shown], _write(shown[-1]) if len(found) > limit else None


def _places(reply: list[bytes]) -> list[Place]:
    return [(int(float(score)), table.decode()) for table, score in zip(reply[::2], reply[1::2], strict=True)]


def _write(place: Place) -> str:
    return urlsafe_b64encode(f"{place[0]} {place[1]}".encode()).decode()


def _read(cursor: str) -> Place:
    try:
        match = _CURSOR.fullmatch(urlsafe_b64decode(cursor.encode("ascii")).decode())
    except ValueError:
        match = None
    if match is None:
        raise ValueError("this is no cursor of the listing")
    return int(match[1]), match[2]
