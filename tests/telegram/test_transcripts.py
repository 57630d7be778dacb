"""Whole matches and an evening agree with `transcripts/`, which `make transcripts` writes, including all buttons."""

import re
from itertools import product

import pytest

from locanda.translations import Language
from tests.demo.__main__ import LANGUAGES, evening_file, evening_transcript, transcript, transcript_file
from tests.demo.matches import MATCHES
from tests.sampling import WHOLE

pytestmark = pytest.mark.slow


@pytest.fixture
def expected(game: str, language: Language, alone: bool) -> str:
    """Return the stored transcript of a match."""
    return transcript_file(game, language, alone=alone).read_text("utf-8")


READ = [
    pytest.param(game, language, alone, id=f"{game}-{language}-{'alone' if alone else 'group'}")
    for (number, game), (turn, language), alone in product(enumerate(MATCHES), enumerate(LANGUAGES), (False, True))
    if WHOLE or (number % 2, number // 2) == (turn, alone)
]
"""The cases: each game once, two games in each language, one in a group and one alone; all cases in a whole run."""


@pytest.mark.parametrize(("game", "language", "alone"), READ)
async def test_a_match_reads_as_its_transcript(game: str, language: Language, alone: bool, expected: str) -> None:
    assert await transcript(game, language, alone=alone) == expected


@pytest.fixture
def expected_evening(language: Language) -> str:
    """Return the stored transcript of an evening."""
    return evening_file(language).read_text("utf-8")


@pytest.mark.costly
@pytest.mark.parametrize("language", LANGUAGES if WHOLE else LANGUAGES[:1])
async def test_an_evening_reads_as_its_transcript(language: Language, expected_evening: str) -> None:
    assert await evening_transcript(language) == expected_evening


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_group_reads_of_an_evening_what_a_good_host_would_say(expected_evening: str) -> None:
    rounds = tables = 2
    matches = rounds * tables  # each match has one message, which becomes its result
    fixed, invited, reminded, summed_up = 1, 1, 1, 1
    assert len(re.findall("^── ", expected_evening, re.M)) == fixed + invited + reminded + rounds + matches + summed_up
