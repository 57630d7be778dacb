"""Commands: each under its Italian and its English name."""

from collections.abc import Awaitable, Callable

from telegram import Message

from services.telegram.handlers.asking import nudge, rules_page, seat_by_link
from services.telegram.handlers.house import House
from services.telegram.handlers.replies import FAILURES, in_words
from services.telegram.handlers.who import Caller, caller
from services.telegram.memory.rooms import new_ref
from services.telegram.outbox.parcels import Address
from services.telegram.screens.board import board_screen
from services.telegram.screens.house import forget_screen, group_screen, person_screen
from services.telegram.screens.lobby import alone_screen, choose_screen
from services.telegram.screens.scene import game_name
from services.telegram.screens.screen import Screen
from services.telegram.screens.talk import close_screen, help_screen, note
from services.telegram.tables.refusing import RefusedError
from shared.translate import translator

Command = Callable[[House, Caller, str], Awaitable[Screen | None]]
"""What a command does, and what it answers; the text is what follows the command."""


async def play(house: House, who: Caller, _rest: str) -> Screen:
    """Offer the games."""
    games = await house.catalogue.games()
    if who.private:
        return alone_screen(new_ref(), games, who.language)
    await house.demand_host(who.chat, who.user, anonymous=who.anonymous)
    return choose_screen(new_ref(), games, who.language)


async def rules(house: House, who: Caller, _rest: str) -> Screen:
    """Open the rules: of the table here, or of the first game."""
    rooms = await house.memory.rooms.siblings(who.chat, who.thread)
    if who.private and not rooms:
        rooms = await house.memory.rooms.of_person(who.user)
    game = rooms[0].game if rooms else (await house.catalogue.games())[0].game
    return await rules_page(house, game, 0, rooms[0].ref if rooms else None, who.language)


async def call(house: House, who: Caller, _rest: str) -> Screen | None:
    """Call whoever is on turn."""
    return await nudge(house, who)


async def leaderboard(house: House, who: Caller, _rest: str) -> Screen:
    """Show the group's leaderboard of the game that it plays most."""
    if who.private:
        return note(translator(who.language).gettext("Each group has a leaderboard of its own: ask me there."))
    games = await house.catalogue.games()
    boards = [(game, await house.memory.boards.standings(who.chat, game.game)) for game in games]
    game, standings = max(boards, key=lambda board: sum(each.matches for each in board[1]))
    return board_screen(game, standings, games, who.language)


async def settings(house: House, who: Caller, _rest: str) -> Screen:
    """Show the settings: a group's to its administrators only."""
    if who.private and who.person is not None:
        return person_screen(who.person, who.language)
    if not who.anonymous and not await house.is_administrator(who.chat, who.user):
        raise RefusedError("administrators_only")
    return group_screen(await house.memory.chats.chat(who.chat), who.language)


async def forget_me(_house: House, who: Caller, _rest: str) -> Screen:
    """Ask what is to be forgotten."""
    return forget_screen(who.language)


async def close(house: House, who: Caller, _rest: str) -> Screen:
    """Ask which table is to be closed."""
    await house.demand_host(who.chat, who.user, anonymous=who.anonymous)
    words = translator(who.language)
    rooms = await house.memory.rooms.siblings(who.chat, who.thread)
    if not rooms:
        return note(words.gettext("There is no table here."))
    names = []
    for room in rooms:
        game = await house.catalogue.game(room.game)
        letter = words.gettext("table {letter}").format(letter=room.letter)
        names.append((room.ref, f"{game_name(game, who.language)} · {letter}" if game else letter))
    return close_screen(names, who.language)


async def help_me(_house: House, who: Caller, _rest: str) -> Screen:
    """Say what the bot can do."""
    return help_screen(who.language)


async def start(house: House, who: Caller, payload: str) -> Screen | None:
    """Open the private chat: plain, or by a deep link that seats or shows the rules."""
    kind, _, ref = payload.partition("_")
    if who.private and who.person is not None and kind == "sit":
        return await seat_by_link(house, who.person, ref)
    if who.private and kind == "rules":
        room = await house.tables.looking.room(ref)
        return await rules_page(house, room.game, 0, ref, who.language)
    return help_screen(who.language)


COMMANDS: dict[Command, tuple[str, ...]] = {
    play: ("play", "gioca"),
    rules: ("rules", "regole"),
    call: ("nudge", "sollecita"),
    leaderboard: ("leaderboard", "classifica"),
    settings: ("settings", "impostazioni"),
    forget_me: ("forgetme", "dimenticami"),
    close: ("close", "chiudi"),
    help_me: ("help", "aiuto"),
    start: ("start",),
}


async def obey(house: House, command: Command, message: Message) -> None:
    """Run a command and send its answer."""
    who = await caller(house.memory, message)
    if who is None:
        return
    rest = (message.text or "").partition(" ")[2].strip()
    try:
        answer = await command(house, who, rest)
    except FAILURES as failure:
        answer = note(await in_words(house, failure, who.person, who.language))
    if answer is not None:
        house.outbox.say(Address(who.chat, who.thread), answer)
