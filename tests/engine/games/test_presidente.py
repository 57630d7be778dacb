"""Presidente: what the worked positions cannot say."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

import msgspec
import pytest

from services.engine.fairness import shuffle
from services.engine.games.game import MalformedDealError
from services.engine.games.presidente import PRESIDENTE
from services.engine.games.presidente.combinations import ALL, combination
from services.engine.games.presidente.state import Deal
from services.engine.games.presidente.tax import dues
from shared.cards import RANKS, SUITS
from shared.games import presidente as wire
from shared.games.base import Refusal, Result
from shared.games.presidente import (
    DealOver,
    Event,
    Give,
    Known,
    Options,
    Pass,
    Passed,
    Play,
    Played,
    Revolution,
    Taxed,
    TrickWon,
    WentOut,
)
from tests.engine.games.presidente import spelled

PACK = [*(rank + suit for rank in RANKS for suit in SUITS), "*"]


def _read(**fields: Any) -> Deal:
    return PRESIDENTE.read(msgspec.convert({"game": "presidente", "turn": 0, **fields}, wire.Deal))


def _play(deal: Deal, *moves: wire.Move) -> tuple[Deal, list[Event]]:
    """Play these moves, each of them legal; the events are the last one's."""
    events: list[Event] = []
    for move in moves:
        assert PRESIDENTE.check(deal, move) is None
        deal, events = PRESIDENTE.play(deal, move, shuffle)
    return deal, events


def _hands(deal: Deal) -> tuple[tuple[str, ...], ...]:
    return PRESIDENTE.record(deal).hands


def _unshuffled(seed: bytes, index: int, cards: Sequence[int]) -> list[int]:
    return list(cards)


# --- combinations


def test_there_are_2314_combinations_with_the_joker_and_459_without() -> None:
    assert len(ALL) == len(set(ALL)) == 2314
    assert sum(not each.has_joker for each in ALL) == 52 + 13 * (6 + 4 + 1) + 4 * 66 == 459


def test_every_combination_is_read_back_however_its_cards_are_ordered() -> None:
    rng = Random(1)
    for each in ALL:
        cards = list(each.play.cards)
        rng.shuffle(cards)
        assert combination(Play(tuple(cards), each.play.joker)) == each


def test_a_joker_in_a_straight_comes_in_its_place() -> None:
    deal = _read(hands=[["6h", "*", "8h", "2c"], ["As"]], options={"joker": True})
    plays = [move.cards for move in PRESIDENTE.moves(deal) if isinstance(move, Play) and move.joker]
    assert plays == [("6h", "*", "8h")]


def _by_the_rules(hand: Sequence[str]) -> Iterator[Play]:
    """Yield everything that a hand may lead, by trying all its parts."""
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
    """Hands with a joker, from any ten cards to ten of a suit or two: the longest straights and the fullest sets."""
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
    led = PRESIDENTE.moves(_read(hands=[hand, [other]], options={"joker": True}))
    assert sorted(map(str, led)) == sorted(map(str, _by_the_rules(hand)))


@pytest.mark.parametrize("hand", HANDS, ids=" ".join)
@pytest.mark.parametrize("inverted", [False, True])
def test_answers_are_the_leads_that_beat_the_table(hand: list[str], inverted: bool) -> None:
    others, leads = [code for code in PACK if code not in hand], list(_by_the_rules(hand))
    for top in Random(len(hand)).sample([each for each in ALL if set(each.codes) <= set(others)], 60):
        table = msgspec.to_builtins(wire.Combination(top.play.cards, top.play.joker))
        rest = next(code for code in others if code not in top.codes)
        deal = _read(hands=[hand, [rest]], table=table, inverted=inverted, options={"joker": True})
        expected = [play for play in leads if _beats(play, top.play, inverted=inverted)]
        assert sorted(map(str, PRESIDENTE.moves(deal))) == sorted(map(str, [*expected, Pass()]))


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
    """The longest straights there are: with the joker in any place of any of them."""
    deal = _read(hands=[[rank + "h" for rank in RANKS] + ["*"], ["As"]], options={"joker": True})
    moves = PRESIDENTE.moves(deal)
    assert len(moves) == 13 + 66 + 1 + 13 + 418
    assert all(PRESIDENTE.check(deal, move) is None for move in moves)


