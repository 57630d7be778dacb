"""A hand fits a phone's screen, and its cards keep their places while others are played."""

from itertools import islice
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from locanda.games.presidente.types import View
from locanda.games.registry import GAME_NAMES
from locanda.texts.chat import lines_on_a_phone
from services.telegram.play.cards import grid_of, laid_out
from services.telegram.play.timeline import PlayedTurn
from services.telegram.screens.controls import EMPTY
from services.telegram.screens.hand import hand_screen
from services.telegram.screens.screen import PHONE_LINES
from services.telegram.screens.table import in_one
from tests.telegram.played_deals import played_deals
from tests.telegram.samples import read, table, view, view_model

HANDS = st.lists(st.sampled_from(["I", "II", "III", "XV", "MATTO"]), max_size=8)


@pytest.mark.parametrize("name", GAME_NAMES)
@pytest.mark.parametrize("language", ["it", "en"])
def test_a_phone_shows_a_hand_without_scrolling(name: str, language: str) -> None:
    for seed in (1, 2):
        for played in islice(played_deals(name, seed), 0, None, 11):
            if played.turn is not None:
                model = structs.replace(played.view_model(played.turn), place="Amici del venerdì")
                screen = hand_screen(model, "it" if language == "it" else "en")
                assert lines_on_a_phone(screen.text) <= PHONE_LINES, read(screen)


@given(HANDS, HANDS)
def test_cards_that_stay_keep_their_places_and_new_ones_fill_the_empty(before: list[str], held: list[str]) -> None:
    places = laid_out(before, held)
    assert sorted(card for card in places if card) == sorted(held)
    kept = sum(old == new != "" for old, new in zip(before, places, strict=False))
    assert kept == sum(min(before.count(card), held.count(card)) for card in set(before))
    assert "" not in places[len(before) :]


def test_a_card_that_leaves_leaves_its_place_empty() -> None:
    played = next(played_deal for played_deal in played_deals("presidente", 1) if played_deal.turn is not None)
    model = played.view_model(played.turn)
    deal = cast("View", model.table.deal)
    hand = deal.hand or ()
    before = hand_screen(model, "it").rows
    later = structs.replace(deal, hand=hand[:3] + hand[4:], turn=1 - (played.turn or 0))
    table = structs.replace(model.table, deal=later, moves=[])
    after = hand_screen(structs.replace(model, table=table, grid=grid_of(table, hand), alone=True), "it").rows
    for row, changed in zip(before[:2], after[:2], strict=True):
        for button, now in zip(row, changed, strict=True):
            assert now.label in {button.label, EMPTY}
    assert after[0][3].label == EMPTY


def test_whoever_does_several_things_in_a_row_is_named_once() -> None:
    lines = ["<b>Anna</b> gioca 3♥", "<b>Anna</b> scopre Q♣", "La pila 1 è completa", "<b>Anna</b> scarta 4♠"]
    assert in_one(lines) == "<i><b>Anna</b> gioca 3♥, scopre Q♣. La pila 1 è completa. <b>Anna</b> scarta 4♠</i>"


def test_what_happened_before_the_last_turn_is_not_told_again() -> None:
    def played(seat: int, card: str) -> PlayedTurn:
        return PlayedTurn(seat, ({"type": "played", "seat": seat, "card": card},))

    earlier = (played(0, "2h"), played(1, "3h"), played(2, "4h"), played(0, "5h"))
    text = read(hand_screen(view_model(turns=earlier), "it"))
    assert "Ugo 🤖 cala 4♥\nAnna cala 5♥" in text
    assert "2♥" not in text
    assert "3♥" not in text
    alone = structs.replace(view_model(turns=earlier, alone=True), table=table(deal=view(turn=2), moves=[]))
    assert "Bruno cala 3♥\nUgo 🤖 cala 4♥\nAnna cala 5♥" in read(hand_screen(alone, "it"))
