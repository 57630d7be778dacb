"""Presidente's types on the wire: options, moves, deal, view and events; and the codes of its refusals and reasons."""

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
"""A tax due: the seat that gives chosen cards, the partner from whose hand cards are drawn in return, and how many."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The options of Presidente. The defaults are the standard rules; `Variants` in the rules describes the others."""

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
    """Combinations of values that are invalid; the catalogue's schema excludes them."""

    def __post_init__(self) -> None:
        """Raise `ValueError` if the options contradict each other."""
        if self.tax and self.play_on is False:
            raise ValueError("`tax` needs everybody's place: `play_on` cannot be false with it")

    @property
    def plays_on(self) -> bool:
        """Whether the deal continues after the first player has gone out."""
        return self.tax if self.play_on == "auto" else self.play_on


EXAMPLE = Options(joker=True)

PRESETS: Presets = {"quick": {"deals": 1}, "classic": {"deals": 3}, "long": {"deals": 7}}


class Play(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, cache_hash=True, tag="play"):
    """Play a combination: to lead, or to beat the one on the table."""

    cards: Selection
    """The cards, in any order. For a check, part of a combination is allowed too."""
    joker: FrenchCard | None = None
    """In a straight, the card that the joker stands for."""


class Give(Struct, frozen=True, forbid_unknown_fields=True, tag="give"):
    """Choose the cards to give for the tax; the same number is drawn from the partner's hand in return."""

    cards: Selection
    """The cards to give, in any order."""


Move = Play | Pass | Give

LISTED_MOVES = (
    "Every combination is listed once, its cards in the order of ranks and suits, and with each card that a joker in a "
    "straight may stand for; it may be played with its cards in any order. The pass comes last."
)

Phase = Literal["tax", "play"]


class Combination(Struct, frozen=True, forbid_unknown_fields=True):
    """The combination on the table."""

    cards: Selection
    """The cards, low before high."""
    joker: FrenchCard | None = None
    """In a straight, the card that the joker stands for."""


