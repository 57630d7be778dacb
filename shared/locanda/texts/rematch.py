"""Sentences about who stays for another match. Names contain the client's markup."""

from collections.abc import Sequence

from locanda.explanations import NN_
from locanda.messages import Table
from locanda.texts.phrases import listed
from locanda.translations import Translations

ANSWERS = (
    (True, NN_("{names} is in.", "{names} are in.")),
    (False, NN_("{names} stops here.", "{names} stop here.")),
    (None, NN_("Waiting for {names}.", "Waiting for {names}.")),
)
"""Texts for people who stay, who stop, and who have not answered."""


def rematch_lines(
    table: Table, names: Sequence[str], translations: Translations, newcomers: Sequence[str] | None = None
) -> list[str]:
    """Return lines about who stays, who stops and who has not answered; empty before the first answer.

    Computer players always stay and are not listed. `newcomers` are the newcomers' names with markup.
    """
    state = table.rematch
    people = [seat.seat for seat in table.seats if seat.kind == "person"]
    if state is None or not (state.newcomers or any(state.answers[seat] is not None for seat in people)):
        return []
    lines = []
    for answer, text in ANSWERS:
        said = [names[seat] for seat in people if state.answers[seat] is answer]
        said += (state.newcomers if newcomers is None else newcomers) if answer else ()
        if said:
            lines.append(translations.ngettext(*text, len(said)).format(names=listed(said, translations)))
    return lines
