"""The weights by which players judge positions."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from services.engine.players.diavoletto.evaluation import Weights

EXPERIENCE = Weights.of(
    {
        "own_chance": (0.4,),
        "own_gap": (0.8, 0.45, 0.25, 0.12, 0.05, 0.0, -0.05),
        "other_chance": (-0.6,),
        "other_gap": (-0.8, -0.5, -0.3, -0.15, -0.05, 0.0, 0.05),
        "own_hand_size": (0.2, 0.12, 0.06, 0.02, 0.0),
        "joker": (0.4,),
        "pair": (-0.02,),
        "own_covers": (
            *(0.0, 0.06, 0.02, 0.0, -0.01, -0.02, -0.03, -0.04, -0.05),
            *(-0.08, -0.1, -0.12, -0.14, -0.2, -0.1, -0.3),
        ),
        "own_tops": (*(0.0,) * 13, 0.3),
        "own_tops_below": (-0.02, *(0.04,) * 4, *(0.0,) * 8),
        "own_empty": (0.06,),
        "refill": (0.7,),
        "refill_chance": (0.5,),
        "unknown_top": (0.6,),
        "scarce_plays": (1.0,),
    }
)
"""What an experienced player minds: chains, jokers, and what the other one could play."""


def _mirrored(weights: Weights) -> dict[str, Sequence[float]]:
    """Return what the other player's columns weigh: as much as one's own, against one."""
    groups = ("covers", "tops", "tops_below", "empty")
    return {"other_" + group: [-weight for weight in weights.groups["own_" + group]] for group in groups}


CALIBRATED = Weights.of(
    {
        **EXPERIENCE.groups,
        **_mirrored(EXPERIENCE),
        "own_chance": (0.3,),
        "own_gap": (0.6, 0.4, 0.22, 0.1, 0.05, 0.0, -0.05),
        "other_chance": (-0.4,),
        "other_gap": (-0.55, -0.4, -0.25, -0.12, -0.05, 0.0, 0.05),
    }
)
"""The same for a search, which judges after the other player's turn too.

Chains are worth less than the card that they lead to: the search would put that card off otherwise.
"""

LEARNED_FILE = Path(__file__).with_name("weights.json")

HOLDING_OUT: dict[str, Sequence[float]] = {"scarce_plays": (0.4,), "scarce_plays_ahead": (-0.4,)}
"""In a deal that is stuck, who is ahead may wait: the shorter mazzetto wins (ruling D12). Set by hand, not fitted."""

LEARNED = Weights.of(
    {**Weights(msgspec.json.decode(LEARNED_FILE.read_bytes(), type=list[float])).groups, **HOLDING_OUT}
)
"""The mean of `CALIBRATED` and of what was fitted to deals that the players played against themselves.

`tests.bench.diavoletto_weights` makes it."""
