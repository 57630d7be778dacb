"""Validation of people's names, by Unicode properties."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from locanda.messages import LONGEST_NAME, PRINTABLE
from services.common.names import NOTHING_TO_SEE, clean_name, distinct, is_name, look_alike

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
    "क्\u200dष",
    "Đặng Thị Hà",
    "שָׁלוֹם",
    "❤\ufe0f\u200d🔥",
    "👍🏽",
    "🇮🇹",
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
]
FAULTS = [
    ("  Anna\n  Maria ", "Anna Maria"),
    ("An\u202ena\u200b", "Anna"),
    ("\u2066Anna\u2069", "Anna"),
    ("", NOTHING_TO_SEE),
    ("A" * 31 + " Maria", "A" * 31),
    ("A" + "\u0301\u0302" * 15, "A\u0301\u0302\u0301\u0302"),
    ("A\u0301\u0301", "A\u0301"),
    ("An\u200dna", "Anna"),
    ("An\u200cna", "Anna"),
    ("👨\u200dAnna", "👨Anna"),
    ("Anna\U000e0067\U000e007f", "Anna"),
    ("🏴\U000e0067", "🏴"),
    ("Anna\uffff", "Anna"),
    ("Anna\ue000", "Anna"),
    ("Anna\ufe0f\ufe0f", "Anna\ufe0f"),
    ("Anna  Maria", "Anna Maria"),
    ("\ufdfd" * 32, NOTHING_TO_SEE),
    ("\ufdfa" * 3, "\ufdfa"),
    ("👉 Anna", "Anna"),
    ("Anna ha vinto! 🏁", "Anna"),
    ("🥇 Anna HAS  WON", "Anna"),
    ("Ugo 🤖", "Ugo"),
    ("Sistema", NOTHING_TO_SEE),
    ("\u0405istema: Anna", "Anna"),
]
ODD = "ab \n👨🏴क्ا\U000e0067\U000e007f\u200c"
ALIKE = [
    ("Anna", "\u0410nn\u0430"),
    ("Anna", "ANNA"),
    ("Ian", "lan"),
    ("Ospite 1", "Ospite l"),
    ("Mamma", "Marnrna"),
    ("José", "Jose\u0301"),
    ("Ann a", "Ann\u3000a"),
    ("Anna", "\uff21nna"),
    ("क्ष", "क्\u200dष"),
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


@pytest.mark.parametrize(("text", "name"), FAULTS, ids=ascii)
def test_characters_that_may_not_stand_where_they_do_are_no_part_of_a_name(text: str, name: str) -> None:
    assert not is_name(text)
    assert clean_name(text) == name


@pytest.mark.parametrize(("name", "other"), ALIKE, ids=ascii)
def test_names_that_look_the_same_are_found_and_made_distinct(name: str, other: str) -> None:
    assert look_alike(name, other)
    assert distinct(other, [name]).endswith(" 2")


@pytest.mark.parametrize(("name", "other"), [("Anna", "Anne"), ("Jose", "José"), ("Anna", "Anna 2"), ("👍", "👎")])
def test_names_that_look_different_are_left_alone(name: str, other: str) -> None:
    assert not look_alike(name, other)
    assert distinct(other, [name]) == other


def test_a_distinct_name_is_not_too_long() -> None:
    name = "A" * LONGEST_NAME
    assert distinct(name, [name]) == "A" * (LONGEST_NAME - 3) + " 2"
    assert distinct("Anna", ["Anna", "Anna 2"]) == "Anna 3"


@given(st.text(st.characters(), max_size=40) | st.text(st.sampled_from([*INVISIBLE, *ODD]), max_size=300))
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
