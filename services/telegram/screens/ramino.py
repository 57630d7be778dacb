"""How Ramino with the Cuccù deck looks."""

from collections.abc import Sequence

from services.telegram.screens.drawing import Drawing, Piece, Selecting
from services.telegram.screens.text import bold
from shared import cuccu as deck
from shared.games.ramino import View
from shared.messages import JsonObject
from shared.translate import Words
from shared.words.cards import cuccu, cuccus
from shared.words.phrases import points
from shared.words.ramino import act, held, refusal, tally, to_draw

FIRST_LETTER = ord("A")
"""A button names a design by a letter: the Fool is A."""


def table(view: View, names: Sequence[str], words: Words) -> list[str]:
    """Return the combinations, the top of the discards and the stock; once the deal is over, what everybody held."""
    melds = [f"{number}) {cuccus(meld, words)}" for number, meld in enumerate(view.melds, start=1)]
    lines = melds or [words.gettext("No combination lies on the table.")]
    if view.hands is not None:
        return [*melds, *held(view.hands, [bold(name) for name in names], words)]
    return [*lines, _discards(view, words), _stock(view, words)]


def _discards(view: View, words: Words) -> str:
    if not view.discards:
        return words.gettext("The discards are empty.")
    text = words.ngettext("Discards: {top}", "Discards: {top} on top of {n} cards", len(view.discards))
    return text.format(top=f"<b>{cuccu(view.discards[-1], words)}</b>", n=len(view.discards))


def _stock(view: View, words: Words) -> str:
    return words.ngettext("Stock: {n} card", "Stock: {n} cards", view.stock_count).format(n=view.stock_count)


def hand(view: View, words: Words) -> str:
    """Return the viewer's cards."""
    return cuccus(view.hand or (), words)


def task(view: View, moves: Sequence[JsonObject], words: Words) -> str:
    """Return what the viewer is to do now."""
    if view.phase == "play":
        return words.gettext("Lay, attach, or discard a card to end your turn: tap the cards.")
    return to_draw(view, moves, words)


def pieces(view: View, words: Words) -> tuple[tuple[Piece, ...], ...]:
    """Return the cards of the hand."""
    return (tuple(Piece(code, cuccu(code, words), code) for code in view.hand or ()),)


def takes(move: JsonObject) -> tuple[str, ...]:
    """Return the cards that a move takes from the hand."""
    return (move["card"],) if "card" in move else tuple(move.get("cards", ()))


def label(move: JsonObject, view: View, words: Words) -> str:
    """Return a move as its button says it."""
    match move["type"]:
        case "draw" if move["from"] == "stock":
            return words.gettext("Draw from the stock")
        case "draw":
            return words.gettext("Take {card}").format(card=cuccu(view.discards[-1], words))
        case "meld":
            return words.gettext("Lay {cards}").format(cards=cuccus(move["cards"], words))
        case "attach":
            return words.gettext("Attach to {cards}").format(cards=cuccus(view.melds[move["meld"]], words))
        case _:
            return words.gettext("Discard {card}").format(card=cuccu(move["card"], words))


def code(move: JsonObject, _pieces: Sequence[Piece]) -> str:
    """Return the code of a move."""
    letters = "".join(chr(FIRST_LETTER + deck.CARDS[card]) for card in takes(move))
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


def questions(_view: View, pieces: Sequence[Piece]) -> tuple[JsonObject, ...]:
    """Ask whether the cards may be laid; of a single one, also whether it may be discarded."""
    laid = {"type": "meld", "cards": [piece.card for piece in pieces]}
    return (laid,) if len(pieces) > 1 else ({"type": "discard", "card": pieces[0].card}, laid)


RAMINO: Drawing[View] = Drawing(
    icon="🦉",
    table=table,
    tally=tally,
    hand=hand,
    task=task,
    playing=Selecting(pieces=pieces, several=True, takes=takes, label=label, code=code, questions=questions),
    move=move,
    act=act,
    points=points,
    refusal=refusal,
    fewest_wins=True,
)
