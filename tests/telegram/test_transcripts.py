"""Whole matches in a chat read as in `transcripts/`, every button as it is drawn (`make transcripts` writes them)."""

import pytest

from locanda.translations import Language
from tests.demo.__main__ import LANGUAGES, transcript, transcript_file
from tests.demo.matches import MATCHES

pytestmark = pytest.mark.slow


@pytest.fixture
def expected(game: str, language: Language, alone: bool) -> str:
    """The transcript that is kept of a match."""
    return transcript_file(game, language, alone=alone).read_text("utf-8")


@pytest.mark.parametrize("alone", [False, True], ids=["group", "alone"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", MATCHES)
async def test_a_match_reads_as_its_transcript(game: str, language: Language, alone: bool, expected: str) -> None:
    assert await transcript(game, language, alone=alone) == expected
