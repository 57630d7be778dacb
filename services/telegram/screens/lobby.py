"""The lobby: one message that fills with people until the match starts; and the choice of a game before it."""

from collections.abc import Sequence

from msgspec import Struct

from services.telegram import buttons
from services.telegram.screens.games import DRAWINGS
from services.telegram.screens.scene import game_name
from services.telegram.screens.screen import Button, Rows, Screen, in_rows, joined
from services.telegram.screens.text import bold, plain
from shared.messages import GameInfo, JsonObject, Seat
from shared.translate import Language, Words, translator
from shared.words.phrases import turn_time


class Lobby(Struct, frozen=True, kw_only=True):
    """An open table: the engine's, or one at which nobody has sat down yet."""

    ref: str
    game: GameInfo
    options: JsonObject
    turn_seconds: int | None
    version: int
    """The engine's, or of the draft."""
    letter: str = ""
    seats: tuple[Seat, ...] = ()
    differing: tuple[str, ...] = ()
    """The options that differ from the game's defaults, in words."""
    commitment: str = ""


def choose_screen(ref: str, games: Sequence[GameInfo], language: Language) -> Screen:
    """Offer the games of the house."""
    keys = [
        Button(f"{DRAWINGS[game.game].icon} {game_name(game, language)}", buttons.Choose(ref, game.game))
        for game in games
        if game.game in DRAWINGS
    ]
    return Screen(translator(language).gettext("What shall we play?"), in_rows(keys, 1))


def alone_screen(ref: str, games: Sequence[GameInfo], language: Language) -> Screen:
    """Offer the games to one who plays alone, and how many computer players to play against."""
    words = translator(language)
    rows: list[tuple[Button, ...]] = []
    told = []
    for game in games:
        if game.game not in DRAWINGS:
            continue
        told.append(f"{DRAWINGS[game.game].icon} {bold(game_name(game, language))}")
        counts = range(max(1, game.players.suggested[0] - 1), min(4, game.players.suggested[1]))
        rows += in_rows([_against(ref, game, count, words) for count in counts], 2)
    question = words.gettext("How many computer players do you want to play against?")
    return Screen(joined("\n".join(told), question), tuple(rows))


def _against(ref: str, game: GameInfo, count: int, words: Words) -> Button:
    label = words.ngettext("{n} computer", "{n} computers", count).format(n=count)
    return Button(f"{DRAWINGS[game.game].icon} {label}", buttons.Choose(ref, game.game, count))


def lobby_title(lobby: Lobby, language: Language) -> str:
    """Return the game and, where there are several tables, its letter."""
    words = translator(language)
    name = f"{DRAWINGS[lobby.game.game].icon} {bold(game_name(lobby.game, language))}"
    letter = words.gettext("table {letter}").format(letter=lobby.letter)
    return f"{name} · {letter}" if lobby.letter else name


def lobby_screen(lobby: Lobby, language: Language) -> Screen:
    """Return the lobby."""
    words = translator(language)
    text = joined(lobby_title(lobby, language), _seats(lobby, words), terms(lobby, words), _next(lobby, words))
    return Screen(text, _rows(lobby, words))


def started_screen(lobby: Lobby, language: Language) -> Screen:
    """Return what stays of the lobby once the match has started."""
    words = translator(language)
    going = words.gettext("The match has started: the cards are on the table below.")
    seal = ""
    if lobby.commitment:
        told = words.gettext("Fingerprint of the shuffle, fixed before the deal:")
        seal = f"<blockquote expandable>{told}\n<code>{lobby.commitment}</code></blockquote>"
    return Screen(joined(lobby_title(lobby, language), _seated(lobby), terms(lobby, words), going, seal))


def closed_screen(lobby: Lobby, language: Language) -> Screen:
    """Return what stays of a lobby that was closed or has expired."""
    words = translator(language)
    return Screen(joined(lobby_title(lobby, language), words.gettext("The table is closed. /play opens a new one.")))


def terms(lobby: Lobby, words: Words) -> str:
    """Return the options that are on, and the time for a turn."""
    time = words.gettext("Time for a turn: {time}").format(time=turn_time(lobby.turn_seconds, words))
    return "\n".join([*(f"⚙️ {plain(line)}" for line in lobby.differing), f"⏱ {time}"])


def _seats(lobby: Lobby, words: Words) -> str:
    free = lobby.game.players.max - len(lobby.seats)
    left = words.ngettext("{n} seat is free", "{n} seats are free", free).format(n=free)
    return "\n".join(part for part in (_seated(lobby), f"<i>{left}</i>") if part)


def _seated(lobby: Lobby) -> str:
    marks = {"person": "👤", "computer": "🤖"}
    return "\n".join(f"{marks[seat.kind]} {bold(seat.name)}" for seat in lobby.seats)


def _next(lobby: Lobby, words: Words) -> str:
    missing = lobby.game.players.min - len(lobby.seats)
    if missing > 0:
        text = words.ngettext("{n} more is needed to start.", "{n} more are needed to start.", missing)
        return text.format(n=missing)
    return words.gettext("You can start, or wait for others.")


def _rows(lobby: Lobby, words: Words) -> Rows:
    ref, version = lobby.ref, lobby.version
    sit = Button(words.gettext("Sit down"), buttons.Sit(ref), style="primary")
    stand = Button(words.gettext("Get up"), buttons.Stand(ref))
    more = Button(words.gettext("+ Computer"), buttons.Computers(ref, version, 1))
    fewer = Button(words.gettext("− Computer"), buttons.Computers(ref, version, -1))
    has_computers = any(seat.kind == "computer" for seat in lobby.seats)
    options = Button(words.gettext("Options"), buttons.ShowOptions(ref))
    rules = Button(words.gettext("Rules"), buttons.OpenRules(ref))
    close = Button(words.gettext("Close"), buttons.Close(ref))
    rows: Rows = ((sit, stand), (more, fewer) if has_computers else (more,), (options, rules, close))
    if len(lobby.seats) < lobby.game.players.min:
        return rows
    return (*rows, (Button(words.gettext("Let's start"), buttons.Start(ref, version), style="success"),))
