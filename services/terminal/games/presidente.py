"""How Presidente looks in a terminal."""

from collections.abc import Sequence

from services.terminal.games.drawing import Drawing, Rows
from services.terminal.games.typed import french
from shared.games.presidente import View
from shared.messages import JsonObject
from shared.translate import Words
from shared.words.cards import card, cards
from shared.words.presidente import act, combination, dues, left_over, points, refusal, secrets, tally


def rows(view: View, names: Sequence[str], words: Words) -> Rows:
    """Return the combination on top, the order if it is upside down, the taxes owed and the cards left over."""
    shown = [(words.gettext("Table"), _top(view, names, words))]
    if view.inverted:
        shown.append(("", words.gettext("🔄 The order is upside down: the lower card wins.")))
    shown += [("", due) for due in dues(view, names, words)]
    rest = left_over(view, words)
    return [*shown, ("", rest)] if rest else shown


def _top(view: View, names: Sequence[str], words: Words) -> str:
    if view.table is None:
        leads = view.turn is not None and not view.dues
        return words.gettext("empty: {name} leads").format(name=names[view.turn or 0]) if leads else "—"
    shown = combination(view.table.cards, view.table.joker)
    return shown if view.last is None else words.gettext("{cards} by {name}").format(cards=shown, name=names[view.last])


def hand(view: View, _words: Words) -> str:
    """Return the viewer's cards."""
    return "  ".join(card(code) for code in view.hand or ())


def task(view: View, moves: Sequence[JsonObject], words: Words) -> str:
    """Return what the viewer is to do now."""
    given = [len(move["cards"]) for move in moves if move["type"] == "give"]
    if given:
        text = words.ngettext("Choose {n} card to give away.", "Choose {n} cards to give away.", given[0])
        return text.format(n=given[0])
    if view.table is None:
        return words.gettext("You lead: play what you like.")
    top = combination(view.table.cards, view.table.joker)
    if any(move["type"] == "play" for move in moves):
        return words.gettext("Beat {top}, or pass.").format(top=top)
    return words.gettext("Nothing of yours beats {top}: you have to pass.").format(top=top)


def label(move: JsonObject, _view: View, words: Words) -> str:
    """Return a move in a few words."""
    if move["type"] == "pass":
        return words.gettext("Pass")
    if move["type"] == "give":
        return words.gettext("Give {cards}").format(cards=cards(move["cards"]))
    return combination(move["cards"], move.get("joker"))


def wish(view: View, wanted: Sequence[str]) -> JsonObject:
    """Return the move that these cards mean: they are played, or given away where a tax is due."""
    return {"type": "give" if view.dues else "play", "cards": list(wanted)}


PRESIDENTE: Drawing[View] = Drawing(
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
    secrets=secrets,
)
