"""Diavoletto: how a deal starts."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from locanda.games.diavoletto.deal import CODES, starter
from locanda.games.diavoletto.types import Options
from services.engine.table.fairness import shuffle
from tests.games.diavoletto.game import GAME


def _fresh(**options: Any) -> Any:
    return GAME.to_wire(GAME.deal(Options(**options), 2, 0, bytes(32), shuffle, None))


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
    """Both mazzetti show a King at first and after both are shuffled again; then one shows a lower card."""
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
