"""Closes tables: at once before a match, by a vote of the players during a match.

An administrator who does not play decides alone. The Mini App uses the same functions as the chat's buttons, and the
chat's question shows every vote.
"""

from locanda.messages import Table
from locanda.translations import translations_in
from services.telegram import callback_data
from services.telegram.handlers.callbacks import TABLE, on_button
from services.telegram.handlers.context import BotContext, ButtonPress, CommandSender, Reply
from services.telegram.play.closing import ClosingOutcome, ClosingQuestion
from services.telegram.records import ChatTable, ClosingSlot, LobbySlot
from services.telegram.screens.notices import note, outcome_text
from services.telegram.tables.lookup import ActionRefusedError


@on_button(callback_data.CloseTable, on=TABLE)
async def close_table(context: BotContext, press: ButtonPress, data: callback_data.CloseTable) -> Reply | None:
    """Close a table, or ask for votes if a match is under way."""
    chat_table = await context.tables.lookup.chat_table(data.ref)
    await context.require_host(press.chat, press.person.user)
    table = await context.tables.lookup.public_view(chat_table)
    if table is not None and table.status == "playing":
        return await _ask(context, press, data, chat_table, table)
    lobby = (await context.repositories.messages.by_slot(chat_table.ref)).get(LobbySlot(chat_table.ref))
    await _close(context, chat_table, press.person.user)
    if lobby != press.message:
        context.outbox.delete(press.chat, press.message)
    return Reply(outcome_text("closed", translations_in(press.person.language)))


async def close_by_command(context: BotContext, chat_table: ChatTable, sender: CommandSender) -> ClosingOutcome:
    """Close a table by command, or ask for votes in a new message. Anonymous administrators are not restricted."""
    table = await context.tables.lookup.public_view(chat_table)
    if table is None or table.status != "playing":
        await _close(context, chat_table, sender.user, decides=sender.anonymous)
        return "closed"
    if not sender.anonymous:
        await require_vote(context, chat_table, sender.user)
        await _require_first_question(context, chat_table, table, sender.user)
    slot = ClosingSlot(chat_table.ref, table.match.number)
    await context.outbox.ask(slot)
    if not sender.anonymous:
        await context.repositories.votes.note_question(slot.ref, slot.match, sender.user)
    context.show_again(slot.ref, slot, replace=True)
    return "open"


async def _require_first_question(context: BotContext, chat_table: ChatTable, table: Table, user: int) -> None:
    """Raise `ActionRefusedError` if the person has asked before in this match and the vote failed."""
    slot = ClosingSlot(chat_table.ref, table.match.number)
    if chat_table.alone or slot in await context.repositories.messages.by_slot(slot.ref):
        return
    if await context.repositories.votes.was_answered(slot.ref, slot.match, user):
        raise ActionRefusedError("asked_before")


async def _close(context: BotContext, chat_table: ChatTable, user: int, *, decides: bool = False) -> None:
    """Close a table without a match under way."""
    if not decides and not await context.members.is_administrator(chat_table.chat, user):
        await context.tables.lookup.require_seated(chat_table, user)
    await context.tables.setup.close(chat_table, (user,))


async def _ask(
    context: BotContext, press: ButtonPress, data: callback_data.CloseTable, chat_table: ChatTable, table: Table
) -> Reply | None:
    """Turn the pressed message into the question whether to close the table, or count a vote on it."""
    slot = ClosingSlot(data.ref, table.match.number)
    messages = await context.repositories.messages.by_slot(data.ref)
    if press.message in (message for asked_slot, message in messages.items() if asked_slot != slot):
        raise ActionRefusedError("stale")
    agree = None if data.sure is False else data.sure is True
    if agree is None:
        await require_vote(context, chat_table, press.person.user)
        await _require_first_question(context, chat_table, table, press.person.user)
    await context.keep_newer(slot, press)
    if agree is None:
        await context.repositories.votes.note_question(slot.ref, slot.match, press.person.user)
        return None
    question = await vote(context, chat_table, table, press.person.user, agree=agree)
    return Reply(outcome_text("closed", translations_in(press.person.language)) * (question.outcome == "closed"))


async def vote(
    context: BotContext, chat_table: ChatTable, table: Table, user: int, *, agree: bool | None
) -> ClosingQuestion:
    """Count a person's vote, if any, on closing a table during a match, and return the question with the outcome.

    The question in the chat shows the votes, then the outcome. Raises `ActionRefusedError` for a person who may not
    vote.
    """
    decides = await require_vote(context, chat_table, user)
    question = await context.tables.closing.vote(chat_table, table, user, agree=agree, decides=decides)
    slot = ClosingSlot(chat_table.ref, table.match.number)
    if question.outcome == "open" and agree is not None:
        await context.outbox.ask(slot)
        context.repositories.changes.note_table(slot.ref)
    elif question.outcome != "open":
        await _end_question(context, chat_table, slot, question.outcome)
        if question.outcome == "closed":
            agreeing = await context.repositories.votes.of_match(slot.ref, slot.match)
            await context.tables.setup.close(chat_table, (user,) if decides else tuple(agreeing))
    return question


async def _end_question(context: BotContext, chat_table: ChatTable, slot: ClosingSlot, outcome: ClosingOutcome) -> None:
    """Show the outcome in the question's message; if the table is closed, delete it: another message says so."""
    question = await context.outbox.release(slot)
    if not question:
        return
    if outcome == "closed":
        context.outbox.delete(chat_table.chat, question)
    else:
        language = await context.tables.lookup.language(chat_table)
        context.outbox.edit(chat_table.chat, question, note(outcome_text(outcome, translations_in(language))))
    await context.outbox.save()  # before closing: otherwise a crash would leave the question forever


async def require_vote(context: BotContext, chat_table: ChatTable, user: int) -> bool:
    """Return whether a person decides alone, as an administrator who does not play.

    Raises `ActionRefusedError` for a person who may not vote.
    """
    seats = await context.tables.lookup.seats(chat_table)
    if user in seats:
        return False
    if seats and not await context.members.is_administrator(chat_table.chat, user):
        raise ActionRefusedError("not_yours")
    return True
