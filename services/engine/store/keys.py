"""Every key and channel in Redis.

A Lua script may touch the keys of one hash slot only. A table's keys have its bucket as hash tag, not its own id, and
so do the bucket's deadlines and listing. So one script can change all of them, on a cluster too.
"""

import re
from binascii import crc32
from functools import lru_cache

from msgspec import Struct

TAGS = ("10", "3", "61", "43", "11", "2", "60", "42", "12", "1", "63", "41", "13", "0", "62", "40")
"""Hash tags of the buckets. Each lies in another sixteenth of all slots, so that nodes of a cluster share the load."""

HEARTBEAT = "locanda:beat"
PING = "locanda:ping"
"""Written to find out whether Redis takes writes."""
SUBSCRIBED = "locanda:subscribed"
"""A channel on which nothing is ever published."""

SENDER_KEY = "locanda:push"
"""String: the private key with which push services know this installation."""
ADMINISTERED = "locanda:{admin}:set"
"""String: eight bytes of version, then the operators' settings."""
ACTS = "locanda:{admin}:acts"
"""List: the operators' acts, newest first."""
KEYS_USED = "locanda:{admin}:used"
"""Hash: API keys by name, and when each was used last, in epoch milliseconds."""
ENGINES = "locanda:{admin}:engines"
"""Hash: engines by name, and their last reports."""
ADMINISTERED_CHANNEL = "locanda:{admin}:changed"
"""Channel: notifications with the operators' settings."""


STATES = "locanda:{*}:*:table"
"""The pattern of the keys of all tables' snapshots."""
_STATE = re.compile(rb"locanda:\{[0-9]+\}:([A-Za-z0-9_-]+):table")

CACHED_TABLES = 16_384
"""The number of tables with cached keys, of about a kilobyte each."""


class TableKeys(Struct, frozen=True):
    """Every key and channel of a table and of its bucket."""

    state: str
    """String: eight bytes of version, then the snapshot."""
    events: str
    """List: the last transitions as deltas to the snapshot before, newest first; `records.apply_deltas` reads them."""
    log: str
    """List: the lines of all deals, in one key so that they live and expire together."""
    answers: str
    """Before an idempotency key's hash in hex. String: the first answer under it."""
    answered: str
    """Before a caller's hash in hex. List: the keys of the caller's last answers, newest first."""
    callers: str
    """List: the keys of these lists, the newest caller's first."""
    said: str
    """Before a seat's number. String: the seat's last remark, while the seat may not make another."""
    changed: str
    """Channel: notifications of changes and remarks."""
    subscriptions: str
    """Hash: by its id, each subscription to the table's notices; under `turn` the version at which the turn began."""
    deliveries: str
    """Before a subscription's id. List: outcomes of its last notices, newest first."""
    tests: str
    """Before a subscription's id. String: its last test notice."""
    evening: str
    """Hash: by its id, each subscription to when the table's people meet again; and what is set (`evenings.py`)."""
    deadlines: str
    listed: str
    watched: str
    openers: str
    notices: str
    mark: str
    """String, empty: a replica that holds it holds everything that its primary wrote before."""


@lru_cache(CACHED_TABLES)
def of(table: str) -> TableKeys:
    """Return the keys of a table."""
    tag = tag_of(table)
    return TableKeys(
        state=f"locanda:{{{tag}}}:{table}:table",
        events=f"locanda:{{{tag}}}:{table}:past",
        log=f"locanda:{{{tag}}}:{table}:log",
        answers=f"locanda:{{{tag}}}:{table}:answer:",
        answered=f"locanda:{{{tag}}}:{table}:answered:",
        callers=f"locanda:{{{tag}}}:{table}:callers",
        said=f"locanda:{{{tag}}}:{table}:said:",
        changed=f"locanda:{{{tag}}}:{table}:changed",
        subscriptions=f"locanda:{{{tag}}}:{table}:subscriptions",
        deliveries=f"locanda:{{{tag}}}:{table}:deliveries:",
        tests=f"locanda:{{{tag}}}:{table}:tests:",
        evening=f"locanda:{{{tag}}}:{table}:evening",
        deadlines=deadlines(tag),
        listed=listed(tag),
        watched=watched(tag),
        openers=openers(tag),
        notices=notices(tag),
        mark=f"locanda:{{{tag}}}:mark",
    )


def tag_of(table: str) -> str:
    """Return the hash tag of a table's bucket: the same in every process and release."""
    return TAGS[crc32(table.encode()) % len(TAGS)]


def table_of(state: bytes) -> str | None:
    """Return the table of a snapshot's key, None for any other key."""
    match = _STATE.fullmatch(state)
    return match[1].decode() if match else None


def deadlines(tag: str) -> str:
    """Sorted set: the bucket's tables by wake time, or by the end of a claim's lease."""
    return f"locanda:{{{tag}}}:deadlines"


def of_table(table: str) -> str:
    """Return the pattern of all keys of a table."""
    return f"locanda:{{{tag_of(table)}}}:{table}:*"


def numbers(day: str) -> str:
    """Hash: the numbers of a day, such as 2026-01-31."""
    return f"locanda:{{admin}}:day:{day}"


def listed(tag: str) -> str:
    """Sorted set: the bucket's open listed tables by the time at which they were first listed."""
    return f"locanda:{{{tag}}}:listed"


def watched(tag: str) -> str:
    """Sorted set: the bucket's listed tables in play, by the time at which they began."""
    return f"locanda:{{{tag}}}:watched"


def openers(tag: str) -> str:
    """Hash: of the bucket's listed tables, the group of the client who opened each."""
    return f"locanda:{{{tag}}}:openers"


def account(tag: str, group: bytes) -> str:
    """Hash: what the tables of a group of clients take in a bucket (`scripts/account.lua`)."""
    return f"locanda:{{{tag}}}:held:{group.hex()}"


def notices(tag: str) -> str:
    """Sorted set: the bucket's notices by the time at which they are to be sent; also its tables with subscriptions.

    A table is due when it expires.
    """
    return f"locanda:{{{tag}}}:notices"
