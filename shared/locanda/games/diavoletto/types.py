"""Diavoletto's types on the wire: options, moves, deal, view and events; and the codes of its refusals and reasons."""

from dataclasses import replace
from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, field

from locanda.explanations import INCOMPLETE, NOT_IN_HAND, ReasonCode, RefusalCode
from locanda.games.base import N_, BaseView, Count, DealOver, FrenchCard, FrenchCardOrJoker, Pile, SeatNumber
from locanda.games.forms import FRENCH_BY_RANK, BaseState, wire_deal
from locanda.games.options import Deals, Presets, option

NAME: Literal["diavoletto"] = "diavoletto"
PLACE = 3
RULES = 1
DECK = "french_104_jokers"

Card = FrenchCardOrJoker
"""A card of Diavoletto on the wire."""

SUITS_MATTER = False
"""Whether moves distinguish cards of the same rank."""

Cards = tuple[Card, ...]

ColumnNumber = Annotated[int, Meta(ge=0, le=3, description="One of a seat's four discard columns, counted from 0.")]

BuildNumber = Annotated[
    int, Meta(ge=0, le=7, description="A build on the table, counted from 0 in the order in which they were opened.")
]
"""Index of a build. At most eight builds are open at a time, because there are eight Aces."""

Source = Literal["hand", "mazzetto", "column"]
"""Where a card that is played to a build comes from."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The options of Diavoletto. The defaults are the standard rules; `Variants` in the rules describes the others."""

    max_piles: Annotated[
        Literal[3, 4] | None,
        option(
            N_("Builds at once"),
            N_("How many builds may lie on the table; an Ace that finds no room may wait."),
            {"null": N_("no limit"), "4": N_("four at most"), "3": N_("three at most")},
        ),
    ] = None
    start_tie: Annotated[
        Literal["reshuffle", "random"],
        option(
            N_("Tie at the start"),
            N_("What happens when both mazzetti show the same rank at the start."),
            {"reshuffle": N_("both are shuffled again"), "random": N_("chance decides")},
        ),
    ] = "reshuffle"
    deadlock: Annotated[
        Literal["count", "draw", "redeal"],
        option(
            N_("Deadlock"),
            N_("What happens when the game gets stuck."),
            {
                "count": N_("the shorter mazzetto wins"),
                "draw": N_("nobody wins"),
                "redeal": N_("new cards, twice at most"),
            },
        ),
    ] = "count"
    no_progress_turns: Annotated[
        int,
        option(
            N_("Turns without progress"),
            N_("The game is stuck after this number of turns without a card played from a mazzetto."),
            ge=1,
            le=200,
        ),
    ] = 100
    discard_order: Annotated[
        Literal["free", "descending"],
        option(
            N_("Order of the columns"),
            N_("Which cards may be discarded on one another."),
            {"free": N_("any"), "descending": N_("the same or the next lower rank")},
        ),
    ] = "free"
    joker_discard: Annotated[
        bool,
        option(N_("Jokers may be discarded"), N_("Otherwise only a hand that holds nothing else may discard one.")),
    ] = True
    mazzetto_size: Annotated[
        Literal[26, 20, 13],
        option(
            N_("In each mazzetto"),
            N_("How many cards each mazzetto starts with; the rest of the pack goes to the stock."),
            {"26": N_("26 cards"), "20": N_("20 cards"), "13": N_("13 cards")},
        ),
    ] = 26
    score: Annotated[
        Literal["win", "cards_left"],
        option(
            N_("Points"),
            N_("What the winner of a deal scores."),
            {"win": N_("one point"), "cards_left": N_("the cards left in the loser's mazzetto")},
        ),
    ] = "win"
    deals: Annotated[Deals, Meta(description=N_("How many deals make a match; the points add up."))] = 1


EXAMPLE = Options(score="cards_left")

PRESETS: Presets = {
    "quick": {"mazzetto_size": 13, "deals": 1},
    "classic": {"mazzetto_size": 26, "deals": 1},
    "long": {"mazzetto_size": 26, "deals": 3},
}


