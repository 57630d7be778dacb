"""How Diavoletto looks."""

from collections.abc import Sequence

from services.telegram.screens.drawing import Drawing, Piece, Selecting
from services.telegram.screens.text import bold
from shared.games.diavoletto import View
from shared.messages import JsonObject
from shared.translate import Words
from shared.words.cards import card, cards
from shared.words.diavoletto import act, refusal, tally
from shared.words.phrases import points

END = "-"
SHOWN = 5
"""Cards of a long column that are shown, the top one included."""
MAZZETTO = "mazzetto"


def table(view: View, names: Sequence[str], words: Words) -> list[str]:
    """Return the builds with what they need, each one's mazzetto and columns, and the stock."""
    seats = [_seat(view, seat, name, words) for seat, name in enumerate(names)]
    stock = words.ngettext("Stock: {n} card", "Stock: {n} cards", view.stock_count).format(n=view.stock_count)
    return [_builds(view, words), *seats, stock]


def _builds(view: View, words: Words) -> str:
    if not view.builds:
        return words.gettext("No build is open: an Ace opens one.")
    shown = " · ".join(f"{number}) {_build(pile)}" for number, pile in enumerate(view.builds, start=1))
    return words.gettext("Builds: {builds}").format(builds=shown)


def _build(pile: Sequence[str]) -> str:
    return f"<b>{card(pile[-1])}</b> ({len(pile)})"


def _seat(view: View, seat: int, name: str, words: Words) -> str:
    mazzetto = view.mazzetti[seat]
    top = card(mazzetto.top) if mazzetto.top else "—"
    columns = " | ".join(_column(column) for column in view.columns[seat] if column) or "—"
    text = words.gettext("{name}: mazzetto {top} (of {n}), columns {columns}")
    return text.format(name=bold(name), top=f"<b>{top}</b>", n=mazzetto.count, columns=columns)


def _column(column: Sequence[str]) -> str:
    more = "… " if len(column) > SHOWN else ""
    below = cards(column[-SHOWN:-1])
    return f"{more}{below} <b>{card(column[-1])}</b>".strip()


def hand(view: View, words: Words) -> str:
    """Return the viewer's cards, his mazzetto's top card and the tops of his columns."""
    parts = [cards(view.hand or ())]
    if view.seat is not None:
        top = view.mazzetti[view.seat].top
        tops = [column[-1] for column in view.columns[view.seat] if column]
        parts += [words.gettext("mazzetto {card}").format(card=card(top))] if top else []
        parts += [words.gettext("columns {cards}").format(cards=cards(tops))] if tops else []
    return " · ".join(part for part in parts if part)


def task(_view: View, moves: Sequence[JsonObject], words: Words) -> str:
    """Return what the viewer is to do now."""
    kinds = {move["type"] for move in moves}
    if "discard" in kinds:
        return words.gettext("Tap a card to play it on a build, or to discard it, which ends your turn.")
    if "end" in kinds:
        return words.gettext("Play what you can, or end your turn.")
    return words.gettext("Tap a card and choose its build: your turn cannot end yet.")


def pieces(view: View, words: Words) -> tuple[tuple[Piece, ...], ...]:
    """Return the cards of the hand, the top of the mazzetto, and the tops of the columns."""
    held = tuple(Piece(code, card(code), f"hand {_rank(code)}") for code in view.hand or ())
    if view.seat is None:
        return (held,)
    top = view.mazzetti[view.seat].top
    mazzetto = words.gettext("mazzetto {card}").format(card=card(top)) if top else ""
    columns = tuple(
        Piece(column[-1], _column_name(number, column[-1], words), f"column {number}")
        for number, column in enumerate(view.columns[view.seat])
        if column
    )
    return (held, (Piece(top, mazzetto, MAZZETTO),) if top else (), columns)


def _column_name(number: int, top: str, words: Words) -> str:
    return words.gettext("column {n}: {card}").format(n=number + 1, card=card(top))


def _rank(code: str) -> str:
    return code[0]


def takes(move: JsonObject) -> tuple[str, ...]:
    """Return where a move takes its card; cards of the same rank in hand are one choice."""
    match move:
        case {"type": "build", "from": "column", "column": column}:
            return (f"column {column}",)
        case {"type": "build", "from": "mazzetto"}:
            return (MAZZETTO,)
        case {"card": held}:
            return (f"hand {_rank(held)}",)
        case _:
            return ()


def label(move: JsonObject, view: View, words: Words) -> str:
    """Return a move as its button says it."""
    match move:
        case {"type": "build", "build": None}:
            return words.gettext("New build")
        case {"type": "build", "build": int(number)}:
            return words.gettext("Build {n}: {top}").format(n=number + 1, top=card(view.builds[number][-1]))
        case {"type": "discard", "column": int(number)}:
            return _column_label(view, number, words)
        case _:
            return words.gettext("End my turn")


def _column_label(view: View, number: int, words: Words) -> str:
    column = () if view.seat is None else view.columns[view.seat][number]
    if not column:
        return words.gettext("Discard in a new column")
    return words.gettext("Discard on column {n}: {top}").format(n=number + 1, top=card(column[-1]))


def code(move: JsonObject, pieces: Sequence[Piece]) -> str:
    """Return the code of a move, with the very card that was taken up."""
    if move["type"] == "end":
        return END
    held = pieces[0].card if pieces else move["card"]
    if move["type"] == "discard":
        return f"discard,{held},{move['column']}"
    goal = "new" if move["build"] is None else move["build"]
    return f"{move['from']},{held},{goal},{'' if move.get('column') is None else move['column']}"


def move(code: str) -> JsonObject:
    """Return the engine's move of a code."""
    if code == END:
        return {"type": "end"}
    kind, held, goal, *rest = code.split(",")
    if kind == "discard":
        return {"type": "discard", "card": held, "column": int(goal)}
    build = {"type": "build", "from": kind, "card": held, "build": None if goal == "new" else int(goal)}
    return build | ({"column": int(rest[0])} if rest[0] else {})


def questions(_view: View, pieces: Sequence[Piece]) -> tuple[JsonObject, ...]:
    """Ask where the card may be built, and from the hand also where it may be discarded."""
    piece = pieces[0]
    source, _, column = piece.choice.partition(" ")
    build: JsonObject = {"type": "build", "from": source, "card": piece.card}
    if source == "column":
        return (build | {"column": int(column)},)
    return (build, {"type": "discard", "card": piece.card}) if source == "hand" else (build,)


DIAVOLETTO: Drawing[View] = Drawing(
    icon="😈",
    table=table,
    tally=tally,
    hand=hand,
    task=task,
    playing=Selecting(pieces=pieces, several=False, takes=takes, label=label, code=code, questions=questions),
    move=move,
    act=act,
    points=points,
    refusal=refusal,
)
