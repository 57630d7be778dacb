"""All keys of the bot in Redis. Each command touches one key only, so that a Redis Cluster works as well.

Keys and fields that release 0.1.0 also uses keep its names (`room`, `told`, `sitting`, `departing`, `picked`), because
an operator may go back to it during matches (docs/upgrade.md). Nothing older is read.
"""

import re
from typing import Literal, NamedTuple, cast

LIVE = "bot:live"
"""Sorted set: references of tables, by the time of their last use (Unix seconds)."""
MOVED = "bot:moved"
"""Hash: ids of supergroups, by the old id of the group that became the supergroup."""

EVENING_REF = 16
"""Number of characters in an evening's reference."""

LEADER = "bot:leader"
"""String that expires: the name of the process that leads (`lease.py`)."""
UPDATES = "bot:updates"
"""Hash: Telegram's unhandled updates as JSON, by id."""
ARRIVALS = "bot:arrivals"
"""List: ids of updates in `UPDATES` that processes other than the leader have stored, oldest first."""
CUSTOM_EMOJI = "bot:emoji"
"""Hash: ids of custom emoji, by picture name."""
ANNOUNCED = "bot:announced"
"""Hash: the beginning of the maintenance announced in a chat, by chat and topic; deleted after the maintenance."""
NEWEST = "bot:newest"
"""Hash: the newest message id that no table's record has, by sequence (`sending/lost_messages.py`)."""
DELIVERIES = "bot:deliveries"
"""Hash: pending `StoredMessage` and `StoredDeletion` records, by a name for their subject."""


PLANNED = "bot:planned"
"""Set: the groups that have or had a plan for evenings."""
SEASONS = "bot:seasons"
"""Set: the groups with a season."""
EVENINGS = "bot:evenings"
"""Set: references of the evenings whose messages are not final yet."""


def ephemeral(server: str) -> str:
    """String that expires: 1 if the Bot API server at this address supports ephemeral messages, 0 if not."""
    return f"bot:ephemeral:{server}"


def person(user: int) -> str:
    """Hash: a `PersonRecord`'s fields."""
    return f"bot:person:{user}"


def tables_of(user: int) -> str:
    """Set: references of the tables at which a person sits."""
    return f"bot:person:{user}:tables"


def lesson(user: int) -> str:
    """String that expires: a person's `LessonRecord` as JSON."""
    return f"bot:person:{user}:lesson"


def leaderboards_of(user: int) -> str:
    """Set: the chats whose leaderboards list a person."""
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
    """Hash with a group's evenings, seasons and decisions.

    - `plan`: the `EveningPlan`.
    - `latest`: the reference of the last announced evening.
    - `seen`: the newest message id of deleted evenings.
    - `shared:table`: a `SharedTable`.
    - `decision:person`: a person's `GroupDecision`.
    - `season`: the `Season`.
    - `season:number`: a `PastSeason` with its winners.
    """
    return f"bot:chat:{chat}:evenings"


def season_scores(chat: int, number: int) -> str:
    """String: all `Score`s of a past season, best first, as JSON."""
    return f"bot:chat:{chat}:season:{number}"


def titles(chat: int) -> str:
    """Hash: a `GroupTitle` by game."""
    return f"bot:chat:{chat}:titles"


def evening(ref: str) -> str:
    """Hash with an evening.

    - `facts`: the `Evening`.
    - `comes:person`: 1 or 0 for whether they come, and the time of their answer (Unix seconds).
    - `seen:person`: the round in which they last pressed a button of the evening.
    - `match:table:number`: a `PlayedMatch`.
    """
    return f"bot:evening:{ref}"


def is_evening(ref: str) -> bool:
    """Return whether a reference is an evening's, which has eight characters like a table's reference, then a date."""
    return len(ref) == EVENING_REF


def leaderboard(chat: int) -> str:
    """Hash with a chat's leaderboards.

    - `game:user:wins`, `game:user:matches`: numbers.
    - `game:user:rating`: a `Rating` as text.
    - `game:user:change`: the last counted match and the points before it.
    - `every:user:row`: current and longest streak of wins over all games.
    - `every:user:company`: the `Company` of older matches.
    - `counted:table:match`: the `MatchRecord` of a counted match as text.
    """
    return f"bot:chat:{chat}:board"


