"""Ramino's types on the wire: options, moves, deal, view and events; and the codes of its refusals and reasons."""

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct, field

from locanda.cards import spelling
from locanda.cards.cuccu import CARDS, CODES, DESIGNS
from locanda.explanations import (
    INCOMPLETE,
    NOT_A_COMBINATION,
    NOT_IN_HAND,
    WRONG_LENGTH,
    WRONG_PHASE,
    ReasonCode,
    RefusalCode,
)
from locanda.games.base import N_, NN_, BaseView, Count, Pile, Result, SeatNumber
from locanda.games.forms import (
    ELSEWHERE,
    FLAGS,
    LEFT_OUT,
    BaseState,
    CardForms,
    CardsForm,
    EachSeat,
    Form,
    kept,
    wire_deal,
)
from locanda.games.options import Presets, option

NAME: Literal["ramino"] = "ramino"
PLACE = 2
RULES = 1
DECK = "cuccu_40"

FEWEST_WINS = True

CuccuCard = Annotated[
    str,
    Meta(
        pattern=r"^(MATTO|LEONE|MASCHERONE|SECCHIA|NULLA|I{1,4}|V|VI{1,4}|X|XI{1,4}|XV)(?!\n)$",
        max_length=10,
        title="CuccuCard",
        description="The numeral as printed, as in `XIIII`, or the name of a figure that bears none, as in `MATTO`.",
    ),
]
"""A card of the Cuccù deck on the wire; both copies of a design have the same code."""

Cards = tuple[CuccuCard, ...]

MeldNumber = Annotated[
    int,
    Meta(ge=0, le=12, description="A combination on the table, counted from 0 in the order in which they were laid."),
]


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The options of Ramino. The defaults are the standard rules; `Variants` in the rules describes the others."""

    target: Annotated[
        int,
        option(
            N_("Target"),
            N_("Once a total reaches so many points the match ends, and the lowest total wins."),
            ge=1,
            le=1000,
        ),
    ] = 101
    return_taken: Annotated[
        bool,
        option(N_("Throwing back"), N_("You may discard the very card that you took from the discards in this turn.")),
    ] = False
    stock_end: Annotated[
        Literal["shuffle", "turn_over", "block"],
        option(
            N_("Stock finished"),
            N_("What happens when somebody draws from the stock and it is empty."),
            {
                "shuffle": N_("the discards are shuffled"),
                "turn_over": N_("the discards are turned over"),
                "block": N_("the deal ends, blocked"),
            },
        ),
    ] = "shuffle"
    idle_rounds: Annotated[
        int,
        option(
            N_("Idle rounds"),
            N_("The deal is blocked after this number of rounds in which nobody lays or attaches a card."),
            ge=1,
            le=50,
        ),
    ] = 10
    blocked_score: Annotated[
        Literal["count", "void"],
        option(
            N_("Blocked deal"),
            N_("What a deal that nobody closes is worth."),
            {"count": N_("everybody counts"), "void": N_("nobody counts")},
        ),
    ] = "count"
    final_tie: Annotated[
        Literal["shared", "extra_deal"],
        option(
            N_("Tie at the end"),
            N_("What happens when the lowest total of the match is a tie."),
            {"shared": N_("the win is shared"), "extra_deal": N_("one more deal")},
        ),
    ] = "shared"
    ramino_double: Annotated[
        bool,
        option(
            N_("Ramino counts double"),
            N_("Who gets rid of the whole hand in a single turn doubles the others' points."),
        ),
    ] = True
    long_scala: Annotated[
        bool, option(N_("Long runs"), N_("Runs of five cards or more may be laid at once; otherwise four is the most."))
    ] = True


EXAMPLE = Options(target=51)

PRESETS: Presets = {"quick": {"target": 51}, "classic": {"target": 101}, "long": {"target": 201}}


class Draw(Struct, frozen=True, forbid_unknown_fields=True, tag="draw"):
    """Draw the top card of the stock, or take the top card of the discards."""

    goes_to: ClassVar[str] = "{from}"

    source: Literal["stock", "discards"] = field(name="from")
    """Where the card comes from."""


class Meld(Struct, frozen=True, forbid_unknown_fields=True, tag="meld"):
    """Lay a combination: three cards stay on the table, longer ones go straight to the discards."""

    cards: Annotated[Cards, Meta(max_length=20)]
    """The combination, in any order. For a check, part of a combination is allowed too."""


class Attach(Struct, frozen=True, forbid_unknown_fields=True, tag="attach"):
    """Attach a card to a combination on the table; all four cards go to the discards."""

    goes_to: ClassVar[str] = "meld-{meld}"

    card: CuccuCard
    meld: MeldNumber


class Discard(Struct, frozen=True, forbid_unknown_fields=True, tag="discard"):
    """Discard a card, which ends the turn."""

    goes_to: ClassVar[str] = "discards"
    reluctant: ClassVar[bool] = True

    card: CuccuCard


Move = Draw | Meld | Attach | Discard

LISTED_MOVES = (
    "A combination is listed once, its cards from the lowest up; it may be laid with its cards in any order. Of two "
    "equal combinations on the table, a card is attached to the first; the other is as good. The two cards of a "
    "design have the same code, and are the same card."
)

Phase = Literal["draw", "play"]

# --- the state of a deal

EACH = sum(1 << 2 * card for card in range(len(DESIGNS)))
"""Packed counts with one card of each design."""
TWICE = 2 * EACH
"""Mask of the upper bit of each count, which is set if a design has two cards."""
SIZE = len(DESIGNS) // 4
"""Bytes of packed counts."""


def packed(cards: Iterable[int]) -> int:
    """Convert cards to packed counts: an integer with two bits for each design, which hold its number of cards."""
    counts = 0
    for card in cards:
        counts += 1 << 2 * card
    return counts


def size(counts: int) -> int:
    """Return the number of cards."""
    return counts.bit_count() + (counts & TWICE).bit_count()


def _spell(counts: int) -> list[str]:
    return [code for card, code in enumerate(CODES) for _ in range(counts >> 2 * card & 3)]


CUCCU = CardForms(CODES, CuccuCard)
COUNTS: CardsForm[int] = CardsForm(
    wire=Cards,
    to_wire=kept(spelling(SIZE, _spell)),
    from_wire=lambda codes: packed(map(CARDS.__getitem__, codes)),
    size=size,
    of=packed,
    numbers=CARDS,
)
"""Packed counts; on the wire a list in ascending order, in which a card may appear twice."""
PHASE: Form[bool] = Form(
    wire=Phase, to_wire=lambda drawn: "play" if drawn else "draw", from_wire=lambda phase: phase == "play"
)

Counts: TypeAlias = Annotated[int, COUNTS]
CardPile: TypeAlias = Annotated[bytes, CUCCU.pile]


class DealState(BaseState[Options], frozen=True, array_like=True):
    """A deal with all hidden cards. Piles are bottom first: the last card of the stock is drawn next."""

    hands: Annotated[tuple[Counts, ...], Meta(min_length=2, max_length=4)]
    """The cards in each hand, by seat."""
    known: Annotated[tuple[Counts, ...], EachSeat(0), ELSEWHERE] = ()
    """Cards in each hand that the seat took from the discards, so that everybody knows them."""
    stock: CardPile = b""
    discards: CardPile = b""
    """The discard pile, top card last."""
    melds: tuple[Counts, ...] = ()
    """The combinations on the table, three cards each."""
    drawn: Annotated[bool, PHASE, LEFT_OUT] = field(name="phase", default=False)
    """Whether the seat on turn has drawn. If missing in a submitted deal, it has not, unless the turn has begun or
    there is nothing to draw."""
    taken: Annotated[int, CUCCU.one, ELSEWHERE] | None = None
    """The card taken from the discards in this turn."""
    opened: Annotated[int, FLAGS, EachSeat()] = 0
    """For each seat, whether it has laid or attached in an earlier turn; false if missing in a submitted deal."""
    acted: bool = False
    """Whether the seat on turn has laid or attached in this turn."""
    idle: int = 0
    """Finished turns since a card was last laid or attached."""
    closer: int | None = None
    """The seat that closed the deal; null before the deal's end, or if the deal was blocked."""


