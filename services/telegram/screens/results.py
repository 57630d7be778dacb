"""Results: the end of a deal and of a match, and a group's leaderboard."""

from collections.abc import Sequence

from locanda.games.base import N_, Result
from locanda.games.registry import WIRE_TYPES
from locanda.messages import GameInfo, JsonObject
from locanda.texts.games import texts_of
from locanda.texts.phrases import medal
from locanda.translations import Language, Translations, translations_in
from services.telegram import callback_data
from services.telegram.records import ShuffleOutcome, Standing
from services.telegram.screens.games.registry import GAME_SCREENS, game_name, game_title
from services.telegram.screens.screen import Button, Screen, bold, in_rows, joined, named
from services.telegram.screens.table import TableViewModel, title

LEADERBOARD_LINES = 20


def deal_over_screen(
    model: TableViewModel, deal: int, result: Result, language: Language, event: JsonObject | None = None
) -> Screen:
    """Return the message at the end of a deal that does not end the match; `event` ended the deal."""
    translations = translations_in(language)
    over = (
        translations.gettext("Deal {n} of {all} is over.") if model.deals else translations.gettext("Deal {n} is over.")
    )
    how = texts_of(model.table.game).event_text(event or {}, [bold(name) for name in model.names], translations)
    text = joined(
        title(model, language),
        over.format(n=deal, all=model.deals),
        how,
        ranking(model, result, translations),
        _standing(model, translations) if deal > 1 else "",
    )
    return Screen(text)


def _standing(model: TableViewModel, translations: Translations) -> str:
    fewest = WIRE_TYPES[model.table.game].FEWEST_WINS
    points = sorted(zip(model.table.match.points, model.names, strict=True), reverse=not fewest)
    so_far = translations.gettext("In the match so far:")
    return "\n".join([so_far, *(f"{bold(name)} {number}" for number, name in points)])


def match_over_screen(
    model: TableViewModel, language: Language, *, rematch: bool = True, outcome: ShuffleOutcome | None = None
) -> Screen:
    """Return the message at the end of a match; `outcome` is that of the check of its shuffle, once it is done."""
    translations = translations_in(language)
    result = model.table.match.result
    if result is None:
        return Screen(joined(title(model, language), translations.gettext("The table is closed.")))
    text = joined(
        f"🏁 {title(model, language)}",
        _verdict(model, result, translations),
        ranking(model, result, translations),
        proof(model, outcome, translations),
    )
    again = Button(
        translations.gettext("Rematch"), callback_data.PlayAgain(model.ref, model.table.match.number), style="success"
    )
    review = Button(translations.gettext("🔍 My moves"), callback_data.ReviewMatch(model.ref, model.table.match.number))
    return Screen(text, ((again, review),) if rematch else ())


def _verdict(model: TableViewModel, result: Result, translations: Translations) -> str:
    first = result.ranking[0]
    if len(first) == 1:
        return translations.gettext("{name} wins!").format(name=bold(model.names[first[0]]))
    return translations.gettext("A draw between {names}.").format(names=named(first, model.names, translations))


def ranking(model: TableViewModel, result: Result, translations: Translations) -> str:
    """Return the ranking with points, best first; players who tie share a place."""
    points = texts_of(model.table.game).points
    lines, place = [], 0
    for seats in result.ranking:
        lines += [
            f"{medal(place)} {bold(model.names[seat])} · {points(result.points[seat], translations)}" for seat in seats
        ]
        place += len(seats)
    return "\n".join(lines)


OUTCOMES: dict[ShuffleOutcome, str] = {
    "agreed": N_("✅ Agreed: I dealt the cards again from the fingerprint and the seeds that I kept from before."),
    "different": N_("❌ NOT agreed: the proofs do not match the fingerprint and the seeds that I kept from before!"),
    "unchecked": N_("❔ I could not check the shuffle by myself."),
}


def proof(model: TableViewModel, outcome: ShuffleOutcome | None, translations: Translations) -> str:
    """Return the collapsed proof of the shuffle: the bot's own check, commitment, seed, and how to check them."""
    match = model.table.match
    if match.server_seed is None:
        return ""
    how = translations.gettext(
        "The shuffle can be checked. Before the deal the server published the fingerprint (commitment), "
        "now it shows the secret (server seed). The cards follow from the secret and the players' seeds "
        "(client seeds): the program locanda-verify deals them again from the proof of a deal. Give it the fingerprint "
        "and the seeds as they were before the deal: a proof that is compared with nothing from before proves nothing."
    )
    facts = (
        (translations.gettext("Table"), model.table.id),
        (translations.gettext("Match"), str(match.number)),
        (translations.gettext("Fingerprint"), match.commitment),
        (translations.gettext("Secret"), match.server_seed),
    )
    lines = "\n".join(f"{name}: <code>{value}</code>" for name, value in facts)
    checked = "" if outcome is None else f"{translations.gettext(OUTCOMES[outcome])}\n"
    return f"<blockquote expandable>{checked}{how}\n{lines}</blockquote>"


def leaderboard_screen(
    game: GameInfo, standings: Sequence[Standing], games: Sequence[GameInfo], language: Language
) -> Screen:
    """Return a game's leaderboard, most wins first, with a button for each other game."""
    translations = translations_in(language)
    ranked = sorted(standings, key=lambda each: (-each.wins, each.matches, each.name))[:LEADERBOARD_LINES]
    lines = "\n".join(
        f"{medal(place)} {bold(each.name)} · {_results(each, translations)}" for place, each in enumerate(ranked)
    )
    title = f"🏆 {bold(game_name(game, language))}"
    nobody = translations.gettext("Nobody has finished a match here yet.")
    others = [
        Button(game_title(other, language), callback_data.ShowLeaderboard(other.game))
        for other in games
        if other.game in GAME_SCREENS and other.game != game.game
    ]
    return Screen(joined(title, lines or nobody), in_rows(others, 2))


def _results(standing: Standing, translations: Translations) -> str:
    wins = translations.ngettext("{n} win", "{n} wins", standing.wins).format(n=standing.wins)
    matches = translations.ngettext("{n} match", "{n} matches", standing.matches).format(n=standing.matches)
    return f"{wins} · {matches}"