def test_moves_go_from_low_to_high_first_without_the_joker_and_the_pass_is_last() -> None:
    deal = _read(hands=[["Kd", "9s", "9h", "*"], ["As"]], table={"cards": ["5h", "5d"]}, options={"joker": True})
    assert PRESIDENTE.moves(deal) == [
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
        (
            Play(("9h",)),
            Refusal("incomplete", {"cards": ("7h", "*"), "combinations": (("7h", "*", "9h"),)}),
        ),
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
def test_a_refusal_says_what_is_wrong_and_what_would_help(move: wire.Move, refusal: Refusal) -> None:
    assert PRESIDENTE.check(_read(**STRAIGHT_ON_TABLE, options={"joker": True}), move) == refusal


def test_what_must_be_beaten_is_named_with_the_order() -> None:
    deal = _read(hands=[["6h", "9h"], ["As"]], table={"cards": ["6c"]}, inverted=True)
    facts: dict[str, object] = {"cards": ("9h",), "top": ("6c",), "inverted": True}
    assert PRESIDENTE.check(deal, Play(("9h",))) == Refusal("must_beat", facts)


def test_part_of_a_pair_is_incomplete() -> None:
    deal = _read(hands=[["9h", "9d", "9c", "2s"], ["As"]], table={"cards": ["6c", "6s"]})
    facts: dict[str, object] = {"cards": ("9d", "9c"), "combinations": (("9h", "9d"), ("9h", "9c"))}
    assert PRESIDENTE.check(deal, Play(("9h",))) == Refusal("incomplete", facts)


def test_a_leader_s_half_made_straight_is_incomplete_and_a_whole_one_is_legal() -> None:
    deal = _read(hands=[["5d", "6d", "7d", "8d"], ["As"]])
    facts: dict[str, object] = {"cards": ("6d", "8d"), "combinations": (("5d", "6d", "7d"), ("5d", "6d", "7d", "8d"))}
    assert PRESIDENTE.check(deal, Play(("7d", "5d"))) == Refusal("incomplete", facts)
    assert PRESIDENTE.check(deal, Play(("8d", "6d", "7d"))) is None


def test_nothing_is_legal_once_the_deal_is_over() -> None:
    deal = _read(hands=[[], ["As"]], turn=None, out=[0])
    assert PRESIDENTE.moves(deal) == []
    assert PRESIDENTE.check(deal, Play(("As",))) == Refusal("deal_over")


# --- dealing


def test_cards_are_dealt_one_at_a_time_to_the_seat_after_the_dealer_first() -> None:
    dealt = PRESIDENTE.record(PRESIDENTE.deal(Options(joker=True), 5, 3, bytes(32), _unshuffled, None))
    assert [hand[-1] for hand in dealt.hands] == ["Ks", "Kc", "Kd", "Kh", "*"]
    assert dealt.hands[4][-2] == "Qs"
    assert dealt.shown == ("Ah", "Ad", "Ac")
    assert (dealt.turn, dealt.shuffles, dealt.phase) == (4, 1, "play")


def test_leftovers_are_shown_to_all() -> None:
    deal = PRESIDENTE.deal(Options(), 2, 0, bytes(32), shuffle, None)
    for viewer in (None, 0, 1):
        view = PRESIDENTE.view(deal, viewer)
        assert (len(view.shown), view.stock_count) == (26, 26)
        assert set(view.shown) == set(PACK[:-1]) - set(sum(_hands(deal), ()))


def test_hidden_leftovers_stay_hidden_to_the_end() -> None:
    fields: dict[str, Any] = {"hands": [["Kd"], ["As"]], "shown": ["2s", "3s"], "options": {"leftovers": "hidden"}}
    deal = _read(**fields)
    for viewer in (None, 0, 1):
        assert (PRESIDENTE.view(deal, viewer).shown, PRESIDENTE.view(deal, viewer).stock_count) == ((), 2)
    over, _ = _play(deal, Play(("Kd",)))
    assert PRESIDENTE.view(over, None).shown == ("2s", "3s")


# --- the tax

TAX = Options(tax=True)


@pytest.mark.parametrize(
    ("players", "owed"),
    [(2, ((0, 1, 2),)), (3, ((0, 2, 2),)), (4, ((0, 3, 2), (1, 2, 1))), (5, ((0, 4, 2), (1, 3, 1)))],
)
def test_p14_p22_who_pays_whom(players: int, owed: tuple[tuple[int, int, int], ...]) -> None:
    assert dues(range(players), players) == owed
    deal = PRESIDENTE.deal(TAX, players, 1, bytes(32), shuffle, tuple((place,) for place in range(players)))
    view = PRESIDENTE.view(deal, None)
    assert (view.dues, view.phase, view.turn) == (owed, "tax", 0)


def test_dues_go_by_places_not_by_seats() -> None:
    deal = PRESIDENTE.deal(TAX, 4, 0, bytes(32), shuffle, ((2,), (3,), (0,), (1,)))
    assert PRESIDENTE.view(deal, None).dues == ((2, 1, 2), (3, 0, 1))


@pytest.mark.parametrize(
    ("options", "previous"),
    [(TAX, None), (Options(), ((0,), (1,), (2,))), (TAX, ((0,), (1,))), (TAX, ((3,), (0,), (1,), (2,)))],
    ids=["first deal", "no tax", "one more player", "one player less"],
)
def test_no_tax_in_a_first_deal_without_the_option_or_with_other_players(options: Options, previous: Any) -> None:
    view = PRESIDENTE.view(PRESIDENTE.deal(options, 3, 0, bytes(32), shuffle, previous), None)
    assert (view.dues, view.phase, view.turn) == ((), "play", 1)


def _taxed(**fields: Any) -> Deal:
    """Seat 1 won the last deal, seat 2 came last; the dealer sits on seat 2, so that seat 0 will lead."""
    hands = [["Kd", "Kc"], ["2h", "3c", "Qs"], ["5h", "6h", "7h"]]
    return _read(**{"hands": hands, "turn": 1, "dealer": 2, "dues": [[1, 2, 2]], "options": {"tax": True}, **fields})


def test_p13_the_draw_is_from_the_hand_as_dealt_and_the_seed_decides_it() -> None:
    """Whatever the winner gives, the same cards come back."""
    came = set()
    for given in combinations(("2h", "3c", "Qs"), 2):
        deal, _ = _play(_taxed(shuffles=1), Give(given))
        hands = _hands(deal)
        assert set(given) <= set(hands[2])
        came.add(frozenset(set(hands[1]) - {"2h", "3c", "Qs"}))
        assert PRESIDENTE.record(deal).shuffles == 2
    assert came == {frozenset({"6h", "7h"})}


def test_the_draw_changes_with_the_seed() -> None:
    drawn = {_hands(_play(_taxed(seed=f"{seed:064x}"), Give(("2h", "3c")))[0])[1] for seed in range(30)}
    assert drawn == {("5h", "6h", "Qs"), ("5h", "7h", "Qs"), ("6h", "7h", "Qs")}


def test_after_the_tax_the_usual_seat_leads() -> None:
    deal, events = _play(_taxed(), Give(("2h", "3c")))
    view = PRESIDENTE.view(deal, None)
    assert (view.turn, view.phase, view.table) == (0, "play", None)
    assert events == [Taxed(1, 2, 2)]


def test_gifts_are_all_pairs_of_cards_of_the_hand() -> None:
    assert PRESIDENTE.moves(_taxed()) == [Give(("2h", "3c")), Give(("2h", "Qs")), Give(("3c", "Qs"))]


@pytest.mark.parametrize(
    ("move", "refusal"),
    [
        (Give(("2h",)), Refusal("incomplete", {"cards": ("3c", "Qs"), "count": 2})),
        (Give(("2h", "3c", "Qs")), Refusal("tax_count", {"count": 2})),
        (Give(("2h", "2h")), Refusal("not_in_hand", {"card": "2h"})),
        (Give(("2h", "5h")), Refusal("not_in_hand", {"card": "5h"})),
        (Play(("2h",)), Refusal("wrong_phase", {"phase": "tax"})),
        (Pass(), Refusal("wrong_phase", {"phase": "tax"})),
    ],
    ids=str,
)
def test_a_refused_gift(move: wire.Move, refusal: Refusal) -> None:
    assert PRESIDENTE.check(_taxed(), move) == refusal


def test_only_the_two_partners_know_which_cards_were_swapped() -> None:
    deal, _ = _play(_taxed(shuffles=1), Give(("2h", "3c")))
    both = (Known(2, 1, ("2h", "3c")), Known(1, 2, ("6h", "7h")))
    assert PRESIDENTE.view(deal, 1).known == PRESIDENTE.view(deal, 2).known == both
    assert PRESIDENTE.view(deal, 0).known == PRESIDENTE.view(deal, None).known == ()


def test_what_is_known_is_forgotten_card_by_card_as_it_is_played() -> None:
    deal, _ = _play(_taxed(shuffles=1), Give(("2h", "3c")), Play(("Kd",)), Pass(), Pass())
    assert len(PRESIDENTE.view(deal, 1).known) == 2
    deal, _ = _play(deal, Play(("Kc",)))
    deal = _read(
        hands=[["Ks", "Kh"], ["6h"], ["2h", "3c"]], turn=2, known=[{"seat": 2, "by": 1, "cards": ["2h", "3c"]}]
    )
    deal, _ = _play(deal, Play(("2h",)))
    assert PRESIDENTE.view(deal, 1).known == (Known(2, 1, ("3c",)),)


def test_imagined_hands_hold_what_is_known() -> None:
    deal, _ = _play(_taxed(shuffles=1), Give(("2h", "3c")))
    for seed in range(20):
        imagined = PRESIDENTE.imagine(PRESIDENTE.view(deal, 1), Random(seed))
        assert {"2h", "3c"} <= set(_hands(imagined)[2])


def test_a_tax_over_several_deals() -> None:
    """The ranking of a deal that is played to the last place decides the next one's tax."""
    deal = PRESIDENTE.deal(TAX, 4, 0, bytes(32), shuffle, None)
    while moves := PRESIDENTE.moves(deal):
        deal, _ = PRESIDENTE.play(deal, moves[0], shuffle)
    result = PRESIDENTE.result(deal)
    assert result is not None
    ((first,), (second,), (third,), (last,)) = result.ranking
    following = PRESIDENTE.deal(TAX, 4, 1, bytes(31) + b"1", shuffle, result.ranking)
    assert PRESIDENTE.view(following, None).dues == ((first, last, 2), (second, third, 1))
    assert result.reason == "all_placed"


# --- options


def test_the_tax_and_no_play_for_places_contradict_each_other() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"`play_on` cannot be false.*\$\.options"):
        msgspec.json.decode(b'{"options": {"tax": true, "play_on": false}}', type=_Body)


