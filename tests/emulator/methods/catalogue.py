"""The methods of the Bot API that the emulator knows, by their names in lower case."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable

from tests.emulator.methods import (
    callbacks,
    chats,
    delivery,
    documents,
    ephemeral,
    guests,
    messages,
    photos,
    profile,
    stickers,
)
from tests.emulator.state import JSON
from tests.emulator.world import World

Method = Callable[[World, JSON], object] | Callable[[World, JSON], Awaitable[object]]

METHODS: dict[str, Method] = {
    "getme": profile.get_me,
    "getupdates": delivery.get_updates,
    "setwebhook": delivery.set_webhook,
    "deletewebhook": delivery.delete_webhook,
    "getwebhookinfo": delivery.get_webhook_info,
    "sendmessage": messages.send_message,
    "editmessagetext": messages.edit_message_text,
    "sendphoto": photos.send_photo,
    "senddocument": documents.send_document,
    "editmessagemedia": photos.edit_message_media,
    "editmessagecaption": photos.edit_message_caption,
    "editmessagereplymarkup": messages.edit_message_reply_markup,
    "deletemessage": messages.delete_message,
    "deletemessages": messages.delete_messages,
    "pinchatmessage": messages.pin_chat_message,
    "unpinchatmessage": messages.unpin_chat_message,
    "sendchataction": messages.send_chat_action,
    "answerguestquery": guests.answer_guest_query,
    "answercallbackquery": callbacks.answer_callback_query,
    "getchat": chats.get_chat,
    "getchatmember": chats.get_chat_member,
    "getchatadministrators": chats.get_chat_administrators,
    "getchatmembercount": chats.get_chat_member_count,
    "setchatmembertag": chats.set_chat_member_tag,
    "leavechat": chats.leave_chat,
    "createnewstickerset": stickers.create_new_sticker_set,
    "addstickertoset": stickers.add_sticker_to_set,
    "getstickerset": stickers.get_sticker_set,
    "setmycommands": profile.set_my_commands,
    "getmycommands": profile.get_my_commands,
    "deletemycommands": profile.delete_my_commands,
    "setmyname": profile.set_text,
    "setmydescription": profile.set_text,
    "setmyshortdescription": profile.set_text,
    "getmyname": functools.partial(profile.get_text, "name"),
    "getmydescription": functools.partial(profile.get_text, "description"),
    "getmyshortdescription": functools.partial(profile.get_text, "short_description"),
}
EPHEMERAL: dict[str, Method] = {
    "editephemeralmessagetext": ephemeral.edit_text,
    "editephemeralmessagereplymarkup": ephemeral.edit_reply_markup,
    "deleteephemeralmessage": ephemeral.delete,
}


def find(world: World, name: str) -> Method | None:
    """Returns the method of that name, in any case; ephemeral methods exist only on a server that supports them."""
    known = METHODS | (EPHEMERAL if world.behaviour.ephemeral else {})
    return known.get(name.lower())
