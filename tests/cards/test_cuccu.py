"""The Cuccù deck: designs, numerals, words and codes."""

import msgspec
import pytest

from locanda.cards.cuccu import CARDS, CODES, DESIGNS, PACK
from locanda.games.ramino import types as wire
from locanda.games.ramino.types import (
    Discard,
)


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
