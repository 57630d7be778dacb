"""Checks of where a press comes from: callback data against message, chat and person.

Telegram tells on which message a button was pressed, but a client of one's own may send any data with it.
"""

from telegram import InaccessibleMessage, MaybeInaccessibleMessage, Message

from services.telegram import callback_data
from services.telegram.callback_data import CallbackData
from services.telegram.handlers.context import BotContext, ButtonPress
from services.telegram.records import LESSON, HandSlot, TableSlot
from services.telegram.tables.lookup import ActionRefusedError

OF_A_HAND = (
    callback_data.MakeMove,
    callback_data.PickCard,
    callback_data.PutCardsBack,
    callback_data.EmptyPlace,
    callback_data.TakeHandBack,
    callback_data.LeaveTable,
)
"""The buttons of a hand, which are in private chats only."""
OF_A_HAND_OR_TABLE = (
    callback_data.OpenRules,
    callback_data.PlayAgain,
    callback_data.ReviewMatch,
    callback_data.ShowProof,
)


def table_of_hand(data: CallbackData) -> str | None:
    """Return the table of a button that only hand messages have: the question whether to leave may stand alone."""
    asked = isinstance(data, callback_data.LeaveTable) and data.sure is not False
    return data.ref if isinstance(data, OF_A_HAND) and not asked and data.ref != LESSON else None


def is_on_message(message: MaybeInaccessibleMessage, packed: str) -> bool:
    """Tell whether a message has a button with this callback data, as Telegram has it."""
    keyboard = message.reply_markup if isinstance(message, Message) else None
    return keyboard is not None and any(
        button.callback_data == packed for row in keyboard.inline_keyboard for button in row
    )


async def require_origin(
    context: BotContext, press: ButtonPress, message: MaybeInaccessibleMessage, packed: str, data: CallbackData
) -> None:
    """Raise `ActionRefusedError` unless the message has the button, or can have had it before it was drawn again."""
    if isinstance(data, OF_A_HAND) and not press.private:
        raise ActionRefusedError("unknown_button")
    if is_on_message(message, packed):
        return
    ref = getattr(data, "ref", None)
    if ref is None or isinstance(data, callback_data.ShowRules | callback_data.ChooseGame):
        raise ActionRefusedError("unknown_button" if ref is None else "stale")
    chat_table = await context.tables.lookup.chat_table(ref)
    slot = await _slot_of(context, press, ref)
    match slot:
        case None:
            raise ActionRefusedError("stale")
        case HandSlot(user=user):
            had = press.chat == user == press.person.user and isinstance(data, OF_A_HAND + OF_A_HAND_OR_TABLE)
        case _:
            had = press.chat == chat_table.chat and not isinstance(data, OF_A_HAND)
    if not had:
        raise ActionRefusedError("unknown_button")
    if isinstance(message, InaccessibleMessage):
        context.outbox.mark_missing(slot, press.chat, press.message)
        await context.followers.refresh(ref)


async def _slot_of(context: BotContext, press: ButtonPress, ref: str) -> TableSlot | None:
    """Return the slot of a table that the message shows, if any; ids of messages count for one chat only."""
    for slot, message_id in (await context.repositories.messages.by_slot(ref)).items():
        in_private = isinstance(slot, HandSlot)
        if message_id == press.message and (not in_private or slot == HandSlot(ref, press.person.user)):
            return slot
    return None
