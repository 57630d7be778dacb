"""Texts of a table that do not depend on its game: events, errors, reasons, reviews."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import get_args

import msgspec

from locanda.cards import CARDS as FRENCH
from locanda.cards.cuccu import CARDS as CUCCU
from locanda.explanations import SHARED_REASONS, Reason, ReasonCode
from locanda.games.base import N_
from locanda.games.registry import WIRE_TYPES
from locanda.messages import JsonObject, Review, Table, events
from locanda.texts.cards import JOKER, card, cuccu_card
from locanda.texts.games import texts_of
from locanda.texts.phrases import listed
from locanda.translations import Translations

# --- events and problems

PROBLEM_SENTENCES: dict[str, str] = {
    "not_your_turn": N_("It is not your turn yet."),
    "deal_over": N_("This deal is over."),
    "stale": N_("The table has moved on: here it is as it stands now."),
    "not_open": N_("The match has already started."),
    "not_playing": N_("No match is under way."),
    "already_playing": N_("The match has already started."),
    "seed_used": N_("This seed was used in the match before, and everybody knows it by now."),
    "name_taken": N_("Somebody here has that name, or one that looks the same: choose another."),
    "table_full": N_("The table is full."),
    "too_few_players": N_("There are too few of you: sit down, or add a computer player."),
    "too_many_players": N_("There are too many of you for this option."),
    "not_host": N_("Only the person who opened the table may do this."),
    "not_your_seat": N_("Only the person who opened the table may do this."),
    "not_away": N_("You are already here."),
    "hand_given_up": N_("You have run out of time three times: the computer plays your hand until the match ends."),
    "still_playing": N_("They are here and playing: during a match, only somebody who is away can be removed."),
    "renamed_lately": N_("This name has changed a moment ago: try again in half a minute."),
    "table_locked": N_("The host lets nobody else sit down at this table."),
    "hints_off": N_("There are no hints at this table."),
    "no_thought": N_("The computer has no time to think right now. Try again in a moment."),
    "match_not_over": N_("The match is not over yet."),
    "wrong_token": N_("This seat is not yours any more."),
    "banned": N_("You have been banned from this server."),
    "name_blocked": N_("Nobody may take this name here."),
    "no_key": N_("Here only those who hold a key of the server may open tables."),
    "not_seated": N_("You do not sit at this table."),
    "unreachable": N_("The server does not answer right now. Try again in a moment."),
    "too_many_requests": N_("Not so fast! Try again in a moment."),
    "rules_changed": N_("The server has changed its rules since this table was opened: open a new one."),
    "unknown": N_("That is not possible now."),
}

OF_TABLES = frozenset(event_type.__struct_config__.tag for event_type in get_args(events.TableEvent))
"""Tags of the events that do not belong to a game."""


OF_EVENTS: dict[type[events.TableEvent], str] = {
    events.Sat: N_("{name} sits down"),
    events.Left: N_("{name} gets up"),
    events.Replaced: N_("{name} has left: a computer player takes over"),
    events.Removed: N_("{by} has removed {name} from the table"),
    events.Renamed: N_("Seat {n} is called {name} now"),
    events.Awaited: N_("{name} sits down for the next match"),
    events.Dealt: N_("{name} deals"),
    events.TimedOut: N_("Time is up for {name}"),
    events.Away: N_("{name} is away: a computer player steps in"),
    events.Returned: N_("{name} is back"),
    events.Closed: N_("The operator of the server has closed the table"),
}


STAYS, STOPS = N_("{name} stays for another match"), N_("{name} stops here")


def table_event_text(
    event: events.TableEvent, names: Sequence[str], translations: Translations, mark: Callable[[str], str] = str
) -> str:
    """Return the sentence for an event of the table; empty for an event that clients do not show.

    `mark` adds markup to a name in the event.
    """
    facts = msgspec.to_builtins(event)
    match event:
        case events.Sat(kind="computer"):
            text = N_("{name} (computer) sits down")
        case events.RematchAnswered(stays=stays):
            text = STAYS if stays else STOPS
        case _:
            text = OF_EVENTS.get(type(event), "")
    seat = facts.get("seat", facts.get("dealer"))
    name = mark(facts["name"]) if "name" in facts else "" if seat is None else names[seat]
    by = names[facts["by"]] if "by" in facts else ""
    return translations.gettext(text).format(name=name, n=(seat or 0) + 1, by=by) if text else ""


def event_text(
    game: str, event: JsonObject, names: Sequence[str], translations: Translations, mark: Callable[[str], str] = str
) -> str:
    """Return the sentence for an event of the table or its game; empty for events that are unknown or not shown."""
    if event.get("type") in OF_TABLES:
        return table_event_text(msgspec.convert(event, events.TableEvent), names, translations, mark)
    try:
        known = msgspec.convert(event, WIRE_TYPES[game].Event)
    except msgspec.ValidationError:
        return ""
    return texts_of(game).event_text(known, names, translations)


def problem_text(
    code: str, facts: JsonObject, table: Table | None, own: Mapping[str, str], translations: Translations
) -> str:
    """Return the sentence for an error: the game's for a refused move, else the client's in `own`, else the shared one.

    `table` is the table as the sender of the request sees it. Empty for a code without a sentence.
    """
    if table is not None:
        text = texts_of(table.game).refusal_text(code, facts, table.deal, table.moves, translations)
        if text:
            return text
    if code in own:
        return translations.gettext(own[code])
    turn = facts.get("turn")
    if code == "not_your_turn" and table is not None and isinstance(turn, int) and turn < len(table.seats):
        return translations.gettext("Not your turn yet: it is {name}'s.").format(name=table.seats[turn].name)
    return translations.gettext(PROBLEM_SENTENCES[code]) if code in PROBLEM_SENTENCES else ""


# --- reasons of computer players


@cache
def reasons_of(game: str) -> dict[str, ReasonCode]:
    """Return the reasons of a game's computer players by code: shared ones and its own."""
    own = [value for value in vars(WIRE_TYPES[game]).values() if isinstance(value, ReasonCode)]
    return {reason.code: reason for reason in (*SHARED_REASONS, *own)}


