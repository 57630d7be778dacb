"""The weights by which players judge positions."""

from pathlib import Path

import msgspec

from services.engine.players.diavoletto.evaluation import Weights

EXPERIENCE = Weights.of(
    {
        "own_chance": (0.4,),
        "own_gap": (0.8, 0.45, 0.25, 0.12, 0.05, 0.0, -0.05),
        "other_chance": (-0.6,),
        "other_gap": (-0.8, -0.5, -0.3, -0.15, -0.05, 0.0, 0.05),
        "hand_size": (0.2, 0.12, 0.06, 0.02, 0.0),
        "joker": (0.4,),
        "pair": (-0.02,),
        "covers": (
            *(0.0, 0.06, 0.02, 0.0, -0.01, -0.02, -0.03, -0.04, -0.05),
            *(-0.08, -0.1, -0.12, -0.14, -0.2, -0.1, -0.3),
        ),
        "tops": (*(0.0,) * 13, 0.3),
        "tops_below": (-0.02, *(0.04,) * 4, *(0.0,) * 8),
        "empty": (0.06,),
        "refill": (0.7,),
        "refill_chance": (0.5,),
        "unknown_top": (0.6,),
        "scarce_plays": (1.0,),
    }
)
"""What an experienced player minds: chains, jokers, and what the other one could play. Set by hand."""

EVOLVED_FILE = Path(__file__).with_name("weights.json")

EVOLVED = Weights(msgspec.json.decode(EVOLVED_FILE.read_bytes(), type=list[float]))
"""What wins deals: found by `tests.bench.diavoletto_weights`, which lets weights play against one another."""