def chat_table(ref: str) -> str:
    """Hash: `room`, the `ChatTable`; `told`, the table's version up to which messages were sent."""
    return f"bot:table:{ref}"


def tokens(ref: str) -> str:
    """Hash: the token of each person's seat."""
    return f"bot:table:{ref}:tokens"


def seat_requests(ref: str) -> str:
    """Hash: the pending `SeatRequest` of each person."""
    return f"bot:table:{ref}:sitting"


def departures(ref: str) -> str:
    """Hash: why each person has left (`Departure`). People with a token must still leave the engine's table."""
    return f"bot:table:{ref}:departing"


def messages(ref: str) -> str:
    """Hash: the `ShownMessage` of each slot (`slot_to_field`) of a table or evening."""
    return f"bot:{'evening' if is_evening(ref) else 'table'}:{ref}:shown"


def messages_of_0_1(ref: str) -> str:
    """Hash: message ids by slot, as release 0.1.0 stored them; read for slots that `messages` does not have."""
    return f"bot:table:{ref}:messages"


def selected(ref: str) -> str:
    """Hash: the `SelectedCards` of each person."""
    return f"bot:table:{ref}:picked"


def nudged(ref: str) -> str:
    """String that expires: the last update that nudged at a table."""
    return f"bot:table:{ref}:nudged"


def nudges(ref: str, version: int, number: int) -> str:
    """String that expires: the update that made nudge number `number` at this version of a table."""
    return f"bot:table:{ref}:nudges:{version}:{number}"


def banned(ref: str) -> str:
    """Hash: the people who were removed from a table and may not take a seat there again."""
    return f"bot:table:{ref}:banned"


def asked(ref: str) -> str:
    """Hash: the match in which each person last asked to close the table, with `:kept` after the vote failed."""
    return f"bot:table:{ref}:asked"


def votes(ref: str) -> str:
    """Hash: each person's vote to close the table: the match and 1. A 0, from earlier releases, does not count."""
    return f"bot:table:{ref}:votes"


def left(ref: str) -> str:
    """Hash: each person's last match at a table and, after `:`, their seat in it."""
    return f"bot:table:{ref}:left"


def shuffles(ref: str) -> str:
    """Hash with the data to check shuffles; each field begins with `table:match:`.

    `table` is the id of the engine's table, which may change for one reference. The prefix is followed by `commitment`,
    `outcome`, a person's id (for their client seed), or `person:given` (once the engine has accepted the seed).
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
"""The keys of a table, deleted together."""

_REMEMBERED = re.compile(
    r"bot:(planned|seasons|evenings|evening:[^:]+(:shown)?|person:\d+(:(tables|boards))?|chat:-?\d+(:(choices|tables|evenings|titles))?"
    r"|table:[^:]+(:(tokens|sitting|departing|shown|messages|picked|votes|banned|asked|left|shuffles))?)"
)


def is_remembered(key: str) -> bool:
    """Return whether the leader may cache a key: one that does not expire and that no script writes."""
    return _REMEMBERED.fullmatch(key) is not None


# --- subjects of changes


Kind = Literal["table", "chat", "person", "evening"]


class Subject(NamedTuple):
    """The owner of a stored value: a table, an evening, a chat with its tables, or a person with their tables."""

    kind: Kind
    name: str
    """The reference of the table or evening, or the id of the chat or person."""


_SHOWN = re.compile(
    r"bot:(person|chat|table|evening):([^:]+)(:(?:tables|tokens|departing|picked|votes|shuffles|evenings))?"
)
"""Matches keys whose data appears in messages of tables and evenings."""


def subject_of(key: str) -> Subject | None:
    """Return the subject whose messages may change after a write of this key, or None."""
    match = _SHOWN.fullmatch(key)
    if match is None or (match[1] == "person" and match[3]):
        return None
    return Subject(cast("Kind", match[1]), match[2])
