"""Ramino in the bot: table, hand, buttons, events and refusals."""

from typing import Any

import pytest

from locanda.games.registry import WIRE_TYPES
from locanda.messages import JsonObject, PastDeal
from locanda.texts.games import refusal_sentences
from locanda.translations import translations_in
from services.telegram import callback_data
from services.telegram.move_codes import code_of
from services.telegram.screens.hand import hand_alert, hand_screen
from services.telegram.screens.notices import refusal_text
from services.telegram.screens.results import deal_over_screen
from services.telegram.screens.table import event_line, table_screen
from tests.telegram.played_deals import PlayedDeal, labels, position
from tests.telegram.samples import REF, key, keys, read

NAMES = ("Anna", "Bruno", "Carla")


def at_play(**fields: Any) -> PlayedDeal:
    """Return a deal in which Anna has drawn, and can lay a run or attach the Lion."""
    standard: dict[str, Any] = {
        "hands": [["LEONE", "I", "II", "III", "III"], ["X"], ["V", "V"]],
        "stock": ["VI", "VII"],
        "discards": ["VIII", "XII"],
        "melds": [["MATTO", "XIIII", "XV"]],
        "phase": "play",
    }
    return position("ramino", **standard | fields)


def test_the_table_shows_the_combinations_the_top_of_the_discards_and_the_stock() -> None:
    text = read(table_screen(at_play().view_model(None), "it"))
    assert "1) 🃏 Matto, 🏹 XIIII, 🦉 XV" in text
    assert "Pozzo: 🐱 XII, 2 carte in tutto" in text
    assert "Tallone: 2 carte" in text
    assert "Anna · 5 in mano" in text


def test_figures_without_a_numeral_are_named_in_the_readers_language() -> None:
    assert "🃏 Fool" in read(table_screen(at_play().view_model(None), "en"))


def test_what_somebody_took_from_the_discards_is_known_to_all() -> None:
    drawn = at_play(known=[[], ["X"], []])
    assert "Bruno · 1 in mano (nota: X)" in read(table_screen(drawn.view_model(None), "it"))


def test_the_draw_is_a_button_of_its_own() -> None:
    screen = hand_screen(at_play(phase="draw").view_model(0), "it")
    assert "Pesca dal tallone o prendi 🐱 XII dal pozzo." in read(screen)
    assert key(screen, "Pesca dal tallone").style == "primary"
    assert key(screen, "Prendi 🐱 XII").style == "primary"


def test_few_melds_and_attachments_have_buttons_of_their_own_and_a_card_is_discarded_by_one_press() -> None:
    screen = hand_screen(at_play().view_model(0), "it")
    bright = [key.label for key in keys(screen) if key.style == "primary"]
    assert bright == ["Cala I, II, III", "Attacca 🦁 Leone a 🃏 Matto, 🏹 XIIII, 🦉 XV"]
    assert key(screen, "II").data == callback_data.MakeMove(
        REF, 17, code_of("ramino", {"type": "discard", "card": "II"})
    )
    assert "La carta che tocchi si scarta, e il turno finisce." in read(screen)


def test_a_whole_run_can_be_laid_in_either_copy() -> None:
    for copy in (3, 4):
        screen = hand_screen(at_play().view_model(0, {1, 2, copy}), "it")
        assert "Hai scelto I, II e III. Così va bene." in read(screen)
        assert "Cala I, II, III" in labels(screen)


def test_half_a_run_shows_what_goes_with_it() -> None:
    screen = hand_screen(at_play().view_model(0, {1, 2}), "it")
    assert "Hai scelto I e II. Non basta ancora. Va insieme a III." in read(screen)
    assert [key.label for key in keys(screen) if key.style == "primary"] == ["III", "III"]
    assert "Rimetti a posto" in labels(screen)


def test_a_single_card_is_attached_or_discarded() -> None:
    screen = hand_screen(at_play().view_model(0, {0}), "it")
    assert "Attacca a 🃏 Matto, 🏹 XIIII, 🦉 XV" in labels(screen)
    assert "Scarta 🦁 Leone" in labels(screen)


