"""Wire types of Presidente: options, moves, deal, view, events, and the codes of its refusals."""

from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from locanda.cards import CODES_BY_RANK, RANKS, SUITS
from locanda.explanations import (
    INCOMPLETE,
    MUST_BEAT,
    MUST_LEAD,
    NOT_A_COMBINATION,
    NOT_IN_HAND,
    WRONG_LENGTH,
    WRONG_PHASE,
    ReasonCode,
    RefusalCode,
)
from locanda.games.base import (
    N_,
    NN_,
    BaseView,
    Count,
    DealOver,
    FrenchCard,
    FrenchCardOrJoker,
    Pass,
    Passed,
    Pile,
    SeatNumber,
)
from locanda.games.forms import FRENCH_BY_RANK, SEATS, BaseState, Form, wire_deal
from locanda.games.options import Deals, Presets, option

NAME: Literal["presidente"] = "presidente"
PLACE = 4
RULES = 1
DECK = "french_52_joker"

Card = FrenchCardOrJoker
"""A card of Presidente on the wire."""

Cards = Annotated[tuple[Card, ...], Meta(max_length=53)]

Selection = Annotated[tuple[Card, ...], Meta(min_length=1, max_length=13)]

Kind = Literal["single", "pair", "three", "four", "straight"]

Due = tuple[
    Annotated[SeatNumber, Meta(title="giver", description="Who chooses cards and gives them.")],
    Annotated[SeatNumber, Meta(title="partner", description="Who gets them, and is drawn from in return.")],
    Annotated[int, Meta(ge=1, le=2, title="count", description="How many cards go each way.")],
]
"""A tax still owed: who chooses cards to give, whose hand is drawn from in return, and how many cards go each way."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The options of Presidente; with the defaults, the game is played by the rules before `Variants`."""

    revolution: Annotated[bool, option(N_("Revolution"), N_("Four of a kind reverse the order of the cards."))] = True
    joker: Annotated[
        bool, option(N_("Joker"), N_("One joker joins the pack: unbeatable alone, any card with others."))
    ] = False
    eight: Annotated[
        bool, option(N_("Eight"), N_("Nothing beats cards with an Eight, and their player leads again."))
    ] = False
    tax: Annotated[
        bool,
        option(
            N_("Tax"), N_("From the second deal on, the first players give cards of their choice to the last ones.")
        ),
    ] = False
    play_on: Annotated[
        bool | Literal["auto"],
        option(
            N_("Playing for places"),
            N_("Whether the deal goes on for the places once somebody has won; with the tax it must."),
            {
                "auto": N_("only with the tax"),
                "true": N_("to the last place"),
                "false": N_("the first one out ends it"),
            },
        ),
    ] = "auto"
    pass_lock: Annotated[
        bool, option(N_("Passing is final"), N_("A player who passes is out of the trick until it ends."))
    ] = False
    leftovers: Annotated[
        Literal["shown", "hidden"],
        option(
            N_("Cards left over"),
            N_("Whether the cards that are not dealt are shown to all."),
            {"shown": N_("shown"), "hidden": N_("hidden until the end")},
        ),
    ] = "shown"
    joker_eight: Annotated[
        Literal["joker", "eight"],
        option(
            N_("Joker and Eight together"),
            N_("Who leads after a combination that contains both."),
            {"joker": N_("the next player"), "eight": N_("who played it")},
        ),
    ] = "joker"
    finish_ban: Annotated[
        Literal["none", "joker", "eight", "both"],
        option(
            N_("Forbidden last cards"),
            N_("Cards that may not be played last, unless a leader has no other card."),
            {
                "none": N_("none"),
                "joker": N_("the joker"),
                "eight": N_("an Eight"),
                "both": N_("the joker and the Eights"),
            },
        ),
    ] = "none"
    deals: Annotated[Deals, Meta(description=N_("How many deals make a match; the wins add up."))] = 1

    contradictions: ClassVar[tuple[dict[str, Any], ...]] = ({"tax": True, "play_on": False},)
    """Values that do not go together, which the catalogue's schema forbids."""

    def __post_init__(self) -> None:
        """Raise `ValueError` if the options contradict each other."""
        if self.tax and self.play_on is False:
            raise ValueError("`tax` needs everybody's place: `play_on` cannot be false with it")

    @property
    def plays_on(self) -> bool:
        """Whether a deal goes on after somebody has won."""
        return self.tax if self.play_on == "auto" else self.play_on


EXAMPLE = Options(joker=True)

