"""docs/rulings.md: numbers are unique, cited rulings and options exist."""

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

from locanda.games.rules import GAMES
from tests.games.positions import positions

ROOT = Path(__file__).parents[2]
GAME_OF = {"A": "gatto_rosso", "B": "ramino", "D": "diavoletto", "P": "presidente"}
NUMBER = r"[ABDPR][0-9]+"
LIST = rf"{NUMBER}(?:(?:,| and| to| or) {NUMBER})*"


def _rulings() -> Iterator[list[str]]:
    """Yield each ruling's number, question, ruling with its reason, and options."""
    text = (ROOT / "docs" / "rulings.md").read_text("utf-8")
    for paragraph in text.replace("\n\n", "\0").replace("\n", " ").split("\0"):
        if match := re.match(rf"\*\*({NUMBER})\. (.+?)\*\* (.+?)(?: \*Options?:\* (.+))?$", paragraph):
            yield [part or "" for part in match.groups()]


def _sources() -> Iterator[tuple[Path, str]]:
    for folder in ("services", "shared", "tests"):
        for file in (ROOT / folder).rglob("*.py"):
            yield file, file.read_text("utf-8")


def _cited() -> Iterator[str]:
    for _, text in _sources():
        for listed in re.findall(rf"\brulings? ({LIST})", text):
            yield from re.findall(NUMBER, listed)


def test_every_ruling_has_a_number_of_its_own_and_none_is_skipped() -> None:
    numbers = [ruling[0] for ruling in _rulings()]
    for letter, of_one_game in groupby(numbers, key=lambda number: number[0]):
        assert list(of_one_game) == [f"{letter}{k + 1}" for k in range(sum(n[0] == letter for n in numbers))]


def test_every_ruling_has_a_question_and_a_reason() -> None:
    for number, question, ruling, _ in _rulings():
        assert question.endswith("?"), number
        assert ruling.endswith("."), number


def test_what_comments_and_tests_cite_is_there() -> None:
    cited = set(_cited())
    assert {"A4", "B13", "D12", "P11"} < cited
    assert cited <= {ruling[0] for ruling in _rulings()}


def test_what_rulings_cite_is_there() -> None:
    rulings = {ruling[0]: " ".join(ruling[1:]) for ruling in _rulings()}
    assert {other for text in rulings.values() for other in re.findall(rf"\b{NUMBER}\b", text)} <= rulings.keys()


@pytest.mark.parametrize("game", GAMES)
def test_a_position_named_after_a_ruling_names_one_that_is_there(game: str) -> None:
    named = [re.match(rf"({NUMBER})-", position.id) for position in positions(game)]
    assert {match[1] for match in named if match} <= {ruling[0] for ruling in _rulings()}


def test_the_options_that_decide_otherwise_exist() -> None:
    for number, _, _, options in _rulings():
        games = [GAMES[GAME_OF[number[0]]]] if number[0] in GAME_OF else list(GAMES.values())
        known = {field for game in games for field in game.options.__struct_fields__}
        assert set(re.findall(r"`(\w+)`", options)) <= known, number


def test_the_sections_of_the_rules_that_comments_cite_exist() -> None:
    cited = [
        (file.parent / "rules.en.md", name)
        for file, text in _sources()
        for names in re.findall(r"\(rules\.en\.md: ([^;)]+)", text)
        for name in names.split(", ")
    ]
    assert cited
    for rules, name in cited:
        assert re.search(rf"^## {name}$", rules.read_text("utf-8"), re.MULTILINE), (rules, name)
