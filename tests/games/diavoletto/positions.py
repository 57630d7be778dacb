"""Reads the short notation of Diavoletto's positions: cards are ranks or, where it matters, codes; `*` is a joker.

`maz` are the mazzetti, `cols` the columns, `piles` the builds, all by seat or index and bottom first; the player on
turn has drawn already. A play is `[source, card, target]`: from `hand`, `mazzetto`, or `col1` to `col4`, to a build's
index or `new`; without a target it is half made, as is a `column` without its number.

`op` is the kind of test. `start`: check a fresh deal, whose mazzetti show `tops`. `legal`: compare the legal `plays`,
and check whether the turn may end by discarding any card of the hand on any column, or only the cards of `discards`.
`run`: play the `moves` and compare the fields of `expect`. `discard_targets`: count the columns that take a discard.
`refused` lists moves, each with the code of its refusal. All other keys are options.
"""

from typing import Any

from locanda.cards import RANKS, SUITS
from locanda.messages import JsonObject
from locanda.testing.position import Entry, Expectation, WorkedPosition, options_in, read

GAME = "diavoletto"
PILES = {"maz": "mazzetti", "hands": "hands", "cols": "columns", "piles": "builds", "aside": "aside", "stock": "stock"}
"""The notation's names for the piles of a deal, in the order in which suits are assigned to their cards."""

STATE = ("turn", "stalled", "barren", "moved", "advanced", "refills", "redeals", "shuffles")


def position(entry: Entry) -> WorkedPosition:
    """Return the position of an entry of the file."""
    readers = {"start": _start, "legal": _legal, "run": _run, "discard_targets": _discard_targets}
    return readers[entry["op"]](entry)


class NotatedDeal:
    """A position's deal, and the conversion of the ranks in its short notation to cards."""

    def __init__(self, entry: Entry) -> None:
        self._given: list[str] = []
        self.deal: JsonObject = {"game": GAME, "options": options_in(entry, GAME), "columns": [[], []]} | _numbers(
            entry
        )
        self.deal |= {field: self._codes(entry[name]) for name, field in PILES.items() if name in entry}

    def _codes(self, cards: Any) -> Any:
        """Assign suits to ranks: the first card of a rank becomes a heart, the next a diamond, and so on."""
        if isinstance(cards, list):
            return [self._codes(card) for card in cards]
        suit = min(SUITS, key=lambda suit: self._given.count(cards + suit))
        self._given.append(cards + suit if cards in RANKS else cards)
        return self._given[-1]

    def _code(self, card: str, pile: list[str]) -> str:
        """Return the first card of a rank in a pile; if there is none, the only card of that rank in the deal."""
        if card not in RANKS:
            return card
        codes = sorted((code for code in pile if code[0] == card), key=_order)
        if not codes:
            (codes,) = [[code] for code in self._given if code[0] == card]
        return codes[0]

    def codes(self, cards: list[str]) -> list[str]:
        """Return the codes of cards, each of which must be the only card of its rank or a full code."""
        return [self._code(card, []) for card in cards]

    def move(self, move: list[str]) -> JsonObject:
        """Convert a move to its JSON form."""
        match move:
            case ["end"]:
                return {"type": "end"}
            case ["discard", card, *column]:
                code = self._code(card, self._own("hands"))
                return {"type": "discard", "card": code, **({"column": int(column[0])} if column else {})}
            case ["play", source, card, *to]:
                target = {"build": None if to[0] == "new" else int(to[0])} if to else {}
                return {"type": "build", "from": source, **self._from(source, card), **target}
        raise ValueError(move)

    def _from(self, source: str, card: str) -> JsonObject:
        """Return the card of a play and, if it comes from a column, the column's number."""
        match source:
            case "hand":
                return {"card": self._code(card, self._own("hands"))}
            case "mazzetto":
                return {"card": self._code(card, self._own("mazzetti")[-1:])}
            case "column":
                return {"card": self._code(card, [])}
        number = int(source.removeprefix("col")) - 1
        top = [column[-1] for column in self._own("columns")[number : number + 1] if column]
        return {"from": "column", "card": self._code(card, top), "column": number}

    def _own(self, field: str) -> Any:
        return self.deal[field][self.deal["turn"]]

    def ends(self) -> list[JsonObject]:
        """Return the moves that end the turn: discards of each rank to each used column and an empty one, or none."""
        columns = self._own("columns") + [[]] * 4
        used = [number for number in range(4) if columns[number]]
        empty = [number for number in range(4) if not columns[number]][:1]
        ranks = dict.fromkeys(code[0] for code in self._own("hands"))
        return [self.move(["discard", rank, str(number)]) for rank in ranks for number in sorted(used + empty)] or [
            {"type": "end"}
        ]


