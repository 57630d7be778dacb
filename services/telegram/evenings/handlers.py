"""The command /evening, and the buttons of evenings."""

import asyncio
from secrets import token_urlsafe
from time import time

from msgspec import structs

from locanda.translations import Language, translations_in
from services.telegram import callback_data
from services.telegram.evenings.evening import ENOUGH, Evening, EveningPlan, in_state
from services.telegram.evenings.screens import (
    dropped_screen,
    fix_screen,
    fixed_screen,
    how_to_fix_screen,
    morning_or_evening_screen,
    summary_screen,
)
from services.telegram.evenings.written_times import read_times
from services.telegram.handlers.callbacks import on_button
from services.telegram.handlers.context import BotContext, ButtonPress, CommandSender, Reply
from services.telegram.handlers.decisions import GroupRequest, decide, makes
from services.telegram.play.dates import WeeklyTime, local, next_time, read_zone, without_zone, zone_of, zones
from services.telegram.play.decisions import EveningChange, NoEvenings, ZoneChange
from services.telegram.records import NO_ID, PersonRecord
from services.telegram.screens.notices import note
from services.telegram.screens.screen import Screen
from services.telegram.tables.lookup import ActionRefusedError


async def evening(context: BotContext, sender: CommandSender, text: str) -> Screen:
    """Fix the group's evening. Without a time, show the current evening's standings or the next evening's time."""
    translations = translations_in(sender.language)
    if sender.private:
        return note(translations.gettext("Evenings belong to groups: ask me there."))
    await asyncio.to_thread(zones)
    if text:
        return await _ask(context, sender, text)
    latest = await context.repositories.evenings.latest(sender.chat)
    if latest is not None and latest.state == "playing":
        facts = await context.evenings.read(latest)
        screen = None if facts is None else summary_screen(facts.view, sender.language, picture=False)
        return screen or note(translations.gettext("Nobody has finished a match tonight yet."))
    plan = await context.repositories.evenings.plan(sender.chat)
    following = None if plan is None else plan.next(time())
    if plan is None or following is None:
        return how_to_fix_screen(await _zone(context, sender.chat, sender.language), sender.language)
    return fixed_screen(await context.catalogue.known(plan.game), following[1], plan.zone, plan.weekly, sender.language)


async def _ask(context: BotContext, sender: CommandSender, text: str) -> Screen:
    """Parse the written time, and ask which game and how often."""
    await context.require_host(sender.chat, sender.user, anonymous=sender.anonymous)
    zone, named = await _zone(context, sender.chat, sender.language), read_zone(text)
    if named is not None and named != zone:
        answer = await decide(context, sender, ZoneChange(named))
        zone = await _zone(context, sender.chat, sender.language)
        if zone != named:
            return answer
    possible = read_times(without_zone(text), local(time(), zone))
    if not possible:
        return how_to_fix_screen(zone, sender.language)
    game = await _favourite(context, sender.chat)
    if len(possible) > 1:
        return morning_or_evening_screen(possible, game, sender.language)
    return await _choices(context, possible[0], zone, game, sender.language)


async def _choices(context: BotContext, at: WeeklyTime, zone: str, game: str, language: Language) -> Screen:
    moment = next_time(at, zone, time())[1]
    return fix_screen(at, zone, moment, game, await context.catalogue.games(), language)


async def _zone(context: BotContext, chat: int, language: Language) -> str:
    return zone_of((await context.repositories.chats.chat(chat)).zone, language)


async def _favourite(context: BotContext, chat: int) -> str:
    """Return the game that a group has played most, or the first game of the catalogue."""
    played = [record.game for record in await context.repositories.leaderboards.records(chat)]
    names = [game.game for game in await context.catalogue.games()]
    return max(names, key=played.count)


@on_button(callback_data.FixEvening)
async def fix(context: BotContext, press: ButtonPress, data: callback_data.FixEvening) -> None:
    """Fix an evening, or choose its game first."""
    await context.require_host(press.chat, press.person.user)
    await asyncio.to_thread(zones)
    if data.weekly is None:
        await context.catalogue.known(data.game)
        zone = await _zone(context, press.chat, press.language)
        screen = await _choices(context, WeeklyTime(data.weekday, data.minute), zone, data.game, press.language)
    else:
        screen = await decide(context, press, EveningChange(data.weekday, data.minute, data.game, data.weekly))
    context.outbox.edit(press.chat, press.message, screen)


@on_button(callback_data.DropEvenings)
async def drop(context: BotContext, press: ButtonPress, _data: callback_data.DropEvenings) -> None:
    """Stop the group's evenings, and cancel an announced one."""
    await context.require_host(press.chat, press.person.user)
    context.outbox.edit(press.chat, press.message, await decide(context, press, NoEvenings()))


# --- changes, once the group has agreed


@makes(ZoneChange)
async def make_zone(context: BotContext, request: GroupRequest, change: ZoneChange, _by: int) -> Screen:
    """Set a group's time zone."""
    await context.repositories.chats.update_settings(request.chat, zone=change.zone)
    return how_to_fix_screen(change.zone, request.language)


