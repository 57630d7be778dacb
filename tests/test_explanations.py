"""The sentences that explain computer players' reasons."""

import pytest

from locanda.explanations import ONLY_MOVE, Reason, ReasonCode
from locanda.games.registry import GAME_NAMES
from locanda.messages import Language
from locanda.texts import table
from locanda.texts.table import reason_text, reasons_of
from locanda.translations import translations_in

TAKES = ReasonCode("takes", "{card} takes {cards}: {count} cards.", {"card": "7h", "cards": ["7s"], "count": 1})


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_reason_of_a_game_is_a_sentence(game: str, language: Language) -> None:
    for code, declared in reasons_of(game).items():
        text = reason_text(game, declared.because(**declared.facts), translations_in(language))
        assert text[0] == text[0].upper(), code
        assert text.endswith("."), code
        assert "{" not in text, code


def test_reasons_are_in_the_language_of_the_reader() -> None:
    texts = {reason_text("ramino", ONLY_MOVE.because(), translations_in(language)) for language in ("it", "en")}
    assert len(texts) == 2


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        ({"card": "7h", "cards": ["Ts", "*"], "count": 2}, "7♥ takes 10♠, 🃏: 2 cards."),
        ({"card": "LEONE", "cards": ["I", "II"], "count": 3}, "🦁 Lion takes I, II: 3 cards."),
    ],
)
def test_cards_in_reasons_are_shown_as_everywhere(
    monkeypatch: pytest.MonkeyPatch, facts: dict[str, object], text: str
) -> None:
    monkeypatch.setattr(table, "reasons_of", lambda _: {"takes": TAKES})
    assert reason_text("ramino", Reason("takes", facts), translations_in("en")) == text
