"""Samples of sweeps (tests over all combinations).

`make test` runs samples; `make test-all` runs whole sweeps.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

import pytest
from hypothesis import settings

T = TypeVar("T")

WHOLE = settings.get_current_profile_name() not in {"fast", "quick"}
"""Whether every sweep is whole in this run."""


def sampled(things: Iterable[T], share: int, turn: int) -> Iterator[T]:
    """Yield every `share`-th item, beginning with the item at index `turn` modulo `share`.

    A whole run yields all items.

    Tests of the same sweep take turns, so that together they try everything at least once.
    """
    return iter(things) if WHOLE else islice(things, turn % share, None, share)


def costly_but_for(kept: T, cases: Iterable[T]) -> list[Any]:
    """Return the cases of a sweep.

    `make test` tries only the case `kept`; `.ci/run` and `make test-all` try all cases.
    """
    return _marked_but_for(kept, cases, pytest.mark.costly)


def long_but_for(kept: T, cases: Iterable[T]) -> list[Any]:
    """Return the cases of a sweep of which only `make test-all` tries all cases. Other runs try the case `kept`."""
    return _marked_but_for(kept, cases, pytest.mark.long)


def _marked_but_for(kept: T, cases: Iterable[T], mark: pytest.MarkDecorator) -> list[Any]:
    return [pytest.param(case, marks=() if case == kept else mark) for case in cases]
