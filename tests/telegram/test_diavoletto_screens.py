"""How Diavoletto looks."""

from typing import Any

import pytest

from services.telegram import buttons
from services.telegram.screens.acts import act
from services.telegram.screens.games import DRAWINGS
from services.telegram.screens.hand import hand_alert, hand_screen
from services.telegram.screens.refusals import explained
from services.telegram.screens.table import table_screen
from shared.messages import JsonObject
from shared.translate import translator
from shared.words.diavoletto import REFUSALS
from tests.telegram.played import Played, labels, posted
from tests.telegram.scenes import key, keys, read

NAMES = ("Anna", "Bruno")


def at_play(**fields: Any) -> Played:
    """Anna holds two Sevens, a joker and a King; her mazzetto shows a 3, her column a 2 below an 8."""
    standard: dict[str, Any] = {
        "hands": [["7h", "7d", "Ks", "*"], ["9c"]],
        "mazzetti": [["Qc", "3h"], ["5s"]],
        "columns": [[["8h", "2h"]], []],
        "builds": [["Ah", "2d"], ["As", "2s", "3s", "4s", "5c", "6c"]],
        "stock": ["Th", "Jh"],
    }
    return posted("diavoletto", **standard | fields)


def test_the_table_shows_builds_with_their_height_and_each_ones_piles() -> None:
    text = read(table_screen(at_play().scene(None), "it"))
    assert "Pile: 1) 2♦ (2) · 2) 6♣ (6)" in text
    assert "Anna: mazzetto 3♥ (di 2), colonne 8♥ 2♥" in text
    assert "Bruno: mazzetto 5♠ (di 1), colonne —" in text
    assert "Tallone: 2 carte" in text


def test_no_build_yet_asks_for_an_ace() -> None:
    assert "ci vuole un Asso" in read(table_screen(at_play(builds=[]).scene(None), "it"))


def test_a_long_column_shows_its_last_cards() -> None:
    column = [f"{rank}c" for rank in "23456789"]
    assert "… 5♣ 6♣ 7♣ 8♣ 9♣" in read(table_screen(at_play(columns=[[column], []]).scene(None), "it"))


def test_the_hand_the_mazzetto_and_the_columns_can_be_taken_up() -> None:
    screen = hand_screen(at_play().scene(0), "it")
    assert labels(screen)[:6] == ["7♥", "7♦", "K♠", "🃏", "mazzetto 3♥", "colonna 1: 2♥"]


def test_either_of_two_equal_cards_is_played_as_itself() -> None:
    for place, code in ((0, "7h"), (1, "7d")):
        screen = hand_screen(at_play().scene(0, {place}), "it")
        assert ("✅ 7♥" if code == "7h" else "✅ 7♦") in labels(screen)
        tap = key(screen, "Pila 2, su 6♣").tap
        assert isinstance(tap, buttons.Move)
        assert DRAWINGS["diavoletto"].move(tap.code) == {"type": "build", "from": "hand", "card": code, "build": 1}


def test_a_joker_goes_to_any_build_or_to_a_column() -> None:
    offered = labels(hand_screen(at_play().scene(0, {3}), "it"))
    assert "Pila 1, su 2♦" in offered
    assert "Pila 2, su 6♣" in offered
    assert "Scarta: colonna 1, su 2♥" in offered
    assert "Scarta: colonna nuova" in offered


def test_the_mazzetto_goes_to_its_build_alone() -> None:
    screen = hand_screen(at_play().scene(0, {4}), "it")
    assert [label for label in labels(screen) if label.startswith(("Pila", "Scarta"))] == ["Pila 1, su 2♦"]


def test_a_card_that_no_build_takes_says_so() -> None:
    assert "Adesso K♠ non va su nessuna pila." in read(hand_screen(at_play().scene(0, {2}), "it"))
    assert "Adesso 2♥ non va su nessuna pila." in read(hand_screen(at_play().scene(0, {5}), "it"))


def test_an_ace_comes_before_any_discard() -> None:
    screen = hand_screen(at_play(hands=[["Ac", "Ks"], ["9c"]]).scene(0, {1}), "it")
    assert "prima va giocato A♣" in read(screen)
    assert not [label for label in labels(screen) if label.startswith("Scarta")]
    assert "Pila nuova" in labels(hand_screen(at_play(hands=[["Ac", "Ks"], ["9c"]]).scene(0, {0}), "it"))


