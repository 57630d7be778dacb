"""Diavoletto in a terminal: the table stays within its lines, even with long columns."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from locanda.cards import CARDS
from locanda.games.diavoletto.terminal import rows
from locanda.games.diavoletto.types import Options
from locanda.texts.cards import card
from locanda.translations import translations_in
from services.engine.table.fairness import shuffle
from tests.games.diavoletto.game import GAME

VIEW = GAME.view(GAME.deal(Options(), 2, 0, bytes(32), shuffle, None), 0)

COLUMNS = st.lists(st.lists(st.sampled_from([*CARDS, "*"]), max_size=30), max_size=4)


@given(columns=COLUMNS, name=st.text("x", min_size=1, max_size=24))
def test_columns_take_one_line_and_show_the_cards_that_can_be_played(columns: list[list[str]], name: str) -> None:
    view = replace(VIEW, columns=(tuple(map(tuple, columns)), ()))
    shown = rows(view, [name, "Bruno"], translations_in("en"))
    label = max(len(label) for label, _ in shown)
    text = next(text for _, text in shown if text.startswith("columns"))
    assert 2 + label + 2 + len(text) <= 80
    tops = [card(column[-1]) for column in columns if column]
    assert [part.split()[-1] for part in text.removeprefix("columns ").split("   ")] == (tops or ["—"])
