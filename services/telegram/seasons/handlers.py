"""The command /season, and its buttons."""

from time import time

from msgspec import structs

from locanda.translations import translations_in
from services.telegram import callback_data
from services.telegram.handlers.callbacks import on_button
from services.telegram.handlers.context import BotContext, ButtonPress, CommandSender
from services.telegram.play.dates import zone_of
from services.telegram.screens.notices import note
from services.telegram.screens.screen import Screen
from services.telegram.seasons.screens import SeasonView, season_screen
from services.telegram.seasons.season import of_season, read_points, table
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
            return note(translations.gettext("Write the points of the first places, the most first: /season 10 6 3 1"))
        seasons = context.repositories.seasons
        await seasons.save(sender.chat, structs.replace(await seasons.current(sender.chat, time()), points=points))
    return season_screen(await season_view(context, sender.chat), sender.language)


async def season_view(context: BotContext, chat: int) -> SeasonView:
    """Return a group's season as its screen shows it."""
    seasons, people = context.repositories.seasons, context.repositories.people
    current, group = await seasons.current(chat, time()), await context.repositories.chats.chat(chat)
    played, past = of_season(current, await seasons.record(chat)), await seasons.past(chat)
    scores, zone = table(current, played), zone_of(group.zone, group.language)
    named = {score.person for score in scores} | {person for each in past for person in each.champions}
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
    current = await context.repositories.seasons.current(press.chat, time())
    await context.repositories.seasons.save(press.chat, structs.replace(current, length=data.length))
    await _show(context, press)


@on_button(callback_data.EndSeason)
async def end_season(context: BotContext, press: ButtonPress, data: callback_data.EndSeason) -> None:
    """End the season, once somebody is sure."""
    await context.require_host(press.chat, press.person.user)
    current = await context.repositories.seasons.current(press.chat, time())
    if current.number != data.number:
        raise ActionRefusedError("stale")
    if data.sure:
        await context.repositories.seasons.end(press.chat, time())
        await context.seasons.announce(press.chat)
    await _show(context, press, asks=data.sure is False)


async def _show(context: BotContext, press: ButtonPress, *, asks: bool = False) -> None:
    screen = season_screen(await season_view(context, press.chat), press.language, asks=asks)
    context.outbox.edit(press.chat, press.message, screen)
