"""Every key and channel in Redis.

A Lua script may touch keys of one hash slot only. A table's keys carry the tag of its bucket instead of its own id, and
so do the bucket's deadlines and listing: one script changes them all, on a cluster too, and none can disagree with
another.
"""

from binascii import crc32

TAGS = ("10", "3", "61", "43", "11", "2", "60", "42", "12", "1", "63", "41", "13", "0", "62", "40")
"""Hash tags of the buckets. Each lies in another sixteenth of all slots, so that nodes of a cluster share the load."""

BEAT = "locanda:beat"
PING = "locanda:ping"
"""Written to find out whether Redis takes writes."""
SUBSCRIBED = "locanda:subscribed"
"""A channel on which nothing is ever said."""


def tag_of(table: str) -> str:
    """Return the tag of a table's bucket: the same in every process and release."""
    return TAGS[crc32(table.encode()) % len(TAGS)]


def deadlines(tag: str) -> str:
    """Sorted set: the bucket's tables by the time they want to be woken, or by the end of a claim's lease."""
    return f"locanda:{{{tag}}}:deadlines"


def listed(tag: str) -> str:
    """Sorted set: the bucket's open listed tables by the time they were listed first."""
    return f"locanda:{{{tag}}}:listed"


def state(tag: str, table: str) -> str:
    """String: eight bytes of version, then the snapshot."""
    return f"locanda:{{{tag}}}:{table}:table"


def events(tag: str, table: str) -> str:
    """List: the last events, newest first (`history.py`)."""
    return f"locanda:{{{tag}}}:{table}:events"


def log(tag: str, table: str) -> str:
    """List: the lines of all deals, in one key so that they live and expire together."""
    return f"locanda:{{{tag}}}:{table}:log"


def mark(tag: str) -> str:
    """String: nothing; who has it has everything that its server wrote before."""
    return f"locanda:{{{tag}}}:mark"


def answer(tag: str, table: str, key: bytes) -> str:
    """String: the first answer under an idempotency key."""
    return f"locanda:{{{tag}}}:{table}:answer:{key.hex()}"


def changed(tag: str, table: str) -> str:
    """Channel: a hint that the table has changed."""
    return f"locanda:{{{tag}}}:{table}:changed"