def test_the_card_just_taken_does_not_go_back_and_the_hand_explains_why() -> None:
    screen = hand_screen(at_play(taken="I").view_model(0, {1}), "it")
    assert "I l'hai appena presa dal pozzo" in read(screen)
    assert not [label for label in labels(screen) if label.startswith("Scarta")]


def test_the_alert_names_the_cards() -> None:
    assert hand_alert(at_play().view_model(0), "it").startswith("La tua mano: 🦁 Leone, I, II, III, III")


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ({"type": "drew", "seat": 0, "from": "stock", "card": None}, "Anna pesca dal tallone"),
        ({"type": "drew", "seat": 0, "from": "discards", "card": "XI"}, "Anna prende 🏠 XI dal pozzo"),
        ({"type": "restocked", "stock_count": 9}, "Il tallone si rifà: 9 carte"),
        ({"type": "melded", "seat": 1, "cards": ["I", "II", "III"]}, "Bruno cala I, II, III"),
        ({"type": "discarded", "seat": 2, "card": "NULLA"}, "Carla scarta ⭕ Nulla"),
        (
            {"type": "attached", "seat": 2, "card": "I", "meld": 0, "cards": ["I", "II", "III", "IIII"]},
            "Carla attacca I: I, II, III, IIII vanno nel pozzo",
        ),
    ],
)
def test_events_have_a_text(event: JsonObject, expected: str) -> None:
    text = event_line("ramino", event, NAMES, translations_in("it"))
    assert text.replace("<b>", "").replace("</b>", "") == expected


@pytest.mark.parametrize(
    ("closer", "reason", "expected"),
    [(0, "closed", "Anna chiude"), (0, "ramino", "Ramino! Anna"), (None, "blocked", "La smazzata è bloccata")],
)
def test_the_end_of_a_deal_shows_how_it_ended_and_what_each_is_left_with(
    closer: int | None, reason: Any, expected: str
) -> None:
    hands = [[], ["XV"], ["MATTO"]]
    event = {"type": "deal_over", "result": {"ranking": [[0], [2], [1]], "points": [0, 15, 10], "reason": reason}}
    played = at_play()
    past = PastDeal(2, (0, 15, 10), event | {"closer": closer, "hands": hands})
    text = read(deal_over_screen(played.view_model(None), past, "it"))
    assert "La smazzata 2 è finita." in text
    assert expected in text
    assert "Bruno resta con 🦉 XV" in text
    assert "🥇 Anna · 0 punti" in text


def test_fewer_points_rank_higher_in_the_match() -> None:
    assert WIRE_TYPES["ramino"].FEWEST_WINS


@pytest.mark.parametrize(
    ("code", "facts", "expected"),
    [
        ("wrong_phase", {"phase": "draw"}, "Prima si pesca una carta."),
        ("wrong_phase", {"phase": "play"}, "Hai già pescato: ora cala, attacca o scarta."),
        ("nothing_to_draw", {"from": "discards"}, "Il pozzo è vuoto: pesca dal tallone."),
        ("nothing_to_draw", {"from": "stock"}, "Nel tallone non c'è più niente: prendi la carta in cima al pozzo."),
        ("repeated_figure", {"cards": ["XI"]}, "La stessa figura due volte: 🏠 XI."),
        ("not_adjacent", {"card": "I", "meld": ["VI", "VII", "VIII"], "cards": ["V"]}, "I non si attacca a VI, VII"),
    ],
)
def test_refusals_have_a_text(code: str, facts: JsonObject, expected: str) -> None:
    assert refusal_text(code, facts, at_play().table(0), "it").startswith(expected)


@pytest.mark.parametrize("code", sorted({sentence.split()[0] for sentence in refusal_sentences("ramino")}))
def test_every_refusal_fits_whatever_the_facts(code: str) -> None:
    facts = {"card": "XI", "cards": ["XI", "XII"], "most": 4, "phase": "draw", "from": "stock", "meld": ["V", "VI"]}
    assert "{" not in refusal_text(code, facts, at_play().table(0), "it")
