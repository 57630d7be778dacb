"""People's names, by Unicode's own properties."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from locanda.messages import PRINTABLE
from locanda.names import LONGEST_NAME, NOTHING_TO_SEE, clean_name, is_name

INVISIBLE = [
    "\u061c",
    "\u2060",
    "\ufeff",
    "\u00ad",
    "\u3164",
    "\u2800",
    "\ufe0f",
    "\u200b",
    "\u200d",
    "\u034f",
    "\u115f",
]
INVISIBLE += [
    "\uffa0",
    "\u17b4",
    "\u180e",
    "\U000e0100",
    "\U000e0041",
    "\U0001d173",
    "\u0301",
    "\u20dd",
    "\u0903",
    "\u3000",
]
EVERYDAY = [
    "Anna",
    "José",
    "علي\u200cرضا",
    "क्षिति",
    "李白",
    "👨\u200d👩\u200d👧",
    "❤\ufe0f",
    "1\ufe0f\u20e3",
    "O’Neill",
    "-_-",
]


@pytest.mark.parametrize("char", INVISIBLE, ids=ascii)
def test_what_nobody_can_see_is_no_name(char: str) -> None:
    for text in (char, char * 3, f"{char} {char}", f"{char}\u0301\ufe0f"):
        assert not is_name(text)
        assert clean_name(text) == NOTHING_TO_SEE
    assert clean_name(f"{char}Anna") == "Anna"
    assert not is_name(f"{char}Anna")


@pytest.mark.parametrize("name", EVERYDAY)
def test_names_of_all_scripts_and_emoji_stay_as_they_are(name: str) -> None:
    assert is_name(name)
    assert clean_name(name) == name


@given(st.text(st.characters(), max_size=40) | st.text(st.sampled_from([*INVISIBLE, *"ab \n👨"]), max_size=40))
@example("\ud800")
@example("x" * 31 + "\u200dx")
def test_a_cleaned_name_is_a_name(text: str) -> None:
    cleaned = clean_name(text)
    assert is_name(cleaned)
    assert clean_name(cleaned) == cleaned
    assert len(cleaned) <= LONGEST_NAME
    assert not any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in cleaned)


@given(st.text(max_size=LONGEST_NAME))
def test_whatever_is_a_name_fits_the_published_pattern(text: str) -> None:
    assert not is_name(text) or re.search(PRINTABLE, text)


def test_no_character_by_itself_is_a_name_that_the_pattern_refuses() -> None:
    fits = re.compile(PRINTABLE).search
    refused = [char for char in map(chr, range(0x110000)) if not fits(char)]
    assert refused
    assert not any(map(is_name, refused))
