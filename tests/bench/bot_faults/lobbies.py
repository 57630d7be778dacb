"""Friends in a lobby: they sit down, get up, seat computer players and change options before they start."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Literal

import msgspec

from services.engine.table.state import AnyTable
from services.telegram.callback_data import SetOption, unpack
from tests.emulator import Person
from tests.emulator.chats import Chat, pick
from tests.emulator.state import InlineButton, Message

SIT, GET_UP, OPTIONS, BACK, START = "Siediti", "Alzati", "Opzioni", "Indietro", "Si comincia"
MORE, FEWER = "+ Computer", "− Computer"

Whim = Literal["get up", "sit", "computer", "option"]
WHIMS: tuple[Whim, ...] = ("get up", "sit", "computer", "option")
MOST_WHIMS = 5


class Lobby:
    """The people of a match, their lobby, and the buttons that they press next."""

    def __init__(self, group: Chat, people: Sequence[Person], title: str, chance: Random) -> None:
        self._group = group
        self._people = people
        self._title = title
        self._chance = chance
        self._whims: list[Whim] = []
        """The buttons that they press next, in reverse order."""
        self.may_start = False
        """Whether the people may start the match after their presses. Until then, they press other buttons."""
        self._terms: list[str] | None = None
        """The options as text, which must be the same before and after the presses."""
        self._usual: dict[str, str] = {}
        """The labels of the option buttons, which must be the same before and after the presses."""

    def next_press(self) -> tuple[Person, InlineButton] | None:
        """Return the next button to press and the person who presses it, or None."""
        host = self._people[0]
        options, lobby = self._group.shows(button=BACK), self._group.shows(button=OPTIONS)
        if options is not None:
            return host, self._press_of_options(options)
        if lobby is not None:
            return self._press_of_lobby(lobby)
        games = self._group.shows(button=self._title)
        game = games and pick(games, self._title)
        return (host, game) if game else None

    def _press_of_lobby(self, lobby: Message) -> tuple[Person, InlineButton] | None:
        host, labels, lines = self._people[0], lobby.labels, lobby.text.splitlines()
        seated = [person for person in self._people if f"👤 {person.name}" in lines]
        absent = [person for person in self._people if person not in seated]
        terms = [line for line in lines if line.startswith("⚙️")]
        self._terms = terms if self._terms is None else self._terms
        if not self._whims and not self.may_start:
            self._whims = self._chance.choices(WHIMS, k=self._chance.randint(1, MOST_WHIMS))
        press: tuple[Person, str] | None = None
        if host in absent:
            press = host, SIT
        elif self._whims:
            press = self._press_of_whim(self._whims.pop(), seated, absent)
        elif terms != self._terms:
            press = host, OPTIONS
        elif FEWER in labels:
            press = host, FEWER
        elif absent:
            press = absent[0], SIT
        else:
            press = host, START
        person, label = press
        return (person, lobby.button(label)) if label in labels else None

    def _press_of_whim(self, whim: Whim, seated: list[Person], absent: list[Person]) -> tuple[Person, str]:
        match whim:
            case "sit" if absent:
                return self._chance.choice(absent), SIT
            case "sit" | "get up":
                return self._chance.choice(seated), GET_UP
            case "computer":
                return self._people[0], MORE
            case "option":
                return self._people[0], OPTIONS

    def _press_of_options(self, options: Message) -> InlineButton:
        """Return the next button of the options: first any option, then each changed option, then the button back."""
        buttons = [row[0] for row in options.rows if len(row) == 1 and _is_option(row[0])]
        if not self._usual:
            self._usual = {_option(button): button.text for button in buttons}
            return self._chance.choice(buttons)
        changed = [button for button in buttons if self._usual[_option(button)] != button.text]
        return changed[0] if changed else options.button(BACK)

    def untruths(self, table: AnyTable | None) -> Iterator[str]:
        """Yield a description of each difference between the lobby's screen and the open table, if there is one."""
        lobbies = [message for message in self._group.messages if {OPTIONS, BACK} & {*message.labels}]
        if len(lobbies) != 1:
            if lobbies or table is not None:
                yield f"{len(lobbies)} lobbies in {self._group.title}"
            return
        lines = lobbies[0].text.splitlines()
        if OPTIONS not in lobbies[0].labels:
            return
        shown = [line[2:].partition(" · ")[0] for line in lines if line.startswith(("👤", "🤖"))]
        if shown != [seat.name for seat in (table.seats if table else ())]:
            yield f"not who sits in {self._group.title}"
        if table and sum(line.startswith("⚙️") for line in lines) != len(msgspec.to_builtins(table.options)):
            yield f"not the options in {self._group.title}"


def _is_option(button: InlineButton) -> bool:
    return isinstance(unpack(button.callback_data or ""), SetOption)


def _option(button: InlineButton) -> str:
    return button.text.partition(": ")[0]
