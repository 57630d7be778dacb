"""Ramino's texts: tasks, moves, events and refusals, as `texts.games.GameTexts` asks for."""

from collections.abc import Mapping, Sequence

from locanda.games.base import N_
from locanda.games.ramino import types as wire
from locanda.games.ramino.types import View
from locanda.messages import JsonObject
from locanda.texts import phrases
from locanda.texts.cards import cuccu_card, cuccu_cards, cuccu_deck
from locanda.texts.games import Taps, refusal_sentence
from locanda.translations import Translations

ICON = "🦉"

ENDINGS: dict[str, str] = {
    "closed": N_("{name} closes."),
    "ramino": N_("Ramino by {name}!"),
    "blocked": N_("Nobody could close any more."),
}

REFUSAL_SENTENCES: Mapping[str, str] = {
    "wrong_phase": N_("You have drawn already: lay, attach or discard."),
    "wrong_phase draw": N_("First draw a card."),
    "nothing_to_draw discards": N_("The discards are empty: draw from the stock."),
    "wrong_length": N_("Too many cards: {most} at most."),
    "not_a_combination": N_("This is no combination: {cards}."),
    "meld": N_("{card} does not go with {meld}: it takes {cards}."),
    "incomplete": N_("Not enough yet. It goes with {cards}."),
}

LABELS = {
    "draw": N_("Draw"),
    "take": N_("Take"),
    "meld": N_("Lay"),
    "attach": N_("Attach"),
    "discard": N_("Discard"),
    "discards": N_("Discards"),
    "no_discards": N_("The discards are empty"),
    "melds": N_("Combinations"),
    "no_melds": N_("No combination lies on the table"),
    "known": N_("seen taking"),
    "taken": N_("just taken"),
}

deck = cuccu_deck


def piles(view: View, _names: Sequence[str], translations: Translations) -> dict[str, str]:
    """Return texts for the combinations (one on each line), the top of the discards, and the stock."""
    melds = "\n".join(cuccu_cards(meld, translations) for meld in view.melds)
    stock = phrases.card_count(view.stock_count, translations)
    return {"melds": melds or "—", "discards": _discards(view, translations), "stock": stock}


def _discards(view: View, translations: Translations) -> str:
    if not view.discards:
        return "—"
    top, below = cuccu_card(view.discards[-1], translations), len(view.discards) - 1
    text = translations.ngettext("{top} on top of {n} card", "{top} on top of {n} cards", below)
    return text.format(top=top, n=below) if below else top


def facts(view: View, names: Sequence[str], translations: Translations) -> list[str]:
    """Return the cards left in each hand, once the deal is over."""
    return [] if view.hands is None else left_in_hand(view.hands, names, translations)


def tally(view: View, seat: int, translations: Translations) -> str:
    """Return the number of cards that a seat holds, and which of its cards are publicly known."""
    held = translations.gettext("{n} in hand").format(n=view.counts[seat])
    if not view.known[seat]:
        return held
    seen = translations.ngettext("known: {cards}", "known: {cards}", len(view.known[seat])).format(
        cards=cuccu_cards(view.known[seat], translations)
    )
    return f"{held} ({seen})"


def task(view: View, moves: Sequence[JsonObject], translations: Translations, *, taps: Taps) -> str:
    """Return the sentence that says what the viewer should do."""
    if view.phase == "draw":
        return _draw_task(view, moves, translations)
    if taps == "none":
        return translations.gettext("Lay, attach, or discard a card to end your turn.")
    if taps == "select":
        return translations.gettext("Lay, attach, or discard a card to end your turn: tap the cards.")
    if any(move["type"] != "discard" for move in moves):
        return translations.gettext("Lay or attach below. A card that you tap is discarded, and ends your turn.")
    return translations.gettext("Tap the card to discard: it ends your turn.")


