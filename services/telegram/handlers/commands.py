"""The bot's commands: `COMMANDS` also determines Telegram's lists of commands, and the help."""

from collections.abc import Awaitable, Callable
from typing import Literal

import structlog
from msgspec import Struct
from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    Message,
)
from telegram.constants import MessageEntityType
from telegram.error import TelegramError

from locanda.errors import UnavailableError
from locanda.games.base import N_
from locanda.translations import Language, nearest_language, translations_in
from services.common.redis_urls import REDIS_ERRORS
from services.telegram import callback_data
from services.telegram.evenings.handlers import come_by_link, evening
from services.telegram.handlers.callbacks import FAILURES, code_of, draw_again, failure_text
from services.telegram.handlers.closing import close_by_command
from services.telegram.handlers.context import BotContext, CommandSender, sender_of, thread_of
from services.telegram.handlers.group_hands import my_hand
from services.telegram.handlers.history import own_history
from services.telegram.handlers.settings import custom_emoji
from services.telegram.handlers.table import leave, proof_of
from services.telegram.lessons.handlers import learn, rules_page
from services.telegram.records import ChatTable, HandSlot, LobbySlot, PersonRecord
from services.telegram.repositories.chat_tables import new_ref
from services.telegram.screens.games import game_name
from services.telegram.screens.leaderboard import leaderboard_screen
from services.telegram.screens.lobby import choose_screen
from services.telegram.screens.notices import (
    close_screen,
    note,
    nudge_screen,
    outcome_text,
    refusal_text,
    seated_screen,
)
from services.telegram.screens.screen import Screen, table_letter
from services.telegram.screens.settings_and_help import (
    forget_screen,
    group_screen,
    help_screen,
    owner_help_screen,
    person_screen,
)
from services.telegram.seasons.handlers import season
from services.telegram.sending.messages import Address, Priority
from services.telegram.tables.lookup import ActionRefusedError
from services.telegram.updates import request_id

log = structlog.get_logger(__name__)

CommandAction = Callable[[BotContext, CommandSender, str], Awaitable[Screen | None]]
"""Runs a command and returns its answer. The string is the text after the command."""


async def play(context: BotContext, sender: CommandSender, _text: str) -> Screen:
    """Ask which game to play."""
    games = await context.catalogue.games()
    if not sender.private:
        await context.require_host(sender.chat, sender.user, anonymous=sender.anonymous)
    return choose_screen(new_ref(), games, sender.language, alone=sender.private)


async def rules(context: BotContext, sender: CommandSender, _text: str) -> Screen:
    """Show the rules of the game at this chat's table, or of the catalogue's first game."""
    chat_tables = await context.repositories.chat_tables.siblings(sender.chat, sender.thread)
    if sender.private and not chat_tables:
        chat_tables = await context.repositories.chat_tables.of_person(sender.user)
    game = chat_tables[0].game if chat_tables else (await context.catalogue.games())[0].game
    return await rules_page(context, game, 0, chat_tables[0].ref if chat_tables else None, sender.language)


async def nudge(context: BotContext, sender: CommandSender, _text: str) -> Screen | None:
    """Notify the people on turn at this chat's tables; in private, at the sender's tables."""
    answer = await _nudge(context, sender)
    if answer and not sender.private and sender.person is not None and sender.person.reachable:
        context.outbox.send(Address(sender.user), note(answer))
        return None
    return note(answer) if answer else None


async def _nudge(context: BotContext, sender: CommandSender) -> str:
    """Notify the people on turn; return the answer, empty if the group sees the nudge itself."""
    translations = translations_in(sender.language)
    if sender.private:
        chat_tables = await context.repositories.chat_tables.of_person(sender.user)
    else:
        chat_tables = await context.repositories.chat_tables.siblings(sender.chat, sender.thread)
        if not (await context.repositories.chats.chat(sender.chat)).nudges:
            return translations.gettext("Nudges are off in this group.")
    for chat_table in chat_tables:
        context.show_again(chat_table.ref)
    called = [await _nudge_at(context, chat_table, sender) for chat_table in chat_tables if not chat_table.alone]
    if "too_soon" in called:
        return translations.gettext("Somebody was nudged just now: be patient.")
    if "called" in called:
        return translations.gettext("Called!") if sender.private else ""
    if "not_yours" in called:
        return translations.gettext("Only those who sit here may do this.")
    return translations.gettext("We are waiting for nobody.")


