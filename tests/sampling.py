"""Samples of sweeps for `make test`; `make test-all` runs whole sweeps."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

import pytest
from hypothesis import settings

T = TypeVar("T")

WHOLE = settings.get_current_profile_name() not in {"fast", "quick"}
"""Whether every sweep is whole in this run."""


def sampled(things: Iterable[T], share: int, turn: int) -> Iterator[T]:
    """Yield every `share`-th of things, beginning with number `turn` modulo `share`; all of them in a whole run.

    Tests of the same sweep take turns, so that together they try everything at least once.
    """
    return iter(things) if WHOLE else islice(things, turn % share, None, share)


def costly_but_for(kept: T, cases: Iterable[T]) -> list[Any]:
    """Return the cases of a sweep: `make test` tries the kept one, `.ci/run` and `make test-all` all of them."""
    return [pytest.param(case, marks=() if case == kept else pytest.mark.costly) for case in cases]
