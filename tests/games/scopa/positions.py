"""Reads the short notation of Scopa's positions: play `play`, as in `7h` or `7h>4s+3d`, then check the other keys."""

from typing import Any

from locanda.messages import JsonObject
from locanda.testing.position import Entry, Expectation, WorkedPosition, options_in

GAME = "scopa"


def position(entry: Entry) -> WorkedPosition:
    """Return the position of an entry of the file."""
    deal: JsonObject = {"game": GAME, "hands": entry["hands"], "turn": int(entry["turn"])}
    deal["options"] = options_in(entry, GAME)
    deal["dealer"] = (int(entry["turn"]) - 1) % len(entry["hands"])
    deal |= {name: entry[name] for name in ("table", "stock", "captured") if name in entry}
    deal |= {"last": int(entry["last"])} if "last" in entry else {}
    view: JsonObject = {name: _numbers(entry[f"then_{name}"]) for name in ("turn", "sweeps") if f"then_{name}" in entry}
    view |= {"table": entry["then_table"]} if "then_table" in entry else {}
    expect = Expectation(
        moves=[_move(code) for code in entry["legal"]] if "legal" in entry else None,
        refused=[(_move(code), why) for code, why in entry.get("refused", {}).items()],
        view=view,
        over=True if "score" in entry else None,
        result={"points": _numbers(entry["score"])} if "score" in entry else {},
    )
    return WorkedPosition(entry["id"], GAME, expect, deal, None, [_move(code) for code in entry["play"]])


def _move(text: str) -> JsonObject:
    card, _, taken = text.partition(">")
    return {"type": "play", "card": card} | ({"takes": taken.split("+")} if taken else {})


def _numbers(value: list[str] | str) -> Any:
    return list(map(int, value)) if isinstance(value, list) else int(value)
