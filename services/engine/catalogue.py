"""The games as clients see them: names, numbers of players, options and rules, in both languages.

Rules (Markdown) and the steps of dealing (`dealing.json`) are files in each game's folder. They and the translations
are read at import.
"""

import re

import msgspec

from locanda.games.game import AnyGame
from locanda.games.options import choices_of
from locanda.games.registry import WIRE_TYPES, folder, has_part, of_each_game
from locanda.games.rules import GAMES
from locanda.messages import GameDetails, GameInfo, GameName, JsonObject, Localized, OptionsSchema, Players
from locanda.texts.selection import takes_several
from locanda.translations import Language, Translations, translations_in

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def catalogue() -> list[GameInfo]:
    """Return every game."""
    return [_info(game) for game in _DETAILS.values()]


def details(name: str) -> GameDetails:
    """Return a game with its rules. Raises `KeyError` if there is no such game."""
    return _DETAILS[name]


def options_schema(game: AnyGame, language: Language) -> JsonObject:
    """Return the self-contained JSON Schema (2020-12) of a game's options, with titles in a language."""
    _, components = msgspec.json.schema_components([game.options])
    schema = components[game.options.__name__]
    translations = translations_in(language)
    properties = {name: _property(game, name, part, translations) for name, part in schema["properties"].items()}
    closed = {"$schema": DIALECT, "type": "object", "properties": properties, "additionalProperties": False}
    return closed | contradictions(game)


def contradictions(game: AnyGame) -> JsonObject:
    """Return the JSON Schema keywords that forbid contradictory options; empty if the game has none."""
    exclusions = getattr(game.options, "contradictions", ())
    return {"allOf": [_not_all(values) for values in exclusions]} if exclusions else {}


def _not_all(values: JsonObject) -> JsonObject:
    """Return the schema that forbids this combination of values."""
    named = {name: {"const": value} for name, value in values.items()}
    return {"not": {"properties": named, "required": list(named)}}


def _property(game: AnyGame, name: str, part: JsonObject, translations: Translations) -> JsonObject:
    """Return the schema of an option, with its description and the titles of its choices in a language."""
    texts = {key: translations.gettext(part[key]) for key in ("title", "description")}
    rest = {key: value for key, value in part.items() if key not in (*texts, "labels")}
    choices = choices_of(part)
    labels = part.get("labels") or {key: key for key in choices if part.get("type") != "boolean"}
    if not labels:
        return texts | rest
    one_of = [
        {"const": choices[key], "title": translations.gettext(label)} | _fewer_players(game, {name: choices[key]})
        for key, label in labels.items()
    ]
    return texts | {"oneOf": one_of, "default": part["default"]}


def _fewer_players(game: AnyGame, options: JsonObject) -> JsonObject:
    """Return `maxPlayers` for a choice that allows fewer players than the game does otherwise; else empty."""
    most = max(game.seats(msgspec.convert(options, game.options)))
    return {"maxPlayers": most} if most < max(game.players) else {}


def _details(game: AnyGame) -> GameDetails:
    rules = Localized(it=_rules(game, "it"), en=_rules(game, "en"))
    return GameDetails(
        game=GameName(game.name),
        rules_version=game.rules,
        name=Localized(it=_heading(rules.it), en=_heading(rules.en)),
        players=Players(min(game.players), max(game.players), (min(game.suggested), max(game.suggested))),
        deck=game.deck,
        options=OptionsSchema(it=options_schema(game, "it"), en=options_schema(game, "en")),
        about=Localized(it=_first_paragraph(rules.it), en=_first_paragraph(rules.en)),
        lesson=has_part(game.name, "lesson"),
        rules=rules,
        dealing=_dealing(game),
        several=takes_several(game.name),
        piles=[*WIRE_TYPES[game.name].PILES],
    )


def _dealing(game: AnyGame) -> JsonObject:
    dealing: JsonObject = msgspec.json.decode((folder(game.name) / "dealing.json").read_bytes())
    return dealing


def _rules(game: AnyGame, language: Language) -> str:
    """Return the rules for people. Their file has `{name}` for an option, and `{options}` for all other options."""
    text = (folder(game.name) / f"rules.{language}.md").read_text(encoding="utf-8")
    properties = options_schema(game, language)["properties"]
    titles = {name: f"**{part['title']}** (`{name}`)" for name, part in properties.items()}
    others = [
        f"- {titles[name]}: {part['description']}{_usual(part, translations_in(language))}"
        for name, part in properties.items()
        if f"{{{name}}}" not in text
    ]
    titles["options"] = "\n".join(others)
    return re.sub(r"\{(\w+)\}", lambda place: titles.get(place[1], place[0]), text)


def _usual(part: JsonObject, translations: Translations) -> str:
    """Return a sentence with an option's default and its other values; empty for a switch that is off by default."""
    default = part.get("default")
    if "oneOf" in part:
        titles = {choice["const"]: f"*{choice['title']}*" for choice in part["oneOf"]}
        usual, others = titles.pop(default, default), ", ".join(titles.values())
        return " " + translations.gettext("Usually {usual}; otherwise {others}.").format(usual=usual, others=others)
    if "minimum" in part:
        bounds = {"usual": default, "least": part["minimum"], "most": part["maximum"]}
        return " " + translations.gettext("Usually {usual}; from {least} to {most}.").format(**bounds)
    return " " + translations.gettext("Usually on.") if default else ""


def _heading(rules: str) -> str:
    """Return the title of a Markdown text, which is the game's name."""
    return rules.partition("\n")[0].removeprefix("# ")


def _first_paragraph(rules: str) -> str:
    """Return, as one line, the first paragraph of a Markdown text that is not a heading."""
    paragraphs = (paragraph for paragraph in rules.split("\n\n") if not paragraph.startswith("#"))
    return " ".join(next(paragraphs).split())


def _info(game: GameDetails) -> GameInfo:
    return GameInfo(**{field: getattr(game, field) for field in GameInfo.__struct_fields__})


_DETAILS = of_each_game(lambda name: _details(GAMES[name]))
