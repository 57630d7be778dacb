"""A match in a chat, and checks that its people's screens agree with the table."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from random import Random

from locanda.texts.games import texts_of
from locanda.translations import translations_in
from services.engine.table.state import AnyTable, game_of
from tests.bench.bot_faults.lobbies import Lobby
from tests.demo.matches import MATCHES
from tests.e2e.players import SELECTED, newest_hand, remember_options, tap_of
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat, pick
from tests.emulator.state import InlineButton, Message

TITLES = {"gatto_rosso": "Gatto Rosso", "ramino": "Ramino", "diavoletto": "Diavoletto", "presidente": "Presidente"}
NAMES = ("Anna", "Bruno", "Carla")
PATIENCE = 120.0
AGAIN_SECONDS = 8.0
"""Seconds after which a person presses again if nothing has changed."""
LEAVE, OWN_HAND = "Lascio il tavolo", "La mia mano"
ITALIAN = translations_in("it")
ONE_PILE = ("gatto_rosso", "ramino", "presidente")
"""Games in which people play only from the hand, so no other card is on a button."""


class ChatMatch:
    """A match of one game: friends in a group, or one person alone with computer players."""

    def __init__(self, telegram: Emulator, game: str, number: int, chance: Random, *, alone: bool) -> None:
        self._telegram = telegram
        self.game = game
        self.alone = alone
        names = NAMES[: 1 if alone else MATCHES[game].people]
        self.people = [telegram.person(f"{name} {number}", language="it", started=True) for name in names]
        self.group = None if alone else telegram.supergroup(f"Amici {number}", self.people)
        self._chance = chance
        self._lobby = None if self.group is None else Lobby(self.group, self.people, TITLES[game], chance)
        self.taps = 0

    def __repr__(self) -> str:
        return f"{self.game} {'alone' if self.alone else 'in a group'} of {self.people[0].name}"

    @property
    def place(self) -> Chat:
        """The place of the table."""
        return self.group or self.people[0].private

    @property
    def over(self) -> bool:
        """Whether the result of the match is shown."""
        return self.place.shows(button="Rivincita" if self.alone else "Ci sto") is not None

    async def begin(self, redis_url: str) -> None:
        """Let all people start the bot. One of them requests a game with the options of a short match."""
        for person in self.people:
            await person.starts()
            await person.private.sees("/gioca", timeout=PATIENCE)
        await remember_options(redis_url, self.place, self.game, MATCHES[self.game].options)
        await self.people[0].says(self.place, "/gioca")
        await self.place.sees(button=TITLES[self.game], timeout=PATIENCE)

    def may_start(self) -> None:
        """Let the people in a lobby start the match, once they have pressed all their planned buttons."""
        if self._lobby is not None:
            self._lobby.may_start = True

    async def play(self, allowed: asyncio.Event) -> None:
        """Let all people sit down, start and play while `allowed` is set, until the result is shown."""
        while not self.over:
            await allowed.wait()
            await (self._press() if self.begun else self._prepare())

    @property
    def begun(self) -> bool:
        """Whether a person has received a hand."""
        return any(map(newest_hand, self.people))

    async def _prepare(self) -> None:
        """Press the next button before the cards are dealt, sometimes twice, and wait until the screen has changed."""
        pressed = self._next_before_the_deal()
        before = self._place_looks()
        if pressed is not None:
            person, button = pressed
            for _ in range(self._chance.choice((1, 1, 1, 2))):
                person.presses(self.place, button)
                self.taps += 1
        with suppress(AssertionError):
            await self._until(lambda: self.begun or self._place_looks() != before)

    def _next_before_the_deal(self) -> tuple[Person, InlineButton] | None:
        if self._lobby is not None:
            return self._lobby.next_press()
        for label in ("facile", TITLES[self.game]):
            shown = self.place.shows(button=label)
            if shown is not None and (button := pick(shown, label)) is not None:
                return self.people[0], button
        return None

    def _place_looks(self) -> list[tuple[object, ...]]:
        return [_looks(message) for message in self.place.messages]

    async def _press(self) -> None:
        """Press the next button. Return once the hand has changed, or after a while, because people press again."""
        with suppress(AssertionError):  # the hand does not change: the bot may be dead
            await self._until(lambda: self.over or any(map(tap_of, self.people)))
        person, button = next(((player, key) for player in self.people if (key := tap_of(player))), (None, None))
        if person is None or button is None or self.over:
            return
        before = _looks(button.message)
        person.presses(person.private, button)
        self.taps += 1
        with suppress(AssertionError):
            await self._until(lambda: (now := newest_hand(person)) is None or _looks(now) != before)

    async def _until(self, holds: Callable[[], object]) -> None:
        await self._telegram.until(holds, timeout=AGAIN_SECONDS)

    # --- messages

    def untruths(self, tables: Sequence[AnyTable]) -> Iterator[str]:
        """Yield a description of each difference between the match's screens and its table, one of `tables`."""
        names = {person.name for person in self.people}
        own = [own_table for own_table in tables if names & {seat.name for seat in own_table.seats}]
        table = own[-1] if own else None
        if len(own) > 1:
            yield f"{len(own)} tables of {self.people[0].name}"
        elif table is None or table.status == "open":
            yield from self._lobby.untruths(table) if self._lobby else ()
        else:
            yield from self._wrong_results(table) if table.match.result is not None else self._wrong_play(table)

    def _wrong_results(self, table: AnyTable) -> Iterator[str]:
        places = [self.place] if self.group is None else [self.group, *(person.private for person in self.people)]
        for place in places:
            result = place.shows("🏁")
            if result is None:
                yield f"no result in {place.title}"
            elif any(seat.name not in result.text for seat in table.seats):
                yield f"a result without everybody in {place.title}"
            elif place is self.place and "✅" not in result.text:
                yield f"no check of the shuffle in {place.title}"
        if self.group is not None and self.group.shows(button=OWN_HAND):
            yield f"a table of a match that is over in {self.group.title}"
        for person in self.people:
            if any(LEAVE in hand.labels for hand in _hands(person)[-1:]):
                yield f"a hand of a match that is over of {person.name}"

    def _wrong_play(self, table: AnyTable) -> Iterator[str]:
        turn = table.deal.turn if table.deal is not None else None
        if turn is None:
            return
        if self.group is not None:
            shown = [message for message in self.group.messages if OWN_HAND in message.labels]
            if len(shown) != 1:
                yield f"{len(shown)} tables in {self.group.title}"
            elif f"È il turno di {table.seats[turn].name}" not in shown[0].text:
                yield f"not whose turn it is in {self.group.title}"
            elif any(line not in shown[0].text for line in _holdings(table)):
                yield f"not what everybody holds in {self.group.title}"
        for person in self.people:
            yield from self._wrong_hand(table, turn, person)

    def _wrong_hand(self, table: AnyTable, turn: int, person: Person) -> Iterator[str]:
        seat = next(number for number, other in enumerate(table.seats) if other.name == person.name)
        view, message = game_of(table).view(table.deal, seat), newest_hand(person)
        if message is None:
            yield f"no hand of {person.name}"
            return
        deck = {code: words.short for code, words in texts_of(self.game).deck(ITALIAN).items()}
        held = {deck[code] for code in view.hand}
        shown = {label.removeprefix(SELECTED).strip() for label in message.labels} & {*deck.values()}
        if shown != held if self.game in ONE_PILE else not held <= shown:
            yield f"another hand of {person.name}"
        if ("Tocca a te" in message.text) != (seat == turn):
            yield f"not whether it is the turn of {person.name}"

    def copies(self) -> Iterator[Message]:
        """Yield messages that show a hand, except each person's newest one."""
        for person in self.people:
            yield from _hands(person)[:-1]


def _hands(person: Person) -> list[Message]:
    """Return the messages that show a hand or, once a match is over, its result."""
    return [message for message in person.private.messages if LEAVE in message.labels or "🏁" in message.text]


def _looks(message: Message) -> tuple[object, ...]:
    return message.id, message.text, message.labels


def _holdings(table: AnyTable) -> list[str]:
    """Return the cards that all players hold, in the game's texts."""
    view = game_of(table).view(table.deal, None)
    return [texts_of(table.game).tally(view, seat, ITALIAN) for seat in range(len(table.seats))]
