"""Attacks on what the bot sends: messages to all chats share thirty a second."""

import asyncio
from itertools import cycle, islice

from tests.bench.bot_attacks.scene import LATE, Bounds, Result, Scene, measured
from tests.emulator import Person, TapAnswer
from tests.emulator.chats import Chat

COMMANDS = ("/gioca", "/regole", "/aiuto", "/classifica", "/stagione", "/serata")


async def says_all(person: Person, chats: list[Chat], texts: tuple[str, ...], rate: float, seconds: float) -> None:
    """Say these texts in turns in these chats, so many a second."""
    loop = asyncio.get_running_loop()
    due = loop.time()
    for chat, text in islice(zip(cycle(chats), cycle(texts), strict=False), int(rate * seconds)):
        await asyncio.sleep(max(0.0, due - loop.time()))
        due += 1 / rate
        await person.says(chat, text)


def own_groups(scene: Scene, count: int) -> tuple[Person, list[Chat]]:
    """Return a person and groups of theirs."""
    person = scene.telegram.person("Mario", language="it", started=True)
    return person, [scene.telegram.supergroup(f"Mio {number}", [person]) for number in range(count)]


async def one_group(seconds: float) -> Result:
    """One person says /gioca in one own group, 50 times a second."""

    async def attack(scene: Scene) -> None:
        person, groups = own_groups(scene, 1)
        await says_all(person, groups, ("/gioca",), 50.0, seconds)

    return await measured(attack)


async def one_group_slowly(seconds: float) -> Result:
    """One person says /gioca in one own group, once a second, five times as long."""

    async def attack(scene: Scene) -> None:
        person, groups = own_groups(scene, 1)
        await says_all(person, groups, ("/gioca",), 1.0, 5 * seconds)

    return await measured(attack)


async def hundred_groups(seconds: float) -> Result:
    """One person says all commands in turns in 100 own groups, 50 a second."""

    async def attack(scene: Scene) -> None:
        person, groups = own_groups(scene, 100)
        await says_all(person, groups, COMMANDS, 50.0, seconds)

    return await measured(attack)


async def a_class(_seconds: float) -> Result:
    """A hundred people in ten groups, of whom forty play, all press and ask at once: none is refused."""
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


ATTACKS = (one_group, one_group_slowly, hundred_groups, a_class)
