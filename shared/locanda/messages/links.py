"""Links of tables: how terminal, export and agents read one that a person passes on."""

import re
from urllib.parse import urlsplit

from msgspec import Struct

from locanda.messages import TABLE_LINK

TABLE = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
LINK = re.compile(rf"(https?://[^\s?#]+?)(?:/t/|/v1/tables/|/?#/table/)({TABLE.pattern})(?:%20|[^\w-])*", re.ASCII)
"""A link that was passed on, or the address of a table in the API, or on the page in a browser.

Where it is copied out of a sentence, a dot or a bracket comes along.
"""
LOOPBACK = re.compile(r"127\.|::1$", re.ASCII)


class TableLink(Struct, frozen=True):
    """A table of an engine."""

    server: str
    table: str

    @property
    def url(self) -> str:
        """The link for friends, who pass it to `--table`, or open it in a browser."""
        return self.server + TABLE_LINK.format(table=self.table)

    @property
    def reachable(self) -> bool:
        """Whether the address can mean this server on another machine."""
        host = urlsplit(self.server).hostname or ""
        return host != "localhost" and not LOOPBACK.match(host)


def is_table_id(text: str) -> bool:
    """Return whether a text has the form of a table's id."""
    return TABLE.fullmatch(text) is not None


def parse_link(text: str, server: str) -> TableLink | None:
    """Return the table of a URL, or of an id at this server; None for any other text."""
    if is_table_id(text):
        return TableLink(server, text)
    link = LINK.fullmatch(text)
    return TableLink(link[1], link[2]) if link else None
