"""Buttons of the settings, of the leaderboard, and of forgetting a person."""

from msgspec import structs

from services.telegram import callback_data
from services.telegram.following.housekeeping import leave_tables
from services.telegram.handlers.callbacks import on_button
from services.telegram.handlers.context import BotContext, ButtonPress, Reply
from services.telegram.screens.results import leaderboard_screen
from services.telegram.screens.settings import LANGUAGES, PASSINGS, forgotten_screen, group_screen, person_screen
from services.telegram.tables.lookup import ActionRefusedError


@on_button(callback_data.ShowLeaderboard)
async def show_leaderboard(context: BotContext, press: ButtonPress, data: callback_data.ShowLeaderboard) -> Reply:
    """Show another game's leaderboard."""
    game = await context.catalogue.game(data.game)
    if game is None:
        raise ActionRefusedError("unknown_button")
    standings = await context.repositories.leaderboards.standings(press.chat, data.game)
    screen = leaderboard_screen(game, standings, await context.catalogue.games(), press.language, data.by)
    context.outbox.edit(press.chat, press.message, screen)
    return Reply()


@on_button(callback_data.ChangeSetting)
async def change_setting(context: BotContext, press: ButtonPress, data: callback_data.ChangeSetting) -> Reply:
    """Change a setting: in private the person's own, in a group the group's, by an administrator."""
    if press.private:
        return await _change_own_setting(context, press, data)
    if not await context.is_administrator(press.chat, press.person.user):
        raise ActionRefusedError("administrators_only")
    match data.name:
        case "language":
            await context.repositories.chats.update_settings(
                press.chat, language=LANGUAGES[data.value % len(LANGUAGES)]
            )
            for ref in await context.repositories.chat_tables.in_chat(press.chat):
                await context.followers.refresh(ref)
        case "seconds":
            await context.repositories.chats.update_settings(press.chat, seconds=data.value)
        case "hosts":
            await context.repositories.chats.update_settings(press.chat, hosts="admins" if data.value else "all")
        case "nudges":
            await context.repositories.chats.update_settings(press.chat, nudges=bool(data.value))
        case "pictures":
            await context.repositories.chats.update_settings(press.chat, pictures=bool(data.value))
    chat = await context.repositories.chats.chat(press.chat)
    context.outbox.edit(press.chat, press.message, group_screen(chat, chat.language))
    return Reply()


async def _change_own_setting(context: BotContext, press: ButtonPress, data: callback_data.ChangeSetting) -> Reply:
    people, user = context.repositories.people, press.person.user
    match data.name:
        case "language":
            person = structs.replace(press.person, language=LANGUAGES[data.value % len(LANGUAGES)])
            await people.set_language(user, person.language)
        case "photos":
            person = structs.replace(press.person, photos=bool(data.value))
            await people.set_photos(user, photos=person.photos)
        case "reminders":
            person = structs.replace(press.person, reminders=bool(data.value))
            await people.set_reminders(user, reminders=person.reminders)
        case "passing":
            person = structs.replace(press.person, passing=PASSINGS[data.value % len(PASSINGS)])
            await people.set_passing(user, person.passing)
        case _:
            raise ActionRefusedError("unknown_button")
    for ref in await context.repositories.seats.tables_of(user):
        await context.followers.refresh(ref)
    context.outbox.edit(press.chat, press.message, person_screen(person, person.language))
    return Reply()


@on_button(callback_data.ForgetPerson)
async def forget(context: BotContext, press: ButtonPress, data: callback_data.ForgetPerson) -> Reply:
    """Delete the person's data as they chose."""
    user, language = press.person.user, press.person.language
    if data.what == "boards":
        await context.repositories.leaderboards.hide(user)
    elif data.what == "all":
        for chat_table in await leave_tables(context.tables.seating, context.followers, user):
            await context.renderer.hands.draw_left(chat_table, user, "left")
        await context.repositories.personal_data.forget(user)
    screen = forgotten_screen(data.what, language)
    if press.private:
        context.outbox.edit(press.chat, press.message, screen)
        return Reply()
    return Reply(screen.text, alert=True)
