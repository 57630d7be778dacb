"""Presidente: the tax, who pays it, what chance draws, and who knows of it."""

from itertools import combinations
from random import Random
from typing import Any

import pytest

from services.engine.fairness import shuffle
from services.engine.games.presidente import PRESIDENTE
from services.engine.games.presidente.state import Deal
from services.engine.games.presidente.tax import dues
from shared.games import presidente as wire
from shared.games.base import Pass, Refusal
from shared.games.presidente import Give, Known, Options, Play, Taxed
from tests.engine.games.presidente import hands_of, played, read

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
    return read(**{"hands": hands, "turn": 1, "dealer": 2, "dues": [[1, 2, 2]], "options": {"tax": True}, **fields})


def test_p13_the_draw_is_from_the_hand_as_dealt_and_the_seed_decides_it() -> None:
    """Whatever the winner gives, the same cards come back."""
    came = set()
    for given in combinations(("2h", "3c", "Qs"), 2):
        deal, _ = played(_taxed(shuffles=1), Give(given))
        hands = hands_of(deal)
        assert set(given) <= set(hands[2])
        came.add(frozenset(set(hands[1]) - {"2h", "3c", "Qs"}))
        assert PRESIDENTE.record(deal).shuffles == 2
    assert came == {frozenset({"6h", "7h"})}


def test_the_draw_changes_with_the_seed() -> None:
    drawn = {hands_of(played(_taxed(seed=f"{seed:064x}"), Give(("2h", "3c")))[0])[1] for seed in range(30)}
    assert drawn == {("5h", "6h", "Qs"), ("5h", "7h", "Qs"), ("6h", "7h", "Qs")}


def test_after_the_tax_the_usual_seat_leads() -> None:
    deal, events = played(_taxed(), Give(("2h", "3c")))
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
    deal, _ = played(_taxed(shuffles=1), Give(("2h", "3c")))
    both = (Known(2, 1, ("2h", "3c")), Known(1, 2, ("6h", "7h")))
    assert PRESIDENTE.view(deal, 1).known == PRESIDENTE.view(deal, 2).known == both
    assert PRESIDENTE.view(deal, 0).known == PRESIDENTE.view(deal, None).known == ()


def test_what_is_known_is_forgotten_card_by_card_as_it_is_played() -> None:
    deal, _ = played(_taxed(shuffles=1), Give(("2h", "3c")), Play(("Kd",)), Pass(), Pass())
    assert len(PRESIDENTE.view(deal, 1).known) == 2
    deal, _ = played(deal, Play(("Kc",)))
    deal = read(hands=[["Ks", "Kh"], ["6h"], ["2h", "3c"]], turn=2, known=[{"seat": 2, "by": 1, "cards": ["2h", "3c"]}])
    deal, _ = played(deal, Play(("2h",)))
    assert PRESIDENTE.view(deal, 1).known == (Known(2, 1, ("3c",)),)


def test_imagined_hands_hold_what_is_known() -> None:
    deal, _ = played(_taxed(shuffles=1), Give(("2h", "3c")))
    for seed in range(20):
        imagined = PRESIDENTE.imagine(PRESIDENTE.view(deal, 1), Random(seed))
        assert {"2h", "3c"} <= set(hands_of(imagined)[2])


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
