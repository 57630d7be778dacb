"""What happens in Gatto Rosso Gatto Grigio, and why it does not, in words."""

from collections.abc import Sequence

import msgspec

from shared.games import gatto_rosso as wire
from shared.games.base import Passed
from shared.games.gatto_rosso import View
from shared.messages import JsonObject
from shared.translate import Words
from shared.words.cards import card, in_order
from shared.words.phrases import listed


def tally(view: View, seat: int, words: Words) -> str:
    """Return how many cards a seat holds and how many it has captured."""
    held = words.gettext("{n} in hand").format(n=view.counts[seat])
    out = " · " + words.gettext("out of this trick") if seat in view.sitting_out else ""
    return f"{held} · {points(view.captured[seat], words)}{out}"


def points(number: int, words: Words) -> str:
    """Return a number of captured cards."""
    return words.ngettext("{n} card captured", "{n} cards captured", number).format(n=number)


def task(view: View, moves: Sequence[JsonObject], words: Words) -> str:
    """Return what the viewer is to do now."""
    useful = playable(moves)
    if not view.table:
        return words.gettext("You lead: play any card.")
    top = card(view.table[-1])
    if not useful:
        return words.gettext("Nothing of yours beats {top}: you have to pass.").format(top=top)
    which = listed((card(code) for code in useful), words)
    return words.gettext("Beat {top}: you can with {cards}.").format(top=top, cards=which)


def act(event: JsonObject, names: Sequence[str], words: Words) -> str:
    """Return an event in words."""
    try:
        known = msgspec.convert(event, wire.Event)
    except msgspec.ValidationError:
        return ""
    match known:
        case wire.Played(seat, code):
            return words.gettext("{name} plays {card}").format(name=names[seat], card=card(code))
        case Passed(seat):
            return words.gettext("{name} passes").format(name=names[seat])
        case wire.TrickTaken(seat, taken) if seat is None:
            text = words.ngettext("Nobody takes the last card", "Nobody takes the last {n} cards", len(taken))
            return text.format(n=len(taken))
        case wire.TrickTaken(int(seat), taken):
            text = words.ngettext("{name} takes the trick: {n} card", "{name} takes the trick: {n} cards", len(taken))
            return text.format(name=names[seat], n=len(taken))
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
    which = listed((card(code) for code in playable(moves)), words)
    advice = words.gettext("You can play {cards}.").format(cards=which)
    return " ".join(part for part in (refused, rule, advice if which else words.gettext("You have to pass.")) if part)


def playable(moves: Sequence[JsonObject]) -> list[str]:
    """Return the cards that may be played, by suit and rank."""
    return in_order(move["card"] for move in moves if move["type"] == "play")


def _fact(value: object, words: Words) -> str:
    if isinstance(value, list | tuple):
        return listed((card(str(code)) for code in value), words)
    return card(str(value))
