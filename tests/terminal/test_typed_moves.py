"""Typed moves: every legal move can be typed, and every other line is refused."""

from random import Random

import msgspec
import pytest

from locanda.cards import CODES
from locanda.cards.cuccu import DESIGNS, Design
from locanda.games.registry import GAME_NAMES
from locanda.messages import GivenMove, SelectedCard, Selection
from locanda.texts.cards import card
from locanda.texts.games import cards_of, texts_of
from locanda.texts.terminal import board_of, read_cuccu, read_french
from locanda.translations import Language, translations_in
from services.terminal.board import names_of
from services.terminal.typed_moves import IllegalMove, NoMove, OneMove, SeveralMoves, parse_move
from tests.telegram.played_deals import played_deals

ENGLISH = translations_in("en")


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_move_has_a_label_of_its_own_and_can_be_typed(game: str, language: Language) -> None:
    texts, translations, rng = texts_of(game), translations_in(language), Random(7)
    for played in played_deals(game, seed=7, most=120):
        turn = played.turn
        if turn is None:
            continue
        table = played.table(turn)
        assert table.deal
        labels = [texts.move_label(move, table.deal, translations) for move in table.moves]
        assert len(set(labels)) == len(labels)
        assert all(board_of(game).rows(table.deal, names_of(table), translations))
        assert texts.task(table.deal, table.moves, translations, taps="none")
        number = rng.randrange(len(table.moves))
        move = table.moves[number]
        chosen = parse_move(
            str(number + 1), [[other] for other in table.moves], table.moves, game, table.deal, translations
        )
        assert chosen == OneMove(move)
        typed = " ".join(cards_of(move)) or labels[number]
        reading = parse_move(typed, [], table.moves, game, table.deal, translations)
        assert isinstance(reading, OneMove | SeveralMoves)
        assert move in (reading.moves if isinstance(reading, SeveralMoves) else [reading.move])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_card_that_is_typed_is_played_and_no_other_of_its_rank(seed: int) -> None:
    for played in played_deals("diavoletto", seed=seed, most=60):
        if played.turn is None:
            continue
        table = played.table(played.turn)
        view = table.deal
        assert view
        for code in view.hand or ():
            reading = parse_move(code, [], table.moves, "diavoletto", view, ENGLISH)
            match reading:
                case OneMove(move):
                    meant = [move]
                case SeveralMoves(moves):
                    meant = moves
                case _:
                    meant = []
            listed = {card for move in table.moves for card in cards_of(move)}
            assert meant or code[0] not in {card[0] for card in listed}
            assert {move["card"] for move in meant} <= {code}
            assert len({msgspec.json.encode(move) for move in meant}) == len(meant)


def test_a_card_that_is_not_there_is_not_played_as_another_of_its_rank() -> None:
    played = next(deal for deal in played_deals("diavoletto", seed=1) if deal.turn is not None)
    table = played.table(played.turn)
    view = table.deal
    assert view
    open_cards = {*(view.hand or ()), *(mazzetto.top for mazzetto in getattr(view, "mazzetti", ()))}
    code = next(code for code in CODES if code not in open_cards and code[0] in {held[0] for held in view.hand or ()})
    reading = parse_move(code, [], table.moves, "diavoletto", view, ENGLISH)
    assert isinstance(reading, IllegalMove)
    assert [card.card for card in reading.selection.cards] == [code]


@pytest.mark.parametrize("code", CODES)
def test_french_cards_are_read_as_they_are_shown_and_as_they_are_written(code: str) -> None:
    assert (
        read_french(code)
        == read_french(code.lower())
        == read_french(card(code))
        == read_french(f" {card(code)}, ")
        == [code]
    )


def test_french_cards_need_no_space_between_them() -> None:
    assert read_french("10h10♠*") == read_french("TH, ts 🃏") == ["Th", "Ts", "*"]


@pytest.mark.parametrize("text", ["", "x", "7", "7x", "1h", "7h?", "hh", "pass"])
def test_other_texts_are_not_read_as_french_cards(text: str) -> None:
    assert read_french(text) is None


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.code)
def test_cards_of_the_cuccu_are_read_by_numeral_and_by_name(design: Design) -> None:
    for name in (design.code, design.code.lower(), design.name_it, design.name_en.upper()):
        assert read_cuccu(name) == [design.code]


def test_other_texts_are_not_read_as_cards_of_the_cuccu() -> None:
    assert read_cuccu("VII gatto") is read_cuccu("") is read_cuccu("IV") is None


def test_cards_of_an_illegal_move_are_recognized_and_other_texts_are_no_move() -> None:
    played = next(iter(played_deals("ramino", seed=1)))
    table = played.table(played.turn)
    view = table.deal
    assert view

    def typed(text: str) -> object:
        return parse_move(text, [[move] for move in table.moves], table.moves, "ramino", view, ENGLISH)

    def in_hand(*codes: str) -> IllegalMove:
        return IllegalMove(Selection([SelectedCard("hand", code) for code in codes]))

    assert typed("VII") == in_hand("VII")
    assert typed("i ii iii") == in_hand("I", "II", "III")
    assert typed("draw") == OneMove(GivenMove({"type": "draw", "from": "stock"}))
    assert typed("0") == typed("99") == typed("sing") == typed("") == NoMove()
