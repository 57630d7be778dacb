"""The message with a table in its group, and the view model of all screens of a table in play."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import pairwise, takewhile

import msgspec
from msgspec import Struct

from locanda.messages import GameInfo, JsonObject, SaidRemark, Table, Verdict
from locanda.texts.chat import bold, plain
from locanda.texts.games import texts_of
from locanda.texts.remarks import said_text
from locanda.texts.results import deal_number, deals_of
from locanda.texts.table import event_text
from locanda.translations import Language, Translations, translations_in
from services.telegram import callback_data
from services.telegram.play.cards import GAME_SCREENS
from services.telegram.play.ratings import RatingChange
from services.telegram.play.timeline import REMARK, PlayedTurn
from services.telegram.screens.games import bold_title, icon_of
from services.telegram.screens.screen import Button, Screen, app_row, in_lines, joined, moment, table_letter

EVENT_LINES = 4
COMPUTER = "🤖"
"""Mark after the names of computer players."""
SUBJECT = re.compile("<b>[^<]*</b> ")
"""Matches the name at the beginning of an event's text."""
EVENTS_REMEMBERED = 4096
"""Size of the cache of event texts: an event is drawn again after each of the next moves."""


class TableViewModel(Struct, frozen=True, kw_only=True):
    """The data of a table's screens for one viewer: their view of the table, and the bot's own data."""

    ref: str
    game: GameInfo
    table: Table
    now: datetime
    letter: str = ""
    """The table's letter; empty for the only table of a chat."""
    app: str = ""
    """The URL that opens the Mini App at the table from this message's chat; empty without a Mini App."""
    link: str = ""
    """Link to the table's message in the group, if Telegram supports links there."""
    place: str = ""
    """The group's name, for messages outside the group; else empty."""
    evening: bool = False
    """Whether the table belongs to an evening, whose message asks about the next round."""
    alone: bool = False
    """Whether the table is in a private chat, with one person against computer players."""
    turns: tuple[PlayedTurn, ...] = ()
    """The deal's last turns with their events, oldest first."""
    said: tuple[SaidRemark, ...] = ()
    """Remarks since the end of the match."""
    unreachable: frozenset[int] = frozenset()
    """Seats of people to whom the bot cannot write."""
    selected: frozenset[int] = frozenset()
    """Indices of the viewer's selected cards among the selectable cards."""
    grid: tuple[str, ...] = ()
    """The last layout of the viewer's cards; empty strings are empty places."""
    passes: bool = False
    """Whether the bot passes for the viewer at once, because they can play nothing."""
    reminders: int = 0
    """Number of reminders that the viewer has received for this turn."""
    verdict: Verdict | None = None
    """The engine's verdict on the selected cards."""
    rating: RatingChange | None = None
    """The change of the viewer's rating through the match, once it is counted."""

    @property
    def names(self) -> list[str]:
        """The names by seat, with a mark for computer players."""
        return [_bare(seat.name) if seat.kind == "person" else f"{seat.name} {COMPUTER}" for seat in self.table.seats]

    @property
    def events(self) -> tuple[JsonObject, ...]:
        """The events of the last turns, oldest first."""
        return tuple(event for turn in self.turns for event in turn.events)

    @property
    def deals(self) -> int | None:
        """The number of deals in a match; None if it is not fixed."""
        return deals_of(self.table)

    @property
    def turn(self) -> int | None:
        """The seat on turn; None without a deal or after its end."""
        return None if self.table.deal is None else self.table.deal.turn


def _bare(name: str) -> str:
    """Return a person's name without the mark, so that nobody poses as a computer player."""
    return name.replace(COMPUTER, "").strip() or "–"


def table_screen(model: TableViewModel, language: Language) -> Screen:
    """Return the message of the current deal."""
    translations = translations_in(language)
    text = joined(
        heading(model, language),
        table_block(model, translations),
        seats_block(model, translations),
        in_lines(*recent_events(model, translations)),
        waiting(model, translations),
    )
    hand = Button(translations.gettext("My hand"), callback_data.ShowHand(model.ref), style="primary")
    rules = Button(translations.gettext("Rules"), callback_data.OpenRules(model.ref))
    return Screen(text, ((hand, rules), *app_row(model.app, translations)))


def title(model: TableViewModel, language: Language) -> str:
    """Return the title: the game, the group's name and the table's letter, if any."""
    translations = translations_in(language)
    name = bold_title(model.game, language)
    letter = table_letter(model.letter, translations) if model.letter else ""
    return " · ".join(part for part in (name, plain(model.place), letter) if part)


def heading(model: TableViewModel, language: Language) -> str:
    """Return the title and, in a match of several deals, the number of the deal."""
    translations = translations_in(language)
    parts = (title(model, language), deal_number(model.table, translations))
    return " · ".join(part for part in parts if part)


def heading_in_brief(model: TableViewModel, translations: Translations) -> str:
    """Return the heading with the game's icon instead of its name; may be empty."""
    letter = table_letter(model.letter, translations) if model.letter else ""
    parts = [part for part in (plain(model.place), letter, deal_number(model.table, translations)) if part]
    return " · ".join([icon_of(model.table.game), *parts]) if parts else ""


def table_block(model: TableViewModel, translations: Translations, *, brief: bool = False) -> str:
    """Return the cards on the table; `brief` leaves out less important parts."""
    screens = GAME_SCREENS[model.table.game]
    shown = screens.in_brief if brief and screens.in_brief is not None else screens.table
    return in_lines(*shown(model.table.deal, model.names, translations))


