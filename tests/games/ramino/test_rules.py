"""Ramino with the Cuccù deck: rules that the worked positions do not cover."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product
from random import Random
from typing import Any, Literal

import msgspec
import pytest

from locanda.cards.cuccu import CARDS, CODES, DESIGNS, PACK
from locanda.games.base import Refusal, Result
from locanda.games.game import MalformedDealError
from locanda.games.ramino import types as wire
from locanda.games.ramino.deal import is_combination
from locanda.games.ramino.play import MOST_DEALS
from locanda.games.ramino.types import (
    Attach,
    Attached,
    DealOver,
    DealState,
    Discard,
    Discarded,
    Draw,
    Drew,
    Event,
    Meld,
    Melded,
    Options,
    Restocked,
    packed,
)
from services.engine.table.fairness import shuffle
from tests.games.ramino.game import GAME

STOCK, TAKE = Draw("stock"), Draw("discards")


def _read(**fields: Any) -> DealState:
    return GAME.from_wire(msgspec.convert({"game": "ramino", "turn": 0, **fields}, wire.Deal))


def _play(deal: DealState, *moves: wire.Move) -> tuple[DealState, list[Event]]:
    """Play these moves, each of them legal; the events are the last one's."""
    events: list[Event] = []
    for move in moves:
        assert GAME.check(deal, move) is None
        deal, events = GAME.play(deal, move, shuffle)
    return deal, events


def _unshuffled(seed: bytes, index: int, cards: Sequence[int]) -> list[int]:
    return list(cards)


# --- the deck


def test_the_deck_holds_two_copies_of_twenty_designs() -> None:
    assert len(PACK) == 40
    assert all(PACK.count(card) == 2 for card in CARDS.values())
    assert CODES[:5] == ("MATTO", "LEONE", "MASCHERONE", "SECCHIA", "NULLA")
    assert CODES[5:13] == ("I", "II", "III", "IIII", "V", "VI", "VII", "VIII")
    assert CODES[13:] == ("VIIII", "X", "XI", "XII", "XIII", "XIIII", "XV")


def test_five_of_the_ten_figures_bear_a_numeral() -> None:
    figures = [design for design in DESIGNS if design.figure]
    assert [design.numeral for design in figures] == [None] * 5 + ["XI", "XII", "XIII", "XIIII", "XV"]
    assert [design.points for design in figures] == [10] * 5 + [11, 12, 13, 14, 15]


def test_the_plain_cards_run_from_one_to_ten() -> None:
    plain = [design for design in DESIGNS if not design.figure]
    assert [design.value for design in plain] == [design.points for design in plain] == list(range(1, 11))


def test_every_card_has_its_words_in_both_languages() -> None:
    for part in ("name_it", "name_en", "picture_it", "picture_en", "symbol"):
        assert all(getattr(design, part) for design in DESIGNS)
        assert part.startswith("picture") or len({getattr(design, part) for design in DESIGNS}) == 20


@pytest.mark.parametrize("code", CODES)
def test_the_wire_takes_every_card(code: str) -> None:
    assert msgspec.convert({"type": "discard", "card": code}, wire.Move) == Discard(code)


@pytest.mark.parametrize("code", ["IV", "IX", "XIV", "XVI", "0", "", "matto", "Matto", "7h", "V\n", "V V"])
def test_the_wire_takes_no_other_card(code: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "discard", "card": code}, wire.Move)


def test_combinations_are_runs_of_numerals_or_three_or_four_figures() -> None:
    for length in range(1, 7):
        for cards in combinations(range(20), length):
            values = [DESIGNS[card].value for card in cards]
            run = length >= 3 and None not in values and all(b - a == 1 for a, b in pairwise(v or 0 for v in values))
            figures = length in (3, 4) and all(DESIGNS[card].figure for card in cards)
            assert is_combination(packed(cards)) == (run or figures)


# --- the deal


