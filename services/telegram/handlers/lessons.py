"""Lessons in the private chat: the command, and the buttons of a lesson, which carry `LESSON` in a table's place."""

from collections.abc import Awaitable

from services.telegram import callback_data
from services.telegram.handlers.callbacks import on_button
from services.telegram.handlers.context import BotContext, ButtonPress, CommandSender, Reply
from services.telegram.screens.lessons import lesson_ended_screen, lesson_screen, lessons_screen
from services.telegram.screens.screen import Screen
from services.telegram.tables.lessons import LessonState
from services.telegram.tables.lookup import ActionRefusedError


async def learn(context: BotContext, sender: CommandSender, _text: str) -> Screen:
    """Offer the lessons; in a group, say where they are."""
    if not sender.private:
        raise ActionRefusedError("lessons_in_private")
    return lessons_screen(await context.catalogue.games(), sender.language)


@on_button(callback_data.StartLesson)
async def start_lesson(context: BotContext, press: ButtonPress, data: callback_data.StartLesson) -> Reply:
    """Begin a lesson in the place of its choice."""
    return await show_lesson(context, press, context.tables.lessons.begin(press.person.user, data.game))


@on_button(callback_data.EndLesson)
async def end_lesson(context: BotContext, press: ButtonPress, _data: callback_data.EndLesson) -> Reply:
    """End a lesson."""
    await context.repositories.people.forget_lesson(press.person.user)
    context.outbox.edit(press.chat, press.message, lesson_ended_screen(press.person.language))
    return Reply()


async def show_lesson(context: BotContext, press: ButtonPress, acting: Awaitable[LessonState]) -> Reply:
    """Draw a lesson after what the person does in it."""
    if not press.private:
        raise ActionRefusedError("unknown_button")
    state = await acting
    game = await context.catalogue.game(state.lesson.game)
    if game is None:
        raise ActionRefusedError("unknown_button")
    context.outbox.edit(
        press.chat,
        press.message,
        lesson_screen(game, state.lesson, state.moment, press.person.name, press.person.language),
    )
    return Reply()
