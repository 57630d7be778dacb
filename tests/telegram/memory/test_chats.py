from services.telegram.memory.memory import Memory
from services.telegram.records import Choice
from tests.telegram.memory.known import GROUP


async def test_a_new_group_speaks_as_whoever_called_first_until_told_otherwise(memory: Memory) -> None:
    assert (await memory.chats.visit(GROUP, "Amici", "", "it")).language == "it"
    assert (await memory.chats.visit(GROUP, "Amici", "", "en")).language == "it"
    await memory.chats.settle(GROUP, language="en", seconds=60, hosts="admins", nudges=False)
    chat = await memory.chats.chat(GROUP)
    assert (chat.title, chat.language, chat.seconds, chat.hosts, chat.nudges) == ("Amici", "en", 60, "admins", False)


async def test_the_last_choice_of_a_game_is_remembered(memory: Memory) -> None:
    choice = Choice({"cats": True}, 60)
    await memory.chats.choose(GROUP, "gatto_rosso", choice)
    assert await memory.chats.choice(GROUP, "gatto_rosso") == choice
    assert await memory.chats.choice(GROUP, "ramino") is None
