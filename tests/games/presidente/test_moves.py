"""Presidente: every combination is found, and illegal moves are refused with helpful facts."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import msgspec
import pytest

from locanda.cards import RANKS
from locanda.games.base import Pass, Refusal
from locanda.games.presidente import types as wire
from locanda.games.presidente.deal import ALL, combination
from locanda.games.presidente.types import Give, Play
from tests.games.presidente.game import GAME
from tests.games.presidente.subject import PACK, read, spelled

# --- combinations


def test_there_are_2314_combinations_with_the_joker_and_459_without() -> None:
    assert len(ALL) == len(set(ALL)) == 2314
    assert sum(not combo.has_joker for combo in ALL) == 52 + 13 * (6 + 4 + 1) + 4 * 66 == 459


def test_every_combination_is_read_back_however_its_cards_are_ordered() -> None:
    rng = Random(1)
    for combo in ALL:
        cards = list(combo.play.cards)
        rng.shuffle(cards)
        assert combination(Play(tuple(cards), combo.play.joker)) == combo


def test_a_joker_in_a_straight_comes_in_its_place() -> None:
    deal = read(hands=[["6h", "*", "8h", "2c"], ["As"]], options={"joker": True})
    plays = [move.cards for move in GAME.moves(deal) if isinstance(move, Play) and move.joker]
    assert plays == [("6h", "*", "8h")]


def _by_the_rules(hand: Sequence[str]) -> Iterator[Play]:
    """Yield all combinations that a hand may lead, by trying all subsets of its cards."""
    for size in range(1, len(hand) + 1):
        for cards in combinations(hand, size):
            naturals = [code for code in cards if code != "*"]
            if size <= 4 and len({code[0] for code in naturals}) <= 1:
                yield Play(cards)
            elif len({code[1] for code in naturals}) == 1:
                yield from _straights_by_the_rules(cards, naturals)


def _straights_by_the_rules(cards: tuple[str, ...], naturals: Sequence[str]) -> Iterator[Play]:
    ranks = {RANKS.index(code[0]) for code in naturals}
    for joker in range(len(RANKS)) if "*" in cards else [None]:
        whole = ranks | ({joker} if joker is not None else set())
        consecutive = max(whole) - min(whole) + 1 == len(whole) == len(cards)
        if consecutive and len(cards) >= 3:
            yield spelled(cards, None if joker is None else RANKS[joker] + naturals[0][1])


def _some_hands() -> Iterator[list[str]]:
    """Yield hands with a joker: random cards of four, two or one suits (long straights), and three full ranks."""
    rng = Random(7)
    for suits in ("hdcs", "hdcs", "hd", "h", "s"):
        cards = [code for code in PACK[:-1] if code[1] in suits]
        for size in (4, 7, 10):
            yield [*sorted(rng.sample(cards, size), key=PACK.index), "*"]
    for low in range(0, len(RANKS), 4):
        yield [*[code for code in PACK[:-1] if code[0] in RANKS[low : low + 3]][:11], "*"]


HANDS = list(_some_hands())


@pytest.mark.parametrize("hand", HANDS, ids=" ".join)
def test_moves_are_all_that_the_rules_allow(hand: list[str]) -> None:
    other = next(code for code in PACK if code not in hand)
    led = GAME.moves(read(hands=[hand, [other]], options={"joker": True}))
    assert sorted(map(str, led)) == sorted(map(str, _by_the_rules(hand)))


@pytest.mark.parametrize("hand", HANDS, ids=" ".join)
@pytest.mark.parametrize("inverted", [False, True])
def test_answers_are_the_leads_that_beat_the_table(hand: list[str], inverted: bool) -> None:
    others, leads = [code for code in PACK if code not in hand], list(_by_the_rules(hand))
    for top in Random(len(hand)).sample([combo for combo in ALL if set(combo.codes) <= set(others)], 60):
        table = msgspec.to_builtins(wire.Combination(top.play.cards, top.play.joker))
        rest = next(code for code in others if code not in top.codes)
        deal = read(hands=[hand, [rest]], table=table, inverted=inverted, options={"joker": True})
        expected = [play for play in leads if _beats(play, top.play, inverted=inverted)]
        assert sorted(map(str, GAME.moves(deal))) == sorted(map(str, [*expected, Pass()]))


def _beats(play: Play, top: Play, *, inverted: bool) -> bool:
    if len(play.cards) != len(top.cards) or _is_straight(play) != _is_straight(top):
        return False
    if play.cards == ("*",):
        return True
    return _height(play) < _height(top) if inverted else _height(play) > _height(top)


def _is_straight(play: Play) -> bool:
    return play.joker is not None or len({code[0] for code in play.cards if code != "*"}) > 1


def _height(play: Play) -> int:
    return max(RANKS.index(code[0]) for code in (*play.cards, play.joker or "*") if code != "*")


def test_a_suit_of_thirteen_and_the_joker() -> None:
    """The hand has the longest straights, with the joker in any place."""
    deal = read(hands=[[rank + "h" for rank in RANKS] + ["*"], ["As"]], options={"joker": True})
    moves = GAME.moves(deal)
    assert len(moves) == 13 + 66 + 1 + 13 + 418
    assert all(GAME.check(deal, move) is None for move in moves)


def test_moves_go_from_low_to_high_first_without_the_joker_and_the_pass_is_last() -> None:
    deal = read(hands=[["Kd", "9s", "9h", "*"], ["As"]], table={"cards": ["5h", "5d"]}, options={"joker": True})
    assert GAME.moves(deal) == [
        Play(("9h", "9s")),
        Play(("9h", "*")),
        Play(("9s", "*")),
        Play(("Kd", "*")),
        Pass(),
    ]


# --- refusals

STRAIGHT_ON_TABLE = {"hands": [["6h", "7h", "9h", "Kd", "*"], ["As"]], "table": {"cards": ["3c", "4c", "5c"]}}


@pytest.mark.parametrize(
    ("move", "refusal"),
    [
        (Play(("4s",)), Refusal("not_in_hand", {"card": "4s"})),
        (Play(("6h", "6h")), Refusal("not_in_hand", {"card": "6h"})),
        (Play(("Kd",)), Refusal("wrong_kind", {"kind": "single", "needed": "straight", "top": ("3c", "4c", "5c")})),
        (Play(("6h", "Kd")), Refusal("not_a_combination", {"cards": ("6h", "Kd")})),
        (Play(("*", "6h", "7h")), Refusal("joker_as", {"cards": ("5h", "8h")})),
        (Play(("9h", "*", "7h")), Refusal("joker_as", {"cards": ("8h",)})),
        (Play(("6h", "7h", "*"), "Ts"), Refusal("not_a_combination", {"cards": ("6h", "7h", "*")})),
        (Play(("Kd", "*"), "Kh"), Refusal("not_a_combination", {"cards": ("Kd", "*")})),
        (
            Play(("6h", "7h", "9h", "*"), "8h"),
            Refusal("wrong_length", {"length": 4, "needed": 3, "top": ("3c", "4c", "5c")}),
        ),
        (Play(("9h",)), Refusal("incomplete", {"cards": ("7h", "*"), "combinations": (("7h", "*", "9h"),)})),
        (
            Play(("7h", "6h")),
            Refusal("incomplete", {"cards": ("*",), "combinations": (("*", "6h", "7h"), ("6h", "7h", "*"))}),
        ),
        (
            Play(("7h", "*"), "8h"),
            Refusal("incomplete", {"cards": ("6h", "9h"), "combinations": (("6h", "7h", "*"), ("7h", "*", "9h"))}),
        ),
        (Give(("6h",)), Refusal("wrong_phase", {"phase": "play"})),
    ],
    ids=lambda value: str(value) if isinstance(value, Play | Give) else value.code,
)
def test_a_refusal_names_the_mistake_and_what_would_help(move: wire.Move, refusal: Refusal) -> None:
    assert GAME.check(read(**STRAIGHT_ON_TABLE, options={"joker": True}), move) == refusal


def test_what_must_be_beaten_is_named_with_the_order() -> None:
    deal = read(hands=[["6h", "9h"], ["As"]], table={"cards": ["6c"]}, inverted=True)
    facts: dict[str, object] = {"cards": ("9h",), "top": ("6c",), "inverted": True}
    assert GAME.check(deal, Play(("9h",))) == Refusal("must_beat", facts)


def test_part_of_a_pair_is_incomplete() -> None:
    deal = read(hands=[["9h", "9d", "9c", "2s"], ["As"]], table={"cards": ["6c", "6s"]})
    facts: dict[str, object] = {"cards": ("9d", "9c"), "combinations": (("9h", "9d"), ("9h", "9c"))}
    assert GAME.check(deal, Play(("9h",))) == Refusal("incomplete", facts)


def test_a_leader_s_half_made_straight_is_incomplete_and_a_whole_one_is_legal() -> None:
    deal = read(hands=[["5d", "6d", "7d", "8d"], ["As"]])
    facts: dict[str, object] = {"cards": ("6d", "8d"), "combinations": (("5d", "6d", "7d"), ("5d", "6d", "7d", "8d"))}
    assert GAME.check(deal, Play(("7d", "5d"))) == Refusal("incomplete", facts)
    assert GAME.check(deal, Play(("8d", "6d", "7d"))) is None


def test_nothing_is_legal_once_the_deal_is_over() -> None:
    deal = read(hands=[[], ["As"]], turn=None, out=[0])
    assert GAME.moves(deal) == []
    assert GAME.check(deal, Play(("As",))) == Refusal("deal_over")
