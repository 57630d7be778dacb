"""Screens about computer players: opponents in private, levels and substitutes in the lobby, hints, reviews."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from locanda.games.base import N_
from locanda.games.options import PresetName
from locanda.messages import (
    COMPUTER_LEVELS,
    ComputerLevel,
    GameInfo,
    Hint,
    JsonObject,
    Review,
    ReviewedMove,
    Seat,
    Table,
)
from locanda.texts.chat import bold, plain
from locanda.texts.games import hand_of, texts_of
from locanda.texts.options import PRESET_TITLES, has_preset, summary
from locanda.texts.phrases import level_name
from locanda.texts.table import other_choices, review_heading
from locanda.translations import Language, Translations, translations_in
from services.telegram import callback_data
from services.telegram.screens.games import bold_title
from services.telegram.screens.screen import (
    ALERT_LIMIT,
    TEXT_LIMIT,
    Button,
    Rows,
    Screen,
    choice,
    in_rows,
    joined,
    shortened,
)

MOST_OPPONENTS = 3

Following = TypeVar("Following", bound=str)


def following_level(level: str | None, levels: Sequence[Following]) -> Following:
    """Return the next level in a list; after the last level, the first."""
    at = next((at for at, other in enumerate(levels) if other == level), -1)
    return levels[(at + 1) % len(levels)]


# --- practice in the private chat


def opponents_screen(
    ref: str, game: GameInfo, language: Language, *, options: JsonObject, preset: PresetName | None = None
) -> Screen:
    """Ask for the preset and the opponents; `options` are those of the chosen preset, or else of the last match."""
    translations = translations_in(language)
    choose = callback_data.ChooseGame
    presets = tuple(
        choice(translations.gettext(title), choose(ref, game.game, preset=name), chosen=has_preset(game, options, name))
        for name, title in PRESET_TITLES.items()
    )
    counts = range(max(1, game.players.suggested[0] - 1), min(MOST_OPPONENTS + 1, game.players.suggested[1]))
    rows = tuple(
        tuple(
            Button(f"{level_name(level, translations)} × {count}", choose(ref, game.game, count, level, preset))
            for count in counts
        )
        for level in game.levels
    )
    question = translations.gettext("How well should your opponents play, and how many should there be?")
    lines = "\n".join(f"⚙️ {plain(line)}" for line in summary(game, options, language))
    return Screen(joined(bold_title(game, language), lines, question), (presets, *rows))


# --- the lobby


def seated_name(seat: Seat, translations: Translations) -> str:
    """Return the name of a seat's player, with the level of a computer player."""
    if seat.kind == "person":
        return f"👤 {bold(seat.name)}"
    return f"🤖 {bold(seat.name)} · {level_name(seat.level, translations)}"


def level_rows(ref: str, seats: Sequence[Seat], levels: Sequence[str], translations: Translations) -> Rows:
    """Return a button for each computer player that sets its next level."""
    buttons = [
        Button(
            f"🤖 {seat.name}: {level_name(seat.level, translations)}",
            callback_data.ChangeLevel(ref, seat.seat, following_level(seat.level, levels)),
        )
        for seat in seats
        if seat.kind == "computer"
    ]
    return in_rows(buttons, 2)


def setting_rows(
    ref: str, level: ComputerLevel, *, hints: bool, translations: Translations
) -> Iterator[tuple[Button, ...]]:
    """Yield the buttons for the level of substitutes and for hints."""
    substitutes = translations.gettext("Substitutes: {level}").format(level=level_name(level, translations))
    yield (Button(substitutes, callback_data.SetSubstitutes(ref, following_level(level, COMPUTER_LEVELS))),)
    text = translations.gettext("Hints: yes") if hints else translations.gettext("Hints: no")
    yield (Button(text, callback_data.SetHints(ref, not hints), style="primary" if hints else None),)


SETTINGS_EXPLAINED = N_(
    "<b>Substitutes</b>: how well computers play for those who leave or are away.\n"
    "<b>Hints</b>: whether players may ask what a strong player would do."
)


# --- hints and reviews


def hint_alert(table: Table, hint: Hint, language: Language) -> str:
    """Return a hint as plain text of at most `ALERT_LIMIT` characters; `table` is the player's view."""
    move = texts_of(table.game).move_label(hint.move, table.deal, translations_in(language))
    return shortened(f"💡 {move}\n{hint.reason.text}", ALERT_LIMIT)


def review_screen(table: Table, reviews: Sequence[Review], language: Language) -> Screen:
    """Return the review of a player's costliest moves in a match, by deal; `table` is the player's view."""
    translations = translations_in(language)
    title = translations.gettext("🔍 Your moves beside those of a strong player")
    blocks = [_deal(table, number, review, translations) for number, review in enumerate(reviews, 1)]
    return Screen(shortened(joined(f"<b>{title}</b>", *blocks), TEXT_LIMIT))


def _deal(table: Table, number: int, review: Review, translations: Translations) -> str:
    lines = [_move(table, reviewed, translations) for reviewed in review.costliest]
    others = other_choices(review, translations)
    return "\n".join([bold(review_heading(number, review, translations)), *lines, *([others] if others else [])])


def _move(table: Table, reviewed: ReviewedMove, translations: Translations) -> str:
    texts = texts_of(table.game)
    played, best = (texts.move_label(move, reviewed.view, translations) for move in (reviewed.played, reviewed.best))
    hand = " ".join(hand_of(reviewed.view, translations)) if reviewed.view is not None else ""
    held = translations.gettext("With {cards}:").format(cards=hand) if hand else "•"
    text = translations.gettext("you {played}, better {best}. {reason}")
    return plain(f"{held} {text.format(played=played, best=best, reason=reviewed.reason.text)}")
