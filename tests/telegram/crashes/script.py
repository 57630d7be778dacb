"""The scripted match: people's actions, one at a time, from the lobby to the rematch."""

from collections.abc import Awaitable, Callable, Iterator
from typing import NamedTuple

from services.telegram import callback_data
from services.telegram.callback_data import CallbackData, unpack
from services.telegram.play import turns
from services.telegram.records import LastChoice
from services.telegram.repositories.connection import connect
from services.telegram.repositories.people_and_chats import ChatRepository
from services.telegram.repositories.remembered import RememberedRedis
from tests.demo.matches import MATCHES
from tests.e2e.players import next_tap
from tests.emulator import Emulator, Person
from tests.emulator.chats import Chat
from tests.emulator.state import InlineButton
from tests.telegram.crashes.run import TURN_SECONDS, Scene, Until

PEOPLE = {"presidente": 3}
"""Number of people in a game's match; two for games that are missing here."""
NAMES = ("Anna", "Bruno", "Carla")
TAPS = 4
"""Maximum number of taps for a move."""


async def _nothing(_: Scene) -> None:
    return


class Step(NamedTuple):
    """One action of a person. The bot may die at each call that it makes because of the action."""

    name: str
    act: Callable[[Scene], Awaitable[None]] = _nothing
    applies: Callable[[Scene], bool] = lambda _: True
    """Whether the action is possible now."""
    prepare: Callable[[Scene], Awaitable[None]] = _nothing
    """Prepares the step; the bot is not killed meanwhile."""
    restarts: bool = False
    """Whether the step restarts the bot."""
    plays: Until | None = None
    """The point until which people play over the API before the step."""


class Cast(NamedTuple):
    """The people and the game of a match."""

    game: str
    alone: bool

    def __str__(self) -> str:
        return f"{self.game} {'alone' if self.alone else 'in a group'}"

    @property
    def people(self) -> int:
        """The number of people at the table."""
        return 1 if self.alone else PEOPLE.get(self.game, 2)

    async def come_together(self, telegram: Emulator, redis: str) -> None:
        """Create the people and their group, and set the options of a short match."""
        names = NAMES[: self.people]
        people = [telegram.person(name, language="it") for name in names]
        place = people[0].private if self.alone else telegram.supergroup("Amici", people)
        client = connect(redis)
        choice = LastChoice(MATCHES[self.game].options, TURN_SECONDS)
        await ChatRepository(RememberedRedis(client)).remember_choice(place.id, self.game, choice)
        await client.aclose()
        for person in people:
            await person.starts()


def steps(cast: Cast) -> list[Step]:
    """Return the steps of a match, in order."""
    people = cast.people
    begin = _alone(cast.game) if cast.alone else _lobby(cast.game, people)
    end = [] if cast.alone else [*_closing()]
    return [
        *begin,
        _restart("the bot is started again in mid-match"),
        *_taps("a move"),
        _press("a hint", callback_data.AskHint),
        *([] if cast.alone else _waiting()),
        leaving := _press("leaving is asked", callback_data.LeaveTable, lambda data: data.sure is False),
        _press("leaving is declined", callback_data.LeaveTable, lambda data: data.sure is None)._replace(
            prepare=leaving.act, applies=leaving.applies
        ),
        Step("the cards are played until shortly before the end of a deal", plays="deal"),
        *_taps("the end of a deal", 2 * TAPS),
        Step("the cards are played until shortly before the end of the match", plays="match"),
        *_taps("the end of the match", 2 * TAPS),
        Step("the cards are played until the end", plays="over"),
        _restart("the bot is started again after the match"),
        *(_press(f"{NAMES[number]} plays again", callback_data.PlayAgain, by=number) for number in range(people)),
        *_taps("a move of the rematch"),
        *end,
    ]


def _alone(game: str) -> Iterator[Step]:
    yield _says("a game is asked for", "/gioca")
    yield _press("the game is chosen", callback_data.ChooseGame, lambda data: data.game == game)
    yield _press("the opponents are chosen", callback_data.ChooseGame, lambda data: data.computers > 0)


def _lobby(game: str, people: int) -> Iterator[Step]:
    yield _says("a game is asked for", "/gioca")
    yield _press("the game is chosen", callback_data.ChooseGame, lambda data: data.game == game)
    yield _press("a computer player comes", callback_data.ChangeComputers, lambda data: data.step == 1)
    yield _press("a computer player goes", callback_data.ChangeComputers, lambda data: data.step == -1)
    options = _press("the options are opened", callback_data.ShowOptions)
    yield options
    hints = _press("hints are allowed", callback_data.SetHints)
    yield hints._replace(prepare=options.act, applies=options.applies)
    yield _restart("the bot is started again in the lobby")
    for number in range(1, people):
        yield _press(f"{NAMES[number]} sits down", callback_data.TakeSeat, by=number)
    yield _press("the match is started", callback_data.StartMatch)


def _waiting() -> Iterator[Step]:
    yield Step("a reminder", _remind)
    yield _says("somebody is nudged", "/sollecita")


def _closing() -> Iterator[Step]:
    yield _says("closing is asked for", "/chiudi")
    yield _press("a vote against closing", callback_data.CloseTable, lambda data: data.sure is None, by=1)
    yield _says("closing is asked for by somebody else", "/chiudi", by=1)
    for number in range(len(NAMES)):
        yield _press(
            f"{NAMES[number]} votes to close", callback_data.CloseTable, lambda data: data.sure is True, by=number
        )


# --- steps


def _says(name: str, words: str, by: int = 0) -> Step:
    async def act(scene: Scene) -> None:
        await scene.people[by].says(scene.place, words)

    return Step(name, act)


def _press(
    name: str, kind: type[CallbackData], which: Callable[..., bool] = lambda _: True, *, by: int | None = None
) -> Step:
    """Return the step in which a button is pressed: by anybody who has it, or by the person with the number `by`."""

    def pressable(scene: Scene) -> tuple[Person, Chat, InlineButton] | None:
        people = scene.people if by is None else scene.people[by : by + 1]
        for person in people:
            for place in (scene.place, person.private):
                for message in reversed(place.messages):
                    for button in (button for row in message.rows for button in row):
                        data = unpack(button.callback_data or "")
                        if isinstance(data, kind) and which(data):
                            return person, place, button
        return None

    async def act(scene: Scene) -> None:
        pressed = pressable(scene)
        assert pressed is not None
        person, place, button = pressed
        person.presses(place, button)

    return Step(name, act, applies=lambda scene: pressable(scene) is not None)


def _next(scene: Scene) -> tuple[Person, InlineButton] | None:
    for person in scene.people:
        for message in reversed(person.private.messages):
            if "👉" in message.text and (button := next_tap(message)) is not None:
                return person, button
    return None


def _taps(name: str, most: int = TAPS) -> Iterator[Step]:
    async def act(scene: Scene) -> None:
        pressed = _next(scene)
        assert pressed is not None
        person, button = pressed
        person.presses(person.private, button)

    for number in range(1, most + 1):
        yield Step(f"{name}, tap {number}", act, applies=lambda scene: _next(scene) is not None)


def _restart(name: str) -> Step:
    async def act(scene: Scene) -> None:
        await scene.start_again()

    return Step(name, act, restarts=True)


async def _remind(scene: Scene) -> None:
    turns.SHARE = 1
    assert scene.bot.running is not None
    chat_table = await scene.chat_table()
    assert chat_table is not None
    scene.bot.running.followers.wake(chat_table.ref)
