"""Buttons of a table with cards: the hand, the moves, coming back and going, the rematch, the rules."""

from datetime import UTC, datetime

from services.telegram import buttons
from services.telegram.handlers.asking import rules_page
from services.telegram.handlers.house import House
from services.telegram.handlers.press import Press, Reply
from services.telegram.outbox.parcels import Address, Priority, Slot
from services.telegram.painter.hands import hand_slot
from services.telegram.screens.hand import hand_alert, leave_screen
from services.telegram.screens.scene import Scene
from services.telegram.tables.refusing import RefusedError
from shared.translate import translator


async def _scene(house: House, press: Press, ref: str) -> Scene:
    """Return the table as the presser sees it."""
    room = await house.tables.looking.room(ref)
    table, _ = await house.tables.looking.seen_by(room, press.person.user)
    game = await house.catalogue.game(room.game)
    if game is None:
        raise RefusedError("no_table")
    return Scene(ref=ref, game=game, table=table, now=datetime.now(UTC), alone=room.alone)


async def hand(house: House, press: Press, tap: buttons.Hand) -> Reply:
    """Show the presser his own hand, and nobody else's."""
    scene = await _scene(house, press, tap.ref)
    return Reply(hand_alert(scene, press.person.language), alert=True)


async def move(house: House, press: Press, tap: buttons.Move) -> Reply:
    """Play."""
    await _adopt_hand(house, press, tap.ref)
    await house.tables.playing.play(tap.ref, press.person.user, tap.version, tap.code, press.id)
    return Reply()


async def _adopt_hand(house: House, press: Press, ref: str) -> None:
    """Keep one hand message: a bot that died between sending a new one and remembering it has left two behind.

    The newer one stays, for that is where the player looks.
    """
    slot = hand_slot(ref, press.person.user)
    known = (await house.memory.messages.of(ref)).get(slot.name, press.message)
    if known == press.message:
        house.outbox.adopt(slot, press.chat, press.message)
        return
    house.outbox.delete(press.chat, min(known, press.message))
    if known < press.message:
        await house.memory.messages.place(ref, slot.name, press.message)
        house.outbox.adopt(slot, press.chat, press.message)


async def pick(house: House, press: Press, tap: buttons.Pick) -> Reply:
    """Take a card up, or put it back."""
    house.outbox.adopt(hand_slot(tap.ref, press.person.user), press.chat, press.message)
    await house.tables.picking.pick(tap.ref, press.person.user, tap.version, tap.place, up=tap.up)
    await house.feed.refresh(tap.ref)
    return Reply()


async def put_back(house: House, press: Press, tap: buttons.PutBack) -> Reply:
    """Put all cards back that were taken up."""
    await house.tables.picking.put_back(tap.ref, press.person.user, tap.version)
    await house.feed.refresh(tap.ref)
    return Reply()


async def come_back(house: House, press: Press, tap: buttons.Return) -> Reply:
    """Give the presser his hand back."""
    await house.tables.seating.come_back(tap.ref, press.person.user)
    return Reply(translator(press.person.language).gettext("Welcome back!"))


async def leave(house: House, press: Press, tap: buttons.Leave) -> Reply:
    """Let the presser go, when he is sure; a computer player takes over."""
    user, language = press.person.user, press.person.language
    if tap.sure:
        room = await house.tables.seating.leave(tap.ref, user)
        await house.painter.hands.farewell(room, user)
        await house.feed.refresh(tap.ref)
        return Reply(translator(language).gettext("You have left the table."))
    if tap.sure is False:
        screen = leave_screen(await _scene(house, press, tap.ref), language)
        slot = Slot(tap.ref, f"hand:{user}")
        house.outbox.show(slot, Address(user), screen, message=press.message, priority=Priority.HAND)
        return Reply()
    await house.feed.refresh(tap.ref)
    return Reply()


async def rematch(house: House, press: Press, tap: buttons.Rematch) -> Reply:
    """Play again."""
    await house.tables.playing.rematch(tap.ref, press.person.user, tap.match, press.id)
    await house.feed.refresh(tap.ref)
    return Reply(translator(press.person.language).gettext("The cards are being dealt!"))


async def open_rules(house: House, press: Press, tap: buttons.OpenRules) -> Reply:
    """Open the rules in the private chat, so that the group's stays for the game."""
    room = await house.tables.looking.room(tap.ref)
    if not press.private:
        return Reply(url=house.link(f"rules_{tap.ref}"))
    screen = await rules_page(house, room.game, 0, tap.ref, press.person.language)
    house.outbox.say(Address(press.chat, press.thread), screen)
    return Reply()


async def turn_page(house: House, press: Press, tap: buttons.Rules) -> Reply:
    """Turn to another page of the rules."""
    screen = await rules_page(house, tap.game, tap.page, tap.ref, press.language)
    house.outbox.turn(press.chat, press.message, screen)
    return Reply()
