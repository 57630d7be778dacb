"""Reads the short notation of Tressette's positions: play the cards of `play`, then check the entry's other values."""

from locanda.messages import JsonObject
from locanda.testing.position import Entry, Expectation, WorkedPosition

GAME = "tressette"


def position(entry: Entry) -> WorkedPosition:
    """Return the position of an entry of the file."""
    deal: JsonObject = {"game": GAME, "hands": entry["hands"], "turn": int(entry["turn"])}
    deal |= {name: entry[name] for name in ("table", "stock", "captured", "shown") if name in entry}
    expect = Expectation(
        moves=[_move(code) for code in entry["legal"]] if "legal" in entry else None,
        refused=[(_move(code), why) for code, why in entry.get("refused", {}).items()],
        view={name: _numbers(entry[f"then_{name}"]) for name in ("turn", "thirds", "last") if f"then_{name}" in entry}
        | ({"shown": entry["then_shown"]} if "then_shown" in entry else {}),
        over="winners" in entry if "winners" in entry else None,
        winners=list(map(int, entry["winners"])) if "winners" in entry else None,
        result={"points": _numbers(entry["score"])} if "score" in entry else {},
    )
    return WorkedPosition(entry["id"], GAME, expect, deal, None, [_move(code) for code in entry["play"]])


def _move(code: str) -> JsonObject:
    return {"type": "play", "card": code}


def _numbers(value: list[str] | str) -> list[int] | int:
    return list(map(int, value)) if isinstance(value, list) else int(value)
