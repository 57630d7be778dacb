"""The catalogue of games in both languages: names, rules, and option schemas that admit what the engine admits."""

from collections.abc import Iterator
from typing import Any, get_args

import jsonschema_rs
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locanda.games.rules import GAMES
from locanda.messages import GameInfo
from locanda.translations import Language, catalogue_of
from services.engine.catalogue import catalogue, details, options_schema

LANGUAGES: tuple[Language, ...] = get_args(Language)

every_game = pytest.mark.parametrize("name", GAMES)
both_languages = pytest.mark.parametrize("language", LANGUAGES)


def _properties(name: str, language: Language) -> dict[str, dict[str, Any]]:
    properties: dict[str, dict[str, Any]] = options_schema(GAMES[name], language)["properties"]
    return properties


def _texts(name: str) -> Iterator[str]:
    """Yield every English text of a game's options that players read."""
    for part in _properties(name, "en").values():
        yield from (part["title"], part["description"])
        yield from (choice["title"] for choice in part.get("oneOf", ()))


def test_the_catalogue_holds_every_game() -> None:
    assert [game.game for game in catalogue()] == list(GAMES)


@every_game
def test_the_list_leaves_the_rules_out(name: str) -> None:
    (listed,) = (game for game in catalogue() if game.game == name)
    assert type(listed) is GameInfo
    assert listed.options == details(name).options


def test_gatto_rosso_as_clients_see_it() -> None:
    game = details("gatto_rosso")
    assert (game.name.it, game.name.en) == ("Gatto Rosso Gatto Grigio", "Gatto Rosso Gatto Grigio")
    assert (game.players.min, game.players.max, game.players.suggested) == (2, 10, (2, 6))
    assert (game.deck, game.rules_version) == ("italian_40", 1)


def test_a_choice_is_served_with_the_words_for_each_of_its_values() -> None:
    three_suits = _properties("gatto_rosso", "it")["three_suits"]
    assert (three_suits["title"], three_suits["default"]) == ("Tre semi", None)
    assert three_suits["oneOf"] == [
        {"const": None, "title": "tutti e quattro i semi"},
        {"const": "s", "title": "senza picche", "maxPlayers": 2},
        {"const": "h", "title": "senza cuori", "maxPlayers": 2},
        {"const": "d", "title": "senza quadri", "maxPlayers": 2},
        {"const": "c", "title": "senza fiori", "maxPlayers": 2},
    ]


# --- the schemas agree with the engine


@every_game
@both_languages
def test_the_schema_is_valid_and_complete_in_itself(name: str, language: Language) -> None:
    schema = options_schema(GAMES[name], language)
    jsonschema_rs.meta.validate(schema)
    assert schema["additionalProperties"] is False
    assert set(schema["properties"]) == set(GAMES[name].options.__struct_fields__)
    text = msgspec.json.encode(schema).decode()
    assert not [word for word in ("$ref", "$defs", '"labels"') if word in text]


@every_game
def test_the_defaults_of_the_schema_are_the_engine_s(name: str) -> None:
    defaults = {option: part["default"] for option, part in _properties(name, "en").items()}
    assert msgspec.convert(defaults, GAMES[name].options) == GAMES[name].options()
    assert jsonschema_rs.is_valid(options_schema(GAMES[name], "en"), defaults)


@every_game
@settings(max_examples=settings().max_examples * 5)
@given(data=st.data())
def test_the_schema_admits_what_the_engine_admits(name: str, data: st.DataObject) -> None:
    schema = options_schema(GAMES[name], "en")
    attempts = {option: _attempts(part) for option, part in schema["properties"].items()}
    options = data.draw(st.fixed_dictionaries({}, optional={**attempts, "unheard_of": st.just(1)}))
    assert jsonschema_rs.is_valid(schema, options) == _engine_admits(name, options)


def _attempts(part: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return a strategy of values that fit an option, nearly fit it, or are unrelated to it."""
    bounds = [part[bound] for bound in ("minimum", "maximum") if bound in part]
    choices = [choice["const"] for choice in part.get("oneOf", ())]
    fitting = st.sampled_from([part["default"], *choices, *bounds])
    missing = st.sampled_from([0, *(bound + step for bound in bounds for step in (-1, 1))])
    others: st.SearchStrategy[Any] = st.sampled_from([None, True, False, 10**20, 1.5, "", "x", "true", [], {}])
    return fitting | fitting | fitting | missing | others


def _engine_admits(name: str, options: dict[str, Any]) -> bool:
    try:
        msgspec.json.decode(msgspec.json.encode(options), type=GAMES[name].options)
    except msgspec.ValidationError:
        return False
    return True


# --- texts


@every_game
def test_every_option_and_choice_has_an_italian_text(name: str) -> None:
    italian = catalogue_of("it")
    assert [
        text for text in _texts(name) if not text.isdecimal() and (text not in italian or not italian[text].string)
    ] == []


@every_game
@both_languages
def test_the_rules_explain_every_option(name: str, language: Language) -> None:
    rules = getattr(details(name).rules, language)
    for option, part in _properties(name, language).items():
        assert rules.count(f"- **{part['title']}** (`{option}`): ") == 1
    assert "{" not in rules


@every_game
@both_languages
def test_the_rules_name_every_choice_as_the_options_do(name: str, language: Language) -> None:
    rules = getattr(details(name).rules, language).lower()
    named = [part for part in _properties(name, language).values() if isinstance(part["default"], str)]
    for choice in (choice for part in named for choice in part["oneOf"]):
        assert f"*{choice['title'].lower()}*" in rules