async def _nudge_at(context: BotContext, chat_table: ChatTable, sender: CommandSender) -> str:
    """Notify the person on turn at a table; return `called`, `nobody`, `not_yours` or `too_soon`."""
    table = await context.tables.lookup.public_view(chat_table)
    turn = None if table is None or table.deal is None else table.deal.turn
    chat = await context.repositories.chats.chat(chat_table.chat)
    if table is None or turn is None or table.status != "playing" or not chat.nudges:
        return "nobody"
    if table.seats[turn].kind != "person" or table.seats[turn].away:
        return "nobody"
    seats = await context.tables.lookup.seats(chat_table)
    on_turn = next((user for user, seat in seats.items() if seat == turn), None)
    if sender.user not in seats:
        return "not_yours"
    if not await context.repositories.messages.may_nudge(chat_table.ref, request_id() or "", table.version):
        return "too_soon"
    replace = callback_data.RemovePlayer(chat_table.ref, table.version, turn) if table.turn_seconds is None else None
    caller = "" if sender.person is None or sender.user == on_turn else sender.person.name
    screen = nudge_screen(on_turn, table.seats[turn].name, caller, replace, chat.language)
    context.outbox.send(Address(chat_table.chat, chat_table.thread), screen, Priority.PING)
    return "called"


async def leaderboard(context: BotContext, sender: CommandSender, _text: str) -> Screen:
    """Show the leaderboard of the game that the group plays most."""
    if sender.private:
        return note(translations_in(sender.language).gettext("Each group has a leaderboard of its own: ask me there."))
    games = await context.catalogue.games()
    boards = [(game, await context.repositories.leaderboards.standings(sender.chat, game.game)) for game in games]
    game, standings = max(boards, key=lambda board: sum(standing.matches for standing in board[1]))
    return leaderboard_screen(game, standings, games, sender.language)


async def close(context: BotContext, sender: CommandSender, _text: str) -> Screen | None:
    """Close this chat's table; if there are several, ask which table to close."""
    await context.require_host(sender.chat, sender.user, anonymous=sender.anonymous)
    translations = translations_in(sender.language)
    chat_tables = await context.repositories.chat_tables.siblings(sender.chat, sender.thread)
    if not chat_tables:
        return note(translations.gettext("There is no table here."))
    if len(chat_tables) == 1:
        outcome = await close_by_command(context, chat_tables[0], sender)
        return note(outcome_text(outcome, translations)) if outcome == "closed" else None
    names = []
    for chat_table in chat_tables:
        game = await context.catalogue.game(chat_table.game)
        letter = table_letter(chat_table.letter, translations)
        names.append((chat_table.ref, f"{game_name(game, sender.language)} · {letter}" if game else letter))
    return close_screen(names, sender.language)


async def settings(context: BotContext, sender: CommandSender, _text: str) -> Screen:
    """Show the person's settings in private, or the group's settings to its administrators."""
    if sender.private and sender.person is not None:
        return person_screen(sender.person, sender.language)
    if not sender.anonymous and not await context.members.is_administrator(sender.chat, sender.user):
        raise ActionRefusedError("administrators_only")
    return group_screen(await context.repositories.chats.chat(sender.chat), sender.language)


async def forget_me(_context: BotContext, sender: CommandSender, _text: str) -> Screen:
    """Ask which of the person's data to delete."""
    return forget_screen(sender.language)


async def my_data(_context: BotContext, sender: CommandSender, _text: str) -> Screen:
    """Send the person all their stored data as a file."""
    translations = translations_in(sender.language)
    return Screen(translations.gettext("Everything I know about you. /forgetme deletes it."), document="locanda.json")


async def help_(context: BotContext, sender: CommandSender, _text: str) -> Screen:
    """List the commands."""
    return help_to(context, sender)


