"""Wire types of Highest Card: two players play a card each, and the higher one takes both."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from locanda.explanations import NOT_IN_HAND
from locanda.games.base import N_, BaseView, Count, DealOver, FrenchCard, Pile, SeatNumber
from locanda.games.forms import FRENCH, BaseState, wire_deal
from locanda.games.options import option

NAME: Literal["highest_card"] = "highest_card"
PLACE = 5
RULES = 1
DECK = "italian_40"


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The option of Highest Card."""

    cards: Annotated[int, option(N_("Cards"), N_("How many cards each player is dealt."), ge=1, le=10)] = 3


class Play(Struct, frozen=True, forbid_unknown_fields=True, tag="play"):
    """Play a card."""

    card: FrenchCard


LISTED_MOVES = "Every card in the hand."
"""The moves that the engine lists, of several equal ones."""

Move = Play


class DealState(BaseState[Options], frozen=True, array_like=True):
    """A whole deal, hidden cards included."""

    hands: Annotated[tuple[Annotated[int, FRENCH.set], ...], Meta(min_length=2, max_length=2)]
    stock: Annotated[bytes, FRENCH.pile] = b""
    table: Annotated[int, FRENCH.one] | None = None
    """The card that was led and waits for the other player's."""
    captured: tuple[int, int] = (0, 0)


class View(BaseView[Options, tuple[FrenchCard, ...]], frozen=True, tag=NAME):
    """A deal as one seat, or a spectator, may see it."""

    stock_count: Count
    table: FrenchCard | None
    captured: tuple[Count, ...]


Deal = wire_deal(DealState, View)

PILES = (Pile("table", "table", lies="trick"), Pile("stock", "stock_count", lies="closed"))


class Played(Struct, frozen=True, tag="played"):
    """A card was played."""

    seat: SeatNumber
    card: FrenchCard


class Taken(Struct, frozen=True, tag="taken"):
    """A seat took both cards."""

    seat: SeatNumber


Event = Played | Taken | DealOver

REFUSALS = (NOT_IN_HAND,)
"""Refusals shared with other games."""
