"""The group's leaderboard."""

from collections.abc import Sequence

from services.telegram import buttons
from services.telegram.records import Standing
from services.telegram.screens.games import DRAWINGS
from services.telegram.screens.scene import game_name
from services.telegram.screens.screen import Button, Screen, in_rows, joined
from services.telegram.screens.text import bold
from shared.messages import GameInfo
from shared.translate import Language, Words, translator
from shared.words.phrases import medal

SHOWN = 20


def board_screen(
    game: GameInfo, standings: Sequence[Standing], games: Sequence[GameInfo], language: Language
) -> Screen:
    """Return a game's leaderboard, most wins first; the other games are a tap away."""
    words = translator(language)
    ranked = sorted(standings, key=lambda each: (-each.wins, each.matches, each.name))[:SHOWN]
    lines = "\n".join(
        f"{medal(place)} {bold(each.name)} · {_results(each, words)}" for place, each in enumerate(ranked)
    )
    title = f"🏆 {bold(game_name(game, language))}"
    nobody = words.gettext("Nobody has finished a match here yet.")
    others = [
        Button(f"{DRAWINGS[other.game].icon} {game_name(other, language)}", buttons.Board(other.game))
        for other in games
        if other.game in DRAWINGS and other.game != game.game
    ]
    return Screen(joined(title, lines or nobody), in_rows(others, 2))


def _results(standing: Standing, words: Words) -> str:
    wins = words.ngettext("{n} win", "{n} wins", standing.wins).format(n=standing.wins)
    matches = words.ngettext("{n} match", "{n} matches", standing.matches).format(n=standing.matches)
    return f"{wins} · {matches}"
