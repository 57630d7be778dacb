"""Screen of a person's match history."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from locanda.messages import GameInfo
from locanda.texts.chat import bold, plain
from locanda.texts.phrases import medal
from locanda.translations import Language, Translations, translations_in
from services.telegram.play.dates import day_of, local
from services.telegram.play.history import History, Meeting, OwnMatch, Partner, Tally
from services.telegram.screens.games import game_title
from services.telegram.screens.screen import Screen, at_most, in_lines, joined

TITLES = 12
"""Maximum number of titles to list."""


class HistoryView(Struct, frozen=True, kw_only=True):
    """The data of the match history screen."""

    user: int
    tallies: Sequence[tuple[GameInfo, Tally]]
    """Matches and wins in each game, most played first."""
    history: History
    titles: Sequence[tuple[int, str]] = ()
    """The seasons that the person has won: season number and group name."""
    names: Mapping[int, str] = {}
    groups: Mapping[int, str] = {}
    """Names of groups, by chat id."""
    zones: Mapping[int, str] = {}
    """Time zones of groups, by chat id."""


def history_screen(view: HistoryView, language: Language) -> Screen:
    """Return the match history: totals by game, bests, frequent opponents and partners, latest matches."""
    translations, own_history = translations_in(language), view.history
    heading = translations.gettext("Your matches")
    title = f"📒 {bold(heading)}"
    if not view.tallies:
        return Screen(joined(title, translations.gettext("You have not finished a match in a group yet.")))
    games = [f"{plain(game_title(game, language))}: {_tally(tally, translations)}" for game, tally in view.tallies]
    met = [_meeting(met_person, view) for met_person in own_history.met]
    partners = [_partner(partner, view, translations) for partner in own_history.partners]
    latest = [_match(match, view, language) for match in own_history.latest]
    return Screen(
        joined(
            title,
            in_lines(*games),
            in_lines(*_best(view, translations)),
            _list(translations.gettext("The people you meet most (times ahead: you – they):"), met),
            _list(translations.gettext("Your partners:"), partners),
            _list(translations.gettext("The latest:"), latest),
        )
    )


def _tally(tally: Tally, translations: Translations) -> str:
    matches = translations.ngettext("{n} match", "{n} matches", tally.matches).format(n=tally.matches)
    wins = translations.ngettext("{n} win", "{n} wins", tally.wins).format(n=tally.wins)
    return f"{matches}, {wins}"


def _best(view: HistoryView, translations: Translations) -> list[str]:
    row, titles = view.history.longest, [_title(number, group, translations) for number, group in view.titles]
    rows = [translations.gettext("🔥 Best run: {n} wins in a row").format(n=row)] if row else []
    return [*rows, *at_most((f"🏆 {title}" for title in titles), TITLES, translations)]


def _title(number: int, group: str, translations: Translations) -> str:
    season = translations.gettext("Season {n}").format(n=number)
    return f"{season} · {plain(group)}" if group else season


def _list(heading: str, lines: Sequence[str]) -> str:
    shown = [line for line in lines if line]
    return in_lines(heading, *shown) if shown else ""


def _meeting(met: Meeting, view: HistoryView) -> str:
    if met.person not in view.names:
        return ""
    return f"{bold(view.names[met.person])}: {met.before}–{met.behind}"


def _partner(partner: Partner, view: HistoryView, translations: Translations) -> str:
    if partner.person not in view.names:
        return ""
    return f"{bold(view.names[partner.person])}: {_tally(partner.tally, translations)}"


def _match(match: OwnMatch, view: HistoryView, language: Language) -> str:
    translations = translations_in(language)
    game = next((game_title(game, language) for game, _ in view.tallies if game.game == match.game), match.game)
    of = translations.gettext("{place} of {people}").format(
        place=medal(match.place_of(view.user)), people=len(match.places)
    )
    day = day_of(local(match.ended, view.zones[match.chat]), language)
    return " · ".join(part for part in (day, plain(game), of, plain(view.groups.get(match.chat, ""))) if part)
