"""Parses a day and a time as people write them: "giovedì alle 9 di sera", "tonight at half past 9".

This is a small grammar of our own, because a misread time is worse than a question about it: `dateparser` 1.5 read 7 of
36 such phrases and misread 13. Every word must be understood. An hour from 1 to 11 without a part of the day has two
meanings, and both are returned.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from unicodedata import category, combining, normalize

from msgspec import Struct, structs

from services.telegram.play.dates import WeeklyTime


def _words(text: str) -> list[str]:
    return text.split()


DAY_MINUTES = 24 * 60
NOON = 12 * 60

WEEKDAYS = (
    ("lunedi", "lun", "monday", "mon"),
    ("martedi", "mar", "tuesday", "tue"),
    ("mercoledi", "mer", "wednesday", "wed"),
    ("giovedi", "gio", "thursday", "thu"),
    ("venerdi", "ven", "friday", "fri"),
    ("sabato", "sab", "saturday", "sat"),
    ("domenica", "dom", "sunday", "sun"),
)
"""The names of the days, Monday first, without accents."""
DAYS_AHEAD = {
    **dict.fromkeys(("oggi", "stasera", "stamattina", "stanotte", "today", "tonight"), 0),
    **dict.fromkeys(("domani", "tomorrow"), 1),
    "dopodomani": 2,
}
"""Days from today, by word."""

Minutes = tuple[int, int]
"""The first minute of a part of the day, and the minute after it."""
PARTS: Mapping[str, tuple[Minutes, ...]] = {
    "am": ((0, NOON),),
    "morning": ((60, NOON),),
    "afternoon": ((NOON, 19 * 60),),
    "pm": ((NOON, DAY_MINUTES),),
    "evening": ((16 * 60, DAY_MINUTES + 1),),
    "night": ((21 * 60, DAY_MINUTES + 1), (0, 5 * 60)),
}
"""The minutes of the day that each part of the day covers."""
PART_WORDS = {
    **{name: name for name in PARTS},
    **dict.fromkeys(("mattina", "mattino", "mattinata", "stamattina"), "morning"),
    "pomeriggio": "afternoon",
    **dict.fromkeys(("sera", "serata", "stasera", "tonight"), "evening"),
    **dict.fromkeys(("notte", "stanotte"), "night"),
}
LATE = {"stasera", "stanotte", "tonight"}
"""Words for a night that continues after midnight."""

FILLERS = frozenset(
    (
        *_words("a al alla alle all at the in on of by di del della dell da dalle le il la i lo l un o h s punto"),
        *_words("ogni tutti tutte every each this questo questa ore ora oclock clock sharp"),
    )
)
"""Words without effect on the time."""

_UNITS_IT = _words("zero uno due tre quattro cinque sei sette otto nove")
_TEENS_IT = _words("dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove")
_TENS_IT = {20: "venti", 30: "trenta", 40: "quaranta", 50: "cinquanta"}
_UNITS_EN = _words("zero one two three four five six seven eight nine")
_TEENS_EN = _words("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
_TENS_EN = {20: "twenty", 30: "thirty", 40: "forty", 50: "fifty"}
NUMBERS = {
    **{word: number for words in (_UNITS_IT + _TEENS_IT, _UNITS_EN + _TEENS_EN) for number, word in enumerate(words)},
    **{word: number for tens in (_TENS_IT, _TENS_EN) for number, word in tens.items()},
    **{
        (word[:-1] if unit[0] in "uo" else word) + unit: ten + number
        for ten, word in _TENS_IT.items()
        for number, unit in enumerate(_UNITS_IT)
        if number
    },
    **{word + unit: ten + number for ten, word in _TENS_EN.items() for number, unit in enumerate(_UNITS_EN) if number},
    "una": 1,
}
SIGNS = {
    **dict.fromkeys(("mezza", "mezzo", "half"), "h"),
    **dict.fromkeys(("quarto", "quarti", "quarter"), "q"),
    **dict.fromkeys(("e", "and"), "&"),
    "meno": "-",
    "to": "-",
    "past": "+",
}
MIDNIGHT = 99
"""Stands for the hour at the end of the day: "midnight" means the night after the named evening."""
NAMED_CLOCKS = {
    **dict.fromkeys(("mezzogiorno", "noon", "midday"), 12),
    **dict.fromkeys(("mezzanotte", "midnight"), MIDNIGHT),
}

_DOTTED = re.compile(r"\b([ap])\.?\s?m\b\.?")
_SPACED_TENS = re.compile(rf"\b({'|'.join(_TENS_EN.values())})[ -]({'|'.join(_UNITS_EN[1:])})\b")
_TOKEN = re.compile(r"(\d{1,2})[:.,h](\d{2})(?!\d)|(\d{2})(\d{2})(?!\d)|(\d{1,2})(?!\d)|([a-z]+)|(\S)")
_CLOCK = re.compile(
    r"_*(?:(?P<hour>n)(?:&?(?P<minutes>n)|&_*(?P<half>h)|&_*(?P<quarter>q)|&(?P<quarters>n)q|-(?P<less>n)|-_*(?P<less_quarter>q))?"
    r"|(?:(?P<half_past>h)\+|(?P<quarter_past>q)\+|(?P<quarter_to>q)-|(?P<past>n)\+|(?P<to>n)-)(?P<of>n))_*"
)
"""A time in signs: `n` number, `h` half, `q` quarter, `&` and, `+` past, `-` to or less, `_` no effect."""


class _Words(Struct):
    """The words of a text, sorted by their meaning."""

    days: set[int]
    today: bool
    """Whether the text says "today" or a synonym; the name of the weekday does not count."""
    parts: list[str]
    late: bool
    signs: str = ""
    """The words of the clock time as signs of `_CLOCK`; `x` for an unknown word."""
    numbers: dict[int, int] = {}
    """The numbers in `signs`, by index."""


def read_times(text: str, now: datetime) -> list[WeeklyTime]:
    """Return the times that a text may mean: none if it is unclear, two if morning or evening is left open.

    `now` is the group's local time. For "today", only times after `now` are possible.
    """
    words = _sorted_words(text, now.weekday())
    clock = _clock(words)
    if clock is None or len(words.days) != 1:
        return []
    minutes = _minutes(*clock, words)
    passed = now.hour * 60 + now.minute if words.today else -1
    return [_weekly(now.weekday() + min(words.days), minute) for minute in minutes if minute > passed]


def _weekly(weekday: int, minute: int) -> WeeklyTime:
    days, minute = divmod(minute, DAY_MINUTES)
    return WeeklyTime((weekday + days) % 7, minute)


def _sorted_words(text: str, today: int) -> _Words:
    plain = _SPACED_TENS.sub(r"\1\2", _DOTTED.sub(r"\1m ", _without_accents(text)))
    words, signs, numbers = _Words(set(), today=False, parts=[], late=False), "", dict[int, int]()
    for sign, number in (part for token in _TOKEN.finditer(plain) for part in _read(token, words, today)):
        if number is not None:
            numbers[len(signs)] = number
        signs += sign
    return structs.replace(words, signs=signs, numbers=numbers)


def _read(token: re.Match[str], words: _Words, today: int) -> Iterator[tuple[str, int | None]]:
    """Yield the signs of a token, with their numbers; record a day or a part of the day in `words`."""
    hour, minutes, two, more, number, word, other = token.groups()
    if word is None:
        digits = [digit for digit in (hour, minutes, two, more, number) if digit]
        yield from (("n", int(digit)) for digit in digits)
        if other:
            yield ("_" if category(other)[0] in "PSM" else "x"), None
        return
    named = _note_day(word, words, today) | _note_part(word, words)
    if word in NUMBERS and not named:
        yield "n", NUMBERS[word]
    elif word in NAMED_CLOCKS:
        yield "n", NAMED_CLOCKS[word]
    else:
        yield SIGNS.get(word, "_" if named or word in FILLERS else "x"), None


def _note_day(word: str, words: _Words, today: int) -> bool:
    weekday = next((day for day, names in enumerate(WEEKDAYS) if word in names), None)
    ahead = DAYS_AHEAD.get(word) if weekday is None else (weekday - today) % 7
    if ahead is None:
        return False
    words.days.add(ahead)
    words.today |= weekday is None and ahead == 0
    return True


def _note_part(word: str, words: _Words) -> bool:
    if word not in PART_WORDS:
        return False
    words.parts.append(PART_WORDS[word])
    words.late |= word in LATE
    return True


def _clock(words: _Words) -> tuple[int, int] | None:
    """Return the hour (0 to 24, or `MIDNIGHT`) and the minutes after it, negative before it; None for no time."""
    match = _CLOCK.fullmatch(words.signs)
    if match is None:
        return None

    def number(name: str) -> int:
        return words.numbers[match.start(name)]

    hour, minute = number("hour" if match["hour"] else "of"), 0
    for name in ("minutes", "past"):
        minute += number(name) if match[name] else 0
    for name in ("less", "to"):
        minute -= number(name) if match[name] else 0
    minute += 30 * bool(match["half"] or match["half_past"])
    minute += 15 * (
        bool(match["quarter"] or match["quarter_past"]) - bool(match["less_quarter"] or match["quarter_to"])
    )
    minute += 15 * number("quarters") if match["quarters"] else 0
    return (hour, minute) if -60 < minute < 60 and _is_hour(hour, minute) else None


def _is_hour(hour: int, minute: int) -> bool:
    return hour < 24 or (hour in (24, MIDNIGHT) and minute <= 0)


def _minutes(hour: int, minute: int, words: _Words) -> list[int]:
    """Return the possible minutes of the day; values over 24 hours belong to the night after that day."""
    if hour == MIDNIGHT:
        return [DAY_MINUTES + minute]
    hours = _hours(hour, words.parts)
    possible = [at * 60 + minute for at in hours]
    meant = [at for at in possible if all(_is_in(at, part) for part in words.parts)]
    return [at + DAY_MINUTES if words.late and at < 5 * 60 else at for at in meant]


def _hours(hour: int, parts: Sequence[str]) -> list[int]:
    """Return the possible hours of the day for a number."""
    if not {"am", "pm"}.isdisjoint(parts) and not 1 <= hour <= 12:
        return []
    if hour == 12:
        return [12, 24, 0] if parts else [12]
    return [hour, hour + 12] if 1 <= hour < 12 else [hour]


def _is_in(minute: int, part: str) -> bool:
    return any(first <= minute < end for first, end in PARTS[part])


def _without_accents(text: str) -> str:
    return "".join(sign for sign in normalize("NFKD", text.lower()) if not combining(sign))
