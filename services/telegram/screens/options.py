"""A game's options, to be changed by tapping."""

from collections.abc import Iterator

from services.telegram import buttons
from services.telegram.screens.lobby import Lobby, lobby_title
from services.telegram.screens.screen import Button, Rows, Screen, Style, in_rows, joined
from services.telegram.screens.text import TIMES, bold, plain
from shared.translate import Language, Words, translator
from shared.words.options import Option, called, options_of, value_of
from shared.words.phrases import turn_time


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
        label = f"{option.title}: {called(option, value)}"
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
