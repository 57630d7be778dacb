"""Ramino in the bot: the table, the hand, the controls, and the moves that its buttons stand for."""

from collections.abc import Sequence

from locanda import cuccu as deck
from locanda.games.chat import Controls, GameScreens, PickableCard, stock_line
from locanda.games.ramino import texts
from locanda.games.ramino.types import View
from locanda.messages import JsonObject
from locanda.texts.cards import cuccu_card, cuccu_cards
from locanda.texts.games import cards_of
from locanda.translations import Translations

FIRST_LETTER = ord("A")
"""A move's code has one letter for each card, by its place in the deck: the Fool is A."""


def table(view: View, _names: Sequence[str], translations: Translations) -> list[str]:
    """Return the combinations, the top of the discards and the stock; once the deal is over, the combinations alone."""
    melds = [f"{number}) {cuccu_cards(meld, translations)}" for number, meld in enumerate(view.melds, start=1)]
    lines = melds or [translations.gettext("No combination lies on the table.")]
    if view.hands is not None:
        return melds  # the event that ended the deal says what each hand was left with
    return [*lines, _discards(view, translations), stock_line(view.stock_count, translations)]


def in_brief(view: View, _names: Sequence[str], translations: Translations) -> list[str]:
    """Return the combinations, then the discards and the stock on one line."""
    melds = [f"{number}) {cuccu_cards(meld, translations)}" for number, meld in enumerate(view.melds, start=1)]
    return [*melds, " · ".join((_discards(view, translations), stock_line(view.stock_count, translations)))]


def _discards(view: View, translations: Translations) -> str:
    if not view.discards:
        return translations.gettext("The discards are empty.")
    text = translations.ngettext("Discards: {top}", "Discards: {top}, {n} cards in all", len(view.discards))
    return text.format(top=f"<b>{cuccu_card(view.discards[-1], translations)}</b>", n=len(view.discards))


def hand(view: View, translations: Translations) -> str:
    """Return the viewer's cards."""
    return ", ".join(texts.hand(view, translations))


def selectable_cards(view: View, translations: Translations) -> tuple[tuple[PickableCard, ...], ...]:
    """Return the cards of the hand."""
    return (tuple(PickableCard(code, cuccu_card(code, translations), code) for code in view.hand or ()),)


def label(move: JsonObject, view: View, translations: Translations) -> str:
    """Return the label of a move's button."""
    if move["type"] == "attach":
        meld = cuccu_cards(view.melds[move["meld"]], translations)
        return translations.gettext("Attach to {cards}").format(cards=meld)
    return texts.move_label(move, view, translations)


def code(move: JsonObject, _selected: Sequence[PickableCard]) -> str:
    """Return the code of a move."""
    letters = "".join(chr(FIRST_LETTER + deck.CARDS[card]) for card in cards_of(move))
    return f"{move['type']},{move.get('from', letters)},{move.get('meld', '')}"


def move(code: str) -> JsonObject:
    """Return the engine's move of a code."""
    kind, what, meld = code.split(",")
    if kind == "draw":
        return {"type": kind, "from": what}
    cards = [deck.CODES[ord(letter) - FIRST_LETTER] for letter in what]
    if kind == "meld":
        return {"type": kind, "cards": cards}
    return {"type": kind, "card": cards[0]} | ({"meld": int(meld)} if meld else {})


def candidates(view: View, selected: Sequence[PickableCard]) -> tuple[JsonObject, ...]:
    """Return the moves that the selected cards can mean."""
    return texts.candidate_moves(view, [each.card for each in selected])


SCREENS: GameScreens[View] = GameScreens(
    icon="🦉",
    table=table,
    in_brief=in_brief,
    hand=hand,
    controls=Controls(
        cards=selectable_cards,
        takes=cards_of,
        label=label,
        code=code,
        candidates=candidates,
        by_card=lambda move: move["type"] == "discard",
        advances=lambda move: move["type"] != "discard",
        several=True,
        columns=3,
    ),
    move=move,
)
