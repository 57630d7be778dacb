"""Why something cannot be done, in words: every code that the engine answers with, and our own."""

from services.telegram.screens.games import DRAWINGS
from services.telegram.screens.screen import ALERT_LIMIT
from services.telegram.screens.text import shortened
from shared.games.base import N_
from shared.messages import JsonObject, Table
from shared.translate import Language, Words, translator
from shared.words import refusals as house

OURS: dict[str, str] = {
    "already_seated": N_("You already sit at this table."),
    "no_table": N_("This table is not there any more. /play opens a new one."),
    "nobody_seated": N_("Somebody has to sit down first."),
    "no_computer": N_("No computer player sits here."),
    "administrators_only": N_("Only the group's administrators may do this."),
    "hosts_only": N_("In this group only administrators open and close tables."),
    "not_yours": N_("Only those who sit here may do this."),
    "unknown_button": N_("This button does not work any more."),
}
"""What the bot itself refuses, or says in its own way."""

TEXTS = house.TEXTS | OURS


def explained(code: str, facts: JsonObject, table: Table | None, language: Language) -> str:
    """Return a refusal in words, within the limit of a toast; the table is as the one who is refused sees it."""
    words = translator(language)
    text = ""
    if table is not None:
        text = DRAWINGS[table.game].refusal(code, facts, table.deal, table.moves, words)
    return shortened(text or _of_the_house(code, facts, table, words), ALERT_LIMIT)


def _of_the_house(code: str, facts: JsonObject, table: Table | None, words: Words) -> str:
    if code in OURS:
        return words.gettext(OURS[code])
    names = [seat.name for seat in table.seats] if table is not None else []
    return house.of_the_house(code, facts, names, words) or house.of_the_house("unknown", {}, names, words)
