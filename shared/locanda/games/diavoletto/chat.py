"""Diavoletto in the chat: the table, the hand, and the labels of its buttons."""

from collections.abc import Mapping, Sequence

from locanda.games.diavoletto import texts
from locanda.games.diavoletto.types import View
from locanda.messages import JsonObject
from locanda.texts.cards import JOKER, card, cards, rank
from locanda.texts.chat import PHONE_WIDTH, Cards, GameScreens, PickableCard, bold, lines_on_a_phone, stock_line
from locanda.texts.selection import HAND
from locanda.translations import Translations

SHOWN = 5
"""Maximum number of cards shown of a column, counted from the top."""
COLUMNS_WIDTH = PHONE_WIDTH - len("Columns: ")
RANKS = "A23456789TJQK"
"""Ranks of the cards of a build, in order."""


def table(view: View, names: Sequence[str], translations: Translations) -> list[str]:
    """Return lines for the builds, for each seat's mazzetto and columns, and for the stock."""
    seats = [line for seat, name in enumerate(names) for line in _seat(view, seat, name, translations)]
    return [_builds(view, translations), *seats, stock_line(view.stock_count, translations)]


def _builds(view: View, translations: Translations) -> str:
    if not view.builds:
        return translations.gettext("No build is open: an Ace opens one.")
    shown = " · ".join(f"{number}) {_build(pile, translations)}" for number, pile in enumerate(view.builds, start=1))
    return translations.gettext("Builds: {builds}").format(builds=shown)


def _build(pile: Sequence[str], translations: Translations) -> str:
    """Return a build's top card and the rank that the build needs next."""
    needs = translations.gettext("needs {rank}").format(rank=rank(RANKS[len(pile)]))
    return f"<b>{card(pile[-1])}</b> {needs}"


def _seat(view: View, seat: int, name: str, translations: Translations) -> tuple[str, str]:
    mazzetto = view.mazzetti[seat]
    top = card(mazzetto.top) if mazzetto.top else "—"
    text = translations.ngettext(
        "{name}: mazzetto {top} ({n} card)", "{name}: mazzetto {top} ({n} cards)", mazzetto.count
    )
    columns = _columns(view.columns[seat])
    below = translations.gettext("Columns: {columns}").format(columns=columns) if columns else ""
    return text.format(name=bold(name), top=f"<b>{top}</b>", n=mazzetto.count), below


def _columns(columns: Sequence[Sequence[str]]) -> str:
    """Return the columns as text, each with as many of its last cards as fit on one line of a phone."""
    used = [column for column in columns if column]
    for most in range(SHOWN, 0, -1):
        shown = " | ".join(cards(column[-most:]) for column in used)
        if len(shown) <= COLUMNS_WIDTH:
            break
    return " | ".join(f"{cards(column[-most:-1])} <b>{card(column[-1])}</b>".strip() for column in used)


def in_brief(view: View, names: Sequence[str], translations: Translations) -> list[str]:
    """Return short lines: the builds, then each seat's mazzetto; for other seats, also the tops of their columns."""
    seats = [_seat_in_brief(view, seat, name, translations) for seat, name in enumerate(names)]
    builds = _builds(view, translations)
    return [builds if lines_on_a_phone(builds) == 1 else _builds_in_brief(view, translations), *seats]


def _builds_in_brief(view: View, translations: Translations) -> str:
    if not view.builds:
        return translations.gettext("No build is open")
    tops = " · ".join(_build_in_brief(number, pile) for number, pile in enumerate(view.builds, start=1))
    return translations.gettext("Builds: {builds}").format(builds=tops)


def _build_in_brief(number: int, pile: Sequence[str]) -> str:
    """Return a build's top card; for a joker, also the rank that it stands for."""
    stands = f" = {rank(RANKS[len(pile) - 1])}" if pile[-1] == JOKER else ""
    return f"{number}) <b>{card(pile[-1])}</b>{stands}"


def _seat_in_brief(view: View, seat: int, name: str, translations: Translations) -> str:
    mazzetto = view.mazzetti[seat]
    text = translations.gettext("{name}: mazzetto {top} ({n})")
    shown = text.format(name=bold(name), top=f"<b>{card(mazzetto.top) if mazzetto.top else '—'}</b>", n=mazzetto.count)
    tops = [card(column[-1]) for column in view.columns[seat] if column and seat != view.seat]
    return " | ".join([shown, *tops])


def event_in_brief(event: JsonObject) -> JsonObject:
    """Return a shorter form of an event: a card played to a build does not name its source."""
    return {**event, "from": HAND, "column": None} if event["type"] == "built" else event


def hand(view: View, translations: Translations) -> str:
    """Return the viewer's hand, the top of their mazzetto and the tops of their columns."""
    parts = [cards(view.hand or ())]
    if view.seat is not None:
        top = view.mazzetti[view.seat].top
        tops = [column[-1] for column in view.columns[view.seat] if column]
        parts += [translations.gettext("mazzetto {card}").format(card=card(top))] if top else []
        parts += [translations.gettext("columns {cards}").format(cards=cards(tops))] if tops else []
    return " · ".join(part for part in parts if part)


def selectable_cards(view: View, translations: Translations) -> tuple[Cards, ...]:
    """Return the cards that can be selected: the hand, the top of the mazzetto, and the tops of the columns."""
    held = tuple(PickableCard(HAND, code, card(code)) for code in view.hand or ())
    if view.seat is None:
        return (held,)
    tops = {place.pile: place.card for place in texts.places(view) if place.pile != HAND}
    columns = [_top(tops, f"column-{at}", translations) for at in range(len(view.columns[view.seat]))]
    mazzetto = _top(tops, "mazzetto", translations)
    return (held, (mazzetto,) if mazzetto else (), tuple(columns) if any(columns) else ())


def _top(tops: Mapping[str, str], pile: str, translations: Translations) -> PickableCard | None:
    if pile not in tops:
        return None
    text = translations.gettext("{card} (mazzetto)")
    if pile != "mazzetto":
        text = translations.gettext("{card} (column {n})")
    number = int(pile.rpartition("-")[2]) + 1 if "-" in pile else 0
    return PickableCard(pile, tops[pile], text.format(card=card(tops[pile]), n=number))


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


def target(move: JsonObject, view: View, _translations: Translations) -> str:
    """Return the top card of the build or column to which the move plays."""
    if move["type"] == "build":
        return f"⬆ {card(view.builds[move['build']][-1]) if move['build'] is not None else '+'}"
    column = () if view.seat is None else view.columns[view.seat][move["column"]]
    return f"⬇ {card(column[-1]) if column else '+'}"


def _column_label(view: View, number: int, translations: Translations) -> str:
    column = () if view.seat is None else view.columns[view.seat][number]
    if not column:
        return translations.gettext("Discard in a new column")
    return translations.gettext("Discard on column {n}: {top}").format(n=number + 1, top=card(column[-1]))


SCREENS: GameScreens[View] = GameScreens(
    table=table,
    in_brief=in_brief,
    event_in_brief=event_in_brief,
    hand=hand,
    cards=selectable_cards,
    label=label,
    target=target,
)
