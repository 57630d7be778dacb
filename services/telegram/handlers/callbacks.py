"""Button presses: registers their handlers, dispatches a press by its callback data, and answers it.

A modified client may send any callback data for any message, so `require_origin` checks the data against the message,
the chat and the person.
"""

import asyncio
from collections.abc import Awaitable, Callable
from enum import Flag, auto
from typing import Any, NamedTuple, TypeVar

import structlog

from locanda.errors import (
    EngineError,
    IllegalMoveError,
    NotFoundError,
    StaleError,
    TooManyRequestsError,
    UnavailableError,
)
from locanda.messages import Table
from locanda.translations import Language, nearest_language
from services.common.redis_urls import REDIS_ERRORS
from services.telegram import callback_data
from services.telegram.callback_data import CallbackData, table_of
from services.telegram.handlers import group_hands
from services.telegram.handlers.context import (
    BotContext,
    ButtonPress,
    Reply,
    remember_group,
    remember_person,
    thread_of,
)
from services.telegram.records import LESSON, HandSlot, PersonRecord, TableSlot
from services.telegram.screens.notices import refusal_text
from services.telegram.tables.lookup import ActionRefusedError
from services.telegram.updates import PressedMessage, PressQuery

ANSWER_SECONDS = 8.0
"""Seconds after which a slow press is answered with an apology. Telegram accepts no answer after about 15 seconds."""

log = structlog.get_logger(__name__)

Data = TypeVar("Data", bound=callback_data.CallbackData)
CallbackHandler = Callable[[BotContext, ButtonPress, Data], Awaitable[Reply | None]]


class Place(Flag):
    """The kinds of table messages that can have a button."""

    HAND = auto()
    """A person's hand, in their private chat."""
    TABLE = auto()
    """Any other message of a table, in its chat."""


HAND, TABLE, NOWHERE_ELSE = Place.HAND, Place.TABLE, Place(0)


class RegisteredButton(NamedTuple):
    """A handler, and the conditions under which it runs."""

    handler: CallbackHandler[Any]
    places: Place
    """Messages that may have had the button before an edit. Any other message must have the button now."""
    seated: bool
    """Whether only people seated at the table may press the button; at an empty table, the person who opened it."""
    private: bool
    """Whether the button works only in private chats."""


CALLBACK_HANDLERS: dict[type[callback_data.CallbackData], RegisteredButton] = {}
"""The registered handler of each type of callback data, filled by `on_button`."""


LESSON_HANDLERS: dict[type[callback_data.CallbackData], RegisteredButton] = {}
"""The registered handlers of buttons in lessons, which carry `LESSON` instead of a table's reference."""


def on_button(
    data_type: type[Data],
    *,
    on: Place = NOWHERE_ELSE,
    seated: bool = False,
    private: bool = False,
    lesson: bool = False,
) -> Callable[[CallbackHandler[Data]], CallbackHandler[Data]]:
    """Register the decorated function as the handler of a type of callback data.

    `on` are the messages that may have had the button before an edit. `seated` limits the button to people at the
    table, `private` limits it to private chats. Buttons in a lesson have their own handlers (`lesson`).
    """

    def register(handler: CallbackHandler[Data]) -> CallbackHandler[Data]:
        (LESSON_HANDLERS if lesson else CALLBACK_HANDLERS)[data_type] = RegisteredButton(handler, on, seated, private)
        return handler

    return register


def registered(data: CallbackData) -> RegisteredButton:
    """Return the registration of a button."""
    of_lesson = LESSON_HANDLERS.get(type(data)) if table_of(data) == LESSON else None
    return of_lesson or CALLBACK_HANDLERS[type(data)]


Failure = ActionRefusedError | EngineError
FAILURES = (ActionRefusedError, EngineError)
OF_AN_OLD_SCREEN = {
    *("stale", "hand_changed", "rematch_begun", "not_your_turn", "passed", "wrong_token", "not_open", "not_playing")
}
"""Codes after which the table is drawn again, because the button may have been on an outdated screen."""
OUTDATED = {"no_such_seat", "already_computer", "key_reused"}
"""Engine error codes for a request that came too late, after another person's request."""


def code_of(failure: Failure) -> str:
    """Return the code of a failure, which selects its text in `screens.notices`."""
    match failure:
        case StaleError():
            return "stale"
        case NotFoundError():
            return "no_table"
        case UnavailableError():
            return "unreachable"
        case TooManyRequestsError():
            return "too_many_requests"
        case _ if failure.code in OUTDATED:
            return "stale"
        case _:
            return failure.code


async def failure_text(
    context: BotContext, failure: Failure, person: PersonRecord | None, language: Language, ref: str = ""
) -> str:
    """Return the text of a failure in the person's language."""
    facts = failure.problem.facts or {} if isinstance(failure, EngineError) else failure.facts
    of_the_game = isinstance(failure, IllegalMoveError) or "turn" in facts
    table = await _own_view(context, person, ref) if of_the_game and person else None
    return refusal_text(code_of(failure), facts, table, language)


