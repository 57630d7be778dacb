"""What happens in Ramino, and why it does not, in words."""

from collections.abc import Mapping, Sequence

import msgspec

from shared.cuccu import CARDS
from shared.games import ramino as wire
from shared.games.base import N_
from shared.games.ramino import View
from shared.messages import JsonObject
from shared.translate import Words
from shared.words.cards import cuccu, cuccus

REFUSALS: Mapping[str, str] = {
    "wrong_phase": N_("You have drawn already: lay, attach or discard."),
    "wrong_phase draw": N_("First draw a card."),
    "nothing_to_draw": N_("There is nothing left to draw: take the top of the discards."),
    "nothing_to_draw discards": N_("The discards are empty: draw from the stock."),
    "not_in_hand": N_("You do not hold {card}."),
    "wrong_length": N_("Too many cards: {most} at most."),
    "repeated_figure": N_("Twice the same figure: {cards}."),
    "not_adjacent": N_("These numbers are not in a row: {cards}."),
    "not_a_combination": N_("This is no combination: {cards}."),
    "no_such_meld": N_("This combination does not lie on the table any more."),
    "taken_card": N_("You have just taken {card} from the discards: throw another card."),
    "incomplete": N_("Not enough yet: with it go {cards}."),
}


def tally(view: View, seat: int, words: Words) -> str:
    """Return how many cards a seat holds, and which of them everybody saw it take."""
    held = words.gettext("{n} in hand").format(n=view.counts[seat])
    if not view.known[seat]:
        return held
    seen = words.gettext("with {cards}").format(cards=cuccus(view.known[seat], words))
    return f"{held} ({seen})"


def to_draw(view: View, moves: Sequence[JsonObject], words: Words) -> str:
    """Return from where the viewer may draw."""
    sources = {move.get("from") for move in moves}
    if "discards" not in sources:
        return words.gettext("Draw a card from the stock.")
    top = cuccu(view.discards[-1], words)
    if "stock" not in sources:
        return words.gettext("Take {card} from the discards: there is nothing else to draw.").format(card=top)
    return words.gettext("Draw from the stock, or take {card} from the discards.").format(card=top)


def act(event: JsonObject, names: Sequence[str], words: Words) -> str:
    """Return an event in words."""
    try:
        known = msgspec.convert(event, wire.Event)
    except msgspec.ValidationError:
        return ""
    match known:
        case wire.DealOver():
            return _over(known, names, words)
        case wire.Restocked(n):
            text = words.ngettext("The stock is made anew: {n} card", "The stock is made anew: {n} cards", n)
            return text.format(n=n)
        case wire.Drew():
            return _drew(known, names[known.seat], words)
        case _:
            return _down(known, names[known.seat], words)


def _drew(event: wire.Drew, name: str, words: Words) -> str:
    if event.card is None:
        return words.gettext("{name} draws from the stock").format(name=name)
    return words.gettext("{name} takes {card} from the discards").format(name=name, card=cuccu(event.card, words))


def _down(event: wire.Melded | wire.Attached | wire.Discarded, name: str, words: Words) -> str:
    if isinstance(event, wire.Melded):
        return words.gettext("{name} lays {cards}").format(name=name, cards=cuccus(event.cards, words))
    card = cuccu(event.card, words)
    if isinstance(event, wire.Discarded):
        return words.gettext("{name} discards {card}").format(name=name, card=card)
    text = words.gettext("{name} attaches {card}: {cards} go to the discards")
    return text.format(name=name, card=card, cards=cuccus(event.cards, words))


def _over(event: wire.DealOver, names: Sequence[str], words: Words) -> str:
    if event.closer is None:
        how = words.gettext("The deal is blocked: nobody closes")
    elif event.result.reason == "ramino":
        text = words.gettext("Ramino! {name} gets rid of the whole hand in one turn")
        how = text.format(name=names[event.closer])
    else:
        how = words.gettext("{name} closes").format(name=names[event.closer])
    return "\n".join([how, *held(event.hands, names, words)])


def held(hands: Sequence[Sequence[str]], names: Sequence[str], words: Words) -> list[str]:
    """Return what each is left with, a line each."""
    left = [(name, cuccus(cards, words)) for name, cards in zip(names, hands, strict=True) if cards]
    return [words.gettext("{name} is left with {cards}").format(name=name, cards=cards) for name, cards in left]


def refusal(code: str, facts: JsonObject, _view: View | None, _moves: Sequence[JsonObject], words: Words) -> str:
    """Return in words why the engine refused a move."""
    shown = {name: _fact(value, words) for name, value in facts.items()}
    if code == "not_a_combination" and len(facts.get("cards", ())) == 1:
        return words.gettext("Alone it cannot be laid.")
    if "meld" in facts:
        return words.gettext("{card} does not go with {meld}: it takes {cards}.").format(**shown)
    text = REFUSALS.get(f"{code} {facts.get('phase', facts.get('from', ''))}", REFUSALS.get(code, ""))
    return words.gettext(text).format(**shown) if text else ""


def _fact(value: object, words: Words) -> str:
    if isinstance(value, list | tuple):
        return cuccus((code for code in map(str, value) if code in CARDS), words)
    return cuccu(str(value), words) if str(value) in CARDS else str(value)
