"""Diavoletto in the bot: table, hand, buttons, events and refusals."""

from typing import Any

import pytest

from locanda.messages import JsonObject
from locanda.texts.games import refusal_sentences
from locanda.translations import translations_in
from services.telegram import callback_data
from services.telegram.callback_data import MakeMove
from services.telegram.move_codes import code_of, move_of
from services.telegram.screens.hand import hand_alert, hand_screen
from services.telegram.screens.notices import refusal_text
from services.telegram.screens.table import event_line, table_screen
from tests.telegram.played_deals import PlayedDeal, labels, position
from tests.telegram.samples import REF, key, keys, read

NAMES = ("Anna", "Bruno")


def at_play(**fields: Any) -> PlayedDeal:
    """Return a deal: Anna holds two Sevens, a joker and a King; the mazzetto's top is a 3, the column an 8 on a 2."""
    standard: dict[str, Any] = {
        "hands": [["7h", "7d", "Ks", "*"], ["9c"]],
        "mazzetti": [["Qc", "3h"], ["5s"]],
        "columns": [[["8h", "2h"]], []],
        "builds": [["Ah", "2d"], ["As", "2s", "3s", "4s", "5c", "6c"]],
        "stock": ["Th", "Jh"],
    }
    return position("diavoletto", **standard | fields)


def test_the_table_shows_what_each_build_needs_and_each_ones_piles() -> None:
    text = read(table_screen(at_play().view_model(None), "it"))
    assert "Pile: 1) 2♦ serve 3 · 2) 6♣ serve 7" in text
    assert "Anna: mazzetto 3♥ (2 carte)\nColonne: 8♥ 2♥\nBruno: mazzetto 5♠ (1 carta)\nTallone: 2 carte" in text
    assert "Tallone: 2 carte" in text


def test_no_build_yet_asks_for_an_ace() -> None:
    assert "ci vuole un Asso" in read(table_screen(at_play(builds=[]).view_model(None), "it"))


def test_a_long_column_shows_its_last_cards() -> None:
    column = [f"{rank}c" for rank in "23456789"]
    assert "Colonne: 5♣ 6♣ 7♣ 8♣ 9♣\n" in read(table_screen(at_play(columns=[[column], []]).view_model(None), "it"))


def test_the_cards_of_hand_mazzetto_and_columns_can_be_selected() -> None:
    screen = hand_screen(at_play().view_model(0), "it")
    picked = ["7♥", "7♦", "K♠", "🃏", "3♥ (mazzetto)", "2♥ (colonna 1)"]
    assert [label for label in labels(screen) if label in picked] == picked


def test_either_of_two_equal_cards_is_played_as_itself() -> None:
    for place, code in ((0, "7h"), (1, "7d")):
        screen = hand_screen(at_play().view_model(0, {place}), "it")
        assert ("✅ 7♥" if code == "7h" else "✅ 7♦") in labels(screen)
        data = key(screen, "Pila 2, su 6♣").data
        assert isinstance(data, callback_data.MakeMove)
        assert move_of("diavoletto", data.code) == {"type": "build", "from": "hand", "card": code, "build": 1}


def test_a_joker_goes_to_any_build_or_to_a_column() -> None:
    offered = labels(hand_screen(at_play().view_model(0, {3}), "it"))
    assert "Pila 1, su 2♦" in offered
    assert "Pila 2, su 6♣" in offered
    assert "Scarta: colonna 1, su 2♥" in offered
    assert "Scarta: colonna nuova" in offered


def test_the_mazzetto_goes_to_its_build_alone() -> None:
    screen = hand_screen(at_play().view_model(0, {4}), "it")
    assert [label for label in labels(screen) if label.startswith(("Pila", "Scarta"))] == ["Pila 1, su 2♦"]


def test_a_card_that_no_build_takes_is_explained() -> None:
    assert "Adesso K♠ non va su nessuna pila." in read(hand_screen(at_play().view_model(0, {2}), "it"))
    assert "Adesso 2♥ non va su nessuna pila." in read(hand_screen(at_play().view_model(0, {5}), "it"))


def test_a_build_under_a_joker_shows_what_it_needs_next() -> None:
    text = read(table_screen(at_play(builds=[["Ah", "2d", "*"]]).view_model(None), "it"))
    assert "Pile: 1) 🃏 serve 4" in text


def test_four_columns_are_one_line_on_a_phone() -> None:
    columns = [[f"{rank}{suit}" for rank in "KQJT9"] for suit in "hdcs"]
    text = read(table_screen(at_play(columns=[columns, []]).view_model(None), "it"))
    assert "Colonne: 9♥ | 9♦ | 9♣ | 9♠\n" in text


def test_a_card_that_no_build_takes_is_to_be_discarded() -> None:
    text = read(hand_screen(at_play().view_model(0, {2}), "it"))
    assert "Adesso K♠ non va su nessuna pila. Per scartare, scegli una colonna." in text