class _Body(msgspec.Struct):
    options: Options


@pytest.mark.parametrize(
    ("options", "plays_on"),
    [(Options(), False), (Options(tax=True), True), (Options(play_on=True), True), (Options(play_on=False), False)],
)
def test_play_on_follows_the_tax_unless_it_is_chosen(options: Options, plays_on: bool) -> None:
    assert options.plays_on is plays_on


def test_two_to_five_play_under_all_options() -> None:
    assert list(PRESIDENTE.seats(Options(tax=True, joker=True))) == [2, 3, 4, 5]


@pytest.mark.parametrize(("deals", "played", "over"), [(1, 1, True), (3, 2, False), (3, 3, True)])
def test_a_match_lasts_as_many_deals_as_its_option_says(deals: int, played: int, over: bool) -> None:
    assert PRESIDENTE.match_over(Options(deals=deals), played, (1, 0)) is over


# --- events


def test_a_trick_is_told_play_by_play() -> None:
    deal = _read(hands=[["6h", "7h", "*", "2c"], ["9d", "Ks"]], options={"joker": True})
    deal, events = _play(deal, Play(("7h", "*", "6h"), "8h"))
    assert events == [Played(0, "straight", ("6h", "7h", "*"), "8h")]
    deal, events = _play(deal, Pass())
    assert events == [Passed(1), TrickWon(0, 1)]