class Build(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag="build"):
    """Play a card to a build, or open a build with an Ace."""

    taken_from: ClassVar[str] = "{from}-{column}"
    goes_to: ClassVar[str] = "build-{build}"

    source: Source = field(name="from")
    """Source of the card."""
    card: Card
    column: ColumnNumber | None = None
    """Column that the card comes from; null for other sources."""
    build: BuildNumber | UnsetType | None = UNSET
    """Build that the card goes to; null opens a new one. Left out while the player has not chosen one."""


class Discard(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag="discard"):
    """Discard a card from the hand to one of your columns, which ends the turn."""

    goes_to: ClassVar[str] = "column-{column}"
    reluctant: ClassVar[bool] = True

    card: Card
    column: ColumnNumber | UnsetType = UNSET
    """Left out while the player has not chosen one."""


class End(Struct, frozen=True, forbid_unknown_fields=True, tag="end"):
    """End the turn with an empty hand."""


Move = Build | Discard | End

LISTED_MOVES = (
    "Suits do not matter, so of equal choices one is listed: of the cards of a rank in the hand the first by suit "
    "(hearts, diamonds, clubs, spades), of builds that need the same rank the first, of empty columns the first. The "
    "others are legal too, and are played as they are sent: `5d` to a column where `5c` is listed, from a hand that "
    "holds both."
)


class Mazzetto(Struct, frozen=True):
    """The public part of a mazzetto."""

    top: FrenchCard | None
    """Top card, which may be played; null if the mazzetto is empty."""
    count: Count
    """Number of cards, including the top one."""


# --- the state of a deal

MAZZETTO = replace(FRENCH_BY_RANK.pile, wire=tuple[FrenchCard, ...])
"""A pile of cards from one pack, without jokers."""

CardPile: TypeAlias = Annotated[bytes, FRENCH_BY_RANK.pile]
Columns: TypeAlias = Annotated[tuple[CardPile, ...], Meta(max_length=4)]


class DealState(BaseState[Options], frozen=True, array_like=True):
    """A deal with all hidden cards. The top of a pile is its last card. The seat on turn has already drawn."""

    hands: tuple[Annotated[CardPile, Meta(max_length=5)], Annotated[CardPile, Meta(max_length=5)]]
    mazzetti: tuple[
        Annotated[bytes, MAZZETTO, Meta(max_length=26)], Annotated[bytes, MAZZETTO, Meta(max_length=26)]
    ] = (b"", b"")
    """The pile that each seat must empty, top card last."""
    columns: tuple[Columns, Columns] = ((), ())
    """Discard columns by seat, top cards last. A submitted deal may have fewer than four: empty ones are added."""
    builds: Annotated[tuple[CardPile, ...], Meta(max_length=8)] = ()
    """Builds, top cards last. A build of *n* cards needs the rank after its *n*th card's."""
    aside: CardPile = b""
    """Cards of completed builds, until a draw needs them."""
    stock: CardPile = b""
    stalled: int = 0
    """Turns in a row without a card moved, up to the last finished turn."""
    barren: int = 0
    """Turns in a row without a card played from a mazzetto, up to the last finished turn; each refill counts as one."""
    moved: bool = False
    """Whether a card has been moved in the current turn."""
    advanced: bool = False
    """Whether a mazzetto card has been played in the current turn."""
    refills: int = 0
    """Refills of the hand in the current turn, since its last mazzetto card if there was one."""
    redeals: int = 0
    """Number of times that a deadlock has brought new cards (option `deadlock: redeal`)."""


class View(BaseView[Options, Cards], frozen=True, tag=NAME):
    """A deal as seen by a seat or a spectator."""

    mazzetti: tuple[Mazzetto, ...]
    """The mazzetto of each seat."""
    columns: tuple[tuple[Cards, ...], ...]
    builds: tuple[Cards, ...]
    aside: Cards
    stock_count: Count
    stalled: Count
    barren: Count
    moved: bool
    advanced: bool
    refills: Count
    redeals: Count


