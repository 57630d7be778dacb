"""The Mini App's call for the vote on closing a group's table in mid-match: the same vote as in the group."""

from msgspec import Struct

from locanda.translations import translations_in
from services.telegram.handlers.closing import close_decided, show_ballot, vote
from services.telegram.handlers.context import BotContext
from services.telegram.mini_app.requests import AppRequest, Caller
from services.telegram.screens.notices import (
    ClosingOutcome,
    closing_answers,
    closing_text,
    outcome_text,
    who_decides,
)
from services.telegram.screens.screen import table_letter
from services.telegram.tables.lookup import ActionRefusedError


class ClosingRequest(AppRequest, frozen=True, kw_only=True):
    """The body of the call."""

    agree: bool | None = None
    """The person's vote to close the table, or against it; null to see how the vote stands."""


class ClosingBallot(Struct, frozen=True):
    """The answer: how the vote stands, and its words."""

    outcome: ClosingOutcome
    agree: list[str]
    """The names of those who have voted to close the table."""
    oppose: list[str]
    needed: int
    """How many votes close the table."""
    text: str
    """The question, or what was decided."""
    rule: str
    """Who decides."""
    yes: str
    no: str


async def vote_on_closing(context: BotContext, caller: Caller, wanted: ClosingRequest) -> ClosingBallot:
    """Count a vote, or none, and return how the vote stands; the group's question shows it too.

    Raises `ActionRefusedError` for a person without a vote, and where no match is under way or the table is no group's.
    """
    chat_table, user = caller.chat_table, caller.user.id
    if chat_table.alone:
        raise ActionRefusedError("no_table")
    await context.require_host(chat_table.chat, user)
    table = await context.tables.lookup.public_view(chat_table)
    if table is None or table.status != "playing":
        raise ActionRefusedError("not_playing")
    ballot = await vote(context, chat_table, table, user, agree=wanted.agree)
    if ballot.outcome == "closed":
        await close_decided(context, chat_table, ballot)
    elif wanted.agree is not None:
        await show_ballot(
            context, chat_table, ballot, (await context.repositories.chats.chat(chat_table.chat)).language
        )
    translations = translations_in(caller.language)
    question, (yes, no) = ballot.question, closing_answers(translations)
    return ClosingBallot(
        outcome=ballot.outcome,
        agree=question.agree,
        oppose=question.oppose,
        needed=question.needed,
        text=outcome_text(ballot.outcome, translations)
        or closing_text(table_letter(question.letter, translations), translations),
        rule=who_decides(question, translations),
        yes=yes,
        no=no,
    )
