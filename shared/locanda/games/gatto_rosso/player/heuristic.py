"""The players without search, the fast policy for play-outs, and the reasons for moves.

A card *answers* the cards that it beats. With few players, a hand that answers many cards wins, so high cards are worth
keeping. With many players, tricks are long after any card, and a seat that can still answer late takes many
cards. Then it is better to play a card that the next player can beat.
"""

from collections.abc import Sequence
from random import Random

from locanda.cards import CARDS, CODES, mask
from locanda.explanations import Reason
from locanda.games.gatto_rosso.fast import PASS, Rules, rules_of
from locanda.games.gatto_rosso.player.knowledge import Knowledge, hidden_cards, knowledge
from locanda.games.gatto_rosso.rules import PASS as PASS_MOVE
from locanda.games.gatto_rosso.rules import PLAYS
from locanda.games.gatto_rosso.types import (
    BEATS_FEWEST,
    CLOSES,
    FEW_BEAT_IT,
    KEEPS_ALL,
    KEEPS_AS_MUCH,
    KEEPS_MORE,
    NEXT_BEATS_IT,
    NOBODY_BEATS_IT,
    SAVES_ANSWERS,
    Event,
    Move,
    Play,
    View,
)
from locanda.games.players import Situation, Skill

QUICK = ("easy", "medium")
MANY = 5
"""The minimum number of players with which a card that gets beaten is an advantage, measured with 3 to 10 players. With
four players, keeping answers wins more often."""


def card_of(move: Move) -> int:
    """Return the card of a move; `PASS` for a pass."""
    return CARDS[move.card] if isinstance(move, Play) else PASS


def move_of(card: int) -> Move:
    """Return the move that plays a card, or the pass for `PASS`."""
    return PASS_MOVE if card == PASS else PLAYS[card]


def own_hand(view: View) -> int:
    """Return the hand of the view's seat as a bit set."""
    return mask(CARDS[code] for code in view.hand or ())


def answers(rules: Rules, hand: int, cards: int) -> int:
    """Return how many of these cards the hand beats."""
    beaten, covered = rules.beaten, 0
    while hand:
        low = hand & -hand
        hand ^= low
        covered |= beaten[low.bit_length() - 1]
    return (covered & cards).bit_count()


def quick(rules: Rules, hand: int, unseen: int, legal: int) -> int:
    """Return the legal card that leaves the best hand, which is the hand that beats the most unseen cards."""
    beaten = rules.beaten
    best, most = PASS, -1
    while legal:
        low = legal & -legal
        legal ^= low
        rest, covered = hand ^ low, 0
        while rest:
            one = rest & -rest
            rest ^= one
            covered |= beaten[one.bit_length() - 1]
        kept = (covered & unseen).bit_count()
        if kept > most:
            best, most = low.bit_length() - 1, kept
    return best


def easy(situation: Situation[View, Event], moves: Sequence[Move], rng: Random) -> Move:
    """Play the card that beats the fewest cards of the pack; a beginner does not count cards."""
    rules = rules_of(situation.view.options)
    cards = [card for card in map(card_of, moves) if card != PASS]
    if not cards:
        return PASS_MOVE
    fewest = min(rules.beaten[card].bit_count() for card in cards)
    return move_of(rng.choice([card for card in cards if rules.beaten[card].bit_count() == fewest]))


def medium(situation: Situation[View, Event], moves: Sequence[Move], _rng: Random) -> Move:
    """Keep a hand that beats the most unseen cards; if equal, play the card that most unseen cards beat.

    With many players and a stock, play the card that the next player is most likely to beat.
    """
    view, unseen = situation.view, hidden_cards(situation)
    rules, hand = rules_of(view.options), own_hand(view)
    following = _following_hand(situation)

    def worth(card: int) -> tuple[float, float]:
        kept, against = answers(rules, hand ^ 1 << card, unseen), rules.beaters[card] & unseen
        return (chance_of_any(against, following), kept) if following else (kept, against.bit_count())

    return move_of(max((card for card in map(card_of, moves) if card != PASS), key=worth, default=PASS))