def test_an_empty_hand_ends_the_turn_by_a_button() -> None:
    screen = hand_screen(at_play(hands=[[], ["9c"]], stock=[]).scene(0), "it")
    assert key(screen, "Chiudo il turno").style == "success"


def test_the_alert_shows_hand_mazzetto_and_columns() -> None:
    assert hand_alert(at_play().scene(0), "it").startswith("La tua mano: 7♥ 7♦ K♠ 🃏 · mazzetto 3♥ · colonne 2♥")


def test_cards_that_can_be_played_or_discarded_stand_out() -> None:
    bright = [each.label for each in keys(hand_screen(at_play().scene(0), "it")) if each.style == "primary"]
    assert bright == ["7♥", "7♦", "K♠", "🃏", "mazzetto 3♥"]


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (
            {"type": "built", "seat": 0, "from": "hand", "card": "7h", "column": None, "build": 1, "stands_for": "7"},
            "Anna gioca 7♥ sulla pila 2",
        ),
        (
            {
                "type": "built",
                "seat": 0,
                "from": "mazzetto",
                "card": "3h",
                "column": None,
                "build": 0,
                "stands_for": "3",
            },
            "Anna gioca 3♥ dal mazzetto sulla pila 1",
        ),
        (
            {"type": "built", "seat": 0, "from": "column", "card": "*", "column": 2, "build": 0, "stands_for": "T"},
            "Anna gioca 🃏 come 10 da una colonna sulla pila 1",
        ),
        ({"type": "completed", "build": 0, "cards": []}, "La pila 1 è completa e si mette da parte"),
        ({"type": "exposed", "seat": 1, "card": "Qc"}, "Bruno scopre Q♣"),
        ({"type": "discarded", "seat": 1, "card": "*", "column": 3}, "Bruno scarta 🃏 sulla colonna 4"),
        ({"type": "ended", "seat": 1}, "Bruno chiude il turno senza scartare"),
        ({"type": "recycled", "stock_count": 13}, "Le pile messe da parte si mescolano e vanno sotto al tallone"),
        ({"type": "drew", "seat": 0, "count": 1, "stock_count": 9}, "Anna pesca 1 carta"),
        ({"type": "redealt", "stock_count": 70}, "Stallo: si rimescolano tutte le carte, tranne i mazzetti"),
        (
            {"type": "deal_over", "result": {"ranking": [[1], [0]], "points": [0, 1], "reason": "emptied"}},
            "Bruno ha finito il mazzetto",
        ),
        (
            {"type": "deal_over", "result": {"ranking": [[1], [0]], "points": [0, 1], "reason": "deadlock"}},
            "Stallo: la smazzata va a Bruno",
        ),
        (
            {"type": "deal_over", "result": {"ranking": [[0, 1]], "points": [0, 0], "reason": "deadlock"}},
            "Stallo: non vince nessuno",
        ),
    ],
)
def test_what_happens_is_told(event: JsonObject, told: str) -> None:
    text = act("diavoletto", event, NAMES, translator("it"))
    assert text.replace("<b>", "").replace("</b>", "") == told


@pytest.mark.parametrize(
    ("code", "facts", "told"),
    [
        ("not_on_top", {"card": "7h", "top": None}, "7♥ non è in cima."),
        ("wrong_rank", {"card": "7h", "needs": "T"}, "7♥ lì non ci va: ci vuole 10."),
        ("too_many_builds", {"max_piles": 3}, "Non c'è posto per un'altra pila: al massimo 3."),
        ("joker_stays", {}, "Il jolly non si scarta finché hai altre carte in mano."),
        ("not_descending", {"card": "7h", "columns": [1]}, "7♥ non va su questa colonna"),
        ("must_discard", {}, "Per finire il turno scarta una carta."),
        ("no_such_build", {"build": 4}, "Questa pila non è più in tavola."),
        ("ace_first", {"aces": [{"from": "hand", "card": "Ac", "column": None}]}, "Il turno non può ancora finire"),
    ],
)
def test_a_refusal_explains_itself(code: str, facts: JsonObject, told: str) -> None:
    assert explained(code, facts, at_play().table(0), "it").startswith(told)


@pytest.mark.parametrize("code", sorted({each.split()[0] for each in REFUSALS}))
def test_every_refusal_fills_its_gaps(code: str) -> None:
    facts = {"card": "7h", "top": "9h", "needs": "8", "max_piles": 4, "aces": []}
    assert "{" not in explained(code, facts, at_play().table(0), "it")
