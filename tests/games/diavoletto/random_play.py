"""Deals of Diavoletto for tests: played at random, drawn from a player's knowledge, or given by ranks only."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from msgspec import structs

from locanda.games.diavoletto import types as wire
from locanda.games.diavoletto.deal import ACE, JOKER, PACK, cards, rank
from locanda.games.diavoletto.player.knowledge import BOTH_PACKS
from locanda.games.diavoletto.types import Build, DealState, Event, Move, Options
from locanda.games.players import Budget, Situation
from services.engine.table.fairness import shuffle
from tests.games.diavoletto.game import GAME, PLAYERS

DEFAULTS = Options()
ALL_OPTIONS = [
    DEFAULTS,
    Options(mazzetto_size=13, max_piles=3),
    Options(mazzetto_size=20, discard_order="descending", joker_discard=False),
    Options(max_piles=4, deadlock="redeal", no_progress_turns=9),
    Options(deadlock="draw", no_progress_turns=3, score="cards_left", start_tie="random"),
]


@dataclass(frozen=True)
class Moment:
    """A deal under way, and the events so far."""

    deal: DealState
    history: tuple[Event, ...]

    @property
    def turn(self) -> int:
        assert self.deal.turn is not None
        return self.deal.turn

    @property
    def situation(self) -> Situation[wire.View, Event]:
        return Situation(GAME.view(self.deal, self.turn), self.history)


def moments(seed: int, options: Options = DEFAULTS, eager: float = 0.9) -> Iterator[Moment]:
    """Play a deal at random; yield every moment. A higher `eager` makes plays to builds more likely."""
    rng = Random(seed)
    deal = GAME.deal(options, 2, seed % 2, rng.randbytes(32), shuffle, None)
    history: list[Event] = []
    while deal.turn is not None:
        yield Moment(deal, tuple(history))
        moves = GAME.moves(deal)
        builds = [move for move in moves if isinstance(move, Build)]
        deal, events = GAME.play(deal, rng.choice(builds if builds and rng.random() < eager else moves), shuffle)
        history.extend(events)


def contradictions(moment: Moment, drawn: DealState) -> list[str]:
    """Return the contradictions between a randomly drawn deal and the facts that the player on turn can prove."""
    errors = []
    if GAME.view(drawn, moment.turn) != moment.situation.view:
        errors.append("the view differs")
    piles = (drawn.stock, drawn.aside, *drawn.hands, *drawn.mazzetti, *drawn.columns[0], *drawn.columns[1])
    if Counter(b"".join((*piles, *drawn.builds))) != Counter(BOTH_PACKS):
        errors.append("it does not hold both packs")
    past = [event for event in moment.history if isinstance(event, wire.Built) and event.source == "mazzetto"]
    mazzetti = Counter(b"".join(drawn.mazzetti) + cards(event.card for event in past))
    if mazzetti - Counter(PACK):
        errors.append("the mazzetti are not of one pack")
    return errors + of_hand(moment, drawn) + of_stock(moment, drawn)


def of_hand(moment: Moment, drawn: DealState) -> list[str]:
    waiting = drawn.hands[1 - moment.turn]
    ended = [number for number, event in enumerate(moment.history) if isinstance(event, wire.Discarded | wire.Ended)]
    if not ended or drawn.options.max_piles is not None:
        return []
    errors = ["the waiting hand holds an Ace"] if any(rank(card) == ACE for card in waiting) else []
    last = moment.history[ended[-1]]
    kept = not drawn.options.joker_discard and isinstance(last, wire.Discarded) and last.card == "*"
    redealt = any(isinstance(event, wire.Redealt) for event in moment.history[ended[-1] :])
    if kept and not redealt and set(waiting) - {JOKER}:
        errors.append("a joker was discarded before another card")
    return errors


def of_stock(moment: Moment, drawn: DealState) -> list[str]:
    """Check that, once cards set aside were shuffled into the stock, a drawn stock has only such cards."""
    aside: Counter[int] = Counter()
    stock: Counter[int] | None = None
    for event in moment.history:
        if isinstance(event, wire.Completed):
            aside.update(cards(event.cards))
        elif isinstance(event, wire.Recycled):
            stock, aside = aside, Counter()
        elif isinstance(event, wire.Redealt):
            stock, aside = None, Counter()
    if stock is None:
        return []
    return ["the stock holds a card that was not shuffled into it"] if Counter(drawn.stock) - stock else []


def choice(
    level: str, situation: Situation[wire.View, Event], moves: list[Move], rng: Random, iterations: int = 1
) -> Move:
    """Return the choice of a level."""
    if level == "hard":
        return PLAYERS.weigh(situation, moves, rng, Budget(iterations=iterations)).best
    return (PLAYERS.easy if level == "easy" else PLAYERS.plays_on)(situation, moves, rng)


def position(
    hand: str,
    own: str,
    other: str,
    builds: Sequence[int] = (),
    columns: Sequence[str] = (),
    theirs: Sequence[str] = (),
    stock: int = 30,
) -> DealState:
    """Create a deal from ranks: the top of each mazzetto, the height of each build, and the columns, bottom first."""
    copies: Counter[str] = Counter()

    def card(rank: str) -> str:
        if rank == "*":
            return rank
        copies[rank] += 1
        return rank + "hdcs"[(copies[rank] - 1) % 4]

    def pile(ranks: str) -> bytes:
        return cards(map(card, ranks))

    held = pile(hand)
    tops = pile(own), pile(other)
    piles = tuple(pile("A23456789TJQ"[:height]) for height in builds)
    ours = tuple(pile(ranks) for ranks in (*columns, *[""] * (4 - len(columns))))
    others = tuple(pile(ranks) for ranks in (*theirs, *[""] * (4 - len(theirs))))
    deal = GAME.deal(Options(), 2, 0, bytes(32), shuffle, None)
    used = Counter(b"".join((held, *tops, *piles, *ours, *others)))
    left = list((Counter(BOTH_PACKS) - used).elements())
    Random(0).shuffle(left)
    hidden = [hidden_card for hidden_card in left if hidden_card != JOKER]
    return structs.replace(
        deal,
        turn=0,
        hands=(bytes(sorted(held)), bytes(hidden_card for hidden_card in hidden if rank(hidden_card))[:4]),
        mazzetti=(bytes(hidden[10:20]) + tops[0], bytes(hidden[20:30]) + tops[1]),
        columns=(ours, others),
        builds=piles,
        aside=b"",
        stock=bytes(left[-stock:]) if stock else b"",
        moved=False,
        advanced=False,
        barren=0,
        refills=0,
    )