def _order(code: str) -> tuple[int, int]:
    """Return a sort key that sorts hands by rank, then by suit, jokers last."""
    return (len(RANKS), 0) if code == "*" else (RANKS.index(code[0]), SUITS.index(code[1]))


def _numbers(entry: Entry) -> JsonObject:
    return {name: read(entry[name]) for name in STATE if name in entry}


def _start(entry: Entry) -> WorkedPosition:
    fresh = {"options": options_in(entry, GAME), "seats": 2, "dealer": 0, "seed": f"{int(entry['seed']):064x}"}
    size = int(entry.get("mazzetto_size", 26))
    view = {"mazzetti": [{"top": top, "count": size} for top in entry["tops"]], "stock_count": 106 - 2 * size - 5}
    return WorkedPosition(entry["id"], GAME, Expectation(view=view | _numbers(entry)), fresh=fresh)


def _legal(entry: Entry) -> WorkedPosition:
    table = NotatedDeal(entry)
    plays = [table.move(["play", *play]) for play in entry["plays"]]
    ends = [table.move(["discard", *discard]) for discard in entry["discards"]] if "discards" in entry else table.ends()
    if entry["may_end"] == "true":
        return WorkedPosition(entry["id"], GAME, Expectation(plays + ends, _refused(table, entry)), table.deal)
    refused = [(end, "ace_first") for end in (*ends, {"type": "end"})]
    return WorkedPosition(entry["id"], GAME, Expectation(plays, refused + _refused(table, entry)), table.deal)


def _refused(table: NotatedDeal, entry: Entry) -> list[tuple[JsonObject, str]]:
    return [(table.move(move), code) for move, code in entry.get("refused", [])]


def _discard_targets(entry: Entry) -> WorkedPosition:
    """Expect this many legal discards of a hand with one card, which no build takes."""
    table = NotatedDeal({"hands": [["J"], []], "cols": [entry["cols"], []], "turn": "0"})
    ends = table.ends()
    assert len(ends) == int(entry["count"])
    return WorkedPosition(entry["id"], GAME, Expectation(ends), table.deal)


def _run(entry: Entry) -> WorkedPosition:
    table = NotatedDeal(entry)
    return WorkedPosition(
        entry["id"], GAME, _outcome(table, entry["expect"]), table.deal, moves=[*map(table.move, entry["moves"])]
    )


def _outcome(table: NotatedDeal, expect: Entry) -> Expectation:
    over = expect["over"] == "true" if "over" in expect else None
    return Expectation(
        moves=[table.move(move) for move in expect["legal"]] if "legal" in expect else None,
        refused=_refused(table, expect),
        deal=_deal(table, expect),
        view=_view(expect),
        over=over,
        winners=[int(expect["winner"])] if "winner" in expect else None,
        result={name: read(expect[name]) for name in ("points", "reason", "ranking") if name in expect},
    )


def _deal(table: NotatedDeal, expect: Entry) -> JsonObject:
    """Return the expected deal. Seats that the notation leaves out keep their hand, columns and mazzetto."""
    deal = _numbers(expect)
    deal |= {PILES[name]: [*map(table.codes, expect[name])] for name in ("piles",) if name in expect}
    deal |= {name: table.codes(expect[name]) for name in ("aside", "stock") if name in expect}
    if {"hand0", "hand1"} & set(expect):
        deal["hands"] = [sorted(_after(table, expect, "hand", seat), key=_order) for seat in (0, 1)]
    if {"cols0", "cols1"} & set(expect):
        columns = [_after(table, expect, "cols", seat) for seat in (0, 1)]
        deal["columns"] = [column + [[]] * (4 - len(column)) for column in columns]
    if {"maz0", "maz1"} & set(expect):
        deal["mazzetti"] = [_after(table, expect, "maz", seat) for seat in (0, 1)]
    return deal


def _after(table: NotatedDeal, expect: Entry, name: str, seat: int) -> Any:
    field = PILES.get(name, PILES.get(f"{name}s", ""))
    cards = expect.get(f"{name}{seat}")
    if cards is None:
        return table.deal[field][seat]
    return [*map(table.codes, cards)] if name == "cols" else table.codes(cards)


def _view(expect: Entry) -> JsonObject:
    names = {"stock_count": "stock_count", "sizes": "counts"}
    return {field: read(expect[name]) for name, field in names.items() if name in expect}
