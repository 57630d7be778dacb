"""Presidente in the bot: table, hand, buttons, events and refusals."""

from typing import Any

import pytest

from locanda.messages import JsonObject
from locanda.texts.games import refusal_sentences
from locanda.translations import translations_in
from services.telegram import callback_data
from services.telegram.move_codes import code_of
from services.telegram.screens.hand import hand_screen
from services.telegram.screens.notices import refusal_text
from services.telegram.screens.table import event_line, table_screen
from tests.telegram.played_deals import PlayedDeal, labels, position
from tests.telegram.samples import REF, key, keys, read

NAMES = ("Anna", "Bruno", "Carla")


def at_play(**fields: Any) -> PlayedDeal:
    """Return a deal in which Anna has to beat Carla's pair of Nines."""
    standard: dict[str, Any] = {
        "hands": [["4h", "Th", "Td", "Jh", "Js", "*"], ["2c", "3c"], ["5d", "6d"]],
        "options": {"joker": True},
        "table": {"cards": ["9h", "9d"]},
        "last": 2,
    }
    return position("presidente", **standard | fields)


def test_the_table_shows_the_top_cards_and_who_played_them() -> None:
    text = read(table_screen(at_play().view_model(None), "it"))
    assert "9♥ 9♦ di Carla" in text
    assert "Anna · 6 in mano" in text
    assert "capovolto" not in text


def test_an_empty_table_shows_who_leads() -> None:
    assert "apre Anna" in read(table_screen(at_play(table=None, last=None).view_model(None), "it"))


def test_a_joker_in_a_straight_shows_what_it_stands_for() -> None:
    straight = {"cards": ["6s", "*", "8s"], "joker": "7s"}
    hands = [["4h"], ["2c", "3c"], ["5d", "6d"]]
    assert "6♠ 🃏 8♠ (🃏 = 7♠) di Carla" in read(
        table_screen(at_play(table=straight, hands=hands).view_model(None), "it")
    )


def test_the_order_upside_down_is_announced() -> None:
    assert "L'ordine è capovolto" in read(table_screen(at_play(inverted=True).view_model(None), "it"))


def test_who_is_out_has_a_place_and_the_cards_left_over_are_shown() -> None:
    drawn = at_play(
        hands=[["4h", "Th"], [], ["5d", "6d"]], out=[1], shown=["As", "Ks"], options={"play_on": True, "joker": True}
    )
    text = read(table_screen(drawn.view_model(None), "it"))
    assert "Bruno · senza carte, 1° posto" in text
    assert "Resto del mazzo: A♠ K♠" in text


def test_cards_left_over_face_down_are_counted() -> None:
    drawn = at_play(shown=["As", "Ks"], options={"leftovers": "hidden", "joker": True})
    text = read(table_screen(drawn.view_model(None), "it"))
    assert "Resto del mazzo, coperto: 2 carte" in text
    assert "A♠" not in text


def test_a_pair_that_beats_is_played_by_its_button() -> None:
    screen = hand_screen(at_play().view_model(0, {1, 2}), "it")
    assert "Hai scelto 10♥ e 10♦. Così va bene." in read(screen)
    assert key(screen, "Cala 10♥ 10♦").style == "success"
    assert "Passo" in labels(screen)


def test_few_combinations_have_buttons_of_their_own() -> None:
    screen = hand_screen(at_play().view_model(0), "it")
    bright = [key.label for key in keys(screen) if key.style == "primary"]
    assert bright == ["10♥ 10♦", "J♥ J♠", "10♥ 🃏", "10♦ 🃏", "J♥ 🃏", "J♠ 🃏"]
    assert all(isinstance(key(screen, label).data, callback_data.MakeMove) for label in bright)
    assert "Batti 9♥ 9♦ con una combinazione qui sotto, oppure passa." in read(screen)


def test_to_beat_a_single_card_each_card_is_played_by_one_press() -> None:
    single = {"cards": ["9h"]}
    screen = hand_screen(at_play(hands=[["4h", "Th", "Td"], ["2c"], ["5d"]], table=single).view_model(0), "it")
    assert [key.label for key in keys(screen) if key.style == "primary"] == ["10♥", "10♦"]
    assert key(screen, "10♥").data == callback_data.MakeMove(
        REF, 17, code_of("presidente", {"type": "play", "cards": ["Th"]})
    )
    assert "Batti 9♥ con una carta, oppure passa." in read(screen)


def test_who_leads_plays_a_single_card_or_a_whole_pair_by_one_press() -> None:
    lead = at_play(hands=[["4h", "4d", "9s"], ["2c"], ["5d"]], table=None, last=None)
    screen = hand_screen(lead.view_model(0), "it")
    assert key(screen, "4♥").data == callback_data.MakeMove(
        REF, 17, code_of("presidente", {"type": "play", "cards": ["4h"]})
    )
    assert key(screen, "4♥ 4♦").data == callback_data.MakeMove(
        REF, 17, code_of("presidente", {"type": "play", "cards": ["4h", "4d"]})
    )
    assert "Apri con una carta o una combinazione." in read(screen)


def test_of_many_combinations_the_cards_are_selected() -> None:
    hands = [["4h", "4d", "4c", "4s", "9s"], ["2c"], ["5d"]]
    screen = hand_screen(at_play(hands=hands, table=None, last=None).view_model(0), "it")
    assert isinstance(key(screen, "4♥").data, callback_data.PickCard)
    assert isinstance(key(screen, "9♠").data, callback_data.MakeMove)
    assert "Apri tu: tocca le carte che vuoi calare." in read(screen)


