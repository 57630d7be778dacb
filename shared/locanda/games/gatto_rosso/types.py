"""Gatto Rosso Gatto Grigio's types on the wire: options, moves, deal, view, events; its refusal and reason codes."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from locanda.explanations import MUST_BEAT, MUST_LEAD, NOT_IN_HAND, ReasonCode, RefusalCode
from locanda.games.base import (
    N_,
    NN_,
    BaseView,
    Count,
    DealOver,
    FrenchCard,
    FrenchCards,
    Pass,
    Passed,
    Pile,
    SeatNumber,
)
from locanda.games.forms import SEATS, BaseState, CardPile, CardSet, EachSeat, wire_deal
from locanda.games.options import Deals, Presets, option

NAME: Literal["gatto_rosso"] = "gatto_rosso"
PLACE = 1
RULES = 1
DECK = "italian_40"

SuitCode = Literal["s", "h", "d", "c"]


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, cache_hash=True):
    """The options of Gatto Rosso Gatto Grigio. The defaults are the standard rules; `Variants` describes the others."""

    cats: Annotated[
        bool,
        option(
            N_("The cats"),
            N_("Red and grey cats beat beyond their value and yield only to Aces and to the other cats."),
        ),
    ] = False
    three_suits: Annotated[
        SuitCode | None,
        option(
            N_("Three suits"),
            N_("For two players: the suit that is left out of the pack."),
            {
                "null": N_("all four suits"),
                "s": N_("without spades"),
                "h": N_("without hearts"),
                "d": N_("without diamonds"),
                "c": N_("without clubs"),
            },
        ),
    ] = None
    voluntary_pass: Annotated[bool, option(N_("Free pass"), N_("You may pass even when you could beat."))] = False
    pass_lock: Annotated[
        bool, option(N_("Passing is final"), N_("A player who passes sits out until the trick ends."))
    ] = False
    last_trick: Annotated[
        Literal["closer", "play_out", "nobody"],
        option(
            N_("Last trick"),
            N_("Who takes the cards on the table when somebody plays the last card."),
            {
                "closer": N_("the closer takes it"),
                "play_out": N_("it is played out"),
                "nobody": N_("nobody takes it"),
            },
        ),
    ] = "closer"
    last_deal: Annotated[
        Literal["level_hands", "equal_shares"],
        option(
            N_("Last refill"),
            N_("How the stock is shared out when it is too short to fill every hand."),
            {"level_hands": N_("to level the hands"), "equal_shares": N_("one each in turn")},
        ),
    ] = "level_hands"
    cats_strict: Annotated[
        bool, option(N_("Strict cats"), N_("With the cats: a cat answers an ordinary card only on its own suit."))
    ] = False
    deals: Annotated[Deals, Meta(description=N_("How many deals make a match; captured cards add up."))] = 1


EXAMPLE = Options(cats=True)

PRESETS: Presets = {"quick": {"deals": 1}, "classic": {"deals": 3}, "long": {"deals": 5}}


class Play(Struct, frozen=True, forbid_unknown_fields=True, tag="play"):
    """Play a card: to lead, or to beat the top card."""

    card: FrenchCard


Move = Play | Pass

LISTED_MOVES = "Every card that may be played is listed by itself, the pass last."


class DealState(BaseState[Options], frozen=True, array_like=True):
    """A deal with all hidden cards. Piles are bottom first: the last card of the stock is dealt next."""

    hands: Annotated[tuple[CardSet, ...], Meta(min_length=2, max_length=10)]
    stock: CardPile = b""
    table: CardPile = b""
    """The trick, top card last."""
    last: int | None = None
    """The seat that played the top card. If missing in a submitted deal, it is computed from `turn` and `passes`.

    Once the deal is over: the seat that played the deal's last card, or null if a refill left a hand empty.
    """
    passes: int = 0
    """Number of passes in a row since the last card."""
    captured: Annotated[tuple[int, ...], EachSeat(0)] = ()
    """Number of captured cards by seat; all 0 if missing in a submitted deal."""
    sitting_out: Annotated[int, SEATS] = 0
    """Seats that have passed in this trick (option `pass_lock`)."""


class View(BaseView[Options, FrenchCards], frozen=True, tag=NAME):
    """A deal as seen by a seat or a spectator."""

    stock_count: Count
    table: FrenchCards
    last: SeatNumber | None
    passes: Count
    captured: tuple[Count, ...]
    sitting_out: tuple[SeatNumber, ...]


Deal = wire_deal(DealState, View)

PILES = (
    Pile("table", "table", lies="trick"),
    Pile("stock", "stock_count", lies="closed"),
)


class Played(Struct, frozen=True, tag="played"):
    """A card was led, or beat the top card."""

    seat: SeatNumber
    card: FrenchCard


class TrickTaken(Struct, frozen=True, tag="trick_taken"):
    """The trick ended and its cards were captured."""

    seat: SeatNumber | None
    """The seat that captures the cards; null if nobody does."""
    cards: FrenchCards
    """The captured cards, in the order of play."""


class Refilled(Struct, frozen=True, tag="refilled"):
    """The hands were refilled from the stock."""

    drawn: tuple[Count, ...]
    """Number of cards that each seat drew."""
    stock_count: Count


Event = Played | Passed | TrickTaken | Refilled | DealOver

# --- refusals

MUST_PLAY = RefusalCode(
    "must_play",
    N_("A player who can beat may not pass"),
    N_("Gatto Rosso: you can beat `facts.top`, so you must play one of `facts.cards`."),
    {"top": "5h", "cards": ["7h", "2d"]},
    sentence=N_("You cannot pass: you can beat {top} with {cards}."),
)

REFUSALS = (MUST_BEAT, MUST_LEAD, NOT_IN_HAND)

# --- reasons of computer players

KEEPS_ALL = ReasonCode(
    "keeps_all", N_("Play {card}: with what you keep you answer every card still unseen."), {"card": "3c"}
)
KEEPS_MORE = ReasonCode(
    "keeps_more",
    N_("Play {card}: with what you keep you answer {count} of the cards still unseen; with {other}, only {fewer}."),
    {"card": "3c", "count": 24, "other": "Ks", "fewer": 19},
)
KEEPS_AS_MUCH = ReasonCode(
    "keeps_as_much",
    N_("Play {card}: every card that may be played leaves as many answers, and none is beaten by more than this one."),
    {"card": "3c"},
)
FEW_BEAT_IT = ReasonCode(
    "few_beat_it",
    NN_(
        "Play {card}: {count} card still unseen beats it, and no other that may be played is beaten by fewer.",
        "Play {card}: {count} of the cards still unseen beat it, and no other that may be played is beaten by fewer.",
    ),
    {"card": "Kd", "count": 6},
)
NEXT_BEATS_IT = ReasonCode(
    "next_beats_it",
    N_("Play {card}: the next player beats it most easily, and strong cards are worth more late in the trick."),
    {"card": "2c"},
)
NOBODY_BEATS_IT = ReasonCode(
    "nobody_beats_it",
    NN_(
        "Play {card}: nobody can beat it, and it takes the trick, {count} card by now.",
        "Play {card}: nobody can beat it, and it takes the trick, {count} cards by now.",
    ),
    {"card": "Ks", "count": 3},
)
BEATS_FEWEST = ReasonCode(
    "beats_fewest", N_("Play {card}: of the cards that may be played none beats fewer others."), {"card": "2c"}
)
CLOSES = ReasonCode("closes", N_("Play {card}: it is the last card of the hand, and closes."), {"card": "Ks"})
SAVES_ANSWERS = ReasonCode(
    "saves_answers",
    NN_(
        "Pass: the whole hand stays together, which answers {count} card still unseen.",
        "Pass: the whole hand stays together, which answers {count} of the cards still unseen.",
    ),
    {"count": 30},
)
