"""A game's options, drawn from the JSON Schema that the engine serves."""

from collections.abc import Iterator
from typing import TypeAlias, cast

from msgspec import Struct

from services.telegram import buttons
from services.telegram.screens.lobby import Lobby, lobby_title
from services.telegram.screens.screen import Button, Rows, Screen, Style, in_rows, joined
from services.telegram.screens.text import TIMES, bold, plain, turn_time
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
    return f"{option.title}: {_called(option, value)}"


def _called(option: Option, value: OptionValue) -> str:
    return next((choice.title for choice in option.choices if choice.value == value), str(value))


def options_screen(lobby: Lobby, language: Language) -> Screen:
    """Return the options of an open table, to be changed by tapping."""
    words = translator(language)
    offered = list(options_of(lobby.game, language))
    told = "\n".join(f"{bold(option.title)}: {plain(option.description)}" for option in offered)
    how = words.gettext("Tap an option to change it.")
    rows = tuple(row for option in offered for row in _option_rows(lobby, option))
    back = (Button(words.gettext("Back"), buttons.ShowLobby(lobby.ref), style="primary"),)
    time = words.gettext("Time for a turn: {time}").format(time=bold(turn_time(lobby.turn_seconds, words)))
    text = joined(lobby_title(lobby, language), f"{told}\n{time}", how)
    return Screen(text, (*rows, *_time_rows(lobby, words), back))


def _option_rows(lobby: Lobby, option: Option) -> Iterator[tuple[Button, ...]]:
    value = value_of(option, lobby.options)
    if option.choices:
        at = next((index for index, choice in enumerate(option.choices) if choice.value == value), 0)
        following = (at + 1) % len(option.choices)
        label = f"{option.title}: {_called(option, value)}"
        style: Style | None = "primary" if value != option.default else None
        yield (Button(label, _set(lobby, option, following), style=style),)
    elif isinstance(value, int):
        yield (
            Button("−", _set(lobby, option, max(option.least, value - 1))),
            Button(f"{option.title}: {value}", _set(lobby, option, value)),
            Button("+", _set(lobby, option, min(option.most, value + 1))),
        )


def _set(lobby: Lobby, option: Option, value: int) -> buttons.SetOption:
    return buttons.SetOption(lobby.ref, lobby.version, option.name, value)


def _time_rows(lobby: Lobby, words: Words) -> Rows:
    keys = []
    for seconds in TIMES:
        chosen = seconds == (lobby.turn_seconds or 0)
        label = f"{'● ' if chosen else ''}{turn_time(seconds, words)}"
        keys.append(Button(label, buttons.SetTime(lobby.ref, lobby.version, seconds)))
    return in_rows(keys, 3)