def test_a_revolution_and_the_end_are_told() -> None:
    _, events = _play(_read(hands=[["6h", "6d", "6c", "6s"], ["9d", "Ks"]]), Play(("6h", "6d", "6c", "6s")))
    result = Result(((0,), (1,)), (1, 0), "first_out")
    assert events == [
        Played(0, "four", ("6h", "6d", "6c", "6s"), None),
        Revolution(0, inverted=True),
        WentOut(0, 1),
        DealOver(result),
    ]


def test_going_out_with_places_to_play_for_is_told_with_the_place() -> None:
    deal = _read(hands=[[], ["8d"], ["Ks", "2s"], ["3s"]], turn=1, out=[0], options={"play_on": True, "eight": True})
    _, events = _play(deal, Play(("8d",)))
    assert events == [Played(1, "single", ("8d",), None), WentOut(1, 2), TrickWon(1, 2)]


# --- views


def test_a_player_sees_the_own_hand_sorted_and_of_the_others_how_many() -> None:
    deal = _read(hands=[["Ks", "*", "5d", "5h"], ["2c", "Ah"]], turn=1, options={"joker": True}, gone=["9h"])
    view = PRESIDENTE.view(deal, 0)
    assert view.hand == ("5h", "5d", "Ks", "*")
    assert (view.seat, view.counts, view.gone) == (0, (4, 2), ("9h",))
    assert PRESIDENTE.view(deal, None).hand is None


def test_hands_stay_hidden_after_the_end() -> None:
    deal, _ = _play(_read(hands=[["2d"], ["4h", "5h"]]), Play(("2d",)))
    assert "4h" not in msgspec.json.encode(PRESIDENTE.view(deal, 0)).decode()


