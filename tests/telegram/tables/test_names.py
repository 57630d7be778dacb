"""Names at a table."""

import pytest

from services.telegram.tables.names import LONGEST_NAME, tidy, unlike


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
    assert tidy(called) == name


def test_who_bears_the_name_of_another_at_the_table_is_numbered() -> None:
    assert unlike("Anna", []) == "Anna"
    assert unlike("Anna", ["Anna"]) == "Anna 2"
    assert unlike("Anna", ["Anna", "Anna 2"]) == "Anna 3"


def test_a_numbered_name_is_not_too_long_either() -> None:
    name = "A" * LONGEST_NAME
    assert len(unlike(name, [name])) <= LONGEST_NAME