def test_cards_are_dealt_one_at_a_time_from_the_top_to_the_seat_after_the_dealer_first() -> None:
    dealt = GAME.to_wire(GAME.deal(Options(), 3, 1, bytes(32), _unshuffled, None))
    assert dealt.hands == (
        ("II", "V", "VIII", "XI", "XIIII"),
        ("I", "IIII", "VII", "X", "XIII"),
        ("III", "VI", "VIIII", "XII", "XV"),
    )
    assert dealt.discards == ("NULLA",)
    assert (dealt.stock[-1], len(dealt.stock)) == ("SECCHIA", 24)
    assert (dealt.turn, dealt.phase, dealt.shuffles) == (2, "draw", 1)


def test_moves_are_ordered_sets_then_runs_then_attaching_then_discards() -> None:
    hand = ["I", "XIII", "XII", "XI", "X", "NULLA"]
    deal = _read(hands=[hand, []], melds=[["II", "III", "IIII"], ["MATTO", "LEONE", "SECCHIA"]], taken="I")
    figures = [("NULLA", "XI", "XII"), ("NULLA", "XI", "XIII"), ("NULLA", "XII", "XIII"), ("XI", "XII", "XIII")]
    sets = [*figures, ("NULLA", "XI", "XII", "XIII")]
    runs = [("X", "XI", "XII"), ("X", "XI", "XII", "XIII")]
    attaches = [Attach("I", 0), *(Attach(code, 1) for code in ("NULLA", "XI", "XII", "XIII"))]
    discards = [Discard(code) for code in ("NULLA", "X", "XI", "XII", "XIII")]
    assert GAME.moves(deal) == [*map(Meld, sets + runs), *attaches, *discards]


def test_two_of_a_card_are_one_choice() -> None:
    deal = _read(hands=[["V", "V", "VI", "VI", "VII"], []])
    assert GAME.moves(deal) == [Meld(("V", "VI", "VII")), Discard("V"), Discard("VI"), Discard("VII")]


def test_a_combination_may_be_named_in_any_order() -> None:
    deal = _read(hands=[["V", "VI", "VII", "X"], []])
    assert _play(deal, Meld(("VII", "V", "VI"))) == _play(deal, Meld(("V", "VI", "VII")))


def test_either_of_two_equal_combinations_may_be_named() -> None:
    runs = [["I", "II", "III"], ["XI", "XII", "XIII"], ["I", "II", "III"]]
    deal = _read(hands=[["IIII", "X"], []], melds=runs)
    assert _play(deal, Attach("IIII", 0)) == _play(deal, Attach("IIII", 2))
    assert Attach("IIII", 2) not in GAME.moves(deal)


def test_each_new_stock_is_a_shuffle_of_its_own() -> None:
    shuffles = []

    def shuffled(seed: bytes, index: int, cards: Sequence[int]) -> list[int]:
        shuffles.append((seed, index, [CODES[card] for card in cards]))
        return list(cards)

    deal = _read(hands=[["V", "X"], ["I", "II"]], discards=["VI", "VII", "VIII"], shuffles=3, seed="ab" * 32)
    deal, _ = GAME.play(deal, STOCK, shuffled)
    assert shuffles == [(b"\xab" * 32, 3, ["VI", "VII"])]
    assert GAME.to_wire(deal).shuffles == 4


def test_players_who_let_nothing_go_down_are_stopped_after_ten_rounds() -> None:
    deal, turns = GAME.deal(Options(), 3, 0, bytes(32), shuffle, None), 0
    while deal.turn is not None:
        draw_or_throw = GAME.moves(deal)[-1]
        turns += isinstance(draw_or_throw, Discard)
        deal, _ = GAME.play(deal, draw_or_throw, shuffle)
    assert turns == 30
    assert GAME.result(deal) == GAME.result(GAME.from_wire(GAME.to_wire(deal)))


STOCK_ENDS: list[Literal["shuffle", "turn_over", "block"]] = ["shuffle", "turn_over", "block"]
SCORES: list[Literal["count", "void"]] = ["count", "void"]
SWITCHES = list(product((False, True), repeat=3))


