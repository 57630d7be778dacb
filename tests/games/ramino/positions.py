"""Reads the short notation of Ramino's positions: cards are codes, `pozzo` the discards, `table` the combinations.

`op` is the kind of test. `valid`: check whether these `cards` may be laid, or the code of the refusal. `attach`: check
which cards of the hand can be attached to the combination `table`; `refused` has the codes for the other cards.
`discards`: check which cards may be discarded after `taken` was taken. `draws`: check where a card may be drawn from.
`value`: check the points of `cards`. `run`: play the `moves` and compare the fields of `expect`. Except for `run` and
`draws`, the first of two seats has drawn already and can lay nothing else. Other keys are options.
"""

from typing import Any

from locanda.messages import JsonObject
from locanda.testing.position import Entry, Expectation, WorkedPosition, options_in, read

GAME = "ramino"
PILES = {"pozzo": "discards", "table": "melds"}
"""The notation's names for fields of the deal."""


def position(entry: Entry) -> WorkedPosition:
    """Return the position of an entry of the file."""
    readers = {"valid": _valid, "attach": _attach, "discards": _discards, "draws": _draws, "value": _value, "run": _run}
    return readers[entry["op"]](entry)


def _deal(entry: Entry, hand: list[str], **fields: Any) -> JsonObject:
    """Return a deal for two in which the hand is on turn and the other player's cards do not matter."""
    return {"game": GAME, "options": options_in(entry, GAME), "hands": [hand, []], "turn": 0, **fields}


def _meld(cards: list[str]) -> JsonObject:
    return {"type": "meld", "cards": cards}


def _discard(code: str) -> JsonObject:
    return {"type": "discard", "card": code}


def _attached(code: str) -> JsonObject:
    return {"type": "attach", "card": code, "meld": 0}


def _draw(source: str) -> JsonObject:
    return {"type": "draw", "from": PILES.get(source, source)}


def _valid(entry: Entry) -> WorkedPosition:
    """Return a position in which a player lays a valid combination, in reverse order, and so closes."""
    cards, code = entry["cards"], entry.get("refused")
    expect = Expectation(refused=[(_meld(cards), code)]) if code else Expectation(over=True, deal={"closer": 0})
    return WorkedPosition(entry["id"], GAME, expect, _deal(entry, cards), moves=[] if code else [_meld(cards[::-1])])


def _attach(entry: Entry) -> WorkedPosition:
    hand = entry["hand"]
    moves = [*map(_attached, entry["ok"]), *map(_discard, hand)]
    refused = [(_attached(code), why) for code, why in entry["refused"].items()]
    assert sorted(hand) == sorted([*entry["ok"], *entry["refused"]])
    return WorkedPosition(entry["id"], GAME, Expectation(moves, refused), _deal(entry, hand, melds=[entry["table"]]))


def _discards(entry: Entry) -> WorkedPosition:
    hand, legal = entry["hand"], entry["legal"]
    refused = [(_discard(code), "taken_card") for code in set(hand) - set(legal)]
    deal = _deal(entry, hand, taken=entry["taken"])
    return WorkedPosition(entry["id"], GAME, Expectation([_discard(code) for code in legal], refused), deal)


def _draws(entry: Entry) -> WorkedPosition:
    legal = entry["legal"]
    refused = [(_draw(source), "nothing_to_draw") for source in ("stock", "pozzo") if source not in legal]
    deal = _deal(entry, [], stock=entry["stock"], discards=entry["pozzo"])
    return WorkedPosition(entry["id"], GAME, Expectation([_draw(source) for source in legal], refused), deal)


def _value(entry: Entry) -> WorkedPosition:
    """Return a position in which the other seat, which has laid cards before, closes by discarding its last card."""
    closing = next(code for code in ("I", "II") if code not in entry["cards"])
    deal = _deal(entry, []) | {"hands": [[closing], entry["cards"]], "opened": [True, True]}
    expect = Expectation(over=True, result={"points": [0, int(entry["points"])], "reason": "closed"})
    return WorkedPosition(entry["id"], GAME, expect, deal, moves=[_discard(closing)])


def _run(entry: Entry) -> WorkedPosition:
    fields = {PILES.get(name, name): read(entry[name]) for name in ("hands", "stock", *PILES) if name in entry}
    state: JsonObject = {name: read(entry[name]) for name in ("turn", "phase", "opened", "idle") if name in entry}
    deal: JsonObject = {"game": GAME, "options": options_in(entry, GAME), **fields, **state}
    return WorkedPosition(
        entry["id"], GAME, _outcome(entry["expect"]), deal, moves=[_move(move) for move in entry["moves"]]
    )


def _move(move: list[Any]) -> JsonObject:
    match move:
        case "attach", str(card), meld:
            return {"type": "attach", "card": card, "meld": int(meld)}
        case "meld", list(cards):
            return _meld(cards)
        case "draw", str(source):
            return _draw(source)
        case _:
            return _discard(move[1])


def _outcome(expect: Entry) -> Expectation:
    deal = {PILES.get(name, name): read(expect[name]) for name in (*PILES, *DEAL_FIELDS) if name in expect}
    view = {"sizes": "counts", "stock_count": "stock_count"}
    return Expectation(
        moves=[_move(move) for move in expect["legal"]] if "legal" in expect else None,
        refused=[(_move(move), code) for move, code in expect.get("refused", [])],
        deal=deal,
        view={field: read(expect[name]) for name, field in view.items() if name in expect},
        over=expect["over"] == "true" if "over" in expect else None,
        result={name: read(expect[name]) for name in ("points", "reason", "ranking") if name in expect},
    )


DEAL_FIELDS = ("hands", "stock", "turn", "phase", "opened", "known", "idle", "closer", "shuffles")
