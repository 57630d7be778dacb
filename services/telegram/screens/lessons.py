"""Lessons: the topics that are explained in each game while its first deal is played, and their screens."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import product
from typing import Any

from msgspec import Struct

from locanda.games.base import N_
from locanda.messages import GameInfo, JsonObject, Match, Seat, Suggestion, Table
from locanda.texts.games import texts_of
from locanda.texts.phrases import listed
from locanda.translations import Language, Translations, translations_in
from services.telegram import callback_data
from services.telegram.records import LESSON, Lesson
from services.telegram.screens.controls import hand_buttons, taps_on_cards
from services.telegram.screens.games import bold_title, game_title
from services.telegram.screens.hand import selection_text
from services.telegram.screens.screen import (
    PHONE_WIDTH,
    Button,
    Screen,
    bold,
    fitted,
    in_lines,
    in_rows,
    joined,
    plain,
    shortened,
)
from services.telegram.screens.table import TableViewModel, recent_events, seats_in_brief, table_block
from services.telegram.timeline import PlayedTurn

OPPONENTS = ("Ugo", "Ines")
EVENTS = 5
"""The most events since the person's last move that are shown."""


class Moment(Struct, frozen=True):
    """A point of a lesson: what the person sees, and the events since their last move."""

    view: Any
    moves: Sequence[JsonObject]
    events: Sequence[JsonObject]
    topic: str = ""
    """The name of what is explained now."""

    def can(self, **fields: object) -> bool:
        """Return whether a legal move has these fields."""
        return any(fields.items() <= move.items() for move in self.moves)

    def saw(self, event: str) -> bool:
        """Return whether an event of this type has happened since the person's last move."""
        return any(each.get("type") == event for each in self.events)

    def table(self, lesson: Lesson, you: str = "") -> Table:
        """Return the lesson as a table of the API, for the screens and texts that show tables."""
        seats = [Seat(0, you, "person", None, away=False)]
        seats += [
            Seat(seat, OPPONENTS[seat - 1], "computer", "easy", away=False) for seat in range(1, len(self.view.counts))
        ]
        return Table(
            id=LESSON,
            game=lesson.game,
            rules=1,
            options={},
            status="playing",
            version=lesson.step,
            host=0,
            you=0,
            listed=False,
            seats=tuple(seats),
            match=Match(1, 1, (0,) * len(seats), None, "", None, None),
            deal=self.view,
            turn_seconds=None,
            deadline=None,
            moves=[*self.moves],
            events=[],
        )


class Topic(Struct, frozen=True):
    """Something to explain, once, as soon as it matters in the deal."""

    name: str
    text: str
    when: Callable[[Moment], bool]


class Course(Struct, frozen=True):
    """The lesson of a game."""

    seats: int
    topics: tuple[Topic, ...]
    options: Mapping[str, Any] = {}
    seed: str = "4c" * 32


def _always(_: Moment) -> bool:
    return True


GATTO_ROSSO = (
    Topic(
        "aim",
        N_(
            "Whoever takes most cards wins. One leads a card, the others beat it in turn: the last to do so takes them "
            "all. Lead whichever card you like."
        ),
        _always,
    ),
    Topic(
        "pass",
        N_("You can beat nothing: you pass, for this turn only. Whoever can beat has to."),
        lambda at: at.can(type="pass"),
    ),
    Topic(
        "beat",
        N_(
            "A card is beaten by a higher one of its suit, or by any of the suit that follows: ♥ ♦ ♣ ♠, and ♥ again. "
            "The cards that can do it are blue."
        ),
        lambda at: bool(at.view.table) and bool(at.moves),
    ),
    Topic(
        "trick",
        N_("All others have passed: the last to beat takes the trick and leads, once everybody has four cards again."),
        lambda at: at.saw("trick_taken"),
    ),
    Topic(
        "stock",
        N_("The stock is finished: the first to play their last card ends the deal. Cards in hand count for nobody."),
        lambda at: not at.view.stock_count,
    ),
)

