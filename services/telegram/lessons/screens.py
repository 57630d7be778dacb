"""Screens of a lesson: the choice, each step, and the end."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import product

from locanda.messages import GameInfo, LessonStep
from locanda.texts.chat import PHONE_WIDTH, bold, plain
from locanda.texts.phrases import listed
from locanda.translations import Language, Translations, translations_in
from services.telegram import callback_data
from services.telegram.lessons.lesson import LessonState
from services.telegram.play.timeline import PlayedTurn
from services.telegram.records import LESSON
from services.telegram.screens.controls import HandButtons
from services.telegram.screens.games import bold_title, game_title
from services.telegram.screens.hand import selection_text
from services.telegram.screens.screen import Button, Screen, fitted, in_lines, in_rows, joined, shortened
from services.telegram.screens.table import TableViewModel, recent_events, seats_in_brief, table_block

EVENTS = 5
"""Maximum number of events since the learner's last move to show."""


def lessons_screen(games: Sequence[GameInfo], language: Language) -> Screen:
    """Ask which game to learn."""
    buttons = [
        Button(game_title(game, language), callback_data.StartLesson(game.game)) for game in games if game.lesson
    ]
    question = translations_in(language).gettext("Which game shall I teach you? We play a deal, I explain as we go.")
    return Screen(f"📖 {question}", in_rows(buttons, 1))


def lesson_screen(game: GameInfo, state: LessonState, name: str, language: Language) -> Screen:
    """Return the screen of a lesson's current step or its end; `name` is the learner's name."""
    translations = translations_in(language)
    model = TableViewModel(
        ref=LESSON,
        game=game,
        table=state.table(name),
        now=datetime.now(UTC),
        alone=True,
        turns=(PlayedTurn(None, state.events),),
        selected=state.record.selected,
        verdict=state.verdict,
    )
    title = "📖 " + translations.gettext("Lesson: {game}").format(game=bold_title(game, language))
    step = state.step
    if step is None:
        events = in_lines(*recent_events(model, translations, EVENTS))
        end = _marked(state.lesson.end)
        return Screen(joined(title, events, end, _goodbye(model, translations)), _after(game, translations))
    enough = Button(translations.gettext("Enough for now"), callback_data.EndLesson())
    rules = Button(translations.gettext("Rules"), callback_data.ShowRules(game.game, 0))
    buttons = HandButtons(model, translations)
    selected = selection_text(model, buttons, translations)
    text = fitted(_texts(model, title, step, state.record.comment, selected, translations))
    return Screen(text, (*buttons.rows(), (rules, enough)))


def _texts(
    model: TableViewModel, title: str, step: LessonStep, comment: str, selected: str, translations: Translations
) -> Iterator[str]:
    """Yield a step's text, then shorter and shorter versions, all with the explanation and the move."""
    below = in_lines(f"👉 {bold(step.label)}", selected)
    topic = _marked(step.text)
    above, table = in_lines(title, topic, plain(comment)), table_block(model, translations)
    events = recent_events(model, translations, EVENTS)
    for seats, left_out in product((seats_in_brief(model, translations), ""), range(len(events) + 1)):
        yield joined(above, in_lines(*events[left_out:], table, seats), below)
    yield in_lines(above, table, below)
    yield in_lines(topic, plain(comment), table, below)
    yield in_lines(topic or plain(shortened(comment, 2 * PHONE_WIDTH)), table, below)


def _marked(text: str) -> str:
    return f"🎓 {bold(text)}" if text else ""


def _goodbye(model: TableViewModel, translations: Translations) -> str:
    text = translations.gettext("That was a whole deal: now you know the game. {names} would like to play again!")
    return text.format(names=listed((bold(name) for name in model.names[1:]), translations))


def _after(game: GameInfo, translations: Translations) -> tuple[tuple[Button, ...], ...]:
    again = Button(translations.gettext("Once more"), callback_data.StartLesson(game.game))
    rules = Button(translations.gettext("Rules"), callback_data.ShowRules(game.game, 0))
    return ((again, rules),)


def lesson_ended_screen(language: Language) -> Screen:
    """Return the message after the learner has stopped a lesson."""
    text = translations_in(language).gettext("Enough for today. /learn goes on whenever you like, /play opens a table.")
    return Screen(f"📖 {text}")
