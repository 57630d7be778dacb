"""Texts of the end of a deal or match: all clients show the same texts for a game."""

from io import StringIO

import pytest
from msgspec import structs

from locanda.games.base import Result
from locanda.games.registry import WIRE_TYPES, fewest_wins
from locanda.messages import GivenOptions, Table
from locanda.texts.games import labelled_piles, texts_of
from locanda.texts.words import table_words
from locanda.translations import Language, translations_in
from services.engine.catalogue import details
from services.telegram.screens.results import match_over_screen
from services.terminal.board import show_match_over
from services.terminal.output import Output
from tests.games.subjects import SUBJECTS
from tests.telegram.played_deals import NAMES, PlayedDeal, played_deals
from tests.telegram.samples import match, read

GAMES = pytest.mark.parametrize("game", SUBJECTS)


def last_states(game: str) -> list[PlayedDeal]:
    """Return the final state of a random deal for each main variant of a game."""
    return [state for state in played_deals(game, 7, 2000) if state.turn is None]


def ended(state: PlayedDeal, result: Result) -> Table:
    """Return the table after a match of one deal with this result."""
    over, types = state.table(None), WIRE_TYPES[state.game.name]
    target = getattr(types.Options(), "target", None)
    options = GivenOptions({} if target is None else {"target": min(result.points)})
    return structs.replace(
        over, status="over", options=options, match=match(result=result, points=result.points, server_seed="5a" * 32)
    )


def in_every_client(state: PlayedDeal, over: Table, language: Language) -> dict[str, str]:
    """Return the end of a match as chat, page and terminal show it."""
    printed = StringIO()
    show_match_over(Output(printed, input_echoes=False), over, translations_in(language))
    words = table_words(over, details(over.game), language)
    return {
        "chat": read(match_over_screen(structs.replace(state.view_model(None), table=over), language)),
        "page": "\n".join([*words.result, *map(str, words.events)]),
        "terminal": printed.getvalue(),
    }


@GAMES
def test_the_fewest_points_win_in_words_only_where_they_do(game: str) -> None:
    for state in last_states(game):
        result = state.game.result(state.deal)
        assert result is not None
        over = ended(state, result)
        for client, text in in_every_client(state, over, "en").items():
            assert "with the fewest" not in text or fewest_wins(game), (client, text)


@GAMES
def test_the_other_one_of_two_teams_is_second(game: str) -> None:
    for state in last_states(game):
        result = state.game.result(state.deal)
        if result is None or not isinstance(result.teams, tuple) or len(result.ranking) == 1:
            continue
        for client, text in in_every_client(state, ended(state, result), "it").items():
            assert text.count("🥇") == text.count("🥈") == 2, (client, text)
            assert "🥉" not in text, (client, text)


@GAMES
@pytest.mark.parametrize("language", ["it", "en"])
def test_nothing_of_a_table_is_said_twice_and_no_event_is_a_dash(game: str, language: Language) -> None:
    translations = translations_in(language)
    for state in played_deals(game, 7):
        view, names = state.table(None).deal, NAMES[: len(state.deal.hands)]
        assert view is not None
        labels = [label for label, _ in labelled_piles(view, names, translations)]
        for fact in texts_of(game).facts(view, names, translations):
            assert not [label for label in labels if fact.startswith(f"{label}:")], fact
        for turn in state.turns[-1:]:
            now = structs.replace(state.table(None), events=[*turn.events])
            words = table_words(now, details(game), language)
            assert not [line for line in words.events if line and "—" in line]


@GAMES
def test_a_tie_of_everybody_reads_as_one(game: str) -> None:
    for state in last_states(game):
        seats = tuple(range(len(state.deal.hands)))
        over = ended(state, Result((seats,), (3,) * len(seats)))
        for client, text in in_every_client(state, over, "it").items():
            assert "—" not in text, (client, text)
            assert "ne ha meno" not in text, (client, text)
