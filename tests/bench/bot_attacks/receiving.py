"""Attacks on the bot's handling of updates: its event loop, the queues of its chats, and its tables at the engine."""

import asyncio
from collections.abc import Awaitable, Callable

from msgspec import structs

from tests.bench.bot_attacks.scene import Bounds, Result, Scene, measured
from tests.bench.bot_attacks.sending import own_groups, says_all
from tests.emulator import Person
from tests.emulator.chats import Chat, pick
from tests.emulator.membership import service
from tests.emulator.state import InlineButton

LOBBY_SECONDS = 80.0
"""The minimum duration of the attack on the engine's tables, in seconds: long enough to use up 300 tables a minute."""
OPENED_EACH = 5.0
"""Seconds between two tables that the honest people open."""
PATIENCE = 120.0
EVENINGS = 100


async def repeated(act: Callable[[int], None], rate: float, seconds: float) -> None:
    """Call a function repeatedly, at a number of calls per second."""
    loop = asyncio.get_running_loop()
    due = loop.time()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, due - loop.time()))
        due += 1 / rate
        act(number)


async def press_of(person: Person, place: Chat, question: str, label: str) -> InlineButton:
    """Request a screen, and return one of its buttons."""
    question_sent = await person.says(place, question)
    screen = await place.sees(button=label, after=question_sent, timeout=PATIENCE)
    button = pick(screen, label)
    assert button is not None
    return button


async def open_lobby(person: Person, group: Chat) -> bool:
    """Send a message to the bot and open a table. Return whether the person sits at it."""
    await person.starts()
    await person.private.sees("/gioca", timeout=PATIENCE)
    game = await press_of(person, group, "/gioca", "Gatto Rosso")
    answer = await person.taps(group, game, timeout=PATIENCE)
    if answer.text:
        return False
    await group.sees(f"👤 {person.name}", timeout=PATIENCE)
    return True


async def lobby(seconds: float) -> Result:
    """Press "Siediti" and "Alzati" alternately in the attacker's lobby, 30 times a second, while others open tables."""
    opened: list[bool] = []

    async def attack(scene: Scene) -> None:
        person, [group] = own_groups(scene, 1)
        await open_lobby(person, group)
        seen = await group.sees(button="Siediti", timeout=PATIENCE)
        buttons = [seen.button("Alzati"), seen.button("Siediti")]
        honest = asyncio.create_task(others_open(scene, opened))
        await repeated(lambda number: _press(person, group, buttons[number % 2]), 30.0, max(LOBBY_SECONDS, seconds))
        honest.cancel()

    result = await measured(attack)
    refused = opened.count(False)
    lines = [*result.lines, f"others opened {len(opened)} tables, {refused} were refused"]
    return structs.replace(result, holds=result.holds and bool(opened) and not refused, lines=lines)


async def others_open(scene: Scene, opened: list[bool]) -> None:
    """Let honest people open a table every few seconds, and record whether they succeed."""
    while True:
        person, group = one_of_their_own(scene)
        opened.append(await open_lobby(person, group))
        await asyncio.sleep(OPENED_EACH)


def one_of_their_own(scene: Scene) -> tuple[Person, Chat]:
    """Return an honest person and their group."""
    person = scene.telegram.person("Nora", language="it", started=True)
    return person, scene.telegram.supergroup("Vicini", [person])


def _press(person: Person, place: Chat, button: InlineButton) -> None:
    person.presses(place, button)


async def settings(seconds: float) -> Result:
    """Press a settings button of the attacker's group 150 times a second; Telegram takes 80 ms to name members."""

    async def attack(scene: Scene) -> None:
        scene.telegram.delay_next("getChatMember", 0.08, times=1_000_000)
        person, [group] = own_groups(scene, 1)
        button = await press_of(person, group, "/impostazioni", "English")
        await repeated(lambda _: _press(person, group, button), 150.0, seconds)

    return await measured(attack)


async def backlog(_seconds: float) -> Result:
    """Ask in private for all stored data 250 times, then press once in the honest people's groups."""
    waited: list[float] = []

    async def attack(scene: Scene) -> None:
        person, _ = own_groups(scene, 1)
        for table in scene.tables:
            await person.joins(table.group)
        await says_all(person, [person.private], ("/dati",), 1000.0, 0.25)
        loop = asyncio.get_running_loop()
        for table in scene.tables:
            shown = await table.group.sees(button="La mia mano")
            person.presses(table.group, shown.button("La mia mano"))
        for table in scene.tables:
            began = loop.time()
            await table.people[0].taps(table.group, "La mia mano", timeout=PATIENCE)
            waited.append(loop.time() - began)
        await asyncio.sleep(20.0)

    result = await measured(attack)
    lines = [*result.lines, f"their presses in the groups were answered after {max(waited):.2f} s at most"]
    return structs.replace(result, holds=result.holds and max(waited) <= Bounds().command, lines=lines)


async def unreadable(seconds: float) -> Result:
    """Send ten messages a second that python-telegram-bot cannot read: polls of an old Bot API server."""

    async def attack(scene: Scene) -> None:
        person, _ = own_groups(scene, 1)
        chat, user = {"id": person.id, "type": "private"}, {"id": person.id, "is_bot": False, "first_name": "Mario"}
        poll = {"id": "1", "question": "?", "options": [], "total_voter_count": 0}
        message = {"message_id": 9, "date": 1, "chat": chat, "from": user, "poll": poll}
        await repeated(lambda _: scene.telegram.world.updates.push("message", message, person.id), 10.0, seconds)

    return await measured(attack)


async def titles(seconds: float) -> Result:
    """Fix an evening in each of 100 groups of the attacker at once, then change titles 50 times a second."""

    async def attack(scene: Scene) -> None:
        person, groups = own_groups(scene, EVENINGS)
        await asyncio.gather(*(fix_evening(person, group) for group in groups))

        def rename(number: int) -> None:
            group = groups[number % EVENINGS]
            group.state.title = f"Titolo {number}"
            service(scene.telegram.world, group.state, person.user, "renames", {"new_chat_title": group.state.title})

        await repeated(rename, 50.0, seconds)

    return await measured(attack)


async def fix_evening(person: Person, group: Chat) -> None:
    """Fix an evening; try again if the bot has dropped the request among many."""
    while group.shows(button="Niente più serate") is None:
        choices = group.shows(button="Ogni giovedì")
        if choices is None:
            await person.says(group, "/serata giovedì alle 21")
        else:
            _press(person, group, choices.button("Ogni giovedì"))
        await asyncio.sleep(5.0)


ATTACKS: tuple[Callable[[float], Awaitable[Result]], ...] = (lobby, settings, backlog, unreadable, titles)
