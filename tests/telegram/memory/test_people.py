from services.telegram.memory.memory import Memory
from tests.telegram.memory.known import ANNA


async def test_a_person_is_known_by_what_telegram_tells(memory: Memory) -> None:
    assert await memory.people.person(ANNA) is None
    await memory.people.meet(ANNA, "Anna", "it-IT", reachable=True)
    anna = await memory.people.person(ANNA)
    assert anna is not None
    assert (anna.name, anna.language, anna.reachable) == ("Anna", "it", True)


async def test_a_chosen_language_outlasts_the_telephones(memory: Memory) -> None:
    await memory.people.meet(ANNA, "Anna", "it")
    await memory.people.speak(ANNA, "en")
    assert (await memory.people.meet(ANNA, "Anna", "it")).language == "en"


async def test_a_tap_in_a_group_does_not_change_who_can_be_written_to(memory: Memory) -> None:
    await memory.people.meet(ANNA, "Anna", "it", reachable=True)
    assert (await memory.people.meet(ANNA, "Anna", "it")).reachable
    await memory.people.reach(ANNA, reachable=False)
    assert not (await memory.people.meet(ANNA, "Anna", "it")).reachable
