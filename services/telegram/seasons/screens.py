"""Screens of a group's season: its table, past titles, and settings."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from locanda.games.base import N_
from locanda.texts.chat import bold, plain
from locanda.texts.phrases import listed, points
from locanda.translations import Language, Translations, translations_in
from services.telegram import callback_data
from services.telegram.evenings.screens import score_lines
from services.telegram.evenings.summary import Score
from services.telegram.play.dates import day_of, local, month_of
from services.telegram.screens.screen import Button, Rows, Screen, choice, in_lines, joined
from services.telegram.seasons.season import Length, PastSeason, Season

LINES = 20
TITLES = 12
"""Maximum number of past seasons to list."""
LENGTHS: dict[Length, str] = {"month": N_("A month"), "week": N_("A week"), "ended": N_("Until we end it")}


class SeasonView(Struct, frozen=True, kw_only=True):
    """The data of a season's screen."""

    season: Season
    scores: Sequence[Score]
    """The current season's scores, best first."""
    past: Sequence[PastSeason] = ()
    names: Mapping[int, str] = {}
    until: float | None = None
    """When the season ends (Unix seconds); None without a fixed end."""
    zone: str = "UTC"


def season_screen(view: SeasonView, language: Language, *, asks: bool = False) -> Screen:
    """Return the screen of a group's season; with `asks`, ask whether to end it."""
    translations = translations_in(language)
    which = translations.gettext("Season {n}").format(n=view.season.number)
    sure = translations.gettext("End the season now, and give the title to the leader?")
    text = joined(
        f"📈 {bold(which)}{_until(view, language)}",
        table_of(view, translations) or translations.gettext("Nobody has finished a match this season yet."),
        _titles(view, language),
        sure if asks else _points(view, translations),
    )
    return Screen(text, _question(view, translations) if asks else _choices(view, translations))


def season_over_screen(past: PastSeason, names: Mapping[int, str], zone: str, language: Language) -> Screen | None:
    """Return the announcement of a season's end; None if no winner is known."""
    translations = translations_in(language)
    champions = [bold(names[champion]) for champion in past.champions if champion in names]
    if not champions:
        return None
    over = translations.gettext("The season is over: {season}").format(season=season_name(past, zone, language))
    title = translations.gettext("The title goes to {names}, with {points}.").format(
        names=listed(champions, translations), points=points(past.scores[0].points, translations)
    )
    table = in_lines(*score_lines(past.scores, names, translations)[:LINES])
    stays = translations.gettext("All titles, and the new season: /season")
    return Screen(joined(f"🏆 {bold(over)}", title, table, stays))


def season_name(past: PastSeason, zone: str, language: Language) -> str:
    """Return the name of a past season: its month, its week, or its number."""
    translations, last = translations_in(language), local(past.last, zone)
    if past.length == "month":
        return month_of(last, language)
    if past.length == "week":
        return translations.gettext("week of {day}").format(day=f"{day_of(last, language)} {last.year}")
    return translations.gettext("Season {n}").format(n=past.number)


def _until(view: SeasonView, language: Language) -> str:
    if view.until is None:
        return ""
    text = translations_in(language).gettext("until {day}")
    return f" · {text.format(day=day_of(local(view.until - 1, view.zone), language))}"


def table_of(view: SeasonView, translations: Translations, most: int = LINES) -> str:
    """Return the first lines of a season's table."""
    return in_lines(*score_lines(view.scores, view.names, translations)[:most])


def _titles(view: SeasonView, language: Language) -> str:
    translations = translations_in(language)
    lines = [f"🏆 {_title(view, past, language)}" for past in view.past[:TITLES]]
    return in_lines(translations.gettext("Titles:"), *lines) if lines else ""


def _title(view: SeasonView, past: PastSeason, language: Language) -> str:
    translations, which = translations_in(language), season_name(past, view.zone, language)
    champions = [bold(view.names[champion]) for champion in past.champions if champion in view.names]
    won = f"{listed(champions, translations)}, {points(past.scores[0].points, translations)}" if champions else "–"
    return f"{plain(which)} · {won}"


def _points(view: SeasonView, translations: Translations) -> str:
    text = translations.gettext("Points for the top places: {points}. To change them: {example}")
    example = translations.gettext("/season 10 6 3 1")
    shown = text.format(points=_numbers(view.season.points), example=f"<code>{example}</code>")
    following = translations.gettext("From the next season on: {points}.").format(
        points=_numbers(view.season.following)
    )
    return f"<i>{in_lines(shown, following if view.season.following else '')}</i>"


def _numbers(points: Sequence[int]) -> str:
    return ", ".join(map(str, points))


def _choices(view: SeasonView, translations: Translations) -> Rows:
    lengths = tuple(
        choice(translations.gettext(name), callback_data.SetSeason(length), chosen=length == view.season.length)
        for length, name in LENGTHS.items()
    )
    end = Button(translations.gettext("End the season"), callback_data.EndSeason(view.season.number))
    return (lengths, (end,)) if view.scores else (lengths,)


def _question(view: SeasonView, translations: Translations) -> Rows:
    number = view.season.number
    yes = Button(translations.gettext("Yes, end it"), callback_data.EndSeason(number, sure=True), style="danger")
    no = Button(translations.gettext("No, it goes on"), callback_data.EndSeason(number, sure=None))
    return ((yes, no),)
