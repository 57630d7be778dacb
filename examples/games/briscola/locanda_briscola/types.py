"""Wire types of Briscola: options, moves, deal, view, events, and the codes of its refusals."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from locanda.explanations import NOT_IN_HAND
from locanda.games.base import N_, BaseView, Count, DealOver, FrenchCard, FrenchCards, Pile, SeatNumber
from locanda.games.forms import FRENCH, BaseState, CardPile, CardSet, EachSeat, Form, wire_deal
from locanda.games.options import Deals, Presets

NAME: Literal["briscola"] = "briscola"
PLACE = 10
RULES = 1
DECK = "italian_suits_40"

Trick = Annotated[FrenchCards, Meta(max_length=4)]


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The option of Briscola."""

    deals: Annotated[Deals, Meta(description=N_("How many deals make a match; card points add up."))] = 1


PRESETS: Presets = {"quick": {"deals": 1}, "classic": {"deals": 3}, "long": {"deals": 5}}


class Play(Struct, frozen=True, forbid_unknown_fields=True, tag="play"):
    """Play a card to the trick."""

    card: FrenchCard


Move = Play

LISTED_MOVES = "Every card in the hand."


TURNED_UP: Form[int] = Form(
    wire=Annotated[FrenchCards, Meta(min_length=1, max_length=1)],
    to_wire=lambda card: (FRENCH.one.to_wire(card),),
    from_wire=lambda cards: FRENCH.one.from_wire(cards[0]),
)
"""A card, on the wire a list of one, which clients show as a pile."""


class DealState(BaseState[Options], frozen=True, array_like=True):
    """A whole deal, hidden cards included; the last card of the stock is drawn next."""

    hands: Annotated[tuple[CardSet, ...], Meta(min_length=2, max_length=4)]
    trump: Annotated[int, TURNED_UP]
    """The card turned up: its suit is trumps, and it is drawn last."""
    stock: CardPile = b""
    """The cards to draw, without the one turned up."""
    table: Annotated[CardPile, Meta(max_length=4)] = b""
    """The trick, in the order of play."""
    captured: Annotated[tuple[CardSet, ...], EachSeat(0)] = ()
    drawer: int | None = None
    """The seat that drew the card turned up; null while it lies on the table."""


class View(BaseView[Options, FrenchCards], frozen=True, tag=NAME):
    """A deal as one seat, or a spectator, may see it."""

    stock_count: Count
    trump: Trick
    turned_up: Trick
    """The trump card while it lies on the table, afterwards empty."""
    table: Trick
    captured: tuple[FrenchCards, ...]
    points: tuple[Count, ...]
    """The points of the cards that each seat has taken."""
    drawer: SeatNumber | None


Deal = wire_deal(DealState, View)

PILES = (
    Pile("table", "table", lies="trick"),
    Pile("stock", "stock_count"),
    Pile("trump", "turned_up", under="stock"),
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
    cards: Trick
    """Its cards, in the order of play."""
    points: Count
    """Their points."""


class Drawn(Struct, frozen=True, tag="drawn"):
    """Everybody drew a card."""

    stock_count: Count
    trump: SeatNumber | None
    """The seat that drew the card turned up; null while it lies on the table."""


Event = Played | TrickTaken | Drawn | DealOver

REFUSALS = (NOT_IN_HAND,)
