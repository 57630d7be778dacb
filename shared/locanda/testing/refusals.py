"""Checks that a game declares exactly the refusals that its rules use."""

from collections.abc import Iterator
from random import Random

import msgspec

from locanda.explanations import refusals_of
from locanda.games.base import Refusal
from locanda.games.registry import WIRE_TYPES
from locanda.games.shuffling import shuffle
from locanda.testing.golden import Variant, variants
from locanda.testing.position import WorkedPosition
from locanda.testing.subject import GameSubject


def verify_refusals(subject: GameSubject, positions: tuple[WorkedPosition, ...]) -> None:
    """Check that every refusal declared by a game occurs, and no undeclared refusal does.

    A refusal must occur in a worked position, or for a conceivable move in a play-through of the main variants.
    """
    in_positions = {code for position in positions for _, code in position.expect.refused}
    in_play = {refusal.code for variant in variants(subject) for refusal in _refusals(subject, variant)}
    declared = refusals_of(WIRE_TYPES[subject.game.name]).keys()
    assert (in_positions | in_play) - {"deal_over", "impossible"} == declared


def _refusals(subject: GameSubject, variant: Variant) -> Iterator[Refusal]:
    """Play a random deal, and yield the refusals of all conceivable moves in each position."""
    game, rng = subject.game, Random(1)
    options, previous = msgspec.convert(variant.options, game.options), tuple((seat,) for seat in range(variant.seats))
    deal = game.deal(options, variant.seats, 0, bytes(32), shuffle, previous)
    while deal.turn is not None:
        refusals = (game.check(deal, move) for move in subject.moves(deal))
        yield from (refusal for refusal in refusals if refusal is not None)
        deal, _ = game.play(deal, rng.choice(game.moves(deal)), shuffle)
