"""Parses a game's options from the JSON Schema that the engine serves, and words their values."""

import math
from collections.abc import Iterator
from typing import TypeAlias, cast

from msgspec import Struct

from locanda.games.base import N_
from locanda.games.options import PresetName
from locanda.games.registry import WIRE_TYPES
from locanda.messages import GameInfo, JsonObject
from locanda.translations import Language, Translations, translations_in

OptionValue: TypeAlias = bool | int | str | None


class OptionChoice(Struct, frozen=True):
    """A value that an option may have, and its title."""

    value: OptionValue
    title: str
    most_players: int | None = None
    """The most players with this value; None if it does not reduce the game's number."""


class Option(Struct, frozen=True):
    """An option of a game."""

    name: str
    title: str
    description: str
    default: OptionValue
    choices: tuple[OptionChoice, ...] = ()
    """Empty for a number."""
    least: int = 0
    most: int = 0

    @property
    def step(self) -> int:
        """Step of the buttons that change a number: about twenty steps lead to the largest number."""
        return max(size for size in (1, 2, 5, 10, 20, 50) if size == 1 or size * 20 <= self.most)

    def next_to(self, number: int, direction: int) -> int:
        """Return the next lower (`direction` -1) or higher (1) number, in steps from the default, within the limits."""
        start = cast("int", self.default)
        steps = (number - start) / self.step
        following = math.floor(steps) + 1 if direction > 0 else math.ceil(steps) - 1
        return min(self.most, max(self.least, start + following * self.step))


PRESET_TITLES: dict[PresetName, str] = {"quick": N_("Quick"), "classic": N_("Classic"), "long": N_("Long")}


def options_of(game: GameInfo, language: Language) -> Iterator[Option]:
    """Yield the game's options from its schema; options with an unknown kind of schema are left out."""
    schema = game.options.it if language == "it" else game.options.en
    translations = translations_in(language)
    for name, part in schema.get("properties", {}).items():
        parsed = _option(name, part, translations)
        if parsed is not None:
            yield parsed


def _option(name: str, part: JsonObject, translations: Translations) -> Option | None:
    title, description = part.get("title", name), part.get("description", "")
    default = part.get("default")
    if part.get("type") == "boolean":
        switch = (
            OptionChoice(value=False, title=translations.gettext("no")),
            OptionChoice(value=True, title=translations.gettext("yes")),
        )
        return Option(name, title, description, default, switch)
    if "oneOf" in part:
        choices = tuple(
            OptionChoice(choice["const"], choice.get("title", str(choice["const"])), choice.get("maxPlayers"))
            for choice in part["oneOf"]
        )
        return Option(name, title, description, default, choices)
    if part.get("type") == "integer":
        return Option(name, title, description, default, least=part["minimum"], most=part["maximum"])
    return None


def value_of(option: Option, options: JsonObject) -> OptionValue:
    """Return the value of an option at a table."""
    return cast("OptionValue", options.get(option.name, option.default))


def most_players(game: GameInfo, options: JsonObject) -> int:
    """Return the most players that options allow, for a table that is not open yet; an open table has `max_seats`."""
    chosen = (
        choice.most_players
        for option in options_of(game, "en")
        for choice in option.choices
        if choice.value == value_of(option, options)
    )
    return min([game.players.max, *(most for most in chosen if most is not None)])


def changed(game: GameInfo, options: JsonObject, name: str, value: int) -> JsonObject:
    """Return a table's options with one changed to a choice's index or a number. Raises `LookupError`."""
    option = {option.name: option for option in options_of(game, "en")}[name]
    return _with(option, options, option.choices[value].value if option.choices else value)


def _with(option: Option, options: JsonObject, value: OptionValue) -> JsonObject:
    rest = {key: kept for key, kept in options.items() if key != option.name}
    return rest if value == option.default else rest | {option.name: value}


def with_preset(game: GameInfo, options: JsonObject, preset: PresetName) -> JsonObject:
    """Return a table's options with the values of a preset."""
    for option in options_of(game, "en"):
        if option.name in WIRE_TYPES[game.game].PRESETS[preset]:
            options = _with(option, options, WIRE_TYPES[game.game].PRESETS[preset][option.name])
    return options


def has_preset(game: GameInfo, options: JsonObject, preset: PresetName) -> bool:
    """Return whether a table's options have the values of a preset."""
    return with_preset(game, options, preset) == options


def preset_line(game: GameInfo, preset: PresetName, language: Language) -> str:
    """Return the titles and values of the options in a preset, on one line."""
    values = WIRE_TYPES[game.game].PRESETS[preset]
    chosen = (option for option in options_of(game, language) if option.name in values)
    return ", ".join(_line(option, values[option.name]) for option in chosen)


def summary(game: GameInfo, options: JsonObject, language: Language) -> list[str]:
    """Return a line for each option that differs from the game's default."""
    lines = []
    for option in options_of(game, language):
        value = value_of(option, options)
        if value != option.default:
            lines.append(_line(option, value))
    return lines


def _line(option: Option, value: OptionValue) -> str:
    if value is True:
        return option.title
    return f"{option.title}: {value_title(option, value)}"


def value_title(option: Option, value: OptionValue) -> str:
    """Return the title of an option's value."""
    return next((choice.title for choice in option.choices if choice.value == value), str(value))
