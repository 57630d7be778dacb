"""The closing of a table: at once before the match and by those who may decide, else by a vote of those who play."""

from msgspec import Struct

from locanda.messages import Table
from locanda.translations import translations_in
from services.telegram import callback_data
from services.telegram.handlers.callbacks import on_button
from services.telegram.handlers.context import BotContext, ButtonPress, Reply
from services.telegram.records import ChatTable, LobbySlot
from services.telegram.screens.notices import ClosingQuestion, confirm_close_screen, note
from services.telegram.screens.screen import table_letter
from services.telegram.tables.lookup import ActionRefusedError


class Voters(Struct, frozen=True):
    """The people who may vote: those at the table who are not away."""

    names: dict[int, str]
    """Their names by person."""
    decides: bool
    """Whether the person who has pressed decides alone."""

    @property
    def needed(self) -> int:
        """How many votes close the table: more than half."""
        return len(self.names) // 2 + 1


@on_button(callback_data.CloseTable)
async def close_table(context: BotContext, press: ButtonPress, data: callback_data.CloseTable) -> Reply:
    """Close a table; one with a match under way only after a question."""
    chat_table = await context.tables.lookup.chat_table(data.ref)
    await context.require_host(press.chat, press.person.user)
    table = await context.tables.lookup.public_view(chat_table)
    if table is not None and table.status == "playing":
        return await _ask(context, press, data, chat_table, table)
    if not await context.is_administrator(chat_table.chat, press.person.user):
        await context.tables.lookup.require_seated(chat_table, press.person.user)
    return await _close(context, press, chat_table)


async def _ask(
    context: BotContext, press: ButtonPress, data: callback_data.CloseTable, chat_table: ChatTable, table: Table
) -> Reply:
    """Ask whether to close a table in mid-match, take a vote on it, and act on it once it is decided."""
    if press.message in (await context.repositories.messages.by_slot(data.ref)).values():
        raise ActionRefusedError("stale")
    voters, user, match = await _voters(context, press, chat_table, table), press.person.user, table.match.number
    if data.sure is not False and not voters.decides:
        await context.repositories.votes.cast(data.ref, match, user, agree=data.sure is True)
    votes = await context.repositories.votes.of_match(data.ref, match)
    question = ClosingQuestion(
        ref=data.ref,
        name=table_letter(chat_table.letter, translations_in(press.language)),
        agree=[name for each, name in voters.names.items() if votes.get(each) is True],
        oppose=[name for each, name in voters.names.items() if votes.get(each) is False],
        needed=voters.needed,
        voters=len(voters.names),
    )
    if (data.sure and voters.decides) or len(question.agree) >= voters.needed:
        return await _close(context, press, chat_table)
    if data.sure is None and (voters.decides or question.is_lost):
        await context.repositories.votes.clear(data.ref)
        stays = translations_in(press.language).gettext("The match goes on.")
        context.outbox.edit(press.chat, press.message, note(stays))
        return Reply()
    context.outbox.edit(press.chat, press.message, confirm_close_screen(question, press.language))
    return Reply()


async def _voters(context: BotContext, press: ButtonPress, chat_table: ChatTable, table: Table) -> Voters:
    """Return who may vote. Raises `ActionRefusedError` for a person who has no say."""
    seats = await context.tables.lookup.seats(chat_table)
    user = press.person.user
    names = {each: table.seats[seat].name for each, seat in seats.items() if each == user or not table.seats[seat].away}
    decides = (
        not seats
        or (user in seats and seats[user] == table.host)
        or await context.is_administrator(chat_table.chat, user)
    )
    if user not in seats and not decides:
        raise ActionRefusedError("not_yours")
    return Voters(names, decides)


async def _close(context: BotContext, press: ButtonPress, chat_table: ChatTable) -> Reply:
    lobby = (await context.repositories.messages.by_slot(chat_table.ref)).get(LobbySlot(chat_table.ref))
    await context.followers.close(chat_table)
    if lobby != press.message:
        context.outbox.delete(press.chat, press.message)
    return Reply(translations_in(press.person.language).gettext("The table is closed."))
