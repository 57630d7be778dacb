"""Names of people, by Unicode's rules: which are valid, the valid name nearest to a text, and which names look alike.

Names appear in chats, terminals and pages. A name that is invisible, covers other lines, or changes the direction of
text would disturb other people. A name that looks like somebody else's, or like Locanda's own words and symbols for
turns and winners, would deceive them.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping
from importlib import resources
from unicodedata import normalize

import regex

from locanda.messages import LONGEST_NAME

NOTHING_TO_SEE = "?"
"""Name shown for a person whose name has no visible characters."""

_INVISIBLE = r"\p{Default_Ignorable_Code_Point}"
_OWN_MARKS = "👉☝🏁🏆🥇🥈🥉⭐🤖👤✅❌❔⏳⏰⏱🔔🃏🎴🔏●▫▸▶→"
_OWN_WORDS = ("sistema", "system", "ha vinto", "hanno vinto", "has won", "have won")
_VISIBLE = rf"[[\p{{L}}\p{{N}}\p{{P}}[\p{{S}}&&[\p{{Script=Common}}\p{{Emoji}}]]]--{_INVISIBLE}--[{_OWN_MARKS}]]"
"""Letters, digits, punctuation, emoji and common symbols. Not symbols of a single script, since some are very wide."""
_BASE = rf"[{_VISIBLE}\p{{M}}]"
_TAG = r"[\U000E0030-\U000E0039\U000E0061-\U000E007A]"
_NAME = regex.compile(
    rf"""
    {_VISIBLE}
    # A mark needs something to stand on: at most four in a row, none twice (UTS #39, 5.4).
    | (?<= {_BASE} ) (?<! [\p{{Mn}}\p{{Me}}]{{4}} ) (?P<mark> [\p{{M}}--{_INVISIBLE}] ) (?<! (?P=mark) (?P=mark) )
    | (?<= {_VISIBLE} ) \p{{Variation_Selector}}
    # Joiners where they change what is seen: between emoji, and between letters that join (UAX #31, 2.3).
    | (?<= \p{{Extended_Pictographic}} [\uFE0F\p{{Emoji_Modifier}}]? ) \u200D (?= \p{{Extended_Pictographic}} )
    | (?<= \p{{ccc=Virama}} ) [\u200C\u200D] (?= \p{{L}} )
    | (?<= [\p{{jt=L}}\p{{jt=D}}] \p{{jt=T}}{{0,4}} ) \u200C (?= \p{{jt=T}}{{0,4}} [\p{{jt=R}}\p{{jt=D}}] )
    # The flags of regions: a black flag, up to six tags, and the tag that ends them.
    | (?<= \U0001F3F4 {_TAG}{{0,5}} ) {_TAG} (?= {_TAG}{{0,5}} \U000E007F ) | (?<= \U0001F3F4 {_TAG}{{1,6}} ) \U000E007F
    | (?<= [{_BASE}\U000E007F] ) \p{{Zs}} (?= {_VISIBLE} )
    """,
    regex.VERSION1 | regex.VERBOSE,
)
"""Matches a character that is allowed at its position in a name."""
_NAMES = regex.compile(rf"(?:{_NAME.pattern})+", _NAME.flags)
_HIDDEN = regex.compile(_INVISIBLE)
_SEEN_AS_ONE = regex.compile(r"\X")
_READ = 8 * LONGEST_NAME
"""Maximum characters of a text that `clean_name` considers."""


def is_name(text: str) -> bool:
    """Return whether a text is a valid name: its length is valid, and every character is allowed at its position."""
    return _fits(text) and _NAMES.fullmatch(text) is not None and _without_own_words(text) == text


def clean_name(text: str) -> str:
    """Return the valid name that is nearest to a text."""
    cleaned = _without_faults(" ".join(text[:_READ].split()))
    while cleaned and not _fits(cleaned):
        cleaned = _without_faults("".join(_SEEN_AS_ONE.findall(cleaned)[:-1]))
    return cleaned or NOTHING_TO_SEE


def _without_faults(text: str) -> str:
    """Return the text with forbidden words and characters removed, repeatedly until none are left."""
    kept = _without_own_words("".join(match.group() for match in _NAME.finditer(text)))
    return kept if kept == text else _without_faults(kept)


def _without_own_words(text: str) -> str:
    """Return the text without Locanda's own words, in any spelling that looks like them."""
    words = text.split(" ")
    for first, last in [(at, at + length) for length in (2, 1) for at in range(len(words) - length + 1)]:
        said = _BESIDE_WORDS.sub("", " ".join(words[first:last]))
        if not _OWN_LOOKS.isdisjoint(looks(said)):
            return _without_own_words(" ".join(words[:first] + words[last:]))
    return text


def _fits(text: str) -> bool:
    """Return whether the length of a text is valid, even if ligatures are counted as the letters that they show."""
    return 0 < len(text) <= LONGEST_NAME and len(normalize("NFKC", text)) <= LONGEST_NAME


# --- names that look alike


def look_alike(name: str, other: str) -> bool:
    """Return whether people could mistake two names for each other."""
    return not looks(name).isdisjoint(looks(other))


def distinct(name: str, others: Collection[str]) -> str:
    """Return the name. If it looks like one of the others, a number is added."""
    number, candidate = 1, name
    while any(look_alike(candidate, other) for other in others):
        number += 1
        candidate = f"{clean_name(name[: LONGEST_NAME - 3])} {number}"
    return candidate


def distinct_names(names: Mapping[int, str]) -> dict[int, str]:
    """Return names by person. Repeated names get a number."""
    by_person: dict[int, str] = {}
    for person, name in sorted(names.items()):
        by_person[person] = distinct(name, [*by_person.values()]) if name in by_person.values() else name
    return by_person


def looks(name: str) -> set[str]:
    """Return keys for the look of a name, as written and in lower case: `lan` looks like `Ian`, so like `IAN`."""
    return {_skeleton(name), _skeleton(normalize("NFKC", name).casefold())}


def _skeleton(text: str) -> str:
    """Return a key that is the same for all texts that look the same (UTS #39, section 4)."""
    seen = _HIDDEN.sub("", normalize("NFD", text))
    return normalize("NFD", "".join([_PROTOTYPES.get(char, char) for char in seen]))


def _prototypes() -> dict[str, str]:
    """Return a map from characters to a representative of their look-alikes, from Unicode's confusables.

    The package has pairs in both directions. All characters that look the same form pairs with their prototype, so the
    character in most pairs is the representative. If there is only one pair, the longer text is the representative,
    since the other text is a single character.
    """
    table = json.loads((resources.files("confusable_homoglyphs") / "confusables.json").read_bytes())
    alike: dict[str, set[str]] = defaultdict(set)
    for text, others in table.items():
        alike[_bare(text)].update(_bare(other["c"]) for other in others)
    return {
        char: max((char, *others), key=lambda other: (len(alike[other]), len(other), other))
        for char, others in alike.items()
        if len(char) == 1
    }


def _bare(text: str) -> str:
    """Return an entry of the confusables table without the direction marks around right-to-left text."""
    return text.strip("\u200e")


_PROTOTYPES = _prototypes()
_BESIDE_WORDS = regex.compile(r"[^\p{L}\p{M}\p{N} ]")
_OWN_LOOKS = frozenset[str]().union(*map(looks, _OWN_WORDS))
