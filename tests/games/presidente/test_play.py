"""Presidente: the tax, and single and combined options."""

from collections.abc import Iterator
from itertools import combinations, product
from random import Random
from typing import Any

import msgspec
import pytest

from locanda.games.base import Pass, Refusal
from locanda.games.presidente import types as wire
from locanda.games.presidente.deal import dues
from locanda.games.presidente.types import DealState, Give, Known, Options, Play, Taxed
from locanda.testing.subject import admitted, choices_of
from services.engine.table.fairness import shuffle
from tests.games.presidente.game import GAME
from tests.games.presidente.subject import greedy, hands_of, lost_cards, most_moves, played, read, saver, stingy

TAX = Options(tax=True)


@pytest.mark.parametrize(
    ("players", "owed"),
    [(2, ((0, 1, 2),)), (3, ((0, 2, 2),)), (4, ((0, 3, 2), (1, 2, 1))), (5, ((0, 4, 2), (1, 3, 1)))],
)
def test_p14_p22_who_pays_whom(players: int, owed: tuple[tuple[int, int, int], ...]) -> None:
    assert dues(range(players), players) == owed
    deal = GAME.deal(TAX, players, 1, bytes(32), shuffle, tuple((place,) for place in range(players)))
    view = GAME.view(deal, None)
    assert (view.dues, view.phase, view.turn) == (owed, "tax", 0)


def test_dues_go_by_places_not_by_seats() -> None:
    deal = GAME.deal(TAX, 4, 0, bytes(32), shuffle, ((2,), (3,), (0,), (1,)))
    assert GAME.view(deal, None).dues == ((2, 1, 2), (3, 0, 1))


@pytest.mark.parametrize(
    ("options", "previous"),
    [(TAX, None), (Options(), ((0,), (1,), (2,))), (TAX, ((0,), (1,))), (TAX, ((3,), (0,), (1,), (2,)))],
    ids=["first deal", "no tax", "one more player", "one player less"],
)
def test_no_tax_in_a_first_deal_without_the_option_or_with_other_players(options: Options, previous: Any) -> None:
    view = GAME.view(GAME.deal(options, 3, 0, bytes(32), shuffle, previous), None)
    assert (view.dues, view.phase, view.turn) == ((), "play", 1)


def _taxed(**fields: Any) -> DealState:
    """Return a deal with a tax: seat 1 won the last deal, seat 2 came last. Seat 2 deals, so that seat 0 leads."""
    hands = [["Kd", "Kc"], ["2h", "3c", "Qs"], ["5h", "6h", "7h"]]
    return read(**{"hands": hands, "turn": 1, "dealer": 2, "dues": [[1, 2, 2]], "options": {"tax": True}, **fields})


def test_p13_the_draw_is_from_the_hand_as_dealt_and_the_seed_decides_it() -> None:
    """The winner gets the same cards, no matter which cards they give."""
    came = set()
    for gift in combinations(("2h", "3c", "Qs"), 2):
        deal, _ = played(_taxed(shuffles=1), Give(gift))
        hands = hands_of(deal)
        assert set(gift) <= set(hands[2])
        came.add(frozenset(set(hands[1]) - {"2h", "3c", "Qs"}))
        assert GAME.to_wire(deal).shuffles == 2
    assert came == {frozenset({"6h", "7h"})}


def test_the_draw_changes_with_the_seed() -> None:
    drawn = {hands_of(played(_taxed(seed=f"{seed:064x}"), Give(("2h", "3c")))[0])[1] for seed in range(30)}
    assert drawn == {("5h", "6h", "Qs"), ("5h", "7h", "Qs"), ("6h", "7h", "Qs")}


def test_after_the_tax_the_usual_seat_leads() -> None:
    deal, events = played(_taxed(), Give(("2h", "3c")))
    view = GAME.view(deal, None)
    assert (view.turn, view.phase, view.table) == (0, "play", None)
    assert events == [Taxed(1, 2, 2)]


def test_gifts_are_all_pairs_of_cards_of_the_hand() -> None:
    assert GAME.moves(_taxed()) == [Give(("2h", "3c")), Give(("2h", "Qs")), Give(("3c", "Qs"))]


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
    assert GAME.check(_taxed(), move) == refusal