def _draw_task(view: View, moves: Sequence[JsonObject], translations: Translations) -> str:
    """Return the sentence that says where the viewer may draw."""
    sources = {move.get("from") for move in moves}
    if "discards" not in sources:
        return translations.gettext("Draw a card from the stock.")
    top = cuccu_card(view.discards[-1], translations)
    if "stock" not in sources:
        return translations.gettext("Take {card} from the discards: there is nothing else to draw.").format(card=top)
    return translations.gettext("Draw from the stock, or take {card} from the discards.").format(card=top)


def move_label(move: JsonObject, view: View, translations: Translations) -> str:
    """Return the label of a move, with its cards."""
    match move["type"]:
        case "draw" if move["from"] == "stock":
            return translations.gettext("Draw from the stock")
        case "draw":
            return translations.gettext("Take {card}").format(card=cuccu_card(view.discards[-1], translations))
        case "meld":
            return translations.gettext("Lay {cards}").format(cards=cuccu_cards(move["cards"], translations))
        case "attach":
            text = translations.gettext("Attach {card} to {cards}")
            meld = cuccu_cards(view.melds[move["meld"]], translations)
            return text.format(card=cuccu_card(move["card"], translations), cards=meld)
        case _:
            return translations.gettext("Discard {card}").format(card=cuccu_card(move["card"], translations))


def event_text(event: wire.Event, names: Sequence[str], translations: Translations) -> str:
    """Return the sentence for an event."""
    match event:
        case wire.DealOver():
            return _over(event, names, translations)
        case wire.Restocked(n):
            text = translations.ngettext(
                "New stock from the discards: {n} card", "New stock from the discards: {n} cards", n
            )
            return text.format(n=n)
        case wire.Drew():
            return _drew(event, names[event.seat], translations)
        case _:
            return _down(event, names[event.seat], translations)


def _drew(event: wire.Drew, name: str, translations: Translations) -> str:
    if event.card is None:
        return translations.gettext("{name} draws from the stock").format(name=name)
    return translations.gettext("{name} takes {card} from the discards").format(
        name=name, card=cuccu_card(event.card, translations)
    )


def _down(event: wire.Melded | wire.Attached | wire.Discarded, name: str, translations: Translations) -> str:
    if isinstance(event, wire.Melded):
        return translations.gettext("{name} lays {cards}").format(
            name=name, cards=cuccu_cards(event.cards, translations)
        )
    card = cuccu_card(event.card, translations)
    if isinstance(event, wire.Discarded):
        return translations.gettext("{name} discards {card}").format(name=name, card=card)
    text = translations.gettext("{name} attaches {card}: {cards} go to the discards")
    return text.format(name=name, card=card, cards=cuccu_cards(event.cards, translations))


def _over(event: wire.DealOver, names: Sequence[str], translations: Translations) -> str:
    if event.closer is None:
        how = translations.gettext("The deal is blocked: nobody closes")
    elif event.result.reason == "ramino":
        text = translations.gettext("Ramino! {name} gets rid of the whole hand in one turn")
        how = text.format(name=names[event.closer])
    else:
        how = translations.gettext("{name} closes").format(name=names[event.closer])
    return "\n".join([how, *left_in_hand(event.hands, names, translations)])


def left_in_hand(hands: Sequence[Sequence[str]], names: Sequence[str], translations: Translations) -> list[str]:
    """Return a line for each hand that is not empty, with the cards left in it."""
    left = [(name, cuccu_cards(cards, translations)) for name, cards in zip(names, hands, strict=True) if cards]
    return [translations.gettext("{name} is left with {cards}").format(name=name, cards=cards) for name, cards in left]


def refusal_text(
    code: str, facts: JsonObject, _view: View | None, _moves: Sequence[JsonObject], translations: Translations
) -> str:
    """Return the sentence for a refusal."""
    if code == "not_a_combination" and len(facts.get("cards", ())) == 1:
        return translations.gettext("Alone it cannot be laid.")
    if "meld" in facts:
        code = "meld"
    return refusal_sentence(wire.NAME, code, facts, translations)
