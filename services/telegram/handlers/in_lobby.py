"""Buttons of an open table: from the choice of the game to the start."""

from services.telegram import buttons
from services.telegram.handlers.house import House
from services.telegram.handlers.press import Press, Reply
from services.telegram.records import Room
from services.telegram.screens.talk import sure_screen
from services.telegram.tables.refusing import RefusedError
from shared.translate import translator


async def choose(house: House, press: Press, tap: buttons.Choose) -> Reply:
    """Open the lobby in the place of the choice, and seat the chooser where he can be written to."""
    if await house.catalogue.game(tap.game) is None or await house.memory.rooms.room(tap.ref) is not None:
        raise RefusedError("stale")
    room = Room(tap.ref, press.chat, press.thread, "", tap.game, press.person.user, alone=press.private)
    if press.private:
        return await _play_alone(house, press, room, max(1, tap.computers))
    await house.demand_host(press.chat, press.person.user)
    await house.tables.opening.open(room)
    await house.memory.messages.place(tap.ref, "lobby", press.message)
    if press.person.reachable:
        await house.tables.seating.sit(tap.ref, press.person, press.id)
    await house.feed.refresh(tap.ref)
    return Reply()


async def _play_alone(house: House, press: Press, room: Room, computers_: int) -> Reply:
    await house.tables.opening.open(room)
    opened = await house.tables.seating.sit(room.ref, press.person, press.id)
    for number in range(computers_):
        table = await house.tables.looking.seen(opened)
        await house.tables.opening.computers(room.ref, table.version if table else 0, 1, f"{press.id}-{number}")
    table = await house.tables.looking.seen(opened)
    await house.tables.playing.start(room.ref, press.person.user, table.version if table else 0, f"{press.id}-start")
    house.outbox.delete(press.chat, press.message)
    await house.feed.refresh(room.ref)
    return Reply()


async def sit(house: House, press: Press, tap: buttons.Sit) -> Reply:
    """Seat the presser; one to whom the bot may not write yet is led to the private chat first."""
    words = translator(press.person.language)
    room = await house.tables.looking.room(tap.ref)
    if not press.person.reachable:
        if await house.memory.seats.token(tap.ref, press.person.user) is not None:
            raise RefusedError("already_seated")
        return Reply(url=house.link(f"sit_{tap.ref}"))
    await house.tables.seating.sit(room.ref, press.person, press.id)
    await house.feed.refresh(tap.ref)
    return Reply(words.gettext("You are seated! Your cards will come to you in private."))


async def stand(house: House, press: Press, tap: buttons.Stand) -> Reply:
    """Let the presser get up."""
    await house.tables.seating.stand(tap.ref, press.person.user)
    await house.feed.refresh(tap.ref)
    return Reply(translator(press.person.language).gettext("You have got up."))


async def computers(house: House, press: Press, tap: buttons.Computers) -> Reply:
    """Seat a computer player, or send one away."""
    await _demand_at_home(house, press, tap.ref)
    await house.tables.opening.computers(tap.ref, tap.version, tap.step, press.id)
    return Reply()


async def show_options(house: House, press: Press, tap: buttons.ShowOptions) -> Reply:
    """Show the options in the place of the lobby."""
    await _demand_at_home(house, press, tap.ref)
    house.painter.lobbies.open_options(tap.ref)
    await house.feed.refresh(tap.ref)
    return Reply()


async def show_lobby(house: House, _press: Press, tap: buttons.ShowLobby) -> Reply:
    """Show the lobby again."""
    await house.tables.looking.room(tap.ref)
    house.painter.lobbies.close_options(tap.ref)
    await house.feed.refresh(tap.ref)
    return Reply()


async def set_option(house: House, press: Press, tap: buttons.SetOption) -> Reply:
    """Set an option."""
    await _demand_at_home(house, press, tap.ref)
    house.painter.lobbies.open_options(tap.ref)
    await house.tables.opening.set_option(tap.ref, tap.version, tap.name, tap.value)
    await house.feed.refresh(tap.ref)
    return Reply()


async def set_time(house: House, press: Press, tap: buttons.SetTime) -> Reply:
    """Set the time for a turn."""
    await _demand_at_home(house, press, tap.ref)
    house.painter.lobbies.open_options(tap.ref)
    await house.tables.opening.set_time(tap.ref, tap.version, tap.seconds)
    await house.feed.refresh(tap.ref)
    return Reply()


async def start(house: House, press: Press, tap: buttons.Start) -> Reply:
    """Start the match."""
    await house.tables.playing.start(tap.ref, press.person.user, tap.version, press.id)
    return Reply(translator(press.person.language).gettext("The cards are being dealt!"))


async def close(house: House, press: Press, tap: buttons.Close) -> Reply:
    """Close a table; one with cards on it only when the presser is sure."""
    room = await house.tables.looking.room(tap.ref)
    await house.demand_host(press.chat, press.person.user)
    if not await house.is_administrator(room.chat, press.person.user):
        await _demand_at_home(house, press, tap.ref)
    table = await house.tables.looking.seen(room)
    words = translator(press.language)
    if table is not None and table.status == "playing" and not tap.sure:
        name = words.gettext("table {letter}").format(letter=room.letter)
        house.outbox.turn(press.chat, press.message, sure_screen(tap.ref, name, press.language))
        return Reply()
    lobby = (await house.memory.messages.of(tap.ref)).get("lobby")
    await house.feed.close(room)
    if lobby != press.message:
        house.outbox.delete(press.chat, press.message)
    return Reply(translator(press.person.language).gettext("The table is closed."))


async def _demand_at_home(house: House, press: Press, ref: str) -> None:
    """Raise `RefusedError` unless the presser has a say at this table."""
    await house.tables.looking.demand_seated(await house.tables.looking.room(ref), press.person.user)
