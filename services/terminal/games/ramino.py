"""How Ramino with the Cuccù deck looks in a terminal."""

from collections.abc import Sequence

from services.terminal.games.drawing import Drawing, Rows
from services.terminal.games.typed import cuccu as read
from shared.games.ramino import View
from shared.messages import JsonObject
from shared.translate import Words
from shared.words.cards import cuccu, cuccus
from shared.words.phrases import points
from shared.words.ramino import act, refusal, tally, to_draw


def rows(view: View, _names: Sequence[str], words: Words) -> Rows:
    """Return the combinations, the top of the discards and the stock."""
    melds = [("", cuccus(meld, words)) for meld in view.melds] or [("", "—")]
    shown = [(words.gettext("Combinations"), melds[0][1]), *melds[1:]]
    discards = "—"
    if view.discards:
        top, count = cuccu(view.discards[-1], words), len(view.discards)
        text = words.ngettext("{top} on top of {n} card", "{top} on top of {n} cards", count - 1)
        discards = top if count == 1 else text.format(top=top, n=count - 1)
    stock = words.ngettext("{n} card", "{n} cards", view.stock_count).format(n=view.stock_count)
    return [*shown, (words.gettext("Discards"), discards), (words.gettext("Stock"), stock)]


def hand(view: View, words: Words) -> str:
    """Return the viewer's cards."""
    return "  ".join(cuccu(code, words) for code in view.hand or ())


def task(view: View, moves: Sequence[JsonObject], words: Words) -> str:
    """Return what the viewer is to do now."""
    if view.phase == "play":
        return words.gettext("Lay, attach, or discard a card to end your turn.")
    return to_draw(view, moves, words)


def label(move: JsonObject, view: View, words: Words) -> str:
    """Return a move in a few words."""
    match move["type"]:
        case "draw" if move["from"] == "stock":
            return words.gettext("Draw from the stock")
        case "draw":
            return words.gettext("Take {card}").format(card=cuccu(view.discards[-1], words))
        case "meld":
            return words.gettext("Lay {cards}").format(cards=cuccus(move["cards"], words))
        case "attach":
            text = words.gettext("Attach {card} to {cards}")
            return text.format(card=cuccu(move["card"], words), cards=cuccus(view.melds[move["meld"]], words))
        case _:
            return words.gettext("Discard {card}").format(card=cuccu(move["card"], words))


def wish(_view: View, wanted: Sequence[str]) -> JsonObject:
    """Return the move that these cards mean: one is discarded, several are laid."""
    if len(wanted) == 1:
        return {"type": "discard", "card": wanted[0]}
    return {"type": "meld", "cards": list(wanted)}


RAMINO: Drawing[View] = Drawing(
    rows=rows,
    tally=tally,
    hand=hand,
    task=task,
    label=label,
    read=read,
    wish=wish,
    act=act,
    points=points,
    refusal=refusal,
    fewest_wins=True,
)