def test_only_the_two_partners_know_which_cards_were_swapped() -> None:
    deal, _ = played(_taxed(shuffles=1), Give(("2h", "3c")))
    both = (Known(2, 1, ("2h", "3c")), Known(1, 2, ("6h", "7h")))
    assert GAME.view(deal, 1).known == GAME.view(deal, 2).known == both
    assert GAME.view(deal, 0).known == GAME.view(deal, None).known == ()


def test_what_is_known_is_forgotten_card_by_card_as_it_is_played() -> None:
    deal, _ = played(_taxed(shuffles=1), Give(("2h", "3c")), Play(("Kd",)), Pass(), Pass())
    assert len(GAME.view(deal, 1).known) == 2
    deal, _ = played(deal, Play(("Kc",)))
    deal = read(hands=[["Ks", "Kh"], ["6h"], ["2h", "3c"]], turn=2, known=[{"seat": 2, "by": 1, "cards": ["2h", "3c"]}])
    deal, _ = played(deal, Play(("2h",)))
    assert GAME.view(deal, 1).known == (Known(2, 1, ("3c",)),)


def test_determinized_hands_hold_what_is_known() -> None:
    deal, _ = played(_taxed(shuffles=1), Give(("2h", "3c")))
    for seed in range(20):
        determinized = GAME.determinize(GAME.view(deal, 1), Random(seed))
        assert {"2h", "3c"} <= set(hands_of(determinized)[2])


def test_a_tax_over_several_deals() -> None:
    """If a deal is played for all places, its ranking decides the tax of the next deal."""
    deal = GAME.deal(TAX, 4, 0, bytes(32), shuffle, None)
    while moves := GAME.moves(deal):
        deal, _ = GAME.play(deal, moves[0], shuffle)
    result = GAME.result(deal)
    assert result is not None
    ((first,), (second,), (third,), (last,)) = result.ranking
    following = GAME.deal(TAX, 4, 1, bytes(31) + b"1", shuffle, result.ranking)
    assert GAME.view(following, None).dues == ((first, last, 2), (second, third, 1))
    assert result.reason == "all_placed"


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
    assert list(GAME.seats(Options(tax=True, joker=True))) == [2, 3, 4, 5]


@pytest.mark.parametrize(("deals", "played", "over"), [(1, 1, True), (3, 2, False), (3, 3, True)])
def test_a_match_lasts_the_number_of_deals_of_its_option(deals: int, played: int, over: bool) -> None:
    assert GAME.match_over(Options(deals=deals), played, (1, 0)) is over


def _without_seats(chosen: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in chosen.items() if name != "seats"}


def _pairs(options: dict[str, Any]) -> set[tuple[tuple[str, Any], ...]]:
    return set(combinations(sorted(options.items()), 2))


def _covering() -> Iterator[dict[str, Any]]:
    """Yield combinations of options and numbers of seats that cover every compatible pair of values."""
    values: dict[str, list[Any]] = choices_of(Options) | {"seats": [*GAME.players]}
    missing = {
        pair
        for a, b in combinations(values, 2)
        for x, y in product(values[a], values[b])
        for pair in _pairs({a: x, b: y})
    }
    for together in Options.contradictions:
        missing -= _pairs(together)
    rng = Random(0)
    while missing:
        tries = [{name: rng.choice(choices) for name, choices in values.items()} for _ in range(50)]
        fitting = [chosen for chosen in tries if admitted(Options, _without_seats(chosen))]
        best = max(fitting, key=lambda chosen: len(_pairs(chosen) & missing))
        missing -= _pairs(best)
        yield best


COVERING = list(_covering())


@pytest.mark.parametrize("chosen", COVERING, ids=str)
def test_every_pair_of_options_plays_two_deals_to_their_end(chosen: dict[str, Any]) -> None:
    seats = chosen["seats"]
    options = Options(**_without_seats(chosen))
    for number, choose in enumerate((greedy, stingy, saver)):
        previous = None
        for seed in (bytes(32), b"1" * 32):
            deal, rng, count = (
                GAME.deal(options, seats, number % seats, seed, shuffle, previous),
                Random(number),
                0,
            )
            bound = most_moves(deal)
            while moves := GAME.moves(deal):
                deal, _ = GAME.play(deal, choose(rng, deal, moves), shuffle)
                count += 1
                assert lost_cards(deal) == []
            result = GAME.result(deal)
            assert result is not None
            assert count <= bound
            assert result.reason == ("all_placed" if options.plays_on else "first_out")
            assert len(result.ranking) == (seats if options.plays_on else 2)
            previous = result.ranking
