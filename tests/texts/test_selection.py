"""Selected cards become moves: cases shared by Python and the page, and selections in the games."""

import json
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from locanda.games.gatto_rosso.types import Play
from locanda.games.registry import WIRE_TYPES
from locanda.messages import MoveCards, SelectedCard, Selection
from locanda.texts.selection import addable, candidates, cards_of_moves, completed, moves_with, with_cards
from tests.programs import program

ROOT = Path(__file__).parents[2]
CASES: list[dict[str, Any]] = json.loads((ROOT / "docs/selection-cases.json").read_text())


def cards(text: str, to: str | None = None) -> Selection:
    """A selection that is written like `hand:7h hand:7d`."""
    return Selection([SelectedCard(*card.split(":")) for card in text.split()], to)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_the_golden_cases_of_selections_hold(case: dict[str, Any]) -> None:
    moves = msgspec.convert(case["moves"], list[MoveCards])
    held, selected = (msgspec.convert(case[key], list[SelectedCard]) for key in ("cards", "selected"))
    free = [*held]
    for card in selected:
        free.remove(card)
    assert moves_with(moves, selected) == case["moves_with"]
    added = [card for card in free if (card.pile, card.card) in addable(moves, selected)]
    assert msgspec.to_builtins(added) == case["may_add"]
    assert msgspec.to_builtins(completed(moves, selected, held)) == case["completed"]


def test_the_page_finds_the_same_in_every_case() -> None:
    subprocess.run([program("node"), "tests/client/selection_cases.js"], cwd=ROOT, check=True, timeout=60)


def test_a_move_is_made_with_the_equal_card_that_was_selected() -> None:
    listed = {"type": "discard", "card": "5c", "column": 1}
    assert with_cards(listed, cards("hand:5d").cards) == listed | {"card": "5d"}


def test_a_game_may_have_moves_of_one_type_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(WIRE_TYPES, "one_type", SimpleNamespace(Move=Play))
    view: Any = None
    [takes] = cards_of_moves("one_type", [{"type": "play", "card": "7h"}], view)
    assert [card.card for card in takes.cards] == ["7h"]
    assert candidates("one_type", cards("hand:7h")) == [Play("7h")]


@pytest.mark.parametrize(
    ("game", "selection", "moves"),
    [
        ("gatto_rosso", cards("hand:7h"), [{"type": "play", "card": "7h"}]),
        ("gatto_rosso", cards(""), [{"type": "pass"}]),
        ("gatto_rosso", cards("stock:7h"), []),
        (
            "presidente",
            cards("hand:7h hand:7d"),
            [{"type": "play", "cards": ("7h", "7d")}, {"type": "give", "cards": ("7h", "7d")}],
        ),
        ("ramino", cards("hand:X"), [{"type": "discard", "card": "X"}, {"type": "meld", "cards": ("X",)}]),
        ("ramino", cards("hand:X", "meld-1"), [{"type": "attach", "card": "X", "meld": 1}]),
        ("ramino", cards("hand:V hand:X", "stock"), [{"type": "draw", "from": "stock"}]),
        ("ramino", cards("hand:V hand:X", "meld-1"), [{"type": "meld", "cards": ("V", "X")}]),
        (
            "diavoletto",
            cards("hand:7h"),
            [{"type": "build", "from": "hand", "card": "7h"}, {"type": "discard", "card": "7h"}],
        ),
        ("diavoletto", cards("hand:Ah", "build"), [{"type": "build", "from": "hand", "card": "Ah", "build": None}]),
        ("diavoletto", cards("hand:7h", "column-2"), [{"type": "discard", "card": "7h", "column": 2}]),
        ("diavoletto", cards("column-2:7h"), [{"type": "build", "from": "column", "card": "7h", "column": 2}]),
        (
            "diavoletto",
            cards("mazzetto:7h", "column-1"),
            [{"type": "build", "from": "mazzetto", "card": "7h"}],
        ),
    ],
)
def test_a_selection_can_mean_the_moves_that_take_so_many_cards_from_there(
    game: str, selection: Selection, moves: list[dict[str, Any]]
) -> None:
    assert msgspec.to_builtins(candidates(game, selection)) == moves
