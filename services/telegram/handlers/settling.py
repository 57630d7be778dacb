"""Buttons of the settings, the leaderboard, and of taking leave."""

from msgspec import structs

from services.telegram import buttons
from services.telegram.feed.going import depart
from services.telegram.handlers.house import House
from services.telegram.handlers.press import Press, Reply
from services.telegram.memory.forgetting import forget_person
from services.telegram.screens.board import board_screen
from services.telegram.screens.house import LANGUAGES, forgotten_screen, group_screen, person_screen
from services.telegram.tables.refusing import RefusedError


async def board(house: House, press: Press, tap: buttons.Board) -> Reply:
    """Show another game's leaderboard."""
    game = await house.catalogue.game(tap.game)
    if game is None:
        raise RefusedError("unknown_button")
    standings = await house.memory.boards.standings(press.chat, tap.game)
    screen = board_screen(game, standings, await house.catalogue.games(), press.language)
    house.outbox.turn(press.chat, press.message, screen)
    return Reply()


async def set_house(house: House, press: Press, tap: buttons.SetHouse) -> Reply:
    """Change a setting: one's own language in private, a group's as its administrator."""
    if press.private:
        return await _set_person(house, press, tap)
    if not await house.is_administrator(press.chat, press.person.user):
        raise RefusedError("administrators_only")
    match tap.name:
        case "language":
            await house.memory.chats.settle(press.chat, language=LANGUAGES[tap.value % len(LANGUAGES)])
            for ref in await house.memory.rooms.in_chat(press.chat):
                await house.feed.refresh(ref)
        case "seconds":
            await house.memory.chats.settle(press.chat, seconds=tap.value)
        case "hosts":
            await house.memory.chats.settle(press.chat, hosts="admins" if tap.value else "all")
        case "nudges":
            await house.memory.chats.settle(press.chat, nudges=bool(tap.value))
    chat = await house.memory.chats.chat(press.chat)
    house.outbox.turn(press.chat, press.message, group_screen(chat, chat.language))
    return Reply()


async def _set_person(house: House, press: Press, tap: buttons.SetHouse) -> Reply:
    if tap.name != "language":
        raise RefusedError("unknown_button")
    language = LANGUAGES[tap.value % len(LANGUAGES)]
    await house.memory.people.speak(press.person.user, language)
    for ref in await house.memory.seats.rooms_of(press.person.user):
        await house.feed.refresh(ref)
    person = structs.replace(press.person, language=language)
    house.outbox.turn(press.chat, press.message, person_screen(person, language))
    return Reply()


async def forget(house: House, press: Press, tap: buttons.Forget) -> Reply:
    """Forget what the presser asks to be forgotten."""
    user, language = press.person.user, press.person.language
    if tap.what == "boards":
        await house.memory.boards.hide(user)
    elif tap.what == "all":
        await depart(house.tables.seating, house.feed, user)
        await forget_person(house.memory, user)
    screen = forgotten_screen(tap.what, language)
    if press.private:
        house.outbox.turn(press.chat, press.message, screen)
        return Reply()
    return Reply(screen.text, alert=True)