def test_an_ace_comes_before_any_discard() -> None:
    screen = hand_screen(at_play(hands=[["Ac", "Ks"], ["9c"]]).view_model(0, {1}), "it")
    assert "prima gioca A♣" in read(screen)
    assert not [label for label in labels(screen) if label.startswith("Scarta")]
    assert "Pila nuova" in labels(hand_screen(at_play(hands=[["Ac", "Ks"], ["9c"]]).view_model(0, {0}), "it"))


def test_an_empty_hand_ends_the_turn_by_a_button() -> None:
    screen = hand_screen(at_play(hands=[[], ["9c"]], stock=[]).view_model(0), "it")
    assert key(screen, "Chiudo il turno").style == "primary"


def test_the_alert_shows_hand_mazzetto_and_columns() -> None:
    assert hand_alert(at_play().view_model(0), "it").startswith("La tua mano: 7♥ 7♦ K♠ 🃏 · mazzetto 3♥ · colonne 2♥")


def test_highlighted_is_what_goes_on_a_build_and_not_what_can_only_be_discarded() -> None:
    bright = [key.label for key in keys(hand_screen(at_play().view_model(0), "it")) if key.style == "primary"]
    assert bright == ["7♥", "7♦", "🃏", "⬆ 2♦", "⬆ 6♣", "3♥ (mazzetto)"]


def test_a_card_of_the_hand_is_played_or_discarded_by_one_press_wherever_it_may_go() -> None:
    rows = {row[0].label: row for row in hand_screen(at_play().view_model(0), "it").rows}
    assert [button.label for button in rows["7♥"]] == ["7♥", "⬇ 2♥", "⬇ +"]
    assert [button.label for button in rows["🃏"]] == ["🃏", "⬆ 2♦", "⬆ 6♣", "⬇ 2♥", "⬇ +"]
    moves = [move_of("diavoletto", button.data.code) for button in rows["7♥"] if isinstance(button.data, MakeMove)]
    assert moves == [
        {"type": "build", "from": "hand", "card": "7h", "build": 1},
        {"type": "discard", "card": "7h", "column": 0},
        {"type": "discard", "card": "7h", "column": 1},
    ]


def test_the_top_of_the_mazzetto_is_played_by_one_press() -> None:
    data = key(hand_screen(at_play().view_model(0), "it"), "3♥ (mazzetto)").data
    assert data == callback_data.MakeMove(
        REF, 17, code_of("diavoletto", {"type": "build", "from": "mazzetto", "card": "3h", "build": 0})
    )


@pytest.mark.parametrize("columns", [[[], []], [[["8h"]], []]])
def test_no_press_on_a_card_ends_the_turn_whether_there_are_columns_or_not(columns: list[list[str]]) -> None:
    played = at_play(columns=columns)
    pick = key(hand_screen(played.view_model(0), "it"), "K♠").data
    assert isinstance(pick, callback_data.PickCard)
    assert "Scarta: colonna nuova" in labels(hand_screen(played.view_model(0, {pick.place}), "it"))


def test_the_tops_of_columns_stay_where_they_are_when_one_is_selected() -> None:
    played = at_play(columns=[[["8h"], ["9h"], ["Td"], ["2c"]], []])
    before, after = (hand_screen(played.view_model(0, picked), "it").rows for picked in ((), {5}))
    tops = [[button.label for button in row] for row in before if "colonna" in row[0].label]
    assert [len(row) for row in tops] == [2, 2]
    assert [[button.label.removeprefix("✅ ") for button in row] for row in after if "(colonna" in row[0].label] == tops


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        (["7h", "Ks"], "Blu: va sulle pile. ⬇ scarta la carta accanto e chiude il turno."),
        (["Kh", "Ks"], "Sulle pile non va niente: scarta una carta."),
    ],
)
def test_the_task_says_which_cards_go_on_the_builds(hand: list[str], expected: str) -> None:
    played = at_play(hands=[hand, ["9c"]], mazzetti=[["Qc", "9h"], ["5s"]], columns=[[], []])
    assert expected in read(hand_screen(played.view_model(0), "it"))


@pytest.mark.parametrize(
    ("event", "expected"),
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
            "Stallo: la smazzata è di Bruno",
        ),
        (
            {"type": "deal_over", "result": {"ranking": [[0, 1]], "points": [0, 0], "reason": "deadlock"}},
            "Stallo: non vince nessuno",
        ),
    ],
)
def test_events_have_a_text(event: JsonObject, expected: str) -> None:
    text = event_line("diavoletto", event, NAMES, translations_in("it"))
    assert text.replace("<b>", "").replace("</b>", "") == expected


@pytest.mark.parametrize(
    ("code", "facts", "expected"),
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
def test_refusals_have_a_text(code: str, facts: JsonObject, expected: str) -> None:
    assert refusal_text(code, facts, at_play().table(0), "it").startswith(expected)


@pytest.mark.parametrize("code", sorted({sentence.split()[0] for sentence in refusal_sentences("diavoletto")}))
def test_every_refusal_fills_its_gaps(code: str) -> None:
    facts = {"card": "7h", "top": "9h", "needs": "8", "max_piles": 4, "aces": []}
    assert "{" not in refusal_text(code, facts, at_play().table(0), "it")
