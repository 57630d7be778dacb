"""Closing a table: at once before its match and by those who may decide, else by a vote of those who play.

The buttons of the chat and the Mini App vote by the same functions, and the chat's question shows every vote.
"""

from msgspec import Struct

from locanda.messages import Table
from locanda.translations import Language, translations_in
from services.telegram import callback_data
from services.telegram.handlers.callbacks import TABLE, on_button
from services.telegram.handlers.context import BotContext, ButtonPress, Reply
from services.telegram.records import NO_ID, ChatTable, ClosingSlot, LobbySlot
from services.telegram.screens.notices import (
    ClosingOutcome,
    ClosingQuestion,
    confirm_close_screen,
    note,
    outcome_text,
)
from services.telegram.sending.messages import Address, Priority
from services.telegram.tables.lookup import ActionRefusedError


@on_button(callback_data.CloseTable, on=TABLE)
async def close_table(context: BotContext, press: ButtonPress, data: callback_data.CloseTable) -> Reply:
    """Close a table; one with a match under way only after a question."""
    chat_table = await context.tables.lookup.chat_table(data.ref)
    await context.require_host(press.chat, press.person.user)
    table = await context.tables.lookup.public_view(chat_table)
    if table is not None and table.status == "playing":
        return await _ask(context, press, data, chat_table, table)
    if not await context.is_administrator(chat_table.chat, press.person.user):
        await context.tables.lookup.require_seated(chat_table, press.person.user)
    lobby = (await context.repositories.messages.by_slot(chat_table.ref)).get(LobbySlot(chat_table.ref))
    await context.followers.close(chat_table)
    if lobby != press.message:
        context.outbox.delete(press.chat, press.message)
    return Reply(outcome_text("closed", translations_in(press.person.language)))


async def _ask(
    context: BotContext, press: ButtonPress, data: callback_data.CloseTable, chat_table: ChatTable, table: Table
) -> Reply:
    """Ask in the pressed message whether to close a table in mid-match, or count the vote that the press is."""
    question = ClosingSlot(data.ref, table.match.number)
    messages = await context.repositories.messages.by_slot(data.ref)
    if press.message in (message for slot, message in messages.items() if slot != question):
        raise ActionRefusedError("stale")
    agree = None if data.sure is False else data.sure is True
    ballot = await vote(context, chat_table, table, press.person.user, agree=agree)
    await _keep_one_question(context, press, question, messages.get(question, NO_ID))
    if ballot.outcome == "closed":
        await close_decided(context, chat_table, ballot)
        return Reply(outcome_text("closed", translations_in(press.person.language)))
    await show_ballot(context, chat_table, ballot, press.language)
    return Reply()


async def _keep_one_question(context: BotContext, press: ButtonPress, slot: ClosingSlot, known: int) -> None:
    """Let the newer of two messages be a table's question, and delete the other."""
    if known not in {NO_ID, press.message}:
        context.outbox.delete(press.chat, min(known, press.message))
    if known < press.message:
        await context.repositories.messages.record_id(slot, press.message)
        context.outbox.adopt(slot, press.chat, press.message)
        context.outbox.recheck(slot, press.chat)


# --- the vote


class Voters(Struct, frozen=True):
    """The people who may vote: those at the table who are not away."""

    names: dict[int, str]
    """Their names by person."""
    decides: bool
    """Whether the person who votes decides alone."""

    @property
    def needed(self) -> int:
        """How many votes close the table: more than half."""
        return len(self.names) // 2 + 1


class Ballot(Struct, frozen=True):
    """A vote on closing a table."""

    match: int
    """The number of the match."""
    question: ClosingQuestion
    outcome: ClosingOutcome


async def vote(context: BotContext, chat_table: ChatTable, table: Table, user: int, *, agree: bool | None) -> Ballot:
    """Count a person's vote on closing a table in mid-match, or none; return how the vote stands then.

    Whoever decides alone decides by it. The caller then calls `show_ballot` or `close_decided`. Raises
    `ActionRefusedError` for a person without a vote.
    """
    votes, ref, match = context.repositories.votes, chat_table.ref, table.match.number
    voters = await _voters(context, chat_table, table, user, votes=agree is not None)
    if agree is not None and not voters.decides:
        await votes.cast(ref, match, user, agree=agree)
    cast = await votes.of_match(ref, match)
    question = ClosingQuestion(
        ref=ref,
        letter=chat_table.letter,
        agree=[name for each, name in voters.names.items() if cast.get(each) is True],
        oppose=[name for each, name in voters.names.items() if cast.get(each) is False],
        needed=voters.needed,
        voters=len(voters.names),
    )
    outcome: ClosingOutcome = "open"
    if agree is not None and ((agree and voters.decides) or len(question.agree) >= voters.needed):
        outcome = "closed"
    elif agree is False and (voters.decides or question.is_lost):
        await votes.clear(ref)
        outcome = "kept"
    return Ballot(match, question, outcome)


async def _voters(context: BotContext, chat_table: ChatTable, table: Table, user: int, *, votes: bool) -> Voters:
    """Return who may vote. Raises `ActionRefusedError` for a person without a vote.

    Telegram is asked for the administrators only where that may matter: if the person votes, or does not sit here.
    """
    seats = await context.tables.lookup.seats(chat_table)
    names = {each: table.seats[seat].name for each, seat in seats.items() if each == user or not table.seats[seat].away}
    decides = (
        not seats
        or (user in seats and seats[user] == table.host)
        or ((votes or user not in seats) and await context.is_administrator(chat_table.chat, user))
    )
    if user not in seats and not decides:
        raise ActionRefusedError("not_yours")
    return Voters(names, decides)


async def show_ballot(context: BotContext, chat_table: ChatTable, ballot: Ballot, language: Language) -> None:
    """Show in the table's chat how a vote stands: in the question's message, or in a new one if there is none."""
    slot, messages = ClosingSlot(chat_table.ref, ballot.match), context.repositories.messages
    to, known = Address(chat_table.chat, chat_table.thread), (await messages.shown(chat_table.ref)).get(slot)
    if ballot.outcome == "open":
        screen = confirm_close_screen(ballot.question, language)
        context.outbox.show(slot, to, screen, known=known, priority=Priority.NEWS, keep=True)
        if known is None:  # a question that was decided before is not asked again far up in the chat
            context.outbox.recheck(slot, chat_table.chat, replace=True)
    else:
        screen = note(outcome_text(ballot.outcome, translations_in(language)))
        context.outbox.show(slot, to, screen, known=known, priority=Priority.NEWS, create=False, keep=True)
        await messages.forget(slot)


async def close_decided(context: BotContext, chat_table: ChatTable, ballot: Ballot) -> None:
    """Close a table, as a vote has decided, and take its question away."""
    slot, chat = ClosingSlot(chat_table.ref, ballot.match), chat_table.chat
    message = (await context.repositories.messages.by_slot(chat_table.ref)).get(slot, NO_ID)
    if message == NO_ID:
        # A question that is not sent yet is not sent any more.
        context.outbox.show(slot, Address(chat, chat_table.thread), note(""), create=False)
    await context.followers.close(chat_table)
    if message != NO_ID:
        context.outbox.delete(chat, message)
