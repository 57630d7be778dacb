"""Buttons of a table with cards: hand, moves, coming back, and the rematch."""

from locanda.translations import translations_in
from services.telegram import callback_data
from services.telegram.handlers.callbacks import on_button
from services.telegram.handlers.context import BotContext, ButtonPress, Reply, view_model
from services.telegram.records import HandSlot
from services.telegram.screens.hand import hand_alert


@on_button(callback_data.ShowHand)
async def show_hand(context: BotContext, press: ButtonPress, data: callback_data.ShowHand) -> Reply:
    """Show the person their own hand, as an alert, and send their hand message again if it is missing."""
    model = await view_model(context, press.person.user, data.ref)
    context.outbox.recheck(HandSlot(data.ref, press.person.user), press.person.user)
    await context.followers.refresh(data.ref)
    return Reply(hand_alert(model, press.person.language), alert=True)


@on_button(callback_data.MakeMove)
async def make_move(context: BotContext, press: ButtonPress, data: callback_data.MakeMove) -> Reply:
    """Play a move."""
    await context.tables.match.play(data.ref, press.person.user, data.version, data.code, press.key)
    return Reply()


@on_button(callback_data.PickCard)
async def pick_card(context: BotContext, press: ButtonPress, data: callback_data.PickCard) -> Reply:
    """Select a card, or deselect it."""
    await context.tables.selection.select(data.ref, press.person.user, data.version, data.place, selected=data.up)
    await context.followers.refresh(data.ref)
    return Reply()


@on_button(callback_data.PutCardsBack)
async def put_cards_back(context: BotContext, press: ButtonPress, data: callback_data.PutCardsBack) -> Reply:
    """Deselect all cards."""
    await context.tables.selection.clear(data.ref, press.person.user, data.version)
    await context.followers.refresh(data.ref)
    return Reply()


@on_button(callback_data.TakeHandBack)
async def take_hand_back(context: BotContext, press: ButtonPress, data: callback_data.TakeHandBack) -> Reply:
    """Give the player's hand back to them."""
    await context.tables.seating.come_back(data.ref, press.person.user)
    return Reply(translations_in(press.person.language).gettext("Welcome back!"))


@on_button(callback_data.PlayAgain)
async def play_again(context: BotContext, press: ButtonPress, data: callback_data.PlayAgain) -> Reply:
    """Start another match."""
    chat_table = await context.tables.match.rematch(data.ref, press.person.user, data.match, press.key)
    await context.followers.refresh(data.ref)
    await context.followers.refresh_others(chat_table)
    return Reply(translations_in(press.person.language).gettext("The cards are being dealt!"))