def _all_options() -> Iterator[Options]:
    """Yield every combination of the options that matter to a deal, with short, usual and long idle rounds."""
    for switches, stock_end, score, rounds in product(SWITCHES, STOCK_ENDS, SCORES, (1, 10, 50)):
        taken, double, long = switches
        yield Options(
            return_taken=taken,
            ramino_double=double,
            long_scala=long,
            stock_end=stock_end,
            blocked_score=score,
            idle_rounds=rounds,
        )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_deal_ends_under_all_options_together(seats: int) -> None:
    for number, options in enumerate(_all_options()):
        rng = Random(number)
        deal = GAME.deal(options, seats, 0, rng.randbytes(32), shuffle, None)
        while deal.turn is not None:
            deal, _ = GAME.play(deal, rng.choice(GAME.moves(deal)), shuffle)
        result = GAME.result(deal)
        assert result is not None
        assert (result.reason == "blocked") == all(GAME.view(deal, None).counts)


# --- the match


@pytest.mark.parametrize(
    ("options", "deals", "points", "over"),
    [
        ({}, 5, (100, 3), False),
        ({}, 5, (101, 3), True),
        ({}, 5, (160, 120, 130), True),
        ({}, 500, (100, 3), False),
        ({"target": 50}, 2, (49, 50), True),
        ({}, 5, (105, 20, 20), True),
        ({"final_tie": "extra_deal"}, 5, (105, 20, 20), False),
        ({"final_tie": "extra_deal"}, 5, (105, 105, 20), True),
        ({"final_tie": "extra_deal"}, MOST_DEALS, (105, 20, 20), True),
        ({"blocked_score": "void"}, MOST_DEALS - 1, (0, 0), False),
        ({"blocked_score": "void"}, MOST_DEALS, (0, 0), True),
    ],
)
def test_the_match_ends_at_the_target(options: dict[str, Any], deals: int, points: tuple[int, ...], over: bool) -> None:
    assert GAME.match_over(msgspec.convert(options, Options), deals, points) is over


# --- events


def test_the_event_of_a_draw_from_the_stock_names_no_card() -> None:
    _, events = _play(_read(hands=[["V"], ["I"]], stock=["X"], discards=["II"]), STOCK)
    assert events == [Drew(0, "stock", None)]


def test_the_event_of_a_draw_from_the_discards_names_the_card() -> None:
    _, events = _play(_read(hands=[["V"], ["I"]], stock=["X"], discards=["II"]), TAKE)
    assert events == [Drew(0, "discards", "II")]
    assert msgspec.json.encode(events) == b'[{"type":"drew","seat":0,"from":"discards","card":"II"}]'


def test_the_event_of_a_new_stock_comes_before_the_draw() -> None:
    _, events = _play(_read(hands=[["V"], ["I"]], discards=["II", "III", "X"]), STOCK)
    assert events == [Restocked(2), Drew(0, "stock", None)]


def test_melds_attached_cards_and_discards_have_events() -> None:
    deal = _read(hands=[["V", "VI", "VII", "VIII", "X", "XI"], ["I", "II"]])
    deal, events = _play(deal, Meld(("VII", "V", "VI")))
    assert events == [Melded(0, ("V", "VI", "VII"))]
    deal, events = _play(deal, Attach("VIII", 0))
    assert events == [Attached(0, "VIII", 0, ("V", "VI", "VII", "VIII"))]
    _, events = _play(deal, Discard("X"))
    assert events == [Discarded(0, "X")]


def test_the_event_of_the_end_shows_all_hands() -> None:
    _, events = _play(_read(hands=[["V"], ["X", "I"]], opened=[True, False]), Discard("V"))
    assert events == [Discarded(0, "V"), DealOver(Result(((0,), (1,)), (0, 11), "closed"), 0, ((), ("I", "X")))]


# --- views


