"""Screens of a player's hand: the private message with the cards as buttons, and its forms in the group."""

from collections.abc import Container, Iterator, Sequence
from itertools import chain, product

from msgspec import structs

from locanda.games.base import N_, Refusal
from locanda.messages import Table
from locanda.texts.chat import bold, plain
from locanda.texts.games import texts_of
from locanda.texts.phrases import listed
from locanda.texts.remarks import PHRASES, all_remarks
from locanda.translations import Language, Translations, language_of, translations_in
from services.telegram import callback_data
from services.telegram.play.cards import GAME_SCREENS
from services.telegram.records import FACE_DOWN, CardRows, Departure
from services.telegram.screens.controls import HandButtons
from services.telegram.screens.games import pictured
from services.telegram.screens.notices import refusal_text
from services.telegram.screens.results import own_result_screen
from services.telegram.screens.screen import (
    ALERT_LIMIT,
    Button,
    Rows,
    Screen,
    fits_caption,
    fitted,
    in_lines,
    in_rows,
    joined,
    shortened,
)
from services.telegram.screens.table import (
    TableViewModel,
    due,
    heading,
    heading_in_brief,
    in_one,
    news,
    seats_block,
    seats_in_brief,
    table_block,
    waiting,
)

DEPARTURES: dict[Departure, str] = {
    "left": N_(
        "You have left the table in {place}: a computer player has your cards. You can sit down at the next table."
    ),
    "outside": N_(
        "You are no longer in {place}: a computer player has your cards. To play again, come back to the group and sit "
        "down at its next table."
    ),
    "removed": N_(
        "In {place} they are playing on without you: you can sit down for the next match, or at another table."
    ),
    "closed": N_("The table in {place} is closed."),
}


def hand_screen(model: TableViewModel, language: Language, *, photo: bool = False) -> Screen:
    """Return a player's hand message; `model.table` is the player's view.

    With `photo`, the message has a photo if the text is short enough. A message that has had a photo keeps one, if need
    be of a card face down, because Telegram cannot remove a photo.
    """
    translations = translations_in(language)
    if model.table.status == "over" or model.turn is None:
        over = Screen(joined(heading(model, language), translations.gettext("The match is over.")))
        shown = over if model.alone else own_result_screen(model, language)
        return structs.replace(shown, photo=FACE_DOWN if photo else ())
    buttons = HandButtons(model, translations)
    text = fitted(_texts(model, buttons, language))
    cards = pictured_cards(model.table, translations) if photo and fits_caption(text) else ()
    return Screen(text, _rows(model, buttons, translations), cards)


def content_while_waiting(model: TableViewModel, translations: Translations) -> tuple[object, ...] | None:
    """Return a cache key with all inputs of a waiting person's hand; None for a hand that also shows the table."""
    table = model.table
    if model.turn is None or table.status != "playing" or _is_live(model):
        return None
    title = (model.letter, model.place, table.options, table.match.number, table.match.deal)
    cards = GAME_SCREENS[table.game].cards(table.deal, translations)
    secrets = texts_of(table.game).secrets(table.deal, model.names, translations)
    return (*title, table.you, table.seats, cards, secrets, table.hints, model.app, model.reminders, model.passes)


def pictured_cards(table: Table, translations: Translations) -> CardRows:
    """Return the cards for the photo of a hand; empty if any of them has no picture."""
    rows = GAME_SCREENS[table.game].cards(table.deal, translations)
    codes = (tuple(card.card for card in row if card is not None) for row in rows)
    held = tuple(row for row in codes if row) or FACE_DOWN
    return held if pictured(table.game).issuperset(chain.from_iterable(held)) else ()


