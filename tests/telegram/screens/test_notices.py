"""The texts of refusals, nudges and greetings."""

import pytest

from locanda.games.gatto_rosso.types import Options
from locanda.texts.table import PROBLEM_SENTENCES
from locanda.translations import Language
from services.telegram.screens.notices import BOT_TEXTS, nudge_screen, refusal_text, seated_screen
from services.telegram.screens.screen import ALERT_LIMIT
from tests.telegram.samples import key, table, view


def test_a_card_that_does_not_beat_is_explained_with_what_would() -> None:
    text = refusal_text("must_beat", {"card": "Ks", "top": "7h"}, table(), "it")
    assert text.startswith("K♠ non supera 7♥. Ci vuole una carta più alta dello stesso seme")
    assert text.endswith("Puoi calare 2♦.")


def test_with_the_cats_the_simple_rule_is_left_out() -> None:
    seen = table(deal=view(options=Options(cats=True)), moves=[])
    assert (
        refusal_text("must_beat", {"card": "Ks", "top": "Jh"}, seen, "en") == "K♠ does not beat J♥. You have to pass."
    )


def test_a_pass_that_is_not_allowed_is_refused_with_the_cards_that_beat() -> None:
    text = refusal_text("must_play", {"top": "7h", "cards": ["2d", "Qh"]}, table(), "it")
    assert text == "Non puoi passare: 7♥ lo superi con 2♦ e Q♥."


def test_a_leader_may_not_pass() -> None:
    assert refusal_text("must_lead", {}, table(), "it").startswith("Apri tu")


def test_a_move_out_of_turn_is_refused_with_the_name_of_whoever_is_on_turn() -> None:
    assert refusal_text("not_your_turn", {"turn": 0}, table(), "it") == "Non tocca ancora a te: è il turno di Anna."


def test_a_card_that_is_gone_is_named() -> None:
    assert refusal_text("not_in_hand", {"card": "Th"}, table(), "en") == "You do not hold 10♥."


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("code", [*PROBLEM_SENTENCES | BOT_TEXTS, "never heard of"])
def test_every_refusal_has_a_text_that_fits_a_toast(code: str, language: Language) -> None:
    text = refusal_text(code, {}, None, language)
    assert 0 < len(text) <= ALERT_LIMIT


def test_a_nudge_mentions_the_person_so_that_they_are_notified() -> None:
    assert '<a href="tg://user?id=42">Anna</a>, tocca a te!' in nudge_screen(42, "Anna", "", None, "it").text
    called = nudge_screen(42, "Anna", "<Bruno>", None, "it").text
    assert '<a href="tg://user?id=42">Anna</a>, tocca a te: <b>&lt;Bruno&gt;</b> ti aspetta!' in called


def test_who_sat_down_by_link_gets_a_link_back_to_the_group() -> None:
    assert key(seated_screen("Amici", "https://t.me/c/1/2", "it"), "Torna al gruppo").url == "https://t.me/c/1/2"
    assert seated_screen("Amici", "", "it").rows == ()
