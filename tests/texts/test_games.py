"""The games' texts: every module has the protocol's functions, and every refusal code has a sentence."""

import inspect
from typing import Any, get_args

import pytest

from locanda.explanations import refusals_of
from locanda.games.diavoletto import texts as diavoletto
from locanda.games.gatto_rosso import texts as gatto_rosso
from locanda.games.presidente import texts as presidente
from locanda.games.ramino import texts as ramino
from locanda.games.registry import GAME_NAMES, WIRE_TYPES
from locanda.texts.games import GameTexts, OwnTexts, labels_of, texts_of
from locanda.translations import Language, translations_in

CHECKED_BY_MYPY: tuple[OwnTexts, ...] = (diavoletto, gatto_rosso, presidente, ramino)
FUNCTIONS = {name: function for name, function in inspect.getmembers(GameTexts, inspect.isfunction) if name[0] != "_"}


def keyword_only(function: Any) -> list[bool]:
    """Return whether each parameter except `self` is keyword-only, by name."""
    parameters = inspect.signature(function).parameters.values()
    return [parameter.kind is inspect.Parameter.KEYWORD_ONLY for parameter in parameters if parameter.name != "self"]


@pytest.mark.parametrize("game", GAME_NAMES)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_game_has_each_function_of_the_protocol(game: str, function: str) -> None:
    assert keyword_only(getattr(texts_of(game), function)) == keyword_only(FUNCTIONS[function])


def sentence(game: str, code: str, language: Language) -> str:
    """Return the sentence of a refusal with only the facts that it mentions."""
    card = "VII" if game == "ramino" else "7h"
    samples = {"card": card, "cards": [card], "top": [card] if game == "presidente" else card, "needs": "8", "most": 4}
    samples |= {"max_piles": 4, "kind": "pair", "needed": "single", "length": 2}
    facts: dict[str, Any] = {"count": 1} if code == "tax_count" else {}
    while True:
        try:
            return texts_of(game).refusal_text(code, facts, None, [], translations_in(language))
        except KeyError as missing:
            facts[missing.args[0]] = samples[missing.args[0]]


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_refusal_code_of_a_game_has_a_sentence(game: str, language: Language) -> None:
    codes = refusals_of(WIRE_TYPES[game])
    assert codes
    assert [code for code in codes if not sentence(game, code, language)] == []


@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_pile_lies_in_the_view_and_every_place_of_a_move_is_a_pile(game: str) -> None:
    types, labels = WIRE_TYPES[game], labels_of(game, translations_in("en"))
    for pile in types.PILES:
        assert pile.field in types.View.__struct_fields__
        assert (pile.field if pile.several else pile.name) in labels
    moves = get_args(types.Move) or (types.Move,)
    places = {str(getattr(move, at, "hand")) for move in moves for at in ("goes_to", "taken_from")}
    assert {place.partition("-")[0] for place in places if "{from}" not in place} <= {
        "hand",
        *(pile.name for pile in types.PILES),
    }
