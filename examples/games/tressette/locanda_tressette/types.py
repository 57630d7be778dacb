"""Wire types of Tressette: options, moves, deal, view, events, and the codes of its refusals."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from locanda.explanations import NOT_IN_HAND, RefusalCode
from locanda.games.base import N_, BaseView, Count, DealOver, FrenchCard, FrenchCards, Pile, SeatNumber
from locanda.games.forms import ELSEWHERE, BaseState, CardPile, CardSet, EachSeat, wire_deal
from locanda.games.options import Presets, points_to_win

NAME: Literal["tressette"] = "tressette"
PLACE = 12
RULES = 1
DECK = "italian_suits_40"


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The option of Tressette."""

    target: Annotated[Literal[11, 21, 31], points_to_win(11, 21, 31)] = 21


PRESETS: Presets = {"quick": {"target": 11}, "classic": {"target": 21}, "long": {"target": 31}}


class Play(Struct, frozen=True, forbid_unknown_fields=True, tag="play"):
    """Play a card to the trick."""

    card: FrenchCard


Move = Play

LISTED_MOVES = "Every card that may be played, by suit and rank."


class DealState(BaseState[Options], frozen=True, array_like=True):
    """A whole deal, hidden cards included; the last card of the stock is drawn next."""

    hands: Annotated[tuple[CardSet, ...], Meta(min_length=2, max_length=4)]
    stock: CardPile = b""
    """The cards to draw, with two players."""
    table: Annotated[CardPile, Meta(max_length=4)] = b""
    """The trick, in the order of play."""
    captured: Annotated[tuple[CardSet, ...], EachSeat(0)] = ()
    shown: Annotated[tuple[CardSet, ...], EachSeat(0), ELSEWHERE] = ()
    """The cards that each seat has drawn face up and still holds."""
    last: int | None = None
    """The seat that took the last trick so far."""


class View(BaseView[Options, FrenchCards], frozen=True, tag=NAME):
    """A deal as one seat, or a spectator, may see it."""

    stock_count: Count
    table: Annotated[FrenchCards, Meta(max_length=4)]
    captured: tuple[FrenchCards, ...]
    thirds: tuple[Count, ...]
    """The value of the cards that each seat has taken, in thirds of a point."""
    shown: tuple[FrenchCards, ...]
    last: SeatNumber | None


Deal = wire_deal(DealState, View)

PILES = (
    Pile("table", "table", lies="trick"),
    Pile("stock", "stock_count"),
    Pile("captured", "captured", whose="seat", lies="closed"),
)


class Played(Struct, frozen=True, tag="played"):
    """A card was played."""

    seat: SeatNumber
    card: FrenchCard


class TrickTaken(Struct, frozen=True, tag="trick_taken"):
    """The trick was taken."""

    seat: SeatNumber
    """The seat that takes it, and leads next."""
    cards: FrenchCards
    """Its cards, in the order of play."""
    thirds: Count
    """Their value in thirds of a point."""


class Drawn(Struct, frozen=True, tag="drawn"):
    """A card was drawn and shown."""

    seat: SeatNumber
    card: FrenchCard


Event = Played | TrickTaken | Drawn | DealOver

MUST_FOLLOW = RefusalCode(
    "must_follow",
    N_("The suit that was led must be followed"),
    N_("Tressette: who holds a card of the suit of `facts.led` plays one; `facts.can` are theirs."),
    {"card": "7h", "led": "4d", "can": ["Ad"]},
    sentence=N_("{card} does not follow the suit of {led}: you can play {can}."),
)

REFUSALS = (NOT_IN_HAND,)
