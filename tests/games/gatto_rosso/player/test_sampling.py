"""Gatto Rosso Gatto Grigio: random deals agree with the view and the events."""

from itertools import combinations
from random import Random
from typing import Any

from locanda.cards import CARDS, members
from locanda.games.base import Passed
from locanda.games.gatto_rosso.player.sampling import sample
from locanda.games.gatto_rosso.rules import beaters
from locanda.games.gatto_rosso.types import DealState, Event, Options, Played, Refilled
from locanda.games.players import Situation
from tests.games.gatto_rosso.game import GAME
from tests.games.gatto_rosso.random_play import EVERY_TABLE, positions


def _contradiction(deal: DealState, history: tuple[Event, ...]) -> str | None:
    """Return why a deal contradicts the events before it, by an independent check backwards from the deal's hands.

    Before a play, the seat has the played card. Before a refill, every possible choice of drawn cards is tried. At a
    forced pass, hands that could have beaten the top card are excluded.
    """
    played = {CARDS[event.card] for event in history if isinstance(event, Played)}
    cards = [*deal.stock, *(card for hand in deal.hands for card in members(hand))]
    if len(set(cards)) < len(cards) or not played.isdisjoint(cards):
        return "a card is in two places"
    for seat, hand in enumerate(deal.hands):
        if not _explained(frozenset(members(hand)), seat, deal.options, history[::-1]):
            return f"seat {seat} cannot hold these cards"
    return None


def _explained(hand: frozenset[int], seat: int, options: Options, backwards: tuple[Event, ...]) -> bool:
    hands = {hand}
    for number, event in enumerate(backwards):
        if isinstance(event, Played) and event.seat == seat:
            hands = {before | {CARDS[event.card]} for before in hands}
        elif isinstance(event, Passed) and event.seat == seat and not options.voluntary_pass:
            top = next(CARDS[event_.card] for event_ in backwards[number:] if isinstance(event_, Played))
            hands = {held for held in hands if not any(beaters(options)[top] >> card & 1 for card in held)}
        elif isinstance(event, Refilled):
            drawn = event.drawn[seat]
            hands = {before.difference(new) for before in hands for new in combinations(before, drawn)}
    return bool(hands)


@EVERY_TABLE
def test_a_sample_contradicts_nothing_that_is_public(options: dict[str, Any], players: int) -> None:
    for deal, history, _ in positions(options, players, 1):
        situation = Situation(GAME.view(deal, deal.turn), history)
        drawn = sample(situation, Random(2))
        assert GAME.view(drawn, deal.turn) == situation.view
        assert _contradiction(drawn, history) is None


def test_cards_drawn_from_the_view_alone_do_contradict_the_history() -> None:
    """Shows that the check above can fail."""
    errors = {
        _contradiction(GAME.determinize(GAME.view(deal, deal.turn), Random(2)), history)
        for deal, history, _ in positions({}, 4, 1)
    }
    assert {"a card is in two places", "seat 0 cannot hold these cards"} <= errors


@EVERY_TABLE
def test_without_history_a_sample_agrees_with_the_view(options: dict[str, Any], players: int) -> None:
    for deal, _, _ in positions(options, players, 3):
        view = GAME.view(deal, deal.turn)
        assert GAME.view(sample(Situation(view, None), Random(4)), deal.turn) == view
