"""Screen of a group's leaderboard: sort orders and texts."""

from collections.abc import Sequence

from locanda.messages import GameInfo
from locanda.texts.chat import bold
from locanda.texts.phrases import medal
from locanda.translations import Language, Translations, translations_in
from services.telegram import callback_data
from services.telegram.callback_data import LeaderboardOrder
from services.telegram.play.cards import GAME_SCREENS
from services.telegram.play.ratings import MEAN
from services.telegram.records import Standing
from services.telegram.screens.games import game_name, game_title
from services.telegram.screens.screen import Button, Screen, in_rows, joined

LINES = 20


def leaderboard_screen(
    game: GameInfo,
    standings: Sequence[Standing],
    games: Sequence[GameInfo],
    language: Language,
    by: LeaderboardOrder = "wins",
) -> Screen:
    """Return a game's leaderboard, with buttons for the other sort order and for other games."""
    translations = translations_in(language)
    rows = ranked(standings, by)
    lines = "\n".join(
        f"{medal(place)} {bold(row.name)} · {results_of(row, translations)}" for place, row in enumerate(rows)
    )
    is_rated = any(row.rating.matches for row in rows)
    orders = [
        (Button(text, callback_data.ShowLeaderboard(game.game, order)),)
        for order, text in order_names(translations).items()
        if is_rated and order != by
    ]
    others = [
        Button(game_title(other, language), callback_data.ShowLeaderboard(other.game, by))
        for other in games
        if other.game in GAME_SCREENS and other.game != game.game
    ]
    explained = f"<blockquote expandable>{rating_explained(translations)}</blockquote>" if is_rated else ""
    title = f"🏆 {bold(game_name(game, language))}"
    return Screen(joined(title, lines or nobody_yet(translations), explained), (*orders, *in_rows(others, 2)))


def ranked(standings: Sequence[Standing], by: LeaderboardOrder) -> list[Standing]:
    """Return the first `LINES` standings, best first."""
    return sorted(standings, key=_by_rating if by == "rating" else _by_wins)[:LINES]


def order_names(translations: Translations) -> dict[LeaderboardOrder, str]:
    """Return the labels of the sort orders."""
    return {
        "wins": translations.gettext("Most wins first"),
        "rating": translations.gettext("Highest rating first"),
    }


def results_of(standing: Standing, translations: Translations) -> str:
    """Return a person's rating, wins and matches, in words."""
    wins = translations.ngettext("{n} win", "{n} wins", standing.wins).format(n=standing.wins)
    matches = translations.ngettext("{n} match", "{n} matches", standing.matches).format(n=standing.matches)
    rating = standing.rating
    points = f"⭐ {rating.points} ± {rating.margin}{'?' if rating.provisional else ''}" if rating.matches else ""
    return " · ".join(part for part in (points, wins, matches) if part)


def rating_explained(translations: Translations) -> str:
    """Return the explanation of ratings."""
    text = translations.gettext(
        "⭐ is the rating among the people of this group, whose average is {mean}. Somebody with 100 more finishes "
        "ahead of the other in 64 of 100 matches, with 200 more in 76. It comes from who finished ahead of whom in "
        "everybody's matches: just taking part is not enough. Computers do not count, every rematch does, and a "
        "player who leaves a match comes last. ± is how far off it may be, 19 times in 20. ? means: so far it may be "
        "all luck."
    )
    return text.format(mean=MEAN)


def nobody_yet(translations: Translations) -> str:
    """Return the text of an empty leaderboard."""
    return translations.gettext("Nobody has finished a match here yet.")


def _by_wins(standing: Standing) -> tuple[object, ...]:
    rating = standing.rating
    return -standing.wins, not rating.matches, -rating.points, standing.matches, standing.name


def _by_rating(standing: Standing) -> tuple[object, ...]:
    """Return the sort key by rating: certain ratings first, then provisional ones, then people without one."""
    rating = standing.rating
    return not rating.matches, rating.provisional, -rating.points, *_by_wins(standing)
