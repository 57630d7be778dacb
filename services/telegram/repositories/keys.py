"""Every key of the bot in Redis. Each write touches one key only, so that a Redis Cluster serves as well.

What release 0.1.0 stores too keeps its name of there (`room`, `told`, `sitting`, `departing`, `picked`): it can be
put back under play (docs/upgrade.md), and nothing older is read.
"""

import re
from typing import Literal, NamedTuple, cast

LIVE = "bot:live"
"""Sorted set: references of tables by the time of their last use."""
MOVED = "bot:moved"
"""Hash: ids of groups that became supergroups, to the supergroups' ids."""

EVENING_REF = 16
"""Characters of the reference of an evening."""

LEADER = "bot:leader"
"""String that expires: the name of the process that leads (`lease.py`)."""
UPDATES = "bot:updates"
"""Hash: Telegram's unhandled updates as JSON, by id."""
ARRIVALS = "bot:arrivals"
"""List: ids of updates in `UPDATES` that other processes than the leader have stored, oldest first."""
CUSTOM_EMOJI = "bot:emoji"
"""Hash: ids of custom emoji by the names of their pictures."""
ANNOUNCED = "bot:announced"
"""Hash: by chat and topic, when the maintenance begins that was announced there; gone once nothing is announced."""
NEWEST = "bot:newest"
"""Hash: by sequence of messages (`sending/lost_messages.py`), the newest id that no table's record tells."""
DELIVERIES = "bot:deliveries"
"""Hash: `StoredMessage` or `StoredDeletion` by their subject, until they are delivered."""


PLANNED = "bot:planned"
"""Set: the groups that have fixed an evening, or had one."""
SEASONS = "bot:seasons"
"""Set: the groups with a season."""
EVENINGS = "bot:evenings"
"""Set: references of the evenings that still have something to show."""


def ephemeral(server: str) -> str:
    """String that expires: 1 if the Bot API server at an address knows ephemeral messages, 0 if not."""
    return f"bot:ephemeral:{server}"


def person(user: int) -> str:
    """Hash: a `PersonRecord`'s fields."""
    return f"bot:person:{user}"


def tables_of(user: int) -> str:
    """Set: references of the tables at which a person sits."""
    return f"bot:person:{user}:tables"


def lesson(user: int) -> str:
    """String that expires: the `LessonRecord` of a person, as JSON."""
    return f"bot:person:{user}:lesson"


def leaderboards_of(user: int) -> str:
    """Set: the chats on whose leaderboards a person is."""
    return f"bot:person:{user}:boards"


def chat(chat: int) -> str:
    """Hash: a `ChatRecord`'s fields."""
    return f"bot:chat:{chat}"


def choices(chat: int) -> str:
    """Hash: a `LastChoice` by game."""
    return f"bot:chat:{chat}:choices"


def tables_in(chat: int) -> str:
    """Set: references of a chat's tables."""
    return f"bot:chat:{chat}:tables"


def evenings_of(chat: int) -> str:
    """Hash: `plan`, the `EveningPlan`; `latest`, the reference of the evening that was announced last; `seen`, the
    newest message of evenings that are deleted; by `shared:table` the `SharedTable`; `season`, the `Season`; by
    `season:number`, the `PastSeason` with its winners.
    """
    return f"bot:chat:{chat}:evenings"


def season_scores(chat: int, number: int) -> str:
    """String: the `Score` of everybody in a past season, best first, as JSON."""
    return f"bot:chat:{chat}:season:{number}"


def titles(chat: int) -> str:
    """Hash: a `GroupTitle` by game."""
    return f"bot:chat:{chat}:titles"


def evening(ref: str) -> str:
    """Hash: `facts`, the `Evening`; by `comes:person` 1 or 0 and since when (Unix seconds); by `seen:person` the round
    in which they last said that they are there; by `match:table:number` the `PlayedMatch`.
    """
    return f"bot:evening:{ref}"


def is_evening(ref: str) -> bool:
    """Return whether a reference is an evening's: it has a date behind the letters that a table's has."""
    return len(ref) == EVENING_REF


def leaderboard(chat: int) -> str:
    """Hash: numbers by `game:user:wins` and `game:user:matches`, a `Rating` as text by `game:user:rating`,
    wins in a row now and at best by `every:user:row`, the `Company` in older matches by `every:user:company`, the
    `MatchRecord` of each counted match as text by `counted:table:match`.
    """
    return f"bot:chat:{chat}:board"


