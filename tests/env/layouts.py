"""Computes the digests of actions and observations; `python -m tests.env.layouts` writes them to layouts.json.

Saved nets check the digest. If a digest in layouts.json changes, users must train their nets again, so the change
belongs in the changelog.
"""

import json
from pathlib import Path

from locanda.env import NetSeat
from locanda.games.registry import is_installed
from locanda.games.rules import GAMES
from locanda.messages import GameName

FILE = Path(__file__).parent / "layouts.json"


def digests() -> dict[str, dict[str, str]]:
    """Return the digests of each game of this package, by number of players, `padded` and `normalised`."""
    return {
        name: {
            **{str(players): NetSeat(GameName(name), players).digest for players in game.players},
            "padded": NetSeat(GameName(name), padded=True).digest,
            "padded, normalised": NetSeat(GameName(name), padded=True, normalised=True).digest,
        }
        for name, game in GAMES.items()
        if not is_installed(name)
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(digests(), indent=2) + "\n")