RAMINO = (
    Topic(
        "aim",
        N_(
            "Get rid of your cards by laying combinations: what you are left with counts against you. Each turn begins "
            "with a draw, from the stock or the top of the discards."
        ),
        _always,
    ),
    Topic(
        "meld",
        N_("You hold a combination: its button lays it. That is three or more numbers in a row, or different figures."),
        lambda at: at.can(type="meld"),
    ),
    Topic(
        "attach",
        N_("A card may go on a combination that lies on the table: all four then leave for the discards."),
        lambda at: at.can(type="attach"),
    ),
    Topic(
        "discard",
        N_(
            "A discard ends your turn: tap the card that you need least. Keep numbers that are near each other, and "
            "figures; high cards cost most in the end."
        ),
        lambda at: at.can(type="discard"),
    ),
)

DIAVOLETTO = (
    Topic(
        "aim",
        N_(
            "Whoever first empties their mazzetto wins. Its top card goes on the builds in the middle, which climb "
            "from the Ace to the King; suits do not matter."
        ),
        _always,
    ),
    Topic(
        "ace",
        N_("An Ace opens a build, and has to be played before your turn ends."),
        lambda at: at.can(type="build", build=None),
    ),
    Topic(
        "mazzetto",
        N_("The top of your mazzetto goes on a build: those are the cards to get rid of!"),
        lambda at: at.can(type="build", **{"from": "mazzetto"}),
    ),
    Topic(
        "build",
        N_("A card from your hand goes on a build. With an empty hand you draw five more, and go on."),
        lambda at: at.can(type="build", **{"from": "hand"}),
    ),
    Topic(
        "discard",
        N_(
            "A discard on one of your four columns ends your turn. The top of each can be played later: put a lower "
            "card on a higher one, so that nothing useful is buried."
        ),
        lambda at: at.can(type="discard"),
    ),
)

PRESIDENTE = (
    Topic(
        "aim",
        N_(
            "The first to get rid of all cards becomes President. The Ace is lowest, the King highest. Lead a single "
            "card, several of a rank, or a run of one suit."
        ),
        _always,
    ),
    Topic(
        "pass",
        N_("Nothing of yours is high enough: pass. In the same trick you may still come back."),
        lambda at: [*at.moves] == [{"type": "pass"}],
    ),
    Topic(
        "beat",
        N_(
            "It takes as many cards of the same kind, but higher. You may also pass, to keep good cards for later, and "
            "still come back in this trick."
        ),
        lambda at: at.can(type="pass"),
    ),
    Topic(
        "revolution",
        N_("Four of a kind are a revolution: laid together, they turn the order round, and the lower card wins."),
        lambda at: at.saw("revolution") or 4 in Counter(card[:-1] for card in at.view.hand).values(),
    ),
    Topic(
        "trick",
        N_("All have passed: the cards are cleared away, and the last to play leads what they like."),
        lambda at: at.saw("trick_won"),
    ),
)

FOUR_OF_A_KIND = "ab61f51bcbbf9615851b96c2b0027483295d048d6ef2b7837d6a7759273682b0"
"""A seed with which the person is dealt four of a kind, and however they play, the lesson mostly tells all."""

COURSES: dict[str, Course] = {
    "gatto_rosso": Course(2, GATTO_ROSSO),
    "ramino": Course(2, RAMINO),
    "diavoletto": Course(2, DIAVOLETTO, {"mazzetto_size": 13}),
    "presidente": Course(3, PRESIDENTE, {"leftovers": "hidden"}, FOUR_OF_A_KIND),
}


def new_topic(lesson: Lesson, moment: Moment) -> str:
    """Return the name of the first unexplained topic that matters now; empty if there is none."""
    topics = COURSES[lesson.game].topics
    return next((each.name for each in topics if each.name not in lesson.explained and each.when(moment)), "")


