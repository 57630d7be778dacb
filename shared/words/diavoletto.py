"""What happens in Diavoletto, and why it does not, in words."""

from collections.abc import Sequence

import msgspec

from shared.games import diavoletto as wire
from shared.games.base import N_, DealOver
from shared.games.diavoletto import View
from shared.messages import JsonObject
from shared.translate import Words
from shared.words.cards import JOKER, card, cards, rank

REFUSALS = {
    "not_in_hand": N_("You do not hold {card}."),
    "not_on_top": N_("{card} does not lie on top."),
    "no_such_column": N_("This column is empty."),
    "no_such_build": N_("This build does not lie on the table any more."),
    "no_such_build card": N_("No build takes {card} now."),
    "wrong_rank": N_("{card} does not go there: it takes {needs}."),
    "joker_opens": N_("A joker opens no build."),
    "too_many_builds": N_("There is no room for another build: {max_piles} at most."),
    "ace_first": N_("Your turn cannot end yet: first play {aces}."),
    "joker_stays": N_("A joker is not discarded while you hold other cards."),
    "not_descending": N_("{card} does not go on this column: the same rank does, or the next lower one."),
    "must_discard": N_("Discard a card to end your turn."),
    "incomplete": N_("Choose where it goes."),
}


def tally(view: View, seat: int, words: Words) -> str:
    """Return how many cards a seat holds."""
    return words.gettext("{n} in hand").format(n=view.counts[seat])


def act(event: JsonObject, names: Sequence[str], words: Words) -> str:
    """Return an event in words."""
    try:
        known = msgspec.convert(event, wire.Event)
    except msgspec.ValidationError:
        return ""
    match known:
        case DealOver(result):
            return _over(result.reason, [names[seat] for seat in result.ranking[0]], words)
        case wire.Completed(build):
            return words.gettext("Build {n} is complete and goes aside").format(n=build + 1)
        case wire.Recycled():
            return words.gettext("The builds set aside are shuffled and put under the stock")
        case wire.Redealt():
            return words.gettext("Deadlock: all cards but the mazzetti are shuffled anew")
        case _:
            return _by_somebody(known, names[known.seat], words)


def _over(reason: str | None, winners: list[str], words: Words) -> str:
    if reason == "emptied":
        return words.gettext("{name} has played the whole mazzetto").format(name=winners[0])
    if len(winners) > 1:
        return words.gettext("Deadlock: nobody wins")
    return words.gettext("Deadlock: the deal goes to {name}").format(name=winners[0])


def _by_somebody(
    event: wire.Built | wire.Exposed | wire.Discarded | wire.Ended | wire.Drew, name: str, words: Words
) -> str:
    match event:
        case wire.Built():
            return _built(event, name, words)
        case wire.Exposed(card=code):
            return words.gettext("{name} turns up {card}").format(name=name, card=card(code))
        case wire.Discarded(card=code, column=column):
            text = words.gettext("{name} discards {card} on column {n}")
            return text.format(name=name, card=card(code), n=column + 1)
        case wire.Ended():
            return words.gettext("{name} ends the turn without a discard").format(name=name)
        case wire.Drew(count=count):
            return words.ngettext("{name} draws {n} card", "{name} draws {n} cards", count).format(name=name, n=count)


def _built(event: wire.Built, name: str, words: Words) -> str:
    played = card(event.card)
    if event.card == JOKER:
        played = words.gettext("{joker} as {rank}").format(joker=played, rank=rank(event.stands_for))
    if event.source == "mazzetto":
        text = words.gettext("{name} plays {card} from the mazzetto on build {n}")
    elif event.source == "column":
        text = words.gettext("{name} plays {card} from a column on build {n}")
    else:
        text = words.gettext("{name} plays {card} on build {n}")
    return text.format(name=name, card=played, n=event.build + 1)


def refusal(code: str, facts: JsonObject, _view: View | None, _moves: Sequence[JsonObject], words: Words) -> str:
    """Return in words why the engine refused a move."""
    kind = f"{code} card" if "card" in facts else code
    text = REFUSALS.get(kind, REFUSALS.get(code, ""))
    return words.gettext(text).format(**_shown(facts)) if text else ""


def _shown(facts: JsonObject) -> dict[str, str]:
    shown = {name: str(value) for name, value in facts.items()}
    shown |= {name: card(facts[name]) for name in ("card", "top") if facts.get(name)}
    shown |= {"aces": cards(dict.fromkeys(str(ace["card"]) for ace in facts.get("aces", ())))}
    return shown | ({"needs": rank(str(facts["needs"]))} if "needs" in facts else {})
