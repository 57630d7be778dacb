"""Every key of the bot in Redis. Each write touches one of them, so that a cluster serves as well."""

LIVE = "bot:live"
"""Sorted set: references of tables by the time of their last use."""
MOVED = "bot:moved"
"""Hash: old ids of groups that became supergroups, to the new ones."""


def person(user: int) -> str:
    """Hash: a `Person`'s fields."""
    return f"bot:person:{user}"


def rooms_of(user: int) -> str:
    """Set: the tables at which a person sits."""
    return f"bot:person:{user}:tables"


def boards_of(user: int) -> str:
    """Set: the chats on whose leaderboards a person is."""
    return f"bot:person:{user}:boards"


def chat(chat: int) -> str:
    """Hash: a `Chat`'s fields."""
    return f"bot:chat:{chat}"


def choices(chat: int) -> str:
    """Hash: a `Choice` by game."""
    return f"bot:chat:{chat}:choices"


def rooms_in(chat: int) -> str:
    """Set: the tables of a chat."""
    return f"bot:chat:{chat}:tables"


def board(chat: int) -> str:
    """Hash: numbers by `game:user:wins` and `game:user:matches`, and which matches are counted."""
    return f"bot:chat:{chat}:board"


def room(ref: str) -> str:
    """Hash: the `Room`, and how far its events have been told."""
    return f"bot:table:{ref}"


def tokens(ref: str) -> str:
    """Hash: the seat's token by person."""
    return f"bot:table:{ref}:tokens"


def messages(ref: str) -> str:
    """Hash: message ids by slot: what has been announced, and which message shows what."""
    return f"bot:table:{ref}:messages"


def rung(ref: str) -> str:
    """Hash: by person, for which turn his phone has rung."""
    return f"bot:table:{ref}:rung"


def picked(ref: str) -> str:
    """Hash: by person, the cards that he has taken up, and in which version of the table."""
    return f"bot:table:{ref}:picked"


def nudged(ref: str) -> str:
    """A mark that expires: somebody has just been nudged here."""
    return f"bot:table:{ref}:nudged"


OF_A_TABLE = (room, tokens, messages, rung, picked, nudged)
"""All that is kept under a table's reference, and goes with it."""
