"""What went wrong, in one clear sentence."""

from collections.abc import Mapping

from services.terminal.board import names_of
from services.terminal.games.registry import DRAWINGS
from shared.errors import BadAnswerError, EngineError, MalformedError, NotFoundError, UnavailableError
from shared.games.base import N_
from shared.messages import JsonObject, Table
from shared.translate import Words
from shared.words.refusals import of_the_house

TEXTS: Mapping[str, str] = {
    "no_such_table": N_("There is no such table, or no longer."),
    "no_such_game": N_("This house does not know the game."),
    "no_such_deal": N_("This table has had no such deal."),
    "not_open": N_("The match has already started: nobody can sit down any more, but you can watch."),
    "already_computer": N_("A computer player holds this seat already."),
}


class FailureError(Exception):
    """Something cannot be done; the message is one sentence for whoever asked."""


def explained(code: str, facts: JsonObject, table: Table | None, words: Words) -> str:
    """Return a refusal in words; nothing for a code of which we know none."""
    if table is not None:
        told = DRAWINGS[table.game].refusal(code, facts, table.deal, table.moves, words)
        if told:
            return told
    names = [] if table is None else names_of(table)
    return words.gettext(TEXTS[code]) if code in TEXTS else of_the_house(code, facts, names, words)


def failure(error: EngineError, table: Table | None, server: str, words: Words) -> str:
    """Return an error of the client in words."""
    problem = error.problem
    if isinstance(error, UnavailableError) and error.code == "unreachable":
        return words.gettext("Nobody answers at {server}: is the engine running there?").format(server=server)
    if isinstance(error, BadAnswerError) or (isinstance(error, NotFoundError) and error.code == "no_problem"):
        return words.gettext("What answers at {server} is no engine of Locanda's.").format(server=server)
    if isinstance(error, MalformedError) and problem.field:
        return f"{problem.field}: {problem.detail or problem.title}."
    return explained(error.code, problem.facts or {}, table, words) or f"{problem.title}."
