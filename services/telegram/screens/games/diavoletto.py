"""Diavoletto in the bot: the table, the hand, the controls, and the moves that its buttons stand for."""

from collections.abc import Sequence

from locanda.games.diavoletto import View
from locanda.messages import JsonObject
from locanda.texts import diavoletto as texts
from locanda.texts.cards import JOKER, card, cards, rank
from locanda.translations import Translations
from services.telegram.screens.games.base import CardSelection, GameScreens, PickableCard, stock_line
from services.telegram.screens.screen import bold

END = "-"
SHOWN = 5
"""Cards of a long column that are shown, the top one included."""
MAZZETTO = "mazzetto"
RANKS = "A23456789TJQK"
"""The ranks of a build from its first card on."""


def table(view: View, names: Sequence[str], translations: Translations) -> list[str]:
    """Return the builds, the mazzetto and columns of each seat, and the stock."""
    seats = [_seat(view, seat, name, translations) for seat, name in enumerate(names)]
    return [_builds(view, translations), *seats, stock_line(view.stock_count, translations)]


def _builds(view: View, translations: Translations) -> str:
    if not view.builds:
        return translations.gettext("No build is open: an Ace opens one.")
    shown = " · ".join(f"{number}) {_build(pile)}" for number, pile in enumerate(view.builds, start=1))
    return translations.gettext("Builds: {builds}").format(builds=shown)


def _build(pile: Sequence[str]) -> str:
    stands = f" = {rank(RANKS[len(pile) - 1])}" if pile[-1] == JOKER else ""
    return f"<b>{card(pile[-1])}</b>{stands}"


def _seat(view: View, seat: int, name: str, translations: Translations) -> str:
    mazzetto = view.mazzetti[seat]
    top = card(mazzetto.top) if mazzetto.top else "—"
    columns = " | ".join(_column(column) for column in view.columns[seat] if column) or "—"
    text = translations.ngettext(
        "{name}: mazzetto {top} ({n} card), columns {columns}",
        "{name}: mazzetto {top} ({n} cards), columns {columns}",
        mazzetto.count,
    )
    return text.format(name=bold(name), top=f"<b>{top}</b>", n=mazzetto.count, columns=columns)


def _column(column: Sequence[str]) -> str:
    more = "… " if len(column) > SHOWN else ""
    below = cards(column[-SHOWN:-1])
    return f"{more}{below} <b>{card(column[-1])}</b>".strip()


def hand(view: View, translations: Translations) -> str:
    """Return the viewer's cards, the top of their mazzetto and the tops of their columns."""
    parts = [" ".join(texts.hand(view, translations))]
    if view.seat is not None:
        top = view.mazzetti[view.seat].top
        tops = [column[-1] for column in view.columns[view.seat] if column]
        parts += [translations.gettext("mazzetto {card}").format(card=card(top))] if top else []
        parts += [translations.gettext("columns {cards}").format(cards=cards(tops))] if tops else []
    return " · ".join(part for part in parts if part)


def selectable_cards(view: View, translations: Translations) -> tuple[tuple[PickableCard, ...], ...]:
    """Return the cards of the hand, the top of the mazzetto, and the tops of the columns."""
    held = tuple(PickableCard(code, card(code), f"hand {_rank(code)}") for code in view.hand or ())
    if view.seat is None:
        return (held,)
    top = view.mazzetti[view.seat].top
    mazzetto = translations.gettext("{card} (mazzetto)").format(card=card(top)) if top else ""
    columns = tuple(
        PickableCard(column[-1], _column_name(number, column[-1], translations), f"column {number}")
        for number, column in enumerate(view.columns[view.seat])
        if column
    )
    return (held, (PickableCard(top, mazzetto, MAZZETTO),) if top else (), columns)


def _column_name(number: int, top: str, translations: Translations) -> str:
    return translations.gettext("{card} (column {n})").format(n=number + 1, card=card(top))


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


def label(move: JsonObject, view: View, translations: Translations) -> str:
    """Return the label of a move's button."""
    match move:
        case {"type": "build", "build": None}:
            return translations.gettext("New build")
        case {"type": "build", "build": int(number)}:
            return translations.gettext("Build {n}: {top}").format(n=number + 1, top=card(view.builds[number][-1]))
        case {"type": "discard", "column": int(number)}:
            return _column_label(view, number, translations)
        case _:
            return texts.move_label(move, view, translations)


def _column_label(view: View, number: int, translations: Translations) -> str:
    column = () if view.seat is None else view.columns[view.seat][number]
    if not column:
        return translations.gettext("Discard in a new column")
    return translations.gettext("Discard on column {n}: {top}").format(n=number + 1, top=card(column[-1]))


def code(move: JsonObject, selected: Sequence[PickableCard]) -> str:
    """Return the code of a move, with the selected card itself."""
    if move["type"] == "end":
        return END
    held = selected[0].card if selected else move["card"]
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


def candidates(_view: View, selected: Sequence[PickableCard]) -> tuple[JsonObject, ...]:
    """Return the incomplete moves of the selected card, from where it lies."""
    source, _, column = selected[0].choice.partition(" ")
    return texts.moves_from(source, selected[0].card, int(column) if source == "column" else None)


SCREENS: GameScreens[View] = GameScreens(
    icon="😈",
    table=table,
    hand=hand,
    controls=CardSelection(
        cards=selectable_cards, several=False, takes=takes, label=label, code=code, candidates=candidates
    ),
    move=move,
)
