"""Wire types of Scopa: options, moves, deal, view, events, and the codes of its refusals."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from locanda.explanations import NOT_IN_HAND, RefusalCode
from locanda.games.base import N_, BaseView, Count, DealOver, FrenchCard, FrenchCards, Pile, SeatNumber
from locanda.games.forms import BaseState, CardPile, CardSet, EachSeat, wire_deal
from locanda.games.options import Presets, option, points_to_win

NAME: Literal["scopa"] = "scopa"
PLACE = 11
RULES = 1
DECK = "italian_suits_40"


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The options of Scopa."""

    target: Annotated[Literal[11, 21], points_to_win(11, 21)] = 11
    king: Annotated[bool, option(N_("Re bello"), N_("The king of coins is worth a point, as the seven is."))] = False
    napola: Annotated[bool, option(N_("Napola"), N_("Coins from the ace on, three or more: a point each."))] = False
    ace_takes_all: Annotated[bool, option(N_("Asso piglia tutto"), N_("An ace takes all cards: no scopa."))] = False
    scopone: Annotated[bool, option(N_("Scopone"), N_("For four: nine cards each at once, four open."))] = False


PRESETS: Presets = {"quick": {"target": 11}, "classic": {"target": 11}, "long": {"target": 21}}


class Play(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag="play"):
    """Play a card: take cards from the table with it, or lay it there."""

    card: FrenchCard
    takes: FrenchCards = ()
    """The cards that it takes; empty if it can take none."""


Move = Play

LISTED_MOVES = "Every card in the hand with everything that it can take; the taken cards by suit and rank."


class DealState(BaseState[Options], frozen=True, array_like=True):
    """A whole deal, hidden cards included; the last card of the stock is dealt next."""

    hands: Annotated[tuple[CardSet, ...], Meta(min_length=2, max_length=4)]
    stock: CardPile = b""
    table: CardSet = 0
    """The open cards, by suit and rank."""
    captured: Annotated[tuple[CardSet, ...], EachSeat(0)] = ()
    sweeps: Annotated[tuple[int, ...], EachSeat(0)] = ()
    """How often each seat has cleared the table; empty for never."""
    last: int | None = None
    """Who took cards last."""


class View(BaseView[Options, FrenchCards], frozen=True, tag=NAME):
    """A deal as one seat, or a spectator, may see it."""

    stock_count: Count
    table: FrenchCards
    captured: tuple[FrenchCards, ...]
    sweeps: tuple[Count, ...]
    last: SeatNumber | None


Deal = wire_deal(DealState, View)

PILES = (
    Pile("table", "table", lies="spread"),
    Pile("stock", "stock_count"),
    Pile("captured", "captured", whose="seat", lies="closed"),
)


class Laid(Struct, frozen=True, tag="laid"):
    """A card was laid on the table."""

    seat: SeatNumber
    card: FrenchCard


class Taken(Struct, frozen=True, tag="taken"):
    """A card took others from the table."""

    seat: SeatNumber
    card: FrenchCard
    cards: FrenchCards
    """The cards that it took."""
    sweep: bool
    """Whether it is a scopa: the table is empty, and there are cards left to play."""


class Refilled(Struct, frozen=True, tag="refilled"):
    """Everybody got three cards."""

    stock_count: Count


class Rest(Struct, frozen=True, tag="rest"):
    """The cards left on the table went to the player who took last."""

    seat: SeatNumber
    cards: FrenchCards


class Counted(Struct, frozen=True, tag="counted"):
    """The points of the deal were counted: the seats that get each point, empty for a tie."""

    cards: tuple[SeatNumber, ...]
    """Most cards."""
    coins: tuple[SeatNumber, ...]
    """Most coins."""
    settebello: tuple[SeatNumber, ...]
    """The seven of coins."""
    primiera: tuple[SeatNumber, ...]
    """The best cards of all suits."""


Event = Laid | Taken | Refilled | Rest | Counted | DealOver

MUST_TAKE = RefusalCode(
    "must_take",
    N_("A card that can take must take"),
    N_("Scopa: `facts.card` can take `facts.takes`, perhaps other cards too, and may not be laid on the table."),
    {"card": "7h", "takes": ["7d"]},
    sentence=N_("{card} can take {takes}: it may not be laid on the table."),
)
CANNOT_TAKE = RefusalCode(
    "cannot_take",
    N_("The card does not take these cards"),
    N_("Scopa: a card takes one of its value, or, where there is none, cards that add up to it: `facts.can`."),
    {"card": "7h", "takes": ["4h", "3d"], "can": [["7d"]]},
    sentence=N_("{card} does not take {takes}."),
)

REFUSALS = (NOT_IN_HAND,)
