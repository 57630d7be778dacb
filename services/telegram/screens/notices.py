"""Short messages: refusals, greetings, nudges and questions."""

from html import escape

from locanda.games.base import N_
from locanda.messages import JsonObject, Table
from locanda.texts.chat import bold
from locanda.texts.phrases import listed
from locanda.texts.table import problem_text
from locanda.translations import Language, Translations, translations_in
from services.telegram import callback_data
from services.telegram.play.closing import ClosingOutcome, ClosingQuestion
from services.telegram.screens.screen import ALERT_LIMIT, Button, Screen, joined, mention, shortened, table_letter


def seated_screen(place: str, link: str, language: Language) -> Screen:
    """Confirm the seat of a person who followed a deep link, with a link back to the group."""
    translations = translations_in(language)
    text = translations.gettext("You are seated! Go back to {place}: when the cards are dealt, yours come here.")
    back = Button(translations.gettext("Back to the group"), url=link)
    return Screen(f"🪑 {text.format(place=bold(place))}", ((back,),) if link else ())


def nudge_screen(
    user: int | None, name: str, caller: str, replace: callback_data.RemovePlayer | None, language: Language
) -> Screen:
    """Return a nudge, which mentions the person on turn, or only names a guest from the web page (`user` of None).

    `caller` is the name of the person who nudges, or empty. `replace` lets a computer player take over.
    """
    translations = translations_in(language)
    if user is None:
        text = translations.gettext("It is {name}'s turn").format(name=bold(name))
    else:
        called = translations.gettext("{name}, it is your turn: {caller} is waiting!")
        text = called if caller else translations.gettext("{name}, it is your turn!")
        text = text.format(name=mention(user, name), caller=bold(caller))
    take_over = Button(translations.gettext("A computer player takes over"), replace)
    return Screen(f"🔔 {text}", ((take_over,),) if replace is not None else ())


def close_screen(tables: list[tuple[str, str]], language: Language) -> Screen:
    """Ask which table to close; `tables` has pairs of reference and name."""
    translations = translations_in(language)
    rows = tuple((Button(name, callback_data.CloseTable(ref)),) for ref, name in tables)
    return Screen(translations.gettext("Which table shall I close?"), rows)


def confirm_close_screen(question: ClosingQuestion, language: Language) -> Screen:
    """Ask the players whether to close a table during a match, and show their votes."""
    translations = translations_in(language)
    agree = f"👍 {listed(map(bold, question.agree), translations)}" if question.agree else ""
    text = closing_text(question.letter, translations)
    yes_text, no_text = closing_answers(translations)
    yes = Button(yes_text, callback_data.CloseTable(question.ref, sure=True), style="danger")
    no = Button(no_text, callback_data.CloseTable(question.ref, sure=None))
    return Screen(joined(text, who_decides(question, translations), agree), ((yes, no),))


def closing_text(letter: str, translations: Translations) -> str:
    """Return the question whether to close a table; `letter` is empty for the only table of a chat."""
    table = table_letter(letter, translations) if letter else translations.gettext("the table")
    return translations.gettext("Close {name}? The match ends here, without a result.").format(name=table)


def closing_answers(translations: Translations) -> tuple[str, str]:
    """Return the labels of the votes for and against closing the table."""
    return translations.gettext("Yes, close it"), translations.gettext("No")


def who_decides(question: ClosingQuestion, translations: Translations) -> str:
    """Return the sentence on who has to agree; empty if only one person may vote."""
    if question.needed < 2:
        return ""
    return translations.gettext(
        "Everybody at the table has to agree; an administrator who isn't playing decides alone."
    )


def outcome_text(outcome: ClosingOutcome, translations: Translations) -> str:
    """Return the text of a vote's outcome; empty while the vote is open."""
    match outcome:
        case "kept":
            return translations.gettext("The match goes on.")
        case "closed":
            return translations.gettext("The table is closed.")
        case "open":
            return ""


def unblocked_screen(language: Language) -> Screen:
    """Greet a person who has unblocked the bot."""
    text = translations_in(language).gettext(
        "Here you are again! While you had blocked me, a computer player took your cards. You can sit down at the next "
        "table of your group, or write /play to me."
    )
    return Screen(f"👋 {text}")


def note(text: str) -> Screen:
    """Return a message of plain text, without buttons."""
    return Screen(escape(text, quote=False))


BOT_TEXTS: dict[str, str] = {
    "malformed": N_("This page is from another version: close it and open it again from the chat."),
    "bad_init_data": N_("Telegram does not say who you are: close this page and open it again from the chat."),
    "expired_init_data": N_("This page was opened too long ago: close it and open it again from the chat."),
    "already_seated": N_("You already sit at this table."),
    "no_table": N_("This table is not there any more. /play opens a new one."),
    "nowhere_seated": N_("You sit at no table here."),
    "nobody_seated": N_("Somebody has to sit down first."),
    "no_computer": N_("No computer player sits here."),
    "administrators_only": N_("Only the group's administrators may do this."),
    "owner_only": N_("Only the person whose bot this is can do that, in private."),
    "too_many_tables": N_("There are too many unfinished tables: finish or leave one first."),
    "hosts_only": N_("In this group only administrators open and close tables."),
    "removed_here": N_("You were removed from this table: you can sit down at the next one."),
    "asked_lately": N_("You have asked the group for a change today already."),
    "voters_only": N_("Only people who have played in this group can vote on this."),
    "asked_before": N_("You have asked that in this match already. You can leave the table with /leave."),
    "one_waiting_table": N_("You have a table here that still waits for players: start it or close it first."),
    "not_yours": N_("Only those who sit here may do this."),
    "evening_over": N_("This evening is over."),
    "evening_too_few": N_("There are too few of you left for another round."),
    "evening_not_yours": N_("Only those who have sat down tonight may do this."),
    "private_only": N_("Ask me in private: this is for you alone."),
    "not_in_group": N_("This is for people of the group only: join the group, then open the link again."),
    "membership_unknown": N_(
        "Telegram does not tell me whether you are in the group: use my buttons and commands there."
    ),
    "match_under_way": N_(
        "The match at this table has already begun. When it is over, sit down at the next one: in the group, /play "
        "opens it."
    ),
    "rematch_begun": N_("The rematch has already begun!"),
    "passed": N_("You have passed already."),
    "hand_changed": N_("Your hand has changed: here it is."),
    "unknown_button": N_("This button does not work any more."),
}
"""Texts of the bot's own refusals by code, and the bot's wording for some of the engine's."""


def refusal_text(code: str, facts: JsonObject, table: Table | None, language: Language) -> str:
    """Return the text of a refusal, at most 200 characters; `table` is the refused person's view, if any."""
    translations = translations_in(language)
    text = problem_text(code, facts, table, BOT_TEXTS, translations)
    return shortened(text or problem_text("unknown", {}, None, {}, translations), ALERT_LIMIT)