async def start(context: BotContext, sender: CommandSender, payload: str) -> Screen | None:
    """Answer /start. A deep link's payload may seat the person, answer an invitation, or show rules or a proof."""
    kind, _, ref = payload.partition("_")
    if sender.private:
        await _show_hands(context, sender.user)
    if sender.private and sender.person is not None and kind == "sit":
        return await _seat_by_link(context, sender.person, ref)
    if sender.private and sender.person is not None and kind == "evening":
        return await come_by_link(context, sender.person, ref)
    if sender.private and kind == "rules":
        chat_table = await context.tables.lookup.chat_table(ref)
        return await rules_page(context, chat_table.game, 0, ref, sender.language)
    if sender.private and kind == "proof":
        return await proof_of(context, ref, sender.language)
    return help_to(context, sender)


async def _show_hands(context: BotContext, user: int) -> None:
    """Send the person's hands as new messages, because the person may have deleted the old messages."""
    for chat_table in await context.repositories.chat_tables.of_person(user):
        if not chat_table.over:
            context.show_again(chat_table.ref, HandSlot(chat_table.ref, user), replace=True)


async def unknown(_context: BotContext, sender: CommandSender, _text: str) -> Screen:
    """Answer an unknown command."""
    return note(translations_in(sender.language).gettext("I do not know this command. /help tells what I can do."))


Place = Literal["private", "group", "administrators", "owner"]
"""The lists of commands: in private chats, for a group's people, for its administrators, for the bot's owner."""
SCOPES: dict[Place, BotCommandScope] = {
    "private": BotCommandScopeAllPrivateChats(),
    "group": BotCommandScopeAllGroupChats(),
    "administrators": BotCommandScopeAllChatAdministrators(),
}
EVERYWHERE: tuple[Place, ...] = ("private", "group", "administrators")
ALONE: tuple[Place, ...] = ("private",)
IN_GROUPS: tuple[Place, ...] = ("group", "administrators")


class ChatCommand(Struct, frozen=True):
    """A command of the bot."""

    english: str
    italian: str
    description: str
    """The command's line in the help and in Telegram's lists; a message id for translation."""
    handler: CommandAction
    places: tuple[Place, ...] = EVERYWHERE
    """The lists that contain the command. It works in all chats unless only the private list contains it."""
    ephemeral: bool = False
    """Whether a group's other people do not see the command, if Telegram supports that (Bot API 10.2, BotCommand)."""

    def name(self, language: Language) -> str:
        """Return the command's name in a language. The names in both languages always work."""
        return self.italian if language == "it" else self.english


COMMANDS = (
    ChatCommand("play", "gioca", N_("open a table; in private, play against the computer"), play),
    ChatCommand("learn", "impara", N_("learn a game by playing a deal"), learn, ALONE),
    ChatCommand("rules", "regole", N_("how it is played"), rules),
    ChatCommand("nudge", "sollecita", N_("call the player on turn"), nudge),
    ChatCommand("hand", "mano", N_("your hand, which nobody else sees"), my_hand, ephemeral=True),
    ChatCommand("leave", "lascia", N_("leave the table"), leave),
    ChatCommand("leaderboard", "classifica", N_("who wins most here"), leaderboard, IN_GROUPS),
    ChatCommand("evening", "serata", N_("fix an evening of cards, or see how it stands"), evening, IN_GROUPS),
    ChatCommand("season", "stagione", N_("the season's table, and the titles"), season, IN_GROUPS),
    ChatCommand("history", "storia", N_("your matches, and whom you meet most"), own_history, ALONE),
    ChatCommand("close", "chiudi", N_("close a table"), close, IN_GROUPS),
    ChatCommand(
        "settings", "impostazioni", N_("language, times, who opens tables"), settings, ("private", "administrators")
    ),
    ChatCommand("forgetme", "dimenticami", N_("delete what I know of you"), forget_me, ALONE),
    ChatCommand("mydata", "dati", N_("all that I know of you, as a file"), my_data, ALONE),
    ChatCommand("emoji", "emoji", N_("pictures of cards in messages"), custom_emoji, ("owner",)),
    ChatCommand("help", "aiuto", N_("what I can do"), help_),
    ChatCommand("start", "start", "", start, ()),
)
UNKNOWN = ChatCommand("", "", "", unknown, ())
BY_NAME = {name: command for command in COMMANDS for name in (command.english, command.italian)}