@makes(EveningChange)
async def make_evening(context: BotContext, request: GroupRequest, change: EveningChange, by: int) -> Screen:
    """Save the group's plan. An announced evening moves if the new plan has the same day, else it is called off."""
    evenings, now = context.repositories.evenings, time()
    game, zone = await context.catalogue.known(change.game), await _zone(context, request.chat, request.language)
    before = await evenings.plan(request.chat)
    plan = EveningPlan(
        id=before.id if before else token_urlsafe(6),
        thread=request.thread,
        game=change.game,
        at=WeeklyTime(change.weekday, change.minute),
        zone=zone,
        weekly=change.weekly,
        since=now,
        seen=request.message,
        by=by,
    )
    await evenings.save_plan(request.chat, plan)
    day, moment = next_time(plan.at, zone, now)
    latest = await evenings.latest(request.chat)
    if latest is not None and latest.state == "gathering":
        if latest.ref == plan.ref(day):
            await evenings.save(structs.replace(latest, starts=moment, game=plan.game, zone=zone))
        else:
            await evenings.save(in_state(latest, "off", now))
    if before is not None and before.seen not in {NO_ID, request.message}:  # the earlier message shows an old time
        context.outbox.delete(request.chat, before.seen)
    return fixed_screen(game, moment, zone, change.weekly, request.language)


@makes(NoEvenings)
async def make_none(context: BotContext, request: GroupRequest, _change: NoEvenings, _by: int) -> Screen:
    """Stop the group's evenings, and cancel an announced one."""
    latest = await context.repositories.evenings.latest(request.chat)
    if latest is not None and latest.state == "gathering":
        await context.repositories.evenings.save(in_state(latest, "off", time()))
    await context.repositories.evenings.forget_plan(request.chat)
    return dropped_screen(request.language)


# --- answers


@on_button(callback_data.ComeToEvening)
async def come(context: BotContext, press: ButtonPress, data: callback_data.ComeToEvening) -> Reply:
    """Record whether a person comes. If the bot may not write to them yet, open their private chat first."""
    evening = await _evening(context, data.evening)
    if data.comes and not press.person.reachable:
        return Reply(url=context.link(f"evening_{data.evening}"))
    return Reply(await _come(context, evening, press.person, comes=data.comes))


async def come_by_link(context: BotContext, person: PersonRecord, ref: str) -> Screen:
    """Record that a person who followed a deep link comes."""
    evening = await _evening(context, ref)
    await context.members.require_in(evening.chat, person.user)
    return note(await _come(context, evening, person, comes=True))


async def _evening(context: BotContext, ref: str) -> Evening:
    """Return an evening. Raises `ActionRefusedError` if it is unknown, over or called off."""
    evening = await context.repositories.evenings.find(ref)
    if evening is None or evening.state not in {"gathering", "playing"}:
        raise ActionRefusedError("evening_over")
    return evening


async def _come(context: BotContext, evening: Evening, person: PersonRecord, *, comes: bool) -> str:
    translations = translations_in(person.language)
    await context.repositories.evenings.answer(evening.ref, person.user, comes=comes)
    if not comes:
        return translations.gettext("Another time, then!")
    await context.repositories.evenings.note_seen(evening, person.user)
    if evening.state == "playing":
        return translations.gettext("You are in from the next round on.")
    return translations.gettext("You are in! When it begins, your cards will come to you in private.")


# --- rounds


@on_button(callback_data.NextRound)
async def next_round(context: BotContext, press: ButtonPress, data: callback_data.NextRound) -> Reply:
    """Begin another round with the people who come."""
    evening = await _between_rounds(context, press, data.evening)
    if len(evening.tables) != data.after:
        raise ActionRefusedError("stale")
    await context.repositories.evenings.note_seen(evening, press.person.user)
    facts = await context.evenings.read(evening)
    coming = [] if facts is None else facts.view.coming
    if facts is None or len(coming) < ENOUGH:
        raise ActionRefusedError("evening_too_few")
    scores = facts.view.summary.scores if facts.view.summary else ()
    standing = [score.person for score in scores] if data.by_standing else None
    following = await context.tables.evenings.with_round(evening, coming, time(), standing)
    await context.repositories.evenings.save(following)
    return Reply(translations_in(press.person.language).gettext("The cards are being dealt!"))


@on_button(callback_data.EndEvening)
async def end_evening(context: BotContext, press: ButtonPress, data: callback_data.EndEvening) -> None:
    """End an evening."""
    evening = await _between_rounds(context, press, data.evening)
    await context.repositories.evenings.save(in_state(evening, "over", time()))


async def _between_rounds(context: BotContext, press: ButtonPress, ref: str) -> Evening:
    """Return an evening. Raises `ActionRefusedError` during a round, and for a person who does not come to it."""
    evening = await _evening(context, ref)
    if not (await context.repositories.evenings.answers(ref)).get(press.person.user):
        raise ActionRefusedError("evening_not_yours")
    if evening.state != "playing" or evening.begun < len(evening.tables):
        raise ActionRefusedError("stale")
    return evening