Deal = wire_deal(DealState, View)

PILES = (
    Pile("build", "builds", several=True),
    Pile("stock", "stock_count", lies="closed"),
    Pile("aside", "aside", lies="closed"),
    Pile("mazzetto", "mazzetti", whose="seat"),
    Pile("column", "columns", whose="seat", lies="spread", several=True),
)

# --- events


class Built(Struct, frozen=True, tag="built"):
    """A card was played to a build."""

    seat: SeatNumber
    source: Source = field(name="from")
    """Where the card came from."""
    card: Card
    column: ColumnNumber | None
    """Column that the card came from; null for other sources."""
    build: BuildNumber
    stands_for: str
    """The rank that the card has there; for a joker, the rank that it stands for."""


class Completed(Struct, frozen=True, tag="completed"):
    """A build reached its King and was set aside; the numbers of later builds decrease by one."""

    build: BuildNumber
    cards: Cards
    """The cards of the build, from the Ace up."""


class Exposed(Struct, frozen=True, tag="exposed"):
    """The next card of a mazzetto was turned up."""

    seat: SeatNumber
    card: FrenchCard


class Discarded(Struct, frozen=True, tag="discarded"):
    """A card was discarded to a column, and the turn ended."""

    seat: SeatNumber
    card: Card
    column: ColumnNumber


class Ended(Struct, frozen=True, tag="ended"):
    """A turn ended with an empty hand, without a discard."""

    seat: SeatNumber


class Recycled(Struct, frozen=True, tag="recycled"):
    """The cards set aside were shuffled and put under the stock."""

    stock_count: Count


class Drew(Struct, frozen=True, tag="drew"):
    """A seat drew cards from the stock."""

    seat: SeatNumber
    count: Count
    """Number of cards drawn."""
    stock_count: Count


class Redealt(Struct, frozen=True, tag="redealt"):
    """A deadlock was broken: all cards except the mazzetti were shuffled into a new stock."""

    stock_count: Count


Event = Built | Completed | Exposed | Discarded | Ended | Recycled | Drew | Redealt | DealOver

# --- refusals

ACE_FIRST = RefusalCode(
    "ace_first",
    N_("An Ace must be played first"),
    N_(
        "Diavoletto: you may not end the turn while an Ace is in your hand, on your mazzetto or on a column of yours. "
        "`facts.aces` names the Aces."
    ),
    {"aces": [{"from": "hand", "card": "Ah", "column": None}]},
    sentence=N_("Your turn cannot end yet: first play {aces}."),
)
JOKER_OPENS = RefusalCode(
    "joker_opens",
    N_("A joker never opens a build"),
    N_("Diavoletto: only an Ace opens a build, and a joker never stands for one."),
    sentence=N_("A joker cannot open a build."),
)
JOKER_STAYS = RefusalCode(
    "joker_stays",
    N_("You may discard a joker only if you have no other card"),
    N_("Diavoletto: with these options a joker stays in the hand while you can discard another card."),
    sentence=N_("You cannot discard a joker while you have other cards."),
)
MUST_DISCARD = RefusalCode(
    "must_discard",
    N_("A turn ends with a discard while you have cards"),
    N_("Diavoletto: only an empty hand with nothing left to draw ends its turn without one."),
    sentence=N_("Discard a card to end your turn."),
)
NO_SUCH_BUILD = RefusalCode(
    "no_such_build",
    N_("There is no such build"),
    N_("Diavoletto: the build is not on the table, or no build takes this card now."),
    {"build": 2},
    sentence=N_("This build is no longer on the table."),
)
NO_SUCH_COLUMN = RefusalCode(
    "no_such_column",
    N_("There is no such column"),
    N_("Diavoletto: the column in the move is empty."),
    {"column": 3},
    sentence=N_("This column is empty."),
)
NOT_DESCENDING = RefusalCode(
    "not_descending",
    N_("The column takes only the same or the next lower rank"),
    N_("Diavoletto: an option demands it. `facts.columns` lists the columns that take the card."),
    {"card": "7h", "columns": [2]},
    sentence=N_("{card} does not go on this column: the same rank does, or the next lower one."),
)
NOT_ON_TOP = RefusalCode(
    "not_on_top",
    N_("The card is not on top"),
    N_("Diavoletto: only the top card of the mazzetto and of each column may be played."),
    {"card": "7h", "top": "Ks"},
    sentence=N_("{card} is not on top."),
)
TOO_MANY_BUILDS = RefusalCode(
    "too_many_builds",
    N_("There are already as many builds as allowed"),
    N_("Diavoletto: the options allow at most `facts.max_piles` builds at a time."),
    {"max_piles": 3},
    sentence=N_("There is no room for another build: {max_piles} at most."),
)
WRONG_RANK = RefusalCode(
    "wrong_rank",
    N_("The build needs another rank"),
    N_("Diavoletto: builds grow card by card from the Ace to the King. `facts.needs` is the next rank of this one."),
    {"card": "9h", "needs": "7"},
    sentence=N_("{card} does not go there: it takes {needs}."),
)

