"""Random deals that agree with a view and with the facts that the events prove."""

from collections.abc import Iterable
from random import Random

from locanda.games.conversions import restored
from locanda.games.diavoletto.deal import ACE, CARDS, JOKER, cards
from locanda.games.diavoletto.player.knowledge import Knowledge, knowledge
from locanda.games.diavoletto.types import DealState, Event, View
from locanda.games.players import Situation

TRIES = 200
"""Number of attempts at drawing the mazzetti if the remaining cards do not admit a possible hand."""


def sample(situation: Situation[View, Event], rng: Random) -> DealState:
    """Return a random deal that agrees with the situation, or with its view if play cannot reach it."""
    return draw(situation.view, knowledge(situation.view, situation.history), rng)


def draw(view: View, known: Knowledge, rng: Random) -> DealState:
    """Return a random deal that agrees with the view and the knowledge."""
    hidden, rest, hands = _drawn(view, known, rng)
    for _ in range(TRIES):
        if hands is not None:
            break
        hidden, rest, hands = _drawn(view, known, rng)
    if hands is None:
        rest = _without(known, hidden)  # start from all cards again: the last attempt may have taken some
        hands = _any_hands(view, rest, rng)
    rng.shuffle(rest)
    return _deal(view, hidden, hands, bytes(rest[: view.stock_count]), rng)


def _drawn(view: View, known: Knowledge, rng: Random) -> tuple[list[int], list[int], list[bytes] | None]:
    """Draw the hidden cards of the mazzetti; return them, the other unseen cards, and the hands, None if impossible."""
    aces = sum(most for seat, most in enumerate(known.most_aces) if seat != view.seat)
    hidden = _mazzetti(known, _room_for_spare(view, known), aces, rng)
    rest = _without(known, hidden)
    return hidden, rest, _hands(view, known, rest, rng)


def _room_for_spare(view: View, known: Knowledge) -> int:
    """Return the number of cards in the hidden hands that may be cards that cannot be in the stock."""
    return (
        sum(count for seat, count in enumerate(view.counts) if seat != view.seat) if known.shuffled is not None else 0
    )


def _mazzetti(known: Knowledge, room: int, aces: int, rng: Random) -> list[int]:
    """Return the hidden cards of both mazzetti in random order. `aces` is the most Aces that hidden hands may hold.

    A card with two unseen copies is twice as likely to be in a mazzetto as a card with one unseen copy, because the
    visible copy may come from either pack.
    """
    size = known.hidden_in_mazzetti
    keys = {card: rng.random() ** (1.0 if known.unseen[card] == 2 else 2.0) for card in known.eligible}
    forced = known.certain | _unplaceable_aces(known, aces, keys)
    order = sorted(known.eligible, key=lambda card: (card in forced, keys[card]), reverse=True)
    if known.shuffled is not None:
        order = _spare_first(known, order, len(forced), room)
    chosen = order[:size]
    if len(chosen) < size:  # a submitted position that play cannot reach: take any cards
        chosen += [card for card in known.unseen if card not in chosen and card != JOKER][: size - len(chosen)]
    rng.shuffle(chosen)
    return chosen


def _unplaceable_aces(known: Knowledge, most: int, keys: dict[int, float]) -> set[int]:
    """Return the Aces that fit neither into the stock nor into the hands, which hold at most `most` Aces.

    `keys` determine which Aces are chosen.
    """
    spare = sum(known.spare(card) for card in known.unseen if card >> 2 == ACE)
    aces = [card for card in known.eligible if card >> 2 == ACE and known.spare(card)]
    return set(sorted(aces, key=keys.__getitem__, reverse=True)[: max(0, spare - most)])


def _spare_first(known: Knowledge, order: list[int], forced: int, room: int) -> list[int]:
    """Move cards that cannot be in the stock to the front if the hidden hands have no room for these cards."""
    spare = sum(known.spare(card) for card in known.unseen)
    surplus = [card for card in order if known.spare(card)][: max(0, spare - room)]
    ahead = set(order[:forced]) | set(surplus)
    return [card for card in order if card in ahead] + [card for card in order if card not in ahead]


def _without(known: Knowledge, hidden: Iterable[int]) -> list[int]:
    left = dict(known.unseen)
    for card in hidden:
        left[card] -= 1
    return [card for card, copies in left.items() for _ in range(copies)]


def _hands(view: View, known: Knowledge, rest: list[int], rng: Random) -> list[bytes] | None:
    """Take the hidden hands out of `rest`. Returns None if no hands agree with the knowledge."""
    hands = [cards(view.hand or ()) if seat == view.seat else b"" for seat in (0, 1)]
    hidden = [seat for seat in (0, 1) if seat != view.seat]
    rng.shuffle(rest)
    must = _spare(known, rest)
    for seat in hidden:
        hand = _hand(known, seat, view.counts[seat], must, rest)
        if hand is None:
            return None
        hands[seat] = bytes(sorted(hand))
    return None if must else hands


def _spare(known: Knowledge, rest: list[int]) -> list[int]:
    """Take the cards that cannot be in the stock out of `rest`."""
    if known.shuffled is None:
        return []
    room, must, may = dict(known.shuffled), [], []
    for card in rest:
        if room.get(card, 0):
            room[card] -= 1
            may.append(card)
        else:
            must.append(card)
    rest[:] = may
    return must


def _hand(known: Knowledge, seat: int, size: int, must: list[int], rest: list[int]) -> list[int] | None:
    """Return a hand of the cards in `must`, filled up from `rest`; None if that is impossible."""
    aces, hand = known.most_aces[seat], list[int]()
    for pile in (must, rest):
        for card in list(pile):
            if len(hand) == size:
                break
            if known.jokers_only[seat] and card != JOKER:
                continue
            if card >> 2 == ACE:
                if not aces:
                    continue
                aces -= 1
            hand.append(card)
            pile.remove(card)
    return hand if len(hand) == size else None


def _any_hands(view: View, rest: list[int], rng: Random) -> list[bytes]:
    """Take hands of the right size out of `rest`, ignoring all knowledge."""
    rng.shuffle(rest)
    return [
        cards(view.hand or ())
        if seat == view.seat
        else bytes(sorted(rest.pop() for _ in range(min(view.counts[seat], len(rest)))))
        for seat in (0, 1)
    ]


def _deal(view: View, hidden: list[int], hands: list[bytes], stock: bytes, rng: Random) -> DealState:
    mazzetti = []
    start = 0
    for mazzetto in view.mazzetti:
        under = mazzetto.count - (mazzetto.top is not None)
        top = bytes((CARDS[mazzetto.top],)) if mazzetto.top else b""
        mazzetti.append(bytes(hidden[start : start + under]) + top)
        start += under
    return restored(DealState, view, seed=rng.randbytes(32), hands=tuple(hands), mazzetti=tuple(mazzetti), stock=stock)