def better_move(view: Any, move: JsonObject, suggestion: Suggestion, game: str, language: Language) -> str:  # noqa: ANN401
    """Return what a good player would have done instead, as a sentence; empty if it is the same."""
    translations = translations_in(language)
    played, best = (texts_of(game).move_label(each, view, translations) for each in (move, suggestion.move))
    if played == best:
        return ""
    text = translations.gettext("A good player would have chosen: {move}. {reason}")
    return f"💡 {text.format(move=best, reason=suggestion.reason.text)}"


def lessons_screen(games: Sequence[GameInfo], language: Language) -> Screen:
    """Offer the lessons."""
    buttons = [
        Button(game_title(game, language), callback_data.StartLesson(game.game))
        for game in games
        if game.game in COURSES
    ]
    question = translations_in(language).gettext("Which game shall I teach you? We play a deal, I explain as we go.")
    return Screen(f"📖 {question}", in_rows(buttons, 1))


def lesson_screen(game: GameInfo, lesson: Lesson, moment: Moment, name: str, language: Language) -> Screen:
    """Return a lesson at a point of its deal, or at its end; `name` is the person's."""
    translations = translations_in(language)
    model = TableViewModel(
        ref=LESSON,
        game=game,
        table=moment.table(lesson, name),
        now=datetime.now(UTC),
        alone=True,
        turns=(PlayedTurn(None, lesson.events),),
        selected=lesson.selected,
    )
    title = "📖 " + translations.gettext("Lesson: {game}").format(game=bold_title(game, language))
    topic = _explained(game.game, moment.topic, translations)
    if model.turn is None:
        events = in_lines(*recent_events(model, translations, EVENTS))
        return Screen(
            joined(title, topic, plain(lesson.comment), events, _goodbye(model, translations)),
            _after(game, translations),
        )
    enough = Button(translations.gettext("Enough for now"), callback_data.EndLesson())
    rules = Button(translations.gettext("Rules"), callback_data.ShowRules(lesson.game, 0))
    text = fitted(_texts(model, title, topic, lesson.comment, translations))
    return Screen(text, (*hand_buttons(model, translations), (rules, enough)))


def _texts(model: TableViewModel, title: str, topic: str, comment: str, translations: Translations) -> Iterator[str]:
    """Yield the text of a turn, then shorter and shorter versions; the explanation and the task stay."""
    taps = taps_on_cards(model, translations)
    task = plain(texts_of(model.table.game).task(model.table.deal, model.table.moves, translations, taps=taps))
    below = in_lines(f"👉 {task}", selection_text(model, translations))
    above, table = in_lines(title, topic, plain(comment)), table_block(model, translations)
    events = recent_events(model, translations, EVENTS)
    for seats, left_out in product((seats_in_brief(model, translations), ""), range(len(events) + 1)):
        yield joined(above, in_lines(*events[left_out:], table, seats), below)
    yield in_lines(above, table, below)
    yield in_lines(topic, plain(comment), table, below)
    yield in_lines(topic or plain(shortened(comment, 2 * PHONE_WIDTH)), table, below)


def _explained(game: str, topic: str, translations: Translations) -> str:
    found = next((each for each in COURSES[game].topics if each.name == topic), None)
    return "" if found is None else f"🎓 {bold(translations.gettext(found.text))}"


def _goodbye(model: TableViewModel, translations: Translations) -> str:
    text = translations.gettext("That was a whole deal: now you know the game. {names} would like to play again!")
    return text.format(names=listed((bold(name) for name in model.names[1:]), translations))


def _after(game: GameInfo, translations: Translations) -> tuple[tuple[Button, ...], ...]:
    again = Button(translations.gettext("Once more"), callback_data.StartLesson(game.game))
    rules = Button(translations.gettext("Rules"), callback_data.ShowRules(game.game, 0))
    return ((again, rules),)


def lesson_ended_screen(language: Language) -> Screen:
    """Return the screen of a lesson that the person has ended."""
    text = translations_in(language).gettext("Enough for today. /learn goes on whenever you like, /play opens a table.")
    return Screen(f"📖 {text}")
