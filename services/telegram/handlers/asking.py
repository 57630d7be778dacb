"""What several commands and buttons ask for: a seat by link, a page of the rules, a nudge."""

from services.telegram.handlers.house import House
from services.telegram.handlers.replies import FAILURES, in_words
from services.telegram.handlers.who import Caller
from services.telegram.outbox.parcels import Address, Priority
from services.telegram.records import Chat, Person, Room
from services.telegram.screens.rules import rules_screen
from services.telegram.screens.screen import Screen
from services.telegram.screens.talk import note, nudge_screen, seated_screen
from services.telegram.tables.refusing import RefusedError
from shared.translate import Language, translator
from shared.words.options import summary


async def seat_by_link(house: House, person: Person, ref: str) -> Screen:
    """Seat somebody who pressed Start after a deep link, and say where to go back."""
    try:
        room = await house.tables.seating.sit(ref, person, f"link-{ref}-{person.user}")
    except FAILURES as failure:
        return note(await in_words(house, failure, person, person.language, ref))
    await house.feed.refresh(ref)
    chat = await house.memory.chats.chat(room.chat)
    lobby = (await house.memory.messages.of(ref)).get("lobby", 0)
    return seated_screen(chat.title, _link(chat, lobby), person.language)


def _link(chat: Chat, message: int) -> str:
    """Return a link to a message of a group; a basic group's messages have none."""
    if not message:
        return ""
    if chat.username:
        return f"https://t.me/{chat.username}/{message}"
    inner = str(chat.chat).removeprefix("-100")
    return "" if inner.startswith("-") else f"https://t.me/c/{inner}/{message}"


async def rules_page(house: House, game: str, page: int, ref: str | None, language: Language) -> Screen:
    """Return a page of a game's rules; at a table, with the variants that are on there."""
    variants: list[str] = []
    room = await house.memory.rooms.room(ref) if ref else None
    found = await house.catalogue.game(game)
    if found is None:
        raise RefusedError("unknown_button")
    if room is not None:
        table = await house.tables.looking.seen(room)
        variants = summary(found, table.options if table else room.options, language)
    text = await house.catalogue.rules(game, language)
    return rules_screen(game, text, page, language, ref=ref if room else None, variants=tuple(variants))


async def nudge(house: House, who: Caller) -> Screen | None:
    """Call those for whom the tables here wait; from the private chat, those at one's own tables."""
    words = translator(who.language)
    if who.private:
        rooms = await house.memory.rooms.of_person(who.user)
    else:
        rooms = await house.memory.rooms.siblings(who.chat, who.thread)
        if not (await house.memory.chats.chat(who.chat)).nudges:
            return note(words.gettext("Nudges are off in this group."))
    called = [await _nudge_at(house, room) for room in rooms if not room.alone]
    if "too_soon" in called:
        return note(words.gettext("Somebody was called just now: a little patience."))
    if "called" not in called:
        return note(words.gettext("We are waiting for nobody."))
    return note(words.gettext("Called!")) if who.private else None


async def _nudge_at(house: House, room: Room) -> str:
    table = await house.tables.looking.seen(room)
    turn = None if table is None or table.deal is None else table.deal.turn
    chat = await house.memory.chats.chat(room.chat)
    if table is None or turn is None or table.status != "playing" or not chat.nudges:
        return "nobody"
    on_turn = [user for user, seat in (await house.tables.looking.seats(room)).items() if seat == turn]
    if not on_turn or table.seats[turn].away:
        return "nobody"
    if not await house.memory.messages.may_nudge(room.ref):
        return "too_soon"
    screen = nudge_screen(on_turn[0], table.seats[turn].name, chat.language)
    house.outbox.say(Address(room.chat, room.thread), screen, Priority.PING)
    return "called"
