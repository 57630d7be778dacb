"""Shows a person's hand in the group, in a message that only they see (an ephemeral message).

Telegram may refuse such a message. A hand in the private chat always works.
"""

from msgspec import structs

from locanda.errors import EngineError
from locanda.translations import Language, translations_in
from services.common.redis_urls import REDIS_ERRORS
from services.telegram.handlers.context import BotContext, ButtonPress, CommandSender, view_model
from services.telegram.play.cards import grid_of
from services.telegram.records import HandSlot
from services.telegram.screens.hand import hand_in_group
from services.telegram.screens.notices import note
from services.telegram.screens.screen import Screen
from services.telegram.sending.ephemeral import Receiver, Shown
from services.telegram.tables.lookup import ActionRefusedError


async def hand_screen_of(context: BotContext, user: int, ref: str, language: Language) -> Screen | None:
    """Return the screen of a person's hand for the group; None without cards."""
    model = await view_model(context, user, ref)
    token = await context.repositories.seats.token(ref, user) or ""
    selected, verdict = await context.tables.selection.at(ref, user, token, model.table)
    private = (await context.outbox.shown(ref)).get(HandSlot(ref, user))
    before = private.grid.places if private is not None and private.grid is not None else ()
    grid = () if model.table.deal is None else grid_of(model.table, before)
    return hand_in_group(structs.replace(model, selected=selected, verdict=verdict, grid=grid), language)


async def show(context: BotContext, receiver: Receiver, ref: str, language: Language) -> bool:
    """Show a person their hand in the group; return false if Telegram or the group's rate limit forbids it."""
    try:
        if not await context.ephemeral.possible() or not context.outbox.admits(receiver.chat):
            return False
        screen = await hand_screen_of(context, receiver.user, ref, language)
        return screen is not None and await context.ephemeral.show(receiver, screen)
    except REDIS_ERRORS:
        return False


async def draw_again(context: BotContext, press: ButtonPress, ref: str) -> None:
    """Draw the hand in the group again after a press on it; do nothing if the table cannot be read now."""
    if press.ephemeral is None or not await context.outbox.admitted(press.chat, (press.chat, press.ephemeral)):
        return
    language = press.person.language
    try:
        screen = await hand_screen_of(context, press.person.user, ref, language)
    except (ActionRefusedError, EngineError, *REDIS_ERRORS):
        return
    nothing = Screen(translations_in(language).gettext("No cards are dealt now."))
    await context.ephemeral.edit(Shown(press.chat, press.person.user, press.ephemeral), screen or nothing)


async def my_hand(context: BotContext, sender: CommandSender, _text: str) -> Screen | None:
    """Show the sender their hands: in a group only to them, if possible; otherwise again in private."""
    refs = [
        table.ref
        for table in await context.repositories.chat_tables.of_person(sender.user)
        if sender.private or (table.chat, table.thread) == (sender.chat, sender.thread)
    ]
    if not refs:
        raise ActionRefusedError("nowhere_seated")
    language = sender.person.language if sender.person else sender.language
    receiver = Receiver(sender.chat, sender.thread, sender.user)
    if not sender.private and all([await show(context, receiver, ref, language) for ref in refs]):
        return None
    for ref in refs:
        context.show_again(ref, HandSlot(ref, sender.user), replace=True)
    if sender.private:
        return None
    return note(translations_in(sender.language).gettext("Your hand is in our private chat."))