def _texts(model: TableViewModel, buttons: HandButtons, language: Language) -> Iterator[str]:
    """Yield the text of a hand, then shorter and shorter versions without parts that the group's message shows."""
    translations = translations_in(language)
    marked = [bold(name) for name in model.names]
    secrets = "\n".join(texts_of(model.table.game).secrets(model.table.deal, marked, translations))
    title = in_lines(_reminder(model, translations), heading(model, language))
    task_lines = [_task(model, buttons, translations), selection_text(model, buttons, translations)]
    if not _is_live(model):
        yield joined(title, secrets, *task_lines)
        return
    below = in_lines(*task_lines)
    table, brief = table_block(model, translations), table_block(model, translations, brief=True)
    seats, others = seats_block(model, translations), seats_in_brief(model, translations)
    fewest = others if model.alone else ""  # the group's message shows the other seats
    happened = "\n".join(map(in_one, news(model, translations)))
    for block, who in ((table, seats), (table, others), (table, fewest), (brief, fewest)):
        yield joined(in_lines(title, block, who, secrets, happened), below)
    events = [*chain.from_iterable(news(model, translations, brief=True))]
    title = in_lines(_reminder(model, translations), heading_in_brief(model, translations))
    yield joined(in_lines(title, brief, fewest, secrets, in_one(events)), below)
    for who, left_out in product((fewest, ""), range(max(1, len(events)))):
        yield in_lines(title, brief, who, secrets, in_one(events[left_out:]), below)
    yield in_lines(title, brief, secrets, below)


def _reminder(model: TableViewModel, translations: Translations) -> str:
    """Return the first line of a reminder, which the phone's notification shows."""
    if not model.reminders:
        return ""
    text = translations.ngettext(
        "They have been waiting for you for {n} day.", "They have been waiting for you for {n} days.", model.reminders
    )
    if model.table.turn_seconds:
        text = translations.gettext("Your time is running out!")
    return f"⏰ {bold(text.format(n=model.reminders))}"


def _is_live(model: TableViewModel) -> bool:
    """Return whether the hand shows the table as well: on the viewer's turn, and always if they play alone.

    Otherwise the hand would have to be drawn again after each move of others.
    """
    return model.alone or (model.turn == model.table.you and not _away(model) and not model.passes)


def _task(model: TableViewModel, buttons: HandButtons, translations: Translations) -> str:
    if _away(model):
        return translations.gettext("A computer player is holding your hand. Tap “I am back” to take it again.")
    if model.passes:
        return translations.gettext("You can't play anything, so I'm passing for you.")
    if not _is_live(model):
        text = translations.gettext("Your cards appear here when it's your turn. The table is in the group {place}.")
        return text.format(place=bold(model.place))
    if model.turn != model.table.you:
        return waiting(model, translations)
    texts = texts_of(model.table.game)
    yours = translations.gettext("Your turn")
    task = texts.task(model.table.deal, model.table.moves, translations, taps=buttons.taps())
    return f"👉 <b>{yours}</b>{due(model, translations)}\n{plain(task)}"


def _away(model: TableViewModel) -> bool:
    return model.table.you is not None and model.table.seats[model.table.you].away


def _rows(model: TableViewModel, buttons: HandButtons, translations: Translations) -> Rows:
    back = Button(translations.gettext("I am back"), callback_data.TakeHandBack(model.ref), style="success")
    leave = Button(translations.gettext("Leave the table"), callback_data.LeaveTable(model.ref))
    rules = Button(translations.gettext("Rules"), callback_data.OpenRules(model.ref))
    below: tuple[Button, ...] = (rules, leave)
    if not model.alone:
        below = (*below, Button("💬", callback_data.OfferRemarks(model.ref)))
    if hint := _hint(model, translations):
        below = (hint, *below)
    more: Rows = (below,)
    if model.app:
        more = ((Button(translations.gettext("🃏 Open the table"), app=model.app),), below)
    if _away(model):
        return ((back,), (rules, leave))
    return (*buttons.rows(), *more)


def _hint(model: TableViewModel, translations: Translations) -> Button | None:
    if not model.table.hints or not model.table.moves:
        return None
    return Button(translations.gettext("💡 Hint"), callback_data.AskHint(model.ref, model.table.version))


def remark_rows(model: TableViewModel, muted: Container[int] | None, language: Language) -> Rows:
    """Return the buttons with the remarks, and those for muting people.

    `muted` has the muted seats; it is None if the person hides all remarks, which leaves out these buttons.
    """
    translations = translations_in(language)
    back = Button(translations.gettext("Back"), callback_data.OfferRemarks(model.ref, shown=False))
    said = [
        Button(remark.sign or remark.text, callback_data.SayRemark(model.ref, remark.remark))
        for remark in all_remarks(translations)
    ]
    phrases, signs = said[: len(PHRASES)], said[len(PHRASES) :]
    heard = () if muted is None else in_rows(list(_mutes(model, muted, translations)), 2)
    return (*in_rows(phrases, 2), tuple(signs), *heard, (back,))


