"""Presidente: the options, alone and together."""

from collections.abc import Iterator
from itertools import combinations, product
from random import Random
from typing import Any

import msgspec
import pytest

from services.engine.fairness import shuffle
from services.engine.games.presidente import PRESIDENTE
from shared.games.presidente import Options
from tests.engine.games.presidente import greedy, lost_cards, most_moves, saver, stingy


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


def _pairs(options: dict[str, Any]) -> set[tuple[tuple[str, Any], ...]]:
    return set(combinations(sorted(options.items()), 2))


def _covering() -> Iterator[dict[str, Any]]:
    """Yield options and a number of seats until every value has met every other that it does not contradict."""
    values: dict[str, list[Any]] = {
        **{switch: [False, True] for switch in ("revolution", "joker", "eight", "tax", "pass_lock")},
        "play_on": ["auto", True, False],
        "leftovers": ["shown", "hidden"],
        "joker_eight": ["joker", "eight"],
        "finish_ban": ["none", "joker", "eight", "both"],
        "seats": [2, 3, 4, 5],
    }
    missing = {
        pair
        for a, b in combinations(values, 2)
        for x, y in product(values[a], values[b])
        for pair in _pairs({a: x, b: y})
    }
    missing -= _pairs({"tax": True, "play_on": False})
    rng = Random(0)
    while missing:
        tries = [{name: rng.choice(choices) for name, choices in values.items()} for _ in range(50)]
        admitted = [options for options in tries if not (options["tax"] and options["play_on"] is False)]
        best = max(admitted, key=lambda options: len(_pairs(options) & missing))
        missing -= _pairs(best)
        yield best


COVERING = list(_covering())


@pytest.mark.parametrize("chosen", COVERING, ids=str)
def test_every_pair_of_options_plays_two_deals_to_their_end(chosen: dict[str, Any]) -> None:
    seats = chosen["seats"]
    options = Options(**{name: value for name, value in chosen.items() if name != "seats"})
    for number, choose in enumerate((greedy, stingy, saver)):
        previous = None
        for seed in (bytes(32), b"1" * 32):
            deal, rng, count = (
                PRESIDENTE.deal(options, seats, number % seats, seed, shuffle, previous),
                Random(number),
                0,
            )
            bound = most_moves(deal)
            while moves := PRESIDENTE.moves(deal):
                deal, _ = PRESIDENTE.play(deal, choose(rng, deal, moves), shuffle)
                count += 1
                assert lost_cards(deal) == []
            result = PRESIDENTE.result(deal)
            assert result is not None
            assert count <= bound
            assert result.reason == ("all_placed" if options.plays_on else "first_out")
            assert len(result.ranking) == (seats if options.plays_on else 2)
            previous = result.ranking
