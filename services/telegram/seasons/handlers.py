"""The command /season, and its buttons."""

from time import time

from msgspec import structs

from locanda.translations import translations_in
from services.telegram import callback_data
from services.telegram.handlers.callbacks import on_button
from services.telegram.handlers.context import BotContext, ButtonPress, CommandSender
from services.telegram.handlers.decisions import GroupRequest, decide, makes
from services.telegram.play.dates import zone_of
from services.telegram.play.decisions import LengthChange, PointsChange, SeasonEnd
from services.telegram.screens.notices import note
from services.telegram.screens.screen import Screen
from services.telegram.seasons.screens import SeasonView, season_screen
from services.telegram.seasons.season import Season, of_season, read_points, table
from services.telegram.tables.lookup import ActionRefusedError


async def season(context: BotContext, sender: CommandSender, text: str) -> Screen:
    """Show the group's season, or set the points of its places."""
    translations = translations_in(sender.language)
    if sender.private:
        return note(translations.gettext("Each group has a season of its own: ask me there."))
    if text:
        await context.require_host(sender.chat, sender.user, anonymous=sender.anonymous)
        points = read_points(text)
        if points is None:
            return note(translations.gettext("Write the points for the top places, highest first: /season 10 6 3 1"))
        return await decide(context, sender, PointsChange(points))
    return season_screen(await season_view(context, sender.chat), sender.language)


async def season_view(context: BotContext, chat: int) -> SeasonView:
    """Return the data of a group's season screen."""
    seasons, people = context.repositories.seasons, context.repositories.people
    current, group = await seasons.current(chat, time()), await context.repositories.chats.chat(chat)
    played, past = of_season(current, await seasons.record(chat)), await seasons.past(chat)
    scores, zone = table(current, played), zone_of(group.zone, group.language)
    named = {score.person for score in scores} | {person for season in past for person in season.champions}
    return SeasonView(
        season=current,
        scores=scores,
        past=past,
        names=await people.names(named),
        until=current.until(zone, played[0][0] if played else None),
        zone=zone,
    )


@on_button(callback_data.SetSeason)
async def set_season(context: BotContext, press: ButtonPress, data: callback_data.SetSeason) -> None:
    """Set how long seasons last."""
    await context.require_host(press.chat, press.person.user)
    context.outbox.edit(press.chat, press.message, await decide(context, press, LengthChange(data.length)))


@on_button(callback_data.EndSeason)
async def end_season(context: BotContext, press: ButtonPress, data: callback_data.EndSeason) -> None:
    """End the season, once the person has confirmed."""
    await context.require_host(press.chat, press.person.user)
    current = await context.repositories.seasons.current(press.chat, time())
    if current.number != data.number:
        raise ActionRefusedError("stale")
    if data.sure:
        screen = await decide(context, press, SeasonEnd(data.number))
    else:
        screen = season_screen(await season_view(context, press.chat), press.language, asks=data.sure is False)
    context.outbox.edit(press.chat, press.message, screen)


# --- changes, once the group has agreed


@makes(LengthChange)
async def make_length(context: BotContext, request: GroupRequest, change: LengthChange, by: int) -> Screen:
    """Set how long seasons last."""
    current = await context.repositories.seasons.current(request.chat, time())
    return await _saved(context, request, structs.replace(current, length=change.length, by=by))


@makes(PointsChange)
async def make_points(context: BotContext, request: GroupRequest, change: PointsChange, by: int) -> Screen:
    """Set the points of places. If a match was played in this season, they count from the next season on."""
    seasons = context.repositories.seasons
    current = await seasons.current(request.chat, time())
    if of_season(current, await seasons.record(request.chat)):
        return await _saved(context, request, structs.replace(current, following=change.points, by=by))
    return await _saved(context, request, structs.replace(current, points=change.points, following=(), by=by))


async def _saved(context: BotContext, request: GroupRequest, season: Season) -> Screen:
    await context.repositories.seasons.save(request.chat, season)
    return season_screen(await season_view(context, request.chat), request.language)


@makes(SeasonEnd)
async def make_end(context: BotContext, request: GroupRequest, change: SeasonEnd, _by: int) -> Screen:
    """End the season and announce it, unless it has ended already."""
    if (await context.repositories.seasons.current(request.chat, time())).number == change.number:
        await context.repositories.seasons.end(request.chat, time())
        await context.seasons.announce(request.chat)
    return season_screen(await season_view(context, request.chat), request.language)
