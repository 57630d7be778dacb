"""Handlers of the pages of rules and of lessons."""

from locanda.texts.options import summary
from locanda.translations import Language
from services.telegram import callback_data
from services.telegram.handlers.callbacks import HAND, TABLE, on_button
from services.telegram.handlers.context import BotContext, ButtonPress, CommandSender, Reply
from services.telegram.lessons.lesson import LessonState
from services.telegram.lessons.screens import lesson_ended_screen, lesson_screen, lessons_screen
from services.telegram.screens.screen import ALERT_LIMIT, Screen, shortened
from services.telegram.screens.settings_and_help import rules_screen
from services.telegram.sending.messages import Address


async def rules_page(context: BotContext, game: str, page: int, ref: str | None, language: Language) -> Screen:
    """Return a page of a game's rules; with a table's reference, also the options in use there."""
    variants: list[str] = []
    chat_table = await context.repositories.chat_tables.find(ref) if ref else None
    info = await context.catalogue.known(game)
    if chat_table is not None:
        table = await context.tables.lookup.public_view(chat_table)
        variants = summary(info, table.options if table else chat_table.options, language)
    text = await context.catalogue.rules(game, language)
    return rules_screen(game, text, page, language, ref=ref if chat_table else None, variants=tuple(variants))


@on_button(callback_data.OpenRules, on=HAND | TABLE)
async def open_rules(context: BotContext, press: ButtonPress, data: callback_data.OpenRules) -> Reply | None:
    """Send the rules to the private chat, so that the group's chat stays readable."""
    chat_table = await context.tables.lookup.chat_table(data.ref)
    if not press.private:
        return Reply(url=context.link(f"rules_{data.ref}"))
    screen = await rules_page(context, chat_table.game, 0, data.ref, press.person.language)
    context.outbox.send(Address(press.chat, press.thread), screen)
    return None


@on_button(callback_data.ShowRules)
async def show_rules(context: BotContext, press: ButtonPress, data: callback_data.ShowRules) -> None:
    """Show another page of the rules."""
    screen = await rules_page(context, data.game, data.page, data.ref, press.language)
    context.outbox.edit(press.chat, press.message, screen)


# --- lessons


async def learn(context: BotContext, sender: CommandSender, _text: str) -> Screen:
    """Ask which game to learn."""
    return lessons_screen(await context.catalogue.games(), sender.language)


@on_button(callback_data.StartLesson, private=True)
async def start_lesson(context: BotContext, press: ButtonPress, data: callback_data.StartLesson) -> None:
    """Begin a lesson, in the message that offered the lesson."""
    await _show(context, press, await context.tables.lessons.begin(press.person.user, data.game, press.person.language))


@on_button(callback_data.MakeMove, lesson=True)
async def play_lesson(context: BotContext, press: ButtonPress, data: callback_data.MakeMove) -> Reply:
    """Play a move. If the lesson expects another move, an alert explains why at each press."""
    user, language = press.person.user, press.person.language
    state = await context.tables.lessons.play(user, data.version, data.code, language)
    await _show(context, press, state)
    return Reply(shortened(state.record.comment, ALERT_LIMIT))


@on_button(callback_data.PickCard, lesson=True)
async def select_card(context: BotContext, press: ButtonPress, data: callback_data.PickCard) -> None:
    """Select a card, or deselect it."""
    user, language, lessons = press.person.user, press.person.language, context.tables.lessons
    await _show(context, press, await lessons.select(user, data.version, data.place, language, selected=data.up))


@on_button(callback_data.PutCardsBack, lesson=True)
async def deselect_cards(context: BotContext, press: ButtonPress, data: callback_data.PutCardsBack) -> None:
    """Deselect all cards."""
    user, language = press.person.user, press.person.language
    await _show(context, press, await context.tables.lessons.clear(user, data.version, language))


@on_button(callback_data.EndLesson, private=True)
async def end_lesson(context: BotContext, press: ButtonPress, _data: callback_data.EndLesson) -> None:
    """End a lesson."""
    await context.repositories.people.forget_lesson(press.person.user)
    context.outbox.edit(press.chat, press.message, lesson_ended_screen(press.person.language))


async def _show(context: BotContext, press: ButtonPress, state: LessonState) -> None:
    """Draw a lesson after the person's action."""
    game = await context.catalogue.known(state.lesson.game)
    screen = lesson_screen(game, state, press.person.name, press.person.language)
    context.outbox.edit(press.chat, press.message, screen)
