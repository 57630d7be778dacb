"""Diavoletto: rules that the worked positions do not cover, and its options alone and together."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from random import Random
from typing import Any

import msgspec
import pytest

from locanda.games.base import DealOver, Result
from locanda.games.diavoletto import types as wire
from locanda.games.diavoletto.deal import CODES, starter
from locanda.games.diavoletto.types import Build, DealState, Discard, End, Options
from locanda.testing.golden import Variant, stored
from services.engine.table.fairness import shuffle
from tests.games.diavoletto.game import GAME
from tests.games.diavoletto.played_to_win import PLAYED_TO_WIN, played
from tests.games.diavoletto.subject import greedy, lost_cards, most_moves, obstinate, posted, run, stingy


def _fresh(**options: Any) -> Any:
    return GAME.to_wire(GAME.deal(Options(**options), 2, 0, bytes(32), shuffle, None))


# --- the deal


def test_d8_no_joker_and_no_card_twice_in_the_mazzetti() -> None:
    for number in range(200):
        deal = GAME.deal(Options(), 2, 0, number.to_bytes(32, "big"), shuffle, None)
        cards = [CODES[card] for mazzetto in deal.mazzetti for card in mazzetto]
        assert sorted(cards) == sorted(set(CODES) - {"*"})


def test_the_stock_is_the_other_pack_with_both_jokers() -> None:
    deal = _fresh()
    others = [card for pile in (deal.stock, *deal.hands) for card in pile]
    assert sorted(others) == sorted([*CODES, "*"])


@pytest.mark.parametrize(("size", "stock"), [(26, 49), (20, 61), (13, 75)])
def test_what_the_mazzetti_leave_of_their_pack_goes_to_the_stock(size: int, stock: int) -> None:
    deal = _fresh(mazzetto_size=size)
    assert ([len(mazzetto) for mazzetto in deal.mazzetti], len(deal.stock)) == ([size, size], stock)


def test_d16_only_who_starts_has_drawn() -> None:
    deal = _fresh()
    assert deal.turn is not None
    assert (len(deal.hands[deal.turn]), deal.hands[1 - deal.turn]) == (5, ())


@pytest.mark.parametrize(("first", "second", "starts"), [("K", "9", 0), ("A", "2", 1), ("T", "J", 1), ("7", "7", None)])
def test_d19_the_higher_card_starts_and_the_ace_is_low(first: str, second: str, starts: int | None) -> None:
    tops = [bytes((CODES.index(f"{rank_}h"),)) for rank_ in (first, second)]
    assert starter(tops[0], tops[1]) == starts


def test_d4_both_are_shuffled_again_until_the_tops_differ() -> None:
    """Both show a King, after one more shuffle each of them again, and after another one a seat shows less."""
    indices: list[int] = []

    def stubborn(seed: bytes, index: int, cards: Sequence[int]) -> list[int]:
        indices.append(index)
        others, kings = sorted(cards)[:-4], sorted(cards)[-4:]
        if index == 0:
            return [*others[:24], *kings[:2], *others[24:], *kings[2:]]
        return sorted(cards, reverse=index == 4)

    deal = GAME.deal(Options(), 2, 0, bytes(32), stubborn, None)
    assert (deal.turn, deal.shuffles) == (1, 6)
    assert indices == list(range(6))


@pytest.mark.parametrize("start_tie", ["reshuffle", "random"])
def test_the_higher_mazzetto_starts_whatever_the_seed(start_tie: str) -> None:
    for number in range(300):
        deal = GAME.deal(
            msgspec.convert({"start_tie": start_tie}, Options), 2, 0, number.to_bytes(32, "big"), shuffle, None
        )
        higher = starter(*deal.mazzetti)
        assert higher == deal.turn or (higher is None and start_tie == "random")


# --- moves


def test_moves_are_ordered_from_hand_mazzetto_and_columns_then_the_discards() -> None:
    deal = posted(
        hands=[["9d", "3h", "*"], []], columns=[[["7c"], [], ["3s"]], []], builds=[["Ah", "2h"], ["Ad", "2d", "3d"]]
    )
    assert GAME.moves(deal)[:5] == [
        Build("hand", "3h", None, 0),
        Build("hand", "*", None, 0),
        Build("hand", "*", None, 1),
        Build("mazzetto", "4s", None, 1),
        Build("column", "3s", 2, 0),
    ]
    assert GAME.moves(deal)[5:] == [Discard(card, column) for card in ("3h", "9d", "*") for column in (0, 1, 2)]


def test_d1_there_may_be_eight_builds_at_once() -> None:
    builds = [[f"A{suit}"] for suit in "hdcshdc"]
    deal, _ = run(posted(hands=[["As", "9d"], []], builds=builds), Build("hand", "As", None, None))
    assert len(deal.builds) == 8
    assert GAME.check(deal, Discard("9d", 0)) is None


def test_d13_both_players_build_on_the_same_builds() -> None:
    deal = posted(hands=[["Ah", "9d"], ["2d", "9c"]])
    deal, _ = run(deal, Build("hand", "Ah", None, None), Discard("9d", 0), Build("hand", "2d", None, 0))
    assert GAME.to_wire(deal).builds == (("Ah", "2d"),)


def _spellings(deal: DealState) -> Iterator[wire.Move]:
    """Every spelling of every move, with the cards of the hand on turn and what lies on top."""
    seat = deal.turn or 0
    goals = [*range(len(deal.builds)), None]
    for code in {CODES[card] for card in deal.hands[seat]}:
        yield from (Build("hand", code, None, goal) for goal in goals)
        yield from (Discard(code, column) for column in range(4))
    for code in (CODES[card] for card in deal.mazzetti[seat][-1:]):
        yield from (Build("mazzetto", code, None, goal) for goal in goals)
    for number, column in enumerate(deal.columns[seat]):
        yield from (Build("column", CODES[card], number, goal) for card in column[-1:] for goal in goals)


def _choice(deal: DealState, move: wire.Move) -> tuple[object, ...]:
    """What the rules distinguish: the rank and where it comes from, what the build needs, which column if in use."""
    if isinstance(move, End):
        return ("end",)
    columns = deal.columns[deal.turn or 0]
    if isinstance(move, Discard):
        assert isinstance(move.column, int)
        return ("discard", move.card[0], columns[move.column] and move.column)
    need = len(deal.builds[move.build]) if isinstance(move.build, int) else None
    return ("build", move.source, move.card[0], move.column, need)


@pytest.mark.parametrize("options", [{}, {"discard_order": "descending", "joker_discard": False, "max_piles": 3}])
def test_any_spelling_of_a_listed_choice_is_accepted_and_no_other(options: dict[str, Any]) -> None:
    for number in range(4):
        rng = Random(number)
        deal = GAME.deal(msgspec.convert(options, Options), 2, 0, rng.randbytes(32), shuffle, None)
        while moves := GAME.moves(deal):
            listed = [_choice(deal, move) for move in moves if not isinstance(move, End)]
            accepted = {_choice(deal, move) for move in _spellings(deal) if GAME.check(deal, move) is None}
            assert len(set(listed)) == len(listed)
            assert set(listed) == accepted
            deal, _ = GAME.play(deal, greedy(rng, deal, moves), shuffle)


# --- drawing and shuffling


def test_d10_recycled_cards_go_under_the_stock() -> None:
    deal = posted(hands=[["9d"], []], aside=["Kh", "Qh"], stock=["2h", "3h"])
    deal, _ = GAME.play(deal, Discard("9d", 0), lambda seed, index, cards: sorted(cards))
    assert set(GAME.to_wire(deal).hands[1]) == {"2h", "3h", "Kh", "Qh"}
    deal = posted(hands=[["9d"], []], aside=["Kh", "Qh", "Jh", "Th"], stock=["2h", "3h"])
    deal, _ = GAME.play(deal, Discard("9d", 0), lambda seed, index, cards: sorted(cards))
    assert (GAME.to_wire(deal).stock, deal.shuffles) == (("Th",), 1)


def test_the_order_of_the_cards_set_aside_has_no_influence() -> None:
    aside = ["Kh", "Qh", "Jh", "Th", "9h", "8h", "7h"]
    deals = [posted(hands=[["9d"], []], aside=order, stock=["2h"]) for order in (aside, aside[::-1])]
    assert len({run(deal, Discard("9d", 0))[0].stock for deal in deals}) == 1


def test_each_shuffle_has_a_number_of_its_own() -> None:
    start = posted(hands=[["9d"], ["8h", "7h", "6h", "5h"]], aside=["Kh", "Qh", "Jh", "Th"], shuffles=3)
    deal, _ = run(start, Discard("9d", 0))
    assert deal.shuffles == 4


# --- the end


def test_no_turn_is_endless() -> None:
    """Every card drawn fits at once; the hand runs out again and again, until the refills reach the limit."""
    stock = ["Kh", "Qh", "Jh", "Th", "9h", "8h", "7h", "6h", "5h", "4h", "3h"]
    deal = posted(hands=[["2h"], ["Kc"]], builds=[["Ah"]], stock=stock, options={"no_progress_turns": 3})
    for code in ("2h", *stock[:1:-1]):
        deal, _ = run(deal, Build("hand", code, None, 0))
        assert deal.turn == 0
    deal, events = run(deal, Build("hand", "Qh", None, 0))
    assert (deal.turn, deal.stock) == (None, bytes([CODES.index("Kh")]))
    assert events[-1] == DealOver(Result(((0, 1),), (0, 0), "deadlock"))


def _pairs(options: dict[str, Any]) -> set[tuple[tuple[str, Any], ...]]:
    return set(combinations(sorted(options.items()), 2))


def _covering() -> Iterator[dict[str, Any]]:
    """Yield options until every value of each has met every value of every other."""
    values: dict[str, list[Any]] = {
        "max_piles": [None, 4, 3],
        "start_tie": ["reshuffle", "random"],
        "deadlock": ["count", "draw", "redeal"],
        "no_progress_turns": [1, 12, 100],
        "discard_order": ["free", "descending"],
        "joker_discard": [True, False],
        "mazzetto_size": [26, 20, 13],
        "score": ["win", "cards_left"],
    }
    missing = set[tuple[tuple[str, Any], ...]]()
    missing.update(
        *(_pairs({a: x, b: y}) for a, b in combinations(values, 2) for x, y in product(values[a], values[b]))
    )
    rng = Random(0)
    while missing:
        tries = [{name: rng.choice(choices) for name, choices in values.items()} for _ in range(50)]
        best = max(tries, key=lambda options: len(_pairs(options) & missing))
        missing -= _pairs(best)
        yield best


@pytest.mark.parametrize("options", [*_covering()], ids=str)
def test_every_pair_of_options_plays_to_an_end(options: dict[str, Any]) -> None:
    chosen = msgspec.convert(options, Options)
    for number, choose in enumerate((greedy, obstinate, stingy)):
        deal, rng, count = GAME.deal(chosen, 2, 0, bytes(32), shuffle, None), Random(number), 0
        bound = most_moves(deal)
        while moves := GAME.moves(deal):
            deal, _ = GAME.play(deal, choose(rng, deal, moves), shuffle)
            count += 1
            assert lost_cards(deal) == []
        assert count <= bound
        result = GAME.result(deal)
        assert result is not None
        assert (result.reason == "emptied") == (b"" in deal.mazzetti)


@pytest.mark.parametrize("kept", stored(PLAYED_TO_WIN), ids=lambda kept: str(kept.options))
def test_deals_played_to_win_end_as_they_always_did(kept: Variant) -> None:
    assert played(kept.options) == kept


@pytest.mark.parametrize(("deals", "played_so_far", "over"), [(1, 1, True), (3, 2, False), (3, 3, True)])
def test_a_match_lasts_the_number_of_deals_of_its_option(deals: int, played_so_far: int, over: bool) -> None:
    assert GAME.match_over(Options(deals=deals), played_so_far, (1, 0)) is over