PRESETS: Presets = {"quick": {"deals": 1}, "classic": {"deals": 3}, "long": {"deals": 7}}


class Play(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, cache_hash=True, tag="play"):
    """Play a combination: to lead, or to beat the one on the table."""

    cards: Selection
    """The cards, in any order; also a part of a combination, to have it checked."""
    joker: FrenchCard | None = None
    """In a straight: the card that the joker stands for."""


class Give(Struct, frozen=True, forbid_unknown_fields=True, tag="give"):
    """Choose the cards to give away in the tax; as many are drawn from the partner's hand in return."""

    cards: Selection
    """The cards to give, in any order."""


Move = Play | Pass | Give

LISTED_MOVES = (
    "Every combination is listed once, its cards in the order of ranks and suits, and with each card that a joker in a "
    "straight may stand for; it may be played with its cards in any order. The pass comes last."
)

Phase = Literal["tax", "play"]


class Combination(Struct, frozen=True, forbid_unknown_fields=True):
    """The combination that lies on top."""

    cards: Selection
    """Its cards, low before high."""
    joker: FrenchCard | None = None
    """In a straight: the card that the joker stands for."""


class Known(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards that came to a hand by the tax, still there, and known to the seat that they came from."""

    seat: SeatNumber
    """The seat that holds the cards."""
    by: SeatNumber
    """The seat that knows of the cards."""
    cards: Cards
    """The known cards."""


# --- the state of a deal

SINGLE, PAIR, THREE, FOUR, STRAIGHT = KINDS = get_args(Kind)
BITS = len(SUITS)
"""Cards of a rank: from one rank to the next it takes a shift by so many bits."""
CARDS = FRENCH_BY_RANK.numbers
JOKER = CARDS["*"]
EIGHT = RANKS.index("8")
WILD = len(RANKS)
"""The rank of a joker that is played alone: above all others."""
CARD_SET = replace(FRENCH_BY_RANK.set, wire=Cards)


class RankedCombination(Struct, frozen=True, array_like=True, cache_hash=True):
    """Cards that are played together, and what decides which beats which: kind, number of cards, rank."""

    kind: Kind
    size: int
    rank: int
    """The rank of its cards; of a straight, the highest."""
    cards: int
    """As a bit set, the joker itself included."""
    joker: int | None = None
    """In a straight: the card that the joker stands for."""

    @property
    def has_joker(self) -> bool:
        """Whether the joker is one of its cards."""
        return bool(self.cards >> JOKER)

    @property
    def has_eight(self) -> bool:
        """Whether one of its cards is an Eight, or a joker that stands for one."""
        lowest = self.rank - self.size + 1 if self.kind == STRAIGHT else self.rank
        return lowest <= EIGHT <= self.rank

    @property
    def codes(self) -> tuple[str, ...]:
        """Its cards as the wire shows them: a set by suit; a straight upwards, with the joker in its place."""
        if self.joker is None:
            return CARD_SET.to_wire(self.cards)
        places = CARD_SET.to_wire(self.cards & ~(1 << JOKER) | 1 << self.joker)
        return tuple(CODES_BY_RANK[JOKER] if code == CODES_BY_RANK[self.joker] else code for code in places)

    @property
    def play(self) -> Play:
        """The canonical move that plays it."""
        return Play(self.codes, None if self.joker is None else CODES_BY_RANK[self.joker])


def _ranked(top: Combination) -> RankedCombination:
    """Return the combination that cards make; those that make none are refused if they are posted."""
    joker = None if top.joker is None else CARDS[top.joker]
    ranks = {CARDS[code] // BITS for code in top.cards if CARDS[code] != JOKER}
    kind = STRAIGHT if len(ranks) > 1 else KINDS[min(len(top.cards), len(KINDS)) - 1]
    highest = max(ranks if joker is None else {*ranks, joker // BITS}, default=WILD)
    return RankedCombination(kind, len(top.cards), highest, CARD_SET.from_wire(top.cards), joker)


def _shown(top: RankedCombination) -> Combination:
    return Combination(top.codes, top.play.joker)


COMBINATION: Form[RankedCombination] = Form(
    wire=Combination, to_wire=_shown, from_wire=_ranked, codes=lambda top: top.cards
)
KNOWLEDGE: Form[tuple[int, int, int]] = Form(
    wire=Known,
    to_wire=lambda fact: Known(*fact[:2], CARD_SET.to_wire(fact[2])),
    from_wire=lambda fact: (fact.seat, fact.by, CARD_SET.from_wire(fact.cards)),
)

CardSet: TypeAlias = Annotated[int, CARD_SET]
Knowledge: TypeAlias = Annotated[tuple[int, int, int], KNOWLEDGE]
"""Cards that came to a hand by the tax: who holds them, who knows of them, and the cards, as long as they are held."""


class DealState(BaseState[Options], frozen=True, array_like=True):
    """A whole deal, hidden cards included."""

    hands: Annotated[tuple[CardSet, ...], Meta(min_length=2, max_length=5)]
    shown: CardSet = 0
    """The cards left over, which nobody was dealt."""
    table: Annotated[RankedCombination, COMBINATION] | None = None
    """The combination to be beaten; null before the lead."""
    last: int | None = None
    """Who played the combination on the table; in a posted position, taken from `turn` and `passes` if missing."""
    passes: int = 0
    """How many seats have passed in a row since then."""
    inverted: bool = False
    """Whether the order of the cards is upside down, so that the lower card wins."""
    out: tuple[int, ...] = ()
    """Who has no cards left, in the order of going out."""
    dues: Annotated[tuple[Due, ...], Meta(max_length=2)] = ()
    """The taxes still owed; the first one's giver is on turn.

    Of each: who chooses and gives, who gets and is drawn from, and how many cards go each way.
    """
    known: Annotated[tuple[Knowledge, ...], Meta(max_length=4)] = ()
    """Who knows of which cards by the tax."""
    gone: CardSet = 0
    """All cards played in this deal but those on the table."""
    sitting_out: Annotated[int, SEATS] = 0
    """With `pass_lock`: who has passed in this trick."""


class View(BaseView[Options, Cards], frozen=True, tag=NAME):
    """A deal as one seat, or a spectator, may see it."""

    stock_count: Count
    """How many cards were left over, shown or not."""
    shown: Cards
    """The cards left over; with `leftovers: hidden` none before the deal is over."""
    table: Combination | None
    last: SeatNumber | None
    passes: Count
    inverted: bool
    out: tuple[SeatNumber, ...]
    phase: Phase
    """Whether taxes are paid or cards are played; in a posted position, taken from `dues` if missing."""
    dues: tuple[Due, ...]
    known: tuple[Known, ...]
    """What the viewer knows of a partner's hand by the tax, and the partner of the viewer's."""
    gone: Cards
    sitting_out: tuple[SeatNumber, ...]


Deal = wire_deal(DealState, View, also=["phase"])

PILES = (
    Pile("table", "table", lies="spread"),
    Pile("stock", "stock_count", lies="closed"),
)

# --- events


class Taxed(Struct, frozen=True, tag="taxed"):
    """A tax was paid: so many cards went each way between a seat that chose and a partner that was drawn from."""

    seat: SeatNumber
    partner: SeatNumber
    """The seat that was drawn from."""
    count: Count
    """How many cards went each way."""


class Played(Struct, frozen=True, tag="played"):
    """A combination was led, or beat the one on the table."""

    seat: SeatNumber
    kind: Kind
    """The kind of combination that the cards make."""
    cards: Cards
    """The cards, low before high."""
    joker: FrenchCard | None
    """In a straight: the card that the joker stands for."""


class Revolution(Struct, frozen=True, tag="revolution"):
    """Four of a kind turned the order of the cards; `inverted`: the lower card wins from now on."""

    seat: SeatNumber
    inverted: bool
    """Whether the lower card wins from now on."""


class WentOut(Struct, frozen=True, tag="went_out"):
    """A seat played its last card and takes this place, counted from 1."""

    seat: SeatNumber
    place: Count
    """The place that the seat takes, counted from 1."""


class TrickWon(Struct, frozen=True, tag="trick_won"):
    """Nobody beat a seat's combination: the cards were removed, and `leader`, not always the same seat, leads."""

    seat: SeatNumber
    leader: SeatNumber
    """The seat that leads the next trick."""


Event = Taxed | Played | Revolution | Passed | WentOut | TrickWon | DealOver

# --- refusals

FINISH_BAN = RefusalCode(
    "finish_ban",
    N_("You may not play this as your last card"),
    N_("Presidente: the options forbid a joker, an Eight or both among your last cards."),
    {"cards": ["8h"]},
    sentence=N_("These may not be your last cards: {cards}."),
)
JOKER_AS = RefusalCode(
    "joker_as",
    N_("The move must say which card the joker stands for"),
    N_("Presidente: in this straight the joker may stand for more than one card. `facts.cards` lists them."),
    {"cards": ["3h", "6h"]},
)
TAX_COUNT = RefusalCode(
    "tax_count",
    N_("The tax needs another number of cards"),
    N_("Presidente: the tax is exactly `facts.count` cards."),
    {"count": 2},
)
UNBEATABLE = RefusalCode(
    "unbeatable",
    N_("The combination on top cannot be beaten"),
    N_("Presidente: nothing beats a single joker or, with the option, an Eight."),
    {"top": ["JK"]},
    sentence=N_("Nothing beats {top}."),
)
WRONG_KIND = RefusalCode(
    "wrong_kind",
    N_("The combination is of another kind than the one on top"),
    N_("Presidente: only a pair beats a pair, a straight a straight. `facts.needed` is the kind that you must play."),
    {"kind": "single", "needed": "pair", "top": ["5h", "5s"]},
    sentence=N_("That is {kind}: {top} is beaten only by {needed}."),
)

REFUSALS = (INCOMPLETE, MUST_BEAT, MUST_LEAD, NOT_A_COMBINATION, NOT_IN_HAND, WRONG_LENGTH, WRONG_PHASE)

# --- reasons of computer players

GOES_OUT = ReasonCode("goes_out", N_("Play {cards}, the last of the hand."), {"cards": ["Kh"]})
WINS_ENDING = ReasonCode(
    "wins_ending",
    N_("Play {cards}: every card is known, and after it the other can no longer go out first."),
    {"cards": ["8h", "8s"]},
)
WAITS_TO_WIN = ReasonCode("waits_to_win", N_("Pass: every card is known, and the other can no longer go out first."))
ALMOST_OUT = ReasonCode(
    "almost_out", N_("Play {cards}: the rest of the hand goes in one, {rest}."), {"cards": ["3h"], "rest": ["5h", "5s"]}
)
NOTHING_BEATS = ReasonCode(
    "nothing_beats", N_("Play {cards}: nothing that the others may hold beats it."), {"cards": ["Kh", "Ks"]}
)
LONGER_THAN_HANDS = ReasonCode(
    "longer_than_hands",
    NN_(
        "Play {cards}: the shortest of the other hands has {count} card left, too few to answer.",
        "Play {cards}: the shortest of the other hands has {count} cards left, too few to answer.",
    ),
    {"count": 1, "cards": ["3h", "3s"]},
)
STOPS = ReasonCode(
    "stops",
    NN_(
        "Play {cards}: the player who holds the trick has only {count} card left.",
        "Play {cards}: the player who holds the trick has only {count} cards left.",
    ),
    {"count": 2, "cards": ["Kh"]},
)
TURNS_ORDER = ReasonCode(
    "turns_order",
    N_("Play {cards}: the rest of the hand is stronger once the order of the cards is turned."),
    {"cards": ["3h", "3d", "3c", "3s"]},
)
WEAKEST_FIRST = ReasonCode("weakest_first", N_("Play {cards}: it is the weakest of the hand."), {"cards": ["3h"]})
PLAYS_LOW = ReasonCode("plays_low", N_("Play {cards}: it is low, and keeps the high cards."), {"cards": ["4h"]})
CHEAPEST_ANSWER = ReasonCode(
    "cheapest_answer", N_("Play {cards}: it is the lowest answer that breaks nothing up."), {"cards": ["9h"]}
)
SPLITS_SET = ReasonCode(
    "splits_set",
    NN_(
        "Play {card} out of {cards}: only {count} of the cards still out beats it.",
        "Play {card} out of {cards}: only {count} of the cards still out beat it.",
    ),
    {"card": "Qh", "cards": ["Qh", "Qs"], "count": 3},
)
LEAVES = ReasonCode(
    "leaves",
    N_("Play {cards}: what is left goes in {count} turns, where it would have taken {before}."),
    {"cards": ["3h"], "count": 4, "before": 5},
)
KEEPS_STRONG = ReasonCode("keeps_strong", N_("Pass: {cards} is worth more later, to get the lead."), {"cards": ["Kh"]})
KEEPS_WHOLE = ReasonCode(
    "keeps_whole",
    N_("Pass: any answer would break up a combination, such as {cards}."),
    {"cards": ["5h", "5s"]},
)
SAVES_STRENGTH = ReasonCode(
    "saves_strength", N_("Pass: every answer would spend a strong card, or break up a combination.")
)
NEEDED_LEAST = ReasonCode("needed_least", N_("Give {cards}: the hand needs nothing less."), {"cards": ["3h", "4s"]})
