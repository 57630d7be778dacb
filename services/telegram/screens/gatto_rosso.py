"""How Gatto Rosso Gatto Grigio looks."""

from collections.abc import Callable, Sequence

import msgspec

from services.telegram.screens.drawing import Drawing, OneTap
from services.telegram.screens.screen import Button, Rows, in_rows
from services.telegram.screens.text import bold
from shared.games.gatto_rosso import View
from shared.messages import JsonObject
from shared.translate import Words
from shared.words.cards import card, cards, in_order
from shared.words.gatto_rosso import act, playable, points, refusal, tally, task

PASS = "-"  # noqa: S105  (the code of a pass)
SHOWN = 8
"""Cards of a long trick that are shown, the top one included."""


def table(view: View, names: Sequence[str], words: Words) -> list[str]:
    """Return the trick that lies open, its top card last, and what is left of the stock."""
    return [_trick(view, names, words), _stock(view, words)]


def _trick(view: View, names: Sequence[str], words: Words) -> str:
    if not view.table:
        if view.turn is None:
            return ""
        return words.gettext("The table is empty: {name} leads.").format(name=bold(names[view.turn]))
    below = view.table[:-1][-(SHOWN - 1) :]
    more = "… " if len(view.table) > SHOWN else ""
    trick = f"{more}{cards(below)} ▸ " if below else ""
    top = f"{trick}<b>{card(view.table[-1])}</b>"
    if view.last is None:
        return top
    return words.gettext("{cards} by {name}").format(cards=top, name=bold(names[view.last]))


def _stock(view: View, words: Words) -> str:
    if view.turn is None:
        return ""
    if not view.stock_count:
        return words.gettext("The stock is finished: the first to run out of cards ends the deal.")
    return words.ngettext("Stock: {n} card", "Stock: {n} cards", view.stock_count).format(n=view.stock_count)


def hand(view: View, _words: Words) -> str:
    """Return the viewer's cards by suit and rank."""
    return cards(in_order(view.hand or ()))


def buttons(view: View, moves: Sequence[JsonObject], make: Callable[[str], Button], words: Words) -> Rows:
    """Return all the viewer's cards and the pass; those he may play now stand out."""
    useful = set(playable(moves))
    keys = [
        msgspec.structs.replace(make(code), label=card(code), style="primary" if code in useful else None)
        for code in in_order(view.hand or ())
    ]
    may_pass = {"type": "pass"} in list(moves)
    passing = msgspec.structs.replace(make(PASS), label=words.gettext("Pass"), style="primary" if may_pass else None)
    return (*in_rows(keys, 5), (passing,))


def move(code: str) -> JsonObject:
    """Return the engine's move of a button's code."""
    return {"type": "pass"} if code == PASS else {"type": "play", "card": code}


GATTO_ROSSO: Drawing[View] = Drawing(
    icon="🐈",
    table=table,
    tally=tally,
    hand=hand,
    task=task,
    playing=OneTap(buttons=buttons),
    move=move,
    act=act,
    points=points,
    refusal=refusal,
)