def reason_text(game: str, reason: Reason, translations: Translations) -> str:
    """Return the sentence for a reason, with cards as signs. Raises `KeyError` for an unknown code."""
    declared = reasons_of(game)[reason.code].sentence
    if isinstance(declared, str):
        sentence = translations.gettext(declared)
    else:
        count = reason.facts["count"]
        sentence = translations.ngettext(*declared, count if isinstance(count, int) else 0)
    return sentence.format(**{name: _shown(fact, translations) for name, fact in reason.facts.items()})


def _shown(fact: object, translations: Translations) -> str:
    """Return a fact for display: a card, cards with commas, or a number."""
    if isinstance(fact, list | tuple):
        return ", ".join(_shown(part, translations) for part in fact)
    if isinstance(fact, str) and fact in CUCCU:
        return cuccu_card(fact, translations)
    if isinstance(fact, str) and (fact in FRENCH or fact == JOKER):
        return card(fact)
    return str(fact)


def review_heading(deal: int, review: Review, translations: Translations) -> str:
    """Return a sentence on how well the reviewed person played the deal with this number."""
    if not review.moves:
        text = translations.gettext("Deal {deal}: you made no move.")
    elif not review.choices:
        text = translations.gettext("Deal {deal}: you never had a choice.")
    else:
        text = translations.ngettext(
            "Deal {deal}: {same} of {all} choice was a strong player's.",
            "Deal {deal}: {same} of {all} choices were a strong player's.",
            review.choices,
        )
    if review.well_played:
        praise = translations.gettext("Well played!")
        text = f"{text} {praise}"
    return text.format(deal=deal, same=review.same, all=review.choices)


def other_choices(review: Review, translations: Translations) -> str:
    """Return a sentence with the numbers, from 1, of further moves that a strong player would not have made."""
    if not review.others:
        return ""
    text = translations.ngettext(
        "A strong player would have played differently in move {numbers} too; it may not have cost you anything.",
        "A strong player would have played differently in moves {numbers} too; it may not have cost you anything.",
        len(review.others),
    )
    return text.format(numbers=listed((str(number + 1) for number in review.others), translations))
