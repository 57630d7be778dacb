"""How Gatto Rosso Gatto Grigio looks in a terminal."""

from collections.abc import Sequence

from services.terminal.games.drawing import Drawing, Rows
from services.terminal.games.typed import french
from shared.games.gatto_rosso import View
from shared.messages import JsonObject
from shared.translate import Words
from shared.words.cards import card, cards, in_order
from shared.words.gatto_rosso import act, points, refusal, tally, task


def rows(view: View, names: Sequence[str], words: Words) -> Rows:
    """Return the trick, its top card last, and the stock."""
    shown = [(words.gettext("Trick"), _trick(view, names, words))]
    if view.stock_count:
        stock = words.ngettext("{n} card", "{n} cards", view.stock_count).format(n=view.stock_count)
    else:
        stock = words.gettext("finished: the first to run out of cards ends the deal")
    return [*shown, (words.gettext("Stock"), stock)]


def _trick(view: View, names: Sequence[str], words: Words) -> str:
    if not view.table:
        leader = "" if view.turn is None else names[view.turn]
        return words.gettext("empty: {name} leads").format(name=leader) if leader else "—"
    below = f"{cards(view.table[:-1])} ▸ " if view.table[:-1] else ""
    trick = f"{below}{card(view.table[-1])}"
    return trick if view.last is None else words.gettext("{cards} by {name}").format(cards=trick, name=names[view.last])


def hand(view: View, _words: Words) -> str:
    """Return the viewer's cards by suit and rank."""
    return "  ".join(card(code) for code in in_order(view.hand or ()))


def label(move: JsonObject, _view: View, words: Words) -> str:
    """Return a move in a few words."""
    return card(move["card"]) if move["type"] == "play" else words.gettext("Pass")


def wish(_view: View, wanted: Sequence[str]) -> JsonObject:
    """Return the move that these cards mean: one is played at a time."""
    return {"type": "play", "card": wanted[0]}


GATTO_ROSSO: Drawing[View] = Drawing(
    rows=rows,
    tally=tally,
    hand=hand,
    task=task,
    label=label,
    read=french,
    wish=wish,
    act=act,
    points=points,
    refusal=refusal,
)