class View(BaseView[Options, Cards], frozen=True, tag=NAME):
    """A deal as seen by a seat or a spectator."""

    stock_count: Count
    discards: Cards
    melds: tuple[Cards, ...]
    phase: Phase
    taken: CuccuCard | None
    opened: tuple[bool, ...]
    acted: bool
    idle: Count
    known: tuple[Cards, ...]
    closer: SeatNumber | None
    hands: tuple[Cards, ...] | None
    """The cards left in each hand; null until the deal is over."""


Deal = wire_deal(DealState, View)

PILES = (
    Pile("meld", "melds", lies="spread", several=True),
    Pile("discards", "discards"),
    Pile("stock", "stock_count", lies="closed"),
)

# --- events


class Drew(Struct, frozen=True, tag="drew"):
    """A seat drew a card."""

    seat: SeatNumber
    source: Literal["stock", "discards"] = field(name="from")
    """Where the card came from."""
    card: CuccuCard | None = None
    """The card taken from the discards; null for a card of the stock, which is hidden."""


class Restocked(Struct, frozen=True, tag="restocked"):
    """The empty stock was refilled with all discards except the top one."""

    stock_count: Count


class Melded(Struct, frozen=True, tag="melded"):
    """A combination was laid."""

    seat: SeatNumber
    cards: Cards
    """The combination. Three cards stay on the table; more go to the discards."""


class Attached(Struct, frozen=True, tag="attached"):
    """A card was attached to a combination on the table, and all four cards went to the discards."""

    seat: SeatNumber
    card: CuccuCard
    meld: MeldNumber
    cards: Cards
    """The four cards."""


class Discarded(Struct, frozen=True, tag="discarded"):
    """A seat discarded a card, which the next seat may take."""

    seat: SeatNumber
    card: CuccuCard


class DealOver(Struct, frozen=True, tag="deal_over"):
    """The deal ended, and the hands were shown."""

    result: Result
    closer: SeatNumber | None
    """The seat that closed the deal; null if the deal was blocked."""
    hands: tuple[Cards, ...]
    """The cards left in each hand."""


