"""How Presidente looks."""

from collections.abc import Sequence

from services.telegram.screens.drawing import Drawing, Piece, Selecting
from services.telegram.screens.text import bold
from shared.games.presidente import View
from shared.messages import JsonObject
from shared.translate import Words
from shared.words.cards import JOKER, JOKER_SIGN, card, cards
from shared.words.presidente import act, combination, dues, left_over, points, refusal, secrets, tally

PASS = "-"  # noqa: S105  (the code of a pass)
LONG = 5
"""A button names no more cards than these; of more it says how many there are."""


def table(view: View, names: Sequence[str], words: Words) -> list[str]:
    """Return the combination on top, the order if it is upside down, the taxes owed and the cards left over."""
    inverted = words.gettext("🔄 The order is upside down: the lower card wins.") if view.inverted else ""
    return [
        _top(view, names, words),
        inverted,
        *dues(view, [bold(name) for name in names], words),
        left_over(view, words),
    ]


def _top(view: View, names: Sequence[str], words: Words) -> str:
    if view.table is None:
        if view.turn is None or view.dues:
            return ""
        return words.gettext("The table is empty: {name} leads.").format(name=bold(names[view.turn]))
    shown = f"<b>{combination(view.table.cards, view.table.joker)}</b>"
    if view.last is None:
        return shown
    return words.gettext("{cards} by {name}").format(cards=shown, name=bold(names[view.last]))


def hand(view: View, _words: Words) -> str:
    """Return the viewer's cards."""
    return cards(view.hand or ())


def task(view: View, moves: Sequence[JsonObject], words: Words) -> str:
    """Return what the viewer is to do now."""
    given = [len(move["cards"]) for move in moves if move["type"] == "give"]
    if given:
        return words.ngettext("Choose {n} card to give away.", "Choose {n} cards to give away.", given[0]).format(
            n=given[0]
        )
    if view.table is None:
        return words.gettext("You lead: tap the cards that you want to play.")
    top = combination(view.table.cards, view.table.joker)
    if any(move["type"] == "play" for move in moves):
        return words.gettext("Beat {top}: tap your cards, or pass.").format(top=top)
    return words.gettext("Nothing of yours beats {top}: you have to pass.").format(top=top)


def pieces(view: View, _words: Words) -> tuple[tuple[Piece, ...], ...]:
    """Return the cards of the hand."""
    return (tuple(Piece(code, card(code), code) for code in view.hand or ()),)


def takes(move: JsonObject) -> tuple[str, ...]:
    """Return the cards that a move takes from the hand."""
    return tuple(move.get("cards", ()))


def label(move: JsonObject, _view: View, words: Words) -> str:
    """Return a move as its button says it."""
    if move["type"] == "pass":
        return words.gettext("Pass")
    count = len(move["cards"])
    shown = cards(move["cards"])
    if count > LONG:
        shown = words.ngettext("{n} card", "{n} cards", count).format(n=count)
    if move["type"] == "give":
        return words.gettext("Give {cards}").format(cards=shown)
    if move.get("joker"):
        text = words.gettext("Play {cards} ({joker} as {card})")
        return text.format(cards=shown, joker=JOKER_SIGN, card=card(move["joker"]))
    return words.gettext("Play {cards}").format(cards=shown)


def code(move: JsonObject, _pieces: Sequence[Piece]) -> str:
    """Return the code of a move."""
    if move["type"] == "pass":
        return PASS
    return f"{move['type'][0]}{''.join(move['cards'])},{move.get('joker') or ''}"


def move(code: str) -> JsonObject:
    """Return the engine's move of a code."""
    if code == PASS:
        return {"type": "pass"}
    held, joker = code[1:].split(",")
    kind = {"p": "play", "g": "give"}[code[0]]
    return {"type": kind, "cards": _split(held)} | ({"joker": joker} if joker else {})


def _split(held: str) -> list[str]:
    split, at = [], 0
    while at < len(held):
        size = 1 if held[at] == JOKER else 2
        split.append(held[at : at + size])
        at += size
    return split


def questions(view: View, pieces: Sequence[Piece]) -> tuple[JsonObject, ...]:
    """Ask whether the cards may be played, or given away where a tax is due."""
    return ({"type": "give" if view.dues else "play", "cards": [piece.card for piece in pieces]},)


PRESIDENTE: Drawing[View] = Drawing(
    icon="🎩",
    table=table,
    tally=tally,
    hand=hand,
    task=task,
    playing=Selecting(pieces=pieces, several=True, takes=takes, label=label, code=code, questions=questions),
    move=move,
    act=act,
    points=points,
    refusal=refusal,
    secrets=secrets,
)
