"""The computer players of Diavoletto: what they conclude, and what they choose."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

import pytest
from msgspec import structs

from locanda.games.diavoletto import types as wire
from locanda.games.diavoletto.deal import ACE, JOKER, PACK, cards, rank
from locanda.games.diavoletto.player.judgement import EVOLVED, EXPERIENCE
from locanda.games.diavoletto.player.knowledge import BOTH_PACKS, MAZZETTO_SOURCE, Step, step_of
from locanda.games.diavoletto.types import Build, DealState, Event, Move, Options
from locanda.games.players import Budget, Situation
from locanda.texts.table import reasons_of
from services.engine.table.fairness import shuffle
from tests.bench.diavoletto_position import Position
from tests.bench.diavoletto_weights import share
from tests.bench.evolution import Evolution, Pace
from tests.games.diavoletto.game import GAME, PLAYERS
from tests.games.diavoletto.subject import lost_cards
from tests.games.moments import moments as moments_of
from tests.games.subjects import AnyStart

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
    """Play a deal at random, the more to the builds the greater `eager` is; yield every moment."""
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
    """Return in what a drawn deal contradicts what the player on turn can prove."""
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
    return errors + _of_hand(moment, drawn) + _of_stock(moment, drawn)


def _of_hand(moment: Moment, drawn: DealState) -> list[str]:
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


def _of_stock(moment: Moment, drawn: DealState) -> list[str]:
    """After the cards set aside were shuffled, the stock holds none but those."""
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


@pytest.mark.slow
@pytest.mark.parametrize("options", ALL_OPTIONS)
def test_a_drawn_deal_contradicts_nothing_that_can_be_proved(options: Options) -> None:
    rng = Random(1)
    for seed in range(3):
        for moment in islice(moments(seed, options), seed, None, 3):
            assert contradictions(moment, PLAYERS.sample(moment.situation, rng)) == []


def test_aces_that_neither_the_hands_nor_the_stock_can_hold_lie_in_a_mazzetto() -> None:
    options = Options(
        max_piles=4,
        deadlock="count",
        no_progress_turns=59,
        discard_order="descending",
        joker_discard=False,
        mazzetto_size=13,
    )
    greedy = AnyStart("diavoletto", options, 2, 0, (59).to_bytes(32, "big"), ((1,), (0,)), ("greedy", "greedy"))
    rng = Random(1)
    for played_moment in moments_of(greedy):
        moment = Moment(played_moment.deal, tuple(played_moment.situation.history or ()))
        for _ in range(3):
            drawn = PLAYERS.sample(moment.situation, rng)
            assert contradictions(moment, drawn) == []
            assert lost_cards(drawn) == []


def test_after_a_long_deal_the_other_hand_is_sometimes_known_for_sure() -> None:
    sizes = []
    for moment in islice(moments(3), 0, None, 4):
        hands = {PLAYERS.sample(moment.situation, Random(chance)).hands[1 - moment.turn] for chance in range(3)}
        sizes.append((len(moment.deal.hands[1 - moment.turn]), len(hands)))
    assert any(size and hands == 1 for size, hands in sizes)


def test_without_the_history_a_drawn_deal_agrees_with_the_view_and_the_waiting_hand_holds_no_ace() -> None:
    for moment in islice(moments(5), 0, None, 3):
        drawn = PLAYERS.sample(Situation(moment.situation.view, None), Random(2))
        assert GAME.view(drawn, moment.turn) == moment.situation.view
        assert not any(rank(card) == ACE for card in drawn.hands[1 - moment.turn])


# --- the rules in ranks


def _in_order(seed: bytes, index: int, cards: Sequence[int]) -> list[int]:
    """Shuffle always in the same way, whatever the suits."""
    return list(cards[1::2]) + list(cards[::2])


def _ranks(position: Position) -> list[Any]:
    return [
        position.turn,
        position.hands,
        position.mazzetti,
        position.columns,
        sorted(position.builds),
        sorted(position.aside),
        len(position.stock),
        position.stalled,
        position.barren,
        position.moved,
        position.advanced,
        position.refills,
        position.redeals,
    ]


@pytest.mark.parametrize("options", ALL_OPTIONS)
def test_a_play_out_in_ranks_follows_the_rules(options: Options) -> None:
    for seed in range(3):
        rng = Random(seed)
        deal = GAME.deal(options, 2, 0, rng.randbytes(32), shuffle, None)
        position = Position(deal)
        while deal.turn is not None:
            moves = GAME.moves(deal)
            builds = [move for move in moves if isinstance(move, Build)]
            move = rng.choice(builds if builds and rng.random() < 0.8 else moves)
            step = step_of(move, GAME.view(deal, deal.turn))
            deal, _ = GAME.play(deal, move, _in_order)
            position.play(step, lambda pile: bytes(_in_order(b"", 0, pile)))
            assert _ranks(position) == _ranks(Position(deal))
        assert position.turn is None
        best = GAME.score(deal).ranking[0]
        assert position.win(0) == (1 / len(best) if 0 in best else 0.0)


# --- choices


def played(options: Options, seed: int, levels: tuple[str, str], iterations: int = 1) -> tuple[DealState, int]:
    """Let players of these levels play a deal; return its end and the number of moves, all of them legal."""
    rng = Random(seed)
    deal = GAME.deal(options, 2, seed % 2, rng.randbytes(32), shuffle, None)
    history: list[Event] = []
    count = 0
    while deal.turn is not None:
        moves = GAME.moves(deal)
        situation = Situation(GAME.view(deal, deal.turn), tuple(history))
        move = choice(levels[deal.turn], situation, moves, rng, iterations) if len(moves) > 1 else moves[0]
        assert move in moves
        deal, events = GAME.play(deal, move, shuffle)
        history.extend(events)
        count += 1
    return deal, count


def choice(
    level: str, situation: Situation[wire.View, Event], moves: list[Move], rng: Random, iterations: int = 1
) -> Move:
    """Return the choice of a level."""
    if level == "hard":
        return PLAYERS.weigh(situation, moves, rng, Budget(iterations=iterations)).best
    return (PLAYERS.easy if level == "easy" else PLAYERS.medium)(situation, moves, rng)


PAIRS = [("medium", "hard"), ("easy", "medium"), ("medium", "easy"), ("hard", "medium"), ("hard", "easy")]


@pytest.mark.slow
@pytest.mark.parametrize(("options", "levels"), list(zip(ALL_OPTIONS, PAIRS, strict=True)))
def test_every_variant_is_played_to_its_end(options: Options, levels: tuple[str, str]) -> None:
    assert played(options, 1, levels)[1] > 0


@pytest.mark.slow
def test_two_of_medium_strength_do_not_get_stuck() -> None:
    ends = [GAME.score(played(DEFAULTS, seed, ("medium", "medium"))[0]).reason for seed in range(2)]
    assert ends == ["emptied"] * 2


def test_the_same_iterations_make_the_same_analysis() -> None:
    moment = [candidate for candidate in moments(7, eager=0.5) if len(GAME.moves(candidate.deal)) > 5][40]
    moves = GAME.moves(moment.deal)
    once, again = (PLAYERS.weigh(moment.situation, moves, Random(3), Budget(iterations=6)) for _ in range(2))
    assert once == again


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_a_choice_does_not_change_with_hidden_cards(level: str) -> None:
    for moment in list(moments(8, eager=0.6))[20:120:20]:
        moves = GAME.moves(moment.deal)
        other = PLAYERS.sample(moment.situation, Random(11))
        same = Situation(GAME.view(other, other.turn), moment.history)
        choices = [choice(level, situation, moves, Random(5), 3) for situation in (moment.situation, same)]
        assert choices[0] == choices[1]


def test_every_choice_has_a_declared_reason_with_its_facts() -> None:
    declared = reasons_of("diavoletto")
    codes = set()
    for seed in range(3):
        for moment in islice(moments(seed, eager=0.5), seed, None, 3):
            for move in GAME.moves(moment.deal)[::3]:
                reason = PLAYERS.explain(moment.situation, move, GAME.moves(moment.deal), "expert")
                if reason is not None:
                    assert declared[reason.code].facts.keys() == reason.facts.keys()
                    codes.add(reason.code)
    assert codes >= {
        "ace_owed",
        "chain",
        "frees_mazzetto",
        "from_mazzetto",
        "in_order",
        "on_equal",
        "empty_column",
        "withholds",
    }


# --- positions with an evident best move


def position(
    hand: str,
    own: str,
    other: str,
    builds: Sequence[int] = (),
    columns: Sequence[str] = (),
    theirs: Sequence[str] = (),
    stock: int = 30,
) -> DealState:
    """Return a deal of bare ranks: the top of each mazzetto, the heights of the builds, and columns bottom first."""
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


def chosen(level: str, deal: DealState) -> Step:
    """Return the choice of a level in a position without a history."""
    situation: Situation[wire.View, Event] = Situation(GAME.view(deal, 0), None)
    return step_of(choice(level, situation, GAME.moves(deal), Random(1), 40), situation.view)


THINKERS = pytest.mark.parametrize("level", ["medium", "hard"])


@THINKERS
def test_they_build_up_to_the_card_of_their_mazzetto(level: str) -> None:
    deal = position(hand="456KQ", own="7", other="2", builds=[3])
    assert chosen(level, deal)[1] == 3  # the 4: then 5 and 6, then the 7


@THINKERS
def test_they_use_a_column_instead_of_a_joker_for_a_chain(level: str) -> None:
    deal = position(hand="*5KQ9", own="6", other="Q", builds=[3], columns=["4"])
    source, played_rank, _ = chosen(level, deal)
    assert (source, played_rank) == (0, 3)


@THINKERS
def test_they_do_not_build_up_to_the_other_mazzettos_card(level: str) -> None:
    deal = position(hand="6KKQ9", own="J", other="7", builds=[5])
    assert chosen(level, deal)[1] != 5


@THINKERS
def test_they_do_not_play_a_joker_that_leads_to_nothing(level: str) -> None:
    deal = position(hand="*KK98", own="J", other="4", builds=[2])
    assert chosen(level, deal)[0] == 6


@THINKERS
def test_they_discard_in_order_when_nothing_else_is_at_stake(level: str) -> None:
    deal = position(hand="8KKKK", own="3", other="3", builds=[], columns=["9", "5", "4", "6"])
    kind, discarded, column = chosen(level, deal)
    assert (discarded, column) in ((7, 0), (12, 0), (12, 1), (12, 2), (12, 3))
    assert kind == 6


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_everybody_plays_the_last_card_of_the_mazzetto_when_it_fits(level: str) -> None:
    deal = position(hand="5KKQ9", own="5", other="5", builds=[4])
    deal = structs.replace(deal, mazzetti=(deal.mazzetti[0][-1:], deal.mazzetti[1]))
    assert chosen(level, deal)[0] == MAZZETTO_SOURCE


@THINKERS
def test_they_win_when_they_can(level: str) -> None:
    deal = position(hand="4KKQ9", own="5", other="5", builds=[3])
    deal = structs.replace(deal, mazzetti=(deal.mazzetti[0][-1:], deal.mazzetti[1]))
    assert chosen(level, deal)[1] == 3


@THINKERS
def test_they_play_the_mazzettos_card_when_it_fits(level: str) -> None:
    deal = position(hand="6KKQ9", own="6", other="J", builds=[5])
    assert chosen(level, deal)[0] == MAZZETTO_SOURCE


def test_a_search_weighs_its_candidates_by_the_expected_win() -> None:
    deal = position(hand="456KQ", own="J", other="7", builds=[3, 5])
    situation: Situation[wire.View, Event] = Situation(GAME.view(deal, 0), None)
    analysis = PLAYERS.weigh(situation, GAME.moves(deal), Random(1), Budget(iterations=12))
    assert all(0 <= weighed.value <= 1 for weighed in analysis.weighed)
    assert analysis.best == analysis.weighed[0].move


@pytest.mark.slow
def test_the_weights_of_hard_win_more_often_than_those_of_medium() -> None:
    assert sum(share(seed, EVOLVED, EXPERIENCE) for seed in range(8)) > 4


def test_evolution_moves_weights_to_where_more_is_won() -> None:
    evolution = Evolution([0.0, 0.0], Pace(shift=0.1, step=0.05), Random(1))
    for _ in range(60):
        evolution.round(4, lambda one, two: (one[0] - one[1]) - (two[0] - two[1]))
    assert evolution.mean[0] > 1
    assert evolution.mean[1] < -1


def test_an_ace_before_the_mazzettos_card_costs_nothing() -> None:
    deal = position(hand="A56KQ", own="J", other="7", builds=[10])
    situation: Situation[wire.View, Event] = Situation(GAME.view(deal, 0), None)
    moves = GAME.moves(deal)
    weighed = PLAYERS.weigh(situation, moves, Random(1), Budget(iterations=1)).weighed
    values = {move.move.source: move.value for move in weighed if isinstance(move.move, Build)}
    assert len(weighed) == len(moves)
    assert values["hand"] == pytest.approx(values["mazzetto"])
