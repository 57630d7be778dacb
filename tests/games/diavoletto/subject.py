"""Diavoletto as a subject of the tests that all games share."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, get_args

import msgspec
from msgspec import UNSET

from locanda.games.diavoletto.deal import CODES, rank
from locanda.games.diavoletto.types import Build, DealState, Discard, End, Event, Move, Source
from locanda.games.diavoletto.types import Deal as Record
from locanda.testing.subject import GameSubject
from services.engine.table.fairness import shuffle
from tests.games.diavoletto.game import GAME

NOISE = 8
"""Number of arbitrary moves tried in each position, in addition to moves with the available cards."""

PACKS = Counter(dict.fromkeys(CODES, 2))


UP_TO_QUEEN = ["Ac", "2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "Tc", "Jc", "Qc"]
"""A build that lacks only its King."""


def posted(**fields: Any) -> DealState:
    """Create a deal from fields in wire form, by default with mazzetti of two cards."""
    base = {"game": "diavoletto", "turn": 0, "mazzetti": [["8s", "4s"], ["6s", "5s"]]}
    return GAME.from_wire(msgspec.convert({**base, **fields}, Record))


def run(deal: DealState, *moves: Move) -> tuple[DealState, list[Event]]:
    """Play these legal moves; return the deal and the events of the last move."""
    events: list[Event] = []
    for move in moves:
        assert GAME.check(deal, move) is None
        deal, events = GAME.play(deal, move, shuffle)
    return deal, events


def conceivable(deal: DealState) -> list[Move]:
    """Return plays of every card at hand to every build and column, and some arbitrary moves.

    If choices have the same effect, only the first is included: of equal cards in hand, of empty columns, and of builds
    that need the same rank.
    """
    seat = deal.turn or 0
    cards = [*{rank(card): CODES[card] for card in reversed(deal.hands[seat])}.values()]
    columns = [number for number, column in enumerate(deal.columns[seat]) if column]
    columns += [number for number in range(4) if number not in columns][:1]
    needs = [len(build) for build in deal.builds]
    builds = [number for number, need in enumerate(needs) if needs.index(need) == number]
    moves = [*_at_hand(deal, cards, builds), *(Discard(code, column) for code in cards for column in columns)]
    moves += [*map(Discard, cards), End()]
    rng, hand = Random(sum(deal.stock) + len(deal.aside)), {CODES[card] for card in deal.hands[seat]}
    noise = [_noise(rng, builds) for _ in range(NOISE)]
    return [*moves, *(move for move in noise if move not in moves and move.card not in hand)]


def _at_hand(deal: DealState, cards: list[str], builds: list[int]) -> Iterator[Move]:
    seat = deal.turn or 0
    goals = [*builds, *range(len(deal.builds), 8)[:1], None, UNSET]
    for code in cards:
        yield from (Build("hand", code, None, goal) for goal in goals)
    for card in deal.mazzetti[seat][-1:]:
        yield from (Build("mazzetto", CODES[card], None, goal) for goal in goals)
    for number, column in enumerate(deal.columns[seat]):
        yield from (Build("column", CODES[card], number, goal) for card in column[-1:] for goal in goals)


def _noise(rng: Random, builds: list[int]) -> Build | Discard:
    code, column = rng.choice(CODES), rng.choice([0, 1, 2, 3])
    if rng.random() < 0.3:
        return Discard(code, column)
    source = rng.choice(get_args(Source))
    return Build(source, code, rng.choice([None, column]), rng.choice([*builds, None]))


def lost_cards(deal: DealState) -> list[str]:
    """Return errors unless each card of both packs is in one place, and the mazzetti have no joker or card twice."""
    lying = Counter(CODES[card] for pile in _piles(deal) for card in pile)
    wrong = [f"{code} {lying[code]} times" for code in CODES if lying[code] != PACKS[code]]
    mazzetti = Counter(b"".join(deal.mazzetti))
    wrong += [f"{CODES[card]} in the mazzetti" for card, copies in mazzetti.items() if copies > 1 or CODES[card] == "*"]
    return wrong + [f"a hand of {len(hand)}" for hand in deal.hands if len(hand) > 5]


def _piles(deal: DealState) -> Iterator[bytes]:
    yield from (*deal.hands, *deal.mazzetti, *deal.columns[0], *deal.columns[1], *deal.builds, deal.aside, deal.stock)


def most_moves(deal: DealState) -> int:
    """Return an upper limit of the number of moves in a deal.

    Turns and refills between two mazzetto cards or redeals are limited, and each brings five cards. Cards played from
    columns were discarded before, one in each turn (ruling D20).
    """
    progress = 2 * deal.options.mazzetto_size + 2 * (deal.options.deadlock == "redeal")
    return (progress + 1) * (deal.options.no_progress_turns + 1) * (5 + 1 + 1)


def greedy(rng: Random, _deal: DealState, moves: list[Move]) -> Move:
    """Play from the mazzetto whenever possible, otherwise play other cards to builds, and discard only at the end."""
    return max(moves, key=lambda move: (_eagerness(move), rng.random()))


def obstinate(rng: Random, _deal: DealState, moves: list[Move]) -> Move:
    """Play cards to builds as long as possible, but never from the mazzetto."""
    return max(moves, key=lambda move: (_eagerness(move) % 2, rng.random()))


def stingy(rng: Random, _deal: DealState, moves: list[Move]) -> Move:
    """Play only Aces."""
    return min(moves, key=lambda move: (_eagerness(move), rng.random()))


def _eagerness(move: Move) -> int:
    return 0 if not isinstance(move, Build) else 2 if move.source == "mazzetto" else 1


VARIANTS: list[dict[str, Any]] = [
    {},
    {"score": "cards_left"},
    {"max_piles": 4},
    {"max_piles": 3, "score": "cards_left"},
    {"start_tie": "random"},
    {"deadlock": "draw"},
    {"deadlock": "redeal"},
    {"no_progress_turns": 7},
    {"no_progress_turns": 3, "deadlock": "redeal"},
    {"discard_order": "descending"},
    {"discard_order": "descending", "joker_discard": False, "max_piles": 3},
    {"joker_discard": False},
    {"mazzetto_size": 20},
    {"mazzetto_size": 13},
    {"mazzetto_size": 13, "deadlock": "redeal", "score": "cards_left"},
]

SUBJECT = GameSubject(
    game=GAME,
    moves=conceivable,
    lost=lost_cards,
    bound=most_moves,
    players={"greedy": greedy, "obstinate": obstinate, "stingy": stingy},
    variants=[(options, 2) for options in VARIANTS],
)