def _mutes(model: TableViewModel, muted: Container[int], translations: Translations) -> Iterator[Button]:
    for seat in model.table.seats:
        if seat.kind == "person" and seat.seat != model.table.you:
            mute = seat.seat not in muted
            text = translations.gettext("🔇 Mute {name}") if mute else translations.gettext("🔊 Hear {name}")
            data = callback_data.MuteSeat(model.ref, model.table.match.number, seat.seat, mute)
            yield Button(text.format(name=seat.name), data)


def leave_screen(model: TableViewModel, language: Language) -> Screen:
    """Ask for confirmation before the player leaves."""
    translations = translations_in(language)
    question = translations.gettext("Leave the table? A computer player will play your hand to the end.")
    yes = Button(translations.gettext("Yes, I leave"), callback_data.LeaveTable(model.ref, sure=True), style="danger")
    no = Button(translations.gettext("No, I stay"), callback_data.LeaveTable(model.ref, sure=None))
    return Screen(joined(heading(model, language), question), ((yes, no),))


def left_screen(
    place: str, why: Departure, language: Language, closers: Sequence[str] = (), *, photo: bool = False
) -> Screen:
    """Return the hand message of a person who no longer sits at the table; `place` is the group's name, if any."""
    translations = translations_in(language)
    text = translations.gettext("You have left the table. /play opens a new one.")
    if place:
        text = translations.gettext(DEPARTURES[why]).format(place=bold(place))
        if why == "closed" and closers:
            text = translations.ngettext(
                "{names} has closed the table in {place}.", "{names} have closed the table in {place}.", len(closers)
            ).format(names=listed(map(bold, closers), translations), place=bold(place))
    return Screen(text, photo=FACE_DOWN if photo else ())


def hand_alert(model: TableViewModel, language: Language) -> str:
    """Return a player's hand and task as plain text, at most `ALERT_LIMIT` characters."""
    translations = translations_in(language)
    if model.table.deal is None or model.turn is None:
        return translations.gettext("No cards are dealt now.")
    return shortened("\n".join(_held_and_task(model, model.turn, translations)), ALERT_LIMIT)


def hand_in_group(model: TableViewModel, language: Language) -> Screen | None:
    """Return a player's hand, with buttons on their turn, for a message that only they see; None without cards."""
    translations = translations_in(language)
    if model.table.deal is None or model.turn is None:
        return None
    held, then = _held_and_task(model, model.turn, translations)
    if model.turn != model.table.you or _away(model):
        return Screen(joined(heading(model, language), f"{bold(held)}\n{plain(then)}"))
    buttons, hint = HandButtons(model, translations), _hint(model, translations)
    task_lines = _task(model, buttons, translations), selection_text(model, buttons, translations)
    text = joined(heading(model, language), bold(held), *task_lines)
    return Screen(text, (*buttons.rows(), *(((hint,),) if hint else ())))


def _held_and_task(model: TableViewModel, turn: int, translations: Translations) -> tuple[str, str]:
    screens, texts = GAME_SCREENS[model.table.game], texts_of(model.table.game)
    held = translations.gettext("Your hand: {cards}").format(cards=screens.hand(model.table.deal, translations) or "—")
    if turn == model.table.you:
        return held, texts.task(model.table.deal, model.table.moves, translations, taps="none")
    return held, translations.gettext("It is {name}'s turn").format(name=model.names[turn])


def selection_text(model: TableViewModel, buttons: HandButtons, translations: Translations) -> str:
    """Return the line on the selected cards: which they are, and whether they can be played or why not."""
    if not buttons.selected:
        return ""
    chosen = translations.gettext("You have picked {cards}.").format(
        cards=listed((card.label for card in buttons.selected), translations)
    )
    return " ".join(["☝️", plain(chosen), *map(plain, _verdict_texts(model, buttons, translations))])


def _verdict_texts(model: TableViewModel, buttons: HandButtons, translations: Translations) -> list[str]:
    verdict = model.verdict
    if verdict is None:
        return []
    refusals = [] if verdict.legal else [Refusal(verdict.code or "", verdict.facts or {})]
    refusals += verdict.others or []
    if not refusals:
        choose, do = translations.gettext("Which move?"), translations.gettext("That will do.")
        return [choose if buttons.has_choice() else do]
    language = language_of(translations)
    texts = (refusal_text(refusal.code, refusal.facts, model.table, language) for refusal in refusals)
    return [text for text in dict.fromkeys(texts) if text]
