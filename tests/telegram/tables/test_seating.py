"""Names of people at a table."""

import pytest

from locanda.names import LONGEST_NAME, clean_name
from services.telegram.tables.seating import unique_name


@pytest.mark.parametrize(
    ("called", "name"),
    [
        ("Anna", "Anna"),
        ("  Anna\n  Maria ", "Anna Maria"),
        ("An\u202ena\u200b", "Anna"),
        ("\u2066Anna\u2069", "Anna"),
        ("\u200b", "?"),
        ("", "?"),
        ("A" * 31 + " Maria", "A" * 31),
    ],
)
def test_a_name_is_printable_on_one_line_and_not_too_long(called: str, name: str) -> None:
    assert clean_name(called) == name


def test_a_name_that_is_taken_gets_a_number() -> None:
    assert unique_name("Anna", []) == "Anna"
    assert unique_name("Anna", ["Anna"]) == "Anna 2"
    assert unique_name("Anna", ["Anna", "Anna 2"]) == "Anna 3"


def test_a_name_with_a_number_is_not_too_long() -> None:
    name = "A" * LONGEST_NAME
    assert len(unique_name(name, [name])) <= LONGEST_NAME
