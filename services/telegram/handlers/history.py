"""The command /history: a person's own matches."""

from locanda.messages import GameInfo
from services.telegram.handlers.context import BotContext, CommandSender
from services.telegram.play.dates import zone_of
from services.telegram.play.history import history
from services.telegram.screens.history import HistoryView, history_screen
from services.telegram.screens.screen import Screen


async def own_history(context: BotContext, sender: CommandSender, _text: str) -> Screen:
    """Show the person their own matches, over all groups."""
    repositories, user = context.repositories, sender.user
    tallies, matches, row, earlier = await repositories.leaderboards.matches_of(user)
    matches_seen = history(matches, user, row, earlier)
    games: dict[str, GameInfo] = {game.game: game for game in await context.catalogue.games()}
    chats = {chat: await repositories.chats.chat(chat) for chat in {match.chat for match in matches}}
    named = {met.person for met in matches_seen.met} | {partner.person for partner in matches_seen.partners}
    return history_screen(
        HistoryView(
            user=user,
            tallies=[
                (games[game], tally)
                for game, tally in sorted(tallies.items(), key=lambda entry: -entry[1].matches)
                if game in games
            ],
            history=matches_seen,
            titles=[
                (past.number, chat.title)
                for number, chat in chats.items()
                for past in await repositories.seasons.past(number)
                if user in past.champions
            ],
            names=await repositories.people.names(named),
            groups={number: chat.title for number, chat in chats.items()},
            zones={number: zone_of(chat.zone, chat.language) for number, chat in chats.items()},
        ),
        sender.language,
    )
