"""A player's hand: the message in the private chat with the cards as buttons, and the alert in the group."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Literal

from locanda.games.base import N_
from locanda.messages import JsonObject, Table, Verdict
from locanda.texts.games import texts_of
from locanda.texts.phrases import listed
from locanda.translations import Language, Translations, language_of, translations_in
from services.telegram import callback_data
from services.telegram.screens.games.base import CardSelection, PickableCard
from services.telegram.screens.games.registry import GAME_SCREENS, AnyCardSelection, card_selection
from services.telegram.screens.notices import refusal_text
from services.telegram.screens.screen import ALERT_LIMIT, Button, Rows, Screen, bold, in_rows, joined, plain, shortened
from services.telegram.screens.table import (
    TableViewModel,
    due,
    heading,
    recent_events,
    seats_block,
    table_block,
    waiting,
)

ROW_BUTTONS, ROW_LETTERS = 5, 30
"""The most buttons in a row of cards, and about the most letters of their labels together."""

Departure = Literal["left", "outside", "removed", "closed"]
"""Why somebody does not sit at a table any more: they left it or its group, were removed, or it was closed."""
DEPARTURES: dict[Departure, str] = {
    "left": N_(
        "You have left the table in {place}: a computer player has your cards. You can sit down at the next table."
    ),
    "outside": N_(
        "You are no longer in {place}: a computer player has your cards. To play again, come back to the group and sit "
        "down at its next table."
    ),
    "removed": N_(
        "At the table in {place} a computer player has taken your cards. You can sit down at the next table."
    ),
    "closed": N_("The table in {place} is closed."),
}


def hand_screen(model: TableViewModel, language: Language) -> Screen:
    """Return a player's hand message; `model.table` is as that player sees it."""
    translations = translations_in(language)
    if model.table.status == "over" or model.turn is None:
        return Screen(joined(heading(model, language), translations.gettext("The match is over.")))
    marked = [bold(name) for name in model.names]
    table = [table_block(model, translations), seats_block(model, translations), recent_events(model, translations)]
    text = joined(
        heading(model, language),
        *(table if _is_live(model) else ()),
        "\n".join(texts_of(model.table.game).secrets(model.table.deal, marked, translations)),
        _task(model, translations),
        selection_text(model, translations),
    )
    return Screen(text, _rows(model, translations))


def _is_live(model: TableViewModel) -> bool:
    """Whether the hand shows the table as it is: otherwise it would have to be drawn again at each move of others."""
    return model.alone or (model.turn == model.table.you and not _away(model))


def _task(model: TableViewModel, translations: Translations) -> str:
    if _away(model):
        return translations.gettext("A computer player is holding your hand. Tap “I am back” to take it again.")
    if not _is_live(model):
        text = translations.gettext(
            "When your turn comes, your hand comes here anew. Until then the table is in {place}."
        )
        return text.format(place=bold(model.place))
    if model.turn != model.table.you:
        return waiting(model, translations)
    texts = texts_of(model.table.game)
    yours = translations.gettext("Your turn")
    task = texts.task(model.table.deal, model.table.moves, translations, buttons=True)
    return f"👉 <b>{yours}</b>{due(model, translations)}\n{plain(task)}"


def _away(model: TableViewModel) -> bool:
    return model.table.you is not None and model.table.seats[model.table.you].away


def _rows(model: TableViewModel, translations: Translations) -> Rows:
    screens = GAME_SCREENS[model.table.game]
    back = Button(translations.gettext("I am back"), callback_data.TakeHandBack(model.ref), style="success")
    leave = Button(translations.gettext("Leave the table"), callback_data.LeaveTable(model.ref))
    rules = Button(translations.gettext("Rules"), callback_data.OpenRules(model.ref))
    below: tuple[Button, ...] = (rules, leave)
    if model.table.hints and model.table.moves:
        hint = Button(translations.gettext("💡 Hint"), callback_data.AskHint(model.ref, model.table.version))
        below = (hint, *below)
    if _away(model):
        return ((back,), (rules, leave))

    if isinstance(screens.controls, CardSelection):
        return (*selection_rows(model, screens.controls, translations), below)

    def make(code: str) -> Button:
        return Button(code, callback_data.MakeMove(model.ref, model.table.version, code))

    return (*screens.controls.buttons(model.table.deal, model.table.moves, make, translations), below)


def leave_screen(model: TableViewModel, language: Language) -> Screen:
    """Ask for confirmation before the player leaves."""
    translations = translations_in(language)
    question = translations.gettext("Leave the table? A computer player will play your hand to the end.")
    yes = Button(translations.gettext("Yes, I leave"), callback_data.LeaveTable(model.ref, sure=True), style="danger")
    no = Button(translations.gettext("No, I stay"), callback_data.LeaveTable(model.ref, sure=None))
    return Screen(joined(heading(model, language), question), ((yes, no),))


def left_screen(place: str, why: Departure, language: Language) -> Screen:
    """Return the hand message of somebody who does not sit at the table any more; `place` is empty in private."""
    translations = translations_in(language)
    if not place:
        return Screen(translations.gettext("You have left the table. /play opens a new one."))
    return Screen(translations.gettext(DEPARTURES[why]).format(place=bold(place)))


