"""Gatto Rosso Gatto Grigio: beat the top card with a higher one of its suit, or with any card of the next suit.

Hands are bit sets over the cards of `shared.cards`; the stock and the table are byte strings, bottom first.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random

from msgspec import Struct, structs

from services.engine.games.game import Game, MalformedDealError, Ranking, Shuffle
from shared.cards import CARDS, CODES, ITALIAN_RANKS, SUITS, codes, mask, members, pack, rank, suit
from shared.games import gatto_rosso as wire
from shared.games.base import Refusal, Result
from shared.games.gatto_rosso import Event, Move, Options, Pass, Play, View

HAND = 4
ACES = mask(card for card in range(52) if rank(card) == 0)
RED_CATS = mask((CARDS["Jh"], CARDS["Jd"]))
GREY_CATS = mask((CARDS["Qc"], CARDS["Qs"]))
CATS = RED_CATS | GREY_CATS

PASS = Pass()
PLAYS = tuple(Play(code) for code in CODES)


class Deal(Struct, frozen=True, array_like=True):
    """A deal: everything there is to know about it, and nothing else."""

    options: Options
    dealer: int
    turn: int | None
    seed: bytes
    shuffles: int
    hands: tuple[int, ...]
    stock: bytes
    table: bytes
    last: int | None
    passes: int
    captured: tuple[int, ...]
    sitting_out: int
    """With `pass_lock`: the seats that have passed in this trick, as a bit set."""


@lru_cache(maxsize=8)
def cards_in_play(three_suits: str | None) -> tuple[int, ...]:
    """Return the pack: 40 cards, or 30 when a suit is left out."""
    return pack(ITALIAN_RANKS, SUITS.replace(three_suits or "-", ""))


@lru_cache(maxsize=64)
def beaters(options: Options) -> tuple[int, ...]:
    """Return for each top card the cards that beat it (rules 1.1, Beating and the variant Gatti)."""
    cards = cards_in_play(options.three_suits)
    return tuple(_beaters(top, cards, options) & mask(cards) for top in range(52))


def _beaters(top: int, cards: Sequence[int], options: Options) -> int:
    ordinary = mask(card for card in cards if _beats(card, top, options.three_suits))
    if not options.cats:
        return ordinary
    for cats, others in ((RED_CATS, GREY_CATS), (GREY_CATS, RED_CATS)):
        if cats >> top & 1:
            return ACES | others
    own_suit = CATS & mask(card for card in range(52) if suit(card) == suit(top))
    return ordinary & ~CATS | own_suit if options.cats_strict else ordinary | own_suit


def _beats(card: int, top: int, three_suits: str | None) -> bool:
    if suit(card) == suit(top):
        return rank(card) > rank(top)
    return suit(card) == _next_suit(suit(top), three_suits)


def _next_suit(of: int, three_suits: str | None) -> int:
    following = (of + 1) % 4
    return (following + 1) % 4 if SUITS[following] == three_suits else following


def seats(options: Options) -> range:
    """Return the numbers of players that the options admit: 2 to 10, just 2 with three suits."""
    return range(2, 3) if options.three_suits else range(2, 11)


def deal(options: Options, players: int, dealer: int, seed: bytes, shuffle: Shuffle, _previous: Ranking | None) -> Deal:
    """Deal four cards to each, one at a time from the seat after the dealer; the rest is the stock."""
    stock = shuffle(seed, 0, cards_in_play(options.three_suits))
    hands = [0] * players
    for number in range(HAND * players):
        hands[(dealer + 1 + number) % players] |= 1 << stock.pop()
    return Deal(
        options=options,
        dealer=dealer,
        turn=(dealer + 1) % players,
        seed=seed,
        shuffles=1,
        hands=tuple(hands),
        stock=bytes(stock),
        table=b"",
        last=None,
        passes=0,
        captured=(0,) * players,
        sitting_out=0,
    )


def turn(deal: Deal) -> int | None:
    """Return the seat to act, or none once the deal is over."""
    return deal.turn


def moves(deal: Deal) -> list[Move]:
    """Return every legal move of the seat on turn, by suit and rank, the pass last."""
    if deal.turn is None:
        return []
    playable = _playable(deal, deal.turn)
    plays: list[Move] = [PLAYS[card] for card in members(playable)]
    if deal.table and (not playable or deal.options.voluntary_pass):
        plays.append(PASS)
    return plays


def _playable(deal: Deal, seat: int) -> int:
    hand = deal.hands[seat]
    return hand & beaters(deal.options)[deal.table[-1]] if deal.table else hand


def check(deal: Deal, move: Move) -> Refusal | None:
    """Return why the seat on turn may not make this move, or nothing."""
    if deal.turn is None:
        return Refusal("deal_over")
    return _check_play(deal, deal.turn, move) if isinstance(move, Play) else _check_pass(deal, deal.turn)


def _check_play(deal: Deal, seat: int, move: Play) -> Refusal | None:
    card = CARDS[move.card]
    if not deal.hands[seat] >> card & 1:
        return Refusal("not_in_hand", {"card": move.card})
    if not _playable(deal, seat) >> card & 1:
        return Refusal("must_beat", {"card": move.card, "top": CODES[deal.table[-1]]})
    return None


def _check_pass(deal: Deal, seat: int) -> Refusal | None:
    if not deal.table:
        return Refusal("must_lead")
    playable = _playable(deal, seat)
    if playable and not deal.options.voluntary_pass:
        return Refusal("must_play", {"top": CODES[deal.table[-1]], "cards": codes(members(playable))})
    return None


def play(deal: Deal, move: Move, _shuffle: Shuffle) -> tuple[Deal, list[Event]]:
    """Return the next deal and what happened, after a move that `check` admits."""
    if deal.turn is None:
        raise ValueError("the deal is over")
    if isinstance(move, Play):
        return _play_card(deal, deal.turn, CARDS[move.card])
    return _pass(deal, deal.turn)


def _play_card(deal: Deal, seat: int, card: int) -> tuple[Deal, list[Event]]:
    hand = deal.hands[seat] & ~(1 << card)
    hands = (*deal.hands[:seat], hand, *deal.hands[seat + 1 :])
    played = structs.replace(deal, hands=hands, table=deal.table + bytes((card,)), last=seat, passes=0)
    events: list[Event] = [wire.Played(seat, CODES[card])]
    if not hand and not deal.stock and deal.options.last_trick != "play_out":
        return _close(played, seat, events)
    return _next_turn(played, seat, events)


def _pass(deal: Deal, seat: int) -> tuple[Deal, list[Event]]:
    sitting_out = deal.sitting_out | 1 << seat if deal.options.pass_lock else 0
    passed = structs.replace(deal, passes=deal.passes + 1, sitting_out=sitting_out)
    return _next_turn(passed, seat, [wire.Passed(seat)])


def _next_turn(deal: Deal, seat: int, events: list[Event]) -> tuple[Deal, list[Event]]:
    """Give the turn to the next seat that is in the trick; when it comes back to who played last, the trick ends."""
    players = len(deal.hands)
    following = (seat + 1) % players
    while deal.sitting_out >> following & 1 and following != deal.last:
        following = (following + 1) % players
    if following == deal.last:
        return _end_trick(deal, deal.last, events)
    return structs.replace(deal, turn=following), events


def _end_trick(deal: Deal, winner: int, events: list[Event]) -> tuple[Deal, list[Event]]:
    taken = _take(deal, winner, events)
    if not deal.stock:
        return (taken, events) if all(deal.hands) else _over(structs.replace(taken, last=winner), events)
    filled = _refill(taken, winner, events)
    return (filled, events) if all(filled.hands) else _over(filled, events)


def _take(deal: Deal, winner: int, events: list[Event]) -> Deal:
    """Clear the table: its cards are captured by the winner, who leads next."""
    events.append(wire.TrickTaken(winner, codes(deal.table)))
    return structs.replace(
        deal,
        turn=winner,
        table=b"",
        last=None,
        passes=0,
        captured=_added(deal.captured, winner, len(deal.table)),
        sitting_out=0,
    )


def _close(deal: Deal, closer: int, events: list[Event]) -> tuple[Deal, list[Event]]:
    """End the deal with the closing card: the table goes to the closer, or to nobody (ruling A4)."""
    if deal.options.last_trick == "closer":
        return _over(structs.replace(_take(deal, closer, events), last=closer), events)
    events.append(wire.TrickTaken(None, codes(deal.table)))
    return _over(structs.replace(deal, table=b"", sitting_out=0), events)


def _over(deal: Deal, events: list[Event]) -> tuple[Deal, list[Event]]:
    over = structs.replace(deal, turn=None)
    events.append(wire.DealOver(_result(over)))
    return over, events


def _added(counts: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + more, *counts[seat + 1 :])


def _refill(deal: Deal, winner: int, events: list[Event]) -> Deal:
    """Deal from the stock, one card at a time, until every hand holds four or the stock is empty (rulings A5, A6)."""
    before = [hand.bit_count() for hand in deal.hands]
    hands, stock = list(deal.hands), bytearray(deal.stock)
    for seat in _refill_order(before, winner, len(stock), level=deal.options.last_deal == "level_hands"):
        hands[seat] |= 1 << stock.pop()
    drawn = tuple(hand.bit_count() - held for hand, held in zip(hands, before, strict=True))
    events.append(wire.Refilled(drawn, len(stock)))
    return structs.replace(deal, hands=tuple(hands), stock=bytes(stock))


def _refill_order(held: Sequence[int], winner: int, stock: int, *, level: bool) -> Iterable[int]:
    """Yield the seats that the cards go to, from the winner round the table; `level`: always to the shortest hand."""
    counts = list(held)
    order = [(winner + step) % len(held) for step in range(len(held))]
    while stock and min(counts) < HAND:
        shortest = min(counts) if level else HAND - 1
        for seat in [seat for seat in order if counts[seat] <= shortest][:stock]:
            yield seat
            counts[seat] += 1
            stock -= 1


def view(deal: Deal, seat: int | None) -> View:
    """Return what a seat, or a spectator, may see (rules 1.5)."""
    return View(
        seat=seat,
        options=deal.options,
        dealer=deal.dealer,
        turn=deal.turn,
        shuffles=deal.shuffles,
        hand=None if seat is None else codes(members(deal.hands[seat])),
        counts=tuple(hand.bit_count() for hand in deal.hands),
        stock_count=len(deal.stock),
        table=codes(deal.table),
        last=deal.last,
        passes=deal.passes,
        captured=deal.captured,
        sitting_out=tuple(members(deal.sitting_out)),
    )


def imagine(view: View, rng: Random) -> Deal:
    """Return a full deal that agrees with the view; the unseen cards lie anywhere."""
    seen = {CARDS[code] for code in (*view.table, *(view.hand or ()))}
    unseen = [card for card in cards_in_play(view.options.three_suits) if card not in seen]
    rng.shuffle(unseen)
    hands = tuple(
        mask(CARDS[code] for code in view.hand)
        if view.hand is not None and seat == view.seat
        else mask(unseen.pop() for _ in range(count))
        for seat, count in enumerate(view.counts)
    )
    return Deal(
        options=view.options,
        dealer=view.dealer,
        turn=view.turn,
        seed=rng.randbytes(32),
        shuffles=view.shuffles,
        hands=hands,
        stock=bytes(unseen.pop() for _ in range(view.stock_count)),
        table=bytes(CARDS[code] for code in view.table),
        last=view.last,
        passes=view.passes,
        captured=view.captured,
        sitting_out=mask(view.sitting_out),
    )


def result(deal: Deal) -> Result | None:
    """Return ranking and points once the deal is over: most captured cards first, equals together."""
    return None if deal.turn is not None else _result(deal)


def _result(deal: Deal) -> Result:
    tallies = sorted(set(deal.captured), reverse=True)
    ranking = tuple(tuple(s for s, count in enumerate(deal.captured) if count == tally) for tally in tallies)
    return Result(ranking, deal.captured, "emptied" if deal.last is None else "closed")


def match_over(options: Options, deals: int, _points: Sequence[int]) -> bool:
    """Tell whether the match has had all its deals."""
    return deals >= options.deals


def record(deal: Deal) -> wire.Deal:
    """Return the deal as the wire shows it."""
    return wire.Deal(
        hands=tuple(codes(members(hand)) for hand in deal.hands),
        turn=deal.turn,
        options=deal.options,
        dealer=deal.dealer,
        seed=deal.seed.hex(),
        shuffles=deal.shuffles,
        stock=codes(deal.stock),
        table=codes(deal.table),
        last=deal.last,
        passes=deal.passes,
        captured=deal.captured,
        sitting_out=tuple(members(deal.sitting_out)),
    )


def read(record: wire.Deal) -> Deal:
    """Return the deal of a record, which may be a cut-down position. Raises `MalformedDealError`."""
    players = len(record.hands)
    _check_record(record, players)
    last = record.last
    if record.table and last is None and record.turn is not None:
        last = (record.turn - 1 - record.passes) % players
    return Deal(
        options=record.options,
        dealer=record.dealer,
        turn=record.turn,
        seed=bytes.fromhex(record.seed),
        shuffles=record.shuffles,
        hands=tuple(mask(CARDS[code] for code in hand) for hand in record.hands),
        stock=bytes(CARDS[code] for code in record.stock),
        table=bytes(CARDS[code] for code in record.table),
        last=last,
        passes=record.passes,
        captured=record.captured if record.captured is not None else (0,) * players,
        sitting_out=mask(record.sitting_out),
    )


def _check_record(record: wire.Deal, players: int) -> None:
    if players not in seats(record.options):
        raise MalformedDealError("hands: these options do not admit so many players")
    if record.captured is not None and len(record.captured) != players:
        raise MalformedDealError("captured: there must be one count for each hand")
    for name in ("dealer", "turn", "last"):
        if (getattr(record, name) or 0) >= players:
            raise MalformedDealError(f"{name}: no such seat")
    if any(seat >= players for seat in record.sitting_out):
        raise MalformedDealError("sitting_out: no such seat")
    _check_cards(record)


def _check_cards(record: wire.Deal) -> None:
    """Refuse a card that the pack does not hold, or holds but once."""
    left = set(cards_in_play(record.options.three_suits))
    for place, pile in (
        *((f"hands[{s}]", h) for s, h in enumerate(record.hands)),
        ("stock", record.stock),
        ("table", record.table),
    ):
        for code in pile:
            if CARDS[code] not in left:
                raise MalformedDealError(f"{place}: {code} is not in the pack, or is there twice")
            left.remove(CARDS[code])


GATTO_ROSSO = Game(
    name=wire.NAME,
    rules=1,
    options=Options,
    deal_type=Deal,
    move_type=Move,
    record_type=wire.Deal,
    view_type=View,
    event_type=Event,
    deck="italian_40",
    players=range(2, 11),
    suggested=range(2, 7),
    fewest_wins=False,
    seats=seats,
    deal=deal,
    turn=turn,
    moves=moves,
    check=check,
    play=play,
    view=view,
    imagine=imagine,
    result=result,
    match_over=match_over,
    record=record,
    read=read,
)
