"""All keys and channels in Redis.

On a cluster, a Lua script may only access keys in one hash slot. So tables are divided into buckets, and all keys of a
table have its bucket as hash tag, like the bucket's deadlines and listings.
"""

import re
from binascii import crc32
from functools import lru_cache

from msgspec import Struct

TAGS = ("10", "3", "61", "43", "11", "2", "60", "42", "12", "1", "63", "41", "13", "0", "62", "40")
"""Hash tags of the buckets. Each is in a different sixteenth of the slots, so that cluster nodes share the load."""

HEARTBEAT = "locanda:beat"
PING = "locanda:ping"
"""Key that is written to check whether Redis accepts writes."""
SUBSCRIBED = "locanda:subscribed"
"""Channel on which nothing is published."""

SENDER_KEY = "locanda:push"
"""String: the private key that identifies this installation to push services."""
ADMINISTERED = "locanda:{admin}:set"
"""String: eight bytes of version, then the operators' settings."""
ACTS = "locanda:{admin}:acts"
"""List: the operators' acts, newest first."""
KEYS_USED = "locanda:{admin}:used"
"""Hash: when each API key was last used, in epoch milliseconds, by name."""
ENGINES = "locanda:{admin}:engines"
"""Hash: the latest report of each engine, by name."""
ADMINISTERED_CHANNEL = "locanda:{admin}:changed"
"""Channel: notifications with the operators' settings."""


STATES = "locanda:{*}:*:table"
"""Pattern of the keys of all tables' snapshots."""
_STATE = re.compile(rb"locanda:\{[0-9]+\}:([A-Za-z0-9_-]+):table")

CACHED_TABLES = 16_384
"""Number of tables whose keys are cached, about a kilobyte each."""


class TableKeys(Struct, frozen=True):
    """All keys and channels of a table and its bucket."""

    state: str
    """String: eight bytes of version, then the snapshot."""
    events: str
    """List: the latest transitions, newest first, each as delta to the snapshot before (`records.apply_deltas`)."""
    log: str
    """List: the lines of all deals. All are in one key, so that they expire together."""
    answers: str
    """Prefix of an idempotency key's hash in hex. String: the first answer with that key."""
    answered: str
    """Prefix of a caller's hash in hex. List: the keys of the latest answers to the caller, newest first."""
    callers: str
    """List: the keys of the lists of answers, the most recent caller first."""
    said: str
    """Prefix of a seat's number. String: the seat's last remark, which expires when the seat may make another remark.
    """
    changed: str
    """Channel: notifications of changes and remarks."""
    subscriptions: str
    """Hash: subscriptions to the table's notices, by id; the field `turn` has the version at which the turn began."""
    deliveries: str
    """Prefix of a subscription's id. List: outcomes of its latest notices, newest first."""
    tests: str
    """Prefix of a subscription's id. String: its latest test notice."""
    evening: str
    """Hash: subscriptions to the table's next evening, by id, and the evening itself (`evenings.py`)."""
    deadlines: str
    listed: str
    watched: str
    openers: str
    notices: str
    mark: str
    """String, empty. A replica that has this key also has everything that its primary wrote before."""


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
    """Return the hash tag of a table's bucket. It is the same in all processes and releases."""
    return TAGS[crc32(table.encode()) % len(TAGS)]


def table_of(state: bytes) -> str | None:
    """Return the table's id from the key of its snapshot; None for other keys."""
    match = _STATE.fullmatch(state)
    return match[1].decode() if match else None


def deadlines(tag: str) -> str:
    """Sorted set: the bucket's tables, by wake time or, if claimed, by the end of the lease."""
    return f"locanda:{{{tag}}}:deadlines"


def of_table(table: str) -> str:
    """Return the pattern of all keys of a table."""
    return f"locanda:{{{tag_of(table)}}}:{table}:*"


def numbers(day: str) -> str:
    """Hash: the statistics of a day, such as 2026-01-31."""
    return f"locanda:{{admin}}:day:{day}"


def listed(tag: str) -> str:
    """Sorted set: the bucket's listed open tables, by the time when they were listed."""
    return f"locanda:{{{tag}}}:listed"


def watched(tag: str) -> str:
    """Sorted set: the bucket's listed tables in play, by the time when they began."""
    return f"locanda:{{{tag}}}:watched"


def openers(tag: str) -> str:
    """Hash: the group of the client who opened each of the bucket's listed tables."""
    return f"locanda:{{{tag}}}:openers"


def account(tag: str, group: bytes) -> str:
    """Hash: the storage that the tables of a group of clients use in a bucket (`scripts/account.lua`)."""
    return f"locanda:{{{tag}}}:held:{group.hex()}"


def notices(tag: str) -> str:
    """Sorted set: the bucket's notices, by the time when they are due.

    The set also has the tables with subscriptions, which are due when they expire.
    """
    return f"locanda:{{{tag}}}:notices"
