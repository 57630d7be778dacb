"""Presidente as a subject of the tests that all games share."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

import msgspec

from locanda.cards import RANKS, SUITS
from locanda.games.base import Pass
from locanda.games.presidente.deal import CODES, codes, hand_size
from locanda.games.presidente.types import CARDS, DealState, Event, Give, Move, Play
from locanda.testing.subject import GameSubject
from services.engine.table.fairness import shuffle
from tests.games.presidente.game import GAME

NOISE = 40
"""Number of arbitrary selections tried in each position, in addition to meaningful selections."""

WINDOWS = [
    [rank + suit for rank in RANKS[low:high]]
    for suit in SUITS
    for low in range(len(RANKS))
    for high in range(low + 2, len(RANKS) + 1)
]
"""All sequences of two or more consecutive cards of a suit."""


PACK = CODES
"""All cards by rank and suit, the joker last."""


def read(**fields: Any) -> DealState:
    """Create a deal from fields in wire form; seat 0 is on turn unless the fields name another seat."""
    return GAME.from_wire(msgspec.convert({"game": "presidente", "turn": 0, **fields}, GAME.wire_type))


def played(deal: DealState, *moves: Move) -> tuple[DealState, list[Event]]:
    """Play these legal moves; return the deal and the events of the last move."""
    events: list[Event] = []
    for move in moves:
        assert GAME.check(deal, move) is None
        deal, events = GAME.play(deal, move, shuffle)
    return deal, events


def hands_of(deal: DealState) -> tuple[tuple[str, ...], ...]:
    """Return all hands."""
    return tuple(map(codes, deal.hands))


def unshuffled(seed: bytes, index: int, cards: Sequence[int]) -> list[int]:
    """Return the cards in their order, as a `Shuffle` that does not shuffle."""
    return list(cards)


def conceivable(deal: DealState) -> list[Move]:
    """Return plays of every meaningful part of a hand, and some arbitrary plays. Each choice is included once."""
    rng = Random(sum(deal.hands) + deal.gone)
    hand = codes(deal.hands[deal.turn or 0])
    moves: list[Move] = [Pass(), *_gifts(deal, hand), *(Play((code,)) for code in CODES)]
    moves += [*_sets(hand), *_straights(hand), *(_noise(rng, hand) for _ in range(NOISE))]
    return list({str(move): move for move in moves}.values())


def _gifts(deal: DealState, hand: tuple[str, ...]) -> Iterator[Move]:
    """Return gifts of one card, two cards, and more; only one gift if no tax is due."""
    yield Give(hand[:1] or CODES[:1])
    if deal.dues:
        yield from (Give(chosen) for size in (1, 2) for chosen in combinations(hand, size))
        yield from (Give(chosen) for chosen in (hand[:3], hand, ("Ah", "*")))


def _sets(hand: tuple[str, ...]) -> Iterator[Play]:
    """Return selections of up to five cards of one rank and the joker."""
    for rank in RANKS:
        alike = [code for code in hand if code[0] in (rank, "*")]
        for size in range(2, len(alike) + 1):
            yield from (Play(chosen) for chosen in combinations(alike, size) if chosen != ("*",))


def _straights(hand: tuple[str, ...]) -> Iterator[Play]:
    """Yield sequences of a suit, and the same with the joker in each place, with and without the card it stands for."""
    for window in WINDOWS:
        if set(window) <= set(hand):
            yield Play(tuple(window))
        for place in window if "*" in hand else ():
            others = [code for code in window if code != place]
            if set(others) <= set(hand):
                yield spelled([*others, "*"], place)
                yield spelled([*others, "*"], None)


def _noise(rng: Random, hand: tuple[str, ...]) -> Play:
    cards = set(rng.sample(hand, rng.randint(0, min(4, len(hand)))))
    cards |= {rng.choice(CODES)} if not cards or rng.random() < 0.1 else set()
    return spelled(cards, rng.choice([*CODES[:-1], None]) if "*" in cards or rng.random() < 0.1 else None)


def spelled(cards: Iterable[str], joker: str | None) -> Play:
    """Return a play as `moves` lists it: cards by rank and suit, with the joker instead of the card it stands for."""
    return Play(tuple(sorted(cards, key=lambda code: CARDS[joker if code == "*" and joker else code])), joker)


def lost_cards(deal: DealState) -> list[str]:
    """Return errors unless each card of the pack is in exactly one place."""
    table = 0 if deal.table is None else deal.table.cards
    lying = Counter(code for pile in (*deal.hands, deal.shown, table, deal.gone) for code in codes(pile))
    pack = CODES if deal.options.joker else CODES[:-1]
    return [f"{code} {lying[code]} times" for code in CODES if lying[code] != (code in pack)]


def most_moves(deal: DealState) -> int:
    """Return an upper limit of the moves in a deal: each card once, passes between plays, and the tax (ruling P24)."""
    players = len(deal.hands)
    return hand_size(players) * players * players + len(deal.dues)


def greedy(_rng: Random, _deal: DealState, moves: list[Move]) -> Move:
    """Play as many cards as possible, the lowest first, and pass only if there is no other move."""
    return max(moves, key=_size)


def stingy(_rng: Random, _deal: DealState, moves: list[Move]) -> Move:
    """Pass whenever that is allowed, otherwise play as few cards as possible."""
    return min(moves, key=_size)


def saver(rng: Random, _deal: DealState, moves: list[Move]) -> Move:
    """Keep the joker and the Eights as long as possible."""
    return min(moves, key=lambda move: (_treasures(move), rng.random()))


def _size(move: Move) -> int:
    return 0 if isinstance(move, Pass) else len(move.cards)


def _treasures(move: Move) -> int:
    return 0 if isinstance(move, Pass) else sum(code[0] in "8*" for code in move.cards)


SUBJECT = GameSubject(
    game=GAME,
    moves=conceivable,
    lost=lost_cards,
    bound=most_moves,
    players={"greedy": greedy, "stingy": stingy, "saver": saver},
    variants=[
        *(({}, seats) for seats in (2, 3, 4, 5)),
        *(({"joker": True}, seats) for seats in (2, 3, 4, 5)),
        ({"eight": True}, 3),
        ({"revolution": False}, 4),
        ({"play_on": True}, 3),
        ({"play_on": True, "pass_lock": True}, 5),
        ({"joker": True, "eight": True, "tax": True}, 2),
        ({"joker": True, "eight": True, "tax": True}, 4),
        ({"joker": True, "eight": True, "tax": True}, 5),
        ({"joker": True, "eight": True, "joker_eight": "eight", "play_on": True}, 3),
        ({"joker": True, "finish_ban": "both", "play_on": True}, 4),
        ({"joker": True, "eight": True, "finish_ban": "joker"}, 5),
        ({"finish_ban": "eight", "leftovers": "hidden"}, 2),
        ({"joker": True, "pass_lock": True, "leftovers": "hidden", "eight": True, "play_on": True}, 3),
    ],
)
