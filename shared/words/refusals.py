"""Why the house refuses something, in words; what the rules refuse, each game words itself."""

from collections.abc import Sequence

from shared.games.base import N_
from shared.messages import JsonObject
from shared.translate import Words

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
    "no_key": N_("Here only those who hold a key of the house may open tables."),
    "not_seated": N_("You do not sit at this table."),
    "unreachable": N_("The inn does not answer right now. Try again in a moment."),
    "too_many_requests": N_("Not so fast! Try again in a moment."),
    "rules_changed": N_("The house has changed its rules since this table was opened: open a new one."),
    "unknown": N_("That is not possible now."),
}


def of_the_house(code: str, facts: JsonObject, names: Sequence[str], words: Words) -> str:
    """Return a refusal in words; nothing for a code that is not the house's."""
    turn = facts.get("turn")
    if code == "not_your_turn" and isinstance(turn, int) and turn < len(names):
        return words.gettext("Not your turn yet: it is {name}'s.").format(name=names[turn])
    return words.gettext(TEXTS[code]) if code in TEXTS else ""
