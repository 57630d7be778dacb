"""Reads the short notation of Briscola's positions: play the cards of `play`, then check the entry's other values."""

from locanda.messages import JsonObject
from locanda.testing.position import Entry, Expectation, WorkedPosition

GAME = "briscola"
ELSEWHERE = "6c"
"""A card that no position has in hand."""


def position(entry: Entry) -> WorkedPosition:
    """Return the position of an entry of the file."""
    deal: JsonObject = {"game": GAME, "hands": entry["hands"], "turn": int(entry["turn"]), "trump": [entry["trump"]]}
    deal |= {name: entry[name] for name in ("table", "stock", "captured") if name in entry}
    deal |= {"drawer": int(entry["drawer"])} if "drawer" in entry else {}
    refused = [(_move(ELSEWHERE), "not_in_hand")] if "legal" in entry else []
    expect = Expectation(
        moves=[_move(code) for code in entry["legal"]] if "legal" in entry else None,
        refused=refused,
        view={
            name: _numbers(entry[f"then_{name}"]) for name in ("turn", "points", "drawer") if f"then_{name}" in entry
        },
        over="winners" in entry if "winners" in entry else None,
        winners=list(map(int, entry["winners"])) if "winners" in entry else None,
        result={"points": _numbers(entry["score"])} if "score" in entry else {},
    )
    return WorkedPosition(entry["id"], GAME, expect, deal, None, [_move(code) for code in entry["play"]])


def _move(code: str) -> JsonObject:
    return {"type": "play", "card": code}


def _numbers(value: list[str] | str) -> list[int] | int:
    return list(map(int, value)) if isinstance(value, list) else int(value)
