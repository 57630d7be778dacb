"""Pages of the open listed tables, newest first, merged from all buckets; and the cursors of pages."""

import asyncio
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import suppress
from heapq import nlargest

from services.engine.store import keys
from services.engine.store.backends import Backend
from services.engine.store.errors import DamagedError

_CURSOR = re.compile(r"(\d{1,16}) (.+)", re.ASCII)

ListingPosition = tuple[int, str]
"""When a table was listed, in microseconds, and its id."""


async def page(link: Backend, cursor: str | None, limit: int) -> tuple[list[str], str | None]:
    """Return table ids, and the cursor of the next page if there is one. Raises `ValueError` for an invalid cursor."""
    before = _decode_cursor(cursor) if cursor else None
    # Two more than asked for: one shows whether there is a next page, the other may be the cursor's own table.
    limits = ("-inf", "WITHSCORES", "LIMIT", 0, limit + 2)
    start = before[0] if before else "+inf"
    replies = await asyncio.gather(*(_bucket(link, tag, start, limits) for tag in keys.TAGS))
    positions = [position for reply in replies for position in reply]
    found = nlargest(limit + 1, (position for position in positions if before is None or position < before))
    shown = found[:limit]
    return [table for _, table in shown], _encode_cursor(shown[-1]) if len(found) > limit else None


async def _bucket(link: Backend, tag: str, start: int | str, limits: tuple[str | int, ...]) -> list[ListingPosition]:
    """Return the positions in a bucket; empty if its key holds another type of value."""
    try:
        reply = await link.call(("ZREVRANGEBYSCORE", keys.listed(tag), start, *limits))
    except DamagedError:
        return []
    found = []
    for table, score in zip(reply[::2], reply[1::2], strict=True):
        with suppress(ValueError, OverflowError):  # a member that is no id, a score that is no time
            found.append((int(float(score)), table.decode()))
    return found


def _encode_cursor(position: ListingPosition) -> str:
    return urlsafe_b64encode(f"{position[0]} {position[1]}".encode()).decode()


def _decode_cursor(cursor: str) -> ListingPosition:
    try:
        match = _CURSOR.fullmatch(urlsafe_b64decode(cursor.encode("ascii")).decode())
    except ValueError:
        match = None
    if match is None:
        raise ValueError("this is no cursor of the listing")
    return int(match[1]), match[2]
