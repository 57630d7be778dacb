"""A game's options, read from the JSON Schema that the engine serves."""

from collections.abc import Iterator
from typing import TypeAlias, cast

from msgspec import Struct

from shared.messages import GameInfo, JsonObject
from shared.translate import Language, Words, translator

OptionValue: TypeAlias = bool | int | str | None


class Choice(Struct, frozen=True):
    """A value that an option may have, and what it is called."""

    value: OptionValue
    title: str


class Option(Struct, frozen=True):
    """One option of a game."""

    name: str
    title: str
    description: str
    default: OptionValue
    choices: tuple[Choice, ...] = ()
    """Empty for a number."""
    least: int = 0
    most: int = 0


def options_of(game: GameInfo, language: Language) -> Iterator[Option]:
    """Yield the game's options as its schema describes them; a shape that we cannot draw is left out."""
    schema = game.options.it if language == "it" else game.options.en
    words = translator(language)
    for name, part in schema.get("properties", {}).items():
        found = _option(name, part, words)
        if found is not None:
            yield found


def _option(name: str, part: JsonObject, words: Words) -> Option | None:
    title, description = part.get("title", name), part.get("description", "")
    default = part.get("default")
    if part.get("type") == "boolean":
        switch = (Choice(value=False, title=words.gettext("no")), Choice(value=True, title=words.gettext("yes")))
        return Option(name, title, description, default, switch)
    if "oneOf" in part:
        choices = tuple(Choice(each["const"], each.get("title", str(each["const"]))) for each in part["oneOf"])
        return Option(name, title, description, default, choices)
    if part.get("type") == "integer":
        return Option(name, title, description, default, least=part["minimum"], most=part["maximum"])
    return None


def value_of(option: Option, options: JsonObject) -> OptionValue:
    """Return the option's value at a table."""
    return cast("OptionValue", options.get(option.name, option.default))


def changed(game: GameInfo, options: JsonObject, name: str, value: int) -> JsonObject:
    """Return the options after a tap on one of them. Raises `LookupError` for one that the game does not have."""
    option = {option.name: option for option in options_of(game, "en")}[name]
    new = option.choices[value].value if option.choices else value
    rest = {key: kept for key, kept in options.items() if key != name}
    return rest if new == option.default else rest | {name: new}


def summary(game: GameInfo, options: JsonObject, language: Language) -> list[str]:
    """Return the options that differ from the game's defaults, in words."""
    lines = []
    for option in options_of(game, language):
        value = value_of(option, options)
        if value != option.default:
            lines.append(_said(option, value))
    return lines


def _said(option: Option, value: OptionValue) -> str:
    if value is True:
        return option.title
    return f"{option.title}: {called(option, value)}"


def called(option: Option, value: OptionValue) -> str:
    """Return what a value of the option is called."""
    return next((choice.title for choice in option.choices if choice.value == value), str(value))
