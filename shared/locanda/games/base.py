"""JSON types that all games share: cards, seats, seeds, views, results, passes."""

from typing import Annotated, Any, ClassVar, Generic, Literal, TypeAlias, TypeVar, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

from locanda.explanations import N_ as N_
from locanda.explanations import NN_ as NN_
from locanda.explanations import Refusal as Refusal

O = TypeVar("O")  # noqa: E741  (stands for options)
C = TypeVar("C")
"""Type of a collection of cards."""

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object whose fields depend on the game: options, a move or an event."""

FrenchCard = Annotated[
    str,
    Meta(pattern="^([A2-9TJQK][hdcs])$", max_length=2, title="FrenchCard", description="Rank and suit, as in `7h`."),
]
"""A French card on the wire."""

FrenchCards: TypeAlias = tuple[FrenchCard, ...]
"""A list of French cards on the wire."""

FrenchCardOrJoker = Annotated[
    str,
    Meta(
        pattern=r"^([A2-9TJQK][hdcs]|\*)(?!\n)$",
        max_length=2,
        title="FrenchCardOrJoker",
        description="Rank and suit, as in `7h`, or `*` for a joker.",
    ),
]
"""A French card or joker on the wire."""

SeatNumber = Annotated[int, Meta(ge=0, le=9, description="The number of a seat, counted from 0 in order of play.")]

Count = Annotated[int, Meta(ge=0, le=1_000_000)]

ComputerLevel = Literal["easy", "medium", "hard"]
"""Level of a computer player: a beginner, an experienced player who counts cards, or one who also searches."""
COMPUTER_LEVELS: tuple[ComputerLevel, ...] = get_args(ComputerLevel)

Version = Annotated[int, Meta(ge=0, le=999_999_999)]
"""A table's version. It grows by 1 with each change, and by a large step after the engine's store has lost changes."""

Seed = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64, description="32 bytes in hexadecimal digits.")]
"""32 secret bytes as 64 lower-case hexadecimal digits."""


FIELDS_OF_ALL_GAMES = {
    "game": "The game's name.",
    "seat": "The seat that did it, counted from 0 in order of play.",
    "turn": "The seat to act; null once the deal is over.",
    "options": "The options that differ from the game's defaults.",
    "dealer": "The seat that dealt: the next one began.",
    "seed": "The deal's seed, which determines every shuffle and so reveals all cards.",
    "shuffles": "How often cards have been shuffled in this deal, the first time included.",
    "hands": "The cards in each hand, by seat.",
    "hand": "The viewer's cards; null for a spectator.",
    "counts": "How many cards each seat holds.",
    "stock": "The cards that are drawn from, face down; the last one is the top.",
    "stock_count": "How many cards are left in the stock.",
    "captured": "The cards that each seat has taken.",
    "card": "The card.",
    "cards": "The cards.",
    "result": "How the deal ended, or the match.",
}
"""Descriptions of fields that several games have. The docstring of a field in the game itself takes precedence."""


class BaseView(Struct, Generic[O, C], frozen=True, tag_field="game"):
    """Base class of all games' views. Each game adds the fields that its players may see."""

    seat: SeatNumber | None
    """The seat of this view; null for a spectator."""
    options: O
    dealer: SeatNumber
    turn: SeatNumber | None
    shuffles: Count
    hand: C | None
    counts: tuple[Count, ...]


class Pile(Struct, frozen=True):
    """A pile of cards: its view field, owner and layout. A game's moves say which cards may be played to it."""

    name: str
    """Name of the pile in moves and selections, and the key of its label."""
    field: str
    """View field of the pile: a list of cards, the bottom card first; the number of cards; an object with `cards`; or
    an object with `top` and `count`."""
    whose: Literal["table", "seat"] = "table"
    """Owner: the table, or each seat; for seats, the field is a list with one pile for each seat."""
    lies: Literal["stacked", "closed", "spread", "trick"] = "stacked"
    """Layout: a stack with a visible top card; face down; side by side; or a trick, the latest card last."""
    several: bool = False
    """True if the field is a list of such piles, named as in `meld-0`. The field's name is then the key of their
    label."""
    under: str | None = None
    """The stacked pile under which this pile's card lies crosswise: the stock, for a trump card."""


class Result(Struct, frozen=True):
    """How a deal or a match ended."""

    ranking: tuple[tuple[SeatNumber, ...], ...]
    """Seats, best first; tied seats share a list."""
    points: tuple[int, ...]
    """Points by seat; their meaning depends on the game."""
    reason: str | None = None
    """Why the deal, or the last deal of the match, ended."""
    teams: tuple[tuple[SeatNumber, ...], ...] | UnsetType = UNSET
    """The seats of each team; left out in a game without teams."""


class Pass(Struct, frozen=True, forbid_unknown_fields=True, tag="pass"):
    """Pass the turn without playing."""

    reluctant: ClassVar[bool] = True


class Passed(Struct, frozen=True, tag="passed"):
    """A seat passed."""

    seat: SeatNumber


class DealOver(Struct, frozen=True, tag="deal_over"):
    """The deal ended."""

    result: Result
