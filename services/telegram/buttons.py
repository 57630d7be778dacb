"""What a button stands for, packed into Telegram's `callback_data`: 1 to 64 bytes (Bot API, InlineKeyboardButton).

A button names the table by a short local reference and, where it acts on a state, the version it was drawn from.
"""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

FORMAT = "1"
"""Grows when old buttons must no longer be understood."""
LIMIT = 64

Ref = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{8}$")]
GameName = Annotated[str, Meta(pattern="^[a-z_]{1,24}$")]
Version = Annotated[int, Meta(ge=0, le=1_000_000)]
Code = Annotated[str, Meta(pattern="^[ -!#-\\[\\]-~]{1,36}$")]
"""What is played, in the game's own spelling: a card's code, or `-` for a pass."""
Place = Annotated[int, Meta(ge=0, le=63)]
"""A card that may be taken up: its place among those of the hand, counted from 0."""
OptionName = Annotated[str, Meta(pattern="^[a-z_]{1,24}$")]
Value = Annotated[int, Meta(ge=0, le=1_000_000)]


class Tap(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The base of all buttons."""


class Choose(Tap, frozen=True, tag="g"):
    """Opens a lobby for this game; in the private chat, a table with so many computer players."""

    ref: Ref
    game: GameName
    computers: Annotated[int, Meta(ge=0, le=9)] = 0


class Sit(Tap, frozen=True, tag="s"):
    """Sits down."""

    ref: Ref


class Stand(Tap, frozen=True, tag="u"):
    """Gets up from an open table."""

    ref: Ref


class Computers(Tap, frozen=True, tag="c"):
    """Seats a computer player, or sends one away."""

    ref: Ref
    version: Version
    step: Literal[1, -1]


class ShowLobby(Tap, frozen=True, tag="l"):
    """Back to the lobby from its options."""

    ref: Ref


class ShowOptions(Tap, frozen=True, tag="o"):
    """Opens the options."""

    ref: Ref


class SetOption(Tap, frozen=True, tag="O"):
    """Sets an option: a switch's 0 or 1, a choice's index, a number itself."""

    ref: Ref
    version: Version
    name: OptionName
    value: Value


class SetTime(Tap, frozen=True, tag="t"):
    """Sets the time for a turn, in seconds; 0 for none."""

    ref: Ref
    version: Version
    seconds: Value


class Start(Tap, frozen=True, tag="S"):
    """Starts the match."""

    ref: Ref
    version: Version


class Close(Tap, frozen=True, tag="x"):
    """Closes the table; not before it is sure."""

    ref: Ref
    sure: bool = False


class Hand(Tap, frozen=True, tag="h"):
    """Shows the presser his hand."""

    ref: Ref


class Move(Tap, frozen=True, tag="m"):
    """Plays."""

    ref: Ref
    version: Version
    code: Code


class Pick(Tap, frozen=True, tag="p"):
    """Takes a card up, to be played with others, or puts it back; tapped twice, it acts once."""

    ref: Ref
    version: Version
    place: Place
    up: bool


class PutBack(Tap, frozen=True, tag="P"):
    """Puts all cards back that were taken up."""

    ref: Ref
    version: Version


class Return(Tap, frozen=True, tag="r"):
    """Takes the hand back from the computer player."""

    ref: Ref


class Leave(Tap, frozen=True, tag="q"):
    """Leaves the table in mid-game; not before it is sure. `sure` is null to stay after all."""

    ref: Ref
    sure: bool | None = False


class Rematch(Tap, frozen=True, tag="R"):
    """Plays again after this match."""

    ref: Ref
    match: Version


class OpenRules(Tap, frozen=True, tag="i"):
    """Opens the rules of a table's game in the private chat."""

    ref: Ref


class Rules(Tap, frozen=True, tag="?"):
    """Turns to a page of the rules: at a table, or of a game alone."""

    game: GameName
    page: Annotated[int, Meta(ge=0, le=999)]
    ref: Ref | None = None


class Board(Tap, frozen=True, tag="b"):
    """Shows a game's leaderboard."""

    game: GameName


class SetHouse(Tap, frozen=True, tag="H"):
    """Changes a setting of the chat, or of the person in his private chat."""

    name: Literal["language", "seconds", "hosts", "nudges"]
    value: Value


class Forget(Tap, frozen=True, tag="f"):
    """Deletes what the bot knows of the presser, or takes him off the leaderboards."""

    what: Literal["all", "boards", "nothing"]


AnyTap: TypeAlias = (
    Choose
    | Sit
    | Stand
    | Computers
    | ShowLobby
    | ShowOptions
    | SetOption
    | SetTime
    | Start
    | Close
    | Hand
    | Move
    | Pick
    | PutBack
    | Return
    | Leave
    | Rematch
    | OpenRules
    | Rules
    | Board
    | SetHouse
    | Forget
)

_decoder: msgspec.json.Decoder[AnyTap] = msgspec.json.Decoder(AnyTap)


def pack(tap: AnyTap) -> str:
    """Return the callback data. Raises `ValueError` beyond Telegram's 64 bytes."""
    data = FORMAT + msgspec.json.encode(tap).decode()
    if len(data.encode()) > LIMIT:
        raise ValueError(f"{type(tap).__name__} outgrows {LIMIT} bytes of callback data")
    return data


def unpack(data: str) -> AnyTap | None:
    """Return what a button stands for; nothing for data of another format or of none."""
    if not data.startswith(FORMAT):
        return None
    try:
        return _decoder.decode(data[len(FORMAT) :])
    except (msgspec.MsgspecError, ValueError):
        return None
