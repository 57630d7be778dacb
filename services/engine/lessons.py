"""Lessons of games for the API: plays a game's lesson script, and returns the learner's view after each move."""

from collections.abc import Sequence
from functools import cache

import msgspec
from msgspec import Struct

from locanda import messages
from locanda.games.game import AnyDealState, AnyGame
from locanda.games.lessons import YOU, Step, is_same_move, scripts
from locanda.games.rules import GAMES
from locanda.messages import JsonObject, Language
from locanda.texts.lessons import OPPONENTS, allowed, explained
from locanda.texts.words import move_label, table_words
from locanda.translations import Translations, translations_in
from services.engine import catalogue
from services.engine.table import fairness


@cache
def lesson(name: str, language: Language) -> messages.Lesson:
    """Return the lesson of a game. Raises `KeyError` if it has none."""
    script, player = scripts()[name], _ScriptPlayer(GAMES[name], language)
    deal = player.game.from_wire(msgspec.convert(script.deal, player.game.wire_type))
    names, start = player.names(deal), player.moment(deal)
    steps = []
    for script_step in script.steps:
        step, deal = player.step(deal, script_step)
        steps.append(step)
    return messages.Lesson(
        messages.GameName(name), language, YOU, names, start, steps, explained(script.end, player.translations)
    )


class _ScriptPlayer:
    """Plays the moves of a game's lesson script, with texts in a language."""

    def __init__(self, game: AnyGame, language: Language) -> None:
        self.game = game
        self.language: Language = language
        self.translations: Translations = translations_in(language)

    def names(self, deal: AnyDealState) -> list[str]:
        """Return the names of the seats in a lesson's deal."""
        seats = len(self.game.view(deal, YOU).counts)
        return [self.translations.gettext("Guest"), *OPPONENTS[: seats - 1]]

    def step(self, deal: AnyDealState, step: Step) -> tuple[messages.LessonStep, AnyDealState]:
        """Return a step of the lesson, and the deal after it."""
        legal: list[JsonObject] = msgspec.to_builtins(self.game.moves(deal))
        listed = next((move for move in legal if is_same_move(step.move, move, self.game.name)), step.move)
        label = move_label(self.game.name, listed, self.game.view(deal, YOU), self.language)
        then = []
        for move in (listed, *step.others):
            deal, happened = self.game.play(deal, msgspec.convert(move, self.game.move_type), fairness.shuffle)
            then.append(self.moment(deal, happened))
        text = explained(step.text, self.translations)
        return messages.LessonStep(
            text, messages.GivenMove(listed), label, allowed(label, self.translations), then
        ), deal

    def moment(self, deal: AnyDealState, happened: Sequence[Struct] = ()) -> messages.LessonMoment:
        """Return the learner's view of a deal after these events."""
        moves: list[messages.GivenMove] = msgspec.to_builtins(self.game.moves(deal)) if deal.turn == YOU else []
        events: list[JsonObject] = msgspec.to_builtins(happened)
        words = table_words(self._table(deal, moves, events), catalogue.details(self.game.name), self.language)
        return messages.LessonMoment(self.game.to_wire(deal), self.game.view(deal, YOU), moves, events, words)

    def _table(self, deal: AnyDealState, moves: list[messages.GivenMove], events: list[JsonObject]) -> messages.Table:
        """Return a table with this deal as its only deal, from which the sentences are made."""
        result = self.game.result(deal) if deal.turn is None else None
        names = self.names(deal)
        return messages.Table(
            id="",
            game=messages.GameName(self.game.name),
            rules=self.game.rules,
            options=messages.GivenOptions({}),
            status="playing" if result is None else "over",
            version=0,
            host=None,
            you=YOU,
            listed=False,
            seats=tuple(messages.Seat(seat, name, "person", None, away=False) for seat, name in enumerate(names)),
            match=messages.Match(1, 1, (0,) * len(names), result, "", None, None),
            deal=self.game.view(deal, YOU),
            turn_seconds=None,
            deadline=None,
            moves=moves,
            events=events,
        )
