from __future__ import annotations

from telegram import Bot, ChatMemberAdministrator, ChatMemberMember

from tests.emulator import Emulator, Person
from tests.emulator.clients import refused


async def test_a_bot_with_the_right_sets_and_takes_tags(
    telegram: Emulator, bot: Bot, anna: Person, bruno: Person
) -> None:
    group = telegram.supergroup("Amici", [anna, bruno], bot="administrator")
    assert await bot.set_chat_member_tag(group.id, bruno.id, "Presidente")
    member = await bot.get_chat_member(group.id, bruno.id)
    assert isinstance(member, ChatMemberMember)
    assert member.tag == "Presidente"
    assert await bot.set_chat_member_tag(group.id, bruno.id)
    assert group.state.tags == {}


async def test_without_the_right_a_bot_sets_none(telegram: Emulator, bot: Bot, anna: Person, bruno: Person) -> None:
    group = telegram.supergroup("Amici", [anna, bruno])
    with refused(telegram, "Bad Request: CHAT_ADMIN_REQUIRED"):
        await bot.set_chat_member_tag(group.id, bruno.id, "Presidente")
    await anna.promotes_bot(group, without=("can_manage_tags",))
    member = await bot.get_chat_member(group.id, bot.id)
    assert isinstance(member, ChatMemberAdministrator)
    assert (member.can_manage_tags, member.can_pin_messages) == (False, True)
    with refused(telegram, "Bad Request: CHAT_ADMIN_REQUIRED"):
        await bot.set_chat_member_tag(group.id, bruno.id, "Presidente")


async def test_administrators_strangers_and_odd_tags_are_refused(
    telegram: Emulator, bot: Bot, anna: Person, bruno: Person
) -> None:
    group = telegram.supergroup("Amici", [anna], bot="administrator")
    with refused(telegram, "Bad Request: CHAT_CREATOR_REQUIRED"):
        await bot.set_chat_member_tag(group.id, anna.id, "Presidente")
    with refused(telegram, "Bad Request: USER_NOT_PARTICIPANT"):
        await bot.set_chat_member_tag(group.id, bruno.id, "Presidente")
    await bruno.joins(group)
    with refused(telegram, "Bad Request: ADMIN_RANK_INVALID"):
        await bot.set_chat_member_tag(group.id, bruno.id, "a" * 17)
    with refused(telegram, "Bad Request: ADMIN_RANK_EMOJI_NOT_ALLOWED"):
        await bot.set_chat_member_tag(group.id, bruno.id, "🎩")
