"""Every legal move can be typed, and every text is taken for what it says."""

from random import Random

import pytest

from services.terminal.board import names_of
from services.terminal.choosing import Chosen, Puzzled, Refused, Several, choose, taken
from services.terminal.games.registry import DRAWINGS
from services.terminal.games.typed import cuccu, french
from shared.cards import CODES
from shared.cuccu import DESIGNS, Design
from shared.games.registry import GAME_NAMES
from shared.translate import Language, translator
from shared.words.cards import card
from tests.telegram.played import moments

WORDS = translator("en")


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_move_has_a_label_of_its_own_and_can_be_typed(game: str, language: Language) -> None:
    drawing, words, rng = DRAWINGS[game], translator(language), Random(7)
    for played in moments(game, seed=7, most=120):
        turn = played.turn
        if turn is None:
            continue
        table = played.table(turn)
        assert table.deal
        labels = [drawing.label(move, table.deal, words) for move in table.moves]
        assert len(set(labels)) == len(labels)
        assert all(drawing.rows(table.deal, names_of(table), words))
        assert drawing.task(table.deal, table.moves, words)
        number = rng.randrange(len(table.moves))
        move = table.moves[number]
        chosen = choose(str(number + 1), table.moves, table.moves, table.deal, drawing, words)
        assert chosen == Chosen(move)
        typed = " ".join(taken(move)) or labels[number]
        found = choose(typed, [], table.moves, table.deal, drawing, words)
        assert isinstance(found, Chosen | Several)
        assert move in (found.moves if isinstance(found, Several) else [found.move])


@pytest.mark.parametrize("code", CODES)
def test_french_cards_are_read_as_they_are_shown_and_as_they_are_written(code: str) -> None:
    assert french(code) == french(code.lower()) == french(card(code)) == french(f" {card(code)}, ") == [code]


def test_french_cards_need_no_space_between_them() -> None:
    assert french("10h10♠*") == french("TH, ts 🃏") == ["Th", "Ts", "*"]


@pytest.mark.parametrize("text", ["", "x", "7", "7x", "1h", "7h?", "hh", "pass"])
def test_what_is_no_french_card_is_none(text: str) -> None:
    assert french(text) is None


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.code)
def test_cards_of_the_cuccu_are_read_by_numeral_and_by_name(design: Design) -> None:
    for name in (design.code, design.code.lower(), design.name_it, design.name_en.upper()):
        assert cuccu(name) == [design.code]


def test_what_is_no_card_of_the_cuccu_is_none() -> None:
    assert cuccu("VII gatto") is cuccu("") is cuccu("IV") is None


def test_cards_that_make_no_legal_move_are_asked_about_and_other_words_puzzle() -> None:
    played = next(iter(moments("ramino", seed=1)))
    table = played.table(played.turn)
    view, drawing = table.deal, DRAWINGS["ramino"]
    assert view

    def typed(text: str) -> object:
        return choose(text, table.moves, table.moves, view, drawing, WORDS)

    assert typed("VII") == Refused({"type": "discard", "card": "VII"})
    assert typed("i ii iii") == Refused({"type": "meld", "cards": ["I", "II", "III"]})
    assert typed("draw") == Chosen({"type": "draw", "from": "stock"})
    assert typed("0") == typed("99") == typed("sing") == typed("") == Puzzled()
