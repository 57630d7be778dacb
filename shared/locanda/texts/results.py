"""Results: winners of a deal or a match, the ranking, and the points so far. Names come marked up by the client."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from locanda.games.base import Result
from locanda.games.registry import WIRE_TYPES
from locanda.messages import Table
from locanda.texts.games import texts_of
from locanda.texts.phrases import listed, medal, place_number
from locanda.translations import Translations


class Placed(Struct, frozen=True):
    """A seat in a ranking."""

    mark: str
    """The medal or number of the place, which seats that tie share."""
    name: str
    points: str
    """A number, with what the game calls it."""
    title: str = ""
    """What whoever has the place alone is called, where the game has a name for it."""


def deals_of(table: Table) -> int | None:
    """Return the number of deals in a match; None if it is not fixed."""
    default = getattr(WIRE_TYPES[table.game].Options(), "deals", None)
    return None if default is None else int(table.options.get("deals", default))


def deal_number(table: Table, translations: Translations) -> str:
    """Return the number of the deal; empty before the first one, and where a match has only one."""
    deals, deal = deals_of(table), table.match.deal
    if not deal or deals == 1 or (deals is None and deal < 2):
        return ""
    which = translations.gettext("deal {n} of {all}") if deals else translations.gettext("deal {n}")
    return which.format(n=deal, all=deals)


def winners(result: Result, names: Sequence[str], translations: Translations) -> str:
    """Return the winners' names as a sentence."""
    first = [names[seat] for seat in result.ranking[0]]
    if len(first) == 1:
        return translations.gettext("{name} wins!").format(name=first[0])
    return translations.gettext("A draw between {names}.").format(names=listed(first, translations))


def ranking(game: str, result: Result, names: Sequence[str], translations: Translations) -> Iterator[Placed]:
    """Yield the seats with their points, best first.

    Those who share a place below the first without a point have its number: nobody has earned its medal.
    """
    texts, place = texts_of(game), 0
    titles = texts.TITLES.get(len(names), ())
    for seats in result.ranking:
        title = translations.gettext(titles[place]) if titles and len(seats) == 1 else ""
        earned = place == 0 or len(seats) == 1 or any(result.points[seat] for seat in seats)
        mark = medal(place) if earned else place_number(place)
        for seat in seats:
            yield Placed(mark, names[seat], texts.points(result.points[seat], translations), title)
        place += len(seats)


def ending(game: str, result: Result, names: Sequence[str], translations: Translations) -> str:
    """Return how and why a deal ended; empty if the game has no words for it."""
    text = texts_of(game).ENDINGS.get(result.reason or "", "")
    winner = names[result.ranking[0][0]]
    return translations.gettext(text).format(name=winner) if text else ""


def standing(table: Table, names: Sequence[str]) -> list[tuple[str, int]]:
    """Return the names with their points in the match so far, best first."""
    points = sorted(zip(table.match.points, names, strict=True), reverse=not WIRE_TYPES[table.game].FEWEST_WINS)
    return [(name, number) for number, name in points]
