"""How Diavoletto looks in a terminal."""

from collections.abc import Sequence

from services.terminal.games.drawing import Drawing, Rows
from services.terminal.games.typed import french
from shared.games.diavoletto import View
from shared.messages import JsonObject
from shared.translate import Words
from shared.words.cards import card, cards
from shared.words.diavoletto import act, refusal, tally
from shared.words.phrases import points


def rows(view: View, names: Sequence[str], words: Words) -> Rows:
    """Return the builds, each one's mazzetto and columns, and the stock."""
    builds = "   ".join(f"{number}) {card(pile[-1])}" for number, pile in enumerate(view.builds, start=1))
    shown = [(words.gettext("Builds"), builds or words.gettext("none yet: an Ace opens one"))]
    for seat, name in enumerate(names):
        shown += [(name, _mazzetto(view, seat, words)), ("", _columns(view, seat, words))]
    stock = words.ngettext("{n} card", "{n} cards", view.stock_count).format(n=view.stock_count)
    return [*shown, (words.gettext("Stock"), stock)]


def _mazzetto(view: View, seat: int, words: Words) -> str:
    mazzetto = view.mazzetti[seat]
    if mazzetto.top is None:
        return words.gettext("no mazzetto left")
    if mazzetto.count == 1:
        return words.gettext("mazzetto {top}, the last card").format(top=card(mazzetto.top))
    below = mazzetto.count - 1
    text = words.ngettext("mazzetto {top} on top of {n} card", "mazzetto {top} on top of {n} cards", below)
    return text.format(top=card(mazzetto.top), n=below)


def _columns(view: View, seat: int, words: Words) -> str:
    columns = [f"{at}) {cards(column)}" for at, column in enumerate(view.columns[seat], start=1) if column]
    return words.gettext("columns {columns}").format(columns="   ".join(columns) or "—")


def hand(view: View, _words: Words) -> str:
    """Return the viewer's cards."""
    return "  ".join(card(code) for code in view.hand or ())


def task(_view: View, moves: Sequence[JsonObject], words: Words) -> str:
    """Return what the viewer is to do now."""
    kinds = {move["type"] for move in moves}
    if "discard" in kinds:
        return words.gettext("Play cards on the builds; a discard ends your turn.")
    if "end" in kinds:
        return words.gettext("Play what you can, or end your turn.")
    return words.gettext("Play a card on a build: your turn cannot end yet.")


def label(move: JsonObject, view: View, words: Words) -> str:
    """Return a move in a few words."""
    if move["type"] == "end":
        return words.gettext("End my turn")
    if move["type"] == "discard":
        return _discard(move, view, words)
    played, goal = _source(move, words), move["build"]
    if goal is None:
        return words.gettext("{card} → new build").format(card=played)
    return words.gettext("{card} → build {n}, on {top}").format(
        card=played, n=goal + 1, top=card(view.builds[goal][-1])
    )


def _source(move: JsonObject, words: Words) -> str:
    played = card(move["card"])
    if move["from"] == "mazzetto":
        return words.gettext("{card} from the mazzetto").format(card=played)
    if move["from"] == "column":
        return words.gettext("{card} from column {n}").format(card=played, n=move["column"] + 1)
    return played


def _discard(move: JsonObject, view: View, words: Words) -> str:
    number: int = move["column"]
    column = () if view.seat is None else view.columns[view.seat][number]
    if not column:
        return words.gettext("{card} ↓ new column").format(card=card(move["card"]))
    text = words.gettext("{card} ↓ column {n}, on {top}")
    return text.format(card=card(move["card"]), n=number + 1, top=card(column[-1]))


def same(code: str) -> str:
    """Return the rank: no rule looks at suits, so the engine names but one of several equal cards in hand."""
    return code[0]


def wish(view: View, wanted: Sequence[str]) -> JsonObject:
    """Return the move that these cards mean: one goes to a build, from wherever it lies."""
    played = wanted[0]
    if view.seat is not None and played not in (view.hand or ()):
        if view.mazzetti[view.seat].top == played:
            return {"type": "build", "from": "mazzetto", "card": played}
        for number, column in enumerate(view.columns[view.seat]):
            if column and column[-1] == played:
                return {"type": "build", "from": "column", "card": played, "column": number}
    return {"type": "build", "from": "hand", "card": played}


DIAVOLETTO: Drawing[View] = Drawing(
    rows=rows,
    tally=tally,
    hand=hand,
    task=task,
    label=label,
    read=french,
    wish=wish,
    same=same,
    act=act,
    points=points,
    refusal=refusal,
)
