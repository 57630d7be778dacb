"""How Gatto Rosso Gatto Grigio looks."""

from collections.abc import Callable, Sequence

import msgspec

from services.telegram.screens.cards import card, cards, in_order
from services.telegram.screens.drawing import Drawing, OneTap
from services.telegram.screens.screen import Button, Rows, in_rows
from services.telegram.screens.text import bold, listed
from shared.games import gatto_rosso as wire
from shared.games.gatto_rosso import View
from shared.messages import JsonObject
from shared.translate import Words

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


def tally(view: View, seat: int, words: Words) -> str:
    """Return how many cards a seat holds and how many it has captured."""
    held = words.gettext("{n} in hand").format(n=view.counts[seat])
    out = " · " + words.gettext("out of this trick") if seat in view.sitting_out else ""
    return f"{held} · {points(view.captured[seat], words)}{out}"


def points(number: int, words: Words) -> str:
    """Return a number of captured cards."""
    return words.ngettext("{n} card captured", "{n} cards captured", number).format(n=number)


def hand(view: View, _words: Words) -> str:
    """Return the viewer's cards by suit and rank."""
    return cards(in_order(view.hand or ()))


def task(view: View, moves: Sequence[JsonObject], words: Words) -> str:
    """Return what the viewer is to do now."""
    playable = _playable(moves)
    if not view.table:
        return words.gettext("You lead: play any card.")
    top = card(view.table[-1])
    if not playable:
        return words.gettext("Nothing of yours beats {top}: you have to pass.").format(top=top)
    which = listed((card(code) for code in playable), words)
    return words.gettext("Beat {top}: you can with {cards}.").format(top=top, cards=which)


def buttons(view: View, moves: Sequence[JsonObject], make: Callable[[str], Button], words: Words) -> Rows:
    """Return all the viewer's cards and the pass; those he may play now stand out."""
    playable = set(_playable(moves))
    keys = [
        msgspec.structs.replace(make(code), label=card(code), style="primary" if code in playable else None)
        for code in in_order(view.hand or ())
    ]
    may_pass = {"type": "pass"} in list(moves)
    passing = msgspec.structs.replace(make(PASS), label=words.gettext("Pass"), style="primary" if may_pass else None)
    return (*in_rows(keys, 5), (passing,))


def _playable(moves: Sequence[JsonObject]) -> list[str]:
    return in_order(move["card"] for move in moves if move["type"] == "play")


def move(code: str) -> JsonObject:
    """Return the engine's move of a button's code."""
    return {"type": "pass"} if code == PASS else {"type": "play", "card": code}


def act(event: JsonObject, names: Sequence[str], words: Words) -> str:
    """Return an event in words."""
    try:
        known = msgspec.convert(event, wire.Event)
    except msgspec.ValidationError:
        return ""
    match known:
        case wire.Played(seat, code):
            return words.gettext("{name} plays {card}").format(name=bold(names[seat]), card=card(code))
        case wire.Passed(seat):
            return words.gettext("{name} passes").format(name=bold(names[seat]))
        case wire.TrickTaken(seat, taken) if seat is None:
            text = words.ngettext("Nobody takes the last card", "Nobody takes the last {n} cards", len(taken))
            return text.format(n=len(taken))
        case wire.TrickTaken(int(seat), taken):
            text = words.ngettext("{name} takes the trick: {n} card", "{name} takes the trick: {n} cards", len(taken))
            return text.format(name=bold(names[seat]), n=len(taken))
        case _:
            return ""


def refusal(code: str, facts: JsonObject, view: View | None, moves: Sequence[JsonObject], words: Words) -> str:
    """Return in words why the engine refused a move."""
    shown: dict[str, str] = {key: _fact(facts[key], words) for key in ("card", "top", "cards") if key in facts}
    match code:
        case "not_in_hand":
            return words.gettext("You do not hold {card}.").format(**shown)
        case "must_beat":
            return _must_beat(shown, view, moves, words)
        case "must_lead":
            return words.gettext("You lead this trick: play a card, there is nothing to pass on.")
        case "must_play":
            return words.gettext("You cannot pass: you can beat {top} with {cards}.").format(**shown)
        case _:
            return ""


def _must_beat(shown: dict[str, str], view: View | None, moves: Sequence[JsonObject], words: Words) -> str:
    refused = words.gettext("{card} does not beat {top}.").format(**shown)
    rule = ""
    if view is not None and not view.options.cats and not view.options.three_suits:
        rule = words.gettext("It takes a higher card of its suit, or one of the next suit (♥ ♦ ♣ ♠ ♥).")
    which = listed((card(code) for code in _playable(moves)), words)
    advice = words.gettext("You can play {cards}.").format(cards=which)
    return " ".join(part for part in (refused, rule, advice if which else words.gettext("You have to pass.")) if part)


def _fact(value: object, words: Words) -> str:
    if isinstance(value, list | tuple):
        return listed((card(str(code)) for code in value), words)
    return card(str(value))


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