def chat_table(ref: str) -> str:
    """Hash: `room`, the `ChatTable`; `told`, the engine's version up to which all messages were sent."""
    return f"bot:table:{ref}"


def tokens(ref: str) -> str:
    """Hash: the seat's token by person."""
    return f"bot:table:{ref}:tokens"


def seat_requests(ref: str) -> str:
    """Hash: by person, the `SeatRequest` whose answer is not stored yet."""
    return f"bot:table:{ref}:sitting"


def departures(ref: str) -> str:
    """Hash: by person, why they have left (`Departure`); those with a token must still leave at the engine."""
    return f"bot:table:{ref}:departing"


def messages(ref: str) -> str:
    """Hash: `ShownMessage` by slot (`slot_to_field`), of a table or an evening."""
    return f"bot:{'evening' if is_evening(ref) else 'table'}:{ref}:shown"


def messages_of_0_1(ref: str) -> str:
    """Hash: the message's id by slot, as release 0.1.0 stored it; used if `messages` has no record."""
    return f"bot:table:{ref}:messages"


def selected(ref: str) -> str:
    """Hash: `SelectedCards` by person."""
    return f"bot:table:{ref}:picked"


def nudged(ref: str) -> str:
    """String that expires: set when a person at the table was nudged."""
    return f"bot:table:{ref}:nudged"


def nudges(ref: str, version: int, number: int) -> str:
    """String that expires: the update that nudged, as this number, while the table was at this version."""
    return f"bot:table:{ref}:nudges:{version}:{number}"


def banned(ref: str) -> str:
    """Hash: the people who were removed from a table and may not sit down there again."""
    return f"bot:table:{ref}:banned"


def asked(ref: str) -> str:
    """Hash: by person, the match in which they last asked to close the table; with `:kept` once that was answered."""
    return f"bot:table:{ref}:asked"


def votes(ref: str) -> str:
    """Hash: by person, the number of the match and 1 for a vote to close the table; 0, of earlier releases, is none."""
    return f"bot:table:{ref}:votes"


def left(ref: str) -> str:
    """Hash: by person, the number of the last match in which they had cards, and behind `:` their seat."""
    return f"bot:table:{ref}:left"


def shuffles(ref: str) -> str:
    """Hash: by `table:match:`, `commitment`, `outcome`, and by person the client seed and `given` once confirmed.

    `table` is the engine's id of the table: the one behind a reference changes when everybody leaves.
    """
    return f"bot:table:{ref}:shuffles"


OF_A_TABLE = (
    chat_table,
    tokens,
    seat_requests,
    departures,
    messages,
    messages_of_0_1,
    selected,
    nudged,
    votes,
    banned,
    asked,
    left,
    shuffles,
)
"""The keys under a table's reference, deleted together."""

_REMEMBERED = re.compile(
    r"bot:(planned|seasons|evenings|evening:[^:]+(:shown)?|person:\d+(:(tables|boards))?|chat:-?\d+(:(choices|tables|evenings|titles))?"
    r"|table:[^:]+(:(tokens|sitting|departing|shown|messages|picked|votes|banned|asked|left|shuffles))?)"
)


def is_remembered(key: str) -> bool:
    """Return whether the leader may cache a key: it does not expire, and no script writes it."""
    return _REMEMBERED.fullmatch(key) is not None


# --- what messages of tables depend on


Kind = Literal["table", "chat", "person", "evening"]


class Subject(NamedTuple):
    """The subject of a stored value: a table, an evening, a chat with its tables, or a person with theirs."""

    kind: Kind
    name: str
    """The table's reference, or the id."""


_SHOWN = re.compile(
    r"bot:(person|chat|table|evening):([^:]+)(:(?:tables|tokens|departing|picked|votes|shuffles|evenings))?"
)
"""Keys with facts that messages of tables and evenings show."""


def subject_of(key: str) -> Subject | None:
    """Return whose messages may have to change once a key is written; None if none has."""
    match = _SHOWN.fullmatch(key)
    if match is None or (match[1] == "person" and match[3]):
        return None
    return Subject(cast("Kind", match[1]), match[2])
