"""Reads the short notation of Gatto Rosso's positions: cards are codes, `pass` is a pass, seats count from 0.

`op` is the kind of test. `legal`: compare the legal plays of a hand with a top card (`top`), with the cards of `table`,
or with an empty table (`lead`), and check whether passing is legal. `run`: play the `moves` and compare the fields of
`expect`. `result`: check who wins with these captured cards. `deal`: check a fresh deal. `suits` lists the three suits
that stay in the pack; all other keys are options.
"""

from locanda.cards import CODES, ITALIAN_RANKS, SUITS
from locanda.messages import JsonObject
from locanda.testing.position import Entry, Expectation, WorkedPosition, options_in, read

GAME = "gatto_rosso"
PACK = [code for code in CODES if code[0] in ITALIAN_RANKS]


def position(entry: Entry) -> WorkedPosition:
    """Return the position of an entry of the file."""
    readers = {"legal": _legal, "run": _run, "result": _result, "deal": _deal}
    return readers[entry["op"]](entry)


def _options(entry: Entry) -> JsonObject:
    options = options_in(entry, GAME)
    if "suits" in entry:
        (options["three_suits"],) = set(SUITS) - set(entry["suits"])
    return options


def _move(code: str) -> JsonObject:
    return {"type": "pass"} if code == "pass" else {"type": "play", "card": code}


def _legal(entry: Entry) -> WorkedPosition:
    """Read a position of two players with the hand on turn; the other player has one card, which does not matter."""
    hand, table = entry["hand"], entry.get("table") or ([] if "lead" in entry else [entry["top"]])
    other = next(code for code in PACK if code not in hand + table and code[1] in entry.get("suits", SUITS))
    deal = {"game": GAME, "options": _options(entry), "hands": [hand, [other]], "table": table, "turn": 0}
    return WorkedPosition(entry["id"], GAME, _answers(entry, hand, table), deal)


def _answers(entry: Entry, hand: list[str], table: list[str]) -> Expectation:
    """Expect exactly these moves, and the right refusals of other cards in hand, a card elsewhere, and a pass."""
    free = entry["pass"] == "true"
    refused = [(_move(code), "must_beat") for code in hand if code not in entry["legal"]]
    refused += [(_move(next(code for code in PACK if code not in hand)), "not_in_hand")]
    refused += [] if free else [(_move("pass"), "must_play" if table else "must_lead")]
    return Expectation([_move(code) for code in entry["legal"] + ["pass"] * free], refused)


def _run(entry: Entry) -> WorkedPosition:
    deal: JsonObject = {"game": GAME, "options": _options(entry)}
    deal |= {pile: entry[pile] for pile in ("hands", "stock", "table") if pile in entry}
    deal |= {field: read(entry[field]) for field in ("turn", "last", "captured") if field in entry}
    return WorkedPosition(
        entry["id"], GAME, _outcome(entry["expect"]), deal, None, [_move(code) for code in entry["moves"]]
    )


def _outcome(expect: Entry) -> Expectation:
    return Expectation(
        moves=[_move(code) for code in expect["legal"] + ["pass"] * (expect["pass"] == "true")]
        if "legal" in expect
        else None,
        refused=[(_move(code), why) for code, why in expect.get("refused", {}).items()],
        deal={"hands": [sorted(hand, key=CODES.index) for hand in expect["hands"]]} if "hands" in expect else {},
        view=_view(expect),
        over=expect["over"] == "true",
        winners=read(expect["winners"]) if "winners" in expect else None,
        result={"reason": expect["reason"]} if "reason" in expect else {},
    )


def _view(expect: Entry) -> JsonObject:
    fields = ("turn", "captured", "stock_count", "table", "passes")
    view = {field: read(expect[field]) for field in fields if field in expect}
    return view | ({"counts": read(expect["sizes"])} if "sizes" in expect else {})


def _result(entry: Entry) -> WorkedPosition:
    """Read a position in which the first seat closes with its last card, which is the last of its captured cards."""
    captured = read(entry["captured"])
    hands = [[code] for code in PACK[: len(captured)]]
    deal = {"game": GAME, "hands": hands, "turn": 0, "captured": [captured[0] - 1, *captured[1:]]}
    ranking = {"ranking": read(entry["ranking"])} if "ranking" in entry else {}
    expect = Expectation(over=True, winners=read(entry["winners"]), result={"points": captured, **ranking})
    return WorkedPosition(entry["id"], GAME, expect, deal, None, [_move(PACK[0])])


def _deal(entry: Entry) -> WorkedPosition:
    fresh = {"options": _options(entry), "seats": int(entry["n"]), "dealer": int(entry["dealer"]), "seed": "5e" * 32}
    return WorkedPosition(entry["id"], GAME, Expectation(view=_view(entry)), fresh=fresh)
