"""Values of the API with their limits: names, tokens, seeds, levels."""

from typing import TYPE_CHECKING, Annotated, Literal, NewType, TypeAlias

from msgspec import Meta, Struct

from locanda.games.base import COMPUTER_LEVELS as COMPUTER_LEVELS
from locanda.games.base import ComputerLevel as ComputerLevel
from locanda.games.base import JsonObject as JsonObject

if TYPE_CHECKING:
    from locanda.games.literals import LiteralGame, LiteralMove, LiteralOptions

    GameName = NewType("GameName", str)
    GivenMove = NewType("GivenMove", JsonObject)
    GivenOptions = NewType("GivenOptions", JsonObject)
    AnyGameName: TypeAlias = LiteralGame | GameName
    AnyOptions: TypeAlias = LiteralOptions | GivenOptions | Struct
    AnyMove: TypeAlias = LiteralMove | GivenMove | Struct
else:
    # at run time: msgspec checks these types, and games of other packages have other names
    GameName = AnyGameName = str
    GivenMove = GivenOptions = AnyMove = AnyOptions = JsonObject

TABLE_LINK = "/t/{table}"
"""Path of the link to a table that people share, relative to an engine's address."""
LONGEST_NAME = 32
"""Length limit of names, in characters."""
UNPRINTABLE = (
    "\\x00-\\x1f\\x7f-\\x9f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f"
    "\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb"
)
"""Characters that names must not contain: controls, line breaks, invisible characters, changes of text direction.

The engine applies the complete rule, with Unicode properties; a pattern that all languages understand cannot express
it.
"""
ATTACHED = "\\s\\u200c\\u200d\\u2800"
"""Characters that names must not begin or end with: spaces, joiners and the blank Braille pattern."""
MARKS = "\\u0300-\\u036f\\ufe00-\\ufe0f"
"""Characters that names must not begin with: combining marks and variation selectors."""
PRINTABLE = f"^[^{ATTACHED}{MARKS}{UNPRINTABLE}](?:[^{UNPRINTABLE}]*[^{ATTACHED}{UNPRINTABLE}])?(?!\\n)$"
"""One line without spaces at its ends. `(?!\\n)` is needed because `$` in Python also matches before a final
newline."""

TableId = Annotated[
    str, Meta(pattern="^[A-Za-z0-9_-]{22}$", max_length=22, description="An unguessable id of 128 bits.")
]
Token = Annotated[
    str, Meta(pattern="^[A-Za-z0-9_-]{43}$", max_length=43, description="A bearer token of 256 bits, shown once.")
]
PlayerName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=LONGEST_NAME,
        pattern=PRINTABLE,
        description="One line that begins with a visible character, and has no controls, no changes of text direction, "
        "no characters that cannot be seen, and at most four marks on one character.",
    ),
]
ClientSeed = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=PRINTABLE,
        description="A player's own share in the shuffle: one line without controls, or spaces at its ends.",
    ),
]
LONGEST_TURN = 604_800
"""Limit of the time for a turn, in seconds: a week."""
TurnSeconds = Annotated[int, Meta(ge=1, le=LONGEST_TURN, description="Time for a turn, in seconds; null for no limit.")]
OWN_PREFIX = "@"
OWN_NAME = "[a-z0-9_-]{1,12}"
"""Pattern of an own player's name, which follows the prefix in a level."""
SIGNING_SECRET = "whsec_([A-Za-z0-9+/]{4}){8,21}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"  # noqa: S105 - a pattern
"""Pattern of a Standard Webhooks secret: 24 to 64 bytes in base64 after a prefix."""
SeatableLevel = Annotated[
    str,
    Meta(
        pattern=f"^(easy|medium|hard|{OWN_PREFIX}{OWN_NAME})(?!\\n)$",
        max_length=13,
        description="`easy`, `medium`, `hard`, or an own player of the server's, such as `@ada`: one of the game's "
        "`levels`.",
    ),
]
"""Level of a computer player to seat."""
Level = Annotated[
    str,
    Meta(
        pattern=f"^(easy|medium|hard|plain|{OWN_PREFIX}{OWN_NAME})(?!\\n)$",
        max_length=13,
        description="`easy`, `medium`, `hard`, an own player such as `@ada`, or `plain`, the computer player of "
        "release 0.1.0.",
    ),
]
"""Level of a seat; `plain` is for clients and tables of release 0.1.0."""
SubstituteLevel = Annotated[
    ComputerLevel,
    Meta(description="The level of computers that play for people who left or are away, or whose time is up."),
]
HintsAllowed = Annotated[bool, Meta(description="Whether seats may ask for hints.")]
FillSeats = Annotated[
    bool,
    Meta(
        description="Whether computers take the seats of those who leave out a rematch for which too few stay; else it "
        "waits for newcomers."
    ),
]
Locked = Annotated[
    bool, Meta(description="Whether the table is closed to new people; the host may lock it at any time.")
]
PileName = Annotated[
    str,
    Meta(
        pattern="^[a-z_]{1,30}(-[0-9]{1,2})?(?!\\n)$",
        max_length=33,
        description="`hand`, or a pile of the game, with its number where there are several: `stock`, `build-0`.",
    ),
]
Language = Literal["it", "en"]
Status = Literal["open", "playing", "over"]


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """Base class of request bodies: unknown fields are refused."""
