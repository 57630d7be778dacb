"""Reads the short notation of Presidente's positions: cards are codes, `JK` is the joker, `JK:8` a joker that stands
for an Eight in a straight, `pass` is a pass, `give` before cards means the tax; seats count from 0.

`op` is the kind of test. `legal`: compare the legal plays of a hand with the combination `table` (null to lead), and
check whether passing is legal; `refused` lists further plays, each after the code of its refusal. `run`: play the
`moves` and compare the fields of `expect`. `deal`: check a fresh deal. `inv` means the inverted order. Other keys are
options; if a joker occurs anywhere, the option `joker` is set.
"""

from typing import Any

from locanda.cards import RANKS, SUITS
from locanda.messages import JsonObject
from locanda.testing.position import Entry, Expectation, WorkedPosition, options_in, read

GAME = "presidente"
FIELDS = ("turn", "last", "passes", "out", "dues", "sitting_out")
PACK = [*(rank + suit for rank in RANKS for suit in SUITS), "*"]


def position(entry: Entry) -> WorkedPosition:
    """Return the position of an entry of the file."""
    readers = {"legal": _legal, "run": _run, "deal": _deal}
    return readers[entry["op"]](entry)


def _options(entry: Entry) -> JsonObject:
    return options_in(entry, GAME) | ({"joker": True} if "JK" in str(entry) else {})


def _codes(cards: list[str]) -> list[str]:
    return ["*" if card.startswith("JK") else card for card in cards]


def _combination(cards: list[str]) -> JsonObject:
    """Return cards in canonical order, with the card that a joker in a straight stands for."""
    named = [card[3:] for card in cards if card.startswith("JK:")]
    if not named:
        return {"cards": sorted(_codes(cards), key=PACK.index)}
    stands_for = named[0] + next(card for card in cards if card[:2] != "JK")[1]
    in_place = sorted([card for card in cards if card[:2] != "JK"] + [stands_for], key=PACK.index)
    return {"cards": ["*" if card == stands_for else card for card in in_place], "joker": stands_for}


def _move(move: Any) -> JsonObject:
    if move == "pass":
        return {"type": "pass"}
    if move[0] == "give":
        return {"type": "give", "cards": _codes(move[1:])}
    return {"type": "play", **_combination(move)}


def _table(entry: Entry) -> JsonObject | None:
    table = entry.get("table", "null")
    return None if table == "null" else _combination(table)


def _legal(entry: Entry) -> WorkedPosition:
    """Read a position of two players with the hand on turn; the other player has one card, which does not matter."""
    hand, table = _codes(entry["hand"]), _table(entry)
    other = next(code for code in PACK if code not in hand and (not table or code not in table["cards"]))
    deal = {"game": GAME, "options": _options(entry), "hands": [hand, [other]], "table": table, "turn": 0}
    return WorkedPosition(entry["id"], GAME, _answers(entry), deal | {"inverted": entry.get("inv") == "true"})


def _answers(entry: Entry) -> Expectation:
    """Expect exactly these moves, the refusal of a pass if a pass is not among them, and the refusals of `refused`."""
    free = entry["pass"] == "true"
    refused = [(_move(cards), code) for code, *cards in entry.get("refused", [])]
    refused += [] if free else [({"type": "pass"}, "must_lead")]
    return Expectation([_move(cards) for cards in entry["legal"] + ["pass"] * free], refused)


def _run(entry: Entry) -> WorkedPosition:
    deal: JsonObject = {"game": GAME, "options": _options(entry), "table": _table(entry)}
    deal |= {"hands": [_codes(hand) for hand in entry["hands"]], "inverted": entry.get("inv") == "true"}
    deal |= {field: read(entry[field]) for field in FIELDS if field in entry}
    return WorkedPosition(
        entry["id"], GAME, _outcome(entry["expect"]), deal, None, [_move(move) for move in entry["moves"]]
    )


def _outcome(expect: Entry) -> Expectation:
    view = {field: read(expect[field]) for field in FIELDS if field in expect}
    view |= {"inverted": expect["inv"] == "true"} if "inv" in expect else {}
    view |= {"table": None} if "lead" in expect else {}
    view |= {"counts": read(expect["sizes"])} if "sizes" in expect else {}
    result: JsonObject = {name: read(expect[name]) for name in ("ranking", "points", "reason") if name in expect}
    moves = [_move(move) for move in expect["legal"]] if "legal" in expect else None
    return Expectation(moves, view=view, over=expect["over"] == "true", result=result)


def _deal(entry: Entry) -> WorkedPosition:
    seats, dealer = int(entry["n"]), int(entry["dealer"])
    fresh = {"options": _options(entry), "seats": seats, "dealer": dealer, "seed": "5e" * 32}
    view = {"counts": [int(entry["each"])] * seats, "stock_count": int(entry["over"]), "turn": (dealer + 1) % seats}
    return WorkedPosition(entry["id"], GAME, Expectation(view=view | {"inverted": False, "phase": "play"}), fresh=fresh)