def seats_block(model: TableViewModel, translations: Translations) -> str:
    """Return a line for each seat: a mark if it is on turn, the player's name, and notes such as the cards held."""
    return "\n".join(_seat_line(model, seat, translations) for seat in range(len(model.table.seats)))


def _seat_line(model: TableViewModel, seat: int, translations: Translations) -> str:
    mark = "▶️" if seat == model.turn else "▫️"
    notes = [texts_of(model.table.game).tally(model.table.deal, seat, translations)]
    if model.table.match.deal > 1:
        points = texts_of(model.table.game).points(model.table.match.points[seat], translations)
        notes.append(translations.gettext("so far {points}").format(points=points))
    if model.table.seats[seat].away:
        notes.append(translations.gettext("away"))
    if seat in model.unreachable:
        notes.append(translations.gettext("cannot be reached"))
    return f"{mark} {bold(model.names[seat])} · {' · '.join(notes)}"


def waiting(model: TableViewModel, translations: Translations) -> str:
    """Return whose turn it is, and the deadline."""
    if model.turn is None:
        return ""
    whose = translations.gettext("It is {name}'s turn").format(name=bold(model.names[model.turn]))
    return f"{whose}{due(model, translations)}"


def due(model: TableViewModel, translations: Translations) -> str:
    """Return the deadline of a person's turn; empty for a computer player and without a limit."""
    if model.turn is None or model.table.deadline is None or not model.table.turn_seconds:
        return ""
    seat = model.table.seats[model.turn]
    if seat.kind == "computer" or seat.away:
        return ""
    return f" · ⏳ {moment(model.table.deadline, model.now, translations)}"


def seats_in_brief(model: TableViewModel, translations: Translations) -> str:
    """Return one line with what each of the other seats holds."""
    tally = texts_of(model.table.game).tally
    others = (seat for seat in range(len(model.table.seats)) if seat != model.table.you)
    return " | ".join(f"{bold(model.names[seat])} {tally(model.table.deal, seat, translations)}" for seat in others)


def recent_events(model: TableViewModel, translations: Translations, most: int = EVENT_LINES) -> list[str]:
    """Return at most `most` of the last events as lines, oldest first."""
    return [f"<i>{line}</i>" for line in _event_lines(model, model.events, translations)[-most:]]


def news(model: TableViewModel, translations: Translations, *, brief: bool = False) -> list[list[str]]:
    """Return the lines of events since the viewer's last turn, by turn, oldest first.

    The viewer's current turn is included; if it is not their turn, their last one is. `brief` keeps only other players'
    events, in their short form.
    """
    you, turns, on_turn = model.table.you, model.turns, model.turn == model.table.you
    over = turns[:-1] if on_turn and turns and turns[-1].seat == you else turns
    last = max((at for at, turn in enumerate(over) if turn.seat == you), default=-1)
    by_turn = []
    for turn in turns[max(0, last + on_turn) :]:
        shortest = GAME_SCREENS[model.table.game].event_in_brief
        by_others = (shortest(event) for event in turn.events if event.get("seat", you) != you)
        by_turn.append(_event_lines(model, by_others if brief else turn.events, translations))
    return [lines for lines in by_turn if lines]


def _event_lines(model: TableViewModel, events: Iterable[JsonObject], translations: Translations) -> list[str]:
    lines = (event_line(model.table.game, event, model.names, translations) for event in events)
    return [line for line in lines if line]


def in_one(lines: Sequence[str]) -> str:
    """Join events to one line; a person with several events in a row is named once."""
    sentences: list[tuple[str, list[list[str]]]] = []
    for line in lines:
        name = match[0] if (match := SUBJECT.match(line)) else ""
        if not name or not sentences or sentences[-1][0] != name:
            sentences.append((name, []))
        deeds = sentences[-1][1]
        deeds[-1:] = _as_one(deeds[-1:], line.removeprefix(name).split(" "))
    text = ". ".join(name + _listed(deeds) for name, deeds in sentences)
    return f"<i>{text}</i>" if text else ""


def _as_one(before: list[list[str]], deed: list[str]) -> list[list[str]]:
    """Append an action to a list, joined with the last one if both begin and end alike: "plays 2♥, 3♦ on it"."""
    for earlier in before:
        alike = takewhile(lambda pair: pair[0] == pair[1], zip(reversed(earlier[1:]), reversed(deed[1:]), strict=False))
        ending = len(list(alike))
        if earlier[0] == deed[0] and 0 < ending < min(len(earlier), len(deed)) - 1:
            first = earlier[:-ending]
            return [[*first[:-1], f"{first[-1]},", *deed[1:]]]
    return [*before, deed]


def _listed(deeds: Sequence[list[str]]) -> str:
    """Join actions; an action like the one before it loses its verb: "plays 2♥ on 1, 3♦ on 2"."""
    shortened = [
        deed[1:] if before[0] == deed[0] and set(before[1:]) & set(deed[1:]) else deed
        for before, deed in pairwise([[""], *deeds])
    ]
    return ", ".join(" ".join(words) for words in shortened)


def event_line(game: str, event: JsonObject, names: Sequence[str], translations: Translations) -> str:
    """Return the text of a table's or game's event; empty for an event that is not shown."""
    return _event_line(game, msgspec.json.encode(event), tuple(names), translations)


@lru_cache(EVENTS_REMEMBERED)
def _event_line(game: str, event: bytes, names: tuple[str, ...], translations: Translations) -> str:
    decoded, marked = msgspec.json.decode(event), [bold(name) for name in names]
    if decoded["type"] == REMARK:
        return said_text(msgspec.convert(decoded, SaidRemark), marked, translations)
    return event_text(game, decoded, marked, translations, bold)
