"""Attacks on the bot's sending: messages to all chats share thirty a second."""

import asyncio
from contextlib import suppress
from itertools import cycle, islice

from tests.bench.bot_attacks.scene import LATE, Bounds, Result, Scene, measured
from tests.emulator import NotSeenError, Person, TapAnswer
from tests.emulator.chats import Chat

COMMANDS = ("/gioca", "/regole", "/aiuto", "/classifica", "/stagione", "/serata")


async def says_all(person: Person, chats: list[Chat], texts: tuple[str, ...], rate: float, seconds: float) -> None:
    """Send these texts to these chats in turn, at a number of messages per second."""
    loop = asyncio.get_running_loop()
    due = loop.time()
    for chat, text in islice(zip(cycle(chats), cycle(texts), strict=False), int(rate * seconds)):
        await asyncio.sleep(max(0.0, due - loop.time()))
        due += 1 / rate
        await person.says(chat, text)


def own_groups(scene: Scene, count: int) -> tuple[Person, list[Chat]]:
    """Return a person and groups that only this person uses."""
    person = scene.telegram.person("Mario", language="it", started=True)
    return person, [scene.telegram.supergroup(f"Mio {number}", [person]) for number in range(count)]


async def one_group(seconds: float) -> Result:
    """One person sends /gioca in one of their groups, 50 times a second."""

    async def attack(scene: Scene) -> None:
        person, groups = own_groups(scene, 1)
        await says_all(person, groups, ("/gioca",), 50.0, seconds)

    return await measured(attack)


async def one_group_slowly(seconds: float) -> Result:
    """One person sends /gioca in one of their groups once a second, for five times the usual duration."""

    async def attack(scene: Scene) -> None:
        person, groups = own_groups(scene, 1)
        await says_all(person, groups, ("/gioca",), 1.0, 5 * seconds)

    return await measured(attack)


async def hundred_groups(seconds: float) -> Result:
    """One person sends all commands in turn in 100 of their groups, 50 a second."""

    async def attack(scene: Scene) -> None:
        person, groups = own_groups(scene, 100)
        await says_all(person, groups, COMMANDS, 50.0, seconds)

    return await measured(attack)


async def a_class(_seconds: float) -> Result:
    """A hundred people in ten groups press and send commands at once, and forty of them play. Nobody may be refused."""
    answered = list[TapAnswer]()

    async def all_at_once(scene: Scene) -> None:
        people = list[tuple[Person, Chat]]()
        for table in scene.tables:
            others = [scene.telegram.person(f"Ospite {number}", language="it", started=True) for number in range(6)]
            for person in others:
                await person.joins(table.group)
            people += [(person, table.group) for person in (*table.people, *others)]
        presses = (person.taps(group, "La mia mano", timeout=LATE) for person, group in people)
        commands = (scene.ask(person, group) for person, group in people)
        answers, _ = await asyncio.gather(asyncio.gather(*presses), asyncio.gather(*commands))
        answered.extend(answers)

    result = await measured(all_at_once, groups=10, bounds=Bounds(press=1.0, command=LATE / 2))
    refused = sum("Piano piano" in (answer.text or "") for answer in answered)
    return Result(result.holds and not refused, [*result.lines, f"{len(answered)} pressed, {refused} refused"])


# --- more attacks


async def own_table(person: Person, group: Chat) -> None:
    """Let a person play alone against a computer player in their group."""
    await person.starts()
    await person.says(group, "/gioca")
    await group.sees(button="Gatto Rosso", timeout=LATE)
    await person.taps(group, "Gatto Rosso", timeout=LATE)
    await group.sees(f"👤 {person.name}", button="+ Computer", timeout=LATE)
    await person.taps(group, "+ Computer", timeout=LATE)
    await group.sees(button="Si comincia", timeout=LATE)
    await person.taps(group, "Si comincia", timeout=LATE)
    await group.sees(button="La mia mano", timeout=LATE)


async def presses_all(person: Person, chats: list[Chat], labels: tuple[str, ...], rate: float, seconds: float) -> None:
    """Press those of these buttons that exist in these chats, in turn, at a number of presses per second."""
    loop = asyncio.get_running_loop()
    due = loop.time()
    for chat, label in islice(zip(cycle(chats), cycle(labels), strict=False), int(rate * seconds)):
        await asyncio.sleep(max(0.0, due - loop.time()))
        due += 1 / rate
        with suppress(NotSeenError):
            person.presses(chat, label)


async def hand_in_group(seconds: float) -> Result:
    """One person requests their hand in the group 50 times a second. These messages bypass the outbox."""

    async def attack(scene: Scene) -> None:
        person, groups = own_groups(scene, 1)
        await own_table(person, groups[0])
        await presses_all(person, groups, ("La mia mano",), 50.0, seconds)

    return await measured(attack)


async def within_a_group(seconds: float) -> Result:
    """A member of a group with a match sends all commands in the group, ten a second."""

    async def attack(scene: Scene) -> None:
        person, group = own_groups(scene, 0)[0], scene.tables[0].group
        await person.joins(group)
        await says_all(person, [group], COMMANDS, 10.0, seconds)

    return await measured(attack, bounds=Bounds(command=20.0))


async def pages(seconds: float) -> Result:
    """One person turns pages of the rules in 30 of their groups, 50 a second. Each press edits an existing message."""

    async def attack(scene: Scene) -> None:
        person, groups = own_groups(scene, 30)
        for group in groups:
            await person.says(group, "/regole")
            await group.sees("Gatto Rosso", timeout=LATE)
        await presses_all(person, groups, ("▶️", "◀️"), 50.0, seconds)

    return await measured(attack)


async def lobbies(seconds: float) -> Result:
    """One person sits down and gets up in the lobbies of 20 of their groups, 20 a second. All lobbies are redrawn."""

    async def attack(scene: Scene) -> None:
        person, groups = own_groups(scene, 20)
        for group in groups:
            await person.says(group, "/gioca")
            await group.sees(button="Gatto Rosso", timeout=LATE)
            await person.taps(group, "Gatto Rosso", timeout=LATE)
        await presses_all(person, groups, ("Siediti", "Alzati"), 20.0, seconds)

    return await measured(attack)


async def documents(seconds: float) -> Result:
    """One person requests their data file 250 times, then presses buttons in other people's groups."""

    async def attack(scene: Scene) -> None:
        person, _ = own_groups(scene, 0)
        await says_all(person, [person.private], ("/dati",), 50.0, 5.0)
        for table in scene.tables:
            await person.joins(table.group)
        await presses_all(person, [table.group for table in scene.tables], ("La mia mano",), 1.0, seconds)

    return await measured(attack)


async def languages(seconds: float) -> Result:
    """One person at tables in 12 of their groups changes the language ten times a second. All tables are redrawn."""

    async def attack(scene: Scene) -> None:
        person, groups = own_groups(scene, 12)
        for group in groups:
            await own_table(person, group)
        await person.says(person.private, "/impostazioni")
        await person.private.sees(button="English", timeout=LATE)
        await presses_all(person, [person.private], ("English", "Italiano"), 10.0, seconds)

    return await measured(attack)


ATTACKS = (
    *(one_group, one_group_slowly, hundred_groups, a_class),
    *(hand_in_group, within_a_group, pages, lobbies, documents, languages),
)