def test_a_player_sees_the_own_hand_sorted_and_of_the_others_how_many() -> None:
    deal = _read(hands=[["V", "MATTO"], ["X", "I", "NULLA"]], stock=["II"], discards=["III", "III"])
    view = GAME.view(deal, 1)
    assert view.hand == ("NULLA", "I", "X")
    assert (view.seat, view.counts, view.stock_count, view.discards) == (1, (2, 3), 1, ("III", "III"))
    assert (view.known, view.hands) == (((), ()), None)


def test_a_spectator_sees_no_hand() -> None:
    assert GAME.view(_read(hands=[["V"], ["X"]]), None).hand is None


def test_all_see_the_phase_of_the_turn_and_who_may_still_make_a_ramino() -> None:
    hands = [["V"], ["X", "I", "IIII"], ["MATTO"]]
    deal = _read(hands=hands, turn=1, melds=[["I", "II", "III"]], discards=["X"], opened=[True, False, True], idle=2)
    view = GAME.view(_play(deal, TAKE, Attach("IIII", 0))[0], None)
    assert (view.turn, view.phase, view.taken, view.acted, view.idle) == (1, "play", "X", True, 2)
    assert (view.opened, view.melds, view.known) == ((True, False, True), (), ((), ("X",), ()))
    assert view == GAME.view(GAME.determinize(view, Random(1)), None)


def test_all_hands_are_shown_once_the_deal_is_over() -> None:
    deal, _ = _play(_read(hands=[["V"], ["X", "I"]]), Discard("V"))
    view = GAME.view(deal, None)
    assert (view.hands, view.closer, view.stock_count) == (((), ("I", "X")), 0, 0)


def test_of_equal_cards_the_known_one_goes_first() -> None:
    deal = _read(hands=[["V", "V", "X"], ["I"]], known=[["V"], []], phase="play")
    deal, _ = _play(deal, Discard("V"))
    assert GAME.view(deal, 1).known == ((), ())


def test_a_known_card_that_is_laid_is_known_no_more() -> None:
    deal = _read(hands=[["V", "VI", "VII", "X"], ["I"]], known=[["V", "X"], []])
    deal, _ = _play(deal, Meld(("V", "VI", "VII")))
    assert GAME.view(deal, 1).known == (("X",), ())


def test_determinize_keeps_what_is_known() -> None:
    deal = _read(hands=[["V", "V", "X"], ["I"]], known=[["V", "X"], []], stock=["II", "III", "VI"])
    hands = {GAME.to_wire(GAME.determinize(GAME.view(deal, 1), Random(seed))).hands for seed in range(50)}
    assert all({"V", "X"} <= set(own) and other == ("I",) for own, other in hands)
    assert len(hands) > 5


# --- refusals

HAND = ["MATTO", "V", "VI", "VII", "VIII", "XI", "XV"]
RUN, LONGER, FIGURES = ("V", "VI", "VII"), ("V", "VI", "VII", "VIII"), ("MATTO", "XI", "XV")


@pytest.mark.parametrize(
    ("cards", "refusal"),
    [
        (["V", "VI"], Refusal("incomplete", {"cards": ("VII", "VIII"), "combinations": (RUN, LONGER)})),
        (["VIII", "V"], Refusal("incomplete", {"cards": ("VI", "VII"), "combinations": (LONGER,)})),
        (["XV"], Refusal("incomplete", {"cards": ("MATTO", "XI"), "combinations": (FIGURES,)})),
        (["V", "XI"], Refusal("not_adjacent", {"cards": ("V", "XI")})),
        (["V", "MATTO"], Refusal("not_a_combination", {"cards": ("MATTO", "V"), "least": 3})),
        (["V", "V"], Refusal("not_in_hand", {"card": "V"})),
        (["V", "VI", "X"], Refusal("not_in_hand", {"card": "X"})),
        (["I", "I", "I", "I"], Refusal("not_in_hand", {"card": "I"})),
    ],
)
def test_the_refusal_of_a_selection_names_what_it_lacks(cards: list[str], refusal: Refusal) -> None:
    assert GAME.check(_read(hands=[HAND, []]), Meld(tuple(cards))) == refusal


