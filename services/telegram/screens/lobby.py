"""Screens before a match: the choice of a game, the lobby of an open table, and its options."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from locanda.messages import ComputerLevel, GameInfo, JsonObject, Seat
from locanda.texts.chat import bold, plain
from locanda.texts.options import PRESET_TITLES, Option, has_preset, options_of, preset_line, value_of, value_title
from locanda.texts.phrases import listed, turn_time
from locanda.translations import Language, Translations, translations_in
from services.telegram import callback_data
from services.telegram.screens.computers import SETTINGS_EXPLAINED, level_rows, seated_name, setting_rows
from services.telegram.screens.games import bold_title, game_title
from services.telegram.screens.screen import (
    Button,
    Rows,
    Screen,
    Style,
    app_row,
    choice,
    in_rows,
    joined,
    table_letter,
    time_rows,
)


class Lobby(Struct, frozen=True, kw_only=True):
    """The data of a lobby's screens: from the engine's table or, until somebody sits down, from the bot's draft."""

    ref: str
    game: GameInfo
    options: JsonObject
    max_seats: int
    turn_seconds: int | None
    version: int
    """The version of the engine's table, or of the draft."""
    letter: str = ""
    seats: tuple[Seat, ...] = ()
    host: int | None = None
    differing: tuple[str, ...] = ()
    """A text for each option that differs from the game's default."""
    commitment: str = ""
    substitute_level: ComputerLevel = "medium"
    hints: bool = False
    app: str = ""
    """The link that opens the Mini App at the table; empty without a Mini App."""

    @property
    def free_seats(self) -> int:
        """The number of free seats."""
        return max(0, self.max_seats - len(self.seats))


def choose_screen(ref: str, games: Sequence[GameInfo], language: Language, *, alone: bool = False) -> Screen:
    """Ask which game to play; `alone` is for a private chat, with computer players."""
    translations = translations_in(language)
    question = translations.gettext("What shall we play?")
    if alone:
        question = translations.gettext("What shall we play? Computer players sit down with you.")
    keys = [Button(game_title(game, language), callback_data.ChooseGame(ref, game.game)) for game in games]
    return Screen(question, in_rows(keys, 1))


def lobby_title(lobby: Lobby, language: Language) -> str:
    """Return the game and, in a chat with several tables, the table's letter."""
    translations = translations_in(language)
    name = bold_title(lobby.game, language)
    letter = table_letter(lobby.letter, translations)
    return f"{name} · {letter}" if lobby.letter else name


def lobby_screen(lobby: Lobby, language: Language) -> Screen:
    """Return the lobby's message."""
    translations = translations_in(language)
    text = joined(
        lobby_title(lobby, language),
        _seats(lobby, translations),
        terms(lobby, translations),
        _next(lobby, translations),
    )
    return Screen(text, _rows(lobby, translations))


def started_screen(lobby: Lobby, language: Language) -> Screen:
    """Return the lobby's message once the match has started."""
    translations = translations_in(language)
    started = translations.gettext("The match has started: the cards are on the table below.")
    seal = ""
    if lobby.commitment:
        caption = translations.gettext("Fingerprint of the shuffle, fixed before the deal:")
        seal = f"<blockquote expandable>{caption}\n<code>{lobby.commitment}</code></blockquote>"
    return Screen(
        joined(lobby_title(lobby, language), _seated(lobby, translations), terms(lobby, translations), started, seal)
    )


def closed_screen(lobby: Lobby, language: Language, closers: Sequence[str] = ()) -> Screen:
    """Return the message of a closed table; empty `closers` mean that it was idle too long."""
    translations = translations_in(language)
    text = translations.gettext("The table is closed. /play opens a new one.")
    if closers:
        text = translations.ngettext(
            "{names} has closed the table. /play opens a new one.",
            "{names} have closed the table. /play opens a new one.",
            len(closers),
        ).format(names=listed(map(bold, closers), translations))
    return Screen(joined(lobby_title(lobby, language), text))


def terms(lobby: Lobby, translations: Translations) -> str:
    """Return the options that differ from the defaults, and the time for a turn."""
    time = translations.gettext("Time for a turn: {time}").format(time=turn_time(lobby.turn_seconds, translations))
    return "\n".join([*(f"⚙️ {plain(line)}" for line in lobby.differing), f"⏱ {time}"])


def _seats(lobby: Lobby, translations: Translations) -> str:
    if lobby.free_seats:
        left = translations.ngettext("{n} seat is free", "{n} seats are free", lobby.free_seats)
        left = left.format(n=lobby.free_seats)
    else:
        left = translations.gettext("No seat is free")
    return "\n".join(part for part in (_seated(lobby, translations), f"<i>{left}</i>") if part)


def _seated(lobby: Lobby, translations: Translations) -> str:
    return "\n".join(seated_name(seat, translations) for seat in lobby.seats)


def _next(lobby: Lobby, translations: Translations) -> str:
    missing = lobby.game.players.min - len(lobby.seats)
    if missing > 0:
        text = translations.ngettext("{n} more is needed to start.", "{n} more are needed to start.", missing)
        return text.format(n=missing)
    if not lobby.free_seats:
        return translations.gettext("You can start.")
    return translations.gettext("You can start, or wait for others.")