def test_half_a_pair_shows_and_highlights_what_completes_it() -> None:
    screen = hand_screen(at_play().view_model(0, {1}), "it")
    assert "Hai scelto 10♥. Non basta ancora. Va insieme a 10♦ 🃏." in read(screen)
    assert [key.label for key in keys(screen) if key.style == "primary"] == ["10♦", "🃏"]


def test_the_hand_explains_why_cards_beat_nothing() -> None:
    assert "Con 4♥ 🃏 non batti 9♥ 9♦" in read(hand_screen(at_play().view_model(0, {0, 5}), "it"))


def test_a_joker_at_either_end_of_a_straight_is_asked_for() -> None:
    hands = [["9h", "Th", "Jh", "*"], ["2c", "3c"], ["5d", "6d"]]
    lead = at_play(hands=hands, table=None, last=None)
    screen = hand_screen(lead.view_model(0, {0, 1, 3}), "it")
    assert "Il jolly può fare da 8♥ e J♥: scegli tu." in read(screen)
    assert "Cala 🃏 9♥ 10♥ (🃏 fa da 8♥)" in labels(screen)
    assert "Cala 9♥ 10♥ 🃏 (🃏 fa da J♥)" in labels(screen)


def test_a_long_straight_is_counted_on_its_button_and_fits() -> None:
    hand = [f"{rank}h" for rank in "A23456789TJQK"]
    lead = at_play(hands=[hand, ["2c", "3c"], ["5d", "6d"]], table=None, last=None)
    screen = hand_screen(lead.view_model(0, range(13)), "it")
    assert "Cala 13 carte" in labels(screen)


def test_the_tax_is_chosen_and_given() -> None:
    due = at_play(table=None, last=None, dues=[[0, 2, 2]], options={"tax": True, "joker": True})
    assert "Tassa: Anna sceglie 2 carte per Carla" in read(table_screen(due.view_model(None), "it"))
    half = hand_screen(due.view_model(0, {0}), "it")
    assert "Scegli 2 carte da dare." in read(half)
    assert "Si danno 2 carte in tutto." in read(half)
    assert "Dai 4♥ 10♥" in labels(hand_screen(due.view_model(0, {0, 1}), "it"))
    assert "Si danno 2 carte in tutto." in read(hand_screen(due.view_model(0, {0, 1, 2}), "it"))


def test_cards_known_by_the_tax_are_seen_by_those_two_alone() -> None:
    known = [{"seat": 2, "by": 0, "cards": ["5d"]}]
    dealt = at_play(known=known, options={"tax": True, "joker": True})
    assert "Sai che Carla ha 5♦." in read(hand_screen(dealt.view_model(0), "it"))
    assert "Anna sa che hai 5♦." in read(hand_screen(dealt.view_model(2), "it"))
    assert "5♦" not in read(hand_screen(dealt.view_model(1), "it"))
    assert "5♦" not in read(table_screen(dealt.view_model(0), "it"))


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ({"type": "taxed", "seat": 0, "partner": 2, "count": 2}, "Tassa: Anna e Carla si scambiano 2 carte"),
        ({"type": "played", "seat": 0, "kind": "single", "cards": ["7h"], "joker": None}, "Anna cala 7♥"),
        (
            {"type": "played", "seat": 0, "kind": "pair", "cards": ["7h", "7d"], "joker": None},
            "Anna cala una coppia: 7♥ 7♦",
        ),
        ({"type": "revolution", "seat": 1, "inverted": True}, "🔄 Rivoluzione di Bruno: vince la carta più bassa"),
        ({"type": "revolution", "seat": 1, "inverted": False}, "🔄 Rivoluzione di Bruno: torna a vincere la più alta"),
        ({"type": "passed", "seat": 1}, "Bruno passa"),
        ({"type": "went_out", "seat": 1, "place": 1}, "Bruno resta senza carte: 1° posto"),
        ({"type": "trick_won", "seat": 1, "leader": 1}, "Bruno vince il giro e apre"),
        ({"type": "trick_won", "seat": 1, "leader": 2}, "Bruno vince il giro, apre Carla"),
    ],
)
def test_events_have_a_text(event: JsonObject, expected: str) -> None:
    text = event_line("presidente", event, NAMES, translations_in("it"))
    assert text.replace("<b>", "").replace("</b>", "") == expected


@pytest.mark.parametrize(
    ("code", "facts", "expected"),
    [
        ("wrong_phase", {"phase": "tax"}, "Prima la tassa"),
        ("wrong_phase", {"phase": "play"}, "Non c'è nessuna tassa"),
        ("must_lead", {}, "Apri tu"),
        ("unbeatable", {"top": ["8h"]}, "8♥ non si può battere."),
        ("wrong_length", {"length": 4, "needed": 3, "top": ["5h", "6h", "7h"]}, "Per battere 5♥ 6♥ 7♥ ci vogliono 3"),
        ("must_beat", {"cards": ["9h"], "top": ["7h"], "inverted": True}, "Con 9♥ non batti 7♥: l'ordine è capovolto"),
        ("finish_ban", {"cards": ["*"]}, "Con queste non si può finire: 🃏."),
        ("joker_as", {"cards": ["9h"]}, "Il jolly fa da 9♥."),
        ("tax_count", {"count": 1}, "Si dà 1 carta in tutto."),
    ],
)
def test_refusals_have_a_text(code: str, facts: JsonObject, expected: str) -> None:
    assert refusal_text(code, facts, at_play().table(0), "it").startswith(expected)


@pytest.mark.parametrize("code", sorted({sentence.split()[0] for sentence in refusal_sentences("presidente")}))
def test_every_refusal_fills_its_gaps(code: str) -> None:
    facts = {"card": "7h", "cards": ["7h"], "top": ["9h"], "kind": "pair", "needed": "three", "length": 2}
    assert "{" not in refusal_text(code, facts, at_play().table(0), "it")
