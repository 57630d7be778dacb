"""Buttons of a table in play: hand, moves, remarks, hints, leaving, coming back, rematch, proof. Also /leave."""

from locanda.texts.remarks import ONE_HIDDEN, ONE_SHOWN, remark_text
from locanda.translations import Language, translations_in
from services.telegram import callback_data
from services.telegram.handlers import group_hands
from services.telegram.handlers.callbacks import FAILURES, HAND, TABLE, failure_text, on_button
from services.telegram.handlers.context import BotContext, ButtonPress, CommandSender, Reply, public_model, view_model
from services.telegram.records import HandSlot, PersonRecord
from services.telegram.screens.computers import hint_alert, review_screen
from services.telegram.screens.hand import hand_alert, leave_screen
from services.telegram.screens.notices import note
from services.telegram.screens.results import proof_screen
from services.telegram.screens.screen import Screen
from services.telegram.sending.ephemeral import Receiver
from services.telegram.sending.messages import Address
from services.telegram.tables.lookup import ActionRefusedError


@on_button(callback_data.ShowHand, on=TABLE)
async def show_hand(context: BotContext, press: ButtonPress, data: callback_data.ShowHand) -> Reply | None:
    """Show the person their hand so that only they see it; send their hand message again if it is missing."""
    model = await view_model(context, press.person.user, data.ref)
    context.show_again(data.ref, HandSlot(data.ref, press.person.user))
    receiver = Receiver(press.chat, press.thread, press.person.user, press.id)
    if not press.private and await group_hands.show(context, receiver, data.ref, press.person.language):
        return None
    return Reply(hand_alert(model, press.person.language), alert=True)


@on_button(callback_data.MakeMove, on=HAND)
async def make_move(context: BotContext, press: ButtonPress, data: callback_data.MakeMove) -> None:
    """Play a move."""
    await context.tables.match.play(data.ref, press.person.user, data.version, data.code, press.key)


@on_button(callback_data.PickCard, on=HAND)
async def pick_card(context: BotContext, press: ButtonPress, data: callback_data.PickCard) -> None:
    """Select a card, or deselect it."""
    await context.tables.selection.select(data.ref, press.person.user, data.version, data.place, selected=data.up)


@on_button(callback_data.EmptyPlace, lesson=True)
@on_button(callback_data.EmptyPlace, on=HAND)
async def leave_empty(_context: BotContext, _press: ButtonPress, _data: callback_data.EmptyPlace) -> None:
    """Do nothing."""


@on_button(callback_data.PutCardsBack, on=HAND)
async def put_cards_back(context: BotContext, press: ButtonPress, data: callback_data.PutCardsBack) -> None:
    """Deselect all cards."""
    await context.tables.selection.clear(data.ref, press.person.user, data.version)


@on_button(callback_data.TakeHandBack, on=HAND)
async def take_hand_back(context: BotContext, press: ButtonPress, data: callback_data.TakeHandBack) -> Reply:
    """Take the hand back from the computer player."""
    await context.tables.seating.come_back(data.ref, press.person.user)
    return Reply(translations_in(press.person.language).gettext("Welcome back!"))


@on_button(callback_data.OfferRemarks, on=HAND)
async def offer_remarks(context: BotContext, press: ButtonPress, data: callback_data.OfferRemarks) -> None:
    """Show buttons for remarks in the person's hand, or their cards again."""
    table = (await view_model(context, press.person.user, data.ref)).table
    context.tables.selection.ask(data.ref, press.person.user, "remark" if data.shown else None, table.version)


@on_button(callback_data.SayRemark, on=HAND)
async def make_remark(context: BotContext, press: ButtonPress, data: callback_data.SayRemark) -> Reply:
    """Make a remark at the table."""
    await context.tables.match.say(data.ref, press.person.user, data.remark)
    context.tables.selection.ask(data.ref, press.person.user, None)
    return Reply(remark_text(data.remark, translations_in(press.person.language)))


@on_button(callback_data.MuteSeat, on=HAND)
async def mute_seat(context: BotContext, press: ButtonPress, data: callback_data.MuteSeat) -> Reply:
    """Hide a player's remarks from the person's hands, or show them again."""
    table = (await view_model(context, press.person.user, data.ref)).table
    if table.match.number != data.match or data.seat >= len(table.seats):
        raise ActionRefusedError("stale")
    name, chat_table = table.seats[data.seat].name, await context.tables.lookup.chat_table(data.ref)
    at = {seat: user for user, seat in (await context.tables.lookup.seats(chat_table)).items()}
    await context.repositories.people.mute(press.person.user, name, at.get(data.seat), on=data.muted)
    text = ONE_HIDDEN if data.muted else ONE_SHOWN
    return Reply(translations_in(press.person.language).gettext(text).format(name=name))


@on_button(callback_data.AskHint, on=HAND)
async def ask_hint(context: BotContext, press: ButtonPress, data: callback_data.AskHint) -> Reply:
    """Show a hint, in an alert that only the person sees."""
    user, language = press.person.user, press.person.language
    table, hint = await context.tables.advice.hint(data.ref, user, data.version, language)
    return Reply(hint_alert(table, hint, language), alert=True)


