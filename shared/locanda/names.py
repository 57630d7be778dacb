"""Names of people: which names are valid, and the valid name nearest to a text; by Unicode properties.

A name is shown in chats, terminals and pages. An invisible one, or one that changes the direction of the text around
it, would harm the others at the table.
"""

from unicodedata import category

LONGEST_NAME = 32
"""Characters."""
NOTHING_TO_SEE = "?"
"""The name of whoever has none that could be shown."""

HIDDEN_CATEGORIES = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Controls, format characters, lone surrogates, separators of lines and of paragraphs."""
ATTACHED_CATEGORIES = ("Mn", "Mc", "Me", "Zs")
"""Marks, which need a character to stand on, and spaces: they can be seen only beside something else."""

_IGNORABLE = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2065, 0x3164, 0xFFA0}
_IGNORABLE |= {*range(0xFFF0, 0xFFF9), *range(0xE0000, 0xE1000)}
"""Default_Ignorable_Code_Point (DerivedCoreProperties.txt), beside those of the categories above."""
_JOINERS = {0x200C, 0x200D, *range(0xE0020, 0xE0080)}
"""Format characters that scripts and emoji need: the two joiners, and the tags in the flags of regions."""
_SELECTORS = {*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}
"""Variation selectors: which form of the character before them is meant."""
_BLANK = {0x2800}
"""BRAILLE PATTERN BLANK: a symbol without ink."""


def is_hidden(char: str) -> bool:
    """Return whether a name must not contain a character: it is invisible, or affects the text around it."""
    code = ord(char)
    if code in _JOINERS or code in _SELECTORS:
        return False
    return category(char) in HIDDEN_CATEGORIES or code in _IGNORABLE


def is_visible(char: str) -> bool:
    """Return whether a character is visible by itself."""
    code = ord(char)
    if code in _BLANK or code in _JOINERS or code in _SELECTORS:
        return False
    return not is_hidden(char) and category(char) not in ATTACHED_CATEGORIES


def is_name(text: str) -> bool:
    """Return whether a text is a valid name: of the right length, without hidden characters, starting visibly."""
    return (
        0 < len(text) <= LONGEST_NAME
        and is_visible(text[0])
        and not _may_not_end(text[-1])
        and not any(map(is_hidden, text))
    )


def clean_name(text: str) -> str:
    """Return the valid name that is nearest to a text."""
    spaced = "".join(char for char in text if char.isspace() or not is_hidden(char))
    line = " ".join(spaced.split())
    start = next((at for at, char in enumerate(line) if is_visible(char)), len(line))
    end = min(len(line), start + LONGEST_NAME)
    while end > start and _may_not_end(line[end - 1]):
        end -= 1
    return line[start:end] or NOTHING_TO_SEE


def _may_not_end(char: str) -> bool:
    code = ord(char)
    return code in _BLANK or code in (0x200C, 0x200D) or category(char) == "Zs"
