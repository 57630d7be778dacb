"""The games under test, and further laws for them in addition to those of `locanda.testing`."""

from collections.abc import Callable
from importlib import import_module

import pytest
from hypothesis import given

from locanda.games.rules import GAMES
from locanda.testing.starts import SUBJECTS, AnyStart, DealStep, deals, played_moves, starts

__all__ = ["SUBJECTS", "AnyStart", "DealStep", "deals", "law", "played_moves", "starts"]

SUBJECTS |= {name: import_module(f"tests.games.{name}.subject").SUBJECT for name in GAMES}


def law(test: Callable[[AnyStart], None]) -> Callable[[str], None]:
    """Run a test on every game, with any random start."""

    @pytest.mark.parametrize("name", GAMES)
    def tried(name: str) -> None:
        given(start=starts(name))(test)()

    tried.__name__ = test.__name__
    return tried
