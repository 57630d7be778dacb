"""Tests for a game in its own repository: laws of all games, worked positions, golden play-throughs.

They need the extra `games`. The game's tests are described in `subject.py`, which defines `SUBJECT`; next to it are
`positions.yaml` with `positions.py`, and `golden.jsonl`. Pytest collects them with the plugin `locanda.pytest_plugin`.
"""

from locanda.testing.position import Entry, Expectation, WorkedPosition, options_in, read
from locanda.testing.subject import GameSubject

__all__ = ["Entry", "Expectation", "GameSubject", "WorkedPosition", "options_in", "read"]