Event = Drew | Restocked | Melded | Attached | Discarded | DealOver

# --- refusals

NO_SUCH_MELD = RefusalCode(
    "no_such_meld",
    N_("There is no such meld"),
    N_(
        "Ramino: there are `facts.melds` combinations on the table, counted from 0. A combination with four cards has "
        "left it."
    ),
    {"melds": 1},
    sentence=N_("This combination does not lie on the table any more."),
)
NOT_ADJACENT = RefusalCode(
    "not_adjacent",
    N_("The cards are not consecutive"),
    N_("Ramino: the numbers of a scala are consecutive, without gaps or repeats."),
    {"cards": ["1", "2", "4"]},
    sentence=N_("These numbers are not in a row: {cards}."),
)
NOTHING_TO_DRAW = RefusalCode(
    "nothing_to_draw",
    N_("There is no card to draw there"),
    N_("Ramino: the discards are empty, or too few to make a new stock. `facts.from` is the requested pile."),
    {"from": "stock"},
    sentence=N_("There is nothing left to draw: take the top of the discards."),
)
REPEATED_FIGURE = RefusalCode(
    "repeated_figure",
    N_("A figure appears twice"),
    N_("Ramino: all figures of a tris or quartetto must differ."),
    {"cards": ["gnao"]},
    sentence=N_("Twice the same figure: {cards}."),
)
TAKEN_CARD = RefusalCode(
    "taken_card",
    N_("You may not discard the card that you took from the discards"),
    N_(
        "Ramino: after taking a card from the discards you may not discard it or its twin in the same turn, unless "
        "you have no other card."
    ),
    {"card": "gnao"},
    sentence=N_("You have just taken {card} from the discards: throw another card."),
)

REFUSALS = (INCOMPLETE, NOT_A_COMBINATION, NOT_IN_HAND, WRONG_LENGTH, WRONG_PHASE)

# --- reasons of computer players

TAKES_TO_CLOSE = ReasonCode(
    "takes_to_close", N_("Take {card}: with it the whole hand can go in this turn."), {"card": "XV"}
)
TAKES_TO_LAY = ReasonCode(
    "takes_to_lay", N_("Take {card}: it completes a combination, {cards}."), {"card": "VI", "cards": ["V", "VI", "VII"]}
)
TAKES_TO_ATTACH = ReasonCode(
    "takes_to_attach", N_("Take {card}: it can be attached to a combination on the table."), {"card": "VI"}
)
TAKES_TO_KEEP = ReasonCode("takes_to_keep", N_("Take {card}: it goes with {cards}."), {"card": "VI", "cards": ["VII"]})
DRAWS_UNKNOWN = ReasonCode(
    "draws_unknown", N_("Draw from the stock: {card} goes with no card of the hand or the table."), {"card": "I"}
)
MAKES_RAMINO = ReasonCode("makes_ramino", N_("The whole hand can go in this one turn: that is a ramino."))
CLOSES = ReasonCode("closes", N_("All that is left of the hand can go in this turn, which closes the deal."))
LAYS = ReasonCode(
    "lays",
    NN_(
        "Lay {cards}: that is {count} point less in the hand.", "Lay {cards}: that is {count} points less in the hand."
    ),
    {"cards": ["V", "VI", "VII"], "count": 18},
)
ATTACHES = ReasonCode(
    "attaches",
    NN_(
        "Attach {card}: that is {count} point less in the hand.",
        "Attach {card}: that is {count} points less in the hand.",
    ),
    {"card": "VIII", "count": 8},
)
KEEPS_FOR_RAMINO = ReasonCode(
    "keeps_for_ramino",
    N_("Discard {card} and keep what could go down: the whole hand in one later turn would be a ramino."),
    {"card": "X"},
)
AVOIDS_DEAD_END = ReasonCode(
    "avoids_dead_end",
    N_("Discard {card}: to lay now would lead to a single card and an empty table, where closing is out of reach."),
    {"card": "X"},
)
KEEPS_BACK = ReasonCode(
    "keeps_back",
    N_("Discard {card} and keep what could go down: on the table the others could add to it."),
    {"card": "X"},
)
DISCARDS_USELESS = ReasonCode(
    "discards_useless", N_("Discard {card}: as the cards lie, nobody else can use it."), {"card": "I"}
)
DISCARDS_LONE_CARD = ReasonCode(
    "discards_lone_card",
    NN_(
        "Discard {card}: it goes with no other card of the hand, and counts {count} point.",
        "Discard {card}: it goes with no other card of the hand, and counts {count} points.",
    ),
    {"card": "X", "count": 10},
)
DISCARDS_LEAST = ReasonCode(
    "discards_least",
    N_("Discard {card}: without it the hand still keeps what goes together, {cards}."),
    {"card": "V", "cards": ["XII", "XV"]},
)
DISCARDS_POINTS = ReasonCode(
    "discards_points",
    NN_(
        "Discard {card}: it would count {count} point if somebody else closed.",
        "Discard {card}: it would count {count} points if somebody else closed.",
    ),
    {"card": "X", "count": 10},
)
