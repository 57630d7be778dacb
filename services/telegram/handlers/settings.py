"""Buttons of settings, leaderboards and data deletion; the command /emoji of the bot's owner."""

from collections.abc import Callable

import structlog
from telegram.error import TelegramError

from locanda.translations import translations_in
from services.common.redis_urls import REDIS_ERRORS
from services.telegram import callback_data
from services.telegram.handlers.callbacks import on_button
from services.telegram.handlers.context import BotContext, ButtonPress, CommandSender
from services.telegram.records import ChatTable, HandSlot, PersonRecord
from services.telegram.repositories import personal_data
from services.telegram.screens.hand import left_screen
from services.telegram.screens.leaderboard import leaderboard_screen
from services.telegram.screens.notices import note
from services.telegram.screens.screen import Screen
from services.telegram.screens.settings_and_help import (
    LANGUAGES,
    PASSINGS,
    forgotten_screen,
    group_screen,
    person_screen,
)
from services.telegram.sending.custom_emoji import may_use, upload
from services.telegram.tables.lookup import ActionRefusedError

log = structlog.get_logger(__name__)

OFF = "off"
"""The argument of /emoji that stops the use of pictures."""


@on_button(callback_data.ShowLeaderboard)
async def show_leaderboard(context: BotContext, press: ButtonPress, data: callback_data.ShowLeaderboard) -> None:
    """Show another game's leaderboard."""
    game = await context.catalogue.known(data.game)
    standings = await context.repositories.leaderboards.standings(press.chat, data.game)
    screen = leaderboard_screen(game, standings, await context.catalogue.games(), press.language, data.by)
    context.outbox.edit(press.chat, press.message, screen)


def _language(value: int) -> str:
    return LANGUAGES[value % len(LANGUAGES)]


GROUP_SETTINGS: dict[str, Callable[[int], bool | int | str]] = {
    "language": _language,
    "seconds": int,
    "hosts": lambda value: "admins" if value else "all",
    "nudges": bool,
    "pictures": bool,
    "remarks": bool,
}
"""For each group setting in `ChatRecord`, a function from a button's number to the setting's value."""
OWN_SETTINGS: dict[str, Callable[[int], bool | str]] = {
    "language": _language,
    "photos": bool,
    "reminders": bool,
    "remarks": bool,
    "passing": lambda value: PASSINGS[value % len(PASSINGS)],
}
"""For each personal setting in `PersonRecord`, a function from a button's number to the setting's value."""


@on_button(callback_data.ChangeSetting)
async def change_setting(context: BotContext, press: ButtonPress, data: callback_data.ChangeSetting) -> None:
    """Change a setting: in private the person's, in a group the group's, for administrators only."""
    if data.name not in (OWN_SETTINGS if press.private else GROUP_SETTINGS):
        raise ActionRefusedError("unknown_button")
    if press.private:
        chosen = {"chosen": True} if data.name == "language" else {}
        people, user = context.repositories.people, press.person.user
        await people.update(user, **{data.name: OWN_SETTINGS[data.name](data.value)}, **chosen)
        person = await people.person(user) or press.person
        screen = person_screen(person, person.language)
    else:
        if not await context.members.is_administrator(press.chat, press.person.user):
            raise ActionRefusedError("administrators_only")
        chats = context.repositories.chats
        await chats.update_settings(press.chat, **{data.name: GROUP_SETTINGS[data.name](data.value)})
        chat = await chats.chat(press.chat)
        screen = group_screen(chat, chat.language)
    context.outbox.edit(press.chat, press.message, screen)


@on_button(callback_data.ForgetPerson, private=True)
async def forget(context: BotContext, press: ButtonPress, data: callback_data.ForgetPerson) -> None:
    """Delete the person's data as they chose.

    While the engine does not answer, nothing is deleted: otherwise the person's seats could never be freed.
    """
    user = press.person.user
    if data.what != "nothing":
        await context.titles.take_away(user)
    if data.what == "boards":
        await personal_data.hide(context.repositories, user)
    elif data.what == "all":
        await context.tables.names.forget(user)
        for chat_table in await context.tables.seating.leave_all(user):
            await _take_hand_away(context, chat_table, press.person)
        await personal_data.forget(context.repositories, user)
    context.outbox.edit(press.chat, press.message, forgotten_screen(data.what, press.person.language))


async def _take_hand_away(context: BotContext, chat_table: ChatTable, person: PersonRecord) -> None:
    """Edit a person's hand message to say that they have left, and detach it from the table."""
    hand = await context.outbox.release(HandSlot(chat_table.ref, person.user))
    if hand:
        place = "" if chat_table.alone else (await context.repositories.chats.chat(chat_table.chat)).title
        context.outbox.edit(person.user, hand, left_screen(place, "left", person.language, photo=person.photos))


# --- pictures of cards


async def custom_emoji(context: BotContext, sender: CommandSender, text: str) -> Screen:
    """Upload the pictures of cards and use them if Telegram allows it; with `off`, use none. Only for the owner."""
    if sender.user != context.owner or not sender.private:
        raise ActionRefusedError("owner_only")
    translations, emoji = translations_in(sender.language), context.outbox.emoji
    repository = context.repositories.abilities
    if text.strip().lower() == OFF:
        emoji.use({})
        await repository.forget_emoji()
        return note(translations.gettext("The cards are shown by signs again."))
    try:
        ids = await upload(context.bot, sender.user)
        allowed = await may_use(context.bot, sender.user, ids)
    except TelegramError as error:
        log.warning("custom_emoji_not_uploaded", reason=error.message)
        return note(translations.gettext("Telegram did not take the pictures. /emoji goes on where it stopped."))
    if not allowed:
        return note(
            translations.gettext(
                "The pictures are there, but Telegram takes them out of the bot's messages: that needs Telegram "
                "Premium for you, whose bot it is."
            )
        )
    await repository.keep_emoji(ids)
    emoji.use(ids)
    return note(translations.gettext("From now on the cards are shown by pictures. “/emoji off” takes them away."))


async def load_custom_emoji(context: BotContext) -> None:
    """Use the pictures uploaded earlier, if any."""
    try:
        context.outbox.emoji.use(await context.repositories.abilities.emoji_ids())
    except REDIS_ERRORS as error:
        log.warning("custom_emoji_not_loaded", reason=type(error).__name__)
