"""Links to tables: parsing the links that people pass to the terminal, the export and agents."""

import re
from urllib.parse import urlsplit

from msgspec import Struct

from locanda.messages import TABLE_LINK

TABLE = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
LINK = re.compile(rf"(https?://[^\s?#]+?)(?:/t/|/v1/tables/|/?#/table/)({TABLE.pattern})(?:%20|[^\w-])*", re.ASCII)
"""A link that people share, a table's URL in the API, or its URL on the page.

A dot or bracket that was copied along with it is ignored.
"""
LOOPBACK = re.compile(r"127\.|::1$", re.ASCII)


class TableLink(Struct, frozen=True):
    """A table and the server that it is on."""

    server: str
    table: str

    @property
    def url(self) -> str:
        """The link to share: for `--table`, or to open in a browser."""
        return self.server + TABLE_LINK.format(table=self.table)

    @property
    def reachable(self) -> bool:
        """Whether other machines can reach the server: it has no loopback address."""
        host = urlsplit(self.server).hostname or ""
        return host != "localhost" and not LOOPBACK.match(host)


def is_table_id(text: str) -> bool:
    """Return whether a text has the form of a table's id."""
    return TABLE.fullmatch(text) is not None


def parse_link(text: str, server: str) -> TableLink | None:
    """Return the table of a link, or of an id at this server; None for any other text."""
    if is_table_id(text):
        return TableLink(server, text)
    link = LINK.fullmatch(text)
    return TableLink(link[1], link[2]) if link else None
