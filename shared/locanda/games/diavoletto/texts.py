"""Diavoletto's texts: tasks, moves, events and refusals, as `texts.games.GameTexts` asks for."""

from collections.abc import Sequence

from locanda.games.base import N_, DealOver
from locanda.games.diavoletto import types as wire
from locanda.games.diavoletto.types import View
from locanda.messages import JsonObject, SelectedCard
from locanda.texts import phrases
from locanda.texts.cards import JOKER, card, cards, french_deck_with_joker, rank
from locanda.texts.games import Taps, refusal_sentence
from locanda.texts.selection import HAND
from locanda.translations import Translations

ICON = "😈"

ENDINGS: dict[str, str] = {
    "emptied": N_("{name} has played the last card of the mazzetto."),
    "deadlock": N_("Deadlock: nobody moved on, and the cards left in the mazzetti were counted."),
}

REFUSAL_SENTENCES = {
    "no_such_build card": N_("No build takes {card} now."),
    "incomplete": N_("Choose a build."),
    "incomplete columns": N_("To discard it, choose a column."),
}

LABELS = {
    "play": N_("Play"),
    "discard": N_("Discard"),
    "end": N_("End my turn"),
    "builds": N_("Builds"),
    "build": N_("Build"),
    "new_build": N_("New build"),
    "no_builds": N_("No build is open"),
    "needs": N_("needs"),
    "columns": N_("Columns"),
    "column": N_("Column"),
    "new_column": N_("New column"),
    "mazzetto": N_("Mazzetto"),
    "aside": N_("Set aside"),
    "joker": N_("Joker"),
}

deck = french_deck_with_joker


def piles(view: View, names: Sequence[str], translations: Translations) -> dict[str, str]:
    """Return labels for the builds, the stock, the cards set aside, and each seat's mazzetto and columns."""
    builds = "   ".join(f"{number}) {card(pile[-1])}" for number, pile in enumerate(view.builds, start=1))
    shown = {
        "builds": builds or translations.gettext("none yet: an Ace opens one"),
        "stock": phrases.card_count(view.stock_count, translations),
        "aside": phrases.card_count(len(view.aside), translations),
    }
    for seat in range(len(names)):
        shown[f"mazzetto.{seat}"] = _mazzetto(view, seat, translations)
        shown[f"columns.{seat}"] = columns_text(view.columns[seat], translations)
    return shown


def _mazzetto(view: View, seat: int, translations: Translations) -> str:
    mazzetto = view.mazzetti[seat]
    if mazzetto.top is None:
        return translations.gettext("no mazzetto left")
    if mazzetto.count == 1:
        return translations.gettext("mazzetto {top}, the last card").format(top=card(mazzetto.top))
    below = mazzetto.count - 1
    text = translations.ngettext("mazzetto {top} on top of {n} card", "mazzetto {top} on top of {n} cards", below)
    return text.format(top=card(mazzetto.top), n=below)


def columns_text(columns: Sequence[Sequence[str]], translations: Translations, *, most: int | None = None) -> str:
    """Return a seat's columns as text; with `most`, only that many of the last cards of each column."""
    shown = [f"{at}) {_last(column, most)}" for at, column in enumerate(columns, start=1) if column]
    return translations.gettext("columns {columns}").format(columns="   ".join(shown) or "—")


def _last(column: Sequence[str], most: int | None) -> str:
    return cards(column) if most is None or len(column) <= most else f"… {cards(column[-most:])}"


def task(_view: View, moves: Sequence[JsonObject], translations: Translations, *, taps: Taps) -> str:
    """Return the sentence that says what the viewer should do."""
    gettext, types = translations.gettext, {move["type"] for move in moves}
    if "discard" in types and taps != "none" and "build" in types:
        return gettext("Blue goes on the builds. ⬇ discards the card beside it and ends your turn.")
    if "discard" in types and taps != "none":
        return gettext("Nothing goes on the builds: discard a card.")
    if "discard" in types:
        return gettext("Play cards on the builds; a discard ends your turn.")
    if "end" in types:
        return gettext("Play what you can, or end your turn.")
    if taps == "select":
        return gettext("Tap a card and choose its build: your turn cannot end yet.")
    return gettext("Play a card on a build: your turn cannot end yet.")