@on_button(callback_data.ReviewMatch, on=HAND | TABLE)
async def review_match(context: BotContext, press: ButtonPress, data: callback_data.ReviewMatch) -> Reply:
    """Send the person a review of their moves in private. The engine may take a minute to compute a review."""
    await context.tables.advice.require_over(data.ref, press.person.user, data.match)
    context.background.start(_send_review(context, press.person, data))
    return Reply(translations_in(press.person.language).gettext("I am looking: I will write to you in private."))


async def _send_review(context: BotContext, person: PersonRecord, data: callback_data.ReviewMatch) -> None:
    try:
        table, reviews = await context.tables.advice.review(data.ref, person.user, data.match, person.language)
    except FAILURES as failure:
        text = await failure_text(context, failure, person, person.language, data.ref)
        context.outbox.send(Address(person.user), note(text))
        return
    context.outbox.send(Address(person.user), review_screen(table, reviews, person.language))


@on_button(callback_data.PlayAgain, on=HAND | TABLE)
async def play_again(context: BotContext, press: ButtonPress, data: callback_data.PlayAgain) -> Reply:
    """Record that the person agrees to a rematch; a person without a seat takes a seat first."""
    user, translations = press.person.user, translations_in(press.person.language)
    if await context.repositories.seats.token(data.ref, user) is None:
        if not press.person.reachable:
            return Reply(url=context.link(f"sit_{data.ref}"))
        await context.tables.seating.sit(data.ref, press.person)
    table = await context.tables.match.answer(data.ref, user, data.match, press.key, stays=True)
    if table.status == "playing":
        return Reply(translations.gettext("The cards are being dealt!"))
    return Reply(translations.gettext("You are in: the others still have to answer."))


@on_button(callback_data.StopPlaying, on=HAND | TABLE)
async def stop_playing(context: BotContext, press: ButtonPress, data: callback_data.StopPlaying) -> Reply:
    """Record that the person declines a rematch."""
    await context.tables.match.answer(data.ref, press.person.user, data.match, press.key, stays=False)
    return Reply(translations_in(press.person.language).gettext("All right: this was your last match here."))


async def leave(context: BotContext, sender: CommandSender, _text: str) -> Screen | None:
    """Remove the sender from their tables in this chat or topic; in private, from all their tables."""
    translations = translations_in(sender.language)
    left = is_asked = False
    for chat_table in await context.repositories.chat_tables.of_person(sender.user):
        if sender.private or (chat_table.chat, chat_table.thread) == (sender.chat, sender.thread):
            if await _leave_or_ask(context, sender.user, chat_table.ref):
                is_asked = True
            else:
                left = True
    if is_asked:
        return (
            None if sender.private else note(translations.gettext("I have asked you in private whether you are sure."))
        )
    if left:
        return note(translations.gettext("You have left the table."))
    raise ActionRefusedError("nowhere_seated")


async def _leave_or_ask(context: BotContext, user: int, ref: str) -> bool:
    """Remove a person from a table, or ask first during a match; return whether they were asked."""
    model = await view_model(context, user, ref)
    if model.table.status == "playing":
        person = await context.repositories.people.person(user)
        context.outbox.send(Address(user), leave_screen(model, person.language if person else "en"))
        return True
    await context.tables.seating.leave(ref, user)
    return False


@on_button(callback_data.LeaveTable, on=HAND)
async def leave_table(context: BotContext, press: ButtonPress, data: callback_data.LeaveTable) -> Reply | None:
    """Ask whether the player wants to leave; once confirmed, a computer player takes over."""
    user, language, slot = press.person.user, press.person.language, HandSlot(data.ref, press.person.user)
    selection = context.tables.selection
    if data.sure is False:
        table = (await view_model(context, user, data.ref)).table
        selection.ask(data.ref, user, "leave", table.version)
        return None
    if press.message != (await context.repositories.messages.by_slot(data.ref)).get(slot):
        context.outbox.delete(press.chat, press.message)  # the question that /leave asked
    selection.ask(data.ref, user, None)
    if data.sure:
        await context.tables.seating.leave(data.ref, user)
    return Reply(translations_in(language).gettext("You have left the table.") if data.sure else "")


async def proof_of(context: BotContext, ref: str, language: Language, match: int | None = None) -> Screen:
    """Return the proof of a table's last match. Raises `ActionRefusedError` if that is not over or not `match`."""
    model = await public_model(context, ref)
    table = model.table
    if table.match.result is None or match not in {None, table.match.number}:
        raise ActionRefusedError("stale")
    outcome = await context.repositories.shuffles.outcome(ref, table.id, table.match.number)
    return proof_screen(model, outcome, language)


@on_button(callback_data.ShowProof, on=HAND | TABLE)
async def show_proof(context: BotContext, press: ButtonPress, data: callback_data.ShowProof) -> Reply | None:
    """Send the proof to the private chat, so that the group's chat stays readable."""
    screen = await proof_of(context, data.ref, press.person.language, data.match)
    if not press.private:
        return Reply(url=context.link(f"proof_{data.ref}"))
    context.outbox.send(Address(press.chat, press.thread), screen)
    return None