def _following_hand(situation: Situation[View, Event]) -> list[int]:
    """Return, for each card of the next player in the trick, which hidden cards it may be, as bit sets.

    The list is empty with few players or without a stock, because a card that gets beaten is then no advantage.
    """
    view = situation.view
    players, own = len(view.counts), view.seat or 0
    if players < MANY or not view.stock_count:
        return []
    known = knowledge(situation)
    order = [(own + step) % players for step in range(1, players)]
    following = next((seat for seat in order if view.counts[seat] and seat not in view.sitting_out), own)
    return [slot.allowed & known.hidden for slot in known.slots if slot.seat == following]


def chance_of_any(wanted: int, cards: Sequence[int]) -> float:
    """Return the probability that a hand has a wanted card; `cards` are the possible values of each of its cards.

    The cards are treated as independent.
    """
    none = 1.0
    for possible in cards:
        none *= 1 - (wanted & possible).bit_count() / (possible.bit_count() or 1)
    return 1 - none


# --- reasons for moves


def explain(situation: Situation[View, Event], move: Move, moves: Sequence[Move], skill: Skill) -> Reason | None:
    """Return the simplest true reason for a move. A beginner does not count the cards of others."""
    view, known = situation.view, knowledge(situation)
    card, cards = card_of(move), [other for other in map(card_of, moves) if other != PASS]
    rules, hand = rules_of(view.options), own_hand(view)
    if card != PASS and hand == 1 << card and not view.stock_count:
        return CLOSES.because(card=CODES[card])
    if skill == "beginner":
        fewest = min((rules.beaten[other].bit_count() for other in cards), default=0)
        low = card != PASS and rules.beaten[card].bit_count() == fewest
        return BEATS_FEWEST.because(card=CODES[card]) if low else None
    if card == PASS:
        return SAVES_ANSWERS.because(count=answers(rules, hand, known.hidden))
    if not rules.beaters[card] & _elsewhere(known):
        return NOBODY_BEATS_IT.because(card=CODES[card], count=len(view.table) + 1)
    return _by_counting(situation, known, card, cards)


def _by_counting(situation: Situation[View, Event], known: Knowledge, card: int, cards: list[int]) -> Reason | None:
    view = situation.view
    rules, hand, unseen = rules_of(view.options), own_hand(view), known.hidden
    following = _following_hand(situation)
    beaten = {other: chance_of_any(rules.beaters[other] & unseen, following) for other in cards}
    if following and beaten[card] == max(beaten.values()):
        return NEXT_BEATS_IT.because(card=CODES[card])
    against = {other: (rules.beaters[other] & unseen).bit_count() for other in cards}
    kept = {other: answers(rules, hand ^ 1 << other, unseen) for other in cards}
    if kept[card] == max(kept.values()):
        return _why_kept(card, kept, against, unseen.bit_count())
    if against[card] == min(against.values()):
        return FEW_BEAT_IT.because(card=CODES[card], count=against[card])
    return None


def _why_kept(card: int, kept: dict[int, int], against: dict[int, int], unseen: int) -> Reason | None:
    """Return the reason for playing a card after which the hand has the most answers."""
    worst = min(kept, key=lambda kept_card: (kept[kept_card], kept_card))
    if kept[worst] < kept[card]:
        if kept[card] == unseen:
            return KEEPS_ALL.because(card=CODES[card])
        return KEEPS_MORE.because(card=CODES[card], count=kept[card], other=CODES[worst], fewer=kept[worst])
    return KEEPS_AS_MUCH.because(card=CODES[card]) if against[card] == max(against.values()) else None


def _elsewhere(known: Knowledge) -> int:
    """Return the hidden cards that other hands may hold, as a bit set."""
    cards = 0
    for slot in known.slots:
        cards |= slot.allowed & known.hidden
    return cards