def move_label(move: JsonObject, view: View, translations: Translations) -> str:
    """Return the label of a move: the card, its source and its target."""
    if move["type"] == "end":
        return translations.gettext("End my turn")
    if move["type"] == "discard":
        return _discard_label(move, view, translations)
    played, build = source_label(move, translations), move["build"]
    if build is None:
        return translations.gettext("{card} → new build").format(card=played)
    text = translations.gettext("{card} → build {n}, on {top}")
    return text.format(card=played, n=build + 1, top=card(view.builds[build][-1]))


def source_label(move: JsonObject, translations: Translations) -> str:
    """Return the card of a play and its source."""
    played = card(move["card"])
    if move["from"] == "mazzetto":
        return translations.gettext("{card} from the mazzetto").format(card=played)
    if move["from"] == "column":
        return translations.gettext("{card} from column {n}").format(card=played, n=move["column"] + 1)
    return played


def _discard_label(move: JsonObject, view: View, translations: Translations) -> str:
    number: int = move["column"]
    column = () if view.seat is None else view.columns[view.seat][number]
    if not column:
        return translations.gettext("{card} in a new column").format(card=card(move["card"]))
    text = translations.gettext("{card} in column {n}, on {top}")
    return text.format(card=card(move["card"]), n=number + 1, top=card(column[-1]))


def places(view: View) -> list[SelectedCard]:
    """Return the cards that the viewer may play: the hand and the tops of the mazzetto and the columns."""
    held = [SelectedCard(HAND, code) for code in view.hand or ()]
    if view.seat is None:
        return held
    top, columns = view.mazzetti[view.seat].top, view.columns[view.seat]
    tops = [SelectedCard(f"column-{at}", column[-1]) for at, column in enumerate(columns) if column]
    return [*held, *([SelectedCard("mazzetto", top)] if top else []), *tops]


def event_text(event: wire.Event, names: Sequence[str], translations: Translations) -> str:
    """Return the sentence for an event."""
    match event:
        case DealOver(result):
            return _over(result.reason, [names[seat] for seat in result.ranking[0]], translations)
        case wire.Completed(build):
            return translations.gettext("Build {n} is complete and goes aside").format(n=build + 1)
        case wire.Recycled():
            return translations.gettext("The builds set aside are shuffled and put under the stock")
        case wire.Redealt():
            return translations.gettext("Deadlock: all cards but the mazzetti are shuffled again")
        case _:
            return _by_somebody(event, names[event.seat], translations)


def _over(reason: str | None, winners: list[str], translations: Translations) -> str:
    if reason == "emptied":
        return translations.gettext("{name} has played the whole mazzetto").format(name=winners[0])
    if len(winners) > 1:
        return translations.gettext("Deadlock: nobody wins")
    return translations.gettext("Deadlock: the deal goes to {name}").format(name=winners[0])


def _by_somebody(
    event: wire.Built | wire.Exposed | wire.Discarded | wire.Ended | wire.Drew, name: str, translations: Translations
) -> str:
    match event:
        case wire.Built():
            return _built(event, name, translations)
        case wire.Exposed(card=code):
            return translations.gettext("{name} turns up {card}").format(name=name, card=card(code))
        case wire.Discarded(card=code, column=column):
            text = translations.gettext("{name} discards {card} on column {n}")
            return text.format(name=name, card=card(code), n=column + 1)
        case wire.Ended():
            return translations.gettext("{name} ends the turn without a discard").format(name=name)
        case wire.Drew(count=count):
            return translations.ngettext("{name} draws {n} card", "{name} draws {n} cards", count).format(
                name=name, n=count
            )


def _built(event: wire.Built, name: str, translations: Translations) -> str:
    played = card(event.card)
    if event.card == JOKER:
        played = translations.gettext("{joker} as {rank}").format(joker=played, rank=rank(event.stands_for))
    if event.source == "mazzetto":
        text = translations.gettext("{name} plays {card} from the mazzetto on build {n}")
    elif event.source == "column":
        text = translations.gettext("{name} plays {card} from a column on build {n}")
    else:
        text = translations.gettext("{name} plays {card} on build {n}")
    return text.format(name=name, card=played, n=event.build + 1)


def refusal_text(
    code: str, facts: JsonObject, _view: View | None, _moves: Sequence[JsonObject], translations: Translations
) -> str:
    """Return the sentence for a refusal."""
    shown = facts | {"aces": [*dict.fromkeys(ace["card"] for ace in facts.get("aces", ()))]}
    if "needs" in facts:
        shown["needs"] = rank(str(facts["needs"]))
    return refusal_sentence(wire.NAME, code, shown, translations)
