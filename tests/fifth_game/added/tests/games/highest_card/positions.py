"""The short notation of Highest Card's positions: the cards to `play`, the `legal` cards, and the number `captured`."""

from typing import Any

from locanda.testing.position import Expectation, WorkedPosition

GAME = "highest_card"
ELSEWHERE = "Ah"
"""A card that is in no hand of any position."""


def position(entry: dict[str, Any]) -> WorkedPosition:
    """Return the position that an entry of the file describes."""
    deal = {"game": GAME, "hands": entry["hands"], "turn": int(entry["turn"])}
    expect = Expectation(
        moves=[_move(code) for code in entry["legal"]],
        refused=[(_move(ELSEWHERE), "not_in_hand")],
        view={"captured": list(map(int, entry["captured"]))},
    )
    return WorkedPosition(entry["id"], GAME, expect, deal, None, [_move(code) for code in entry["play"]])


def _move(code: str) -> dict[str, str]:
    return {"type": "play", "card": code}
