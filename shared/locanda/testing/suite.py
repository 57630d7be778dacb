"""All tests of a game, by name."""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeAlias

from hypothesis import HealthCheck, given, settings

from locanda.testing import laws_of_play, laws_of_the_wire, laws_of_views
from locanda.testing.golden import played, store, stored, variants
from locanda.testing.position import WorkedPosition
from locanda.testing.positions import read_positions, verify
from locanda.testing.refusals import verify_refusals
from locanda.testing.starts import LAWS, SUBJECTS, starts
from locanda.testing.stateless import ask
from locanda.testing.subject import GameSubject

Test: TypeAlias = Callable[[], object]

__all__ = ["laws_of_play", "laws_of_the_wire", "laws_of_views", "tests_of"]


def tests_of(subject: GameSubject, folder: Path, *, write: bool) -> Iterator[tuple[str, Test]]:
    """Yield the tests of a game whose files are in a folder. With `write`, one test writes the golden play-throughs."""
    name = subject.game.name
    SUBJECTS[name] = subject
    for law in LAWS:
        yield law.__name__, _at_any_speed(given(start=starts(name))(law))
    positions = read_positions(folder)
    for position in positions:
        yield f"test_position-{position.id}", partial(_verify_position, position)
    yield "test_position_ids_are_unique", partial(_verify_unique, [position.id for position in positions])
    yield "test_every_declared_refusal_occurs_and_no_other_does", partial(verify_refusals, subject, positions)
    golden = _write_golden if write else _verify_golden
    yield "test_deals_end_as_they_always_did", partial(golden, subject, folder / "golden.jsonl")


def _at_any_speed(test: Test) -> Test:
    """Remove Hypothesis' time limits for examples from a test."""
    return settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])(test)


def _verify_position(position: WorkedPosition) -> None:
    asyncio.run(verify(position, ask))


def _verify_unique(ids: list[str]) -> None:
    assert len(ids) == len({*ids})


def _write_golden(subject: GameSubject, file: Path) -> None:
    store(file, (played(subject.game, variant) for variant in variants(subject)))


def _verify_golden(subject: GameSubject, file: Path) -> None:
    """Check that deals end as in the file: a new release must not change deals in progress."""
    assert file.exists(), "pytest --write-golden writes it"
    assert stored(file) == [played(subject.game, variant) for variant in variants(subject)]