def _rows(lobby: Lobby, translations: Translations) -> Rows:
    ref, version = lobby.ref, lobby.version
    sit = Button(translations.gettext("Sit down"), callback_data.TakeSeat(ref), style="primary")
    stand = Button(translations.gettext("Get up"), callback_data.StandUp(ref))
    more = Button(translations.gettext("+ Computer"), callback_data.ChangeComputers(ref, version, 1))
    fewer = Button(translations.gettext("− Computer"), callback_data.ChangeComputers(ref, version, -1))
    has_computers = any(seat.kind == "computer" for seat in lobby.seats)
    levels = level_rows(ref, lobby.seats, lobby.game.levels, translations)
    options = Button(translations.gettext("Options"), callback_data.ShowOptions(ref))
    rules = Button(translations.gettext("Rules"), callback_data.OpenRules(ref))
    close = Button(translations.gettext("Close"), callback_data.CloseTable(ref))
    sitting = (sit, stand) if lobby.free_seats else (stand,)
    computers = (*((more,) if lobby.free_seats else ()), *((fewer,) if has_computers else ()))
    rows: Rows = (sitting, computers) if computers else (sitting,)
    rows += (*levels, (options, rules, close))
    rows += app_row(lobby.app, translations)
    if len(lobby.seats) < lobby.game.players.min:
        return rows
    return (
        *rows,
        (Button(translations.gettext("Let's start"), callback_data.StartMatch(ref, version), style="success"),),
    )


def options_screen(lobby: Lobby, language: Language) -> Screen:
    """Return the options of an open table, with buttons to change them."""
    translations = translations_in(language)
    offered = list(options_of(lobby.game, language))
    descriptions = "\n".join(f"{bold(option.title)}: {plain(option.description)}" for option in offered)
    how = translations.gettext("Tap an option to change it.")
    rows: Rows = (_preset_buttons(lobby, translations),)
    rows += tuple(row for option in offered for row in _option_rows(lobby, option))
    rows += in_rows([_remove(lobby, seat, translations) for seat in lobby.seats if _is_removable(lobby, seat)], 2)
    back = (Button(translations.gettext("Back"), callback_data.ShowLobby(lobby.ref), style="primary"),)
    time = translations.gettext("Time for a turn: {time}").format(
        time=bold(turn_time(lobby.turn_seconds, translations))
    )
    settings = ""
    if lobby.seats:
        settings = translations.gettext(SETTINGS_EXPLAINED)
        rows += tuple(setting_rows(lobby.ref, lobby.substitute_level, hints=lobby.hints, translations=translations))
    title, details = lobby_title(lobby, language), f"{descriptions}\n{time}"
    text = joined(title, _preset_lines(lobby, language), details, settings, how)
    return Screen(text, (*rows, *_time_rows(lobby, translations), back))


def _preset_lines(lobby: Lobby, language: Language) -> str:
    translations = translations_in(language)
    return "\n".join(
        f"{bold(translations.gettext(title))} · {plain(preset_line(lobby.game, preset, language))}"
        for preset, title in PRESET_TITLES.items()
    )


def _preset_buttons(lobby: Lobby, translations: Translations) -> tuple[Button, ...]:
    return tuple(
        choice(
            translations.gettext(title),
            callback_data.ApplyPreset(lobby.ref, preset),
            chosen=has_preset(lobby.game, lobby.options, preset),
        )
        for preset, title in PRESET_TITLES.items()
    )


def _option_rows(lobby: Lobby, option: Option) -> Iterator[tuple[Button, ...]]:
    value = value_of(option, lobby.options)
    if option.choices:
        at = next((index for index, choice in enumerate(option.choices) if choice.value == value), 0)
        following = (at + 1) % len(option.choices)
        label = f"{option.title}: {value_title(option, value)}"
        style: Style | None = "primary" if value != option.default else None
        yield (Button(label, _set(lobby, option, following), style=style),)
    elif isinstance(value, int):
        yield (
            Button("−", _set(lobby, option, option.next_to(value, -1))),
            Button(f"{option.title}: {value}", _set(lobby, option, value)),
            Button("+", _set(lobby, option, option.next_to(value, 1))),
        )


def _is_removable(lobby: Lobby, seat: Seat) -> bool:
    return seat.kind == "person" and seat.seat != lobby.host


def _remove(lobby: Lobby, seat: Seat, translations: Translations) -> Button:
    label = translations.gettext("Remove {name}").format(name=seat.name)
    return Button(label, callback_data.RemovePlayer(lobby.ref, lobby.version, seat.seat))


def _set(lobby: Lobby, option: Option, value: int) -> callback_data.SetOption:
    return callback_data.SetOption(lobby.ref, lobby.version, option.name, value)


def _time_rows(lobby: Lobby, translations: Translations) -> Rows:
    def data(seconds: int) -> callback_data.SetTime:
        return callback_data.SetTime(lobby.ref, lobby.version, seconds)

    return time_rows(lobby.turn_seconds or 0, data, translations)
