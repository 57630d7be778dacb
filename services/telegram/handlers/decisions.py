"""Decisions on a group's evenings and seasons.

Administrators and the person who set the plan or the seasons decide alone; other people start a vote. A person may
propose another change only after the group's answer, and after a day at the earliest.
"""

from collections.abc import Awaitable, Callable
from time import time
from typing import Any, TypeAlias, TypeVar

from locanda.translations import translations_in
from services.telegram import callback_data
from services.telegram.handlers.callbacks import on_button
from services.telegram.handlers.context import BotContext, ButtonPress, CommandSender
from services.telegram.play.dates import WeeklyTime, next_time, zone_of
from services.telegram.play.decisions import AGAIN_SECONDS, Change, EveningChange, GroupDecision, OfSeasons, SeasonEnd
from services.telegram.records import NOBODY
from services.telegram.screens.decisions import change_text, decided_by, declined_text, question_screen
from services.telegram.screens.games import game_name
from services.telegram.screens.notices import note
from services.telegram.screens.screen import Screen, time_of
from services.telegram.tables.lookup import ActionRefusedError

C = TypeVar("C")


GroupRequest: TypeAlias = ButtonPress | CommandSender
"""The press or command with which a person asks for a change in a group."""
Make = Callable[[BotContext, GroupRequest, C, int], Awaitable[Screen]]
"""Makes a change for a person (`NOBODY` if anonymous), and returns the group's new message."""
MAKERS: dict[type, Make[Any]] = {}


def makes(change: type[C]) -> Callable[[Make[C]], Make[C]]:
    """Register the decorated function as the maker of a type of change."""

    def register(make: Make[C]) -> Make[C]:
        MAKERS[change] = make
        return make

    return register


async def decide(context: BotContext, request: GroupRequest, change: Change) -> Screen:
    """Make a change if the person decides alone, otherwise ask the group to vote. Return the group's message."""
    chat, person = request.chat, request.person
    if person is None or await _decides(context, chat, person.user, change):
        return await _make(context, request, change, [] if person is None else [person.user])
    user, now = person.user, int(time())
    before = await context.repositories.decisions.find(chat, user)
    voters = await context.repositories.leaderboards.people(chat)
    if before is not None and (before.change, before.outcome) == (change, "open"):  # repeat the question
        return await _settle(context, request, before, len(voters))
    if before is not None and now - before.asked < AGAIN_SECONDS:
        raise ActionRefusedError("asked_lately")
    decision = GroupDecision(user, now, change, {})
    if user in voters or not voters:
        decision = decision.with_vote(user, agree=True, alone=False, voters=len(voters))
    return await _settle(context, request, decision, len(voters))


@on_button(callback_data.VoteOnChange)
async def vote(context: BotContext, press: ButtonPress, data: callback_data.VoteOnChange) -> None:
    """Count a vote on a proposed change."""
    decision, user = await context.repositories.decisions.find(press.chat, data.by), press.person.user
    if decision is None or (decision.asked, decision.outcome) != (data.asked, "open"):
        raise ActionRefusedError("stale")
    alone = await _decides(context, press.chat, user, decision.change)
    voters = await context.repositories.leaderboards.people(press.chat)
    if not alone and voters and user not in voters:
        raise ActionRefusedError("voters_only")
    voted = decision.with_vote(user, agree=data.agree, alone=alone, voters=len(voters))
    context.outbox.edit(press.chat, press.message, await _settle(context, press, voted, len(voters)))


async def _settle(context: BotContext, request: GroupRequest, decision: GroupDecision, voters: int) -> Screen:
    """Store a decision and make its change if it is accepted; return the group's message."""
    match decision.outcome:
        case "made":
            screen = await _make(context, request, decision.change, decision.of(agree=True))
        case "declined":
            screen = note(declined_text(translations_in(request.language)))
        case _:
            names = await context.repositories.people.names({decision.by, *decision.votes})
            what = await _in_words(context, request, decision.change)
            screen = question_screen(decision, what, names, voters, request.language)
    await context.repositories.decisions.save(request.chat, decision)
    return screen


async def _make(context: BotContext, request: GroupRequest, change: Change, users: list[int]) -> Screen:
    screen = await MAKERS[type(change)](context, request, change, users[0] if users else NOBODY)
    names = await context.repositories.people.names(users)
    return decided_by(screen, [names[user] for user in users if user in names], request.language)


async def _in_words(context: BotContext, request: GroupRequest, change: Change) -> str:
    when = game = ""
    if isinstance(change, EveningChange):
        zone = zone_of((await context.repositories.chats.chat(request.chat)).zone, request.language)
        moment = next_time(WeeklyTime(change.weekday, change.minute), zone, time())[1]
        when = time_of(moment, zone, request.language)
        game = game_name(await context.catalogue.known(change.game), request.language)
    return change_text(change, when, game, translations_in(request.language))


async def _decides(context: BotContext, chat: int, user: int, change: Change) -> bool:
    """Return whether a person decides alone: administrators and the plan's author do; without a plan, anybody does."""
    if isinstance(change, OfSeasons):
        fixed = await _may_change_season(context, chat, user, ends=isinstance(change, SeasonEnd))
    else:
        plan = await context.repositories.evenings.plan(chat)
        fixed = plan is None or plan.by == user
    return fixed or await context.members.is_administrator(chat, user)


async def _may_change_season(context: BotContext, chat: int, user: int, *, ends: bool) -> bool:
    """Return whether a player may change or end the seasons alone: they set the seasons, or nobody did.

    If nobody set the seasons, nobody may end the current one alone.
    """
    season = await context.repositories.seasons.current(chat, time())
    players = await context.repositories.leaderboards.people(chat)
    first = season.by == NOBODY and not ends
    return (first or season.by == user) and (user in players or not players)