async def _own_view(context: BotContext, person: PersonRecord, ref: str) -> Table | None:
    """Return the person's view of a table; None if they have no seat or the engine does not answer."""
    try:
        table, _ = await context.tables.lookup.view_for(await context.tables.lookup.chat_table(ref), person.user)
    except FAILURES:
        return None
    return table


async def handle_press(context: BotContext, query: PressQuery) -> None:
    """Run the handler of a button and answer the press, even if the handler fails (Bot API, answerCallbackQuery)."""

    def apologize() -> None:
        context.outbox.answer(query.id, _sorry(query))

    late = asyncio.get_running_loop().call_later(ANSWER_SECONDS, apologize)
    try:
        reply = await _dispatch(context, query) or Reply()
    except REDIS_ERRORS as error:
        log.warning("redis_unreachable", reason=type(error).__name__)
        draw_again(context, table_of(callback_data.unpack(query.data or "")))
        reply = Reply(_sorry(query))
    except Exception:
        apologize()
        raise
    finally:
        late.cancel()
    context.outbox.answer(query.id, reply.text or None, alert=reply.alert, url=reply.url)


def refuse_press(context: BotContext, query: PressQuery) -> None:
    """Answer a press that is not handled because too many of the person's presses are waiting."""
    language = nearest_language(query.from_user.language_code)
    context.outbox.answer(query.id, refusal_text("too_many_requests", {}, None, language))


def draw_again(context: BotContext, ref: str | None) -> None:
    """Draw a table again after an outage interrupted an action at the table, or a screen turned out to be outdated."""
    if ref:
        context.repositories.changes.note_table(ref)


def _sorry(query: PressQuery) -> str:
    return refusal_text("unreachable", {}, None, nearest_language(query.from_user.language_code))


async def _dispatch(context: BotContext, query: PressQuery) -> Reply | None:
    message = query.message
    if message is None:
        return None
    private = message.chat.id > 0
    person = await remember_person(context.repositories.people, query.from_user, private=private)
    data = callback_data.unpack(query.data or "")
    if data is None:
        return Reply(refusal_text("unknown_button", {}, None, person.language))
    group = (
        person.language if private else await remember_group(context.repositories.chats, message.chat, query.from_user)
    )
    press = ButtonPress(
        query.id, person, message.chat.id, thread_of(message), message.message_id, group, message.ephemeral_message_id
    )
    hand_of = table_of_hand(data)
    try:
        await require_origin(context, press, message, query.data or "", data)
        if hand_of is not None and press.ephemeral is None:
            await context.keep_newer(HandSlot(hand_of, press.person.user), press)
        button, lookup = registered(data), context.tables.lookup
        if button.private and not press.private:
            raise ActionRefusedError("private_only")
        if button.seated:
            await lookup.require_seated(await lookup.chat_table(table_of(data) or ""), press.person.user)
        return await button.handler(context, press, data)
    except FAILURES as failure:
        ref = table_of(data) or ""
        if isinstance(failure, UnavailableError) or code_of(failure) in OF_AN_OLD_SCREEN:
            draw_again(context, ref)
        return Reply(await failure_text(context, failure, person, person.language, ref))
    finally:
        if hand_of is not None and press.ephemeral is not None:
            context.background.start(group_hands.draw_again(context, press, hand_of))


# --- where a press comes from


def table_of_hand(data: CallbackData) -> str | None:
    """Return the table of a button that only hand messages have; None for other buttons.

    The buttons that confirm leaving do not count, because they may be in a message of their own.
    """
    confirms = isinstance(data, callback_data.LeaveTable) and data.sure is not False
    return table_of(data) if registered(data).places == HAND and not confirms else None


async def require_origin(
    context: BotContext, press: ButtonPress, message: PressedMessage, packed: str, data: CallbackData
) -> None:
    """Raise `ActionRefusedError` unless the message has this button or may have had it before an edit."""
    places = registered(data).places
    if places == HAND and not press.private and press.ephemeral is None:
        raise ActionRefusedError("unknown_button")
    if message.has(packed):
        return
    ref = table_of(data)
    if press.ephemeral is not None:
        raise ActionRefusedError("stale")
    if ref is None or not places:
        raise ActionRefusedError("unknown_button" if ref is None else "stale")
    chat_table = await context.tables.lookup.chat_table(ref)
    slot = await _slot_of(context, press, ref)
    match slot:
        case None:
            raise ActionRefusedError("stale")
        case HandSlot(user=user):
            had = press.chat == user == press.person.user and HAND in places
        case _:
            had = press.chat == chat_table.chat and TABLE in places
    if not had:
        raise ActionRefusedError("unknown_button")
    if not message.date:
        context.outbox.miss(slot, press.message)


async def _slot_of(context: BotContext, press: ButtonPress, ref: str) -> TableSlot | None:
    """Return the table's slot to which the pressed message belongs, if any.

    Message ids are unique only within a chat, so a hand's slot counts only if it is the presser's own.
    """
    for slot, message_id in (await context.repositories.messages.by_slot(ref)).items():
        in_private = isinstance(slot, HandSlot)
        if message_id == press.message and (not in_private or slot == HandSlot(ref, press.person.user)):
            return slot
    return None
