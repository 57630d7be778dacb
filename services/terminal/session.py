"""Shared by the terminal's commands: engine, output, input, language, and sentences for errors."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from locanda.client import EngineClient
from locanda.errors import BadAnswerError, EngineError, MalformedError, NotFoundError, UnavailableError
from locanda.games.base import N_
from locanda.messages import LONGEST_NAME, GameInfo, JsonObject, Table
from locanda.messages.links import TableLink
from locanda.texts.table import problem_text
from locanda.translations import Translations, language_of

from .board import game_name
from .input import InputQueue
from .output import Output

OWN_SENTENCES: Mapping[str, str] = {
    "no_such_table": N_("There is no such table, or it has expired."),
    "no_such_game": N_("This server does not know the game."),
    "no_such_deal": N_("This table has no such deal."),
    "not_open": N_("The match has already started: nobody can sit down any more, but you can watch."),
    "already_computer": N_("A computer player already has this seat."),
}
"""Sentences of the terminal for problems that it words differently from the engine, by problem code."""


BAD_NAME = N_("A name is one line of 1 to {n} characters that can be seen, without a space at its ends.")
PATTERN = re.compile(r"regex|pattern")


class CommandError(Exception):
    """The command cannot continue. The message is one sentence for the person who started it."""


@dataclass(frozen=True, slots=True)
class Session:
    """One run of the command `locanda`."""

    engine: EngineClient
    server: str
    """The engine's address."""
    output: Output
    translations: Translations
    input: InputQueue = field(default_factory=InputQueue)
    public_url: str | None = None
    """The engine's public address, if its operator has set one."""

    def link_for_friends(self, link: TableLink) -> TableLink:
        """Return a link to a table for other people: with the public address, if there is one."""
        return replace(link, server=self.public_url) if self.public_url else link

    def gettext(self, text: str, **values: object) -> str:
        """Return a text in the person's language, with its placeholders filled in."""
        return self.translations.gettext(text).format(**values)

    def say(self, text: str, **values: object) -> None:
        """Print a text in the person's language, with its placeholders filled in."""
        self.output.line(self.gettext(text, **values))

    def name_of(self, game: GameInfo) -> str:
        """Return a game's name in the person's language."""
        return game_name(game, language_of(self.translations))

    def problem_text(self, code: str, facts: JsonObject, table: Table | None) -> str:
        """Return the sentence for a refusal or another problem; empty if there is none."""
        return problem_text(code, facts, table, OWN_SENTENCES, self.translations)

    def error_text(self, error: EngineError, table: Table | None = None) -> str:
        """Return the sentence for an error of an API call."""
        problem = error.problem
        if isinstance(error, UnavailableError) and error.code == "unreachable":
            return self.gettext("Nobody answers at {server}: is the engine running there?", server=self.server)
        if isinstance(error, BadAnswerError) or (isinstance(error, NotFoundError) and error.code == "no_problem"):
            return self.gettext("The server at {server} is not a Locanda engine.", server=self.server)
        if isinstance(error, MalformedError) and problem.field:
            return self._malformed_text(problem.field, problem.detail or problem.title)
        return self.problem_text(error.code, problem.facts or {}, table) or f"{problem.title}."

    def _malformed_text(self, field: str, detail: str) -> str:
        """Return the sentence for an invalid value that was typed, without the error's regular expression."""
        if field.rpartition(".")[2] in ("name", "$.name"):
            return self.gettext(BAD_NAME, n=LONGEST_NAME)
        if PATTERN.search(detail):
            return self.gettext("The value of {field} has the wrong form.", field=field)
        return f"{field}: {detail}."
