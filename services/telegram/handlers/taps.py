"""Taps: every one is answered, useless ones too. Who taps is whom Telegram names, never what the button says."""

from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from telegram import CallbackQuery, Message

from services.telegram import buttons
from services.telegram.handlers import at_table, in_lobby, settling
from services.telegram.handlers.house import House
from services.telegram.handlers.press import Press, Reply
from services.telegram.handlers.replies import FAILURES, code_of, in_words
from services.telegram.handlers.who import meet, thread_of, visit
from services.telegram.painter.hands import hand_slot
from services.telegram.screens.refusals import explained

log = structlog.get_logger(__name__)

Doing = Callable[[House, Press, Any], Awaitable[Reply]]

DOINGS: dict[type[buttons.AnyTap], Doing] = {
    buttons.Choose: in_lobby.choose,
    buttons.Sit: in_lobby.sit,
    buttons.Stand: in_lobby.stand,
    buttons.Computers: in_lobby.computers,
    buttons.ShowLobby: in_lobby.show_lobby,
    buttons.ShowOptions: in_lobby.show_options,
    buttons.SetOption: in_lobby.set_option,
    buttons.SetTime: in_lobby.set_time,
    buttons.Start: in_lobby.start,
    buttons.Close: in_lobby.close,
    buttons.Hand: at_table.hand,
    buttons.Move: at_table.move,
    buttons.Pick: at_table.pick,
    buttons.PutBack: at_table.put_back,
    buttons.Return: at_table.come_back,
    buttons.Leave: at_table.leave,
    buttons.Rematch: at_table.rematch,
    buttons.OpenRules: at_table.open_rules,
    buttons.Rules: at_table.turn_page,
    buttons.Board: settling.board,
    buttons.SetHouse: settling.set_house,
    buttons.Forget: settling.forget,
}
"""What each button does."""


async def press(house: House, query: CallbackQuery) -> None:
    """Do what a button stands for, and answer the tap."""
    reply = Reply()
    try:
        reply = await _pressed(house, query)
    finally:
        house.outbox.answer(query.id, reply.text or None, alert=reply.alert, url=reply.url)


async def _pressed(house: House, query: CallbackQuery) -> Reply:
    message = query.message
    if message is None:
        return Reply()
    private = message.chat.id > 0
    person = await meet(house.memory.people, query.from_user, private=private)
    tap = buttons.unpack(query.data or "")
    if tap is None:
        return Reply(explained("unknown_button", {}, None, person.language))
    group = person.language if private else await visit(house.memory.chats, message.chat, query.from_user)
    thread = thread_of(message) if isinstance(message, Message) else None
    pressed = Press(query.id, person, message.chat.id, thread, message.message_id, group)
    try:
        return await DOINGS[type(tap)](house, pressed, tap)
    except FAILURES as failure:
        ref = getattr(tap, "ref", None) or ""
        if code_of(failure) in {"stale", "wrong_token", "not_open", "not_playing"} and ref:
            await _redraw(house, pressed, ref)
        return Reply(await in_words(house, failure, person, person.language, ref))


async def _redraw(house: House, pressed: Press, ref: str) -> None:
    """Draw a stale screen anew; an old copy of a hand is cleared away."""
    if pressed.private:
        known = (await house.memory.messages.of(ref)).get(hand_slot(ref, pressed.person.user).name)
        if known and known != pressed.message:
            house.outbox.delete(pressed.chat, pressed.message)
    await house.feed.refresh(ref)