def text_after(message: Message) -> str:
    """Return a message's text after the command, including further lines."""
    return "".join((message.text or "").split(maxsplit=1)[1:]).strip()


def command_in(message: Message, username: str) -> ChatCommand | None:
    """Return the command at the start of a message; in a group, None for an unknown or another bot's command."""
    found_entity = next((entity for entity in message.entities if entity.type == MessageEntityType.BOT_COMMAND), None)
    if message.text is None or found_entity is None or found_entity.offset:
        return None
    name, _, bot = message.text[1 : found_entity.length].lower().partition("@")
    known = BY_NAME.get(name) if bot in {"", username.lower()} else None
    return known or (UNKNOWN if message.chat.id > 0 else None)


def listed(language: Language, place: Place) -> list[BotCommand]:
    """Return a list of commands for Telegram's setMyCommands."""
    translations = translations_in(language)
    return [
        BotCommand(
            command.name(language),
            translations.gettext(command.description),
            api_kwargs={"is_ephemeral": True} if command.ephemeral and place != "private" else None,
        )
        for command in COMMANDS
        if place in command.places
    ]


def described(language: Language, place: Place) -> list[tuple[str, str]]:
    """Return the name and the description of each command in a list."""
    return [(command.command, command.description) for command in listed(language, place)]


def help_for(language: Language, place: Place) -> Screen:
    """Return the help with the commands of a list."""
    return help_screen(described(language, place), language)


def help_to(context: BotContext, sender: CommandSender) -> Screen:
    """Return the help for the sender. In private, the bot's owner also gets instructions for the setup."""
    if not sender.private:
        return help_for(sender.language, "administrators")
    commands = described(sender.language, "private")
    if sender.user != context.owner:
        return help_screen(commands, sender.language)
    return owner_help_screen(commands, described(sender.language, "owner"), context.links.address, sender.language)


async def publish_commands(bot: Bot) -> None:
    """Send Telegram the lists of commands for each scope and language (Bot API, setMyCommands)."""
    languages: tuple[tuple[Language, str | None], ...] = (("en", None), ("it", "it"))
    try:
        for place, scope in SCOPES.items():
            for language, code in languages:
                await bot.set_my_commands(listed(language, place), scope=scope, language_code=code)
    except TelegramError as error:
        log.warning("commands_not_published", reason=type(error).__name__)


async def run_command(context: BotContext, command: ChatCommand, message: Message) -> None:
    """Run a command and send its answer."""
    try:
        await _run(context, command, message)
    except REDIS_ERRORS as error:
        log.warning("redis_unreachable", reason=type(error).__name__)
        language = nearest_language(message.from_user.language_code if message.from_user else None)
        sorry = note(refusal_text("unreachable", {}, None, language))
        context.outbox.send(Address(message.chat.id, thread_of(message)), sorry)


async def _run(context: BotContext, command: ChatCommand, message: Message) -> None:
    sender = await sender_of(context.repositories, message)
    if sender is None:
        return
    text = text_after(message)
    try:
        if command.places == ALONE and not sender.private:
            raise ActionRefusedError("private_only")
        answer = await command.handler(context, sender, text)
    except FAILURES as failure:
        answer = note(await failure_text(context, failure, sender.person, sender.language))
    to = Address(sender.chat, sender.thread)
    if answer is not None and not context.outbox.send(to, answer):
        slowly = note(refusal_text("too_many_requests", {}, None, sender.language))
        context.outbox.send(to, slowly, Priority.PING)


async def _seat_by_link(context: BotContext, person: PersonRecord, ref: str) -> Screen:
    """Seat a person who followed a deep link; return the answer, with a link back to the group."""
    try:
        await context.members.require(await context.tables.lookup.chat_table(ref), person.user)
        chat_table = await context.tables.seating.sit(ref, person)
    except FAILURES as failure:
        if isinstance(failure, UnavailableError):
            draw_again(context, ref)
        if code_of(failure) == "not_open":
            failure = ActionRefusedError("match_under_way")
        return note(await failure_text(context, failure, person, person.language, ref))
    chat = await context.repositories.chats.chat(chat_table.chat)
    lobby = (await context.repositories.messages.by_slot(ref)).get(LobbySlot(ref), 0)
    return seated_screen(chat.title, chat.link(lobby), person.language)