class Known(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards that were exchanged for the tax, are still held, and are known to the seat that gave them."""

    seat: SeatNumber
    """The seat that holds the cards."""
    by: SeatNumber
    """The seat that knows the cards."""
    cards: Cards
    """The known cards."""


# --- the state of a deal

SINGLE, PAIR, THREE, FOUR, STRAIGHT = KINDS = get_args(Kind)
BITS = len(SUITS)
"""Number of cards of each rank: shifting a bit set by this many bits moves it one rank."""
CARDS = FRENCH_BY_RANK.numbers
JOKER = CARDS["*"]
EIGHT = RANKS.index("8")
WILD = len(RANKS)
"""Rank of a joker that is played alone, above all other ranks."""
CARD_SET = replace(FRENCH_BY_RANK.set, wire=Cards)


class RankedCombination(Struct, frozen=True, array_like=True, cache_hash=True):
    """A combination with the values that decide whether it beats another: kind, number of cards, rank."""

    kind: Kind
    size: int
    rank: int
    """Rank of the cards; for a straight, the highest."""
    cards: int
    """The cards as a bit set; a joker is included as the joker, not as the card that it stands for."""
    joker: int | None = None
    """In a straight, the card that the joker stands for."""

    @property
    def has_joker(self) -> bool:
        """Whether the combination includes the joker."""
        return bool(self.cards >> JOKER)

    @property
    def has_eight(self) -> bool:
        """Whether the combination includes an Eight, or a joker that stands for an Eight."""
        lowest = self.rank - self.size + 1 if self.kind == STRAIGHT else self.rank
        return lowest <= EIGHT <= self.rank

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the cards in canonical order: sets by suit; straights upwards, with the joker in its place."""
        if self.joker is None:
            return CARD_SET.to_wire(self.cards)
        places = CARD_SET.to_wire(self.cards & ~(1 << JOKER) | 1 << self.joker)
        return tuple(CODES_BY_RANK[JOKER] if code == CODES_BY_RANK[self.joker] else code for code in places)

    @property
    def play(self) -> Play:
        """The canonical move that plays the combination."""
        return Play(self.codes, None if self.joker is None else CODES_BY_RANK[self.joker])


def _ranked(top: Combination) -> RankedCombination:
    """Return the combination of these cards. The function does not detect invalid combinations; `checked` does."""
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
"""Cards exchanged for the tax and still held: the seat that holds them, the seat that knows them, the cards."""


class DealState(BaseState[Options], frozen=True, array_like=True):
    """A deal with all hidden cards."""

    hands: Annotated[tuple[CardSet, ...], Meta(min_length=2, max_length=5)]
    shown: CardSet = 0
    """The cards that were not dealt."""
    table: Annotated[RankedCombination, COMBINATION] | None = None
    """The combination to beat; null if the next play leads."""
    last: int | None = None
    """The seat that played the combination on the table. If missing in a submitted deal, it is computed from `turn`
    and `passes`."""
    passes: int = 0
    """Number of passes in a row since that play."""
    inverted: bool = False
    """Whether the order of the cards is inverted, so that the lower card wins."""
    out: tuple[int, ...] = ()
    """Seats without cards, in the order in which they went out."""
    dues: Annotated[tuple[Due, ...], Meta(max_length=2)] = ()
    """The taxes due; the giver of the first is on turn.

    Each tax has the seat that chooses cards and gives them, the partner from whose hand cards are drawn in return, and
    the number of cards in each direction.
    """
    known: Annotated[tuple[Knowledge, ...], Meta(max_length=4)] = ()
    """Cards known from the tax."""
    gone: CardSet = 0
    """All cards played in this deal, except those on the table."""
    sitting_out: Annotated[int, SEATS] = 0
    """Seats that have passed in this trick (option `pass_lock`)."""


class View(BaseView[Options, Cards], frozen=True, tag=NAME):
    """A deal as seen by a seat or a spectator."""

    stock_count: Count
    """Number of cards that were not dealt, shown or not."""
    shown: Cards
    """The cards that were not dealt; empty until the deal is over with `leftovers: hidden`."""
    table: Combination | None
    last: SeatNumber | None
    passes: Count
    inverted: bool
    out: tuple[SeatNumber, ...]
    phase: Phase
    """Whether taxes are paid or cards are played. If missing in a submitted deal, it is computed from `dues`."""
    dues: tuple[Due, ...]
    known: tuple[Known, ...]
    """Cards that the viewer knows of a partner's hand from the tax, and that the partner knows of the viewer's."""
    gone: Cards
    sitting_out: tuple[SeatNumber, ...]


Deal = wire_deal(DealState, View, also=["phase"])

PILES = (
    Pile("table", "table", lies="spread"),
    Pile("stock", "stock_count", lies="closed"),
)

# --- events


class Taxed(Struct, frozen=True, tag="taxed"):
    """A tax was paid: a seat gave cards of its choice, and got the same number from its partner's hand at random."""

    seat: SeatNumber
    partner: SeatNumber
    """The seat from whose hand cards were drawn."""
    count: Count
    """Number of cards in each direction."""


class Played(Struct, frozen=True, tag="played"):
    """A combination was led, or beat the one on the table."""

    seat: SeatNumber
    kind: Kind
    """Kind of the combination."""
    cards: Cards
    """The cards, low before high."""
    joker: FrenchCard | None
    """In a straight, the card that the joker stands for."""


class Revolution(Struct, frozen=True, tag="revolution"):
    """Four of a kind inverted the order of the cards."""

    seat: SeatNumber
    inverted: bool
    """Whether the lower card wins from now on."""


class WentOut(Struct, frozen=True, tag="went_out"):
    """A seat played its last card."""

    seat: SeatNumber
    place: Count
    """The seat's place, counted from 1."""


class TrickWon(Struct, frozen=True, tag="trick_won"):
    """No seat beat the combination: its trick is over, and the cards were removed."""

    seat: SeatNumber
    leader: SeatNumber
    """The seat that leads the next trick; not always the winner."""


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
