"""Tests of a game in its own repository: laws that every game keeps, worked positions, golden play-throughs.

The extra `games` brings what they need. Beside `subject.py`, whose `SUBJECT` says what they must know of the game,
stand `positions.yaml` with `positions.py`, and `golden.jsonl`; `locanda.pytest_plugin`, a plugin of pytest, reads them.
"""

from locanda.testing.position import Entry, Expectation, WorkedPosition, options_in, read
from locanda.testing.subject import GameSubject

__all__ = ["Entry", "Expectation", "GameSubject", "WorkedPosition", "options_in", "read"]
