"""Results: winners, rankings and points, in words. Names contain the client's markup."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from locanda.games.base import Result
from locanda.games.registry import WIRE_TYPES, fewest_wins
from locanda.messages import Table
from locanda.texts.games import texts_of
from locanda.texts.phrases import listed, medal, place_number
from locanda.translations import Translations


class Placed(Struct, frozen=True):
    """A seat in a ranking."""

    mark: str
    """The medal or number of the place; tied seats share it."""
    name: str
    points: str
    """The points, with the game's word for them."""
    title: str = ""
    """The game's name for the place, unless it is shared."""


def deals_of(table: Table) -> int | None:
    """Return the number of deals in a match; None if it is not fixed."""
    default = getattr(WIRE_TYPES[table.game].Options(), "deals", None)
    return None if default is None else int(table.options.get("deals", default))


def deal_number(table: Table, translations: Translations) -> str:
    """Return the number of the deal in words; empty before the first deal, and in matches of one deal."""
    deals, deal = deals_of(table), table.match.deal
    if not deal or deals == 1 or (deals is None and deal < 2):
        return ""
    which = translations.gettext("deal {n} of {all}") if deals else translations.gettext("deal {n}")
    return which.format(n=deal, all=deals)


def winners(result: Result, names: Sequence[str], translations: Translations) -> str:
    """Return a sentence with the names of the winners."""
    first = [names[seat] for seat in result.ranking[0]]
    if len(first) == 1:
        return translations.gettext("{name} wins!").format(name=first[0])
    if result.teams and result.ranking[0] in result.teams:
        return translations.gettext("{names} win!").format(names=listed(first, translations))
    return translations.gettext("A draw between {names}.").format(names=listed(first, translations))


def closed(table: Table, translations: Translations) -> str:
    """Return a sentence that the table is closed, and who left last; in a chat, that person closed the table."""
    last = next((event["name"] for event in table.events if event.get("type") in ("left", "replaced")), None)
    if last is None:
        return translations.gettext("The table is closed.")
    return translations.gettext("The table is closed: {name} was the last to get up.").format(name=last)


def ranking(game: str, result: Result, names: Sequence[str], translations: Translations) -> Iterator[Placed]:
    """Yield the seats with their points, best first.

    Seats without points that share a place below the first get the place's number instead of a medal.
    """
    texts = texts_of(game)
    titles = texts.TITLES.get(len(names), ())
    for place, seats in places(result):
        title = translations.gettext(titles[place]) if titles and len(seats) == 1 else ""
        earned = place == 0 or len(seats) == 1 or result.teams or any(result.points[seat] for seat in seats)
        mark = medal(place) if earned else place_number(place)
        for seat in seats:
            yield Placed(mark, names[seat], texts.points(result.points[seat], translations), title)


def places(result: Result) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield each place, counted from 0, with the seats that share it. The losing one of two teams is second."""
    place = 0
    for seats in result.ranking:
        yield place, seats
        place += 1 if result.teams else len(seats)


def ending(table: Table, last_deal: Result, names: Sequence[str], translations: Translations) -> str:
    """Return a sentence on the end of a deal and, at a match's end, on who reached the target; empty if there is none.

    `table` is the table after the deal. `last_deal` is the deal's result or, if unknown, the match's.
    """
    text, closer = texts_of(table.game).ENDINGS.get(last_deal.reason or "", ""), _closer(table)
    how = ""
    if text and not (closer is None and "{closer}" in text):
        winner = names[last_deal.ranking[0][0]]
        how = translations.gettext(text).format(name=winner, closer=names[closer or 0])
    return " ".join(part for part in (how, _target(table, names, translations)) if part)


def _closer(table: Table) -> int | None:
    """Return the seat that played the last card of the finished deal; None if unknown."""
    played = [event["seat"] for event in table.events if event.get("type") == "played"]
    over = table.deal is not None and table.deal.turn is None
    return played[-1] if played else getattr(table.deal, "last", None) if over else None


def _target(table: Table, names: Sequence[str], translations: Translations) -> str:
    """Return who reached the target of the match and, if the fewest points win, who wins."""
    result, options = table.match.result, WIRE_TYPES[table.game].Options()
    target = table.options.get("target", getattr(options, "target", None))
    reached = [seat for seat, points in enumerate(result.points) if points >= target] if result and target else []
    if result is None or not reached:
        return ""
    text = translations.ngettext("{names} reaches {target} points.", "{names} reach {target} points.", len(reached))
    if len(result.ranking[0]) == 1 and fewest_wins(table.game):
        text = translations.ngettext(
            "{names} reaches {target} points: {winner} wins, with the fewest.",
            "{names} reach {target} points: {winner} wins, with the fewest.",
            len(reached),
        )
    listing = listed((names[seat] for seat in reached), translations)
    return text.format(names=listing, target=target, winner=names[result.ranking[0][0]])


def standing(game: str, points: Sequence[int], names: Sequence[str]) -> list[tuple[str, int]]:
    """Return the names and points of a match so far, best first."""
    ranked = sorted(zip(points, names, strict=True), reverse=not fewest_wins(game))
    return [(name, number) for number, name in ranked]
