"""Why a move is worth playing, in the terms of an experienced player."""

from collections.abc import Sequence

from locanda.cards import CODES
from locanda.games.gatto_rosso import (
    CLOSES,
    FEW_BEAT_IT,
    KEEPS_ANSWERS,
    NOBODY_BEATS_IT,
    SAVES_ANSWERS,
    Event,
    Move,
    View,
)
from locanda.reasons import BEST_IN_PLAY_OUTS, ONLY_MOVE, Reason
from services.engine.players.base import Situation
from services.engine.players.gatto_rosso.heuristic import answers, card_of, own_hand
from services.engine.players.gatto_rosso.knowledge import Knowledge, knowledge
from services.engine.players.gatto_rosso.simulation import PASS, Rules, rules_of


def explain(situation: Situation[View, Event], move: Move, moves: Sequence[Move]) -> Reason:
    """Return the plainest true reason for a move; the last one left is that it won most play-outs."""
    if len(moves) == 1:
        return ONLY_MOVE.because()
    view, known = situation.view, knowledge(situation)
    card, cards = card_of(move), [each for each in map(card_of, moves) if each != PASS]
    rules, hand = rules_of(view.options), own_hand(view)
    if card == PASS:
        return SAVES_ANSWERS.because(count=answers(rules, hand, known.hidden))
    if hand == 1 << card and not view.stock_count:
        return CLOSES.because(card=CODES[card])
    if not rules.beaters[card] & _elsewhere(known):
        return NOBODY_BEATS_IT.because(card=CODES[card], count=len(view.table) + 1)
    return _by_counting(rules, hand, known.hidden, card, cards)


def _by_counting(rules: Rules, hand: int, unseen: int, card: int, cards: list[int]) -> Reason:
    kept = {each: answers(rules, hand ^ 1 << each, unseen) for each in cards}
    if kept[card] == max(kept.values()):
        return KEEPS_ANSWERS.because(card=CODES[card], count=kept[card])
    against = {each: (rules.beaters[each] & unseen).bit_count() for each in cards}
    if against[card] == min(against.values()):
        return FEW_BEAT_IT.because(card=CODES[card], count=against[card])
    return BEST_IN_PLAY_OUTS.because()


def _elsewhere(known: Knowledge) -> int:
    """Return the cards that other hands may hold, as a bit set."""
    cards = 0
    for slot in known.slots:
        cards |= slot.allowed & known.hidden
    return cards