def test_beaten_and_removed_cards_are_remembered() -> None:
    deal, _ = _play(_read(hands=[["2d", "9c"], ["4h", "5h"]]), Play(("2d",)), Play(("4h",)))
    assert (PRESIDENTE.view(deal, None).gone, PRESIDENTE.view(deal, None).table) == (("2d",), wire.Combination(("4h",)))
    deal, _ = _play(deal, Pass())
    assert PRESIDENTE.view(deal, None).gone == ("2d", "4h")


# --- posted deals


def test_who_played_last_is_counted_back_from_the_turn_past_those_who_are_out() -> None:
    deal = _read(hands=[["7h"], [], ["Ks"], ["9s"]], table={"cards": ["5h"]}, turn=3, passes=1, out=[1])
    assert PRESIDENTE.view(deal, None).last == 0
    deal = _read(hands=[["7h"], [], ["Ks"], ["9s"]], table={"cards": ["5h"]}, turn=2, out=[1])
    assert PRESIDENTE.view(deal, None).last == 0


def test_a_joker_whose_player_is_the_only_one_with_cards_leaves_him_the_lead() -> None:
    deal, events = _play(_read(hands=[["*", "5d"], []], options={"joker": True}), Play(("*",)))
    assert events[-1] == TrickWon(0, 0)
    assert PRESIDENTE.turn(deal) == 0


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"hands": [["7h"], ["7h"]]}, "hands[1]"),
        ({"hands": [["7h", "*"], ["As"]]}, "hands[0]"),
        ({"shown": ["7h"]}, "shown"),
        ({"gone": ["2h", "2h"]}, "gone"),
        ({"table": {"cards": ["7h"]}}, "table"),
        ({"table": {"cards": ["2h", "3h"]}}, "table"),
        ({"table": {"cards": ["2h", "3h", "*"]}, "options": {"joker": True}}, "table"),
        ({"table": {"cards": ["2h", "2d"], "joker": "2c"}}, "table"),
        ({"dealer": 2}, "dealer"),
        ({"turn": 2}, "turn"),
        ({"last": 2}, "last"),
        ({"out": [2]}, "out"),
        ({"out": [1]}, "out"),
        ({"hands": [["7h"], [], ["As"]], "out": [1, 1]}, "out"),
        ({"turn": None}, "out"),
        ({"hands": [[], ["As"]]}, "turn"),
        ({"sitting_out": [1]}, "sitting_out"),
        ({"sitting_out": [2], "options": {"pass_lock": True}}, "sitting_out"),
        ({"phase": "tax"}, "phase"),
        ({"phase": "play", "dues": [[0, 1, 1]]}, "phase"),
        ({"dues": [[1, 0, 1]]}, "turn"),
        ({"dues": [[0, 0, 1]]}, "dues"),
        ({"dues": [[0, 2, 1]]}, "dues"),
        ({"dues": [[0, 1, 2]]}, "dues"),
        ({"dues": [[0, 1, 1]], "table": {"cards": ["2h"]}}, "table"),
        ({"known": [{"seat": 0, "by": 0, "cards": ["7h"]}]}, "known"),
        ({"known": [{"seat": 0, "by": 2, "cards": ["7h"]}]}, "known"),
        ({"known": [{"seat": 0, "by": 1, "cards": ["8h"]}]}, "known"),
        ({"known": [{"seat": 0, "by": 1, "cards": []}]}, "known"),
    ],
)
def test_an_impossible_deal_is_refused_by_field(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(MalformedDealError) as refused:
        _read(**{"hands": [["7h"], ["As"]], **fields})
    assert str(refused.value).startswith(f"{field}: ")


@pytest.mark.parametrize("card", ["7h\n", "10h", "7H", "", "JK", "**", "*\n", "XV"])
def test_what_is_no_card_is_refused(card: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        _read(hands=[[card], ["As"]])


@pytest.mark.parametrize("hands", [[["7h"]], [[] for _ in range(6)]])
def test_two_to_five_hands(hands: list[list[str]]) -> None:
    with pytest.raises(msgspec.ValidationError):
        _read(hands=hands)


@pytest.mark.parametrize(
    ("deal", "move"),
    [
        (_read(hands=[[], ["As"]], turn=None, out=[0]), Pass()),
        (_read(hands=[["7h"], ["As"]]), Pass()),
        (_read(hands=[["7h"], ["As"]]), Give(("7h",))),
        (_read(hands=[["7h", "8h"], ["As"]]), Play(("7h", "8h"))),
    ],
)
def test_what_no_check_would_admit_cannot_be_played(deal: Deal, move: wire.Move) -> None:
    with pytest.raises(ValueError, match=r"over|pass|tax|combination"):
        PRESIDENTE.play(deal, move, shuffle)