def hand_alert(model: TableViewModel, language: Language) -> str:
    """Return a player's hand and task as plain text, at most `ALERT_LIMIT` characters."""
    translations = translations_in(language)
    if model.table.deal is None or model.turn is None:
        return translations.gettext("No cards are dealt now.")
    screens, texts = GAME_SCREENS[model.table.game], texts_of(model.table.game)
    held = translations.gettext("Your hand: {cards}").format(cards=screens.hand(model.table.deal, translations) or "—")
    if model.turn == model.table.you:
        then = texts.task(model.table.deal, model.table.moves, translations, buttons=True)
    else:
        then = translations.gettext("It is {name}'s turn").format(name=model.names[model.turn])
    return shortened(f"{held}\n{then}", ALERT_LIMIT)


def selected_cards(table: Table, places: Collection[int], translations: Translations) -> list[PickableCard]:
    """Return the cards that the viewer has selected, from their places."""
    selection = card_selection(table.game)
    if selection is None or table.deal is None:
        return []
    cards = chain.from_iterable(selection.cards(table.deal, translations))
    return [card for place, card in enumerate(cards) if place in places]


def moves_to_check(table: Table, places: Collection[int]) -> Sequence[JsonObject]:
    """Return the moves to have checked by the engine that the selected cards can mean."""
    selection, selected = card_selection(table.game), selected_cards(table, places, translations_in("en"))
    return selection.candidates(table.deal, selected) if selection is not None and selected else ()


def selection_text(model: TableViewModel, translations: Translations) -> str:
    """Return the selected cards, and whether they can be played or why not."""
    selected = selected_cards(model.table, model.selected, translations)
    if not selected:
        return ""
    chosen = translations.gettext("You have picked {cards}.").format(
        cards=listed((card.label for card in selected), translations)
    )
    return " ".join(["☝️", plain(chosen), *(plain(line) for line in _verdict_texts(model, translations))])


def _verdict_texts(model: TableViewModel, translations: Translations) -> list[str]:
    if model.verdicts and all(verdict.legal for verdict in model.verdicts):
        return [translations.gettext("That will do.")]
    found = (_explained(verdict, model.table, translations) for verdict in model.verdicts if not verdict.legal)
    return [text for text in dict.fromkeys(found) if text]


def _explained(verdict: Verdict, table: Table, translations: Translations) -> str:
    code, facts = verdict.code or "", verdict.facts or {}
    return refusal_text(code, facts, table, language_of(translations))


def selection_rows(model: TableViewModel, selection: AnyCardSelection, translations: Translations) -> Rows:
    """Return the cards as buttons, then the moves with the selected cards and those without cards."""
    table = model.table
    selected = selected_cards(table, model.selected, translations)
    actions = _action_buttons(model, selection, selected, translations)
    return (
        *_card_rows(model, selection, selected, translations),
        *in_rows(actions, _width([button.label for button in actions])),
    )


def _card_rows(
    model: TableViewModel, selection: AnyCardSelection, selected: list[PickableCard], translations: Translations
) -> Iterator[tuple[Button, ...]]:
    useful = _useful(model.table.moves, selection, selected)
    place = 0
    for row in selection.cards(model.table.deal, translations):
        buttons = [_card_button(model, place + at, card, useful) for at, card in enumerate(row)]
        yield from in_rows(buttons, _width([card.label for card in row]))
        place += len(row)


def _width(labels: Sequence[str]) -> int:
    """Return how many buttons fit in a row with their labels whole on a phone."""
    longest = max(map(len, labels), default=1)
    return max(1, min(ROW_BUTTONS, ROW_LETTERS // longest))


def _card_button(model: TableViewModel, place: int, card: PickableCard, useful: set[str]) -> Button:
    data = callback_data.PickCard(model.ref, model.table.version, place, up=place not in model.selected)
    if not data.up:
        return Button(f"✅ {card.label}", data, style="success")
    return Button(card.label, data, style="primary" if card.choice in useful else None)


def _useful(moves: Sequence[JsonObject], selection: AnyCardSelection, selected: list[PickableCard]) -> set[str]:
    """Return the `choice`s that together with the selected cards are part of a legal move."""
    taken = Counter(card.choice for card in selected) if selection.several else Counter[str]()
    useful: set[str] = set()
    for move in moves:
        wanted = Counter(selection.takes(move))
        if taken <= wanted:
            useful |= (wanted - taken).keys()
    return useful


def _action_buttons(
    model: TableViewModel, selection: AnyCardSelection, selected: list[PickableCard], translations: Translations
) -> list[Button]:
    wanted = sorted(card.choice for card in selected)
    found = [move for move in model.table.moves if (takes := sorted(selection.takes(move))) == wanted or not takes]
    buttons = [_action_button(model, selection, move, selected, translations) for move in found]
    if len(selected) > 1:
        buttons.append(
            Button(translations.gettext("Put back"), callback_data.PutCardsBack(model.ref, model.table.version))
        )
    return buttons


def _action_button(
    model: TableViewModel,
    selection: AnyCardSelection,
    move: JsonObject,
    selected: list[PickableCard],
    translations: Translations,
) -> Button:
    code = selection.code(move, selected)
    label = selection.label(GAME_SCREENS[model.table.game].move(code), model.table.deal, translations)
    return Button(label, callback_data.MakeMove(model.ref, model.table.version, code), style="success")
