"""Wire types that games share: cards, seats, seeds, passes, results, refusals."""

from typing import Annotated, Any, ClassVar, Generic, Literal, TypeAlias, TypeVar, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

from locanda.explanations import N_ as N_
from locanda.explanations import NN_ as NN_
from locanda.explanations import Refusal as Refusal

O = TypeVar("O")  # noqa: E741  (options)
C = TypeVar("C")
"""Several cards."""

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object whose shape depends on the game: its options, a move, an event."""

FrenchCard = Annotated[
    str,
    Meta(pattern="^([A2-9TJQK][hdcs])$", max_length=2, title="FrenchCard", description="Rank and suit, as in `7h`."),
]
"""A French card on the wire."""

FrenchCards: TypeAlias = tuple[FrenchCard, ...]
"""Several French cards on the wire."""

FrenchCardOrJoker = Annotated[
    str,
    Meta(
        pattern=r"^([A2-9TJQK][hdcs]|\*)(?!\n)$",
        max_length=2,
        title="FrenchCardOrJoker",
        description="Rank and suit, as in `7h`, or `*` for a joker.",
    ),
]
"""A card on the wire of the games that have jokers."""

SeatNumber = Annotated[int, Meta(ge=0, le=9, description="The number of a seat, counted from 0 in order of play.")]

Count = Annotated[int, Meta(ge=0, le=1_000_000)]

ComputerLevel = Literal["easy", "medium", "hard"]
"""How well a computer player plays: a beginner, an experienced friend who counts cards, or one who also searches."""
COMPUTER_LEVELS: tuple[ComputerLevel, ...] = get_args(ComputerLevel)

Version = Annotated[int, Meta(ge=0, le=999_999_999)]
"""A table's version. It grows by one at each change, and by far more after the engine's store has lost some."""

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
"""Meanings of fields that every game has under these names, unless a game describes them itself."""


class BaseView(Struct, Generic[O, C], frozen=True, tag_field="game"):
    """The fields of all games' views. A game adds its own; all of them are visible."""

    seat: SeatNumber | None
    """The seat of this view; null for a spectator."""
    options: O
    dealer: SeatNumber
    turn: SeatNumber | None
    shuffles: Count
    hand: C | None
    counts: tuple[Count, ...]


class Pile(Struct, frozen=True):
    """A pile of cards: its field in a view, its owner and its layout; moves say which cards may go there."""

    name: str
    """Its name in moves and selections, and the key of its label."""
    field: str
    """The field of the view that has its cards, the bottom one first, or their number; an object has `cards`, or `top`
    and `count`."""
    whose: Literal["table", "seat"] = "table"
    """Everybody's, or each seat's own: the field then has one for each seat."""
    lies: Literal["stacked", "closed", "spread", "trick"] = "stacked"
    """The layout: a visible top card, or backs; side by side, or as played in turn, with the latest last."""
    several: bool = False
    """Whether there are any number of them, as in `meld-0`: the field has a list of piles, and is the key of the label.
    """
    under: str | None = None
    """The stacked pile under which its card lies crosswise."""


class Result(Struct, frozen=True):
    """How a deal, or a match, ended."""

    ranking: tuple[tuple[SeatNumber, ...], ...]
    """Seats best first; those who tie are in one list."""
    points: tuple[int, ...]
    """Points by seat; what they count is the game's."""
    reason: str | None = None
    """Why the deal, or the last deal of the match, ended."""
    teams: tuple[tuple[SeatNumber, ...], ...] | UnsetType = UNSET
    """The seats of each team; left out in a game without teams."""


class Pass(Struct, frozen=True, forbid_unknown_fields=True, tag="pass"):
    """Let this turn go by."""

    reluctant: ClassVar[bool] = True


class Passed(Struct, frozen=True, tag="passed"):
    """A seat passed."""

    seat: SeatNumber


class DealOver(Struct, frozen=True, tag="deal_over"):
    """The deal ended."""

    result: Result