REFUSALS = (INCOMPLETE, NOT_IN_HAND)

# --- reasons of computer players: `card` is the card played, `goal` the top card of a mazzetto

LAST_CARD = ReasonCode("last_card", N_("Play {card}: it is the last card of the mazzetto, and wins."), {"card": "7h"})
FROM_MAZZETTO = ReasonCode("from_mazzetto", N_("Play {card}: it is off the mazzetto."), {"card": "7h"})
ACE_OWED = ReasonCode("ace_owed", N_("Play {card}: an Ace has to be played before the turn ends."), {"card": "Ah"})
CHAIN = ReasonCode(
    "chain",
    N_("Play {card}: it is one of {count} cards after which {goal} of the mazzetto can be played."),
    {"card": "5h", "count": 2, "goal": "7h"},
)
FREES_MAZZETTO = ReasonCode(
    "frees_mazzetto", N_("Play {card}: after it, {goal} of the mazzetto can be played."), {"card": "6h", "goal": "7h"}
)
EMPTIES_HAND = ReasonCode(
    "empties_hand", N_("Play {card}: the hand can be emptied, and is filled again at once."), {"card": "6h"}
)
BLOCKS = ReasonCode(
    "blocks",
    N_("Play {card}: it takes the one place where {goal} of the other mazzetto could go."),
    {"card": "7c", "goal": "7h"},
)
DIGS = ReasonCode("digs", N_("Play {card}: it uncovers {below} in the column."), {"card": "6h", "below": "9c"})
GETS_MOVING = ReasonCode("gets_moving", N_("Play {card}: it makes room for another card."), {"card": "6h"})
WITHHOLDS = ReasonCode(
    "withholds",
    N_("Discard {card}: to build on now would bring {goal} of the other mazzetto closer."),
    {"card": "Kh", "goal": "7h"},
)
EMPTY_COLUMN = ReasonCode("empty_column", N_("Discard {card}: in an empty column it buries nothing."), {"card": "Kh"})
ON_EQUAL = ReasonCode("on_equal", N_("Discard {card} on {below}, of the same rank."), {"card": "9h", "below": "9c"})
IN_ORDER = ReasonCode(
    "in_order",
    N_("Discard {card} on {below}: the column stays in the order in which the builds need it."),
    {"card": "8h", "below": "9c"},
)
KEEPS_JOKER = ReasonCode(
    "keeps_joker", N_("Discard {card}, and keep the joker, which can stand for any card."), {"card": "Kh"}
)
COMES_LATER = ReasonCode(
    "comes_later",
    N_("Discard {card}: no build needs it before {goal} of the mazzetto."),
    {"card": "Kh", "goal": "7h"},
)
NOTHING_LEFT = ReasonCode("nothing_left", N_("The hand is empty, so the turn may end here."))