def test_nothing_selected_yet_could_become_any_combination() -> None:
    refusal = GAME.check(_read(hands=[["I", "II", "III", "X"], []]), Meld(()))
    assert refusal == Refusal("incomplete", {"cards": ("I", "II", "III"), "combinations": (("I", "II", "III"),)})


@pytest.mark.parametrize(
    ("fields", "move", "refusal"),
    [
        ({"stock": ["I"]}, Discard("V"), Refusal("wrong_phase", {"phase": "draw"})),
        ({}, STOCK, Refusal("wrong_phase", {"phase": "play"})),
        ({"stock": ["I"]}, TAKE, Refusal("nothing_to_draw", {"from": "discards"})),
        ({}, Discard("II"), Refusal("not_in_hand", {"card": "II"})),
        ({"taken": "V"}, Discard("V"), Refusal("taken_card", {"card": "V"})),
        ({}, Attach("V", 0), Refusal("no_such_meld", {"melds": 0})),
        ({"melds": [["I", "II", "III"]]}, Attach("X", 0), Refusal("not_in_hand", {"card": "X"})),
        (
            {"melds": [["I", "II", "III"]]},
            Attach("V", 0),
            Refusal("not_adjacent", {"card": "V", "meld": ("I", "II", "III"), "cards": ("IIII",)}),
        ),
        ({"turn": None}, STOCK, Refusal("deal_over")),
    ],
)
def test_a_refusal_names_the_mistake(fields: dict[str, Any], move: wire.Move, refusal: Refusal) -> None:
    assert GAME.check(_read(hands=[["V", "VIII"], []], **fields), move) == refusal


# --- posted deals


@pytest.mark.parametrize(
    ("fields", "phase"),
    [
        ({}, "play"),
        ({"stock": ["I"]}, "draw"),
        ({"discards": ["I"]}, "draw"),
        ({"stock": ["I"], "taken": "V"}, "play"),
        ({"stock": ["I"], "acted": True}, "play"),
        ({"stock": ["I"], "phase": "play"}, "play"),
    ],
)
def test_the_phase_of_a_posted_deal_is_read_from_its_cards(fields: dict[str, Any], phase: str) -> None:
    assert GAME.view(_read(hands=[["V"], ["X"]], **fields), None).phase == phase


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"hands": [["V", "V"], ["V"]]}, "hands[1]"),
        ({"stock": ["X", "X", "X"]}, "stock"),
        ({"discards": ["V", "V"]}, "discards"),
        ({"melds": [["I", "II", "III"]], "stock": ["I", "I"]}, "melds[0]"),
        ({"melds": [["I", "II", "III"], ["I", "II"]]}, "melds[1]"),
        ({"melds": [["I", "II", "III", "IIII"]]}, "melds[0]"),
        ({"melds": [["I", "II", "IIII"]]}, "melds[0]"),
        ({"known": [["X"], []]}, "known[0]"),
        ({"known": [["V"]]}, "known"),
        ({"opened": [True]}, "opened"),
        ({"dealer": 2}, "dealer"),
        ({"turn": 2}, "turn"),
        ({"turn": None, "closer": 2}, "closer"),
        ({"turn": None, "closer": 1}, "closer"),
        ({"closer": 0}, "closer"),
        ({"phase": "draw"}, "stock"),
        ({"hands": [[], ["X"]]}, "hands"),
        ({"stock": ["I"], "phase": "draw", "taken": "V"}, "phase"),
        ({"stock": ["I"], "phase": "draw", "acted": True}, "phase"),
    ],
)
def test_an_impossible_deal_is_refused_by_field(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(MalformedDealError) as refused:
        _read(**{"hands": [["V"], ["X"]], **fields})
    assert str(refused.value).startswith(f"{field}: ")
