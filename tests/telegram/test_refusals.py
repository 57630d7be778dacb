import pytest

from services.telegram.screens.refusals import TEXTS, explained
from services.telegram.screens.screen import ALERT_LIMIT
from shared.games.gatto_rosso import Options
from shared.translate import Language
from tests.telegram.scenes import table, view


def test_a_card_that_does_not_beat_is_explained_with_what_would() -> None:
    text = explained("must_beat", {"card": "Ks", "top": "7h"}, table(), "it")
    assert text.startswith("K♠ non supera 7♥. Ci vuole una carta più alta dello stesso seme")
    assert text.endswith("Puoi calare 2♦.")


def test_with_the_cats_the_plain_rule_is_not_told() -> None:
    seen = table(deal=view(options=Options(cats=True)), moves=[])
    assert explained("must_beat", {"card": "Ks", "top": "Jh"}, seen, "en") == "K♠ does not beat J♥. You have to pass."


def test_a_pass_that_is_not_allowed_says_which_cards_beat() -> None:
    text = explained("must_play", {"top": "7h", "cards": ["2d", "Qh"]}, table(), "it")
    assert text == "Non puoi passare: 7♥ lo superi con 2♦ e Q♥."


def test_a_leader_may_not_pass() -> None:
    assert explained("must_lead", {}, table(), "it").startswith("Apri tu")


def test_out_of_turn_one_is_told_whose_turn_it_is() -> None:
    assert explained("not_your_turn", {"turn": 0}, table(), "it") == "Non tocca ancora a te: è il turno di Anna."


def test_a_card_that_is_gone_is_named() -> None:
    assert explained("not_in_hand", {"card": "Th"}, table(), "en") == "You do not hold 10♥."


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("code", [*TEXTS, "never heard of"])
def test_every_refusal_of_the_house_has_words_that_fit_a_toast(code: str, language: Language) -> None:
    text = explained(code, {}, None, language)
    assert 0 < len(text) <= ALERT_LIMIT
