"""Why something cannot be done, in words: every code that the engine answers with, and our own."""

from services.telegram.screens.games import DRAWINGS
from services.telegram.screens.screen import ALERT_LIMIT
from services.telegram.screens.text import shortened
from shared.games.base import N_
from shared.messages import JsonObject, Table
from shared.translate import Language, Words, translator

TEXTS: dict[str, str] = {
    "not_your_turn": N_("It is not your turn yet."),
    "deal_over": N_("This deal is over."),
    "stale": N_("The table has moved on: here it is as it stands now."),
    "not_open": N_("The match has already started."),
    "not_playing": N_("No match is under way."),
    "already_playing": N_("The match has already started."),
    "table_full": N_("The table is full."),
    "too_few_players": N_("There are too few of you: sit down, or add a computer player."),
    "too_many_players": N_("There are too many of you for this option."),
    "not_host": N_("Only who opened the table may do this."),
    "not_away": N_("You are already here."),
    "match_not_over": N_("The match is not over yet."),
    "wrong_token": N_("This seat is not yours any more."),
    "not_seated": N_("You do not sit at this table."),
    "already_seated": N_("You already sit at this table."),
    "no_table": N_("This table is not there any more. /play opens a new one."),
    "nobody_seated": N_("Somebody has to sit down first."),
    "no_computer": N_("No computer player sits here."),
    "administrators_only": N_("Only the group's administrators may do this."),
    "hosts_only": N_("In this group only administrators open and close tables."),
    "not_yours": N_("Only those who sit here may do this."),
    "unreachable": N_("The inn does not answer right now. Try again in a moment."),
    "too_many_requests": N_("Not so fast! Try again in a moment."),
    "rules_changed": N_("The house has changed its rules since this table was opened: open a new one."),
    "unknown_button": N_("This button does not work any more."),
    "unknown": N_("That is not possible now."),
}


def explained(code: str, facts: JsonObject, table: Table | None, language: Language) -> str:
    """Return a refusal in words, within the limit of a toast; the table is as the one who is refused sees it."""
    words = translator(language)
    text = ""
    if table is not None:
        text = DRAWINGS[table.game].refusal(code, facts, table.deal, table.moves, words)
    return shortened(text or _of_the_house(code, facts, table, words), ALERT_LIMIT)


def _of_the_house(code: str, facts: JsonObject, table: Table | None, words: Words) -> str:
    turn = facts.get("turn")
    if code == "not_your_turn" and isinstance(turn, int) and table is not None and turn < len(table.seats):
        return words.gettext("Not your turn yet: it is {name}'s.").format(name=table.seats[turn].name)
    return words.gettext(TEXTS.get(code, TEXTS["unknown"]))
